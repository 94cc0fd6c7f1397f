"""The keys of a panel: their lines, watched, and what comes of them, told."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import assert_never

from drivers.chords import Chords
from drivers.gestures import (
    Event,
    Floating,
    Freed,
    Gestures,
    Heard,
    Ignored,
    KeyMode,
    LongHeld,
    Pressed,
    Stuck,
    Timing,
)
from drivers.lines import DirectLines, Lines, PinFactory, ScannedLines, closed_on_error
from drivers.ports import KeyListener, Press
from drivers.wiring import Chord, Contact, Crosspoint, Wiring, check_wiring, where

__all__ = ["Keys", "Panel", "PinFactory"]

EDGE_S = 0.01
"""So long an edge may be on its way from the pin library's thread to the loop; then it is lost."""


class Keys:
    """The keys of one device, told to a `KeyListener`; `device` is its name in every `Press`.

    It is built, used and closed on a running event loop.

    Args:
        modes: when each key acts.
        lines: where the keys' changes come from; closed together with this.
        where: where a person finds the wires of a key.
        chords: the two keys of each chord.
        numbers: counts the presses; a device that is opened anew goes on counting.
    """

    def __init__(
        self,
        device: str,
        modes: Mapping[str, KeyMode],
        lines: Sequence[Lines],
        listener: KeyListener,
        *,
        where: Callable[[str], str],
        timing: Timing | None = None,
        chords: Mapping[str, tuple[str, str]] | None = None,
        numbers: Iterator[int] | None = None,
    ) -> None:
        self._device, self._where = device, where
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._gestures = Gestures(modes, timing)
        self._chords = Chords(chords or {})
        self._timer: asyncio.TimerHandle | None = None
        self._numbers = count(1) if numbers is None else numbers
        self._closed = False
        self._lines = lines
        self._loop.call_soon(self._tell, self._watch())

    @property
    def stuck(self) -> tuple[str, ...]:
        """What a person must look at: key, BCM and header pin number of each faulty line."""
        return tuple(f"{key}: {self._where(key)}" for key in self._gestures.stuck())

    def close(self) -> None:
        """Let go of the pins. Nothing is told any more; the factory stays open."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for each in self._lines:
            each.close()

    def _watch(self) -> list[Event]:
        """Begin to listen; tells of keys that are down already, which fire no edge."""
        events: list[Event] = []
        for each in self._lines:
            for key in sorted(each.active()):
                events += self._gestures.down_at_start(key, time.monotonic_ns())
            each.watch(self)
        return events

    # Watcher

    def edge(self, key: str, active: bool, t_ns: int) -> None:
        """The line of a key changed at this moment of the monotonic clock."""
        if not self._closed:
            self._tell(self._gestures.edge(key, active, t_ns))

    def refused(self, key: str, why: str) -> None:
        """A key that may not be what it looks like."""
        if not self._closed:
            self._tell([Ignored(key, why, time.monotonic_ns())])

    def dropped(self, key: str, t_ns: int) -> None:
        """The device of a key that was down has gone: that is no release, and enters nothing."""
        if not self._closed:
            self._gestures.drop(key)
            self._tell(self._gestures.edge(key, False, t_ns))

    def _wake(self, *, waited: bool = False) -> None:
        """What falls due is judged by the line itself: pin libraries have lost edges.

        A lost release must not make a hold of a tap. One that is only late, as the loop or the
        library's thread has much to do, comes with the time at which it was: for this it is waited.
        """
        due_ns, now_ns = self._gestures.deadline_ns(), time.monotonic_ns()
        events: list[Event] = []
        if due_ns is not None and due_ns <= now_ns:
            released = self._released()
            if released and not waited:
                self._sleep(EDGE_S, waited=True)
                return
            for key in released:
                events += self._gestures.edge(key, False, due_ns - 1)
        self._tell(events + self._gestures.tick(now_ns))

    def _released(self) -> list[str]:
        """The keys that are down for all we were told, and whose lines say that they are not."""
        if not self._gestures.down():
            return []
        # A scanned keypad tells of what it finds while it is asked.
        active = frozenset().union(*(each.active() for each in self._lines))
        return [key for key in self._gestures.down() if key not in active]

    def _tell(self, events: Iterable[Event]) -> None:
        """Pass events on, then sleep until the next is due."""
        for event in self._chords.feed(events, time.monotonic_ns()):
            self._tell_one(event)
        dues = (self._gestures.deadline_ns(), self._chords.deadline_ns())
        due_ns = min((due for due in dues if due is not None), default=None)
        self._sleep(None if due_ns is None else max(0, due_ns - time.monotonic_ns()) / 1e9)

    def _sleep(self, wait_s: float | None, *, waited: bool = False) -> None:
        """Wake after so long, and not before; without a time only an edge wakes."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if wait_s is not None and not self._closed:
            self._timer = self._loop.call_later(wait_s, partial(self._wake, waited=waited))

    def _tell_one(self, event: Event) -> None:
        match event:
            case Heard(key):
                self._listener.heard(self._device, key)
            case Pressed(key, held, t_ns):
                number = next(self._numbers)
                self._listener.pressed(Press(self._device, number, key, held, t_ns))
            case LongHeld(key):
                self._listener.long_held(self._device, key)
            case Ignored(key, why):
                self._listener.ignored(self._device, key, why)
            case Stuck(key):
                self._listener.stuck(self._device, key, self._where(key))
            case Floating(key):
                self._listener.floating(self._device, key, self._where(key))
            case Freed(key):
                self._listener.freed(self._device, key)
            case _:
                assert_never(event)


class Panel(Keys):
    """The keys of one panel, on the pins of a Pi.

    Raises:
        WiringError: the wiring is not possible.
        DeviceMissing: a pin cannot be claimed.
    """

    def __init__(
        self,
        device: str,
        wiring: Wiring,
        listener: KeyListener,
        *,
        factory: PinFactory,
        timing: Timing | None = None,
        spi: bool = False,
        numbers: Iterator[int] | None = None,
    ) -> None:
        check_wiring(wiring, spi=spi)
        super().__init__(
            device,
            {key: wire.mode for key, wire in wiring.items() if not isinstance(wire, Chord)},
            _lines_of(wiring, factory),
            listener,
            where=lambda key: where(wiring[key]),
            timing=timing,
            chords={key: wire.keys for key, wire in wiring.items() if isinstance(wire, Chord)},
            numbers=numbers,
        )


def _lines_of(wiring: Wiring, factory: PinFactory) -> tuple[Lines, ...]:
    contacts = {key: wire for key, wire in wiring.items() if isinstance(wire, Contact)}
    points = {key: wire for key, wire in wiring.items() if isinstance(wire, Crosspoint)}
    lines: list[Lines] = [DirectLines(contacts, factory)] if contacts else []
    if points:
        with closed_on_error(*lines):
            lines.append(ScannedLines(points, factory))
    return tuple(lines)
