"""What the handicaps of two players make of a match."""

from msgspec import Struct

from firmware.club.player import Handicap, Player
from rules.record import Fields
from rules.rulebook import Terms
from rules.rulebooks import family_of
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Pair

_GOALS = ("race", "target")
"""The parameter of a match's length, the one that a side may have of its own."""


class Shares(Struct, frozen=True):
    """Fields of a set-up: of its format, and of the position that it begins at."""

    format: Fields = ()
    at: Fields = ()


def shares(rulebook: str, a: Player | None, b: Player | None) -> Shares:
    """What two players' handicaps are worth in a match; nothing where neither has one.

    Own goals become `target` or `race`; who has none plays to the rulebook's. Of the starts the
    smaller one counts as nothing, the other side is given the difference: in snooker at every frame
    (`handicap`), in pool once, as racks or points. `None` is a player of whom nothing is known.

    Raises:
        BadSetup: there is no such rulebook.
    """
    terms = rulebook_of(rulebook).terms
    given = _handicap(a, rulebook), _handicap(b, rulebook)
    start, field = _difference(given), _start_field(family_of(rulebook), terms)
    at = ((field, f"{start[0]}/{start[1]}"),) if field and any(start) else ()
    return Shares(_goals(terms, given), at)


def _handicap(player: Player | None, rulebook: str) -> Handicap:
    found = player.handicap(rulebook) if player is not None else None
    return found or Handicap()


def _goals(terms: Terms, given: Pair[Handicap]) -> Fields:
    if given[0].goal is None and given[1].goal is None:
        return ()
    for name in _GOALS:
        usual = getattr(terms, name, None)
        if isinstance(usual, tuple):
            goals = [one.goal or usual[side] for side, one in enumerate(given)]
            if None in goals:
                return ()
            return ((name, "/".join(map(str, goals))),)
    return ()


def _difference(given: Pair[Handicap]) -> Pair[int]:
    least = min(given[0].start, given[1].start)
    return given[0].start - least, given[1].start - least


def _start_field(family: str, terms: Terms) -> str:
    """The field of a position for what is given at the start; carom has none."""
    match family:
        case "snooker":
            return "handicap"
        case "pool":
            return "racks" if hasattr(terms, "race") else "score"
    return ""
