"""A shoot-out: innings in turn until they differ. It never counts as points of the match."""

from typing import TypeAlias

from rules.sides import Pair, Side

Innings: TypeAlias = Pair[tuple[int, ...]]
"""The points of each side's shoot-out innings."""

MOST = 999
"""The most points of one inning that a panel can key."""


def shooter_of(innings: Innings, opener: Side) -> Side:
    """Who shoots now: the opener of the frame before it first, then the other.

    In carom that is who opened the match (UMB). For pool no text says it: where it is otherwise,
    the winner alone is entered.
    """
    return opener if len(innings[0]) == len(innings[1]) else opener.other


def winner_of(innings: Innings) -> Side | None:
    """Who made more in the last round, once both have shot."""
    a, b = innings
    if len(a) != len(b) or not a or a[-1] == b[-1]:
        return None
    return Side.A if a[-1] > b[-1] else Side.B
