"""A frame: the unit that is won. What every game's frame has in common.

A frame (a rack, game or set) is immutable: `after(entry)` gives a new one, `legal()` lists what
may be entered now. Engines keep their own state in classes of their own that fit `Frame`.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from rules.entries import Adjust, Award, Concede, Conduct, Disqualify, Entry, Lag, Scope
from rules.figures import Figures
from rules.record import Fields
from rules.sides import Pair, Side


class Visit(Struct, frozen=True):
    """One stay at the table: who, and the points made in it so far.

    `member` counts from 1 in the side's order. `stroke` tells the stroke that comes from the one
    before it where side and run are the same: each game counts in its own way what has been played
    or racked in the frame.
    """

    side: Side
    member: int = 1
    run: int = 0
    stroke: int = 0


class Option(Struct, frozen=True):
    """A choice that someone must make before play goes on.

    `chooser` is none when it is the referee's.
    """

    kind: str
    choices: tuple[str, ...]
    chooser: Side | None


class Then(StrEnum):
    """What OK will do at a held end."""

    EQUALISER = "equaliser"
    NEXT_FRAME = "next_frame"
    FIRST = "first"
    """It is asked who plays first."""
    DECISION = "decision"
    """The referee is asked who wins a drawn set."""
    SHOOTOUT = "shootout"
    MATCH_OVER = "match_over"


class Ending(Struct, frozen=True):
    """Something has ended and is held until OK: the cause, and what OK will do.

    `side` is who plays then, where that is known.
    """

    cause: str
    then: Then
    side: Side | None = None


class Result(Struct, frozen=True):
    """How a frame or match came out.

    `winner` is none for a draw, or when both lose. `by_conduct`: the loser was put out, he did
    not give up. A frame that is to be played again has no result: it is the fresh frame.
    """

    winner: Side | None
    reason: str
    scope: Scope = Scope.FRAME
    by_conduct: bool = False


class Carry(Struct, frozen=True):
    """What outlives a frame: it is opened with it, changes it and hands it back.

    `conduct` counts offences in the match, `timeouts` what is left of them, `scheduled` is
    whose turn it was to open this frame, `set_first` who was to open the first frame of this
    set. A family adds its own.
    """

    conduct: Pair[int] = (0, 0)
    timeouts: Pair[int] = (0, 0)
    scheduled: Side = Side.A
    set_first: Side = Side.A


class Notice(Struct, frozen=True, omit_defaults=True):
    """Something worth announcing: what, about whom, and a number where it has one."""

    what: str
    side: Side | None = None
    number: int | None = None


class Between(Struct, frozen=True):
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high

    def bounds(self) -> tuple[int, ...]:
        """The least and the greatest."""
        return (self.low,) if self.low == self.high else (self.low, self.high)


class OneOf(Struct, frozen=True):
    """One of these values."""

    values: tuple[Any, ...]

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def bounds(self) -> tuple[Any, ...]:
        """All of them."""
        return self.values


class Open(Struct, frozen=True):
    """Whatever the frame itself accepts: text, fields of a position."""

    def __contains__(self, value: object) -> bool:
        return True

    def bounds(self) -> tuple[Any, ...]:
        """None that could be listed."""
        return ()


class SomeOf(Struct, frozen=True):
    """None, one or several of these values, each once.

    `needs` are pairs of a value and another that must stand with it. Of `must`, where there are
    any, at least one must be there.
    """

    values: tuple[Any, ...]
    needs: tuple[tuple[Any, Any], ...] = ()
    must: tuple[Any, ...] = ()

    def __contains__(self, value: object) -> bool:
        return (
            isinstance(value, tuple)
            and len(set(value)) == len(value)
            and all(one in self.values for one in value)
            and all(other in value for one, other in self.needs if one in value)
            and (not self.must or any(one in value for one in self.must))
        )

    def bounds(self) -> tuple[Any, ...]:
        """As few as may be, and each other one on top; what else goes together the frame says."""
        alone = [self._with_needs(one) for one in self.must]
        base = alone[0] if alone else ()
        more = ((*base, *self._with_needs(one)) for one in self.values if one not in base)
        return (base, *alone[1:], *more)

    def _with_needs(self, one: Any) -> tuple[Any, ...]:
        return (*(other for first, other in self.needs if first == one), one)


class Bound(Protocol):
    """What a field may hold: one of the above, or a family's own."""

    def __contains__(self, value: object) -> bool:
        """Whether it may hold this."""

    def bounds(self) -> tuple[Any, ...]:
        """The values at the edge of what it may hold, as far as they can be listed."""


