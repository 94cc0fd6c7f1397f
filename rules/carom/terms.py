"""Parameters of the carom games: of all of them, of the series games, of the pins."""

from enum import StrEnum

from rules.clock import Times
from rules.errors import BadSetup
from rules.rulebook import Order, Terms
from rules.sides import Pair

_S = 1000
"""Milliseconds."""

_MOST_ZONE_SHOTS = 2
"""No game allows more caroms in a zone (CBBS art. 29, 32, 38)."""


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


class LineBall(StrEnum):
    """How a ball on the line of a restricted zone counts."""

    PLAYER = "player"
    """As the player at the table chooses."""
    AGAINST = "against"
    """Against the player: as inside."""


class ZoneState(StrEnum):
    """What a restricted zone demands of the next carom."""

    FREE = "free"
    ENTERED = "entered"
    """Both object balls may stay in it once more."""
    MUST_EXIT = "must_exit"
    """At least one object ball must be driven out."""


class Rotate(StrEnum):
    """When the members of a side take turns."""

    NONE = "none"
    INNING = "inning"
    STROKE = "stroke"
    """Scotch doubles: after every stroke."""


class Per(StrEnum):
    """For how long a number of time-outs is given."""

    MATCH = "match"
    SET = "set"


class LiveAverage(StrEnum):
    """How an average treats the open inning."""

    OPEN = "open"
    """It counts as soon as a point is in it."""
    FROZEN = "frozen"
    """Neither its points nor itself count before it is over."""


class ClockBy(StrEnum):
    """What starts the shot clock for the next stroke."""

    KEY = "key"
    """The referee's key, once the balls are at rest."""
    ENTRY = "entry"
    """The entry of the stroke before."""


class CaromTerms(Terms, frozen=True, kw_only=True):
    """The parameters that all carom games have.

    `target` a side is a handicap where they differ; none plays for time or innings alone.
    `limit` is in innings. `sets` win the match, `final` is the target of the deciding one.
    `clock` is the shot clock in seconds, 0 for none; `to` are the time-outs that `to_per` gives,
    spent by themselves with `auto_to`. With `clock_opts` the side that comes to the table because
    the shot clock ran out may take the starting position. `half` plays with a break at half
    distance. `disciplinary_loses` is the offence that loses the match. `avg_dec` are the decimals
    of averages.

    Of the clocks: `warn` is the warning, in seconds before the end of the shot clock, `to_len` what
    a time-out adds, in seconds, 0 for as much as `clock`. `minutes` is match time, 0 for none.
    Once no more than `late_from` minutes of it are left, `late_clock` seconds are the shot clock,
    0 for the same as before. `clock_by` is what starts it.
    """

    target: Pair[int | None] = (50, 50)
    limit: int | None = None
    last_from: LastInning = LastInning.AS_IS
    compare: Compare = Compare.POINTS
    draw: Draw = Draw.STANDS
    sets: int = 1
    final: int | None = None
    set_start: Order = Order.ALTERNATE
    clock: int = 0
    to: Pair[int] = (0, 0)
    auto_to: bool = False
    to_per: Per = Per.MATCH
    clock_opts: bool = False
    half: bool = False
    rotate: Rotate = Rotate.NONE
    disciplinary_loses: int = 2
    avg_dec: int = 3
    avg_mode: Averages = Averages.TRUNC
    live_avg: LiveAverage = LiveAverage.OPEN
    warn: int = 0
    to_len: int = 0
    minutes: int = 0
    clock_by: ClockBy = ClockBy.KEY
    late_clock: int = 0
    late_from: int = 0

    def __post_init__(self) -> None:
        _at_least(
            ("target", 1, self.target),
            ("limit", 1, (self.limit,)),
            ("sets", 1, (self.sets,)),
            ("final", 1, (self.final,)),
            ("clock", 0, (self.clock,)),
            ("to", 0, self.to),
            ("disciplinary_loses", 1, (self.disciplinary_loses,)),
            ("avg_dec", 0, (self.avg_dec,)),
            ("warn", 0, (self.warn,)),
            ("to_len", 0, (self.to_len,)),
            ("minutes", 0, (self.minutes,)),
            ("late_clock", 0, (self.late_clock,)),
            ("late_from", 0, (self.late_from,)),
        )

    def moot(self) -> frozenset[str]:
        """Without a shot clock nobody is late."""
        return frozenset() if self.clock else frozenset({"clock_opts"})

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


class SeriesTerms(CaromTerms, frozen=True, kw_only=True):
    """The parameters of a series game.

    `eq_causes` names the ends after which the opener's opponent gets an equalising inning;
    `eq_first_inning_only` grants it only to a first inning. `zone_shots` is how many caroms may be
    made in a restricted zone, the last of them driving a ball out: 0 without zones, 1 or 2.
    `call_at` is the number of points to go that the referee calls.
    """

    eq_causes: tuple[Cause, ...] = (Cause.TARGET, Cause.TIME)
    eq_first_inning_only: bool = False
    zone_shots: int = 0
    line: LineBall = LineBall.PLAYER
    frozen: FrozenRule = FrozenRule.OPTION_ALL
    offtable: OffTable = OffTable.ALL
    overshoot: Overshoot = Overshoot.REFUSE
    call_at: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        _at_least(("zone_shots", 0, (self.zone_shots,)), ("call_at", 0, (self.call_at,)))
        if self.zone_shots > _MOST_ZONE_SHOTS:
            raise BadSetup(f"format: zone_shots is {_MOST_ZONE_SHOTS} or less")


class PinsTerms(CaromTerms, frozen=True, kw_only=True):
    """The parameters of a pins game.

    `foul_pts` is what a foul gives to the opponent on top of the pins that fell. The others are
    what a stroke is worth: `pin` each white or outer pin, `inner` each inner one, 0 where the game
    has none, `red` the red pin with others, `red_alone` without, `ball_own` and `ball_other` the
    red ball hit by the striker's own ball and by the opponent's. `cushion_doubles` doubles it all
    where the own ball met a cushion first.
    """

    foul_pts: int = 2
    pin: int = 2
    inner: int = 0
    red: int = 4
    red_alone: int = 8
    ball_own: int = 4
    ball_other: int = 3
    cushion_doubles: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        names = ("foul_pts", "pin", "inner", "red", "red_alone", "ball_own", "ball_other")
        _at_least(*((name, 0, (getattr(self, name),)) for name in names))


def _at_least(*bounds: tuple[str, int, tuple[int | None, ...]]) -> None:
    for field, least, values in bounds:
        if any(value is not None and value < least for value in values):
            raise BadSetup(f"format: {field} is {least} or more")
