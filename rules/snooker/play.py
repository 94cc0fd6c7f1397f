"""A frame of snooker: visits, fouls, choices, and what the referee says beside them.

Transitions are those of the snooker rules (CBBS 2008; FPB; WPBSA section 3): see
`rules.snooker.strokes` for pots, `rules.snooker.fouls` for fouls, `rules.snooker.ends` for how a
frame ends.
"""

from msgspec.structs import replace

from rules.entries import (
    Adjust,
    Award,
    Breaker,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Entry,
    First,
    Ok,
    Pick,
    Scope,
    ShotClock,
    Stalemate,
    Void,
)
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import DISQUALIFIED, Carry, Frame, Notice, Offer, Result
from rules.record import Fields
from rules.sides import added
from rules.snooker import ends, pairs
from rules.snooker.adjust import adjusted, text_of
from rules.snooker.announced import announced
from rules.snooker.choices import picked
from rules.snooker.entries import (
    AddRed,
    Claim,
    Foul,
    FreeBall,
    LastBlack,
    Pot,
    Reds,
    Touching,
    VisitTotal,
)
from rules.snooker.fouls import conduct, foul, time_wasted
from rules.snooker.numbers import figures
from rules.snooker.offers import may_claim, offers
from rules.snooker.position import Tie
from rules.snooker.state import FrameState
from rules.snooker.strokes import stroke
from rules.snooker.table import VALUE
from rules.snooker.terms import Conceding, SnookerCarry, WrongBreaker


class SnookerFrame(FrameState, frozen=True, kw_only=True):
    """A frame in play, or its end."""

    @property
    def situation(self) -> str:
        """None that a key depends on."""
        return ""

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return offers(self)

    def after(self, entry: Entry) -> "SnookerFrame":
        """The frame after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        if self.result is not None:
            return _last_black(self, entry, self.result)
        match entry:
            case Reds() | Pot() | EndVisit() | AddRed() | FreeBall() | VisitTotal():
                return stroke(self, entry)
            case Foul():
                return foul(self, entry)
            case Pick():
                return picked(self, entry)
            case Touching(on):
                return replace(self, touching=on)
            case Conduct():
                return conduct(self, entry)
            case ShotClock():
                return time_wasted(self, entry)
            case Claim():
                return _claimed(self, entry)
            case First() if self.drawing:
                return _drawn(self, entry)
            case Ok():
                raise NotAllowed(Code.NOTHING_TO_CONFIRM, entry)
        return _told(self, entry)

    def figures(self) -> Figures:
        """Its numbers for displays."""
        return figures(self)

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Fouls, free balls, breaks, and how far the frame is decided."""
        return announced(before, entry, self) if isinstance(before, SnookerFrame) else ()

    def position(self) -> Fields:
        """The frame as text, what differs from its first moment."""
        return text_of(self)

    def with_carry(self, carry: Carry) -> Frame:
        """With an offence counted that came after the end."""
        assert isinstance(carry, SnookerCarry)
        return replace(self, carry=carry)

    def handed_back(self) -> Carry:
        """The carry with this frame's breaks in it."""
        return ends.handed_back(self)


def _drawn(frame: SnookerFrame, entry: First) -> SnookerFrame:
    """It is known who plays the re-spotted black."""
    if entry.member is not None and not 1 <= entry.member <= frame.carry.sizes[entry.side.place]:
        raise NotAllowed(Code.NOT_AN_OPTION, entry, "member")
    first = pairs.black_first(frame, entry.side, entry.member)
    return replace(first, tie=Tie.BLACK, option=None, again=frame.again + 1)


def _told(frame: SnookerFrame, entry: Entry) -> SnookerFrame:
    """What the referee says beside the strokes."""
    match entry:
        case Concede(side, Scope.FRAME):
            striker = frame.terms.concede is Conceding.STRIKER and not frame.drawing
            if striker and side is not frame.at_table:
                raise NotAllowed(Code.STRIKER_ONLY, entry)
            return ends.won_by(frame, side.other, "concession")
        case Concede(side, Scope.MATCH):
            return ends.booked(frame, Result(side.other, "concession", Scope.MATCH))
        case Disqualify(sides) if sides in DISQUALIFIED:
            winner = sides[0].other if len(sides) == 1 else None
            result = Result(winner, "disqualified", Scope.MATCH, by_conduct=True)
            return ends.disqualified(frame, result)
        case Award():
            return _awarded(frame, entry)
        case Void("") | Stalemate(""):
            if isinstance(entry, Stalemate) and frame.drawing:
                raise NotAllowed(Code.FIRST_PENDING, entry)
            return ends.racked(frame)
        case Stalemate("warn" | "clear" as step) if not frame.drawing:
            return replace(frame, stalemate=step == "warn", adds_red=False)
        case Breaker():
            return _broken_by(frame, entry)
        case Adjust():
            return adjusted(frame, entry)
    raise NotAllowed(Code.FIRST_PENDING if frame.drawing else Code.NOT_HERE, entry)


def _awarded(frame: SnookerFrame, entry: Award) -> SnookerFrame:
    match entry:
        case Award(side, "absence"):
            return ends.booked(frame, Result(side, "absence", Scope.MATCH))
        case Award(side, "aggravated") if not frame.drawing:
            return ends.won_by(frame, side, "aggravated")
        case Award(side, "forfeit") if frame.terms.forfeit:
            return ends.forfeited(frame, side, entry)
        case Award(side, ""):
            return ends.won_by(frame, side, "awarded")
    raise NotAllowed(Code.NOT_HERE, entry)


def _broken_by(frame: SnookerFrame, entry: Breaker) -> SnookerFrame:
    """The wrong side broke: before a stroke it plays, later only the order may change."""
    side, carry = entry.side, frame.carry
    if frame.terms.wrong_breaker is WrongBreaker.REALTERNATE:
        carry = replace(carry, scheduled=side)
    untouched = not frame.begun and frame.option is None
    turn = side if untouched else frame.turn
    return replace(frame, carry=carry, opener=side, turn=turn, adds_red=False)


def _claimed(frame: SnookerFrame, entry: Claim) -> SnookerFrame:
    """The striker leads by more than the black is worth (WPBSA section 3)."""
    if frame.drawing:
        raise NotAllowed(Code.FIRST_PENDING, entry)
    if frame.choosing:
        raise NotAllowed(Code.CHOICE_PENDING, entry)
    if not may_claim(frame):
        raise NotAllowed(Code.NOT_HERE, entry)
    return ends.won_by(frame, frame.turn, "claim")


def _last_black(frame: SnookerFrame, entry: Entry, result: Result) -> SnookerFrame:
    """The black for the break, once, after the pink decided the frame (CBBS 6, 50.1)."""
    if not isinstance(entry, LastBlack) or frame.black_taken or result.reason != ends.PINK:
        raise NotAllowed(Code.OK_PENDING, entry, result.reason)
    black = VALUE["K"]
    score = added(frame.score, frame.turn, black)
    return replace(frame, score=score, run=frame.run + black, black_taken=True)
