"""The parameters of snooker, and what of a match outlives its frames."""

from enum import StrEnum

from msgspec import Struct

from rules.clock import Times
from rules.errors import BadSetup
from rules.frame import Carry
from rules.rulebook import Terms
from rules.sides import Pair

_S = 1000
"""Milliseconds."""


class Price(StrEnum):
    """What a fault against the order of play costs."""

    SEVEN = "seven"
    """Seven, whatever the balls."""
    VARIABLE = "variable"
    """As any foul: the dearest ball concerned, four at least."""


class TimeRule(StrEnum):
    """What wasted time costs."""

    DISCIPLINARY = "disciplinary"
    """An offence against conduct."""
    TECHNICAL = "technical"
    """A foul of seven points."""
    WARNING = "warning"
    """A word from the referee; what follows is his to say."""


class MissRule(StrEnum):
    """What a foul and a miss may lead to."""

    FULL = "full"
    NO_FRAME_LOSS = "no_frame_loss"
    """Replays, but no frame is lost by them."""
    OFF = "off"


class MissBlock(StrEnum):
    """When the score bars a replay."""

    BENEFICIARY = "beneficiary"
    """Whoever would demand it can no longer level with the balls left."""
    EITHER = "either"
    """Before or after, either side needs a foul to win; not inside a sequence with a full ball."""
    NEVER = "never"


class WrongBreaker(StrEnum):
    """Who opens the next frame after the wrong side broke."""

    REALTERNATE = "realternate"
    """The other side than who did."""
    KEEP = "keep"
    """As if nothing had happened."""


class Conceding(StrEnum):
    """Who may give up a frame."""

    EITHER = "either"
    STRIKER = "striker"
    """Whoever is at the table; where he needs no foul, the referee is reminded of that."""


class SnookerTerms(Terms, frozen=True, kw_only=True):
    """The parameters of a match.

    `target` frames win it, each with `reds` reds. `succ_red` and `nodecl` are the prices of a red
    played after a red and of a colour not named; with `compulsory7` a foul that could not be
    avoided costs seven. `cumulate` adds the price of an offence against conduct to that of the
    foul, else the higher counts. `disciplinary_loses` is the offence that loses the match, as any
    grave one does; with 0 offences are only counted.

    Of a foul and a miss: `agg_fail` failures lose the frame where a full ball was there to hit, and
    after `miss_cap` in a row, 0 for no such limit, the opponent places the cue ball instead.

    `hide_rule`: a snooker behind the ball just played is a foul. `pass_after_in_off`: whoever
    fouled by an in-off may be made to play again. `auto_end_pink`: a frame ends on the pink that
    leaves more than seven. `award_table`: who wins a match by conduct gets the points on the table.
    `forfeit`: the referee can take a frame for conduct. `pairs`: a side may have several players,
    who take turns visit by visit.

    `clock` is the time for a stroke in seconds, 0 for none, with a warning `warn` seconds before
    its end. `minutes` is match time, 0 for none. Once no more than `late_from` minutes of it are
    left, `late_clock` seconds are the time for a stroke, 0 for the same as before.
    """

    target: int = 3
    reds: int = 15
    succ_red: Price = Price.SEVEN
    nodecl: Price = Price.VARIABLE
    compulsory7: bool = False
    cumulate: bool = True
    disciplinary_loses: int = 2
    time_rule: TimeRule = TimeRule.DISCIPLINARY
    miss_rule: MissRule = MissRule.FULL
    miss_block: MissBlock = MissBlock.BENEFICIARY
    agg_fail: int = 3
    miss_cap: int = 0
    hide_rule: bool = False
    pass_after_in_off: bool = True
    auto_end_pink: bool = True
    concede: Conceding = Conceding.EITHER
    award_table: bool = False
    forfeit: bool = False
    wrong_breaker: WrongBreaker = WrongBreaker.REALTERNATE
    pairs: bool = True
    clock: int = 0
    warn: int = 0
    minutes: int = 0
    late_clock: int = 0
    late_from: int = 0

    def __post_init__(self) -> None:
        for name, least, most, value in (
            ("target", 1, 99, self.target),
            ("reds", 1, 15, self.reds),
            ("disciplinary_loses", 0, 99, self.disciplinary_loses),
            ("agg_fail", 2, 99, self.agg_fail),
            ("miss_cap", 0, 99, self.miss_cap),
            ("clock", 0, 3600, self.clock),
            ("warn", 0, 3600, self.warn),
            ("minutes", 0, 1440, self.minutes),
            ("late_clock", 0, 3600, self.late_clock),
            ("late_from", 0, 1440, self.late_from),
        ):
            if not least <= value <= most:
                raise BadSetup(f"format: {name} is {least} to {most}")

    def lost_by(self, misses: "Misses") -> bool:
        """Whether a row of misses loses the frame (CBBS 27, 44.2; FPB 46 §1)."""
        return self.miss_rule is MissRule.FULL and misses.full and misses.n >= self.agg_fail

    def times(self) -> Times:
        """What the clocks are set to; the referee starts them."""
        return Times(
            shot_ms=self.clock * _S,
            warn_ms=self.warn * _S,
            match_ms=self.minutes * 60 * _S,
            late_ms=self.late_clock * _S if self.clock else 0,
            late_from_ms=self.late_from * 60 * _S,
        )


class SnookerCarry(Carry, frozen=True, kw_only=True):
    """What outlives a frame.

    `handicap` are points that each side has at the start of every frame. `total_points` are those
    of the finished frames, `high_breaks` the best breaks of them, `fifties` and `centuries` how
    many reached that many points; a century is no fifty. `sizes` is how many members each side has,
    `order` who of them is the first to play in a frame.
    """

    handicap: Pair[int] = (0, 0)
    total_points: Pair[int] = (0, 0)
    high_breaks: Pair[int] = (0, 0)
    fifties: Pair[int] = (0, 0)
    centuries: Pair[int] = (0, 0)
    sizes: Pair[int] = (1, 1)
    order: Pair[int] = (1, 1)


class Misses(Struct, frozen=True):
    """A running sequence of a foul and a miss: how many, and whether a full ball was there."""

    n: int = 0
    full: bool = False
