"""The state of a game of 14.1."""

from typing import TypeVar

from msgspec.structs import replace

from rules.frame import Visit
from rules.pool.entries import InTheWay
from rules.pool.state import PoolState
from rules.pool.terms import StraightCarry, StraightTerms
from rules.sides import Pair, Side, added, with_side


class StraightState(PoolState, frozen=True, kw_only=True):
    """A game of 14.1, to the target.

    `left` balls are on the table. `streak` are the points that each side's consecutive fouls have
    cost. `innings`, `balls` and `high` are finished visits, the balls made in them and the best
    one. `racked` says, until the next shot, that the balls have just been racked again: with the
    15th left on the table, or all. `case` is what stood in the way of it, once that is said.
    `lag_winner` chooses who opens after a stalemate, `voids_to` opens when the game is void.

    For `rules.pool.audit`: `booked` is what both scores would add up to with a full rack, `by_hand`
    what counters of fouls have cost that were put in by hand since, `audit` by how much the scores
    were off when the balls were last racked again.
    """

    terms: StraightTerms
    carry: StraightCarry
    score: Pair[int] = (0, 0)
    left: int = 15
    run: int = 0
    fouls: Pair[int] = (0, 0)
    streak: Pair[tuple[int, ...]] = ((), ())
    innings: Pair[int] = (0, 0)
    balls: Pair[int] = (0, 0)
    high: Pair[int] = (0, 0)
    reracks: int = 0
    racked: int | None = None
    spot: str | None = None
    case: InTheWay | None = None
    lag_winner: Side | None = None
    voids_to: Side | None = None
    booked: int = 0
    by_hand: int = 0
    audit: int = 0

    @property
    def visit(self) -> Visit:
        """The open visit, with its run."""
        return Visit(self.turn, run=self.run, stroke=self.shots)

    @property
    def phase(self) -> str:
        """What is waited for, for displays."""
        if self.lagging:
            return "first"
        return "break" if self.opening else "playing"

    @property
    def lagging(self) -> bool:
        """Whether it is asked, after a stalemate, who opens."""
        return self.option is not None and self.option.kind == "first"

    @property
    def pause_now(self) -> bool:
        """Whether nothing has been played since the balls were racked."""
        return self.between or (self.racked is not None and self.result is None)

    def to_go(self, side: Side) -> int:
        """The points that a side still needs."""
        return max(0, self.terms.target[side.place] - self.score[side.place])


S = TypeVar("S", bound=StraightState)
"""A state, or a subclass of it that its changes keep."""


def closed(frame: S) -> S:
    """The open visit becomes a finished one."""
    turn, run = frame.turn, frame.run
    return replace(
        frame,
        innings=added(frame.innings, turn, 1),
        balls=added(frame.balls, turn, run),
        high=with_side(frame.high, turn, max(frame.high[turn.place], run)),
        run=0,
    )


def run_closed(frame: S) -> S:
    """The open visit is finished if a ball was made in it, else it was none."""
    return closed(frame) if frame.run else frame
