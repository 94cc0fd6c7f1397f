"""Whether the scores of 14.1 fit the racks: what a scorer adds up at each re-rack.

Every ball of a rack is somebody's point, every foul takes some away. So both scores together are
the balls that have left the table, less the points charged. What else takes balls off the table
is known: all fifteen are racked anew after a third foul, a stalemate, a void game and a demanded
opening break, and points beyond the target may not count.

Entries keep this true by themselves. What a hand puts right need not: a score without its balls,
balls without their score. So it is looked at when the balls are racked again, and not before, since
then a correction in two steps is done. A score that is put right while the flag is up is the
referee's last word.

What it cannot know: a ball that was entered twice or forgotten changes score and balls alike, so
the sum is right. That is told elsewhere: the board says when it has racked the balls again, and
refuses more balls left than it has, and an obstacle where it has not racked.
"""

from typing import TypeVar

from msgspec.structs import replace

from rules.pool.straight_state import StraightState
from rules.sides import Side

RACK = 15

S = TypeVar("S", bound=StraightState)
"""A state, or a subclass of it that its changes keep."""


def off(frame: StraightState) -> int:
    """By how much the scores together are above what racks and fouls add up to."""
    return sum(frame.score) - (frame.booked + RACK - frame.left)


def looked_at(frame: S) -> S:
    """The balls have been racked again: a slip raises the flag.

    Points that were put in by hand with a counter of fouls, before it or after, are no slip.
    """
    now, cost = off(frame), frame.by_hand
    explained = min(cost, max(0, -now)) if cost > 0 else -min(-cost, max(0, now))
    booked = frame.booked - explained
    return replace(frame, booked=booked, by_hand=0, audit=now + explained)


def begun(frame: S) -> S:
    """The scores as they stand are right: so a game is taken up."""
    return replace(frame, booked=sum(frame.score) - (RACK - frame.left), by_hand=0, audit=0)


def corrected(before: StraightState, after: S, fields: frozenset[str]) -> S:
    """The position was put right by hand, in these fields."""
    if before.audit and "score" in fields:
        return begun(after)
    charged = sum(_charged(after, side) - _charged(before, side) for side in Side)
    after = replace(after, by_hand=after.by_hand + charged)
    return looked_at(after) if before.audit else after


def _charged(frame: StraightState, side: Side) -> int:
    return sum(frame.streak[side.place])
