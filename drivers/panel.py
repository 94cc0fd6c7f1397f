"""Push buttons on the pins of a Raspberry Pi, by way of gpiozero."""

import asyncio
import contextlib
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, TypeAlias, assert_never

from gpiozero import DigitalInputDevice

from drivers.errors import DeviceMissing
from drivers.gestures import (
    Event,
    Freed,
    Gestures,
    Heard,
    Ignored,
    Pressed,
    Stuck,
    Timing,
)
from drivers.ports import KeyListener, Press
from drivers.wiring import Contact, Wiring, check_wiring

PinFactory: TypeAlias = Any
"""A gpiozero pin factory: `drivers.pins.pi_pins()` on a Pi, `MockFactory` elsewhere."""


class Panel:
    """The buttons of one panel, told to a `KeyListener`.

    It is built, used and closed on a running event loop. Its name in every `Press` is `device`.

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
    ) -> None:
        check_wiring(wiring, spi=spi)
        self._device = device
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._gestures = Gestures({key: wire.mode for key, wire in wiring.items()}, timing)
        self._timer: asyncio.TimerHandle | None = None
        self._number = 0
        self._closed = False
        self._inputs: dict[str, Any] = {}
        try:
            for key, contact in wiring.items():
                self._inputs[key] = _claim(key, contact, factory)
        except DeviceMissing:
            self.close()
            raise
        self._loop.call_soon(self._tell, self._watch())

    @property
    def stuck(self) -> tuple[str, ...]:
        """What a person must look at: key, BCM and header pin number of each stuck contact."""
        pins = {key: self._inputs[key].pin.info for key in self._gestures.stuck()}
        return tuple(f"{key}: {pin.name}, header pin {pin.number}" for key, pin in pins.items())

    def close(self) -> None:
        """Let go of the pins. Nothing is told any more; the factory stays open."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for each in self._inputs.values():
            each.close()

    def _watch(self) -> list[Event]:
        """Begin to listen; tells of keys that are down already, which fire no edge."""
        events: list[Event] = []
        for key, each in self._inputs.items():
            each.when_activated = partial(self._seen, key, True)
            each.when_deactivated = partial(self._seen, key, False)
            if each.is_active:
                events += self._gestures.down_at_start(key, time.monotonic_ns())
        return events

    def _seen(self, key: str, active: bool) -> None:
        """Take an edge from the thread of the pin library to the loop.

        An exception here would end that library's one thread, and with it every key. The loop
        is closed only at the end of the program, when no key matters any more.
        """
        t_ns = time.monotonic_ns()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._edge, key, active, t_ns)

    def _edge(self, key: str, active: bool, t_ns: int) -> None:
        if not self._closed:
            self._tell(self._gestures.edge(key, active, t_ns))

    def _wake(self) -> None:
        due_ns, now_ns = self._gestures.deadline_ns(), time.monotonic_ns()
        events: list[Event] = []
        if due_ns is not None and due_ns <= now_ns:
            # Pin libraries have lost edges. What falls due is judged by the line itself, so
            # that a lost release does not make a hold of a tap.
            for key in self._gestures.down():
                if not self._inputs[key].is_active:
                    events += self._gestures.edge(key, False, due_ns - 1)
        self._tell(events + self._gestures.tick(now_ns))

    def _tell(self, events: Iterable[Event]) -> None:
        """Pass events on, then sleep until the next is due."""
        for event in events:
            self._tell_one(event)
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due_ns = self._gestures.deadline_ns()
        if due_ns is not None and not self._closed:
            wait_ns = max(0, due_ns - time.monotonic_ns())
            self._timer = self._loop.call_later(wait_ns / 1e9, self._wake)

    def _tell_one(self, event: Event) -> None:
        match event:
            case Heard(key):
                self._listener.heard(self._device, key)
            case Pressed(key, held, t_ns):
                self._number += 1
                self._listener.pressed(Press(self._device, self._number, key, held, t_ns))
            case Ignored(key, why):
                self._listener.ignored(self._device, key, why)
            case Stuck(key):
                self._listener.stuck(self._device, key)
            case Freed(key):
                self._listener.freed(self._device, key)
            case _:
                assert_never(event)


def _claim(key: str, contact: Contact, factory: PinFactory) -> Any:
    """Make the pin of a key an input. gpiozero's own bounce time loses presses: none is set."""
    try:
        return DigitalInputDevice(
            contact.pin, pull_up=not contact.active_high, bounce_time=None, pin_factory=factory
        )
    except Exception as error:
        # gpiozero, lgpio and the kernel each bring a family of their own.
        raise DeviceMissing(
            f"GPIO{contact.pin} (key {key}) cannot be used: {error}. If another program holds "
            "it, `gpioinfo` names it."
        ) from error
