"""Which texts there are: every code that a board, page or pad shows, and what a text may hold.

A language must say all of them (`firmware.i18n`); a code that is added here is asked of each
(docs/languages.md).
"""

from typing import Any

from firmware.entry_keys import ENTRY_KEYS
from firmware.keys.panel_words import DIALOG_WORDS, KEY_WORDS
from firmware.snapshot import Tell
from rules.errors import Code
from rules.frame import Then

CAUSES = (
    "target",
    "time",
    "innings",
    "equalised",
    "equaliser_failed",
    "decision",
    "concession",
    "absence",
    "disqualified",
    "grave",
    "disciplinary",
    "shootout",
    "pink",
    "black",
    "black_foul",
    "aggravated",
    "claim",
    "forfeit",
    "awarded",
    "money_ball",
    "three_fouls",
    "eight",
    "eight_foul",
    "eight_pocket",
    "eight_off",
    "eight_early",
    "deliberate_wrong_group",
    "deliberate",
)
"""Why a frame or match ends, as far as the rules know today."""

CHOICES = (
    "first",
    "frozen",
    "placing",
    "drawn_set",
    "foul",
    "draw",
    "push_out",
    "wrong",
    "soft_break",
    "third_foul",
    "short_break",
    "break_foul",
    "eight_on_break",
    "eight_break_foul",
    "opening_short",
    "line",
    "clock",
    "free_ball",
)
"""The kinds of choice that can be open."""

PICKS = (
    "play",
    "as_is",
    "place",
    "respot_all",
    "respot_touching",
    "pass",
    "free",
    "replay",
    "pass_back",
    "accept",
    "hand_back",
    "kitchen",
    "rebreak",
    "rebreak_self",
    "rebreak_offender",
    "spot_continue",
    "spot_kitchen",
    "in_a_row",
    "potted",
    "zone_in",
    "zone_out",
    "start",
    "free_ball_as_is",
    "free_ball_spot_opp",
)
"""What can be picked, besides a side."""

IGNORED = (
    "too_soon",
    "no_key",
    "same_press",
    "already_entered",
    "after_end",
    "timed_out",
    "too_late",
    "not_scorer",
    "takeover",
    "taken_over",
    "ghost",
    "woke",
    "locked",
)
"""Why a press is not acted upon: the panel's and the guard's reasons."""

TYPING = ("incomplete", "two_reds")
"""Why what is half typed cannot be entered yet."""

FIGURES = (
    "targets",
    "to_go",
    "goal",
    "handicap",
    "run",
    "innings",
    "innings_limit",
    "averages",
    "high_runs",
    "timeouts",
    "extensions",
    "ball_on",
    "free_ball",
    "reds",
    "remaining",
    "snookers",
    "maximum",
    "misses",
    "respotted",
    "fouls",
    "push_out",
    "groups",
    "group_left",
    "left",
    "free_shot",
    "reracks",
)
"""The figures of a frame that a page names: those of `rules.figures` that onlookers understand."""

BESIDE_NAMES = ("targets", "run")
"""Of these the figures that stand beside the names."""

BALLS = (
    "red",
    "colour",
    "yellow",
    "green",
    "brown",
    "blue",
    "pink",
    "black",
    "solids",
    "stripes",
    "reds",
    "yellows",
)
"""Balls and groups of balls, as figures name them; the last form is a sign for a small board."""

CUES = ("hand", "anywhere", "any", "kitchen", "head", "centre", "lie_or_baulk", "baulk")
"""Where the cue ball is played from, if not from where it lies."""

LIES = ("start", "offenders", "touching", "placed")
"""How the balls of carom lie for the next stroke, if not as they are."""

SPOTS = ("head", "centre", "racked", "behind_rack")
"""Where the fifteenth ball of 14.1 goes."""

PAUSES = ("timeout", "interval", "warm_up", "lateness")
"""Why nobody plays for a while."""

FAULTS = (
    "board",
    "disk",
    "journal",
    "backup",
    "panel",
    "key",
    "keypad",
    "lamps",
    "lock",
    "pad",
    "pads",
    "batt",
    "2x",
    "name",
    "mqtt",
)
"""The parts of a table that can fail, as `View.faults` names them before the first blank."""

NOTED = (
    "remaining",
    "snookers",
    "misses",
    "reds",
    "fouls_warning",
    "fouls",
    "audit",
    "left",
    "reracks",
    "inside",
    "average",
    "high_run",
    "extensions",
    "timeouts",
    "handicap",
    "stalemate_turns",
    "racked",
)
"""Notes and alerts of play with a number."""

_ALERTS = (
    "respotted",
    "free_ball",
    "miss_warning",
    "touching",
    "push_out",
    "free_shot",
    "must_exit",
    "break_due",
    "stalemate",
    "stalemate_due",
    "pot_asked",
)
"""Notes and alerts of play without one."""

REMINDERS = ("early_concession",)
"""What a referee is reminded of before he accepts an end."""

