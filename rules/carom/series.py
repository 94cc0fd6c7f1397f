"""A set of a series game: one side plays until it misses, points count one by one.

Transitions are those of the carom rules (CBBS part 2, art. 15-23; UMB chapter V): see
`rules.carom.ends` for how a set ends.
"""

from msgspec.structs import replace

from rules.carom import ends
from rules.carom.entries import Foul, Frozen, Points, Run
from rules.carom.offers import MOST, offers
from rules.carom.state import SeriesState
from rules.carom.terms import CaromCarry, CaromTerms, Cause, FrozenRule, LastInning, Lie, Position
from rules.entries import (
    Adjust,
    Award,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Entry,
    Ok,
    Pick,
    Scope,
    ShotClock,
    Timeout,
    TimeUp,
)
from rules.errors import BadNotation, Code, NotAllowed
from rules.figures import Figures
from rules.frame import (
    DISQUALIFIED,
    Carry,
    Ending,
    Frame,
    Notice,
    Offer,
    Option,
    Result,
    Then,
)
from rules.position import fields_of, with_fields
from rules.record import Fields
from rules.sides import Pair, Side, added, with_side
from rules.stats import average

_LIES = {
    "play": None,
    "as_is": None,
    "respot_all": Lie.START,
    "respot_touching": Lie.TOUCHING,
    "place": Lie.PLACED,
}
"""What a choice does to the balls."""


class SeriesFrame(SeriesState, frozen=True, kw_only=True):
    """A set, or the whole match where there is but one."""

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return offers(self)

    def after(self, entry: Entry) -> "SeriesFrame":
        """The set after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        match entry:
            case Conduct(side, grave):
                return _offended(self, side or self.turn, grave=grave)
            case Concede(side, Scope.MATCH):
                return _lost(self, side, "concession")
            case Disqualify(sides) if sides in DISQUALIFIED:
                winner = sides[0].other if len(sides) == 1 else None
                result = Result(winner, "disqualified", Scope.MATCH, by_conduct=True)
                return _match_ended(self, result)
        if self.ending is not None:
            if isinstance(entry, Ok) and self.result is None:
                return _confirmed(self, self.ending)
            raise NotAllowed(Code.OK_PENDING, entry, self.ending.cause)
        match entry:
            case Award(side, "absence"):
                return _lost(self, side.other, "absence")
            case Award(side, "") if self.drawn:
                return ends.decided(self, side)
            case Adjust(changes):
                return _adjusted(self, changes, entry)
            case TimeUp():
                return _time_up(self, entry)
            case Ok():
                raise NotAllowed(Code.NOTHING_TO_CONFIRM, entry)
            case Pick(choice) if not self.drawn:
                return _picked(self, choice, entry)
        if self.option is not None or self.drawn:
            raise NotAllowed(Code.CHOICE_PENDING, entry)
        return _played(self, entry)

    def figures(self) -> Figures:
        """Its numbers for displays."""
        terms, carry = self.terms, self.carry
        a, b = carry.total_points
        points = (a + self.score[0], b + self.score[1])
        a, b = carry.total_innings
        innings = (a + self.innings[0], b + self.innings[1])
        played = added(innings, self.turn, 1) if self.run else innings
        half_up = terms.avg_mode == "half_up"
        to_go: Pair[int | None] = (_to_go(self, Side.A), _to_go(self, Side.B))
        phase = "drawn" if self.drawn else "playing" if self.goal is None else "equaliser"
        return Figures(
            phase=phase,
            targets=self.target,
            to_go=to_go,
            goal=self.goal,
            innings=self.innings,
            innings_limit=terms.limit,
            averages=(
                average(points[0], played[0], terms.avg_dec, half_up=half_up),
                average(points[1], played[1], terms.avg_dec, half_up=half_up),
            ),
            high_runs=with_side(
                carry.high_runs, self.turn, max(carry.high_runs[self.turn.place], self.run)
            ),
            total_points=points,
            total_innings=innings,
            lie=self.lie,
            timeouts=carry.timeouts if terms.clock else None,
        )

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """ "Three to go", called when a point leaves just that many."""
        match entry:
            case Points() | Run() if self.turn is before.visit.side:
                if self.ending is None and self.remaining == self.terms.call_at:
                    return (Notice("to_go", self.turn, self.remaining),)
            case Timeout() | ShotClock():
                mine = self.carry.timeouts[before.visit.side.place]
                if mine < before.carry.timeouts[before.visit.side.place]:
                    return (Notice("timeout", before.visit.side, mine),)
            case Foul():
                return (Notice("foul", before.visit.side),)
        return ()

    def position(self) -> Fields:
        """The set as text, what differs from its first moment."""
        return fields_of(position_of(self), Position(turn=self.opener))

    def with_carry(self, carry: Carry) -> Frame:
        """With an offence counted that came after the end."""
        assert isinstance(carry, CaromCarry)
        return replace(self, carry=carry)

    def handed_back(self) -> Carry:
        """The carry with this set's points and innings in its totals."""
        figures = self.figures()
        assert figures.total_points is not None
        assert figures.total_innings is not None
        return replace(
            self.carry,
            total_points=figures.total_points,
            total_innings=figures.total_innings,
        )


