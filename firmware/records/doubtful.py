"""Innings that hardly belong to one player: a change of turn was probably not keyed.

Where it was forgotten, the innings of both players run together under one name, and both averages
are wrong. A stroke comes off with the chance that the player's other innings tell, m/(1+m) for an
average of m; an inning of n points needs it n times in a row.
"""

from collections.abc import Sequence

from firmware.club.player import discipline_of
from firmware.records.visits import VisitRow

CUSHION_GAMES = frozenset({"one_cushion", "three_cushions"})
"""Disciplines in which each stroke is as hard as the one before."""

LEAST_INNINGS = 5
"""Fewer other innings of a player say nothing of him."""

CHANCE = 0.01
"""An inning that fewer of his matches would show is doubtful."""


def doubtful(rows: Sequence[VisitRow], rulebook: str) -> frozenset[int]:
    """The places, from 0, of the innings that are too good for who is said to have made them.

    Only in the cushion games: elsewhere balls are nursed and runs grow by themselves. Only where
    points were keyed one by one, as no turn is forgotten within a total. An inning that was put in
    or changed later was looked at.
    """
    if discipline_of(rulebook) not in CUSHION_GAMES:
        return frozenset()
    return frozenset(
        at
        for at, row in enumerate(rows)
        if not row.edited and _keyed(row) and _expected(row, rows) < CHANCE
    )


def _keyed(row: VisitRow) -> bool:
    """Whether its points came in parts."""
    return sum(entry.startswith("+") for entry in row.entries) > 1


def _expected(row: VisitRow, rows: Sequence[VisitRow]) -> float:
    """How many innings as good as this one a match of this player would show."""
    others = [one.points for one in rows if (one.side, one.member) == (row.side, row.member)]
    others.remove(row.points)
    if len(others) < LEAST_INNINGS:
        return 1.0
    # One point more than he made: who has made none yet is not said to make none ever.
    average = (sum(others) + 1) / len(others)
    return float((len(others) + 1) * (average / (1 + average)) ** row.points)
