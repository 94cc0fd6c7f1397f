"""14.1, straight pool: one point a called ball, racked again when one is left (FPB S, WPA 5).

Balls that fall with a foul or not as called come back, so they are never counted.
"""

from msgspec.structs import replace

from rules.entries import (
    Adjust,
    EndVisit,
    Entry,
    First,
    Interval,
    Lag,
    Pick,
    ShotClock,
    Stalemate,
    Timeout,
    Void,
)
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import LAG, Carry, Frame, Notice, Offer, Option, offered
from rules.pool import announced, audit, straight_offers, straight_position
from rules.pool.entries import (
    Case,
    Foul,
    InTheWay,
    Kind,
    Left,
    Pot,
    Safe,
    Short,
    VisitEnd,
    WholeVisit,
)
from rules.pool.fouls import charged, cleared, taken
from rules.pool.position import Cue
from rules.pool.referee import decided, given, timed_out
from rules.pool.state import asked, choice_of, passed, turns_once_played_on, won
from rules.pool.straight_state import StraightState, closed, run_closed
from rules.pool.terms import Apex
from rules.record import Fields
from rules.sides import Pair, Side, added, with_side
from rules.stats import average

RACK = 15
"""Object balls in a full rack."""

BEHIND_RACK, RACKED = "behind_rack", "racked"
"""Where a 15th ball goes besides the spots."""


class StraightFrame(StraightState, frozen=True, kw_only=True):
    """A game of 14.1, to the target."""

    @property
    def situation(self) -> str:
        """`racked`: the balls were just racked again."""
        return "" if self.racked is None else "racked"

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return straight_offers.offers(self)

    def after(self, entry: Entry) -> "StraightFrame":
        """The game after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        found = decided(self, entry)
        if found is not None:
            return run_closed(found) if found.result is not None else found
        match entry:
            case Adjust(changes):
                return straight_position.adjusted(self, changes)
            case Timeout():
                return timed_out(self, entry, between=self.pause_now)
            case Interval(_, granted):
                return _interval(self, entry, granted=granted)
        if self.lagging:
            return _opener_found(self, entry)
        found = given(self, entry)
        if found is not None:
            return run_closed(found) if found.result is not None else found
        match entry:
            case Void() | Stalemate(""):
                return _annulled(self, entry)
            case Pick(choice):
                choice_of(self, choice, entry)
                return _rebreak(self) if choice == "rebreak" else _visit_over(self, self.cue)
        if self.option is not None:
            raise NotAllowed(Code.CHOICE_PENDING, entry)
        return _played(self, entry)

    def figures(self) -> Figures:
        """Its numbers for displays."""
        terms, carry = self.terms, self.carry
        over = self.result is not None
        balls = _both(carry.total_points, self.balls)
        innings = _both(carry.total_innings, self.innings)
        high = _highest(carry.high_runs, self.high)
        if not over:
            high = with_side(high, self.turn, max(high[self.turn.place], self.run))
        return replace(
            self.shared_figures(),
            targets=terms.target,
            to_go=(self.to_go(Side.A), self.to_go(Side.B)),
            innings=self.innings,
            averages=(
                average(balls[0], innings[0], terms.avg_dec),
                average(balls[1], innings[1], terms.avg_dec),
            ),
            high_runs=high,
            total_points=balls,
            total_innings=innings,
            fouls=self.fouls,
            fouls_limit=terms.fouls_limit,
            left=self.left,
            reracks=self.reracks,
            spot=self.spot,
            audit=self.audit or None,
            racked=None if over or self.racked is None else RACK - self.racked,
        )

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Fouls in a row, balls racked again, a high run passed, scores that do not add up."""
        assert isinstance(before, StraightFrame)
        return tuple(announced.of_straight(before, self, entry))

    def position(self) -> Fields:
        """The game as text, what differs from its first moment."""
        return straight_position.text_of(self)

    def handed_back(self) -> Carry:
        """The carry with this game's visits in its totals."""
        carry = self.carry
        return replace(
            carry,
            total_points=_both(carry.total_points, self.balls),
            total_innings=_both(carry.total_innings, self.innings),
            high_runs=_highest(carry.high_runs, self.high),
        )


def _both(a: Pair[int], b: Pair[int]) -> Pair[int]:
    return a[0] + b[0], a[1] + b[1]


def _highest(a: Pair[int], b: Pair[int]) -> Pair[int]:
    return max(a[0], b[0]), max(a[1], b[1])


def _visit_over(frame: StraightFrame, cue: Cue) -> StraightFrame:
    return passed(closed(frame), cue, option=None)


