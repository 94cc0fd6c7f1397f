"""How a frame of snooker ends: the last balls, the tie, conduct, and what the referee gives."""

from msgspec.structs import replace

from rules.entries import Entry, Scope
from rules.errors import Code, NotAllowed
from rules.frame import Option, Result
from rules.sides import Pair, Side, added, changed, with_side
from rules.snooker import pairs
from rules.snooker.position import Tie
from rules.snooker.state import CENTURY, DRAW_CHOICE, FIFTY, S
from rules.snooker.table import BLACK_ONLY, Table
from rules.snooker.terms import Misses, SnookerCarry, SnookerTerms

PINK = "pink"
MOST_LEAD = 7
"""A lead that the black alone can still level (CBBS 50.1; FPB 77.A1)."""


def racked(frame: S) -> S:
    """The same frame from its start: the balls spotted, the same side breaks."""
    return replace(
        pairs.in_order(frame),
        turn=frame.opener,
        table=Table(reds=frame.terms.reds),
        score=frame.carry.handicap,
        run=0,
        adds_red=False,
        begun=False,
        tie=Tie.NO,
        option=None,
        misses=Misses(),
        replay=None,
        again=frame.again + 1,
        at_risk=False,
        stalemate=False,
        touching=False,
        lesser=(0, 0),
        breaks=((), ()),
    )


def best_breaks(frame: S) -> Pair[int]:
    """The best break of each side in this frame, the one in play counted."""
    a, b = (max(lesser, *runs, 0) for lesser, runs in zip(frame.lesser, frame.breaks, strict=True))
    return changed((a, b), frame.turn, lambda best: max(best, frame.run))


def fifties(frame: S) -> Pair[tuple[int, ...]]:
    """The breaks of fifty or more of this frame, the one in play counted."""
    if frame.run < FIFTY:
        return frame.breaks
    return changed(frame.breaks, frame.turn, lambda runs: (*runs, frame.run))


def closed(frame: S) -> S:
    """The visit in play is a finished one."""
    if not frame.run:
        return frame
    if frame.run >= FIFTY:
        return replace(frame, breaks=fifties(frame), run=0)
    lesser = changed(frame.lesser, frame.turn, lambda best: max(best, frame.run))
    return replace(frame, lesser=lesser, run=0)


def handed_back(frame: S) -> SnookerCarry:
    """The carry with this frame's points and breaks in it."""
    carry, best, breaks = frame.carry, best_breaks(frame), fifties(frame)
    a, b = carry.total_points
    carry = replace(carry, total_points=(a + frame.score[0], b + frame.score[1]))
    for side in Side:
        runs = breaks[side.place]
        high = max(carry.high_breaks[side.place], best[side.place])
        hundreds = sum(run >= CENTURY for run in runs)
        carry = replace(
            carry,
            high_breaks=with_side(carry.high_breaks, side, high),
            fifties=added(carry.fifties, side, len(runs) - hundreds),
            centuries=added(carry.centuries, side, hundreds),
        )
    return carry


def won_by(frame: S, winner: Side, reason: str) -> S:
    """The frame goes to a side."""
    return booked(frame, Result(winner, reason))


def booked(frame: S, result: Result) -> S:
    """The frame, or the match, is decided; nothing stays open."""
    tie = Tie.BLACK if frame.tie is Tie.DRAW else frame.tie
    return replace(frame, option=None, tie=tie, adds_red=False, touching=False, result=result)


def leader_wins_or_draw(frame: S, reason: str) -> S:
    """Nothing but the black was left, and that is over: a frame won, or the black once more."""
    if frame.lead:
        return won_by(frame, Side.A if frame.lead > 0 else Side.B, reason)
    return replace(
        closed(frame),
        table=Table(0, BLACK_ONLY),
        tie=Tie.DRAW,
        option=Option(DRAW_CHOICE, ("A", "B"), None),
        adds_red=False,
    )


def tested(frame: S) -> S:
    """After a pot in the final sequence: whether it ends the frame."""
    if not frame.table.colours:
        return leader_wins_or_draw(frame, "black")
    decided = frame.terms.auto_end_pink and frame.tie is Tie.NO and abs(frame.lead) > MOST_LEAD
    if decided and frame.table.black_only:
        return won_by(frame, Side.A if frame.lead > 0 else Side.B, PINK)
    return frame


def offence(
    terms: SnookerTerms, carry: SnookerCarry, side: Side, *, counted: bool, grave: bool
) -> tuple[SnookerCarry, Result | None]:
    """An offence against conduct: the count, and whether it loses the match."""
    if counted:
        carry = replace(carry, conduct=added(carry.conduct, side, 1))
    loses = terms.disciplinary_loses
    if loses and (grave or carry.conduct[side.place] >= loses):
        return carry, Result(side.other, "disqualified", Scope.MATCH, by_conduct=True)
    return carry, None


def disqualified(frame: S, result: Result) -> S:
    """The match is lost by conduct; where the rules say so, the table goes to the winner.

    Where the table is not known, he leads by a point at least.
    """
    winner = result.winner
    if winner is None or not frame.terms.award_table:
        return booked(frame, result)
    score = added(frame.score, winner, frame.table.fresh or 0)
    loser = score[winner.other.place]
    if score[winner.place] <= loser:
        score = with_side(score, winner, loser + 1)
    return booked(replace(frame, score=score), result)


def forfeited(frame: S, winner: Side, entry: Entry) -> S:
    """A frame taken for conduct: the offender's points go, the winner gets the table.

    Raises:
        NotAllowed: the table is not known.
    """
    fresh = frame.table.fresh
    if fresh is None:
        raise NotAllowed(Code.TABLE_UNKNOWN, entry)
    score = added(frame.score, winner, fresh)
    return won_by(replace(frame, score=with_side(score, winner.other, 0)), winner, "forfeit")
