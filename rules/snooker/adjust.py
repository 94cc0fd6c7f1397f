"""A frame put right by hand, or taken up where it stands."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.entries import Adjust
from rules.errors import BadNotation, Code, NotAllowed
from rules.frame import Option
from rules.position import fields_of, with_fields
from rules.record import Fields
from rules.sides import Pair
from rules.snooker import pairs
from rules.snooker.ends import closed
from rules.snooker.position import Cue, Position, Tie
from rules.snooker.state import DRAW_CHOICE, FIFTY, FrameState, S
from rules.snooker.table import BLACK_ONLY, COLOURS, Table
from rules.snooker.terms import Misses

MOST_BREAK = 155
"""A free ball with a black, fifteen reds with blacks, and all colours."""


def position_of(frame: FrameState) -> Position:
    """Where a frame stands."""
    table = frame.table
    return Position(
        score=frame.score,
        reds=table.reds,
        colours=table.colours,
        any_colour=table.any_colour,
        turn=frame.turn,
        cue=table.cue,
        free=table.free,
        tie=frame.tie,
        run=frame.run,
        breaks=_breaks(frame),
        members=frame.members,
        out_of_turn=frame.out_of_turn,
    )


def _breaks(frame: FrameState) -> Pair[tuple[int, ...]]:
    """The breaks of fifty or more, and the best one below, of each side."""
    a, b = (
        (*runs, lesser) if lesser else runs
        for runs, lesser in zip(frame.breaks, frame.lesser, strict=True)
    )
    return a, b


def text_of(frame: FrameState) -> Fields:
    """The position as text, what differs from a fresh frame."""
    cue = Cue.TABLE if _played(frame) else Cue.HAND
    carry, reds = frame.carry, frame.terms.reds
    fresh = Position(
        score=carry.handicap, reds=reds, turn=frame.opener, cue=cue, members=carry.order
    )
    return fields_of(position_of(frame), fresh)


def _played(frame: FrameState) -> bool:
    """Whether the balls show that a stroke was played."""
    table = frame.table
    return table.reds != frame.terms.reds or table.colours != COLOURS or table.any_colour


def taken_up(frame: S, changes: Fields) -> S:
    """A fresh frame set to where it stands.

    Raises:
        BadNotation: no such field or value.
        NotAllowed: a position that cannot be in play.
    """
    frame = _set(frame, changes, Adjust(changes))
    if "cue" not in dict(changes) and _played(frame) and not frame.drawing:
        frame = replace(frame, table=replace(frame.table, cue=Cue.TABLE))
    return replace(frame, begun=_played(frame) or frame.turn is not frame.opener)


def adjusted(frame: S, entry: Adjust) -> S:
    """The given fields put right, all else as it was; a frame never ends by it.

    Where the other side is to play, the visit in play is over, its misses, and its break if none
    is given. While a replay may be asked for, the balls of that stroke are put right with those at
    hand. In a frame not yet begun other members are the order of play (WPBSA section 3,
    four-handed game).

    Raises:
        NotAllowed: no such field or value, or a position that cannot be in play.
    """
    try:
        after = _set(frame, entry.changes, entry)
    except BadNotation as error:
        raise NotAllowed(Code.BAD_POSITION, entry, str(error)) from None
    if frame.choosing and frame.replay is not None:
        after = replace(after, replay=_stroke_before(frame, frame.replay, after.table))
    if frame.begun or "members" not in dict(entry.changes):
        return after
    return replace(after, carry=replace(after.carry, order=after.members))


def _stroke_before(frame: FrameState, stroke: Table, right: Table) -> Table:
    """The balls of a stroke that may be replayed: those that are right now, and what it took."""
    whole = right.colours == COLOURS
    reds = right.reds
    if whole and reds is not None and stroke.reds is not None and frame.table.reds is not None:
        reds = min(reds + stroke.reds - frame.table.reds, frame.terms.reds)
    known = whole and reds is not None
    return replace(stroke, reds=reds, colours=right.colours, any_colour=stroke.any_colour and known)


def _left(frame: S, changes: Fields) -> S:
    """The visit in play is over where the changes send the other side to the table."""
    given = dict(changes)
    turn = with_fields(Position(turn=frame.turn), changes).turn or frame.opener
    if turn is frame.turn:
        return frame
    frame = frame if "run" in given else closed(frame)
    frame = replace(frame, misses=Misses(), replay=None, at_risk=False)
    return pairs.played(frame) if frame.begun and "members" not in given else frame


def _set(frame: S, changes: Fields, entry: Adjust) -> S:
    given = dict(changes)
    if not frame.choosing:
        frame = _left(frame, changes)
    old = position_of(frame)
    position = _completed(old, with_fields(old, changes), given)
    if frame.choosing and position.turn is not frame.turn:
        raise NotAllowed(Code.CHOICE_PENDING, entry, "turn")
    for field in _wrong(frame, position, given):
        raise NotAllowed(Code.BAD_POSITION, entry, field)
    free = position.free and not position.any_colour and _objects(position) > 1
    frame = replace(
        frame,
        score=position.score,
        turn=position.turn or frame.opener,
        run=position.run,
        breaks=_fifties(position.breaks),
        lesser=_lesser(frame.lesser, position.breaks),
        members=position.members,
        out_of_turn=position.out_of_turn,
        adds_red=False,
        table=Table(
            position.reds,
            position.colours,
            any_colour=position.any_colour,
            cue=position.cue or (Cue.TABLE if frame.begun else Cue.HAND),
            free=free,
        ),
    )
    return _tied(frame, position.tie)


def _fifties(breaks: Pair[tuple[int, ...]]) -> Pair[tuple[int, ...]]:
    a, b = (tuple(run for run in side if run >= FIFTY) for side in breaks)
    return a, b


def _lesser(old: Pair[int], breaks: Pair[tuple[int, ...]]) -> Pair[int]:
    """Of each side the best break below fifty; as it was where none such is given."""
    a, b = (
        max((run for run in side if run < FIFTY), default=before)
        for before, side in zip(old, breaks, strict=True)
    )
    return a, b


def _completed(old: Position, new: Position, given: dict[str, str]) -> Position:
    """The position with what follows from the given fields: the phase from reds and colours."""
    if not given.keys() & {"reds", "colours"}:
        return new
    reds, colours, any_colour = new.reds, new.colours, new.any_colour
    if "reds" not in given and reds is None and colours != COLOURS:
        reds = 0
    if "colours" not in given and reds != 0:
        colours = COLOURS
    if "any_colour" not in given:
        any_colour = False
    tie = new.tie if "tie" in given or old.tie is Tie.NO else old.tie
    return replace(new, reds=reds, colours=colours, any_colour=any_colour, tie=tie)


def _objects(position: Position) -> int:
    return (position.reds or 0) + len(position.colours)


def _level_on_black(position: Position) -> bool:
    a, b = position.score
    return a == b and position.reds == 0 and position.colours == BLACK_ONLY


def _wrong(frame: FrameState, position: Position, given: dict[str, str]) -> Iterator[str]:
    """The fields that no frame in play has."""
    reds, colours = position.reds, position.colours
    complete = colours == COLOURS
    runs = [run for side in position.breaks for run in side]
    free = "free" in given and position.free
    for wrong, field in (
        (min(position.score) < min(0, *frame.carry.handicap), "score"),
        (reds is not None and not 0 <= reds <= frame.terms.reds, "reds"),
        (reds is None and "colours" in given, "reds"),
        (not colours or colours != COLOURS[-len(colours) :], "colours"),
        (reds != 0 and not complete, "colours"),
        (position.any_colour and (reds is None or not complete), "any_colour"),
        (position.any_colour and frame.choosing, "any_colour"),
        (free and (position.any_colour or frame.choosing or _objects(position) < 2), "free"),
        (free and reds is None, "free"),
        ("tie" in given and position.tie is not Tie.NO and not _level_on_black(position), "tie"),
        ("tie" in given and position.tie is not Tie.NO and frame.choosing, "tie"),
        (not 0 <= position.run <= (0 if frame.choosing else MOST_BREAK), "run"),
        (any(not 1 <= run <= MOST_BREAK for run in runs), "breaks"),
        (not pairs.there_are(position.members, frame.carry.sizes), "members"),
        (position.out_of_turn and frame.carry.sizes != pairs.PAIRS, "out_of_turn"),
    ):
        if wrong:
            yield field


def _tied(frame: S, tie: Tie) -> S:
    """With the black that breaks a tie, unless the scores are level no more."""
    if tie is Tie.NO or not (frame.lead == 0 and frame.table.black_only):
        option = None if frame.drawing else frame.option
        return replace(frame, tie=Tie.NO, option=option)
    option = Option(DRAW_CHOICE, ("A", "B"), None) if tie is Tie.DRAW else frame.option
    if tie is Tie.BLACK and frame.drawing:
        option = None
    return replace(frame, tie=tie, option=option)
