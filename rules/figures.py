"""Numbers of a frame for displays, told so that nobody who shows them need know the rules."""

from msgspec import Struct

from rules.sides import Pair


class Figures(Struct, frozen=True, omit_defaults=True):
    """What a frame says of itself beyond the score; what a game has not is absent.

    Of all games: `targets` a side, `to_go` the points still needed, `goal` the score that ties in
    an equalising inning, `handicap` the points a side was given at the start. `averages` are
    text, cut or rounded as the federation does it, `-` where there is no inning. `timeouts` and
    `extensions` are what is left of them. `cue` is where the cue ball is played from.

    Of carom: `innings_limit`, `lie` how the balls lie for the next stroke, `zone` free, entered or
    must_exit, with `inside` the caroms still allowed in it, `last_runs` up to five innings a side,
    oldest first, `break_due` at half distance, `call_at` from so many points to go on the referee
    calls how many.

    Of snooker: `ball_on` is red, colour, or the colour's name; `free_ball` that one may be named;
    `reds` and `colours` are what is left on the table, `remaining` what the striker may still make,
    `snookers` how many fouls a side needs to draw level, 0 where it needs none, `maximum` the
    highest break still possible in this visit, `maximum_break` the greatest that there is, 147 with
    fifteen reds, `misses` the running count of a foul and a miss,
    with `miss_warning` where one more costs the frame and `miss_full` where a full ball was there
    to hit, `stalemate` that the referee warned of one, `respotted` the black played off, `bonus`
    what a free ball adds to `remaining`, `snookers_to_win` as `snookers` but to win, `breaks` those
    of fifty or more in this frame, `fifties` and `centuries` how many reached that many points in
    the match, a century being no fifty, `touching` that a touching ball was called,
    `early_concession` that a frame was conceded by a side that needed no foul, of which the rules
    have the referee remind.

    Of pool: `fouls` are consecutive ones, with `fouls_limit` the number that costs, `push_out`
    that one may be called, `groups` and `group_left` a side, `left` the balls on the table,
    `free_shot` of blackball, `reracks` of 14.1, `spot` where its fifteenth ball goes, `audit` by
    how much the scores differ from what racks and fouls add up to, `lots` the solids and stripes
    left on the table, `interval` that one is allowed now, `pot_asked` that a ball potted now must
    be entered since it ends a row of fouls, `racked` with how many balls it was just racked again,
    `stalemate_turns` the visits that each side still has after a warning of stalemate.
    """

    phase: str = "playing"
    targets: Pair[int | None] | None = None
    to_go: Pair[int | None] | None = None
    goal: int | None = None
    handicap: Pair[int] | None = None
    innings: Pair[int] | None = None
    averages: Pair[str] | None = None
    high_runs: Pair[int] | None = None
    total_points: Pair[int] | None = None
    total_innings: Pair[int] | None = None
    timeouts: Pair[int] | None = None
    extensions: Pair[int] | None = None
    cue: str | None = None
    innings_limit: int | None = None
    lie: str | None = None
    zone: str | None = None
    inside: int | None = None
    last_runs: Pair[tuple[int, ...]] | None = None
    call_at: int | None = None
    break_due: bool = False
    ball_on: str | None = None
    free_ball: bool = False
    reds: int | None = None
    colours: tuple[str, ...] | None = None
    remaining: int | None = None
    snookers: Pair[int] | None = None
    maximum: int | None = None
    maximum_break: int | None = None
    misses: int = 0
    miss_warning: bool = False
    miss_full: bool = False
    stalemate: bool = False
    respotted: bool = False
    bonus: int = 0
    snookers_to_win: Pair[int] | None = None
    breaks: Pair[tuple[int, ...]] | None = None
    fifties: Pair[int] | None = None
    centuries: Pair[int] | None = None
    touching: bool = False
    early_concession: bool = False
    fouls: Pair[int] | None = None
    fouls_limit: int | None = None
    push_out: bool = False
    groups: Pair[str | None] | None = None
    group_left: Pair[int | None] | None = None
    left: int | None = None
    free_shot: bool = False
    reracks: int | None = None
    spot: str | None = None
    audit: int | None = None
    lots: Pair[int] | None = None
    interval: bool = False
    pot_asked: bool = False
    racked: int | None = None
    stalemate_turns: Pair[int] | None = None
