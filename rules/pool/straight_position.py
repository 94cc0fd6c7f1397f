"""Where a game of 14.1 stands, as text; taken up there, or put right by hand."""

from msgspec.structs import replace

from rules.pool import audit, positions
from rules.pool.position import Cue, Position
from rules.pool.straight_offers import LEAST
from rules.pool.straight_state import S, StraightState, run_closed
from rules.position import fields_of
from rules.record import Fields
from rules.sides import Pair

_OWN = ("score", "left", "fouls", "streak", "run")
_CUES = (Cue.PLACE, Cue.KITCHEN, Cue.HEAD, Cue.CENTRE)


def position_of(frame: StraightState) -> Position:
    """Where a game stands."""
    return replace(
        positions.shared(frame),
        score=frame.score,
        left=None if frame.left == audit.RACK else frame.left,
        fouls=frame.fouls,
        streak=None if frame.streak == _ones(frame.fouls) else frame.streak,
        run=frame.run,
    )


def text_of(frame: StraightState) -> Fields:
    """The game as text, what differs from its first moment."""
    return fields_of(position_of(frame), Position())


def taken_up(frame: S, changes: Fields) -> S:
    """The game taken up at a position: its scores are right.

    Raises:
        NotAllowed: a position that cannot be in play.
    """
    return audit.begun(_changed(frame, changes))


def adjusted(frame: S, changes: Fields) -> S:
    """The game with some fields of its position put right by hand.

    Where the other side is to play and no run is given, the visit in play is a finished one.

    Raises:
        NotAllowed: a position that cannot be in play.
    """
    fields = frozenset(name for name, _ in changes)
    after = _changed(frame, changes)
    if after.turn is not frame.turn and "run" not in fields:
        after = _changed(run_closed(frame), changes)
    return audit.corrected(frame, after, fields)


def _changed(frame: S, changes: Fields) -> S:
    names = dict(changes)
    position = positions.changed(position_of(frame), changes, _OWN)
    fouls = position.fouls
    if "streak" not in names:
        streak = _of_so_many(frame.streak, fouls)
    else:
        streak = _ones(fouls) if position.streak is None else position.streak
    if "streak" in names and "fouls" not in names:
        fouls = (len(streak[0]), len(streak[1]))
    left = audit.RACK if position.left is None else position.left
    terms, full = frame.terms, left == audit.RACK
    positions.refuse(
        changes,
        (
            *positions.wrong_break(frame, position),
            (not LEAST <= left <= audit.RACK or (position.opening and not full), "left"),
            (position.score[0] >= terms.target[0], "score"),
            (position.score[1] >= terms.target[1], "score"),
            (not all(0 <= count < terms.fouls_limit for count in fouls), "fouls"),
            (fouls != (len(streak[0]), len(streak[1])), "streak"),
            (any(price < 0 for side in streak for price in side), "streak"),
            (position.run < 0 or (position.opening and position.run > 0), "run"),
            (not position.opening and positions.cue_of(position) not in _CUES, "cue"),
        ),
    )
    return replace(
        positions.taken_up(frame, position, changes),
        score=position.score,
        left=left,
        fouls=fouls,
        streak=streak,
        run=position.run,
        racked=frame.racked if full else None,
    )


def _of_so_many(streak: Pair[tuple[int, ...]], fouls: Pair[int]) -> Pair[tuple[int, ...]]:
    """What so many fouls cost: those that are known as they were, each other one a point."""
    a, b = (
        (*known[:count], *(1,) * (count - len(known)))
        for known, count in zip(streak, fouls, strict=True)
    )
    return a, b


def _ones(fouls: Pair[int]) -> Pair[tuple[int, ...]]:
    """One point each, where nothing else is said."""
    return (1,) * fouls[0], (1,) * fouls[1]