def position_of(frame: SeriesFrame) -> Position:
    """Where a set stands."""
    return Position(
        score=frame.score,
        innings=frame.innings,
        turn=frame.turn,
        run=frame.run,
        lie=frame.lie,
        goal=frame.goal,
    )


def taken_up(frame: SeriesFrame, changes: Fields) -> SeriesFrame:
    """The set with some fields of its position changed; finished innings stay as entered.

    Raises:
        BadNotation: no such field or value.
        NotAllowed: a position that cannot be in play.
    """
    position = with_fields(position_of(frame), changes)
    entry = Adjust(changes)
    a, b = position.innings
    mine = position.score[position.turn.place]
    ahead = position.innings[frame.opener.place] - position.innings[frame.opener.other.place]
    goal = position.goal
    for wrong, field in (
        (min(position.score) < 0, "score"),
        (min(a, b) < 0 or ahead != (position.turn is not frame.opener), "innings"),
        (not 0 <= position.run <= mine, "run"),
        (goal is not None and (position.turn is frame.opener or mine >= goal), "goal"),
        (_finished(frame, position), "score"),
        (frame.terms.limit is not None and max(a, b) > frame.terms.limit, "innings"),
        (frame.terms.limit is not None and min(a, b) >= frame.terms.limit, "innings"),
    ):
        if wrong:
            raise NotAllowed(Code.BAD_POSITION, entry, field)
    return replace(
        frame,
        score=position.score,
        innings=position.innings,
        turn=position.turn,
        run=position.run,
        strokes=max(position.run, frame.strokes if position.run == frame.run else 0),
        lie=position.lie,
        goal=goal,
    )


def _finished(frame: SeriesFrame, position: Position) -> bool:
    """Whether a target is reached, but for the opener's while he is answered, or passed."""
    for side in Side:
        target, score = frame.target[side.place], position.score[side.place]
        if target is None:
            continue
        if position.goal is None:
            wrong = score >= target
        elif side is position.turn:
            wrong = score >= target or position.goal > target
        else:
            wrong = score > target
        if wrong:
            return True
    return False


def _to_go(frame: SeriesFrame, side: Side) -> int | None:
    target = frame.target[side.place]
    if frame.goal is not None and side is frame.turn:
        target = frame.goal
    return None if target is None else max(0, target - frame.score[side.place])


