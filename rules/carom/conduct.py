"""Offences against conduct, and what else is decided off the table (CBBS art. 20-21)."""

from msgspec.structs import replace

from rules.carom.position import CaromCarry
from rules.carom.state import S
from rules.carom.terms import CaromTerms, Lie
from rules.carom.turns import inning_closed, missed
from rules.entries import Award, Concede, Conduct, Disqualify, Entry, Scope
from rules.frame import DISQUALIFIED, Ending, Option, Result, Then
from rules.sides import Side, added


def off_the_table(frame: S, entry: Entry) -> S | None:
    """The set after an offence, a concession or a disqualification; none after another entry."""
    match entry:
        case Conduct(side, grave):
            return _offended(frame, side or frame.turn, grave=grave)
        case Concede(side, Scope.MATCH):
            return _lost(frame, side, "concession")
        case Award(side, "absence") if frame.ending is None:
            return _lost(frame, side.other, "absence")
        case Disqualify(sides) if sides in DISQUALIFIED:
            winner = sides[0].other if len(sides) == 1 else None
            result = Result(winner, "disqualified", Scope.MATCH, by_conduct=True)
            return _match_ended(frame, result)
    return None


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


def _offended(frame: S, offender: Side, *, grave: bool) -> S:
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


def _lost(frame: S, side: Side, reason: str) -> S:
    return _match_ended(frame, Result(side.other, reason, Scope.MATCH))


def _match_ended(frame: S, result: Result) -> S:
    """The match is decided off the table; an inning with strokes is closed, no other."""
    if frame.strokes:
        frame = inning_closed(frame)
    ending = Ending(result.reason, Then.MATCH_OVER, result.winner)
    return replace(frame, option=None, drawn=False, ending=ending, result=result)
