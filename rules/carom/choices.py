"""The choices of carom: which there are, and what they do to the balls."""

from msgspec import Struct
from msgspec.structs import replace

from rules.carom import zones
from rules.carom.state import S
from rules.carom.terms import FrozenRule, Lie, SeriesTerms, ZoneState
from rules.entries import Entry
from rules.errors import Code, NotAllowed
from rules.frame import Option


class _Does(Struct, frozen=True):
    """What a choice does: balls that are spotted lie otherwise, and then no zone binds."""

    lie: Lie | None = None
    frees: bool = False


_CHOICES = {
    "play": _Does(),
    "as_is": _Does(),
    "respot_all": _Does(Lie.START, frees=True),
    "respot_touching": _Does(Lie.TOUCHING, frees=True),
    "start": _Does(Lie.START, frees=True),
    "place": _Does(Lie.PLACED, frees=True),
    "zone_in": _Does(),
    "zone_out": _Does(frees=True),
    "free_ball_as_is": _Does(),
    "free_ball_spot_opp": _Does(Lie.PLACED, frees=True),
}


def picked(frame: S, choice: str, entry: Entry) -> S:
    """After the choice that somebody has made.

    Raises:
        NotAllowed: none is open, or not this one.
    """
    option = frame.option
    if option is None:
        raise NotAllowed(Code.NO_CHOICE_PENDING, entry)
    if choice not in option.choices:
        raise NotAllowed(Code.NOT_AN_OPTION, entry)
    frame = replace(frame, option=None)
    if choice == "zone_in":
        assert isinstance(frame.terms, SeriesTerms)
        return zones.on_line_inside(frame, frame.terms)
    does = _CHOICES[choice]
    zone = ZoneState.FREE if does.frees else frame.zone
    return replace(frame, lie=does.lie or frame.lie, zone=zone)


def frozen(frame: S, rule: FrozenRule) -> S:
    """The cue ball is frozen: the balls are spotted, or the player chooses (art. 15.5)."""
    if rule is FrozenRule.FORCED:
        return replace(frame, lie=Lie.START, zone=ZoneState.FREE)
    respot = "respot_all" if rule is FrozenRule.OPTION_ALL else "respot_touching"
    return replace(frame, option=Option("frozen", ("play", respot), frame.turn))


def free_ball(frame: S) -> S:
    """After a foul in the pins: his ball as it lies, or spotted in the other half (art. 48)."""
    choices = ("free_ball_as_is", "free_ball_spot_opp")
    return replace(frame, option=Option("free_ball", choices, frame.turn))


def after_clock(frame: S) -> S:
    """The shot clock ran out: the balls as they lie, or from the start."""
    return replace(frame, option=Option("clock", ("as_is", "start"), frame.turn))
