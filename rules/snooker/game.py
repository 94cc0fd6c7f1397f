"""Snooker as the match sees it."""

from rules.errors import BadSetup, Code, NotAllowed
from rules.frame import Carry, Frame, Result
from rules.notation import Notation
from rules.record import EditInning, Fields, Splice
from rules.rulebook import Level, Played, Shootouts, Terms
from rules.sides import Pair, Side
from rules.snooker import ends
from rules.snooker.adjust import taken_up
from rules.snooker.play import SnookerFrame
from rules.snooker.table import Table
from rules.snooker.terms import SnookerCarry, SnookerTerms
from rules.snooker.words import NOTATION


class SnookerGame:
    """Snooker and sinuca with fifteen, ten or six reds."""

    @property
    def notation(self) -> Notation:
        """Snooker's notation."""
        return NOTATION

    @property
    def own_cue_balls(self) -> bool:
        """One cue ball for both."""
        return False

    def levels(self, terms: Terms) -> tuple[Level, ...]:
        """Frames."""
        target = _own(terms).target
        return (Level("frames", (target, target)),)

    def carry(self, terms: Terms, members: Pair[int]) -> Carry:
        """Nothing counted yet.

        Raises:
            BadSetup: more than one player on a side, where the rules know single players only.
        """
        if members != (1, 1) and not _own(terms).pairs:
            raise BadSetup("players: one a side; pairs=on in the format lets partners take turns")
        return SnookerCarry(sizes=members)

    def shootout(self, terms: Terms) -> Shootouts:
        """A frame always has a winner."""
        return Shootouts.OFF

    def opened(
        self, terms: Terms, carry: Carry, opener: Side, level: Level, tally: Pair[int]
    ) -> Frame:
        """A new frame, from each side's handicap."""
        own = _own(terms)
        assert isinstance(carry, SnookerCarry)
        return SnookerFrame(
            terms=own,
            carry=carry,
            opener=opener,
            turn=opener,
            table=Table(own.reds),
            won=tally,
            score=carry.handicap,
            members=carry.order,
        )

    def taken_up(self, frame: Frame, changes: Fields) -> Frame:
        """A frame taken up where it stands."""
        assert isinstance(frame, SnookerFrame)
        return taken_up(frame, changes)

    def offence(
        self, terms: Terms, carry: Carry, side: Side, *, grave: bool
    ) -> tuple[Carry, Result | None]:
        """An offence between frames counts without points, and may lose the match."""
        assert isinstance(carry, SnookerCarry)
        return ends.offence(_own(terms), carry, side, counted=not grave, grave=grave)

    def inning_edit(self, line: tuple[Played, ...], edit: EditInning) -> Splice:
        """A break is made of balls: it is edited ball by ball.

        Raises:
            NotAllowed: always.
        """
        raise NotAllowed(Code.NOT_HERE, edit)


def _own(terms: Terms) -> SnookerTerms:
    assert isinstance(terms, SnookerTerms)
    return terms


SNOOKER = SnookerGame()
"""The one game object of all snooker rulebooks."""
