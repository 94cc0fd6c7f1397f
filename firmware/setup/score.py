"""Questions for a score: that a match goes on at, or that is given at its start; pure, no clock."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from firmware.setup.formats import stands
from firmware.setup.questions import MOST, Amount
from firmware.setup.words import SetupWords
from rules.match import Match
from rules.record import Fields
from rules.rulebooks import family_of
from rules.sides import Side

T = TypeVar("T")

_WORDS = {"score": "has", "innings": "innings"}
"""Questions for what is no count of frames, racks or sets."""

_MOST_GIVEN = 199

_MOST_OF_FRAME = 199
"""Nobody makes more in a frame of snooker: 155, and what the other side's fouls are worth."""


def ask_score(
    words: SetupWords,
    match: Match,
    then: Callable[[Amount[T]], None],
    done: Callable[[dict[str, str]], T | None],
) -> None:
    """Ask how a match stands, number by number; `done` is given the fields of its position."""
    names = stands(match.setup.rulebook)
    fields = [(name, side, most(match, name, side)) for name in names for side in Side]
    _stand(words, fields, {}, then, done)


def most(match: Match, name: str, side: Side) -> int:
    """The most that a side can have of something while this match goes on."""
    if name == "innings":
        return getattr(match.terms, "limit", None) or MOST
    if name == "score":
        if family_of(match.setup.rulebook) == "snooker":
            return _MOST_OF_FRAME
        target = getattr(match.terms, "target", None)
        own = target[side.place] if isinstance(target, tuple) else None
        return MOST if own is None else int(own)
    level = match.levels[0]
    return level.played or level.to_win[side.place] - 1


def _stand(
    words: SetupWords,
    fields: Sequence[tuple[str, Side, int]],
    at: dict[str, str],
    then: Callable[[Amount[T]], None],
    done: Callable[[dict[str, str]], T | None],
) -> T | None:
    if not fields:
        return done(at)
    (name, side, top), *rest = fields

    def taken(n: int) -> T | None:
        before = at.get(name, "0/0").partition("/")[0]
        value = f"{n}/0" if side is Side.A else f"{before}/{n}"
        return _stand(words, rest, at | {name: value}, then, done)

    title = getattr(words, f"{_WORDS.get(name, 'won')}_{side.lower()}")
    # Both have had as many innings, or nearly.
    usual = int(at[name].partition("/")[0]) if name == "innings" and side is Side.B else 0
    then(Amount(title, taken, usual, least=0, most=top, leads=bool(rest)))
    return None


def position(at: dict[str, str], first: Side | None) -> Fields:
    """The position of a score that was told; who has had an inning less is at the table."""
    fields = tuple((name, value) for name, value in at.items() if value != "0/0")
    a, _, b = at.get("innings", "0/0").partition("/")
    if first is None or int(a) == int(b):
        return fields
    return (*fields, ("turn", Side.B if int(a) > int(b) else Side.A))


def ask_given(
    words: SetupWords,
    then: Callable[[Amount[T]], None],
    done: Callable[[str], T | None],
) -> None:
    """Ask what each side is given at the start; `done` is given both, as `0/14`."""

    def of_a(a: int) -> None:
        then(Amount(words.given_b, lambda b: done(f"{a}/{b}"), 0, least=0, most=_MOST_GIVEN))

    then(Amount(words.given_a, of_a, 0, least=0, most=_MOST_GIVEN, leads=True))
