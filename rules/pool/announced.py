"""What is worth announcing in the pool games, besides ends, choices and offences."""

from collections.abc import Iterator

from rules.entries import Entry, Ok, ShotClock
from rules.frame import Notice
from rules.pool.entries import Foul, Push, Short, VisitEnd, WholeVisit
from rules.pool.state import PoolState, RackState
from rules.pool.straight_state import StraightState
from rules.sides import Pair, Side

_RUN_OUT = ("money_ball", "eight")
"""Reasons for which a rack is won by play."""


def offender(turn: Side, entry: Entry) -> Side | None:
    """Whose foul an entry says, or none."""
    match entry:
        case Foul(by=by):
            return by or turn
        case Short() | ShotClock() | Push(foul=True):
            return turn
        case WholeVisit(end=VisitEnd.FOUL | VisitEnd.SCRATCH):
            return turn
    return None


def of_fouls(
    side: Side | None, before: Pair[int], after: Pair[int], limit: int
) -> Iterator[Notice]:
    """A foul, and that it was the last but one or the last in a row."""
    if side is None:
        return
    yield Notice("foul", side)
    now = after[side.place]
    if now == limit - 1 and now > before[side.place]:
        yield Notice("two_fouls", side, now)
    elif before[side.place] == limit - 1 and now in (0, limit):
        yield Notice("three_fouls", side, limit)


def of_stalemate(before: PoolState, after: PoolState) -> Iterator[Notice]:
    """That a stalemate was warned of, and that the turns after the warning are over."""
    was, now = before.turns_left, after.turns_left
    if now is not None and was is None:
        yield Notice("stalemate_warned", None, now[0])
    elif now == (0, 0) and was != now:
        yield Notice("stalemate_due")


def of_rack(before: RackState, after: RackState, entry: Entry) -> Iterator[Notice]:
    """A rack run in one visit; a side that needs but one more, or both; a stalemate in sight."""
    yield from of_stalemate(before, after)
    result = after.result
    if before.result is None and result is not None and result.reason in _RUN_OUT:
        by_play = result.winner is before.turn
        if by_play and before.visits == 0:
            yield Notice("break_and_run", before.turn)
        elif by_play and before.visits == 1:
            yield Notice("run_out", before.turn)
    if isinstance(entry, Ok):
        yield from _of_hill(before, after)


def _of_hill(before: RackState, after: RackState) -> Iterator[Notice]:
    on_hill = [side for side in Side if after.level.needs_one(after.tally, side)]
    last = before.result.winner if before.result is not None else None
    if not sum(after.tally) or last not in on_hill:
        return
    if len(on_hill) == len(Side):
        yield Notice("hill_hill")
    else:
        yield Notice("hill", last)


def of_straight(before: StraightState, after: StraightState, entry: Entry) -> Iterator[Notice]:
    """A foul, balls racked again, the best run of the match passed, scores that do not add up."""
    side = offender(before.turn, entry)
    limit = after.terms.fouls_limit
    yield from of_fouls(side, before.fouls, after.fouls, limit)
    yield from of_stalemate(before, after)
    if after.reracks > before.reracks:
        yield Notice("rerack", before.turn, after.reracks)
    best = _best(before)
    made = max(after.run, after.high[before.turn.place])
    if 0 < best < made and before.run <= best:
        yield Notice("high_run", before.turn, made)
    if after.audit and not before.audit:
        yield Notice("audit", None, after.audit)


def _best(frame: StraightState) -> int:
    """The best run of the match that is over."""
    return max(*frame.high, *frame.carry.high_runs)