def _played(frame: SeriesFrame, entry: Entry) -> SeriesFrame:
    """Entries of a stroke, with nothing held and no choice open."""
    match entry:
        case Points(n, None):
            return _scored(frame, n, entry)
        case Run(n):
            scored = _scored(frame, n, entry) if n else frame
            return scored if scored.ending is not None else missed(scored, Lie.AS_IS)
        case EndVisit() | Foul(off_table=False):
            return missed(frame, Lie.AS_IS)
        case Foul(off_table=True):
            return missed(frame, Lie.START if frame.terms.offtable == "all" else Lie.OFFENDERS)
        case Frozen():
            return _frozen(frame)
        case ShotClock() if frame.terms.clock:
            if frame.terms.auto_to and frame.carry.timeouts[frame.turn.place]:
                return _timeout(frame, entry)
            return missed(frame, Lie.AS_IS)
        case Timeout(None) if frame.terms.clock:
            return _timeout(frame, entry)
        case ShotClock() | Timeout(None):
            raise NotAllowed(Code.NO_CLOCK, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def _scored(frame: SeriesFrame, n: int, entry: Entry) -> SeriesFrame:
    if not 1 <= n <= MOST:
        raise NotAllowed(Code.BAD_COUNT, entry)
    left = frame.remaining
    if left is not None and n > left:
        if frame.terms.overshoot == "refuse":
            raise NotAllowed(Code.OVER_TARGET, entry, str(left))
        n = left
    scored = replace(
        frame,
        score=added(frame.score, frame.turn, n),
        run=frame.run + n,
        strokes=frame.strokes + 1,
        lie=Lie.AS_IS,
    )
    if n != left:
        return scored
    closed = inning_closed(scored)
    if frame.goal is not None:
        return ends.tied(closed)
    return ends.ended(closed, Cause.TARGET)


def inning_closed(frame: SeriesFrame) -> SeriesFrame:
    """The open inning becomes a finished one."""
    turn, carry = frame.turn, frame.carry
    high = max(carry.high_runs[turn.place], frame.run)
    return replace(
        frame,
        innings=added(frame.innings, turn, 1),
        runs=with_side(frame.runs, turn, (*frame.runs[turn.place], frame.run)),
        carry=replace(carry, high_runs=with_side(carry.high_runs, turn, high)),
        run=0,
        strokes=0,
    )


def missed(frame: SeriesFrame, lie: Lie) -> SeriesFrame:
    """The inning is over, by a miss, a foul or the clock."""
    closed = inning_closed(frame)
    if closed.goal is not None:
        return ends.unanswered(closed)
    limit = closed.terms.limit
    if limit is not None and min(closed.innings) >= limit:
        return ends.ended(closed, Cause.INNINGS)
    turn = closed.turn.other
    last = limit is not None and max(closed.innings) == limit
    if last and closed.terms.last_from is LastInning.START:
        lie = Lie.START
    return replace(closed, turn=turn, lie=lie)


def _frozen(frame: SeriesFrame) -> SeriesFrame:
    rule = frame.terms.frozen
    if rule is FrozenRule.FORCED:
        return replace(frame, lie=Lie.START)
    respot = "respot_all" if rule is FrozenRule.OPTION_ALL else "respot_touching"
    return replace(frame, option=Option("frozen", ("play", respot), frame.turn))


def _picked(frame: SeriesFrame, choice: str, entry: Entry) -> SeriesFrame:
    if frame.option is None:
        raise NotAllowed(Code.NO_CHOICE_PENDING, entry)
    if choice not in frame.option.choices:
        raise NotAllowed(Code.NOT_AN_OPTION, entry)
    return replace(frame, option=None, lie=_LIES[choice] or frame.lie)


def _timeout(frame: SeriesFrame, entry: Entry) -> SeriesFrame:
    if not frame.carry.timeouts[frame.turn.place]:
        raise NotAllowed(Code.NO_TIMEOUT_LEFT, entry)
    left = added(frame.carry.timeouts, frame.turn, -1)
    return replace(frame, carry=replace(frame.carry, timeouts=left))


def _time_up(frame: SeriesFrame, entry: Entry) -> SeriesFrame:
    if frame.goal is not None:
        raise NotAllowed(Code.NOT_IN_EQUALISER, entry)
    if frame.drawn:
        raise NotAllowed(Code.CHOICE_PENDING, entry)
    closed = inning_closed(frame) if frame.strokes else frame
    return ends.ended(replace(closed, option=None), Cause.TIME)


def _confirmed(frame: SeriesFrame, ending: Ending) -> SeriesFrame:
    """OK at an end that is not booked: the equalising inning, or the referee's decision."""
    if ending.then is Then.EQUALISER:
        return ends.equalising(frame, Cause(ending.cause))
    return replace(frame, ending=None, drawn=True, option=Option("drawn_set", ("A", "B"), None))


def offence(
    terms: CaromTerms, carry: CaromCarry, side: Side, *, grave: bool
) -> tuple[CaromCarry, Result | None]:
    """A disciplinary offence (CBBS art. 20): the count; a grave one (art. 21): the match."""
    if grave:
        return carry, Result(side.other, "grave", Scope.MATCH, by_conduct=True)
    carry = replace(carry, conduct=added(carry.conduct, side, 1))
    if carry.conduct[side.place] >= terms.disciplinary_loses:
        return carry, Result(side.other, "disciplinary", Scope.MATCH, by_conduct=True)
    return carry, None


def _offended(frame: SeriesFrame, offender: Side, *, grave: bool) -> SeriesFrame:
    carry, result = offence(frame.terms, frame.carry, offender, grave=grave)
    frame = replace(frame, carry=carry)
    if result is not None:
        return _match_ended(frame, result)
    if frame.ending is not None or frame.drawn:
        return frame  # art. 20.2 has nothing to take away: it only counts
    if offender is frame.turn:
        frame = missed(frame, Lie.AS_IS)
        if frame.ending is not None:
            return replace(frame, option=None)
    return replace(frame, option=Option("placing", ("as_is", "place"), frame.turn))


def _lost(frame: SeriesFrame, side: Side, reason: str) -> SeriesFrame:
    return _match_ended(frame, Result(side.other, reason, Scope.MATCH))


def _match_ended(frame: SeriesFrame, result: Result) -> SeriesFrame:
    """The match is decided off the table; an inning with strokes is closed, no other."""
    if frame.strokes:
        frame = inning_closed(frame)
    ending = Ending(result.reason, Then.MATCH_OVER, result.winner)
    return replace(frame, option=None, drawn=False, ending=ending, result=result)


def _adjusted(frame: SeriesFrame, changes: Fields, entry: Entry) -> SeriesFrame:
    try:
        return taken_up(frame, changes)
    except BadNotation as error:
        raise NotAllowed(Code.BAD_POSITION, entry, str(error)) from None
