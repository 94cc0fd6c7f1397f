"""The series games as the match sees them."""

from rules.carom import edit, series
from rules.carom.series import SeriesFrame
from rules.carom.terms import CaromCarry, CaromTerms, Draw
from rules.carom.words import NOTATION
from rules.frame import Carry, Frame, Result
from rules.notation import Notation
from rules.record import EditInning, Fields, Splice
from rules.rulebook import Level, Played, Shootouts, Terms
from rules.sides import Pair, Side


class SeriesGame:
    """Straight rail, balkline, one and three cushions."""

    @property
    def notation(self) -> Notation:
        """Carom's notation."""
        return NOTATION

    @property
    def own_cue_balls(self) -> bool:
        """White and yellow."""
        return True

    def levels(self, terms: Terms) -> tuple[Level, ...]:
        """Sets; a match without sets is one set."""
        sets = _own(terms).sets
        return (Level("sets", (sets, sets), _own(terms).set_start),)

    def carry(self, terms: Terms, members: Pair[int]) -> Carry:
        """Nothing counted yet, all time-outs left."""
        return CaromCarry(timeouts=_own(terms).to)

    def shootout(self, terms: Terms) -> Shootouts:
        """A drawn match, where the event has it."""
        return Shootouts.DRAW if _own(terms).draw is Draw.SHOOTOUT else Shootouts.OFF

    def opened(self, terms: Terms, carry: Carry, opener: Side, tally: Pair[int]) -> Frame:
        """A new set; the deciding one has its own target."""
        own = _own(terms)
        assert isinstance(carry, CaromCarry)
        target = own.target
        if own.final is not None and tally == (own.sets - 1, own.sets - 1):
            target = (own.final, own.final)
        return SeriesFrame(terms=own, carry=carry, opener=opener, turn=opener, target=target)

    def taken_up(self, frame: Frame, changes: Fields) -> Frame:
        """A set taken up at a position."""
        assert isinstance(frame, SeriesFrame)
        return series.taken_up(frame, changes)

    def offence(
        self, terms: Terms, carry: Carry, side: Side, *, grave: bool
    ) -> tuple[Carry, Result | None]:
        """An offence between sets counts, and may lose the match."""
        assert isinstance(carry, CaromCarry)
        return series.offence(_own(terms), carry, side, grave=grave)

    def inning_edit(self, line: tuple[Played, ...], edit_: EditInning) -> Splice:
        """Another total for a finished inning."""
        return edit.inning_edit(line, edit_)


def _own(terms: Terms) -> CaromTerms:
    assert isinstance(terms, CaromTerms)
    return terms


SERIES = SeriesGame()
"""The one game object of all series rulebooks."""
