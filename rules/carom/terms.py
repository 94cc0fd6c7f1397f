"""Parameters of the carom series games, what outlives a set, and where a set stands."""

from enum import StrEnum

from msgspec import Struct

from rules.clock import Times
from rules.errors import BadSetup
from rules.frame import Carry
from rules.rulebook import Order, Terms
from rules.sides import Pair, Side

_S = 1000
"""Milliseconds."""


class Cause(StrEnum):
    """What can end a set."""

    TARGET = "target"
    TIME = "time"
    INNINGS = "innings"


class LastInning(StrEnum):
    """How the second player starts his last inning at the limit."""

    AS_IS = "as_is"
    START = "start"


class Compare(StrEnum):
    """What decides at the end of time or innings."""

    POINTS = "points"
    RATIO = "ratio"
    """Points against one's own target."""


class Draw(StrEnum):
    """What becomes of a drawn match."""

    STANDS = "stands"
    SHOOTOUT = "shootout"


class FrozenRule(StrEnum):
    """What happens when the cue ball is frozen to an object ball."""

    FORCED = "forced"
    """All three are put on their spots."""
    OPTION_ALL = "option_all"
    """The player may have all three put on their spots."""
    OPTION_TOUCHING = "option_touching"
    """The player may have the touching balls put on their spots."""


class OffTable(StrEnum):
    """Which balls are spotted after one left the table."""

    ALL = "all"
    OFFENDERS = "offenders"


class Overshoot(StrEnum):
    """What becomes of points beyond the target."""

    REFUSE = "refuse"
    CAP = "cap"


class Averages(StrEnum):
    """What becomes of the decimals of an average that are not shown."""

    TRUNC = "trunc"
    HALF_UP = "half_up"


class Lie(StrEnum):
    """How the balls lie for the next stroke: a reminder for the referee, no rule reads it."""

    START = "start"
    AS_IS = "as_is"
    OFFENDERS = "offenders"
    TOUCHING = "touching"
    PLACED = "placed"


class ClockBy(StrEnum):
    """What starts the shot clock for the next stroke."""

    KEY = "key"
    """The referee's key, once the balls are at rest."""
    ENTRY = "entry"
    """The entry of the stroke before."""


class CaromTerms(Terms, frozen=True, kw_only=True):
    """The parameters of a series game.

    `target` a side is a handicap where they differ; none plays for time or innings alone.
    `limit` is in innings. `eq_causes` names the ends after which the opener's opponent gets an
    equalising inning; `eq_first_inning_only` grants it only to a first inning. `sets` win the
    match, `final` is the target of the deciding one. `clock` is the shot clock in seconds, 0
    for none; `to` are the time-outs of a match, spent by themselves with `auto_to`.
    `disciplinary_loses` is the offence that loses the match. `call_at` is the
    number of points to go that the referee calls, `avg_dec` the decimals of averages.

    Of the clocks: `warn` is the warning, in seconds before the end of the shot clock, `to_len` what
    a time-out adds, in seconds, 0 for as much as `clock`. `minutes` is match time, 0 for none.
    Once no more than `late_from` minutes of it are left, `late_clock` seconds are the shot clock,
    0 for the same as before. `clock_by` is what starts it.
    """

    target: Pair[int | None] = (50, 50)
    limit: int | None = None
    last_from: LastInning = LastInning.AS_IS
    eq_causes: tuple[Cause, ...] = (Cause.TARGET, Cause.TIME)
    eq_first_inning_only: bool = False
    compare: Compare = Compare.POINTS
    draw: Draw = Draw.STANDS
    sets: int = 1
    final: int | None = None
    set_start: Order = Order.ALTERNATE
    frozen: FrozenRule = FrozenRule.OPTION_ALL
    offtable: OffTable = OffTable.ALL
    overshoot: Overshoot = Overshoot.REFUSE
    clock: int = 0
    to: Pair[int] = (0, 0)
    auto_to: bool = False
    disciplinary_loses: int = 2
    call_at: int = 3
    avg_dec: int = 3
    avg_mode: Averages = Averages.TRUNC
    warn: int = 0
    to_len: int = 0
    minutes: int = 0
    clock_by: ClockBy = ClockBy.KEY
    late_clock: int = 0
    late_from: int = 0

    def __post_init__(self) -> None:
        for field, least, values in (
            ("target", 1, self.target),
            ("limit", 1, (self.limit,)),
            ("sets", 1, (self.sets,)),
            ("final", 1, (self.final,)),
            ("clock", 0, (self.clock,)),
            ("to", 0, self.to),
            ("disciplinary_loses", 1, (self.disciplinary_loses,)),
            ("call_at", 0, (self.call_at,)),
            ("avg_dec", 0, (self.avg_dec,)),
            ("warn", 0, (self.warn,)),
            ("to_len", 0, (self.to_len,)),
            ("minutes", 0, (self.minutes,)),
            ("late_clock", 0, (self.late_clock,)),
            ("late_from", 0, (self.late_from,)),
        ):
            if any(value is not None and value < least for value in values):
                raise BadSetup(f"format: {field} is {least} or more")

    def times(self) -> Times:
        """What the clocks are set to."""
        return Times(
            shot_ms=self.clock * _S,
            warn_ms=self.warn * _S,
            extra_ms=(self.to_len or self.clock) * _S,
            match_ms=self.minutes * 60 * _S,
            late_ms=self.late_clock * _S if self.clock else 0,
            late_from_ms=self.late_from * 60 * _S,
            by_entry=self.clock_by is ClockBy.ENTRY,
        )


class CaromCarry(Carry, frozen=True, kw_only=True):
    """What outlives a set: totals of the finished sets, and high runs of the match.

    Its fields and those of `Position` stand side by side in an `at:` line: no name is in both.
    """

    total_points: Pair[int] = (0, 0)
    total_innings: Pair[int] = (0, 0)
    high_runs: Pair[int] = (0, 0)


class Position(Struct, frozen=True, kw_only=True):
    """Where a set stands.

    `innings` are finished ones. `run` is the open inning's. `goal` is the score that ties in an
    equalising inning, and only there.
    """

    score: Pair[int] = (0, 0)
    innings: Pair[int] = (0, 0)
    turn: Side = Side.A
    run: int = 0
    lie: Lie = Lie.START
    goal: int | None = None
