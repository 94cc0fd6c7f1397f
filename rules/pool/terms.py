"""Parameters of the pool games, and what outlives a rack."""

from enum import StrEnum

from rules.clock import Times
from rules.errors import BadSetup
from rules.frame import Carry
from rules.pool.position import Cue
from rules.rulebook import Order, Terms
from rules.sides import Pair

_S = 1000
"""Milliseconds."""


class PushOut(StrEnum):
    """Who may call a push-out after a legal break."""

    NEXT_SHOOTER = "next_shooter"
    BREAKER_ONLY = "breaker_only"


class BreakChoice(StrEnum):
    """What may be done with a break of eight-ball that is not simply played on."""

    ACCEPT = "accept"
    """The chooser plays the table as it is."""
    KITCHEN = "kitchen"
    """The chooser plays with the cue ball in hand behind the head string."""
    REBREAK_SELF = "rebreak_self"
    """All is racked again and the chooser breaks."""
    REBREAK_OFFENDER = "rebreak_offender"
    """All is racked again and the other one breaks."""
    SPOT_CONTINUE = "spot_continue"
    """The 8 is spotted and the breaker goes on."""
    SPOT_KITCHEN = "spot_kitchen"
    """The 8 is spotted and the chooser plays as from `kitchen`."""
    LOSS = "loss"
    """The rack is lost: no choice, this one stands alone."""


class Third(StrEnum):
    """What the third foul in a row costs in 14.1."""

    CANCEL_AND_15 = "cancel_and_15"
    """The first two are given back, and 15 points are taken."""
    ADD_15 = "add_15"
    """Its own price, and 15 points."""


class AfterThird(StrEnum):
    """What follows the third foul in a row in 14.1."""

    OFFENDER_BREAKS = "offender_breaks"
    """All balls are racked, the offender plays an opening break."""
    PASS_TURN = "pass_turn"
    """The turn passes as after any foul."""


class Apex(StrEnum):
    """What becomes of a 15th ball that lies on the apex spot."""

    RACKED = "racked"
    SPOT = "spot"
    """It goes where one goes that is in the way."""


_COUNTS = ("timeouts", "ext_per_rack")

_CLOCKS = ("clock", "warn", "ext_len", "break_clock", "minutes", "late_clock", "late_from")


class PoolTerms(Terms, frozen=True, kw_only=True):
    """What all pool games have.

    `sets_to_win` sets win the match. `order` says who breaks the next rack, `set_order` who
    breaks first in the next set: whoever did not in this one, or the schedule runs on. `timeouts`
    are a side's in the match, `ext_per_rack` its extensions of the shot clock in a rack. After a
    warning of stalemate each side has `stalemate_turns` more.

    Of the shot clock, in seconds: `clock` is its time, 0 for none, `break_clock` that for the shot
    after a break, 0 for the same, `warn` the warning before its end, `ext_len` what an extension
    adds. `minutes` is match time, 0 for none. Once no more than `late_from` minutes of it are left,
    `late_clock` is the time for a shot, 0 for the same as before; `break_clock` stays as it is.
    """

    sets_to_win: int = 1
    order: Order = Order.ALTERNATE
    set_order: Order = Order.ALTERNATE
    timeouts: int = 0
    ext_per_rack: int = 1
    stalemate_turns: int = 3
    clock: int = 0
    warn: int = 0
    ext_len: int = 0
    break_clock: int = 0
    minutes: int = 0
    late_clock: int = 0
    late_from: int = 0

    def __post_init__(self) -> None:
        at_least("sets_to_win", 1, self.sets_to_win)
        at_least("stalemate_turns", 1, self.stalemate_turns)
        for name in (*_COUNTS, *_CLOCKS):
            at_least(name, 0, getattr(self, name))
        one_of("order", self.order, Order.ALTERNATE, Order.WINNER, Order.LOSER)
        one_of("set_order", self.set_order, Order.ALTERNATE, Order.CONTINUE, Order.LAG)

    def times(self) -> Times:
        """What the clocks are set to."""
        return Times(
            shot_ms=self.clock * _S,
            warn_ms=self.warn * _S,
            extra_ms=self.ext_len * _S,
            by_extension=True,
            break_ms=self.break_clock * _S,
            match_ms=self.minutes * 60 * _S,
            late_ms=self.late_clock * _S if self.clock else 0,
            late_from_ms=self.late_from * 60 * _S,
        )


