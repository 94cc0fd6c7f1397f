"""Averages as federations print them, and what matches are worth in rankings."""

from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from rules.sides import Pair


def average(points: int, innings: int, decimals: int, *, half_up: bool = False) -> str:
    """Points per inning as text, cut after `decimals` places, or rounded half up.

    UMB, CEB and the Dutch clubs cut: 37 in 39 is 0.948. Without an inning there is none: `-`.
    """
    if innings == 0:
        return "-"
    scale = 10**decimals
    scaled = abs(points) * scale
    whole = (2 * scaled + innings) // (2 * innings) if half_up else scaled // innings
    sign = "-" if points < 0 and whole else ""
    if decimals == 0:
        return f"{sign}{whole}"
    return f"{sign}{whole // scale}.{whole % scale:0{decimals}}"


class PointsSystem(Struct, frozen=True):
    """What a match is worth in a ranking or league.

    `win`, `draw` and `loss` are points; none is a share of ten, the side's points against its own
    target, cut after `decimals` places. `above_won` and `above_lost` come on top for an average
    above the one that the side was set.
    """

    win: int | None = 2
    draw: int | None = 1
    loss: int | None = 0
    decimals: int = 0
    above_won: int = 0
    above_lost: int = 0


POINTS_SYSTEMS = {
    "match": PointsSystem(),
    "belgian": PointsSystem(win=10, draw=None, loss=None),
    "percent": PointsSystem(win=None, draw=None, loss=None, decimals=2),
    "boxtel": PointsSystem(win=10, draw=10, loss=None, above_won=2, above_lost=1),
}
"""Match points of UMB and CEB (2, 1, 0); Dutch clubs: Katwijk, Trefpunt, Boxtel."""


def ranking_points(
    system: PointsSystem, won: bool | None, share: Pair[int], *, above: bool = False
) -> str:
    """The points of one match as text; `won` is none for a draw.

    `share` is what the side made and its target.

    Raises:
        ValueError: a share of a target that is not known.
    """
    made, target = share
    fixed = system.draw if won is None else system.win if won else system.loss
    bonus = system.above_lost if won is False else system.above_won
    extra = bonus if above else 0
    if fixed is not None:
        return str(fixed + extra)
    if target < 1:
        raise ValueError("a share needs the side's target")
    scale = 10**system.decimals
    return average(10 * made * scale + extra * target * scale, target * scale, system.decimals)


def is_above(points: int, innings: int, wanted: str) -> bool:
    """Whether an average, cut to as many places as the one that was set, is above it.

    21 in 24 is 0.87 and not above 0.87 (Boxtel).
    """
    decimals = len(wanted.partition(".")[2])
    return innings > 0 and Decimal(average(points, innings, decimals)) > Decimal(wanted)


def general_average(played: Iterable[Pair[int]], decimals: int, *, half_up: bool = False) -> str:
    """All points by all innings of several matches, each points and innings."""
    lines = tuple(played)
    points, innings = sum(line[0] for line in lines), sum(line[1] for line in lines)
    return average(points, innings, decimals, half_up=half_up)


def best_runs(runs: Iterable[int], count: int) -> tuple[int, ...]:
    """The best innings, the highest first, without empty ones."""
    return tuple(sorted((run for run in runs if run), reverse=True)[:count])
