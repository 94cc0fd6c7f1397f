"""What a referee enters in carom besides what all games share."""

from enum import StrEnum

from rules.entries import Entry


class Balls(StrEnum):
    """Where the object balls lie after a carom, in the games with restricted zones."""

    IN = "in"
    """Both in one zone, anew."""
    STAY = "stay"
    """Still both in the zone they were in."""
    OUT = "out"
    """At least one driven out."""


class ZoneCall(StrEnum):
    """What the referee calls about the zones between strokes."""

    IN = "in"
    OUT = "out"
    LINE = "line"
    """One of the object balls lies on the line."""


class PinsTo(StrEnum):
    """What became of the points that a pins stroke made."""

    STRIKER = "striker"
    GIVEN = "given"
    """Felled by the own ball: they go to the opponent."""
    FOUL = "foul"
    """Made before a foul: they go to the opponent with the price of the foul."""


class Points(Entry, frozen=True, tag="points"):
    """`n` points for the side at the table: `+1`, `+5`; with zones `+1(in)`, `(stay)`, `(out)`."""

    n: int
    balls: Balls | None = None


class Run(Entry, frozen=True, tag="run"):
    """The whole inning at once, `n` points, and the visit is over: `=7`, `=0`."""

    n: int


class Foul(Entry, frozen=True, tag="foul"):
    """A technical foul: `FOUL`; with a ball off the table `FOUL(off)`."""

    off_table: bool = False


class Frozen(Entry, frozen=True, tag="frozen"):
    """The cue ball is frozen to an object ball: `FROZEN`."""


class Zone(Entry, frozen=True, tag="zone"):
    """The referee calls how the balls lie: `ZONE(in)`, `ZONE(out)`, `ZONE(line)`."""

    call: ZoneCall


class Pins(Entry, frozen=True, tag="pins"):
    """A stroke of the pins games worth `n` points: `P12`, `P4(given)`, `P3(foul)`.

    `given` are points for the opponent in the same stroke, by pins that the own ball felled:
    `P6(given=2)`.
    """

    n: int
    to: PinsTo = PinsTo.STRIKER
    given: int = 0


class RedBall(StrEnum):
    """Which ball hit the red one."""

    OWN = "own"
    OTHER = "other"
    """The opponent's."""


class Felled(Entry, frozen=True, tag="felled"):
    """A stroke of the pins games by what fell: `FELL(pins=3,red,ball=other)`.

    `pins` are the white or outer ones, `inner` the inner ones of nine. `red` is the red pin. `ball`
    says by what the red ball was hit. `cushion`: the own ball met a cushion before the opponent's
    ball. `to` is what became of the points.

    `own_pins`, `own_inner` and `own_red` are the pins that the own ball felled where both balls
    felled some: `FELL(pins=3,own_pins=1)`. They are the opponent's whatever `to` says.
    """

    pins: int = 0
    inner: int = 0
    red: bool = False
    ball: RedBall | None = None
    cushion: bool = False
    to: PinsTo = PinsTo.STRIKER
    own_pins: int = 0
    own_inner: int = 0
    own_red: bool = False


CaromEntry = Points | Run | Foul | Frozen | Zone | Pins | Felled
"""Carom's own entries."""
