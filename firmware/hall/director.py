"""Which table a hall's board shows now, and how: pure, the time is passed in.

Tables take turns. One that may be decided with the next rack, or on which a maximum is possible,
keeps the board; the end of a match is shown at once, to its end. Of a table that is not heard the
score is what was last known, and the board says since when.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from firmware.hall.follower import TableNow
from firmware.i18n import Language
from firmware.snapshot import HallMessage, View
from rules.scoreline import Scoreline

Key = tuple[str, str]

TURN_MS = 8_000
"""How long a table keeps the board."""

NAME_MS = 2_000
"""How long at its beginning the table's name stands between the scores."""

END_MS = 12_000
"""How long the end of a match is shown."""

MAXIMUM = 147
MAXIMUM_FROM = 40
"""A break of so many, with a maximum still possible, keeps the board; with fewer reds, whose
maximum is 107 or 75, a break of fewer."""

NO_BROKER = "MQTT"
"""The fault that the board shows while it hears no broker."""


class _Turn(NamedTuple):
    key: Key
    since_ms: int
    until_ms: int
    end: bool = False


class HallDirector:
    """The turns of one board."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._turn: _Turn | None = None
        self._several = False
        """Whether there are tables of more than one hall: then a number alone names none."""
        self._ended: deque[Key] = deque(maxlen=64)
        self._over: dict[Key, str | None] = {}
        """Of each table the match that it was seen to end, none while one is played."""

    def view(self, tables: Sequence[TableNow], now_ms: int, *, connected: bool) -> View:
        """What the board shows at this moment of its monotonic clock."""
        known = {one.key: one for one in tables if one.line is not None}
        self._several = len({hall for hall, _ in known}) > 1
        self._look_for_ends(known)
        turn = self._turned(known, now_ms)
        self._turn = turn
        faults = () if connected else (NO_BROKER,)
        if turn is None:
            return View(faults=faults)
        table = known[turn.key]
        message = None
        if not table.live:
            message = HallMessage(self._doubt(table), turn.since_ms, turn.until_ms)
        elif now_ms - turn.since_ms < NAME_MS and len(known) > 1:
            message = HallMessage(self._name(table), turn.since_ms, turn.since_ms + NAME_MS)
        return replace(_seen(table, now_ms), message=message, faults=faults)

    def _name(self, table: TableNow) -> str:
        name = self._language.say("hall.table", n=table.table)
        return f"{table.hall} {name}" if self._several else name

    def _doubt(self, table: TableNow) -> str:
        """Which table it is that is not live, and why, where more is known than its silence."""
        why = (("clash", table.clash), ("newer", table.newer), ("offline", table.offline))
        reasons = [self._language.say(f"page.{word}") for word, holds in why if holds]
        return " · ".join([self._name(table), *reasons[:1]])

    def until_ms(self, tables: Sequence[TableNow], now_ms: int) -> int | None:
        """When the board shows something else by itself: a turn ends, or a table falls silent."""
        moments = [one.live_until_ms for one in tables]
        if self._turn is not None:
            moments += [self._turn.until_ms, self._turn.since_ms + NAME_MS]
        return min((ms for ms in moments if ms is not None and ms > now_ms), default=None)

    def _look_for_ends(self, known: dict[Key, TableNow]) -> None:
        for key, table in known.items():
            line = table.line
            assert line is not None
            ended = line.match if line.phase == "over" else None
            if key in self._over and ended is not None and self._over[key] != ended and table.live:
                self._ended.append(key)
            if table.live or key not in self._over:
                self._over[key] = ended
        for key in self._over.keys() - known.keys():
            del self._over[key]

    def _turned(self, known: dict[Key, TableNow], now_ms: int) -> _Turn | None:
        """Whose turn it is now."""
        turn = self._turn
        if turn is not None and turn.end and turn.key in known and now_ms < turn.until_ms:
            return turn
        while self._ended:
            key = self._ended.popleft()
            if key in known:
                return _Turn(key, now_ms, now_ms + END_MS, end=True)
        pinned = [key for key, table in known.items() if table.live and decisive(table.line)]
        wanted = pinned or list(known)
        if turn is not None and turn.key in wanted and now_ms < turn.until_ms:
            return turn
        if not wanted:
            return None
        place = wanted.index(turn.key) + 1 if turn is not None and turn.key in wanted else 0
        key = wanted[place % len(wanted)]
        if turn is not None and turn.key == key:
            return turn._replace(until_ms=now_ms + TURN_MS, end=False)
        if place == 0 and turn is not None and not pinned:
            key = _after(turn.key, wanted)
        return _Turn(key, now_ms, now_ms + TURN_MS)


def decisive(line: Scoreline | None) -> bool:
    """Whether the next rack or frame may decide the match, or a maximum is being made."""
    if line is None or line.phase == "over":
        return False
    possible, most = line.figures.maximum, line.figures.maximum_break or MAXIMUM
    if possible is not None and possible >= most and line.run * MAXIMUM >= MAXIMUM_FROM * most:
        return True
    counted = [name for name, needed in line.to_win.items() if max(needed) > 1]
    return bool(counted) and all(
        needed - won == 1
        for name in counted
        for needed, won in zip(line.to_win[name], line.tally.get(name, (0, 0)), strict=True)
    )


def _after(key: Key, wanted: list[Key]) -> Key:
    """The table after one that has not its turn any more, in the order of the hall."""
    return next((one for one in wanted if one > key), wanted[0])


def _seen(table: TableNow, now_ms: int) -> View:
    """A table as its own board would show it, and if it is not heard, since when."""
    assert table.line is not None
    zero_ms = now_ms - (table.t_ms or 0)
    line = replace(table.line, clock=table.clock)
    if table.live:
        return View(line=line, zero_ms=zero_ms)
    return View(line=line, zero_ms=zero_ms, stale_since_ms=now_ms - table.silent_ms)
