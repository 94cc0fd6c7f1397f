"""How a match stands: what is counted, what is held until OK, what is asked."""

from enum import StrEnum
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from rules.contest import Contest
from rules.entries import Scope
from rules.frame import Carry, Ending, Frame, Option, Result, Then, Visit
from rules.record import Setup
from rules.rulebook import Game, Level, Order, Shootouts, Terms
from rules.shootout import Innings, shooter_of
from rules.sides import Pair, Side
from rules.tally import Tally, all_but_won, all_played, counted, filled, leader, level_ended


class Stage(StrEnum):
    """Where a match stands."""

    FIRST = "first"
    """It is asked who plays first."""
    FRAME = "frame"
    """A frame is in play, or its end is held."""
    SHOOTOUT = "shootout"
    OVER = "over"


class Standing(Struct, frozen=True):
    """A match at one moment, and how an end is counted.

    `tally` counts frames, then the levels above them. `frame` is the one in play, or the last
    one once the match is in a shoot-out or over. `shootout` holds the points of each side's
    shoot-out innings. `lag_winner` chooses who plays first. `history` holds the frames won in
    each finished set.
    """

    setup: Setup
    game: Game
    terms: Terms
    tally: tuple[Pair[int], ...]
    stage: Stage
    carry: Carry
    frame: Frame | None = None
    finished: tuple[Frame, ...] = ()
    shootout: Innings = ((), ())
    lag_winner: Side | None = None
    history: tuple[Pair[int], ...] = ()
    result: Result | None = None
    contest: Contest = Contest()

    @property
    def visit(self) -> Visit | None:
        """Who is at the table, or none where that is not known."""
        if self.stage is Stage.FRAME and self.frame is not None:
            return self.frame.visit
        if self.stage is Stage.SHOOTOUT:
            return Visit(self._shooter())
        return None

    @property
    def ending(self) -> Ending | None:
        """What is held until OK, and what OK will do."""
        if self.stage is Stage.OVER:
            return None
        if self.result is not None:
            return Ending(self.result.reason, Then.MATCH_OVER, self.result.winner)
        if self.stage is not Stage.FRAME or self.frame is None:
            return None
        if self.frame.result is None:
            return self.frame.ending
        then, side = self._next()
        return Ending(self.frame.result.reason, then, side)

    @property
    def option(self) -> Option | None:
        """The choice that is open, in the frame or before it."""
        if self.result is not None:
            return None
        if self.stage is Stage.FIRST:
            return Option("first", ("A", "B"), self.lag_winner)
        return self.frame.option if self.stage is Stage.FRAME and self.frame is not None else None

    @property
    def actor(self) -> Side | None:
        """Whose act comes next: who has the open choice, or the side at the table."""
        if self.option is not None:
            return self.option.chooser
        return self.visit.side if self.visit is not None else None

    @property
    def levels(self) -> tuple[Level, ...]:
        """What the tally counts."""
        return self.contest.levels(self.game.levels(self.terms))

    def _booked(self, result: Result) -> Self:
        winner = result.winner
        if result.scope is Scope.MATCH:
            tally = self.tally
            fills = result.by_conduct and self.terms.lost_match_fills and self.result is None
            if winner is not None and fills:
                tally = filled(tally, self.levels, winner)
            return replace(self, tally=tally, result=result)
        if winner is None:
            if self._drawn_counts():
                return self._all_played(result.reason, self.tally)
            if self.game.shootout(self.terms) is Shootouts.DRAW:
                return self
            return replace(self, result=Result(None, result.reason, Scope.MATCH))
        return self._counted(winner, result.reason, 0)

    def _counted(self, winner: Side, reason: str, lowest: int) -> Self:
        tally, won = counted(self.tally, self.levels, winner, lowest)
        if self.contest.played:
            return self._all_played(reason, tally)
        result = Result(winner, reason, Scope.MATCH) if won else None
        return replace(self, tally=tally, result=result)

    def _drawn_counts(self) -> bool:
        """Whether a drawn set is one of those that are played."""
        return self.contest.played > 0 or self.contest.alone

    def _all_played(self, reason: str, tally: Tally) -> Self:
        """Another one of those that are all played; after the last more wins, level is drawn."""
        frames = (*self.finished, *(() if self.frame is None else (self.frame,)))
        drawn = sum(one.result is not None and one.result.winner is None for one in frames)
        over = all_played(tally[0], self.levels[0], drawn)
        result = Result(leader(tally[0]), reason, Scope.MATCH) if over else None
        return replace(self, tally=tally, result=result)

    def _next(self) -> tuple[Then, Side | None]:
        """What follows a frame that did not decide the match, and who plays then."""
        assert self.frame is not None
        assert self.frame.result is not None
        winner = self.frame.result.winner
        if self.contest.alone:
            return Then.NEXT_FRAME, Side.A
        if winner is None:
            if self._drawn_counts():
                return Then.NEXT_FRAME, self.frame.carry.scheduled.other
            return Then.SHOOTOUT, self.frame.opener
        if self.game.shootout(self.terms) is Shootouts.DECIDER and all_but_won(
            self.tally, self.levels
        ):
            return Then.SHOOTOUT, None
        ended = level_ended(self.tally, self.levels)
        carry = self.frame.carry
        order, last = self.levels[ended].order, carry.set_first if ended else carry.scheduled
        if order is Order.CONTINUE:
            order, last = self.levels[0].order, carry.scheduled
        match order:
            case Order.WINNER:
                return Then.NEXT_FRAME, winner
            case Order.LOSER:
                return Then.NEXT_FRAME, winner.other
            case Order.LAG:
                return Then.FIRST, None
        return Then.NEXT_FRAME, last.other

    def _history(self) -> tuple[Pair[int], ...]:
        """The finished sets with this one, where there are sets of frames."""
        return (*self.history, self.tally[0]) if len(self.tally) > 1 else self.history

    def _shooter(self) -> Side:
        assert self.frame is not None
        return shooter_of(self.shootout, self.frame.opener)