def _interval(frame: StraightFrame, entry: Interval, *, granted: bool) -> StraightFrame:
    if not frame.pause_now or frame.lagging:
        raise NotAllowed(Code.NOT_BETWEEN_RACKS, entry)
    if not granted:
        raise NotAllowed(Code.ASK_REFEREE, entry)
    return frame


def _opener_found(frame: StraightFrame, entry: Entry) -> StraightFrame:
    """The lag after a stalemate, and the choice of who won it."""
    match entry:
        case First(side, None):
            return _racked_anew(frame, side, voids_to=side)
        case Lag() if frame.lag_winner is None and offered(LAG, entry):
            option = Option("first", ("A", "B"), entry.won)
            return replace(frame, lag_winner=entry.won, option=option)
    raise NotAllowed(Code.FIRST_PENDING, entry)


def _racked_anew(frame: StraightFrame, opener: Side, **changes: Side) -> StraightFrame:
    """All fifteen are racked for another opening break; scores and counters stay."""
    return replace(
        frame,
        opener=opener,
        turn=opener,
        opening=True,
        cue=Cue.KITCHEN,
        booked=frame.booked + RACK - frame.left,
        left=RACK,
        extended=(0, 0),
        turns_left=None,
        racked=None,
        spot=None,
        case=None,
        option=None,
        lag_winner=None,
        shots=frame.shots + 1,
        **changes,
    )


