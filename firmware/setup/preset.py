"""A match as it can be set up: what a set-up makes, and is offered again."""

from msgspec import Struct
from msgspec.structs import replace

from rules.record import Fields
from rules.rulebooks import family_of
from rules.sides import Side


class Preset(Struct, frozen=True):
    """A match as it can be set up: all that a start needs, players by name."""

    rulebook: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    format: Fields = ()
    first: Side | None = None
    at: Fields = ()


_GIVEN = {"snooker": ("handicap",), "pool": ("racks", "score")}
"""What a handicap is in a position, by the family."""


def repeated(preset: Preset) -> Preset:
    """The same match once more: with the handicap that a side is given, but from the start.

    A score at which both have something is none that is given: there a match was taken up.
    """
    names = _GIVEN.get(family_of(preset.rulebook), ())
    given = all(name in names and "0" in str(value).split("/") for name, value in preset.at)
    return preset if given else replace(preset, at=())


class Leave(Struct, frozen=True):
    """Nobody wants a match now."""
