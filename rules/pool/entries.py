"""What a referee enters in pool besides what all games share.

Balls that fell are said as the game counts them: a number of balls, the money ball among them
(rotation, 14.1), or so many of each group, the called ball's group first (eight-ball,
blackball). Never both ways in one entry.
"""

from enum import StrEnum

from msgspec import Struct

from rules.entries import Entry
from rules.sides import Side


class Group(StrEnum):
    """A group of balls: solids and stripes, in blackball reds and yellows."""

    SOLIDS = "S"
    STRIPES = "T"


class Lot(Struct, frozen=True):
    """So many balls of one group: `S1`, `T2`."""

    group: Group
    n: int


class EightWas(StrEnum):
    """What became of the 8, or the black, beside other balls."""

    POTTED = "8ball"
    OFF = "8off"
    """Off the table."""


class Kind(StrEnum):
    """The kind of a foul, for the log: the price does not depend on it."""

    OFF_TABLE = "off_table"
    WRONG_BALL = "wrong_ball"
    NO_RAIL = "no_rail"
    NO_FOOT = "no_foot"
    MOVING = "moving"
    TOUCHED = "touched"
    DOUBLE_HIT = "double_hit"
    PUSH_STROKE = "push_stroke"
    BAD_JUMP = "bad_jump"
    BAD_PLACEMENT = "bad_placement"
    NOT_TIP = "not_tip"
    NO_CALL = "no_call"
    OUT_OF_TURN = "out_of_turn"
    SLOW_PLAY = "slow_play"
    OTHER = "other"


class EightFault(StrEnum):
    """Why an 8 that fell, or left the table, loses."""

    FOUL = "foul"
    POCKET = "wrongpocket"
    OFF = "off"
    EARLY = "early"
    """Only where pocketed balls are not entered: the group was not cleared."""


class InTheWay(StrEnum):
    """What stands in the way of racking again in 14.1."""

    FIFTEENTH = "ob"
    """The 15th ball; `blocked` when its first spot is taken too."""
    APEX = "apex"
    """The 15th ball, on the apex spot."""
    MOVED = "moved"
    """Nothing, but the 15th ball was moved in racking."""
    BOTH = "both"
    """The 15th ball and the cue ball."""
    CUE_BALL = "cb"
    """The cue ball; where the 15th ball lies says `Fifteenth`."""


class Fifteenth(StrEnum):
    """Where the 15th ball lies when the cue ball is in the way of racking."""

    BEYOND = "beyond"
    """Beyond the head string."""
    BEHIND = "behind"
    """On or behind the head string."""
    HEAD_SPOT = "headspot"
    """Behind the head string, on the head spot."""


class VisitEnd(StrEnum):
    """How a visit that is entered as a whole came to its end."""

    MISS = "miss"
    SAFE = "safe"
    FOUL = "foul"
    SCRATCH = "scratch"
    WIN = "win"


class Pot(Entry, frozen=True, tag="pot"):
    """A legal shot that pocketed what it should: `POT(2)`, `POT(2,M)`, `POT(S1,T1)`, `POT(8ball)`.

    Where pocketed balls are not entered `POT` and `POT(M)` will do.
    """

    n: int | None = None
    money: bool = False
    lots: tuple[Lot, ...] = ()
    eight: EightWas | None = None


class Left(Entry, frozen=True, tag="left"):
    """So many balls are left in 14.1 and the visit goes on: `LEFT(9)`."""

    n: int


class Safe(Entry, frozen=True, tag="safe"):
    """A called safety, and what fell with it: `SAFE`, `SAFE(S1)`."""

    lots: tuple[Lot, ...] = ()


class Wrong(Entry, frozen=True, tag="wrong"):
    """Balls down without foul, but not as called: `WRONG(1,M)`, `WRONG(S1)`, `WRONG(S1,keep)`.

    `keep`: the referee lets the player go on.
    """

    n: int | None = None
    money: bool = False
    lots: tuple[Lot, ...] = ()
    keep: bool = False


class Foul(Entry, frozen=True, tag="foul"):
    """A foul, with what fell: `FOUL`, `FOUL(2,M)`, `FOUL(S1,scratch)`, `FOUL(no_rail,by=B)`.

    `scratch`: the cue ball fell or left the table, else it is on the table. `unwarned`: the
    player had not been told that he was on two. `by` is none when the offender is at the table.
    """

    n: int | None = None
    money: bool = False
    lots: tuple[Lot, ...] = ()
    eight: EightWas | None = None
    scratch: bool = False
    kind: Kind | None = None
    unwarned: bool = False
    by: Side | None = None


class Short(Entry, frozen=True, tag="short"):
    """The break did not do what it must: `SHORT`; and the cue ball fell: `SHORT(scratch)`."""

    scratch: bool = False


class Soft(Entry, frozen=True, tag="soft"):
    """A break without foul, with fewer than three balls where three are asked: `SOFT(1,M)`."""

    n: int | None = None
    money: bool = False


class Push(Entry, frozen=True, tag="push"):
    """A push-out, and what fell: `PUSH`, `PUSH(1,M)`; a foul in it: `PUSH(foul)`."""

    n: int | None = None
    money: bool = False
    foul: bool = False


class Eight(Entry, frozen=True, tag="eight"):
    """The 8 fell or left the table, not on the break: `EIGHT`, `EIGHT(S1)`, `EIGHT(wrongpocket)`.

    `claim`: nobody had a group, and all of this one were down: `EIGHT(claim=T)`.
    """

    lots: tuple[Lot, ...] = ()
    fault: EightFault | None = None
    claim: Group | None = None


class Deliberate(Entry, frozen=True, tag="deliberate"):
    """A foul on purpose that loses the rack: `DELIBERATE`."""


class Case(Entry, frozen=True, tag="case"):
    """What was in the way of racking again: `CASE(apex)`, `CASE(ob,blocked)`, `CASE(cb,behind)`."""

    what: InTheWay
    blocked: bool = False
    fifteenth: Fifteenth | None = None


class WholeVisit(Entry, frozen=True, tag="whole_visit"):
    """A whole visit of 14.1 at once: `VISIT(7,miss)`, `VISIT(9,k1,d1,foul)`.

    `left` balls are left at its end; in it the balls were racked again `reracks` times with
    one left and `cleared` times with none.
    """

    left: int
    end: VisitEnd
    reracks: int = 0
    cleared: int = 0


PoolEntry = (
    Pot | Left | Safe | Wrong | Foul | Short | Soft | Push | Eight | Deliberate | Case | WholeVisit
)
"""Pool's own entries."""
