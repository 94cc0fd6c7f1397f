"""What may be entered in a set of a series game."""

from rules.carom.entries import Foul, Frozen, Points, Run
from rules.carom.state import SeriesState
from rules.entries import (
    Adjust,
    Award,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Ok,
    Pick,
    Scope,
    ShotClock,
    Timeout,
    TimeUp,
)
from rules.frame import DISQUALIFIED, Between, Offer, OneOf, Open
from rules.sides import Side

MOST = 9999
"""The most points of one entry where no target bounds it; more than any run on record."""

_EITHER = OneOf(tuple(Side))
_OFF_THE_TABLE = (
    Offer(Conduct, (("side", OneOf((None, *Side))), ("grave", OneOf((False, True))))),
    Offer(Concede, (("side", _EITHER), ("scope", OneOf((Scope.MATCH,))))),
    Offer(Disqualify, (("sides", OneOf(DISQUALIFIED)),)),
)
_ABSENCE = Offer(Award, (("side", _EITHER), ("why", OneOf(("absence",)))))
_ADJUST = Offer(Adjust, (("changes", Open()), ("why", Open())))


def offers(frame: SeriesState) -> tuple[Offer, ...]:
    """What `frame.after` accepts: kinds of entries with the bounds of their fields.

    An adjustment is offered without bounds: which positions it may set, it says itself.
    """
    if frame.result is not None:
        return ()
    if frame.ending is not None:
        return (Offer(Ok), *_OFF_THE_TABLE)
    always = (*_OFF_THE_TABLE, _ABSENCE, _ADJUST)
    time_up = () if frame.goal is not None or frame.drawn else (Offer(TimeUp),)
    if frame.drawn:
        return (Offer(Award, (("side", _EITHER), ("why", OneOf(("", "absence"))))), *always)
    if frame.option is not None:
        return (Offer(Pick, (("choice", OneOf(frame.option.choices)),)), *time_up, *always)
    return (*_strokes(frame), *time_up, *_clock(frame), *always)


def _strokes(frame: SeriesState) -> tuple[Offer, ...]:
    most = frame.remaining
    most = MOST if most is None or frame.terms.overshoot == "cap" else min(most, MOST)
    return (
        Offer(Points, (("n", Between(1, most)),)),
        Offer(Run, (("n", Between(0, most)),)),
        Offer(EndVisit),
        Offer(Foul, (("off_table", OneOf((False, True))),)),
        Offer(Frozen),
    )


def _clock(frame: SeriesState) -> tuple[Offer, ...]:
    if not frame.terms.clock:
        return ()
    left = frame.carry.timeouts[frame.turn.place]
    return (Offer(ShotClock), Offer(Timeout)) if left else (Offer(ShotClock),)
