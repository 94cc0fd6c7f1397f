"""The carom games as the match sees them: the series games, the pins."""

from rules.carom import adjust, conduct, edit
from rules.carom.pins import PinsFrame
from rules.carom.position import CaromCarry
from rules.carom.series import SeriesFrame
from rules.carom.terms import CaromTerms, Draw, PinsTerms, SeriesTerms
from rules.carom.words import NOTATION
from rules.frame import Carry, Frame, Result
from rules.notation import Notation
from rules.record import EditInning, Fields, Splice
from rules.rulebook import Level, Played, Shootouts, Terms
from rules.sides import Pair, Side


class CaromGame:
    """What all carom games share."""

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
        own = _own(terms)
        return (Level("sets", (own.sets, own.sets), own.set_start),)

    def carry(self, terms: Terms, members: Pair[int]) -> Carry:
        """Nothing counted yet, all time-outs left."""
        return CaromCarry(timeouts=_own(terms).to, sizes=members)

    def shootout(self, terms: Terms) -> Shootouts:
        """A drawn match, where the event has it."""
        return Shootouts.DRAW if _own(terms).draw is Draw.SHOOTOUT else Shootouts.OFF

    def taken_up(self, frame: Frame, changes: Fields) -> Frame:
        """A set taken up at a position."""
        assert isinstance(frame, SeriesFrame | PinsFrame)
        return adjust.taken_up(frame, changes)

    def offence(
        self, terms: Terms, carry: Carry, side: Side, *, grave: bool
    ) -> tuple[Carry, Result | None]:
        """An offence between sets counts, and may lose the match."""
        assert isinstance(carry, CaromCarry)
        return conduct.offence(_own(terms), carry, side, grave=grave)

    def inning_edit(self, line: tuple[Played, ...], edit_: EditInning) -> Splice:
        """Another total for a finished inning."""
        return edit.inning_edit(line, edit_)


class SeriesGame(CaromGame):
    """Straight rail, balkline, one and three cushions."""

    def opened(
        self, terms: Terms, carry: Carry, opener: Side, level: Level, tally: Pair[int]
    ) -> Frame:
        """A new set; the deciding one has its own target."""
        assert isinstance(terms, SeriesTerms)
        assert isinstance(carry, CaromCarry)
        target = _target(terms, level, tally)
        return SeriesFrame(terms=terms, carry=carry, opener=opener, turn=opener, target=target)


class PinsGame(CaromGame):
    """Five-pins and nine-pins."""

    def opened(
        self, terms: Terms, carry: Carry, opener: Side, level: Level, tally: Pair[int]
    ) -> Frame:
        """A new set; the deciding one has its own target."""
        assert isinstance(terms, PinsTerms)
        assert isinstance(carry, CaromCarry)
        target = _target(terms, level, tally)
        return PinsFrame(terms=terms, carry=carry, opener=opener, turn=opener, target=target)


def _target(terms: CaromTerms, level: Level, tally: Pair[int]) -> Pair[int | None]:
    """The target of the set at this tally."""
    deciding = all(level.needs_one(tally, side) for side in Side)
    return (terms.final, terms.final) if terms.final is not None and deciding else terms.target


def _own(terms: Terms) -> CaromTerms:
    assert isinstance(terms, CaromTerms)
    return terms


SERIES = SeriesGame()
"""The one game object of all series rulebooks."""

PINS = PinsGame()
"""The one game object of the pins rulebooks."""
