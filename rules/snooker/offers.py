"""What may be entered in a frame of snooker."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.entries import (
    Award,
    Breaker,
    Concede,
    Conduct,
    EndVisit,
    First,
    Pick,
    ShotClock,
    Stalemate,
    Void,
)
from rules.frame import (
    ADJUST,
    CONDUCT,
    EITHER,
    MATCH_LOST,
    YES_NO,
    Between,
    Bound,
    Offer,
    OneOf,
    SomeOf,
)
from rules.sides import Side
from rules.snooker.choices import offers_free
from rules.snooker.ends import MOST_LEAD, PINK
from rules.snooker.entries import (
    AddRed,
    Ball,
    Claim,
    Colour,
    Concerned,
    Foul,
    FreeBall,
    How,
    LastBlack,
    Mark,
    Pot,
    Reds,
    Touching,
    VisitTotal,
)
from rules.snooker.fouls import costs_seven
from rules.snooker.pairs import PAIRS
from rules.snooker.state import FrameState
from rules.snooker.strokes import total_bounds
from rules.snooker.table import COLOURS, LEAST_FOUL, MOST_FOUL, VALUE, Table
from rules.snooker.terms import Conceding

_VOID = Offer(Void)
_BREAKER = Offer(Breaker, (("side", EITHER),))
_TOUCHING = Offer(Touching, (("on", YES_NO),))
_STALEMATE = Offer(Stalemate, (("step", OneOf(("", "warn", "clear"))),))
_COLOURS = OneOf(COLOURS)
_BALLS = tuple(Concerned(how, ball) for how in How for ball in Ball)
_NEEDS = ((Mark.FULL, Mark.MISS), (Mark.FORCE, Mark.MISS))
_SINGLES = tuple(mark for mark in Mark if mark is not Mark.OUT_OF_TURN)


def offers(frame: FrameState) -> tuple[Offer, ...]:
    """What `frame.after` accepts: kinds of entries with the bounds of their fields.

    An adjustment is offered without bounds: which positions it may set, it says itself.
    """
    if frame.result is not None:
        taken = frame.black_taken or frame.result.reason != PINK
        return () if taken else (Offer(LastBlack),)
    if frame.drawing:
        return (
            *_black_first(frame),
            Offer(Conduct, (("side", EITHER), ("grave", YES_NO))),
            Offer(Concede, (("side", EITHER),)),
            *_by_the_referee(frame),
        )
    choice = (
        (Offer(Pick, (("choice", OneOf(frame.option.choices)),)),)
        if frame.option is not None
        else ()
    )
    return (
        *choice,
        *_strokes(frame),
        *_fouls(frame),
        *_claim(frame),
        Offer(ShotClock),
        CONDUCT,
        Offer(Concede, (("side", _conceding(frame)),)),
        _STALEMATE,
        *_by_the_referee(frame),
    )


def _black_first(frame: FrameState) -> Iterator[Offer]:
    """Who plays the re-spotted black; of several members the side says which."""
    for side, size in zip(Side, frame.carry.sizes, strict=True):
        members = OneOf((None, *range(1, size + 1)))
        yield Offer(First, (("side", OneOf((side,))), ("member", members)))


def _conceding(frame: FrameState) -> OneOf:
    return OneOf((frame.at_table,)) if frame.terms.concede is Conceding.STRIKER else EITHER


def _by_the_referee(frame: FrameState) -> Iterator[Offer]:
    """What needs no stroke; a forfeit only where the table, which it awards, is known."""
    whys = ["", "absence"]
    if not frame.drawing:
        whys.append("aggravated")
    if frame.terms.forfeit and frame.table.reds is not None:
        whys.append("forfeit")
    yield Offer(Award, (("side", EITHER), ("why", OneOf(tuple(whys)))))
    yield from (*MATCH_LOST, _VOID, _BREAKER, ADJUST, _TOUCHING)


def _claim(frame: FrameState) -> Iterator[Offer]:
    if may_claim(frame):
        yield Offer(Claim)


def may_claim(frame: FrameState) -> bool:
    """Whether the striker leads by more than the black is worth, and it alone is left."""
    lead = frame.lead if frame.turn is Side.A else -frame.lead
    waits = frame.option is None and not frame.terms.auto_end_pink
    return waits and frame.table.black_only and lead > MOST_LEAD


def _at_stake(frame: FrameState) -> Table:
    """The table for whoever plays on, with the free ball that is among the choices."""
    return replace(frame.table, free=True) if offers_free(frame) else frame.table


def _strokes(frame: FrameState) -> Iterator[Offer]:
    table = _at_stake(frame)
    yield Offer(EndVisit)
    on = table.on
    if on is Ball.RED:
        yield Offer(Reds, (("n", Between(1, table.reds or 0)),))
    elif table.any_colour:
        yield Offer(Pot, (("colour", _COLOURS),))
    elif on is not None:
        yield Offer(Pot, (("colour", OneOf((Colour(on),))),))
    if frame.adds_red and table.reds:
        yield Offer(AddRed)
    if table.free and on is not None and table.objects > 1:
        yield _free_ball(table, on)
    if not frame.run:
        yield from _totals(frame, table)


def _free_ball(table: Table, on: Ball) -> Offer:
    named = [ball for ball in map(Ball, table.colours) if ball is not on]
    fields: list[tuple[str, Bound]] = [
        ("nominated", OneOf((None, *named))),
        ("potted", YES_NO),
    ]
    if on is Ball.RED:
        fields.append(("reds", Between(0, table.reds or 0)))
    else:
        fields.append(("colour", OneOf((None, Colour(on)))))
    return Offer(FreeBall, tuple(fields))


def _totals(frame: FrameState, before: Table) -> Iterator[Offer]:
    """Whole visits: bare, and for each table that one can leave."""
    most = frame.terms.reds if before.reds is None else before.reds
    ways: list[tuple[Table | None, tuple[tuple[str, Bound], ...]]] = [(None, ())]
    ways += [(Table(reds), (("reds", OneOf((reds,))),)) for reds in range(1, most + 1)]
    for place, colour in enumerate(before.colours):
        ways.append((Table(0, before.colours[place:]), (("low", OneOf((colour,))),)))
    ways.append((Table(0, ()), (("cleared", OneOf((True,))),)))
    if before.black_only:
        yield Offer(VisitTotal, (("n", OneOf((0, VALUE[Ball.BLACK]))),))
        del ways[0]
    for after, fields in ways:
        least, greatest = total_bounds(before, after)
        if least <= greatest:
            yield Offer(VisitTotal, (("n", Between(least, greatest)), *fields))


def _marks(frame: FrameState) -> tuple[Mark, ...]:
    """What may be said of a foul; that a partner played out of turn in pairs only."""
    return tuple(Mark) if frame.carry.sizes == PAIRS else _SINGLES


def _fouls(frame: FrameState) -> Iterator[Offer]:
    """Fouls by what is said of them: the balls, the colour named, a mark, or just the value."""
    table, hides = frame.table, frame.terms.hide_rule
    most = frame.terms.reds if table.reds is None else table.reds
    least = LEAST_FOUL if table.on is None else max(LEAST_FOUL, VALUE[table.on])
    reds = ("reds", Between(0, most))
    anybody = ("by", OneOf((None, *Side)))
    value = ("value", Between(least, MOST_FOUL))
    yield Offer(Foul, (reds, value, ("marks", _valueless(frame)), anybody))
    balls, hidden = (
        ("balls", SomeOf(_BALLS)),
        ("hidden", OneOf((None, *Ball) if hides else (None,))),
    )
    marks = ("marks", SomeOf(_marks(frame), _NEEDS))
    if table.reds is not None and not table.any_colour:
        yield Offer(Foul, (reds, balls, hidden, marks, anybody))
        return
    if table.any_colour:
        yield from _with_any_colour(frame, reds, hidden)
    seven = ("marks", SomeOf(_marks(frame), _NEEDS, _seven(frame)))
    yield Offer(Foul, (reds, balls, hidden, seven, anybody))
    if hides:
        yield Offer(Foul, (reds, balls, ("hidden", OneOf(tuple(Ball))), marks, anybody))


def _with_any_colour(frame: FrameState, *shared: tuple[str, Bound]) -> Iterator[Offer]:
    """Where any colour is on: with the one that was named, or none and the balls that were met."""
    some = _marks(frame)
    balls, marks = ("balls", SomeOf(_BALLS)), ("marks", SomeOf(some, _NEEDS))
    mine = ("by", OneOf((None, frame.at_table)))
    other = ("by", OneOf((frame.at_table.other,)))
    yield Offer(Foul, (("nominated", _COLOURS), balls, *shared, marks, mine))
    yield Offer(Foul, (("nominated", OneOf((None, *COLOURS))), balls, *shared, marks, other))
    met = ("balls", SomeOf(_BALLS, must=_BALLS))
    yield Offer(Foul, (met, *shared, ("marks", SomeOf(some, _NEEDS, (Mark.NODECL,))), mine))


def _seven(frame: FrameState) -> tuple[Mark, ...]:
    """The marks that give a foul its value without a ball."""
    terms = frame.terms
    marks = [mark for mark in Mark if costs_seven(terms, (mark,))]
    if frame.table.any_colour and Mark.SUCC not in marks:
        marks.append(Mark.SUCC)
    return tuple(marks)


def _valueless(frame: FrameState) -> SomeOf:
    """The marks that say nothing of the value."""
    marks = tuple(
        mark
        for mark in _marks(frame)
        if mark not in (Mark.SUCC, Mark.NODECL) and not costs_seven(frame.terms, (mark,))
    )
    return SomeOf(marks, _NEEDS)
