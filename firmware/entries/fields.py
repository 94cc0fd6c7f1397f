"""Fields of positions and formats in words: `score=15/3` of an adjustment, `target=30/25`."""

from collections.abc import Callable, Iterator
from typing import Protocol

from firmware.i18n import Language
from rules.record import Fields

Forms = tuple[str, ...]

BALLS = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "N": "brown",
    "U": "blue",
    "P": "pink",
    "K": "black",
}
"""The balls of snooker by their letters on sheets, in the order of their values, 1 to 7."""

BLACKBALL = "bb"
"""Where the groups are reds and yellows."""

_NAMED = {
    "score": "typed.points",
    "innings": "figure.innings",
    "run": "figure.run",
    "breaks": "figure.run",
    "goal": "figure.goal",
    "left": "typed.left",
    "solids": "ball.solids",
    "stripes": "ball.stripes",
    "fouls": "figure.fouls",
    "streak": "figure.fouls",
    "members": "typed.order",
    "target": "figure.targets",
    "race": "figure.targets",
    "limit": "figure.innings_limit",
    "handicap": "figure.handicap",
    "to": "typed.timeout",
    "sets": "level.sets",
    "frames": "level.frames",
    "racks": "level.racks",
}
"""Fields with a number, or one a side, and what they count."""

_FLAGS = {
    "any_colour": "ball.colour",
    "free": "play.free_ball",
    "push": "typed.push",
    "out_of_turn": "entry.out_of_turn",
    "opening": "entry.opening",
    "shootout": "play.shootout",
}
"""Fields that are on or off."""

_CODES = {"lie": "lie", "cue": "cue"}
"""Fields whose values are codes of a table of the languages."""

_VALUES = {
    ("zone", "entered"): "pick.zone_in",
    ("zone", "free"): "pick.zone_out",
    ("zone", "must_exit"): "play.must_exit",
    ("tie", "black"): "play.respotted",
    ("tie", "draw"): "choice.draw",
    ("lie", "as_is"): "pick.as_is",
    ("cue", "table"): "typed.cue_ball",
    ("cue", "place"): "typed.cue_ball",
}
"""Values that have a text of their own."""

_ASKED = {
    "best_of": "best_of",
    "played": "all_played",
    "foul_pts": "foul_points",
    "ball_own": "red_by_own",
    "ball_other": "red_by_other",
    "late_from": "late_from",
    "late_clock": "late_seconds",
    "minutes": "time_minutes",
    "clock": "shot_seconds",
    "alone": "alone",
    "clock_opts": "late",
}
"""Fields that are asked for at the table, by the question."""


def long_enough(forms: Forms) -> Forms:
    """The forms that say something without a board around them: no sign of one or two letters."""
    return tuple(form for form in forms if len(form) > 2) or forms[:1]


def pair_text(value: str) -> str:
    """A value, or one a side, as people write it: `15–3`, `−2 / 4`, `55 32 / –`."""
    value = value.replace("none", "-")
    sides = [
        "–" if one == "-" else one.replace("-", "−").replace("+", " ") for one in value.split("/")
    ]
    return ("–" if all(one.isdecimal() for one in sides) else " / ").join(sides)


class Asked(Protocol):
    """The words of the questions of a set-up, which a board is shown and has not."""

    def named(self, rulebook: str) -> Forms:
        """What is played, and by whose rules."""


class FieldWords:
    """The fields of one language; without the words of set-ups no reasons and no formats."""

    def __init__(self, language: Language, asked: Asked | None = None) -> None:
        self._language, self._asked = language, asked

    def position(self, name: str, value: str) -> Forms:
        """A field of a position; one that no language has stands as it is."""
        language = self._language
        own: dict[str, Callable[[str], Forms]] = {
            "turn": self._turn,
            "colours": self._colours,
            "groups": self._groups,
            "reds": self._reds,
            "why": self._why,
        }
        if name in own:
            return own[name](value)
        if (name, value) in _VALUES:
            return long_enough(language.forms(_VALUES[name, value]))
        if name in _CODES:
            return long_enough(language.word_for(_CODES[name], value))
        if name in _FLAGS:
            return self._flag(_FLAGS[name], on=value == "on")
        if name == "tie":
            return self._flag("play.respotted", on=False)
        if name in _NAMED:
            forms = long_enough(language.forms(_NAMED[name]))
            return tuple(f"{self._inside(form)} {pair_text(value)}" for form in forms)
        return (f"{name.replace('_', ' ')} {pair_text(value)}",)

    def format(self, fields: Fields) -> Iterator[str]:
        """What a match was agreed to, field by field."""
        for name, value in fields if self._asked is not None else ():
            if set(value.split("/")) == {"none"}:
                continue  # open, which needs no word
            if name in _ASKED:
                question = getattr(self._asked, _ASKED[name])[0].rstrip(" ?")
                yield question if value == "on" else f"{question} {pair_text(value)}"
            else:
                yield self.position(name, value)[0]

    def game(self, rulebook: str) -> Forms:
        """What is played, and by whose rules; nothing without the words of set-ups."""
        return self._asked.named(rulebook)[:1] if self._asked is not None else ()

    def ball(self, letter: str) -> Forms:
        """A ball of snooker."""
        return long_enough(self._language.forms(f"ball.{BALLS[letter]}"))

    def _inside(self, word: str) -> str:
        """A word as it stands within a line: only German nouns are capitals there."""
        return word if self._language.code == "de" else word[:1].lower() + word[1:]

    def _flag(self, key: str, *, on: bool) -> Forms:
        forms = long_enough(self._language.forms(key))
        return forms if on else tuple(f"– {form}" for form in forms)

    def _turn(self, value: str) -> Forms:
        return (f"{self._language.say('page.at_table')} {value}",)

    def _reds(self, value: str) -> Forms:
        if value == "none":
            return (f"{self._language.say('ball.reds')} ?",)
        return self._language.forms("play.reds", n=value)

    def _colours(self, value: str) -> Forms:
        known = [self.ball(letter)[0] for letter in value if letter in BALLS]
        balls = " – ".join(dict.fromkeys((known[0], known[-1]))) if known else "–"
        return (f"{self._language.say('entry.colours')} {balls}",)

    def _groups(self, value: str) -> Forms:
        names = {"S": "solids", "T": "stripes"}
        sides = (
            self._language.say(f"ball.{names[one]}") if one in names else "–"
            for one in value.split("/")
        )
        return (f"{self._language.forms('typed.group')[-1]} {' / '.join(sides)}",)

    def _why(self, value: str) -> Forms:
        """A reason; nothing where there are no words for it."""
        forms: Forms = getattr(self._asked, f"why_{value}", (value.replace("_", " "),))
        return forms if self._asked is not None else ()
