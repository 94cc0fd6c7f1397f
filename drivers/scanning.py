"""Which keys of a scanned keypad are down, from what its rows and columns show; pure.

A keypad without diodes shows a fourth key where three corners of a rectangle are down. Nobody can
tell it from a real one: whatever appears as the corner of a full rectangle is refused until it is
let go, and never guessed at.
"""

from typing import TypeAlias

from msgspec import Struct

Point: TypeAlias = tuple[int, int]
"""A crosspoint: row and column."""


class Scanned(Struct, frozen=True):
    """One look at a keypad: the keys that are down, and those refused just now."""

    down: frozenset[Point]
    ghosts: frozenset[Point]


class Scanner:
    """Follows a keypad from look to look."""

    def __init__(self) -> None:
        self._down: frozenset[Point] = frozenset()
        self._refused: frozenset[Point] = frozenset()

    def look(self, closed: frozenset[Point]) -> Scanned:
        """The crosspoints that are connected now, one way or another."""
        new = closed - self._down - self._refused
        ghosts = new & corners(closed)
        self._refused = (self._refused & closed) | ghosts
        self._down = (self._down & closed) | (new - ghosts)
        return Scanned(self._down, ghosts)


def corners(closed: frozenset[Point]) -> frozenset[Point]:
    """All points that are corners of a rectangle with its four corners closed."""
    found: set[Point] = set()
    for row, column in closed:
        for other_row, other_column in closed:
            if row < other_row and column != other_column:
                four = {
                    (row, column),
                    (row, other_column),
                    (other_row, column),
                    (other_row, other_column),
                }
                if four <= closed:
                    found |= four
    return frozenset(found)
