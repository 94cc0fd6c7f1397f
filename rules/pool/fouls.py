"""Consecutive fouls of 14.1 and what they cost (FPB S-3.3 and S-5, WPA 5)."""

from typing import TypeVar

from msgspec.structs import replace

from rules.pool.straight_state import StraightState
from rules.pool.terms import AfterThird, Third
from rules.sides import Side, added, with_side

S = TypeVar("S", bound=StraightState)
"""A state, or a subclass of it that its changes keep."""


def cleared(frame: S, side: Side) -> S:
    """The side's next foul is the first again."""
    if not frame.fouls[side.place]:
        return frame
    return replace(
        frame, fouls=with_side(frame.fouls, side, 0), streak=with_side(frame.streak, side, ())
    )


def charged(frame: S, side: Side, price: int, *, unwarned: bool = False) -> tuple[S, bool]:
    """The game with a foul of the side paid, and whether all are racked for it to open again.

    The last one in a row costs its own price and more, or the others are given back and it costs
    more alone. A player who had not been told of it stays one short, where the rules ask for that.
    """
    terms, streak = frame.terms, frame.streak[side.place]
    count = frame.fouls[side.place] + 1
    last = count == terms.fouls_limit
    if last and unwarned and terms.warned:
        return taken(frame, side, price), False
    if not last:
        after = replace(
            taken(frame, side, price),
            fouls=with_side(frame.fouls, side, count),
            streak=with_side(frame.streak, side, (*streak, price)),
        )
        return after, False
    if terms.third is Third.CANCEL_AND_15:
        price = -sum(streak)
    after = cleared(taken(frame, side, price + terms.third_price), side)
    return after, terms.after_third is AfterThird.OFFENDER_BREAKS


def taken(frame: S, side: Side, points: int) -> S:
    """Points of a side taken away by a foul, or given back."""
    return replace(frame, score=added(frame.score, side, -points), booked=frame.booked - points)
