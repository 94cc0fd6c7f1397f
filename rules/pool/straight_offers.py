"""What may be entered in a game of 14.1."""

from collections.abc import Iterator

from rules.entries import EndVisit, Entry, First, Interval, ShotClock, Stalemate, Void
from rules.frame import EITHER, LAG, YES_NO, Between, Offer, OneOf, Open
from rules.pool.entries import (
    Case,
    Fifteenth,
    Foul,
    InTheWay,
    Left,
    Pot,
    Safe,
    Short,
    VisitEnd,
    WholeVisit,
)
from rules.pool.offers import (
    BY_THE_REFEREE,
    KIND,
    by_the_referee,
    offer,
    seated_foul,
    timeouts,
)
from rules.pool.position import Cue
from rules.pool.straight_state import StraightState

CUE_TO: dict[Fifteenth | None, Cue] = {
    Fifteenth.BEYOND: Cue.KITCHEN,
    Fifteenth.BEHIND: Cue.HEAD,
    Fifteenth.HEAD_SPOT: Cue.CENTRE,
}
"""Where a cue ball goes that is in the way of the rack, by where the 15th ball lies."""

_OF_BOTH = Case(InTheWay.BOTH)
CASES = (
    Case(InTheWay.FIFTEENTH),
    Case(InTheWay.FIFTEENTH, blocked=True),
    Case(InTheWay.APEX),
    Case(InTheWay.MOVED),
    _OF_BOTH,
    *(Case(InTheWay.CUE_BALL, fifteenth=lies) for lies in Fifteenth),
)
"""What can be in the way of racking again."""

_RACK = 15

LEAST = 2
"""Object balls on the table between shots: with one left they are racked again."""

_GRANTED = Offer(Interval, (("side", EITHER), ("granted", OneOf((True,)))))


def visit_points(on_table: int, entry: WholeVisit) -> int | None:
    """The balls made in a visit that is entered at once; none if it cannot be."""
    if entry.reracks < 0 or entry.cleared < 0:
        return None
    points = on_table - entry.left + 14 * entry.reracks + 15 * entry.cleared
    return points if points >= 0 else None


class VisitOffer(Offer, frozen=True):
    """A whole visit: which balls left and how many re-racks go together hangs on the points.

    `on_table` balls are there now, `to_go` is what wins.
    """

    on_table: int = _RACK
    to_go: int = 1

    def covers(self, entry: Entry) -> bool:
        """Whether it is a visit that ends short of the target, or one that wins just so."""
        points = visit_points(self.on_table, entry) if isinstance(entry, WholeVisit) else None
        if points is None or not isinstance(entry, WholeVisit):
            return False
        if entry.end is VisitEnd.WIN:
            return points == self.to_go and 0 <= entry.left <= _RACK
        return points < self.to_go and LEAST <= entry.left <= _RACK

    def at_bounds(self) -> Iterator[Entry]:
        """No ball, one of each end, and the longest that wins."""
        for end in VisitEnd:
            for left in (self.on_table, self.on_table - 1):
                some = WholeVisit(left, end)
                if self.covers(some):
                    yield some
            for reracks, left in self._longest(end):
                yield WholeVisit(left, end, reracks)

    def _longest(self, end: VisitEnd) -> Iterator[tuple[int, int]]:
        points = self.to_go if end is VisitEnd.WIN else self.to_go - 1
        for reracks in range(points // 14 + 2):
            left = self.on_table - points + 14 * reracks
            if self.covers(WholeVisit(left, end, reracks)):
                yield reracks, left
                return


def offers(frame: StraightState) -> tuple[Offer, ...]:
    """What `frame.after` accepts: kinds of entries with the bounds of their fields."""
    if frame.result is not None:
        return ()
    if frame.lagging:
        lag = LAG if frame.lag_winner is None else ()
        return (offer(First, side=EITHER), *lag, *BY_THE_REFEREE)
    return tuple(_in_play(frame))


def _in_play(frame: StraightState) -> Iterator[Offer]:
    yield from by_the_referee(frame)
    yield Offer(Stalemate)
    yield offer(Void, how=OneOf(("keep", "restart")))
    if frame.pause_now:
        yield from timeouts(frame)
        yield _GRANTED
    if frame.option is not None:
        return
    yield from (Offer(EndVisit), Offer(Safe), Offer(ShotClock))
    yield offer(Pot, n=Between(1, frame.left))
    yield offer(Left, n=Between(0, frame.left - 1))
    by_player = OneOf((None, frame.turn))
    yield offer(Foul, scratch=YES_NO, kind=KIND, unwarned=YES_NO, by=by_player)
    yield seated_foul(frame)
    if frame.opening:
        yield offer(Short, scratch=YES_NO)
    bounds = (("left", Between(0, _RACK)), ("end", OneOf(tuple(VisitEnd))))
    again = (("reracks", Open()), ("cleared", Open()))
    to_go = frame.to_go(frame.turn)
    yield VisitOffer(WholeVisit, (*bounds, *again), on_table=frame.left, to_go=to_go)
    if frame.racked is not None and frame.case is None:
        yield from (_case(one) for one in CASES if frame.racked or one == _OF_BOTH)


def _case(case: Case) -> Offer:
    return offer(
        Case,
        what=OneOf((case.what,)),
        blocked=OneOf((case.blocked,)),
        fifteenth=OneOf((case.fifteenth,)),
    )
