"""The pool games as the match sees them."""

from rules.errors import Code, NotAllowed
from rules.frame import Carry, Frame, Result
from rules.notation import Notation
from rules.pool import referee, straight_position
from rules.pool.blackball import BlackballFrame
from rules.pool.eight import EightFrame
from rules.pool.rack import Rack
from rules.pool.rotation import RotationFrame
from rules.pool.straight import StraightFrame
from rules.pool.terms import PoolTerms, RackTerms, StraightCarry, StraightTerms
from rules.pool.words import NOTATION
from rules.record import EditInning, Fields, Splice
from rules.rulebook import Level, Order, Played, Shootouts, Terms
from rules.sides import Pair, Side


class PoolGame:
    """What all pool games give to the match."""

    @property
    def notation(self) -> Notation:
        """Pool's notation."""
        return NOTATION

    @property
    def own_cue_balls(self) -> bool:
        """One cue ball for both."""
        return False

    def carry(self, terms: Terms, members: Pair[int]) -> Carry:
        """Nothing counted yet, all time-outs left."""
        each = _pool(terms).timeouts
        return Carry(timeouts=(each, each))

    def offence(
        self, terms: Terms, carry: Carry, side: Side, *, grave: bool
    ) -> tuple[Carry, Result | None]:
        """An offence between racks counts; a grave one loses the match."""
        return referee.offence(carry, side, grave=grave)

    def inning_edit(self, line: tuple[Played, ...], edit: EditInning) -> Splice:
        """Visits are made of shots: their records are edited, not their totals.

        Raises:
            NotAllowed: always.
        """
        raise NotAllowed(Code.NOT_HERE, edit)


class RackGame(PoolGame):
    """A game in racks: racks win sets, sets the match.

    Args:
        rack: the class of its racks.
    """

    def __init__(self, rack: type[Rack]) -> None:
        self._rack = rack

    def opened(
        self, terms: Terms, carry: Carry, opener: Side, level: Level, tally: Pair[int]
    ) -> Frame:
        """A new rack."""
        own = _racks(terms)
        return self._rack(
            terms=own, carry=carry, opener=opener, turn=opener, level=level, tally=tally
        )

    def taken_up(self, frame: Frame, changes: Fields) -> Frame:
        """A rack taken up at a position."""
        assert isinstance(frame, Rack)
        return frame.taken_up(changes)

    def levels(self, terms: Terms) -> tuple[Level, ...]:
        """Racks, and sets of racks; with winner breaks a set's winner breaks on."""
        own = _racks(terms)
        sets = (own.sets_to_win, own.sets_to_win)
        by_winner = own.order is Order.WINNER and own.set_order is Order.ALTERNATE
        set_order = Order.WINNER if by_winner else own.set_order
        return (Level("racks", own.to_win, own.order), Level("sets", sets, set_order))

    def shootout(self, terms: Terms) -> Shootouts:
        """For the deciding rack, where the event has it."""
        return Shootouts.DECIDER if _racks(terms).shootout else Shootouts.OFF


class StraightGame(PoolGame):
    """14.1: a game to the target is a set."""

    def levels(self, terms: Terms) -> tuple[Level, ...]:
        """Sets, each one game."""
        own = _pool(terms)
        by_result = own.order is not Order.ALTERNATE and own.set_order is Order.ALTERNATE
        order = own.order if by_result else own.set_order
        return (Level("sets", (own.sets_to_win, own.sets_to_win), order),)

    def shootout(self, terms: Terms) -> Shootouts:
        """14.1 has none."""
        return Shootouts.OFF

    def carry(self, terms: Terms, members: Pair[int]) -> Carry:
        """Nothing counted yet, all time-outs left."""
        each = _pool(terms).timeouts
        return StraightCarry(timeouts=(each, each))

    def opened(
        self, terms: Terms, carry: Carry, opener: Side, level: Level, tally: Pair[int]
    ) -> Frame:
        """A new game, at 0-0."""
        assert isinstance(terms, StraightTerms)
        assert isinstance(carry, StraightCarry)
        return StraightFrame(terms=terms, carry=carry, opener=opener, turn=opener, tally=tally)

    def taken_up(self, frame: Frame, changes: Fields) -> Frame:
        """A game taken up at a position."""
        assert isinstance(frame, StraightFrame)
        return straight_position.taken_up(frame, changes)


def _pool(terms: Terms) -> PoolTerms:
    assert isinstance(terms, PoolTerms)
    return terms


def _racks(terms: Terms) -> RackTerms:
    assert isinstance(terms, RackTerms)
    return terms


ROTATION = RackGame(RotationFrame)
"""The one game object of nine- and ten-ball."""

EIGHT = RackGame(EightFrame)
"""The one game object of eight-ball."""

BLACKBALL = RackGame(BlackballFrame)
"""The one game object of blackball."""

STRAIGHT = StraightGame()
"""The one game object of 14.1."""
