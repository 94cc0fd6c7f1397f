"""Pressing the buttons of a table by program, at a speed that people can follow or faster."""

import asyncio
from collections.abc import Sequence

from drivers.fakes import Finger
from drivers.gestures import Timing
from firmware.demo.presses import KeyPress
from firmware.table.guard import GuardTiming

TAP_MS = 30
HOLD_MS = 700

_FIRST_MS = 1000
_SCORING_MS = 450
_OTHER_MS = 700
_AGAIN_MS = 1150
"""A key that decides, twice in a row: they must not be taken for one press."""

_OK_MS = 1600
"""Long enough to read what has ended."""


_LEAST = 0.93
"""How far a pause may be cut to catch up: twice the same key is still more than a second."""


class Rehearsal:
    """The presses of a match and when to make them.

    `speed` is 1 at the pace of people and below it where the whole must take less time; all
    times of the panel shrink with it, so that no press is taken for another.
    """

    def __init__(self, presses: Sequence[KeyPress], *, scoring: frozenset[str], seconds: float):
        self._presses = presses
        gaps = [
            _gap(before, now, scoring)
            for before, now in zip([None, *presses], presses, strict=False)
        ]
        stretch = seconds * 1000 / sum(gaps)
        self._gaps_ms = [gap * stretch for gap in gaps]
        self.speed = min(1.0, stretch)

    @property
    def timing(self) -> Timing:
        """The panel's times at this speed; a hold stays one, lest a slow tap become it."""
        usual = Timing()
        return Timing(
            confirm_ms=usual.confirm_ms * self.speed,
            idle_ms=usual.idle_ms * self.speed,
            same_key_ms=usual.same_key_ms * self.speed,
        )

    @property
    def guard_timing(self) -> GuardTiming:
        """The guard's times at this speed."""
        usual = GuardTiming()
        return GuardTiming(
            same_press_ms=usual.same_press_ms * self.speed,
            burst_gap_ms=usual.burst_gap_ms * self.speed,
            burst_most_ms=usual.burst_most_ms * self.speed,
        )

    async def play(self, finger: Finger) -> None:
        """Make all presses, in the time given."""
        loop = asyncio.get_running_loop()
        pressed = due = loop.time()
        for press, gap_ms in zip(self._presses, self._gaps_ms, strict=True):
            # What a busy machine lost is caught up, but no pause is cut below what parts presses.
            due += gap_ms / 1000
            await asyncio.sleep(max(due, pressed + gap_ms * _LEAST / 1000) - loop.time())
            pressed = loop.time()
            finger.down(press.key)
            await asyncio.sleep((HOLD_MS if press.held else TAP_MS * self.speed) / 1000)
            finger.up(press.key)


def _gap(before: KeyPress | None, now: KeyPress, scoring: frozenset[str]) -> float:
    """The pause before a press at people's pace, in milliseconds."""
    if before is None:
        return _FIRST_MS
    if now.key == "ok":
        return _OK_MS
    if now.key in scoring:
        return _SCORING_MS
    return _AGAIN_MS if now.key == before.key else _OTHER_MS
