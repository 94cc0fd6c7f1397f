"""What lies on the table, and what it is worth."""

from msgspec import Struct

from rules.snooker.entries import Ball, Colour
from rules.snooker.position import Cue

COLOURS = tuple(Colour)
BLACK_ONLY = (Colour.BLACK,)

VALUE: dict[str, int] = {ball: value for value, ball in enumerate(Ball, 1)}
"""Points of each ball (CBBS 1.2.1; FPB 3; WPBSA section 3)."""

LEAST_FOUL = 4
MOST_FOUL = 7
OFFENCE = 7
"""What an offence against conduct costs (CBBS 42, 43; FPB 58)."""

RED_AND_BLACK = 8
ALL_COLOURS = 27


class Table(Struct, frozen=True):
    """The balls, which of them is on, and where the cue ball is played from.

    `reds` is none where the table is not known, since only the points of a visit were entered.
    """

    reds: int | None = 15
    colours: tuple[Colour, ...] = COLOURS
    any_colour: bool = False
    cue: Cue = Cue.HAND
    free: bool = False

    @property
    def on(self) -> Ball | None:
        """The ball on; none where any colour is, or the table is not known or empty."""
        if self.any_colour or self.reds is None or not (self.reds or self.colours):
            return None
        return Ball.RED if self.reds else Ball(self.colours[0])

    @property
    def objects(self) -> int:
        """How many balls can be played at, as far as is known."""
        return (15 if self.reds is None else self.reds) + len(self.colours)

    @property
    def black_only(self) -> bool:
        """Whether nothing but the black is left, and it is on."""
        return self.reds == 0 and self.colours == BLACK_ONLY and not self.any_colour

    @property
    def fresh(self) -> int | None:
        """The points that a fresh visit may make; none where the table is not known."""
        if self.reds is None:
            return None
        if self.reds:
            return RED_AND_BLACK * self.reds + ALL_COLOURS
        return sum(VALUE[colour] for colour in self.colours)

    @property
    def left(self) -> int | None:
        """The points that the visit in play may still make, a free ball not counted."""
        fresh = self.fresh
        return fresh if fresh is None or not self.any_colour else fresh + VALUE[Ball.BLACK]

    @property
    def bonus(self) -> int:
        """What a free ball adds to that."""
        if self.reds:
            return RED_AND_BLACK
        return VALUE[self.colours[0]] if self.reds == 0 and len(self.colours) > 1 else 0
