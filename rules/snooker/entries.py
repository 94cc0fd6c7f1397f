"""What a referee enters in snooker besides what all games share."""

from enum import StrEnum

from msgspec import Struct

from rules.entries import Entry
from rules.sides import Side


class Ball(StrEnum):
    """An object ball, by its letter on sheets; in the order of their values, 1 to 7."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BROWN = "N"
    BLUE = "U"
    PINK = "P"
    BLACK = "K"


class Colour(StrEnum):
    """An object ball that is no red; in the order of their values, 2 to 7."""

    YELLOW = "Y"
    GREEN = "G"
    BROWN = "N"
    BLUE = "U"
    PINK = "P"
    BLACK = "K"


class How(StrEnum):
    """What a ball has to do with a foul."""

    HIT = "hit"
    """Hit first, or together with another."""
    POT = "pot"
    OFF = "off"
    """Forced off the table."""
    TOUCH = "touch"
    """Touched, pushed, jumped, or not yet spotted."""


class Mark(StrEnum):
    """What else the referee says of a foul; sheets write them in this order."""

    WHITE = "white"
    """The cue ball is in hand."""
    SEVEN = "seven"
    """A foul that costs seven whatever the balls."""
    SUCC = "succ"
    """A red played after a red."""
    NODECL = "nodecl"
    """No colour was named where one must be."""
    OUT_OF_TURN = "out_of_turn"
    """It was the partner's turn; in pairs only."""
    MISS = "miss"
    FULL = "full"
    """There was a full ball to hit; with `miss` only."""
    FORCE = "force"
    """An intentional miss, called whatever the score; with `miss` only."""
    IMPOSS = "imposs"
    """The ball on could not be hit."""
    FREE = "free"
    """It leaves a snooker: a free ball."""
    NOSTROKE = "nostroke"
    """No stroke was made."""
    DISC = "disc"
    """A disciplinary offence on top."""
    GRAVE = "grave"
    """A grave offence on top."""


class Concerned(Struct, frozen=True):
    """A ball concerned in a foul, and how."""

    how: How
    ball: Ball


class Reds(Entry, frozen=True, tag="reds"):
    """`n` reds potted in one stroke: `R`, `R2`."""

    n: int = 1


class AddRed(Entry, frozen=True, tag="add_red"):
    """One more red fell in the stroke just entered: `+R`."""


class Pot(Entry, frozen=True, tag="pot"):
    """A colour potted: `Y G N U P K`."""

    colour: Colour


class FreeBall(Entry, frozen=True, tag="free_ball"):
    """A free ball was played and something, or nothing, fell: `FB(K)`, `FB(K,with=R)`.

    `nominated` may stay unsaid: `FB`. With the free ball fell `reds`, or the `colour` on, never
    both: `FB(K,with=R2)`, `FB(N,with=Y)`. Not `potted` are `FB(K,only=R)` and `FB(K,missed)`.
    """

    nominated: Ball | None = None
    potted: bool = True
    reds: int = 0
    colour: Colour | None = None


class Foul(Entry, frozen=True, tag="foul"):
    """A foul: `FOUL`, `FOUL(white)`, `FOUL(nom=Y,hit=K,reds=1,miss,by=B)`.

    The dearest of `balls` is enough. `nominated` is the colour named, where any is on; `hidden`
    the ball that a snooker hides where the rules forbid that; `reds` are lost. `by` is none when
    the offender is at the table. `value` is what it cost where no more is known, `FOUL(v=5)`: it
    stands in the place of all that would give the value. An offence against conduct without a
    fault in play is no foul: it is `CONDUCT` in all games.
    """

    nominated: Colour | None = None
    balls: tuple[Concerned, ...] = ()
    hidden: Ball | None = None
    reds: int = 0
    marks: tuple[Mark, ...] = ()
    by: Side | None = None
    value: int | None = None


class VisitTotal(Entry, frozen=True, tag="visit_total"):
    """A whole visit of `n` points, over without a foul: `=24`.

    What it left on the table may be known: `reds` of them, `=24(reds=4)`; none, and the lowest
    colour is `low`, `=24(low=G)`; nothing at all, `=27(cleared)`. Without that the table is not
    known after it, unless nothing was potted or only the black could be.
    """

    n: int
    reds: int | None = None
    low: Colour | None = None
    cleared: bool = False


class Claim(Entry, frozen=True, tag="claim"):
    """The leader takes the frame with more than seven points and only the black left: `CLAIM`."""


class LastBlack(Entry, frozen=True, tag="last_black"):
    """The black potted for the break, after the pink had decided the frame: `BLACK`."""


class Touching(Entry, frozen=True, tag="touching"):
    """A touching ball is called, `TOUCHING`, or no more, `TOUCHING(off)`."""

    on: bool = True


SnookerEntry = Reds | AddRed | Pot | FreeBall | Foul | VisitTotal | Claim | LastBlack | Touching
"""Snooker's own entries."""
