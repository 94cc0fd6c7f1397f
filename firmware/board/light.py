"""How bright a board is: by the hour, dimmed while nobody plays, never in a live match."""

import re
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from drivers.phrases import Phrase, within
from firmware.board.screens import in_play, resting
from firmware.snapshot import View

DIM_AFTER_MS = 60_000
"""An idle board is dimmed so long after the last key."""


class Hour(Struct, frozen=True, forbid_unknown_fields=True):
    """From an hour of the day on, as `at = "18:30"`, so bright."""

    at: str
    contrast: Annotated[int, Meta(ge=0, le=15)]

    @property
    def minute(self) -> int:
        """Minutes since midnight."""
        hours, _, minutes = self.at.partition(":")
        return int(hours) * 60 + int(minutes)


class Light(Struct, frozen=True, forbid_unknown_fields=True):
    """Brightness of an `idle` board, and by `schedule`, 0 to 15.

    The schedule goes round the clock. It may make a board brighter while a match is live, never
    darker: that waits until the match's end has been acknowledged.
    """

    idle: Annotated[int, Meta(ge=0, le=15)] = 1
    schedule: tuple[Hour, ...] = ()

    def problems(self) -> Iterator[str]:
        """What is wrong with the schedule, by key."""
        for hour in self.schedule:
            if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", hour.at):
                why = Phrase("an_hour", "must be an hour, as 18:30")
                yield within(f"light.schedule.at = {hour.at!r}", why)

    def level(self, view: View, contrast: int, now_ms: int, hour_ms: int | None) -> int:
        """How bright to be now.

        Args:
            view: what the board shows.
            contrast: what is configured beside the schedule.
            now_ms: the monotonic clock.
            hour_ms: milliseconds since midnight, none while the hour is not known.
        """
        level = self._scheduled(contrast, hour_ms)
        if in_play(view):
            return max(level, contrast)
        if not resting(view, now_ms):
            return level
        woken = view.heard_ms is not None and now_ms - view.heard_ms < DIM_AFTER_MS
        return level if woken else min(level, self.idle)

    def _scheduled(self, contrast: int, hour_ms: int | None) -> int:
        if not self.schedule or hour_ms is None:
            return contrast
        hours = sorted(self.schedule, key=lambda hour: hour.minute)
        minute = hour_ms // 60_000
        passed = [hour for hour in hours if hour.minute <= minute]
        return (passed or hours)[-1].contrast
