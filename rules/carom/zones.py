"""Restricted zones and anchors of straight rail and balkline (CBBS art. 26-39, UMB 51-74).

The core never knows where a ball lies, only what the referee calls: both object balls in one zone,
still in it, out of it, on its line. An anchor counts as the zones that it joins (art. 26.2).
"""

from msgspec.structs import replace

from rules.carom.entries import Balls, ZoneCall
from rules.carom.state import S, SetState
from rules.carom.terms import LineBall, SeriesTerms, ZoneState
from rules.frame import Option

LINE = "line"
"""The choice of a player with a ball on the line."""


def entered(frame: S, terms: SeriesTerms) -> S:
    """Both object balls have come into one zone, anew."""
    zone = ZoneState.ENTERED if terms.zone_shots > 1 else ZoneState.MUST_EXIT
    return replace(frame, zone=zone)


def freed(frame: S) -> S:
    """No zone binds: a ball left it, or the balls were spotted."""
    return replace(frame, zone=ZoneState.FREE)


def assumed(frame: SetState) -> Balls | None:
    """Where the balls are taken to lie after a carom of which nothing was said.

    A referee who calls each entry of a zone need not call the strokes in it: the free stroke
    stays in, the next one drives out.
    """
    if frame.zone is ZoneState.FREE:
        return None
    return Balls.STAY if frame.zone is ZoneState.ENTERED else Balls.OUT


def after_carom(frame: S, terms: SeriesTerms, balls: Balls | None) -> S:
    """The zone after a carom that counts."""
    match balls:
        case Balls.IN:
            return entered(frame, terms)
        case Balls.STAY:
            return replace(frame, zone=ZoneState.MUST_EXIT)
    return freed(frame)


def called(frame: S, terms: SeriesTerms, call: ZoneCall) -> S:
    """What the referee calls between strokes."""
    match call:
        case ZoneCall.IN:
            return entered(frame, terms)
        case ZoneCall.OUT:
            return freed(frame)
    if terms.line is LineBall.PLAYER:
        return replace(frame, option=Option(LINE, ("zone_in", "zone_out"), frame.turn))
    return on_line_inside(frame, terms)


def on_line_inside(frame: S, terms: SeriesTerms) -> S:
    """A ball on the line counts as inside: never a second free stroke in the same zone."""
    return entered(frame, terms) if frame.zone is ZoneState.FREE else frame


def inside(frame: SetState) -> int | None:
    """The caroms still allowed in the zone, or none where no zone binds."""
    return {ZoneState.FREE: None, ZoneState.ENTERED: 1, ZoneState.MUST_EXIT: 0}[frame.zone]
