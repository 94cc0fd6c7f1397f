"""What a rulebook's match can be set up to, as far as it is asked at a table. Pure, no clock."""

from msgspec import Struct

from firmware.setup.questions import MOST
from firmware.setup.words import Forms, SetupWords
from rules.errors import RulesError
from rules.match import new_match
from rules.position import field_names
from rules.record import Fields, Setup
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Pair, Side

MOST_WORTH = 99
"""The most points of one thing that falls."""

GOALS = ("target", "race")
"""What a match goes to, by the name of its parameter."""


class Goal(Struct, frozen=True):
    """A number to ask for: the parameter, whose it is (none for both sides' one), and the usual."""

    name: str
    place: int | None
    title: Forms
    usual: int
    most: int
    least: int = 1


def has_race(rulebook: str) -> bool:
    """Whether racks are raced to."""
    return "race" in field_names(type(RULEBOOKS[rulebook].terms))


def counts_frames(rulebook: str) -> bool:
    """Whether frames or racks are what the match goes to."""
    return has_race(rulebook) or isinstance(getattr(RULEBOOKS[rulebook].terms, "target", None), int)


def plays_in_pairs(rulebook: str) -> bool:
    """Whether a side may have partners who take turns, in the order in which they are named."""
    return bool(getattr(RULEBOOKS[rulebook].terms, "pairs", False))


def open_goal(rulebook: str) -> dict[str, str]:
    """The format of a match that no score ends."""
    terms = RULEBOOKS[rulebook].terms
    if counts_frames(rulebook) or not hasattr(terms, "target"):
        return {}
    endless = f"{MOST}/{MOST}" if family_of(rulebook) == "pool" else "none/none"
    return {"target": endless}


def stands(rulebook: str) -> tuple[str, ...]:
    """What says how a match stands: its frames, racks or sets, and the points of this one."""
    book = RULEBOOKS[rulebook]
    level = next(iter(book.game.levels(book.terms)))
    counted = (level.name,) if level.to_win != (1, 1) else ()
    match family_of(rulebook):
        case "carom":
            return (*counted, "score", "innings")
        case "snooker":
            return (*counted, "score")
    return counted if has_race(rulebook) else (*counted, "score")


_WORTH = {"foul_pts": "foul_points", "ball_own": "red_by_own", "ball_other": "red_by_other"}
"""What an event says of the pins where no text does, and the question for it."""

LATE = "clock_opts"
"""What an event says of a late stroke."""


def goals(rulebook: str, words: SetupWords) -> tuple[Goal, ...]:
    """The numbers of a match: what it goes to, and what the event must say of it."""
    return (*_ends(rulebook, words), *worths(rulebook, words))


def worths(rulebook: str, words: SetupWords) -> tuple[Goal, ...]:
    """What the event must say of a game where no text does."""
    book = RULEBOOKS[rulebook]
    return tuple(
        Goal(name, None, getattr(words, word), getattr(book.terms, name), MOST_WORTH, least=0)
        for name, word in _WORTH.items()
        if name in book.unverified
    )


def said(words: SetupWords, rulebook: str, format_: Fields, sides: Pair[tuple[str, ...]]) -> Forms:
    """A set-up in a line: what is played, to how many, and who plays."""
    goal, names = _goal_said(words, dict(format_)), words.named(rulebook)
    there = [side for side in sides if side]
    who = " - ".join(" + ".join(side) for side in there)
    short = " - ".join("+".join(name.split()[-1] for name in side) for side in there)
    return (
        f"{names[0]} {goal} {who}".replace("  ", " "),
        f"{names[-1]} {goal} {short}".replace("  ", " "),
        f"{names[-1]} {goal}".strip(),
    )


def _goal_said(words: SetupWords, format_: dict[str, str]) -> str:
    """What a match goes to, in few signs."""
    if "alone" in format_:
        return words.alone[-1]
    if "played" in format_:
        return f"{words.all_played[-1]} {format_['played']}"
    return next((value for name, value in format_.items() if name in GOALS), "")


def _ends(rulebook: str, words: SetupWords) -> tuple[Goal, ...]:
    """What a rulebook's match goes to: points, frames or racks, where they are not open."""
    terms = RULEBOOKS[rulebook].terms
    for name, of_a, of_b, most in (
        ("race", words.racks_a, words.racks_b, 99),
        ("target", words.points_a, words.points_b, MOST),
    ):
        value = getattr(terms, name, None)
        if isinstance(value, int):
            return (Goal(name, None, words.frames, value, 35),)
        if isinstance(value, tuple) and value[0] is not None:
            return (Goal(name, 0, of_a, value[0], most), Goal(name, 1, of_b, value[1], most))
    return ()


def _playable() -> tuple[str, ...]:
    """The rulebooks that need nothing more to be told than what is asked here."""
    found = []
    for id_, book in RULEBOOKS.items():
        told = tuple((name, "9") for name in _WORTH if name in book.unverified)
        goals = (("target", "9/9"),) if "target" in book.unverified else ()
        try:
            new_match(Setup(id_, format=(*goals, *told), first=Side.A), book)
        except RulesError:
            continue
        found.append(id_)
    return tuple(found)


PLAYABLE = _playable()
"""What can be chosen."""
