"""How a set ends (CBBS art. 17-19; UMB equalising inning, draws).

An end by target or time may first grant the opener's opponent an equalising inning from the
spots: nothing is booked until he has answered. The pins know none (art. 17.1). All other ends are
booked at once. The carom specification of this project counts them as rules 9 and 10.
"""

from msgspec.structs import replace

from rules.carom.state import S, SetState
from rules.carom.terms import Cause, Compare, Lie, SeriesTerms, ZoneState
from rules.entries import Scope
from rules.frame import Ending, Option, Result, Then
from rules.sides import Pair, Side


def leader(frame: SetState) -> Side | None:
    """Who leads, by points or, where targets differ or the terms say so, by ratio."""
    a, b = frame.score
    goal_a, goal_b = frame.target
    by_ratio = goal_a != goal_b or frame.terms.compare is Compare.RATIO
    if by_ratio and goal_a is not None and goal_b is not None:
        a, b = a * goal_b, b * goal_a
    if a == b:
        return None
    return Side.A if a > b else Side.B


def equaliser_due(frame: SetState, cause: Cause) -> bool:
    """Whether the opener is one inning ahead and leads, and the terms grant an answer."""
    terms, opener = frame.terms, frame.opener
    mine, others = frame.innings[opener.place], frame.innings[opener.other.place]
    return (
        isinstance(terms, SeriesTerms)
        and cause in terms.eq_causes
        and mine == others + 1
        and (mine == 1 or not terms.eq_first_inning_only)
        and leader(frame) is opener
    )


def target_reached(frame: S, by: Side) -> S:
    """A side has its target; the inning is closed."""
    return _ended(frame, Cause.TARGET, by)


def undecided(frame: S) -> S:
    """Both sides have their targets by one stroke, of which no text speaks: the referee decides."""
    return replace(frame, ending=Ending(Cause.TARGET, Then.DECISION))


def time_is_up(frame: S) -> S:
    """The time of the set is up; an inning with a point in it is closed."""
    return _ended(frame, Cause.TIME, leader(frame))


def innings_used_up(frame: S) -> S:
    """Both sides have had all their innings."""
    return _ended(frame, Cause.INNINGS, leader(frame))


def _ended(frame: S, cause: Cause, winner: Side | None) -> S:
    if equaliser_due(frame, cause):
        ending = Ending(cause, Then.EQUALISER, frame.opener.other)
        return replace(frame, ending=ending)
    return _booked(frame, winner, cause)


def confirmed(frame: S, ending: Ending) -> S:
    """OK at an end that is not booked: the equalising inning, or the referee's decision."""
    if ending.then is Then.EQUALISER:
        return equalising(frame)
    return replace(frame, ending=None, drawn=True, option=Option("drawn_set", ("A", "B"), None))


def goal_of(frame: SetState, score: Pair[int]) -> int:
    """The score that ties with the opener's (art. 17.1); with a handicap the least of his ratio.

    So his own target is what the other side answers a target with.
    """
    opener = frame.opener
    mine, own = frame.target[opener.place], frame.target[opener.other.place]
    goal = score[opener.place]
    return goal if mine is None or own is None else -(-goal * own // mine)


def equalising(frame: S) -> S:
    """The equalising inning begins, from the spots, with the goal that ties (art. 17.1)."""
    return replace(
        frame,
        ending=None,
        option=None,
        turn=frame.opener.other,
        lie=Lie.START,
        zone=ZoneState.FREE,
        goal=goal_of(frame, frame.score),
    )


def tied(frame: S) -> S:
    """The equalising inning answered: a draw."""
    return _booked(frame, None, "equalised")


def unanswered(frame: S) -> S:
    """The equalising inning failed: the opener wins."""
    return _booked(frame, frame.opener, "equaliser_failed")


def decided(frame: S, winner: Side) -> S:
    """The referee gives a drawn set to a side."""
    return _booked(replace(frame, drawn=False, option=None), winner, "decision")


def _booked(frame: S, winner: Side | None, reason: str) -> S:
    if winner is None and frame.terms.sets > 1:
        # A set must have a winner: the referee is asked once the draw is confirmed.
        return replace(frame, ending=Ending(reason, Then.DECISION))
    ending = Ending(reason, Then.NEXT_FRAME, winner)
    return replace(frame, ending=ending, result=Result(winner, reason, Scope.FRAME))
