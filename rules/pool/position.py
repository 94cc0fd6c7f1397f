"""Where a rack, or a game of 14.1, stands, as one value with a text form.

`opening=off left=6 fouls=2/0` is a nine-ball rack in play; a fresh rack is the empty text.
"""

from enum import StrEnum

from msgspec import Struct

from rules.pool.entries import Group
from rules.sides import Pair, Side


class Cue(StrEnum):
    """Where the cue ball may be put."""

    PLACE = "place"
    """Nowhere: it is played from its place."""
    ANY = "any"
    """In hand, anywhere."""
    KITCHEN = "kitchen"
    """In hand behind the head string; only balls beyond it may be played."""
    HEAD = "head"
    """On the head spot."""
    CENTRE = "centre"
    """On the centre spot."""
    LIE_OR_BAULK = "lie_or_baulk"
    """Blackball: from its place or in hand in baulk, as the player likes."""
    BAULK = "baulk"
    """Blackball: in hand in baulk."""


class Position(Struct, frozen=True):
    """Where a rack stands; the defaults are a fresh rack with the break shot to come.

    `opening`: the break shot is still to come. `turn` is none where it is the breaker's. `left`
    are the object balls on the table in rotation and 14.1, none for a full rack or where
    pocketed balls are not entered; `solids` and `stripes` are what is left of the groups, in
    blackball reds and yellows. Without `groups` the table is open. `fouls` are consecutive
    ones; `streak` are the points that those of 14.1 cost, none for one point each. `cue` is
    none for in hand in the kitchen at the break, from its place later. `push` allows a
    push-out, `free` is blackball's free shot, `run` the balls of the visit so far.

    Racks and sets won, and whose break this rack was by the schedule, are the match's.
    """

    opening: bool = True
    turn: Side | None = None
    score: Pair[int] = (0, 0)
    left: int | None = None
    solids: int = 7
    stripes: int = 7
    groups: Pair[Group | None] = (None, None)
    fouls: Pair[int] = (0, 0)
    streak: Pair[tuple[int, ...]] | None = None
    cue: Cue | None = None
    push: bool = False
    free: bool = False
    run: int = 0
