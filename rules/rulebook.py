"""A rulebook: the facts of one federation for one discipline, each with its source.

Federations differ in data, games differ in code: engines read the facts and name nobody.
"""

import hashlib
from enum import StrEnum
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct, field

from rules.errors import BadNotation, BadSetup
from rules.frame import Carry, Frame, Result
from rules.notation import Notation
from rules.position import with_fields
from rules.record import EditInning, Fields, Splice
from rules.sides import Pair, Side

EVENT = ("played", "alone")
"""What stands in a format and is no rulebook's parameter: see `rules.contest`."""

UNVERIFIED = "unverified"
"""How the source of a parameter begins for which no text could be relied on."""


class Order(StrEnum):
    """Who opens the next frame."""

    ALTERNATE = "alternate"
    WINNER = "winner"
    LOSER = "loser"
    LAG = "lag"
    """It is asked."""
    CONTINUE = "continue"
    """As from frame to frame within a set: the set changes nothing."""


class Shootouts(StrEnum):
    """What sends a match to a shoot-out."""

    OFF = "off"
    DRAW = "draw"
    """A drawn match."""
    DECIDER = "decider"
    """It stands in for the deciding frame."""


class Level(Struct, frozen=True):
    """A level of the tally: what is counted and how many win the level above, or the match.

    `order` says who opens the frame after one of these. Where `played` are agreed, all of so many
    are played, and more wins.
    """

    name: str
    to_win: Pair[int]
    order: Order = Order.ALTERNATE
    played: int = 0

    @property
    def half(self) -> int:
        """So many of these, by both sides, are half of the most that there can be, or more."""
        return -(-(self.played or sum(self.to_win) - 1) // 2)

    def needs_one(self, count: Pair[int], side: Side) -> bool:
        """Whether one more of these wins for a side; where all are played nobody can say that."""
        return not self.played and count[side.place] == self.to_win[side.place] - 1


class Terms(Struct, frozen=True, kw_only=True):
    """The parameters of a discipline; each family adds its own to what a match needs.

    `lost_match_fills` gives the winner of a match lost by conduct all the frames he needed;
    without it the tally stays.
    """

    lost_match_fills: bool = False

    def moot(self) -> frozenset[str]:
        """Parameters that nothing hangs on in such a match."""
        return frozenset()


class Game(Protocol):
    """What a family gives to the match: how frames are opened, counted and edited."""

    @property
    def notation(self) -> Notation:
        """Its entries as text."""

    @property
    def own_cue_balls(self) -> bool:
        """Whether each side plays with a cue ball of its own, as in carom."""

    def levels(self, terms: Terms) -> tuple[Level, ...]:
        """What is counted, the frames won first."""

    def shootout(self, terms: Terms) -> Shootouts:
        """What goes to a shoot-out."""

    def carry(self, terms: Terms, members: Pair[int]) -> Carry:
        """The carry of a new match; `members` is how many play on each side."""

    def opened(
        self, terms: Terms, carry: Carry, opener: Side, level: Level, tally: Pair[int]
    ) -> Frame:
        """A new frame at a tally of frames won, of so many as their level needs."""

    def taken_up(self, frame: Frame, changes: Fields) -> Frame:
        """The frame with some fields of its position changed.

        Raises:
            BadNotation: a field or value that the position has not.
            NotAllowed: a position that cannot be in play.
        """

    def offence(
        self, terms: Terms, carry: Carry, side: Side, *, grave: bool
    ) -> tuple[Carry, Result | None]:
        """An offence against conduct while no stroke can be played: the count, and its price."""

    def inning_edit(self, line: tuple["Played", ...], edit: EditInning) -> Splice:
        """The splice that gives a finished inning of the running frame another total.

        Raises:
            NotAllowed: there is no such inning, or it cannot be edited now.
        """


class Played(Struct, frozen=True):
    """One record of the line in force: its number, entries, and the frame before and after."""

    number: int
    entries: tuple[object, ...]
    before: Frame | None
    after: Frame | None


T = TypeVar("T", bound=Terms)


class Rulebook(Struct, frozen=True):
    """The facts of one discipline by one federation.

    `edition` names the text that the facts are from. `cites` gives the source of every
    parameter, and is checked to miss none; it begins with `unverified` where no text could be
    relied on. Of these `unverified` are what a match cannot be played without: the event sets them,
    nobody guesses. The others have the least that is known for a value, and `unsaid` tells of them.
    """

    id: str
    name: str
    edition: str
    game: Game
    terms: Terms
    cites: dict[str, str] = field(default_factory=dict)
    unverified: tuple[str, ...] = ()

    def agreed(self, format_: Fields) -> Terms:
        """The parameters with those of a match's format put in, but for what is the event's.

        Raises:
            BadSetup: no such parameter or value, or an unverified one that is not set.
        """
        missing = [name for name in self.unverified if name not in dict(format_)]
        if missing:
            told = "; ".join(f"{name} ({self.cites[name]})" for name in missing)
            raise BadSetup(f"format: the event must set what is unverified in {self.id}: {told}")
        try:
            return with_fields(self.terms, [pair for pair in format_ if pair[0] not in EVENT])
        except BadNotation as error:
            raise BadSetup(f"format: {error}") from None

    def unsaid(self, format_: Fields) -> dict[str, str]:
        """What no text could be relied on for and the event has not set, with the reason.

        Raises:
            BadSetup: as `agreed`.
        """
        known = {*dict(format_), *self.agreed(format_).moot()}
        return {
            name: cite
            for name, cite in self.cites.items()
            if cite.startswith(UNVERIFIED) and name not in known
        }

    def digest(self) -> str:
        """A short hash of the facts: it changes when they do."""
        facts = msgspec.json.encode((self.id, self.edition, self.terms))
        return hashlib.sha256(facts).hexdigest()[:16]
