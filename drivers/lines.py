"""The lines behind the keys of a panel, by way of gpiozero: one pin a key, or a scanned keypad.

A line tells of each change with the time of its edge, from whatever thread saw it, and can be asked
how it stands. What the changes mean is for `drivers/gestures.py`.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from traceback import clear_frames
from typing import Any, Protocol, TypeAlias

from gpiozero import DigitalInputDevice, GPIODevice

from drivers.errors import DeviceMissing
from drivers.phrases import pin_refused
from drivers.scanning import Point, Scanner
from drivers.wiring import Contact, Crosspoint

PinFactory: TypeAlias = Any
"""A gpiozero pin factory: `drivers.pins.pi_pins()` on a Pi, `MockFactory` elsewhere."""

SCAN_S = 0.003
"""How often a keypad is looked at while a key is down; at rest it waits for an edge."""

REST_S = 0.05
"""How long all keys of a keypad are up before it rests."""


class Watcher(Protocol):
    """Is told what the lines do. All calls come from the event loop."""

    def edge(self, key: str, active: bool, t_ns: int) -> None:
        """The line of a key changed at this moment of the monotonic clock."""

    def refused(self, key: str, why: str) -> None:
        """A key that may not be what it looks like: `ghost`."""

    def dropped(self, key: str, t_ns: int) -> None:
        """The device of a key that was down has gone."""


class Lines(Protocol):
    """Some of the lines of a panel."""

    def watch(self, watcher: Watcher) -> None:
        """Tell of changes from now on."""

    def active(self) -> frozenset[str]:
        """The keys whose lines are active now."""

    def close(self) -> None:
        """Let go of the pins."""


class DirectLines:
    """One pin a key.

    Raises:
        DeviceMissing: a pin cannot be claimed.
    """

    def __init__(self, contacts: Mapping[str, Contact], factory: PinFactory) -> None:
        self._loop = asyncio.get_running_loop()
        self._inputs: dict[str, Any] = {}
        self._watcher: Watcher | None = None
        with closed_on_error(self):
            for key, contact in contacts.items():
                self._inputs[key] = claim_input(f"key {key}", contact, factory)

    def watch(self, watcher: Watcher) -> None:
        """Tell of changes from now on."""
        self._watcher = watcher
        for key, each in self._inputs.items():
            each.when_activated = partial(self._seen, key, True)
            each.when_deactivated = partial(self._seen, key, False)

    def _seen(self, key: str, active: bool) -> None:
        """Take an edge from the thread of the pin library to the loop.

        An exception here would end that library's one thread, and with it every key. The loop
        is closed only at the end of the program, when no key matters any more.
        """
        t_ns = time.monotonic_ns()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._tell, key, active, t_ns)

    def _tell(self, key: str, active: bool, t_ns: int) -> None:
        if self._watcher is not None:
            self._watcher.edge(key, active, t_ns)

    def active(self) -> frozenset[str]:
        """The keys whose lines are active now."""
        return frozenset(key for key, each in self._inputs.items() if each.is_active)

    def close(self) -> None:
        """Let go of the pins."""
        self._watcher = None
        for each in self._inputs.values():
            each.close()


class ScannedLines:
    """A keypad of rows and columns.

    At rest every row is low and a key pulls its column low: an edge, as with a key of its own.
    Then one row after the other is low, the others let go, so that two keys of one column never
    connect a high row with a low one.

    Raises:
        DeviceMissing: a pin cannot be claimed.
    """

    def __init__(self, points: Mapping[str, Crosspoint], factory: PinFactory) -> None:
        self._loop = asyncio.get_running_loop()
        self._keys: dict[Point, str] = {(one.row, one.column): key for key, one in points.items()}
        self._rows: dict[int, Any] = {}
        self._columns: dict[int, Any] = {}
        self._scanner = Scanner()
        self._down: frozenset[Point] = frozenset()
        self._watcher: Watcher | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._still_since_ns = 0
        with closed_on_error(self):
            for row in sorted({one.row for one in points.values()}):
                self._rows[row] = claim(f"row {row}", row, GPIODevice, pin_factory=factory)
            for column in sorted({one.column for one in points.values()}):
                contact = Contact(column)
                self._columns[column] = claim_input(f"column {column}", contact, factory)
            self._rest()

    def watch(self, watcher: Watcher) -> None:
        """Tell of changes from now on."""
        self._watcher = watcher
        for each in self._columns.values():
            each.when_activated = self._stirred

    def _stirred(self) -> None:
        """A column went low, on the thread of the pin library: see `DirectLines`."""
        t_ns = time.monotonic_ns()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._wake, t_ns)

    def _wake(self, t_ns: int) -> None:
        """Begin to scan, unless that is what stirred."""
        if self._timer is None and self._watcher is not None:
            self._still_since_ns = t_ns
            self._look(t_ns)

    def _look(self, t_ns: int | None = None) -> None:
        """Scan, tell of what has changed, and scan again soon or rest."""
        t_ns = time.monotonic_ns() if t_ns is None else t_ns
        self._scan(t_ns)
        if self._watcher is None:
            return
        if self._down:
            self._still_since_ns = t_ns
        if t_ns - self._still_since_ns < REST_S * 1e9:
            self._timer = self._loop.call_later(SCAN_S, self._look)
        else:
            self._timer = None
            self._rest()
            if any(each.is_active for each in self._columns.values()):
                # A key went down between the last look and the rest, and its edge was ours.
                self._wake(time.monotonic_ns())

    def _scan(self, t_ns: int) -> None:
        scanned = self._scanner.look(frozenset(self._closed()))
        before, self._down = self._down, scanned.down
        if self._watcher is None:
            return
        for point in sorted(before ^ scanned.down):
            if point in self._keys:
                self._watcher.edge(self._keys[point], point in scanned.down, t_ns)
        for point in sorted(scanned.ghosts):
            if point in self._keys:
                self._watcher.refused(self._keys[point], "ghost")

    def _closed(self) -> Iterator[Point]:
        """Make one row after the other low, and see which columns follow."""
        for each in self._rows.values():
            each.pin.input_with_pull("up")
        for row, each in self._rows.items():
            each.pin.output_with_state(0)
            for column, other in self._columns.items():
                if other.is_active:
                    yield row, column
            each.pin.input_with_pull("up")

    def _rest(self) -> None:
        for each in self._rows.values():
            each.pin.output_with_state(0)

    def active(self) -> frozenset[str]:
        """The keys whose lines are active now."""
        self._scan(time.monotonic_ns())
        if self._timer is None:
            self._rest()
        return frozenset(self._keys[point] for point in self._down if point in self._keys)

    def close(self) -> None:
        """Let go of the pins."""
        self._watcher = None
        if self._timer is not None:
            self._timer.cancel()
        for each in (*self._rows.values(), *self._columns.values()):
            each.close()


@contextlib.contextmanager
def closed_on_error(*lines: Lines) -> Iterator[None]:
    """Let go of the pins that were claimed already if the next one cannot be."""
    try:
        yield
    except DeviceMissing:
        for each in lines:
            each.close()
        raise


def claim_input(what: str, contact: Contact, factory: PinFactory) -> Any:
    """Make a pin an input. gpiozero's own bounce time loses presses: none is set.

    Raises:
        DeviceMissing: it cannot be claimed; names pin and mend.
    """
    pull_up = not contact.active_high if contact.pulled else None
    return claim(
        what,
        contact.pin,
        DigitalInputDevice,
        pull_up=pull_up,
        active_state=None if contact.pulled else contact.active_high,
        bounce_time=None,
        pin_factory=factory,
    )


def claim(what: str, pin: int, kind: Callable[..., Any], **settings: Any) -> Any:
    """Make a device of gpiozero on a pin; `what` is its name for people.

    Raises:
        DeviceMissing: the pin cannot be claimed; names it and the mend.
    """
    try:
        return kind(pin, **settings)
    except Exception as error:
        # gpiozero, lgpio and the kernel each bring a family of their own. A device that is half
        # made has reserved its pin for as long as anybody, a log too, keeps the error.
        clear_frames(error.__traceback__)
        raise DeviceMissing(pin_refused(pin, what, error)) from error
