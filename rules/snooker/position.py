"""Where a frame of snooker stands, as one value with a text form.

`score=60/30 reds=0 colours=NUPK turn=A` is brown on; a fresh frame is the empty text.
"""

from enum import StrEnum

from msgspec import Struct

from rules.sides import Pair, Side
from rules.snooker.entries import Colour


class Cue(StrEnum):
    """Where the cue ball is played from."""

    TABLE = "table"
    """As it lies."""
    HAND = "hand"
    """In hand, from the D."""
    ANYWHERE = "anywhere"


class Tie(StrEnum):
    """How far a frame that was level with the black potted has come."""

    NO = "no"
    DRAW = "draw"
    """It is asked who plays first at the black."""
    BLACK = "black"
    """The black is spotted again and is being played."""


class Position(Struct, frozen=True):
    """Where a frame stands; the defaults are a fresh frame with fifteen reds.

    `colours` are those not potted for good. With `any_colour` a red was potted and any colour
    is on; else a red is on while there are `reds`, then the lowest colour. `turn` is none where
    it is the opener's; `cue` is none for in hand in a fresh frame, on the table later. `free`
    means that a free ball may be named for the coming stroke, `run` is the break so far, `breaks`
    are those of fifty or more in this frame, and the best one below. Without `reds` the table is
    not known. `members` says who of each side is at the table or up next time, with `out_of_turn`
    one whose partner loses the turn by it.
    """

    score: Pair[int] = (0, 0)
    reds: int | None = 15
    colours: tuple[Colour, ...] = tuple(Colour)
    any_colour: bool = False
    turn: Side | None = None
    cue: Cue | None = None
    free: bool = False
    tie: Tie = Tie.NO
    run: int = 0
    breaks: Pair[tuple[int, ...]] = ((), ())
    members: Pair[int] = (1, 1)
    out_of_turn: bool = False
