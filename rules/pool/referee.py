"""What the referee enters in every pool game besides shots and choices.

Concessions and disqualification (FPB C-17), pauses (C-15; WPA regulations 14 and 18), void racks
(C-9.2) and stalemates (WPA), a wrong breaker.
"""

from typing import TypeVar

from msgspec.structs import replace

from rules.entries import (
    Award,
    Breaker,
    Concede,
    Conduct,
    Disqualify,
    Entry,
    Extension,
    Interval,
    Ok,
    Scope,
    Stalemate,
    Timeout,
    Void,
)
from rules.errors import Code, NotAllowed
from rules.frame import DISQUALIFIED, Carry, Result
from rules.pool.state import F, RackState, match_over, won
from rules.sides import Side, added

R = TypeVar("R", bound=RackState)
"""A rack's state, or a subclass of it that its changes keep."""


def offence(carry: Carry, side: Side, *, grave: bool) -> tuple[Carry, Result | None]:
    """An offence against conduct: it is counted; a grave one loses the match."""
    if grave:
        return carry, Result(side.other, "grave", Scope.MATCH, by_conduct=True)
    return replace(carry, conduct=added(carry.conduct, side, 1)), None


def decided(frame: F, entry: Entry) -> F | None:
    """The frame after what may be entered whatever is waited for, none if it is none of that.

    Raises:
        NotAllowed: it does not fit, or an end is held.
    """
    match entry:
        case Conduct(side, grave):
            carry, result = offence(frame.carry, side or frame.turn, grave=grave)
            if result is not None:
                return match_over(frame, result.winner, result.reason, by_conduct=True)
            return replace(frame, carry=carry)
        case Concede(side, Scope.MATCH):
            return match_over(frame, side.other, "concession")
        case Disqualify(sides) if sides in DISQUALIFIED:
            winner = sides[0].other if len(sides) == 1 else None
            return match_over(frame, winner, "disqualified", by_conduct=True)
    if frame.result is not None:
        raise NotAllowed(Code.OK_PENDING, entry, frame.result.reason)
    match entry:
        case Award(side, "absence"):
            return match_over(frame, side, "absence")
        case Ok():
            raise NotAllowed(Code.NOTHING_TO_CONFIRM, entry)
    return None


def given(frame: F, entry: Entry) -> F | None:
    """The frame after what the referee may give in it, none if it is none of that.

    Raises:
        NotAllowed: there is none left.
    """
    match entry:
        case Award(side, why):
            return won(frame, side, why or "awarded")
        case Concede(side, Scope.FRAME):
            return won(frame, side.other, "concession")
        case Extension(side):
            if frame.extended[side.place] >= frame.terms.ext_per_rack:
                raise NotAllowed(Code.NO_EXTENSION_LEFT, entry)
            return replace(frame, extended=added(frame.extended, side, 1))
        case Breaker(side) if frame.between and side is not frame.opener:
            return replace(frame, opener=side, turn=side)
        case Stalemate("warn") if not frame.opening:
            each = frame.terms.stalemate_turns
            return replace(frame, turns_left=(each, each))
        case Stalemate("clear") if frame.turns_left is not None:
            return replace(frame, turns_left=None)
    return None


def timed_out(frame: F, entry: Timeout, *, between: bool) -> F:
    """A time-out is taken, by the side at the table where none is named.

    Raises:
        NotAllowed: not now, or none is left.
    """
    side = entry.side or frame.turn
    if not between:
        raise NotAllowed(Code.NOT_BETWEEN_RACKS, entry)
    if not frame.carry.timeouts[side.place]:
        raise NotAllowed(Code.NO_TIMEOUT_LEFT, entry)
    left = added(frame.carry.timeouts, side, -1)
    return replace(frame, carry=replace(frame.carry, timeouts=left))


def fresh(frame: R, opener: Side) -> R:
    """The same rack again, opened by a side; whose break it was by the schedule stays."""
    return type(frame)(
        terms=frame.terms,
        carry=frame.carry,
        opener=opener,
        turn=opener,
        level=frame.level,
        tally=frame.tally,
        shots=frame.shots + 1,
    )


def in_rack(frame: R, entry: Entry) -> R | None:
    """As `decided`, with what only games in racks know.

    Raises:
        NotAllowed: it does not fit.
    """
    found = decided(frame, entry)
    if found is None:
        found = given(frame, entry)
    if found is not None:
        return found
    match entry:
        case Timeout():
            return timed_out(frame, entry, between=frame.between)
        case Interval(_, False):
            if not frame.between:
                raise NotAllowed(Code.NOT_BETWEEN_RACKS, entry)
            if not half_played(frame):
                raise NotAllowed(Code.LESS_THAN_HALF, entry)
            return frame
        case Void("") | Stalemate(""):
            return fresh(frame, frame.carry.scheduled)
    return None


def half_played(frame: RackState) -> bool:
    """Whether enough of the set has been played for an interval (FPB C-15)."""
    return not frame.terms.half_interval or sum(frame.tally) >= frame.level.half


def interval_now(frame: RackState) -> bool:
    """Whether an interval is allowed now."""
    return frame.between and half_played(frame)
