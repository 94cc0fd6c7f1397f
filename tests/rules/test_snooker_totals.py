"""What a visit can score, held against every visit that can be played from a table."""

from collections.abc import Iterator
from functools import cache

import pytest

from rules.snooker.entries import Ball, Colour
from rules.snooker.strokes import total_bounds
from rules.snooker.table import COLOURS, VALUE, Table

MOST_REDS = 4


@cache
def visits(table: Table) -> frozenset[tuple[int, Table]]:
    """What each visit from a table scores and leaves, one without a pot included."""
    found = {(0, Table(table.reds, table.colours))}
    for points, left in pots(table):
        found |= {(points + more, end) for more, end in visits(left)}
    return frozenset(found)


def pots(table: Table) -> Iterator[tuple[int, Table]]:
    """Each stroke that pots something: what it scores, and the table for the next."""
    reds, colours = table.reds, table.colours
    assert reds is not None
    if table.any_colour:
        for colour in COLOURS:
            yield VALUE[colour], Table(reds, colours)
    elif reds:
        for n in range(table.free ^ 1, reds + 1):
            yield n + table.free, Table(reds - n, colours, any_colour=True)
        for n in range(1, reds + 1):  # the free ball stays up
            yield n, Table(reds - n, colours, any_colour=True)
    elif colours:
        yield VALUE[colours[0]], Table(0, colours[1:])
        if table.free:
            yield VALUE[colours[0]], Table(0, colours)


def tables() -> Iterator[Table]:
    for reds in range(MOST_REDS + 1):
        yield from (Table(reds, any_colour=any_colour) for any_colour in (False, True))
        yield Table(reds, free=True)
    for place in range(1, len(COLOURS)):
        yield Table(0, COLOURS[place:])
        if COLOURS[place] is not Colour.BLACK:
            yield Table(0, COLOURS[place:], free=True)


@pytest.mark.parametrize("before", list(tables()), ids=str)
def test_the_bounds_of_a_total_are_the_least_and_the_most_that_can_be_played(
    before: Table,
) -> None:
    by_end: dict[Table, list[int]] = {}
    for points, end in visits(before):
        by_end.setdefault(end, []).append(points)
    for end, scored in by_end.items():
        assert total_bounds(before, end) == (min(scored), max(scored)), end


def test_the_visits_are_all() -> None:
    """From the last red: a colour that comes back stands between it and the yellow."""
    scored = {points for points, end in visits(Table(1)) if not end.colours}
    assert (min(scored), max(scored)) == (30, 35)
    assert {points for points, end in visits(Table(1)) if end.on is Ball.GREEN} == set(range(5, 11))
