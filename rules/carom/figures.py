"""The numbers of a set for displays."""

from rules.carom import zones
from rules.carom.state import SetState
from rules.carom.terms import Averages, LiveAverage, SeriesTerms
from rules.figures import Figures
from rules.sides import Pair, Side, added, with_side
from rules.stats import average

LAST_RUNS = 5
"""How many innings a side are shown."""


def figures_of(frame: SetState) -> Figures:
    """What a set says of itself beyond the score."""
    terms, carry = frame.terms, frame.carry
    place = frame.turn.place
    has_zones = isinstance(terms, SeriesTerms) and terms.zone_shots > 0
    return Figures(
        phase="drawn" if frame.drawn else "playing" if frame.goal is None else "equaliser",
        targets=frame.target,
        to_go=(_to_go(frame, Side.A), _to_go(frame, Side.B)),
        goal=frame.goal,
        innings=frame.innings,
        innings_limit=terms.limit,
        averages=_averages(frame),
        high_runs=with_side(carry.high_runs, frame.turn, max(carry.high_runs[place], frame.run)),
        total_points=total_points(frame),
        total_innings=total_innings(frame),
        lie=frame.lie,
        zone=frame.zone if has_zones else None,
        inside=zones.inside(frame) if has_zones else None,
        last_runs=(frame.runs[0][-LAST_RUNS:], frame.runs[1][-LAST_RUNS:]),
        call_at=terms.call_at if isinstance(terms, SeriesTerms) else None,
        break_due=frame.break_due,
        timeouts=carry.timeouts if terms.clock else None,
    )


def total_points(frame: SetState) -> Pair[int]:
    """Points over all sets, this one included."""
    a, b = frame.carry.total_points
    return a + frame.score[0], b + frame.score[1]


def total_innings(frame: SetState) -> Pair[int]:
    """Finished innings over all sets, this one included."""
    a, b = frame.carry.total_innings
    return a + frame.innings[0], b + frame.innings[1]


def _averages(frame: SetState) -> Pair[str]:
    terms, points, innings = frame.terms, total_points(frame), total_innings(frame)
    if frame.run and terms.live_avg is LiveAverage.FROZEN:
        points = added(points, frame.turn, -frame.run)
    elif frame.run:
        innings = added(innings, frame.turn, 1)
    half_up = terms.avg_mode is Averages.HALF_UP
    return (
        average(points[0], innings[0], terms.avg_dec, half_up=half_up),
        average(points[1], innings[1], terms.avg_dec, half_up=half_up),
    )


def _to_go(frame: SetState, side: Side) -> int | None:
    target = frame.target[side.place]
    if frame.goal is not None and side is frame.turn:
        target = frame.goal
    return None if target is None else max(0, target - frame.score[side.place])