class RackTerms(PoolTerms, frozen=True, kw_only=True):
    """What the games have that are played in racks.

    `race` is how many racks win a set, a side; `best_of` says the same of an odd number of racks.
    `shootout` stands in for the deciding rack. With `half_interval` an interval is allowed only
    once half of the set has been played. `detail` is 2 where every pocketed ball is entered, 1
    where only what changes turn, counters or rack is.
    """

    race: Pair[int] = (9, 9)
    best_of: int | None = None
    shootout: bool = False
    half_interval: bool = False
    detail: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("race", 1, *self.race)
        if self.best_of is not None and not (self.best_of > 0 and self.best_of % 2):
            raise BadSetup("format: best_of is an odd number")
        if self.detail not in (1, 2):
            raise BadSetup("format: detail is 1 or 2")

    @property
    def to_win(self) -> Pair[int]:
        """Racks that win a set, a side."""
        if self.best_of is None:
            return self.race
        return (self.best_of // 2 + 1, self.best_of // 2 + 1)


class RotationTerms(RackTerms, frozen=True, kw_only=True):
    """Nine- and ten-ball, the lowest ball first.

    `balls` are in the rack, the highest is the money ball; with `early_wins` it wins whenever it
    falls on a legal shot, else only as the last ball. `called`: balls and pockets are called, but
    for the break. `three_ball`: fewer than three balls pocketed or past the head string on the
    break leave the opponent a choice. `fouls_limit` fouls in a row lose the rack, with `warned`
    only if the player had been told that he was one short of it.
    """

    balls: int = 9
    early_wins: bool = True
    called: bool = False
    three_ball: bool = False
    push_out_by: PushOut = PushOut.NEXT_SHOOTER
    fouls_limit: int = 3
    warned: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("balls", 2, self.balls)
        at_least("fouls_limit", 2, self.fouls_limit)


class EightTerms(RackTerms, frozen=True, kw_only=True):
    """Eight-ball.

    What the opponent may do: after a `short_break`; with `accept_scratch` he may also accept one
    on which the cue ball fell, and plays it from the kitchen; after a `break_foul` on which it did
    not. `eight_on_break` is the breaker's choice, `eight_break_foul` the opponent's when the 8
    fell with a foul. One choice alone is no question.

    `safety_call`: a safety can be called; where not, the referee may let a player go on who kept
    silent. `claim_cleared`: on an open table a player may claim a group that is down and play
    the 8. `deliberate`: playing at the other group on purpose loses the rack.
    """

    short_break: tuple[BreakChoice, ...] = (
        BreakChoice.ACCEPT,
        BreakChoice.KITCHEN,
        BreakChoice.REBREAK_SELF,
    )
    accept_scratch: bool = False
    break_foul: tuple[BreakChoice, ...] = (BreakChoice.KITCHEN,)
    eight_on_break: tuple[BreakChoice, ...] = (BreakChoice.SPOT_CONTINUE,)
    eight_break_foul: tuple[BreakChoice, ...] = (BreakChoice.SPOT_KITCHEN,)
    safety_call: bool = False
    claim_cleared: bool = False
    deliberate: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("short_break", "break_foul", "eight_on_break", "eight_break_foul"):
            choices: tuple[BreakChoice, ...] = getattr(self, name)
            alone = BreakChoice.LOSS not in choices or len(choices) == 1
            if not choices or len(set(choices)) < len(choices) or not alone:
                raise BadSetup(f"format: {name} is one choice or several, each once; loss alone")


class BlackballTerms(RackTerms, frozen=True, kw_only=True):
    """Blackball. `deliberate`: a foul on purpose loses the rack."""

    deliberate: bool = True


class StraightTerms(PoolTerms, frozen=True, kw_only=True):
    """14.1, straight pool.

    `target` points win a game, a side. Prices in points: `short_price` for an opening break that
    misses its requirement, `foul_price` for any other foul, `third_price` for the `fouls_limit`th
    in a row, charged as `third` says, with `warned` only if the player had been told.
    `break_counts`: a missed requirement counts among those in a row; with `break_choice` the
    opponent may then demand another opening break. `spot_first` and `spot_second` are where a
    15th ball goes that is in the way of racking, `apex` what becomes of one on the apex spot.
    `cap_at_target`: balls beyond the target do not count. `avg_dec` are the decimals of averages.
    """

    target: Pair[int] = (100, 100)
    short_price: int = 2
    foul_price: int = 1
    third_price: int = 15
    fouls_limit: int = 3
    third: Third = Third.CANCEL_AND_15
    warned: bool = False
    break_counts: bool = True
    break_choice: bool = False
    after_third: AfterThird = AfterThird.OFFENDER_BREAKS
    spot_first: Cue = Cue.CENTRE
    spot_second: Cue = Cue.HEAD
    apex: Apex = Apex.RACKED
    cap_at_target: bool = False
    avg_dec: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("target", 1, *self.target)
        at_least("fouls_limit", 2, self.fouls_limit)
        for name in ("short_price", "foul_price", "third_price", "avg_dec"):
            at_least(name, 0, getattr(self, name))
        for name in ("spot_first", "spot_second"):
            one_of(name, getattr(self, name), Cue.CENTRE, Cue.HEAD)


class StraightCarry(Carry, frozen=True, kw_only=True):
    """What outlives a game of 14.1: balls and visits of the finished ones, the high runs."""

    total_points: Pair[int] = (0, 0)
    total_innings: Pair[int] = (0, 0)
    high_runs: Pair[int] = (0, 0)


def at_least(name: str, least: int, *values: int) -> None:
    """Refuse a smaller number.

    Raises:
        BadSetup: with the setting's name.
    """
    if any(value < least for value in values):
        raise BadSetup(f"format: {name} is {least} or more")


def one_of(name: str, value: StrEnum, *known: StrEnum) -> None:
    """Refuse a word that this setting does not know.

    Raises:
        BadSetup: with the setting's name.
    """
    if value not in known:
        raise BadSetup(f"format: {name} is one of {', '.join(known)}")
