"""Taking a set up at a position, at its beginning or put right by hand."""

from msgspec.structs import replace

from rules.carom.ends import goal_of
from rules.carom.position import Position, SeriesPosition
from rules.carom.state import S, SetState
from rules.carom.terms import Cause, SeriesTerms, ZoneState
from rules.carom.turns import run_ended
from rules.entries import Adjust
from rules.errors import BadNotation, Code, NotAllowed
from rules.position import field_names, fields_of, with_fields
from rules.record import Fields
from rules.sides import Side


def position_of(frame: SetState) -> Position:
    """Where a set stands."""
    kind = SeriesPosition if isinstance(frame.terms, SeriesTerms) else Position
    return kind(**{name: getattr(frame, name) for name in field_names(kind)})


def position_text(frame: SetState) -> Fields:
    """The set as text, what differs from its first moment."""
    position = position_of(frame)
    return fields_of(position, type(position)(turn=frame.opener))


def taken_up(frame: S, changes: Fields) -> S:
    """The set with some fields of its position changed; finished innings stay as entered.

    Raises:
        BadNotation: no such field or value.
        NotAllowed: a position that cannot be in play.
    """
    position = with_fields(position_of(frame), changes)
    if frame.run and position.turn is not frame.turn and "run" not in dict(changes):
        return taken_up(run_ended(frame), changes)
    goal, zone = None, ZoneState.FREE
    if isinstance(position, SeriesPosition):
        goal, zone = position.goal, position.zone
        if goal is not None and "goal" not in dict(changes):
            goal = goal_of(frame, position.score)
    wrong = (
        _wrong(frame, position, goal)
        or _wrong_goal(frame, position, goal)
        or _wrong_zone(frame, zone)
    )
    if wrong:
        raise NotAllowed(Code.BAD_POSITION, Adjust(changes), wrong)
    return replace(
        frame,
        score=position.score,
        innings=position.innings,
        turn=position.turn,
        run=position.run,
        strokes=max(position.run, frame.strokes if position.run == frame.run else 0),
        lie=position.lie,
        members=position.members,
        goal=goal,
        zone=zone,
    )


def adjusted(frame: S, changes: Fields, entry: Adjust) -> S:
    """The set put right by the referee's hand; a choice that is open stays open.

    Where the other side is to play and no run is given, the run in play is one that was made.

    Raises:
        NotAllowed: no such field or value, a position that cannot be in play, another turn while
            the side at the table has a choice, or a score below a run of this set, which would
            stay behind as the high run.
    """
    try:
        after = taken_up(frame, changes)
    except BadNotation as error:
        raise NotAllowed(Code.BAD_POSITION, entry, str(error)) from None
    if frame.option is not None and after.turn is not frame.turn:
        raise NotAllowed(Code.CHOICE_PENDING, entry, "turn")
    for runs, score in zip(after.runs, after.score, strict=True):
        best = max(runs, default=0)
        if score < best:
            raise NotAllowed(Code.BELOW_RUN, entry, str(best))
    return after


def _wrong(frame: SetState, position: Position, goal: int | None) -> str:
    """The field that makes a position one that cannot be in play."""
    a, b = position.innings
    mine = position.score[position.turn.place]
    most_run = mine if isinstance(position, SeriesPosition) else 0
    opener, limit = frame.opener, frame.terms.limit
    ahead = position.innings[opener.place] - position.innings[opener.other.place]
    members = zip(position.members, frame.carry.sizes, strict=True)
    for wrong, field in (
        (min(position.score) < 0, "score"),
        (min(a, b) < 0 or ahead != (position.turn is not opener), "innings"),
        (not 0 <= position.run <= most_run, "run"),
        (_finished(frame, position, goal), "score"),
        (limit is not None and max(a, b) > limit, "innings"),
        (limit is not None and min(a, b) >= limit, "innings"),
        (any(not 1 <= member <= size for member, size in members), "members"),
    ):
        if wrong:
            return field
    return ""


def _wrong_goal(frame: SetState, position: Position, goal: int | None) -> str:
    """The field that makes an equalising inning one that cannot be.

    It answers the opener's target or his lead at the end of time, and goes on doing so.
    """
    if goal is None:
        return ""
    opener, terms = frame.opener.place, frame.terms
    target, score = frame.target[opener], position.score[opener]
    if frame.goal is not None and (score == target) != (frame.score[opener] == target):
        return "score"
    cause = Cause.TARGET if score == target else Cause.TIME
    granted = isinstance(terms, SeriesTerms) and cause in terms.eq_causes
    answering = position.turn is not frame.opener and position.score[position.turn.place] < goal
    return "" if granted and answering and goal == goal_of(frame, position.score) else "goal"


def _wrong_zone(frame: SetState, zone: ZoneState) -> str:
    shots = frame.terms.zone_shots if isinstance(frame.terms, SeriesTerms) else 0
    most = {ZoneState.FREE: 0, ZoneState.MUST_EXIT: 1, ZoneState.ENTERED: 2}
    return "zone" if most[zone] > shots else ""


def _finished(frame: SetState, position: Position, goal: int | None) -> bool:
    """Whether a target is reached, but for the opener's while he is answered, or passed."""
    for side in Side:
        target, score = frame.target[side.place], position.score[side.place]
        if target is None:
            continue
        if goal is None:
            wrong = score >= target
        elif side is position.turn:
            wrong = score >= target or goal > target
        else:
            wrong = score > target
        if wrong:
            return True
    return False
