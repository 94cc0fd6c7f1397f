"""What players have made over many matches, from the summaries that the journal keeps.

A summary is made when a match ends; no match is played again to count, but those whose summary is
not there or is another version's. What needs every entry is in `firmware/records/details.py`.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

import msgspec
from msgspec import Struct

from firmware.club.player import discipline_of
from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.matches import State, Summary
from firmware.journal.played import rulebook_in, sides_of
from rules.sides import Pair, Side
from rules.stats import (
    POINTS_SYSTEMS,
    best_runs,
    general_average,
    is_above,
    ranking_points,
)

_log = logging.getLogger(__name__)

BEST_RUNS = 3
"""How many of the best runs are told, one a match."""

SEASON_FROM = 9
"""The month in which a season begins."""

DECIMALS = 3
"""Averages over several matches are cut after so many places, as UMB and CEB cut them."""


class Appearance(Struct, frozen=True):
    """One match of one side: who, against whom, and what came of it.

    `won` is none for a draw or a match without a result. `points`, `innings` and `high_run` are
    none where the game has none; `units` are frames, racks or sets won and lost. `irregular`: won
    against somebody absent, so that its points and innings say nothing of a player.
    """

    match: str
    started_ms: int
    rulebook: str
    side: Side
    members: tuple[int, ...]
    opponents: tuple[int, ...]
    won: bool | None
    points: int | None
    against: int | None
    innings: int | None
    high_run: int | None
    units: tuple[int, int] | None
    average: str
    target: int | None = None
    drawn: bool = False
    irregular: bool = False


class Totals(Struct, frozen=True):
    """Many appearances together; averages are text, `-` where there is no inning."""

    matches: int
    won: int
    lost: int
    points: int
    innings: int
    general_average: str
    best_average: str
    high_run: int
    best_runs: tuple[int, ...]
    match_points: str
    units: tuple[int, int]


def appearances(
    journal: Journal, *, player: int | None = None, rulebooks: Sequence[str] = ()
) -> Iterator[Appearance]:
    """Both sides of every finished match, the oldest first; of a player, those that are his.

    A double is the player that he is. `rulebooks` keep those matches alone in which one is played.
    """
    doubles = journal.club.doubles()
    for id_, began_as, started_ms, state, first, text in journal.listing():
        if state != State.FINISHED:
            continue
        summary = None if text else _made_again(journal, id_)
        if summary is None and not text:
            continue
        mended = _mended(text) if summary is None else summary.setup
        setup, rulebook = mended or first, rulebook_in(mended) if mended else began_as
        if rulebooks and rulebook not in rulebooks:
            continue
        a, b = (tuple(doubles.get(number, number) for number in side) for side in sides_of(setup))
        if player is not None and player not in (*a, *b):
            continue
        summary = summary or _read(text) or _made_again(journal, id_)
        if summary is None:
            continue
        for side, members in ((Side.A, a), (Side.B, b)):
            if player is None or player in members:
                yield _appearance((id_, rulebook, started_ms), side, (a, b), summary)


def _read(text: str) -> Summary | None:
    """A summary; none where the text is damaged."""
    try:
        return msgspec.json.decode(text, type=Summary)
    except msgspec.MsgspecError:
        return None


def _made_again(journal: Journal, match_id: str) -> Summary | None:
    """The summary that the records of a match make; none, with a word, where this version cannot
    judge them."""
    from firmware.records.kept import kept  # noqa: PLC0415 # all games, which no other figure needs

    try:
        match = kept(journal, match_id)
    except JournalError as error:
        _log.warning("%s; left out", error)
        return None
    now = match.ledger.match.setup
    return Summary.of(match.line(), now if now != match.setup else None)


def _mended(text: str) -> str:
    """The set-up that a summary has, where one has it: few do, and reading all takes its time."""
    if '"setup"' not in text:
        return ""
    try:
        return msgspec.json.decode(text, type=_Setup).setup
    except msgspec.MsgspecError:
        return ""


class _Setup(Struct):
    setup: str = ""


def _appearance(
    match: tuple[str, str, int], side: Side, sides: Pair[tuple[int, ...]], summary: Summary
) -> Appearance:
    figures, me, other = summary.figures, side.place, side.other.place
    points = figures.total_points or summary.score
    innings = figures.total_innings or figures.innings
    units = next(iter(summary.tally.values()), None)
    winner = summary.result.winner if summary.result is not None else None
    id_, rulebook, started_ms = match
    return Appearance(
        match=id_,
        started_ms=started_ms,
        rulebook=rulebook,
        side=side,
        members=sides[me],
        opponents=sides[other],
        won=None if winner is None else winner is side,
        points=None if points is None else points[me],
        against=None if points is None else points[other],
        innings=None if innings is None else innings[me],
        high_run=None if figures.high_runs is None else figures.high_runs[me],
        units=None if units is None else (units[me], units[other]),
        average="-" if figures.averages is None else figures.averages[me],
        target=None if figures.targets is None else figures.targets[me],
        drawn=summary.result is not None and winner is None and not summary.result.by_conduct,
        irregular=summary.result is not None and summary.result.reason == "absence",
    )


def totals(lines: Iterable[Appearance]) -> Totals:
    """What many appearances come to; of several disciplines there is no average and no run."""
    seen = list(lines)
    mixed = len(by_discipline(seen)) > 1
    counted = [line for line in seen if _counts(line)]
    played = [(line.points or 0, line.innings or 0) for line in counted]
    best = max(counted, key=_exact, default=None)
    return Totals(
        matches=len(seen),
        won=sum(line.won is True for line in seen),
        lost=sum(line.won is False for line in seen),
        points=sum(points for points, _ in played),
        innings=sum(innings for _, innings in played),
        general_average="-" if mixed else general_average(played, DECIMALS),
        best_average="-" if best is None or mixed else best.average,
        high_run=0 if mixed else max((line.high_run or 0 for line in seen), default=0),
        best_runs=() if mixed else best_runs((line.high_run or 0 for line in seen), BEST_RUNS),
        match_points=str(points_of(seen, "match")),
        units=(
            sum(line.units[0] for line in seen if line.units is not None),
            sum(line.units[1] for line in seen if line.units is not None),
        ),
    )


def _counts(line: Appearance) -> bool:
    """Whether a match has points and innings, and says something of the player."""
    return line.innings is not None and line.points is not None and not line.irregular


def points_of(lines: Iterable[Appearance], system: str, set_average: str = "") -> Decimal:
    """What the matches are worth by one of `POINTS_SYSTEMS`; unfinished ones nothing.

    `set_average` is the one that the player was set, for systems with a bonus.

    Raises:
        ValueError: a system that needs targets, and a match without.
    """
    total = Decimal(0)
    for line in lines:
        if line.won is None and not line.drawn:
            continue
        points, innings = line.points or 0, line.innings or 0
        above = bool(set_average) and is_above(points, innings, set_average)
        share = (points, line.target or 0)
        total += Decimal(ranking_points(POINTS_SYSTEMS[system], line.won, share, above=above))
    return total


def _exact(line: Appearance) -> float:
    return (line.points or 0) / line.innings if line.innings else -1.0


class Period(StrEnum):
    """What appearances can be put together by, besides all of them."""

    DAY = "day"
    MONTH = "month"
    SEASON = "season"
    """From September to August, as leagues count."""

    def of(self, at_ms: int) -> str:
        """The period that a moment is in: `2026-03-01`, `2026-03`, `2025/26`."""
        when = datetime.fromtimestamp(at_ms / 1000, UTC)
        match self:
            case Period.DAY:
                return f"{when:%Y-%m-%d}"
            case Period.MONTH:
                return f"{when:%Y-%m}"
        year = when.year if when.month >= SEASON_FROM else when.year - 1
        return f"{year}/{(year + 1) % 100:02}"


def periods(lines: Iterable[Appearance], period: Period) -> dict[str, list[Appearance]]:
    """The appearances of each period, the oldest first."""
    found: dict[str, list[Appearance]] = {}
    for line in lines:
        found.setdefault(period.of(line.started_ms), []).append(line)
    return found


def moving(lines: Sequence[Appearance], count: int) -> Iterator[tuple[Appearance, str]]:
    """After each match that counts, the average of the last `count` of these of its discipline."""
    played: dict[str, list[Pair[int]]] = {}
    for line in lines:
        if _counts(line):
            mine = played.setdefault(discipline_of(line.rulebook), [])
            mine.append((line.points or 0, line.innings or 0))
            yield line, general_average(mine[-count:], DECIMALS)


def by_discipline(lines: Iterable[Appearance]) -> dict[str, list[Appearance]]:
    """The appearances of each discipline: what is made in one says nothing of another."""
    found: dict[str, list[Appearance]] = {}
    for line in lines:
        found.setdefault(discipline_of(line.rulebook), []).append(line)
    return found
