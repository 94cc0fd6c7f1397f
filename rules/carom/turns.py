"""How an inning ends, and who is up then (CBBS art. 22.2; pairs as in its part on pairs)."""

from msgspec.structs import replace

from rules.carom import ends
from rules.carom.state import S, SetState
from rules.carom.terms import LastInning, Lie, Rotate, ZoneState
from rules.sides import Side, added, changed, with_side


def rotated(frame: S, strokes: int) -> S:
    """The side's members take turns: with so many strokes another one is up."""
    if frame.terms.rotate is not Rotate.STROKE:
        return frame
    return _next_member(frame, strokes)


def _next_member(frame: S, steps: int) -> S:
    size = frame.carry.sizes[frame.turn.place]
    members = changed(frame.members, frame.turn, lambda member: (member - 1 + steps) % size + 1)
    return replace(frame, members=members)


def run_ended(frame: S) -> S:
    """The run in play is over; it may be the high run."""
    turn, carry = frame.turn, frame.carry
    high = max(carry.high_runs[turn.place], frame.run)
    carry = replace(carry, high_runs=with_side(carry.high_runs, turn, high))
    return replace(frame, carry=carry, run=0, strokes=0, zone=ZoneState.FREE)


def inning_closed(frame: S) -> S:
    """The open inning becomes a finished one."""
    turn = frame.turn
    closed = replace(
        run_ended(frame),
        innings=added(frame.innings, turn, 1),
        runs=with_side(frame.runs, turn, (*frame.runs[turn.place], frame.run)),
    )
    return _next_member(closed, 1) if frame.terms.rotate is Rotate.INNING else closed


def missed(frame: S, lie: Lie) -> S:
    """The inning is over, by a miss, a foul or the clock, which counts as a stroke."""
    return passed(inning_closed(rotated(frame, 1)), lie)


def passed(closed: S, lie: Lie) -> S:
    """After a finished inning: the set may end by it, or the other side comes to the table."""
    if closed.goal is not None:
        return ends.unanswered(closed)
    limit = closed.terms.limit
    if limit is not None and min(closed.innings) >= limit:
        return ends.innings_used_up(closed)
    last = limit is not None and max(closed.innings) == limit
    if last and closed.terms.last_from is LastInning.START:
        lie = Lie.START
    frame = replace(closed, turn=closed.turn.other, lie=lie)
    if not _half_way(frame):
        return frame
    return replace(frame, break_due=True, carry=replace(frame.carry, break_taken=True))


def _half_way(frame: SetState) -> bool:
    """Whether the break is due: half of somebody's target, after equal innings, once."""
    if not frame.terms.half or frame.carry.break_taken or len(set(frame.innings)) > 1:
        return False
    return any(
        target is not None and 2 * frame.score[side.place] >= target
        for side, target in zip(Side, frame.target, strict=True)
    )
