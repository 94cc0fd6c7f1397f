"""Counting what is won, level by level: frames, sets of frames.

A tally holds one pair a level, frames first. Winning a level counts one on the level above; the
highest level is the match.
"""

from collections.abc import Sequence
from typing import TypeAlias

from rules.rulebook import Level
from rules.sides import Pair, Side, added, with_side

Tally: TypeAlias = tuple[Pair[int], ...]

ENDLESS = 999
"""So many frames win what nobody is to win."""


def counted(
    tally: Tally, levels: Sequence[Level], winner: Side, lowest: int = 0
) -> tuple[Tally, bool]:
    """The tally with one more of the lowest level, and of each level that it wins.

    The second value says whether that wins the match.
    """
    new = list(tally)
    won = True
    for place, level in enumerate(levels[lowest:], lowest):
        new[place] = added(new[place], winner, 1)
        won = new[place][winner.place] >= level.to_win[winner.place] or all_played(
            new[place], level
        )
        if not won:
            break
    return tuple(new), won


def filled(tally: Tally, levels: Sequence[Level], winner: Side) -> Tally:
    """The tally with all that the winner still needed given to him."""
    level, count = levels[-1], tally[-1]
    if level.played:
        return (*tally[:-1], added(count, winner, level.played - sum(count)))
    return (*tally[:-1], with_side(count, winner, level.to_win[winner.place]))


def all_played(count: Pair[int], level: Level, drawn: int = 0) -> bool:
    """Whether all of so many have been played, where that is agreed; `drawn` nobody won."""
    return level.played > 0 and sum(count) + drawn >= level.played


def leader(count: Pair[int]) -> Side | None:
    """Who has won more, or none."""
    if count[0] == count[1]:
        return None
    return Side.A if count[0] > count[1] else Side.B


def all_but_won(tally: Tally, levels: Sequence[Level]) -> bool:
    """Whether the next frame decides the match, whoever wins it."""
    return all(
        level.needs_one(count, side)
        for count, level in zip(tally, levels, strict=True)
        for side in Side
    )


def level_ended(tally: Tally, levels: Sequence[Level]) -> int:
    """The highest level of which one has just ended, 0 for a frame alone."""
    ended = 0
    for place, level in enumerate(levels[:-1]):
        if _won(tally[place], level):
            ended = place + 1
    return ended


def rolled_over(tally: Tally, levels: Sequence[Level]) -> Tally:
    """The tally for the next frame: a level that was won starts again."""
    lower = zip(tally[:-1], levels[:-1], strict=True)
    return (*((0, 0) if _won(count, level) else count for count, level in lower), tally[-1])


def _won(count: Pair[int], level: Level) -> bool:
    return count[0] >= level.to_win[0] or count[1] >= level.to_win[1]
