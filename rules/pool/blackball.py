"""Blackball: nothing is called, a foul gives a free shot and a visit (WPA 8).

The free shot is the first of a visit after a foul: any ball may be played and potted, and a miss
does not end the visit. Balls stay down, the black with the last own ball wins.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.entries import EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import YES_NO, Offer, OneOf
from rules.pool import groups
from rules.pool.entries import (
    Deliberate,
    Eight,
    EightFault,
    EightWas,
    Foul,
    Pot,
    Safe,
    Short,
    Wrong,
)
from rules.pool.groups import OPEN, GroupRack, fell, with_groups
from rules.pool.offers import Lots, in_rack_offers, of_group, offer
from rules.pool.position import Cue, Position
from rules.pool.referee import fresh
from rules.pool.state import goes_on, passed, won
from rules.pool.terms import BlackballTerms
from rules.record import Fields

_CUES = (Cue.PLACE, Cue.LIE_OR_BAULK, Cue.BAULK)


class BlackballFrame(GroupRack, frozen=True, kw_only=True):
    """A rack of blackball. `free`: the next shot is a free shot."""

    terms: BlackballTerms
    cue: Cue = Cue.BAULK
    free: bool = False

    def offers(self) -> Iterator[Offer]:
        """What `after` accepts while the rack is in play."""
        return _offers(self)

    def fouled_in_the_chair(self, entry: Foul) -> "BlackballFrame":
        """The rack after a foul by who is not at the table: who plays has a free shot (WPA 8)."""
        return replace(self, free=True, cue=self.cue if self.opening else Cue.LIE_OR_BAULK)

    def shot(self, entry: Entry) -> "BlackballFrame":
        """The rack after a shot."""
        return _played(self, entry)

    def figures(self) -> Figures:
        """Its numbers for displays."""
        free = self.free and self.result is None
        return groups.figures(self, names=("reds", "yellows"), free_shot=free)

    def standing(self) -> Position:
        """Where the rack stands."""
        return replace(groups.position_of(self, Cue.BAULK), free=self.free)

    def taken_up(self, changes: Fields) -> "BlackballFrame":
        """The rack with some fields of its position changed."""
        taken, position = groups.taken_up(self, changes, _CUES, Cue.BAULK)
        return replace(taken, free=position.free)


def _played(frame: BlackballFrame, entry: Entry) -> BlackballFrame:
    opening = frame.opening
    match entry:
        case Short(scratch) if opening:
            return _fouled(frame, scratch=scratch)
        case Foul(n=None, money=False):
            return _foul(frame, entry)
        case EndVisit() if frame.free and not opening:
            return goes_on(frame, free=False)
        case EndVisit():
            return passed(frame, Cue.PLACE, free=False)
        case Pot(n=None, money=False, eight=EightWas.POTTED):
            return _black(fell(frame, entry))
        case Pot(n=None, money=False, eight=None):
            return _pot(frame, entry)
        case Eight((), EightFault.EARLY, None) if not (opening or frame.every_ball):
            return won(frame, frame.turn.other, "eight_early")
        case Deliberate() if frame.terms.deliberate and not opening:
            return won(frame, frame.turn.other, "deliberate")
        case Wrong():
            raise NotAllowed(Code.NO_CALLS, entry)
        case Safe():
            raise NotAllowed(Code.NO_SAFETY_CALL, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def _fouled(frame: BlackballFrame, *, scratch: bool) -> BlackballFrame:
    """The opponent has a free shot, then his visit."""
    return passed(frame, Cue.BAULK if scratch else Cue.LIE_OR_BAULK, free=True)


def _foul(frame: BlackballFrame, entry: Foul) -> BlackballFrame:
    after = fell(frame, entry)
    if entry.eight is not EightWas.POTTED:
        return _fouled(after, scratch=entry.scratch)
    if frame.opening:
        return fresh(frame, frame.opener)
    return won(after, frame.turn.other, "eight_foul")


def _black(frame: BlackballFrame) -> BlackballFrame:
    """The black fell without foul; what fell with it is down already."""
    if frame.opening:
        return fresh(frame, frame.opener)
    if frame.mine is not None and frame.cleared(frame.mine):
        return won(frame, frame.turn, "eight")
    return won(frame, frame.turn.other, "eight_early")


def _pot(frame: BlackballFrame, entry: Pot) -> BlackballFrame:
    """Balls of the groups fell on a shot that is no foul but by what fell."""
    undecided = frame.groups == OPEN and not (frame.opening or frame.free)
    if not entry.lots and undecided:
        raise NotAllowed(Code.GROUP_NEEDED, entry)
    if frame.opening or frame.free:
        return goes_on(fell(frame, entry, some=True), free=False)
    entry = groups.called(frame, entry)
    after = fell(frame, entry)
    if not entry.lots:
        return goes_on(after)
    fallen = {lot.group for lot in entry.lots}
    if undecided:
        return goes_on(with_groups(after, entry.lots[0].group) if len(fallen) == 1 else after)
    return goes_on(after) if frame.mine in fallen else _fouled(after, scratch=False)


def _must_be_said(frame: BlackballFrame) -> bool:
    """Whether a pot must say what fell: not where it can only be one ball of the own group."""
    if frame.opening or frame.free:
        return frame.every_ball
    if frame.mine is None:
        return True
    return frame.every_ball and of_group(frame.lots, frame.mine) == 0


def _offers(frame: BlackballFrame) -> Iterator[Offer]:
    """What `frame.after` accepts while the rack is in play."""
    yield from in_rack_offers(frame)
    opening, known, table = frame.opening, frame.every_ball, frame.on_the_table
    yield from groups.offers(frame, (None, *EightWas))
    yield offer(Pot, lots=Lots(table, some=_must_be_said(frame)))
    yield offer(Pot, lots=Lots(table), eight=OneOf((EightWas.POTTED,)))
    if opening:
        yield offer(Short, scratch=YES_NO)
        return
    if frame.terms.deliberate:
        yield Offer(Deliberate)
    if not known:
        yield offer(Eight, fault=OneOf((EightFault.EARLY,)))
