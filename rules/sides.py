"""The two sides of a match."""

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Pair: TypeAlias = tuple[T, T]
"""One value a side: A's first, B's second."""


class Side(StrEnum):
    """A side: one player, or the members of a pair or team."""

    A = "A"
    B = "B"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.B if self is Side.A else Side.A

    @property
    def place(self) -> int:
        """The place of this side in a `Pair`."""
        return 0 if self is Side.A else 1


def with_side(pair: Pair[T], side: Side, value: T) -> Pair[T]:
    """The pair with one side's value put in the place of the old one."""
    return (value, pair[1]) if side is Side.A else (pair[0], value)


def changed(pair: Pair[T], side: Side, change: Callable[[T], T]) -> Pair[T]:
    """The pair with one side's value run through `change`."""
    return with_side(pair, side, change(pair[side.place]))


def added(pair: Pair[int], side: Side, n: int) -> Pair[int]:
    """The pair with `n` added to one side's number."""
    return (pair[0] + n, pair[1]) if side is Side.A else (pair[0], pair[1] + n)
