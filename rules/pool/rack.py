"""A rack as the match sees it: what nine-ball, eight-ball and blackball have alike."""

from collections.abc import Iterator
from typing import Self

from rules.entries import Adjust, Entry, Pick, ShotClock
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import Frame, Notice, Offer, Option
from rules.pool.entries import Foul, Kind
from rules.pool.offers import possible
from rules.pool.position import Position
from rules.pool.referee import in_rack
from rules.pool.state import RackState, choice_of
from rules.position import fields_of
from rules.record import Fields


class Rack(RackState, frozen=True, kw_only=True):
    """A rack; what is a game's own stands in the methods without a body."""

    @property
    def situation(self) -> str:
        """None that a key depends on."""
        return ""

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return possible(self.offers()) if self.result is None else ()

    def after(self, entry: Entry) -> Self:
        """The rack after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        found = in_rack(self, entry)
        if found is not None:
            return found
        match entry:
            case Adjust(changes):
                return self.taken_up(changes)
            case Pick(choice):
                return self.chosen(choice_of(self, choice, entry), choice)
        if self.option is not None:
            raise NotAllowed(Code.CHOICE_PENDING, entry)
        match entry:
            case Foul(by=by) if by not in (None, self.turn):
                return self.fouled_in_the_chair(_of_no_shot(entry))
            case ShotClock():
                return self.shot(Foul(kind=Kind.SLOW_PLAY))
        return self.shot(entry)

    def position(self) -> Fields:
        """The rack as text, what differs from its first moment."""
        return fields_of(self.standing(), Position())

    def offers(self) -> Iterator[Offer]:
        """What `after` accepts while the rack is in play."""
        raise NotImplementedError

    def figures(self) -> Figures:
        """Its numbers for displays."""
        raise NotImplementedError

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """What is worth announcing after an entry."""
        raise NotImplementedError

    def chosen(self, option: Option, choice: str) -> Self:
        """The rack after one of the answers to the choice that was open."""
        raise NotImplementedError

    def fouled_in_the_chair(self, entry: Foul) -> Self:
        """The rack after a foul by who is not at the table, with no choice open: it is no shot."""
        raise NotImplementedError

    def shot(self, entry: Entry) -> Self:
        """The rack after a shot of who is at the table, with no choice open.

        Raises:
            NotAllowed: it does not fit.
        """
        raise NotImplementedError

    def taken_up(self, changes: Fields) -> Self:
        """The rack with some fields of its position changed.

        Raises:
            NotAllowed: a position that cannot be in play.
        """
        raise NotImplementedError

    def standing(self) -> Position:
        """Where the rack stands."""
        raise NotImplementedError


def _of_no_shot(entry: Foul) -> Foul:
    """A foul of who is not at the table, by which no ball can have fallen.

    Raises:
        NotAllowed: balls are said to have fallen.
    """
    if entry != Foul(kind=entry.kind, unwarned=entry.unwarned, by=entry.by):
        raise NotAllowed(Code.NOT_HERE, entry)
    return entry
