"""Lamps and a buzzer on the pins of a Raspberry Pi, by way of gpiozero.

A pin of a Pi gives a few milliamperes: a lamp or buzzer that takes more needs a transistor.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gpiozero import DigitalOutputDevice

from drivers.errors import DeviceLost, DeviceMissing
from drivers.lines import PinFactory, claim
from drivers.wiring import Output

BUZZER = "buzzer"
"""The name of the output that beeps; all others are lamps."""


class Playable(Protocol):
    """What lamps and buzzer can do at one moment."""

    @property
    def lamps(self) -> Mapping[Any, int | None]:
        """The lamps that are lit, and for how many milliseconds; none until further notice."""

    @property
    def beeps(self) -> Sequence[int]:
        """What the buzzer begins with now: on, off, on … in milliseconds; empty leaves it alone."""


class Lamps:
    """The outputs of one table. Built, used and closed on a running event loop.

    Raises:
        DeviceMissing: a pin cannot be claimed.
    """

    def __init__(self, outputs: Mapping[str, Output], factory: PinFactory) -> None:
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._outputs: dict[str, Any] = {}
        self._lost: asyncio.Future[None] = self._loop.create_future()
        try:
            for name, output in outputs.items():
                self._outputs[name] = claim(
                    name,
                    output.pin,
                    DigitalOutputDevice,
                    active_high=output.active_high,
                    pin_factory=factory,
                )
        except DeviceMissing:
            self.close()
            raise

    async def lost(self) -> None:
        """Wait until a pin fails, which is never told to whoever plays.

        Raises:
            DeviceLost: it failed.
        """
        await asyncio.shield(self._lost)

    def play(self, playing: Playable) -> None:
        """Light these lamps and no others, and beep; nothing more once a pin has failed."""
        if not self._lost.done():
            self._guarded(self._play, playing)

    def _guarded(self, do: Callable[..., None], *args: Any) -> None:
        """Whoever shows a score is not to fall with a lamp."""
        try:
            do(*args)
        except Exception as error:  # noqa: BLE001 -- gpiozero, lgpio, the kernel
            self._lost.set_exception(DeviceLost(f"lamps: {error}"))
            self._lost.exception()  # without anybody who waits for it, it is no news
            for name in list(self._timers):
                self._stop(name)

    def _play(self, playing: Playable) -> None:
        for name, output in self._outputs.items():
            if name == BUZZER:
                continue
            self._stop(name)
            if name in playing.lamps:
                output.on()
                lasts_ms = playing.lamps[name]
                if lasts_ms is not None:
                    self._later(name, lasts_ms, ())
            else:
                output.off()
        if playing.beeps and BUZZER in self._outputs:
            self._stop(BUZZER)
            self._outputs[BUZZER].on()
            self._later(BUZZER, playing.beeps[0], playing.beeps[1:])

    def _later(self, name: str, ms: int, then: Sequence[int]) -> None:
        self._timers[name] = self._loop.call_later(
            ms / 1000, self._guarded, self._toggle, name, then
        )

    def _toggle(self, name: str, then: Sequence[int]) -> None:
        del self._timers[name]
        output = self._outputs[name]
        output.toggle()
        if then:
            self._later(name, then[0], then[1:])
        else:
            output.off()

    def _stop(self, name: str) -> None:
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()

    def close(self) -> None:
        """Dark and silent; lets go of the pins."""
        for name in list(self._timers):
            self._stop(name)
        for each in self._outputs.values():
            # A pin that has failed already needs no more.
            with contextlib.suppress(Exception):
                each.off()
            with contextlib.suppress(Exception):
                each.close()