class Offer(Struct, frozen=True):
    """A kind of entry that may be entered now, with the bounds of its fields.

    A field without bounds keeps its default.
    """

    kind: type[Entry]
    fields: tuple[tuple[str, Bound], ...] = ()

    def covers(self, entry: Entry) -> bool:
        """Whether this entry is one of those offered."""
        if type(entry) is not self.kind:
            return False
        bounds = dict(self.fields)
        defaults = dict(_defaults(self.kind))
        return all(
            value in bounds[name] if name in bounds else value == defaults.get(name)
            for name, value in ((name, getattr(entry, name)) for name in entry.__struct_fields__)
        )

    def at_bounds(self) -> Iterator[Entry]:
        """One entry with every field at its first bound, and each other bound of each field."""
        edges = {name: bound.bounds() for name, bound in self.fields}
        if not all(edges.values()):
            return
        first = {name: values[0] for name, values in edges.items()}
        yield self.kind(**first)
        for name, values in edges.items():
            for value in values[1:]:
                yield self.kind(**{**first, name: value})


def _defaults(kind: type[Entry]) -> Iterable[tuple[str, Any]]:
    names = kind.__struct_fields__
    values = kind.__struct_defaults__
    return zip(names[len(names) - len(values) :], values, strict=True)


DISQUALIFIED: tuple[tuple[Side, ...], ...] = ((Side.A,), (Side.B,), (Side.A, Side.B))
"""Whom a disqualification can name."""


EITHER = OneOf(tuple(Side))
YES_NO = OneOf((False, True))

CONDUCT = Offer(Conduct, (("side", OneOf((None, *Side))), ("grave", YES_NO)))
"""An offence against conduct, while it is known who is at the table."""

MATCH_LOST = (
    Offer(Concede, (("side", EITHER), ("scope", OneOf((Scope.MATCH,))))),
    Offer(Disqualify, (("sides", OneOf(DISQUALIFIED)),)),
)
"""How a match is lost off the table, whatever is held or waited for."""

ABSENCE = Offer(Award, (("side", EITHER), ("why", OneOf(("absence",)))))
"""The match is given to who is there."""

ADJUST = Offer(Adjust, (("changes", Open()), ("why", Open())))

LAG = (
    Offer(Lag, (("winner", OneOf((None, Side.A, Side.B))),)),
    Offer(Lag, (("pocketed", OneOf(((Side.A,), (Side.B,), (Side.A, Side.B)))),)),
)
"""How a lag can come out."""


def offered(offers: Iterable[Offer], entry: Entry) -> bool:
    """Whether an entry is one of those offered."""
    return any(offer.covers(entry) for offer in offers)


class Frame(Protocol):
    """One frame of some game; see the engines in the families' folders."""

    @property
    def carry(self) -> Carry:
        """What outlives it, as it stands now."""

    @property
    def opener(self) -> Side:
        """Who played first in it."""

    @property
    def score(self) -> Pair[int] | None:
        """Points, or none where a rack has none."""

    @property
    def visit(self) -> Visit:
        """Who plays next if nobody says otherwise, and the run so far.

        While a choice is open it is still the visit that the choice follows.
        """

    @property
    def option(self) -> Option | None:
        """The choice that is open."""

    @property
    def ending(self) -> Ending | None:
        """What is held. With a `result` it is booked; without, an equaliser or decision is due."""

    @property
    def result(self) -> Result | None:
        """How it came out, as soon as that is known."""

    @property
    def situation(self) -> str:
        """What of play the meaning of a key may depend on, in a word; mostly none."""
        ...

    def figures(self) -> Figures:
        """Its numbers for displays."""

    def announced(self, before: "Frame", entry: Entry) -> tuple[Notice, ...]:
        """What is worth announcing after an entry, besides ends, choices and offences."""

    def position(self) -> Fields:
        """Where it stands, as text that the game takes up again."""

    def with_carry(self, carry: Carry) -> "Frame":
        """The frame with an offence counted that came after its end."""

    def handed_back(self) -> Carry:
        """The carry for the frame after this one."""

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now; once there is a result, only what it takes even then."""

    def after(self, entry: Entry) -> "Frame":
        """The frame after an entry.

        Raises:
            NotAllowed: it does not fit; this frame is as it was.
        """
