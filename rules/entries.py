"""What a referee can enter in every game.

An entry is a fact that the referee can know, never a conclusion: "the visit is over", not "it
is B's turn". It names a side only where that is not the side at the table. Each family of games
keeps its own entries beside its engine.
"""

from enum import StrEnum

from msgspec import Struct

from rules.sides import Side


class Entry(Struct, frozen=True, tag=True):
    """The base of all entries; equal when of one kind with equal fields."""


class Scope(StrEnum):
    """How much an entry or a result decides."""

    FRAME = "frame"
    SET = "set"
    MATCH = "match"


class EndVisit(Entry, frozen=True, tag="end_visit"):
    """The visit is over without a foul: a miss or a safety. Written `/`."""


class Ok(Entry, frozen=True, tag="ok"):
    """Confirms what is held: the end is accepted, play goes on. Written `OK`."""


class Lag(Entry, frozen=True, tag="lag"):
    """The result of the lag: `LAG(A)`, `LAG(repeat)`, `LAG(pocket,A)`, `LAG(pocket,A,B)`.

    `winner` is none when the lag is to be repeated; `pocketed` names who pocketed a ball.
    """

    winner: Side | None = None
    pocketed: tuple[Side, ...] = ()

    @property
    def won(self) -> Side | None:
        """Who won it: who alone pocketed a ball has lost."""
        return self.pocketed[0].other if len(self.pocketed) == 1 else self.winner


class First(Entry, frozen=True, tag="first"):
    """Who plays first, where that is asked: a draw, a lag winner's choice. `FIRST(A)`.

    `member` is which of a side's members it is, from 1, where that is theirs to say: `FIRST(A,2)`.
    """

    side: Side
    member: int | None = None


class Pick(Entry, frozen=True, tag="pick"):
    """The choice of whoever has it: `PICK(place)`."""

    choice: str


class Award(Entry, frozen=True, tag="award"):
    """The referee gives the frame to a side: `AWARD(A)`, `AWARD(A,absence)`."""

    side: Side
    why: str = ""


class Concede(Entry, frozen=True, tag="concede"):
    """A side gives up the frame, `CONCEDE(A)`, or the match, `CONCEDE(A,match)`."""

    side: Side
    scope: Scope = Scope.FRAME


class Disqualify(Entry, frozen=True, tag="disqualify"):
    """A side, or both, is put out of the match: `DQ(A)`, `DQ(A,B)`."""

    sides: tuple[Side, ...]


class Void(Entry, frozen=True, tag="void"):
    """The frame is played again: `VOID`; in 14.1 `VOID(keep)` or `VOID(restart)`."""

    how: str = ""


class Stalemate(Entry, frozen=True, tag="stalemate"):
    """A stalemate: `STALEMATE`; its warning and the end of it: `STALEMATE(warn)`, `(clear)`."""

    step: str = ""


class Timeout(Entry, frozen=True, tag="timeout"):
    """A time-out is taken: `TIMEOUT`; by a named side `TIMEOUT(B)`."""

    side: Side | None = None


class Interval(Entry, frozen=True, tag="interval"):
    """A side takes the interval: `INTERVAL(A)`; asked of the referee `INTERVAL(A,granted)`."""

    side: Side
    granted: bool = False


class Extension(Entry, frozen=True, tag="extension"):
    """A side takes an extension of the shot clock: `EXT(A)`."""

    side: Side


class ShotClock(Entry, frozen=True, tag="shot_clock"):
    """The shot clock ran out and the referee says so: `CLOCK`."""


class TimeUp(Entry, frozen=True, tag="time_up"):
    """The time of the match or set is up; the stroke under way is entered already: `TIMEUP`."""


class Shootout(Entry, frozen=True, tag="shootout"):
    """A shoot-out: the points of one inning, `SHOOT(2)`, or just its winner, `SHOOT(A)`."""

    points: int | None = None
    winner: Side | None = None


class Conduct(Entry, frozen=True, tag="conduct"):
    """An offence against conduct: `CONDUCT`, `CONDUCT(B)`, `CONDUCT(A,grave)`.

    `side` is none when the offender is at the table.
    """

    side: Side | None = None
    grave: bool = False


class Breaker(Entry, frozen=True, tag="breaker"):
    """The wrong side broke, and this one it was: `BREAKER(A)`."""

    side: Side


class Adjust(Entry, frozen=True, tag="adjust"):
    """The position is put right by hand: `ADJUST(score=15/3,innings=4/4,why=board_was_off)`.

    `changes` holds the fields that are given, in the text form of the game's position; all
    others stay. `why` is the referee's reason for the log.
    """

    changes: tuple[tuple[str, str], ...]
    why: str = ""


SharedEntry = (
    EndVisit
    | Ok
    | Lag
    | First
    | Pick
    | Award
    | Concede
    | Disqualify
    | Void
    | Stalemate
    | Timeout
    | Interval
    | Extension
    | ShotClock
    | TimeUp
    | Shootout
    | Conduct
    | Breaker
    | Adjust
)
"""The nineteen that all games share. A discipline's entries are these and its family's."""
