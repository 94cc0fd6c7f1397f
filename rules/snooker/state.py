"""The state of a frame of snooker."""

from typing import TypeVar

from msgspec import Struct

from rules.frame import Ending, Option, Result, Then, Visit
from rules.sides import Pair, Side
from rules.snooker.position import Tie
from rules.snooker.table import Table
from rules.snooker.terms import Misses, SnookerCarry, SnookerTerms

FIFTY = 50
CENTURY = 100

FOUL_CHOICE = "foul"
DRAW_CHOICE = "draw"


class FrameState(Struct, frozen=True, kw_only=True):
    """A frame.

    `won` are the frames that the sides had won before it. `turn` is who is at the table; while a
    choice is open, who fouled. `misses` is the running sequence, `replay` the table before its
    last stroke; `again` counts the strokes that a side had to play after its own foul, after a
    rack anew, or at the re-spotted black. `at_risk`: one more miss loses the frame. `adds_red`:
    the last entry was a pot in which one more red may have fallen. `begun`: a stroke was played.
    `breaks` and `lesser` are of finished visits: those of fifty or more, and the best one below
    that. `black_taken`: the black was potted for the break, after the pink had decided the frame.
    `members` says who of each side is at the table, or up next time; `out_of_turn`: whoever is at
    the table plays his partner's turn, which is lost by it.
    """

    terms: SnookerTerms
    carry: SnookerCarry
    opener: Side
    turn: Side
    table: Table
    won: Pair[int] = (0, 0)
    score: Pair[int] = (0, 0)
    run: int = 0
    adds_red: bool = False
    begun: bool = False
    tie: Tie = Tie.NO
    option: Option | None = None
    misses: Misses = Misses()
    replay: Table | None = None
    again: int = 0
    at_risk: bool = False
    stalemate: bool = False
    touching: bool = False
    lesser: Pair[int] = (0, 0)
    breaks: Pair[tuple[int, ...]] = ((), ())
    black_taken: bool = False
    members: Pair[int] = (1, 1)
    out_of_turn: bool = False
    result: Result | None = None

    @property
    def visit(self) -> Visit:
        """The visit in play."""
        return Visit(self.turn, self.members[self.turn.place], self.run, self.again)

    @property
    def at_table(self) -> Side:
        """Who acts next: who has a choice after a foul is at the table by it."""
        return self.turn.other if self.choosing else self.turn

    @property
    def choosing(self) -> bool:
        """Whether a choice after a foul is open."""
        return self.option is not None and self.option.kind == FOUL_CHOICE

    @property
    def drawing(self) -> bool:
        """Whether it is asked who plays the re-spotted black."""
        return self.tie is Tie.DRAW

    @property
    def ending(self) -> Ending | None:
        """A frame is booked at once and held."""
        if self.result is None:
            return None
        return Ending(self.result.reason, Then.NEXT_FRAME, self.result.winner)

    @property
    def lead(self) -> int:
        """The points by which A leads."""
        return self.score[0] - self.score[1]


S = TypeVar("S", bound=FrameState)
"""A state, or a subclass of it that its changes keep."""