def _annulled(frame: StraightFrame, entry: Void | Stalemate) -> StraightFrame:
    """A stalemate leads to another lag; a void game starts again, or keeps its scores (X-03)."""
    opener = frame.voids_to or frame.carry.scheduled
    match entry:
        case Stalemate():
            anew = _racked_anew(run_closed(frame), frame.turn)
            return replace(anew, option=Option("first", ("A", "B"), None))
        case Void("keep"):
            return _racked_anew(run_closed(frame), opener)
        case Void("restart"):
            return type(frame)(
                terms=frame.terms,
                carry=frame.carry,
                opener=opener,
                turn=opener,
                tally=frame.tally,
                voids_to=frame.voids_to,
                shots=frame.shots + 1,
            )
        case Void(""):
            raise NotAllowed(Code.ASK_REFEREE, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def _rebreak(frame: StraightFrame) -> StraightFrame:
    """The opponent demands another opening break, in the same visit."""
    return _racked_anew(frame, frame.opener)


def _played(frame: StraightFrame, entry: Entry) -> StraightFrame:
    """Shots, and what was in the way of the rack; with no choice open."""
    match entry:
        case Case():
            return _case(frame, entry)
        case Foul(n=None, money=False, lots=(), eight=None, by=by) if by not in (None, frame.turn):
            if entry.scratch:
                raise NotAllowed(Code.NOT_HERE, entry)
            return _foul_in_the_chair(frame, frame.turn.other, unwarned=entry.unwarned)
    turns = turns_once_played_on(frame)
    shot = replace(frame, racked=None, spot=None, case=None, turns_left=turns)
    match entry:
        case Pot(int() as n, False, (), None):
            return _potted(shot, n, entry)
        case Left(n) if n > frame.left:
            raise NotAllowed(Code.TOO_MANY_BALLS, entry, str(frame.left))
        case Left(n):
            return _potted(shot, frame.left - n, entry)
        case EndVisit() | Safe(()):
            return _visit_over(cleared(shot, shot.turn), Cue.PLACE)
        case ShotClock():
            return _foul(shot, Foul(kind=Kind.SLOW_PLAY))
        case Foul(n=None, money=False, lots=(), eight=None):
            return _foul(shot, entry)
        case Short(scratch) if frame.opening:
            return _short(shot, scratch=scratch)
        case WholeVisit():
            return _whole_visit(shot, entry)
        case Pot(None, False, (), None):
            raise NotAllowed(Code.BAD_COUNT, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def _scored(frame: StraightFrame, n: int) -> StraightFrame:
    """Balls made: they clear the counter of fouls. Beyond the target they count, or do not."""
    points = min(n, frame.to_go(frame.turn)) if frame.terms.cap_at_target else n
    return replace(
        cleared(frame, frame.turn),
        score=added(frame.score, frame.turn, points),
        run=frame.run + points,
        booked=frame.booked - (n - points),
    )


def _potted(frame: StraightFrame, n: int, entry: Pot | Left) -> StraightFrame:
    if n < 1:
        raise NotAllowed(Code.BAD_COUNT, entry)
    if n > frame.left:
        raise NotAllowed(Code.TOO_MANY_BALLS, entry, str(frame.left))
    left = frame.left - n
    after = replace(
        _scored(frame, n), left=left, opening=False, cue=Cue.PLACE, shots=frame.shots + 1
    )
    if after.to_go(after.turn) == 0:
        return won(closed(after), after.turn, "target")
    return _racked_again(after) if left <= 1 else after


def _racked_again(frame: StraightFrame) -> StraightFrame:
    """One ball is left and the others are racked, or none is and all are."""
    after = replace(
        frame,
        booked=frame.booked + RACK - frame.left,
        racked=frame.left,
        left=RACK,
        reracks=frame.reracks + 1,
        extended=(0, 0),
    )
    return audit.looked_at(after)


def _foul(frame: StraightFrame, entry: Foul) -> StraightFrame:
    """A foul by the player at the table."""
    side = frame.turn
    after, opens = charged(frame, side, frame.terms.foul_price, unwarned=entry.unwarned)
    if opens:
        return _racked_anew(closed(after), side)
    return _visit_over(after, _cue_after(scratch=entry.scratch))


def _cue_after(*, scratch: bool) -> Cue:
    """Where the cue ball is played from after a foul (FPB S-5.1.b, WPA 5)."""
    return Cue.KITCHEN if scratch else Cue.PLACE


def _foul_in_the_chair(frame: StraightFrame, side: Side, *, unwarned: bool) -> StraightFrame:
    """A foul by the player who is not at the table: it is no shot."""
    after, opens = charged(frame, side, frame.terms.foul_price, unwarned=unwarned)
    return _racked_anew(run_closed(after), side) if opens else after


def _short(frame: StraightFrame, *, scratch: bool) -> StraightFrame:
    """An opening break that missed its requirement: one penalty, the heavier (X-21)."""
    terms, side, price = frame.terms, frame.turn, frame.terms.short_price
    if terms.break_counts:
        after, opens = charged(frame, side, price)
    else:
        after, opens = taken(frame, side, price), False
    if opens:
        return _racked_anew(closed(after), side)
    cue = _cue_after(scratch=scratch)
    if not terms.break_choice:
        return _visit_over(after, cue)
    return asked(replace(after, cue=cue), "opening_short", ("accept", "rebreak"), side.other)


def _whole_visit(frame: StraightFrame, entry: WholeVisit) -> StraightFrame:
    """A visit entered at once: so many balls are left, so often they were racked again."""
    wins = entry.end is VisitEnd.WIN
    points = straight_offers.visit_points(frame.left, entry)
    least = 0 if wins else straight_offers.LEAST
    if points is None or not least <= entry.left <= RACK:
        raise NotAllowed(Code.BAD_COUNT, entry)
    to_go = frame.to_go(frame.turn)
    if wins and points != to_go:
        raise NotAllowed(Code.NOT_AT_TARGET, entry, str(to_go))
    if not wins and points >= to_go:
        raise NotAllowed(Code.OVER_TARGET, entry, str(to_go - 1))
    again = entry.reracks + entry.cleared
    after = replace(
        _scored(frame, points) if points else frame,
        left=entry.left,
        opening=False,
        cue=Cue.PLACE,
        reracks=frame.reracks + again,
        extended=(0, 0) if again else frame.extended,
    )
    after = replace(after, booked=after.booked + 14 * entry.reracks + 15 * entry.cleared)
    if again:
        after = audit.looked_at(after)
    match entry.end:
        case VisitEnd.WIN:
            return won(closed(after), after.turn, "target")
        case VisitEnd.FOUL | VisitEnd.SCRATCH:
            return _foul(after, Foul(scratch=entry.end is VisitEnd.SCRATCH))
    return _visit_over(cleared(after, after.turn), Cue.PLACE)


def _case(frame: StraightFrame, entry: Case) -> StraightFrame:
    """What was in the way of racking again, said once before the next shot (FPB S-7)."""
    terms, both = frame.terms, entry.what is InTheWay.BOTH
    if frame.racked is None or frame.case is not None:
        raise NotAllowed(Code.NO_RERACK, entry, str(frame.left))
    if entry not in straight_offers.CASES or (frame.racked == 0 and not both):
        raise NotAllowed(Code.NOT_HERE, entry)
    cue, spot = frame.cue, frame.spot
    match entry.what:
        case InTheWay.FIFTEENTH:
            spot = str(terms.spot_second if entry.blocked else terms.spot_first)
        case InTheWay.APEX:
            spot = RACKED if terms.apex is Apex.RACKED else str(terms.spot_first)
        case InTheWay.MOVED:
            spot = BEHIND_RACK
        case InTheWay.BOTH:
            cue, spot = Cue.KITCHEN, RACKED if frame.racked else None
        case InTheWay.CUE_BALL:
            cue = straight_offers.CUE_TO[entry.fifteenth]
    return replace(frame, cue=cue, spot=spot, case=entry.what)
