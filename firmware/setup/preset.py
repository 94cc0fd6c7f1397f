"""A match as it can be set up: what a set-up makes, and is offered again."""

from msgspec import Struct

from rules.record import Fields
from rules.sides import Side


class Preset(Struct, frozen=True):
    """A match as it can be set up: all that a start needs, players by name."""

    rulebook: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    format: Fields = ()
    first: Side | None = None
    at: Fields = ()


class Leave(Struct, frozen=True):
    """Nobody wants a match now."""
