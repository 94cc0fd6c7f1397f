"""What may be entered in a set of carom."""

from rules.carom.entries import (
    Balls,
    Felled,
    Foul,
    Frozen,
    Pins,
    PinsTo,
    Points,
    RedBall,
    Run,
    Zone,
    ZoneCall,
)
from rules.carom.state import SetState
from rules.carom.terms import Overshoot, PinsTerms, SeriesTerms, ZoneState
from rules.entries import (
    Award,
    EndVisit,
    Ok,
    Pick,
    ShotClock,
    Timeout,
    TimeUp,
)
from rules.frame import (
    ABSENCE,
    ADJUST,
    CONDUCT,
    EITHER,
    MATCH_LOST,
    YES_NO,
    Between,
    Offer,
    OneOf,
    Open,
)

MOST = 9999
"""The most points of one entry where no target bounds it; more than any run on record."""

PINS = 4
"""White pins of five, outer pins of nine."""

INNER = 4
"""Inner pins of nine."""


def series_offers(frame: SetState, terms: SeriesTerms) -> tuple[Offer, ...]:
    """What a set of a series game accepts: kinds of entries with the bounds of their fields."""
    most = frame.remaining
    most = MOST if most is None or terms.overshoot is Overshoot.CAP else min(most, MOST)
    strokes = (
        Offer(Points, (("n", Between(1, most)),)),
        *_zones(frame, terms),
        Offer(Run, (("n", Between(0, most)),)),
        Offer(EndVisit),
        Offer(Foul, (("off_table", YES_NO),)),
        Offer(Frozen),
    )
    return _offers(frame, strokes)


def _zones(frame: SetState, terms: SeriesTerms) -> tuple[Offer, ...]:
    if not terms.zone_shots:
        return ()
    free = frame.zone is ZoneState.FREE
    balls = OneOf((Balls.IN, Balls.OUT) if free else tuple(Balls))
    return (
        Offer(Points, (("n", OneOf((1,))), ("balls", balls))),
        Offer(Zone, (("call", OneOf(tuple(ZoneCall))),)),
    )


def pins_offers(frame: SetState, terms: PinsTerms) -> tuple[Offer, ...]:
    """What a set of a pins game accepts: kinds of entries with the bounds of their fields."""
    to = OneOf(tuple(PinsTo))
    inner = (("inner", Between(0, INNER)),) if terms.inner else ()
    cushion = (("cushion", YES_NO),) if terms.cushion_doubles else ()
    felled = (
        ("pins", Between(0, PINS)),
        *inner,
        ("red", YES_NO),
        ("ball", OneOf((None, *RedBall))),
        *cushion,
        ("to", to),
    )
    # What the own ball felled is bounded by what the others did: that the stroke says itself.
    by_own = (("own_pins", Open()), *((("own_inner", Open()),) * bool(inner)), ("own_red", Open()))
    strokes = (
        Offer(Pins, (("n", Between(0, MOST)), ("to", to), ("given", Between(0, MOST)))),
        Offer(Felled, felled),
        Offer(Felled, (*felled, *by_own)),
        Offer(EndVisit),
    )
    return _offers(frame, strokes)


def _offers(frame: SetState, strokes: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """What `frame.after` accepts; strokes where one may be played.

    An adjustment is offered without bounds: which positions it may set, it says itself.
    """
    if frame.result is not None:
        return ()
    if frame.ending is not None:
        return (Offer(Ok), CONDUCT, *MATCH_LOST)
    always = (CONDUCT, *MATCH_LOST, ABSENCE, ADJUST)
    time_up = () if frame.goal is not None or frame.drawn else (Offer(TimeUp),)
    if frame.drawn:
        return (Offer(Award, (("side", EITHER), ("why", OneOf(("", "absence"))))), *always)
    if frame.option is not None:
        return (Offer(Pick, (("choice", OneOf(frame.option.choices)),)), *time_up, *always)
    return (*strokes, *time_up, *_clock(frame), *always)


def _clock(frame: SetState) -> tuple[Offer, ...]:
    if not frame.terms.clock:
        return ()
    left = frame.carry.timeouts[frame.turn.place]
    return (Offer(ShotClock), Offer(Timeout)) if left else (Offer(ShotClock),)
