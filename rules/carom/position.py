"""What outlives a set, and where a set stands."""

from msgspec import Struct

from rules.carom.terms import Lie, ZoneState
from rules.frame import Carry
from rules.sides import Pair, Side


class CaromCarry(Carry, frozen=True, kw_only=True):
    """What outlives a set: totals of the finished sets, and high runs of the match.

    `sizes` is how many members each side has. `break_taken`: the break at half distance was due.

    Its fields and those of a position stand side by side in an `at:` line: no name is in both.
    """

    total_points: Pair[int] = (0, 0)
    total_innings: Pair[int] = (0, 0)
    high_runs: Pair[int] = (0, 0)
    sizes: Pair[int] = (1, 1)
    break_taken: bool = False


class Position(Struct, frozen=True, kw_only=True):
    """Where a set stands.

    `innings` are finished ones. `run` is the open inning's. `members` says who of each side is up,
    counted from 1 in its order.
    """

    score: Pair[int] = (0, 0)
    innings: Pair[int] = (0, 0)
    turn: Side = Side.A
    run: int = 0
    lie: Lie = Lie.START
    members: Pair[int] = (1, 1)


class SeriesPosition(Position, frozen=True, kw_only=True):
    """Where a set of a series game stands.

    `goal` is the score that ties in an equalising inning, and only there.
    """

    goal: int | None = None
    zone: ZoneState = ZoneState.FREE
