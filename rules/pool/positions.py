"""Positions of the pool games: read, put right by hand, refused where they cannot be."""

from collections.abc import Iterable

from msgspec.structs import replace

from rules.entries import Adjust
from rules.errors import BadNotation, Code, NotAllowed
from rules.pool.position import Cue, Position
from rules.pool.state import F, PoolState
from rules.position import with_fields
from rules.record import Fields
from rules.sides import Side

SHARED = ("opening", "turn", "cue")
"""The fields that every pool game has."""


def changed(now: Position, changes: Fields, own: Iterable[str]) -> Position:
    """The position with the given fields in the place of its own.

    What goes with a change is changed too: where the break is still to come, or is no longer, the
    cue ball is where it then is.

    Raises:
        NotAllowed: a field that this game has not, or no value of it.
    """
    entry = Adjust(changes)
    known = (*SHARED, *own)
    for name, _ in changes:
        if name in Position.__struct_fields__ and name not in known:
            raise NotAllowed(Code.BAD_POSITION, entry, name)
    try:
        position = with_fields(now, changes)
    except BadNotation as error:
        raise NotAllowed(Code.BAD_POSITION, entry, str(error)) from None
    if position.opening != now.opening and "cue" not in dict(changes):
        position = replace(position, cue=None)
    return position


def refuse(changes: Fields, wrongs: Iterable[tuple[bool, str]]) -> None:
    """Refuse what cannot be.

    Raises:
        NotAllowed: with the first field that is wrong.
    """
    for wrong, field in wrongs:
        if wrong:
            raise NotAllowed(Code.BAD_POSITION, Adjust(changes), field)


def turn_of(frame: PoolState, position: Position) -> Side:
    """Who is at the table; the breaker where nobody is named."""
    return position.turn or frame.opener


def cue_of(position: Position, at_break: Cue = Cue.KITCHEN) -> Cue:
    """Where the cue ball may be put; as at a break, or from its place, where it is not said."""
    return position.cue or (at_break if position.opening else Cue.PLACE)


def shared(frame: PoolState, at_break: Cue = Cue.KITCHEN) -> Position:
    """The fields of a frame that every pool game has."""
    usual = at_break if frame.opening else Cue.PLACE
    return Position(
        opening=frame.opening,
        turn=None if frame.turn is frame.opener else frame.turn,
        cue=None if frame.cue is usual else frame.cue,
    )


def wrong_break(
    frame: PoolState, position: Position, at_break: Cue = Cue.KITCHEN
) -> tuple[tuple[bool, str], ...]:
    """What cannot be while the break is still to come."""
    if not position.opening:
        return ()
    return (
        (turn_of(frame, position) is not frame.opener, "turn"),
        (cue_of(position, at_break) is not at_break, "cue"),
    )


def taken_up(frame: F, position: Position, changes: Fields, at_break: Cue = Cue.KITCHEN) -> F:
    """The frame with the fields of a position that every pool game has.

    A choice that is open stays so, unless it is said who plays, or from where. Who has run the
    table is no longer known.
    """
    keeps = not {name for name, _ in changes} & set(SHARED)
    return replace(
        frame,
        opening=position.opening,
        turn=turn_of(frame, position),
        cue=cue_of(position, at_break),
        visits=frame.visits if keeps else 0 if position.opening else None,
        option=frame.option if keeps else None,
    )
