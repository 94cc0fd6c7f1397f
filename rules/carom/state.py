"""The state of a set of a series game."""

from typing import TypeVar

from msgspec import Struct

from rules.carom.terms import CaromCarry, CaromTerms, Lie
from rules.frame import Ending, Option, Result, Visit
from rules.sides import Pair, Side


class SeriesState(Struct, frozen=True, kw_only=True):
    """A set, or the whole match where there is but one.

    `innings` counts finished innings, `runs` those that were entered, in order. `strokes` are
    the scoring ones of the open inning. `goal` is set in an equalising inning. `drawn` waits
    for the referee to give a drawn set to a side.
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
    lie: Lie = Lie.START
    goal: int | None = None
    option: Option | None = None
    drawn: bool = False
    ending: Ending | None = None
    result: Result | None = None

    @property
    def visit(self) -> Visit:
        """The open inning."""
        return Visit(self.turn, run=self.run)

    @property
    def remaining(self) -> int | None:
        """The points that the side at the table may still make; none without a target."""
        most = self.goal if self.goal is not None else self.target[self.turn.place]
        return None if most is None else most - self.score[self.turn.place]


S = TypeVar("S", bound=SeriesState)
"""A state, or a subclass of it that its changes keep."""
