"""What an idle board tells: the club, the hour, the last result."""

import time

from firmware.clock import Clock
from firmware.snapshot import Coming, Hall, View
from rules.scoreline import Scoreline
from rules.sides import Side

_MS = 1_000_000
_DAY_MS = 86_400_000


class Lobby:
    """Keeps what is told while nobody plays."""

    def __init__(self, club: str, clock: Clock) -> None:
        self._club, self._clock = club, clock
        self._last: tuple[str, ...] = ()

    def seen(self, view: View) -> None:
        """Remember how the match came out, once it is over."""
        if view.line is not None and view.line.phase == "over":
            self._last = result_forms(view.line)

    def hour_ms(self) -> int | None:
        """Milliseconds since midnight here, while the machine knows the hour."""
        if not self._clock.synced():
            return None
        wall_ms = self._clock.wall_ms()
        offset_s = time.localtime(wall_ms / 1000).tm_gmtoff
        return (wall_ms + offset_s * 1000) % _DAY_MS

    def hall(self, coming: Coming | None = None) -> Hall:
        """All of it, for a picture; `coming` is who plays next."""
        hour_ms = self.hour_ms()
        now_ms = self._clock.now_ns() // _MS
        zero_ms = None if hour_ms is None else hour_ms - now_ms
        return Hall(self._club, self._last, coming, zero_ms)


def result_forms(line: Scoreline) -> tuple[str, ...]:
    """The result of a match in one line, from long to short: frames or sets, else points."""
    levels = [line.tally[name] for name, won in line.to_win.items() if max(won) > 1]
    score = levels[-1] if levels else line.score
    if score is None:
        return ()
    a, b = (" + ".join(line.names[side.place]) or side.value for side in Side)
    short_a, short_b = (name.split()[-1] for name in (a, b))
    return (
        f"{a} {score[0]} - {score[1]} {b}",
        f"{short_a} {score[0]} - {score[1]} {short_b}",
        f"{score[0]}-{score[1]}",
    )
