"""The state of a set of any carom game."""

from typing import TypeVar

from msgspec import Struct

from rules.carom.position import CaromCarry
from rules.carom.terms import CaromTerms, Lie, ZoneState
from rules.frame import Ending, Option, Result, Visit
from rules.sides import Pair, Side


class SetState(Struct, frozen=True, kw_only=True):
    """A set, or the whole match where there is but one.

    `innings` counts finished innings, `runs` those that were entered, in order: what each side
    made for itself. `strokes` are the scoring ones of the open inning. `members` says who of each
    side is up. `goal` is set in an equalising inning. `break_due`: the break at half distance is
    due now. `drawn` waits for the referee to give a drawn set to a side. Of the pins games `goal`
    is never set and `zone` is always free.
    """

    terms: CaromTerms
    carry: CaromCarry
    opener: Side
    turn: Side
    target: Pair[int | None]
    score: Pair[int] = (0, 0)
    innings: Pair[int] = (0, 0)
    runs: Pair[tuple[int, ...]] = ((), ())
    run: int = 0
    strokes: int = 0
    members: Pair[int] = (1, 1)
    lie: Lie = Lie.START
    zone: ZoneState = ZoneState.FREE
    goal: int | None = None
    break_due: bool = False
    option: Option | None = None
    drawn: bool = False
    ending: Ending | None = None
    result: Result | None = None

    @property
    def visit(self) -> Visit:
        """The open inning."""
        return Visit(self.turn, self.members[self.turn.place], self.run, sum(self.innings))

    @property
    def remaining(self) -> int | None:
        """The points that the side at the table may still make; none without a target."""
        most = self.goal if self.goal is not None else self.target[self.turn.place]
        return None if most is None else most - self.score[self.turn.place]


S = TypeVar("S", bound=SetState)
"""A state, or a subclass of it that its changes keep."""