LEVELS = ("frames", "racks", "sets")
"""What a match counts, level by level."""

PARTS = ("panel", "pad", "phone", "board", "journal", "table", "web")
"""Who and what is present in a hall."""

SOURCES = ("keypad", "restart", "config", "mqtt", "sheet", "import")
"""Where records come from, besides panel, pads and phones."""

PAGE = (
    "hall",
    "live",
    "last_known",
    "offline",
    "clash",
    "newer",
    "no_tables",
    "no_server",
    "no_broker",
    "at_table",
    "opens",
    "shot_clock",
    "match_time",
    "warning",
    "paused",
    "devices",
    "device",
    "state",
    "version",
    "health",
    "seen",
    "well",
    "connected",
    "away",
    "entries",
    "log",
    "log_when",
    "log_who",
    "log_what",
    "scan",
    "theme",
    "back",
)
"""Words of the hall's pages."""

PAD = (
    "title",
    "show",
    "ask",
    "enter",
    "wrong",
    "void",
    "full",
    "slow",
    "accepted",
    "refused",
    "unanswered",
    "hold",
    "menu",
    "leave",
)
"""What a phone says that is a table's pad."""

HANDHELD = (
    "no_key",
    "too_late",
    "not_scorer",
    "takeover",
    "taken_over",
    "owner_not_scorer",
    "owner_takeover",
    "owner_taken_over",
    "two_pads",
    "unknown_pad",
)
"""What only handheld pads are told: `{pad}` is the other one, `owner_…` is for the scorer."""

_WHO = ("name", "side")

KEYS: dict[str, tuple[str, ...]] = {
    "board.name": (),
    "board.version": ("version",),
    "board.idle": (),
    "board.off": (),
    "board.fault": ("codes",),
    "board.unsaved": (),
    "play.innings": ("n",),
    "play.to_go": ("n",),
    "play.target": ("n",),
    "play.equaliser": (),
    "play.shootout": (),
    "over.title": (),
    "over.winner": _WHO,
    "over.draw": (),
    "over.nobody": (),
    "over.innings": ("n",),
    "over.averages": ("a", "b"),
    "over.high_runs": ("a", "b"),
    "choice.chooser": _WHO,
    "refused.other": ("text",),
    "ignored.other": (),
    **{f"told.{tell}": () for tell in Tell},
    **{f"cause.{cause}": () for cause in CAUSES},
    **{f"then.{then}": _WHO for then in Then},
    **{f"typed.{word}": () for word in DIALOG_WORDS},
    **{f"key.{word}": () for word in KEY_WORDS},
    **{f"choice.{kind}": () for kind in CHOICES},
    **{f"pick.{choice}": () for choice in PICKS},
    **{f"refused.{code}": ("n",) for code in Code},
    **{f"refused.{code}": () for code in TYPING},
    **{f"ignored.{code}": () for code in IGNORED},
    **{f"play.{note}": ("n", "side") for note in NOTED},
    **{f"play.{alert}": () for alert in _ALERTS},
    **{f"reminder.{reminder}": () for reminder in REMINDERS},
    **{f"tally.{level}": ("n",) for level in LEVELS},
    **{f"clock.{call}": () for call in ("shot_up", "match_up")},
    **{f"ball.{ball}": () for ball in BALLS},
    **{f"cue.{cue}": () for cue in CUES},
    **{f"lie.{lie}": () for lie in LIES},
    **{f"spot.{spot}": () for spot in SPOTS},
    **{f"pause.{pause}": _WHO for pause in PAUSES},
    **{f"pause.{pause}_over": () for pause in PAUSES},
    **{f"then.next_frame_{level}": _WHO for level in LEVELS if level != "sets"},
    **{f"fault.{fault}": ("text",) for fault in FAULTS},
    "board.last": ("text",),
    "board.next": ("text",),
    "board.begins": ("age",),
    "board.last_known": (),
    "board.code": ("code",),
    "board.message": (),
    "hall.table": ("n",),
    "hall.silent": ("age",),
    "hall.stale": ("age",),
    **{f"age.{unit}": ("n",) for unit in ("s", "min", "h", "d")},
    **{f"page.{word}": () for word in PAGE},
    "page.battery": ("n",),
    "page.unknown_host": ("host",),
    **{f"pad.{word}": () for word in PAD},
    **{f"figure.{name}": () for name in FIGURES},
    **{f"ball.{name}": () for name in BALLS},
    **{f"level.{name}": () for name in LEVELS},
    **{f"part.{name}": () for name in (*PARTS, *SOURCES)},
    **{f"handheld.{code}": ("pad",) for code in HANDHELD},
    **ENTRY_KEYS,
}
"""Every text that a language has, and the places that it may fill."""


def samples(key: str) -> dict[str, Any]:
    """Values that fill the places of a text as widely as play can, to measure it."""
    widest = {"n": 888, "a": "88.888", "b": "88.888", "side": "←A", "name": "", "version": "8.88.8"}
    return {place: widest.get(place, "") for place in KEYS[key]}
