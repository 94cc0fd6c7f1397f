"""What players have made over many matches, from the summaries that the journal keeps.

A summary is made when a match ends; no match is played again to count. What needs every entry
(time at the table, first innings won) is counted for the matches that were asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

import msgspec
from msgspec import Struct

from firmware.club.played import sides_of
from firmware.journal import Journal, State, Summary
from firmware.records.kept import Kept
from firmware.records.visits import VisitRow, visits
from rules.sides import Pair, Side
from rules.stats import POINTS_SYSTEMS, best_runs, general_average, is_above, ranking_points

BEST_RUNS = 3
"""How many of the best runs are told, one a match."""

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
    for id_, rulebook, started_ms, state, setup, text in journal.listing():
        if state != State.FINISHED or (rulebooks and rulebook not in rulebooks):
            continue
        a, b = (tuple(doubles.get(number, number) for number in side) for side in sides_of(setup))
        if player is not None and player not in (*a, *b):
            continue
        try:
            summary = msgspec.json.decode(text, type=Summary)
        except msgspec.MsgspecError:
            continue
        for side, members in ((Side.A, a), (Side.B, b)):
            if player is None or player in members:
                yield _appearance((id_, rulebook, started_ms), side, (a, b), summary)


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
    """What many appearances come to."""
    seen = list(lines)
    counted = [
        line
        for line in seen
        if line.innings is not None and line.points is not None and not line.irregular
    ]
    played = [(line.points or 0, line.innings or 0) for line in counted]
    best = max(counted, key=_exact, default=None)
    return Totals(
        matches=len(seen),
        won=sum(line.won is True for line in seen),
        lost=sum(line.won is False for line in seen),
        points=sum(points for points, _ in played),
        innings=sum(innings for _, innings in played),
        general_average=general_average(played, DECIMALS),
        best_average="-" if best is None else best.average,
        high_run=max((line.high_run or 0 for line in seen), default=0),
        best_runs=best_runs((line.high_run or 0 for line in seen), BEST_RUNS),
        match_points=str(points_of(seen, "match")),
        units=(
            sum(line.units[0] for line in seen if line.units is not None),
            sum(line.units[1] for line in seen if line.units is not None),
        ),
    )


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


class Detail(Struct, frozen=True):
    """What only the entries of a match tell, for one side.

    `shot_ms` and `visit_ms` are medians of match time, none where nothing was timed.
    `first_visits_won` are frames won in the side's own first visit, `break_and_runs` those of
    them in which it opened and the other side never came to the table.
    """

    visits: int
    entries: int
    fouls: int
    given: int
    breaks_50: int
    breaks_100: int
    shot_ms: int | None
    visit_ms: int | None
    first_visits_won: int
    break_and_runs: int


def detail(match: Kept, side: Side) -> Detail:
    """One side of one match, counted visit by visit."""
    stays = visits(match)
    mine = [visit for visit in stays if visit.side is side]
    timed = [visit for visit in mine if visit.ended_ms > visit.began_ms]
    first, runs = _cleared(match, stays, side)
    return Detail(
        visits=len(mine),
        entries=sum(visit.shots for visit in mine),
        fouls=sum(visit.given > 0 for visit in mine),
        given=sum(visit.given for visit in mine),
        breaks_50=sum(visit.points >= 50 for visit in mine),
        breaks_100=sum(visit.points >= 100 for visit in mine),
        shot_ms=_median([(v.ended_ms - v.began_ms) // max(1, v.shots) for v in timed]),
        visit_ms=_median([visit.ended_ms - visit.began_ms for visit in timed]),
        first_visits_won=first,
        break_and_runs=runs,
    )


def _cleared(match: Kept, stays: Sequence[VisitRow], side: Side) -> tuple[int, int]:
    first = runs = 0
    for number, frame in enumerate(match.ledger.match.finished, 1):
        if frame.result is None or frame.result.winner is not side:
            continue
        here = [visit for visit in stays if visit.frame == number]
        if sum(visit.side is side for visit in here) == 1:
            first += 1
            runs += frame.opener is side and len(here) == 1
    return first, runs


def _median(values: Sequence[int]) -> int | None:
    """The middle one, of two the lower: a value that was measured."""
    return sorted(values)[(len(values) - 1) // 2] if values else None
