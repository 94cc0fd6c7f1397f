"""What keys and dialogs of panels are called, by words of the languages.

A panel file says `key.red` where its key has the word of the language on it; any other text stands
as it is. A dialog without a label of its own has the word for its name.
"""

DIALOG_WORDS = (
    "absent",
    "award",
    "balls",
    "breaker",
    "case",
    "choice",
    "claim",
    "clock_menu",
    "colour",
    "concede",
    "conduct",
    "cue_ball",
    "deliberate",
    "dq",
    "eight",
    "fell",
    "fell_balls",
    "foul",
    "frame",
    "group",
    "interval",
    "left",
    "menu",
    "money",
    "more",
    "more_balls",
    "order",
    "partner",
    "points",
    "potted",
    "push",
    "rack",
    "run",
    "sides",
    "soft",
    "stalemate",
    "stroke",
    "table",
    "third",
    "time",
    "timeout",
    "total",
    "two_reds",
    "void",
    "who",
    "wrong",
    "zone",
)
"""The words of `texts.typed`."""

KEY = "key."
"""Before a word of `texts.key` in the label of a key."""

HELD_SIGN = "▸"
"""Before the label of a key that is to be held."""

KEY_WORDS = (
    "red",
    "yellow",
    "green",
    "brown",
    "blue",
    "pink",
    "black",
    "white",
    "yellow_green",
    "brown_blue",
    "pink_black",
    "ball",
    "colour",
    "foul",
    "free",
    "miss",
    "pass",
    "end",
    "undo",
    "menu",
    "off",
    "frozen",
    "in_out",
    "clock",
    "time",
    "opt",
    "pot",
    "safe",
    "money",
    "push",
    "left",
    "rack",
    "short",
    "scratch",
    "a_pot",
    "b_end",
    "b_left",
)
"""The words of `texts.key`."""

_OTHERS = {
    "asked_a": "potted",
    "asked_b": "potted",
    "bad": "foul",
    "black": "eight",
    "clock": "clock_menu",
    "disqual": "dq",
    "down": "fell_balls",
    "felled": "fell",
    "foul_groups": "foul",
    "foul_more": "foul",
    "give_up": "concede",
    "meant": "deliberate",
    "offence": "conduct",
    "opt": "choice",
    "pushed": "push",
    "stale": "stalemate",
    "third_a": "third",
    "third_asked": "potted",
    "third_b": "third",
    "third_foul": "third",
    "third_scratch": "third",
    "turn": "stroke",
}
"""Dialogs that are not called as their word is."""


def dialog_key(name: str) -> str:
    """The text of a dialog, by its name in a panel's file; none where no language has a word."""
    word = _OTHERS.get(name, name)
    return f"typed.{word}" if word in DIALOG_WORDS else ""
