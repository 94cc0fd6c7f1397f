"""Eight-ball: called shots, a group a side, the 8 last (FPB E, WPA 3).

What falls stays down, but for an 8 on the break. "Cleared" is judged before the shot.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.entries import EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import YES_NO, Offer, OneOf, Option
from rules.pool import groups
from rules.pool.entries import (
    Deliberate,
    Eight,
    EightFault,
    EightWas,
    Foul,
    Group,
    Pot,
    Safe,
    Short,
    Wrong,
)
from rules.pool.groups import OPEN, GroupRack, fell, with_groups
from rules.pool.offers import Lots, in_rack_offers, of_group, offer
from rules.pool.position import Cue, Position
from rules.pool.referee import fresh
from rules.pool.state import asked, goes_on, passed, won
from rules.pool.terms import BreakChoice, EightTerms
from rules.record import Fields
from rules.sides import Side

_REASONS = {
    EightFault.OFF: "eight_off",
    EightFault.FOUL: "eight_foul",
    EightFault.POCKET: "eight_pocket",
    EightFault.EARLY: "eight_early",
}
"""Why a rack is lost on the 8."""

_CUES = (Cue.PLACE, Cue.ANY, Cue.KITCHEN)


class EightFrame(GroupRack, frozen=True, kw_only=True):
    """A rack of eight-ball."""

    terms: EightTerms

    def offers(self) -> Iterator[Offer]:
        """What `after` accepts while the rack is in play."""
        return _offers(self)

    def chosen(self, option: Option, choice: str) -> "EightFrame":
        """The rack after one of the answers to the choice that was open."""
        return _chosen(replace(self, option=None), BreakChoice(choice), option.chooser)

    def fouled_in_the_chair(self, entry: Foul) -> "EightFrame":
        """The rack after a foul by who is not at the table (FPB E-10)."""
        return self if self.opening else replace(self, cue=Cue.ANY)

    def shot(self, entry: Entry) -> "EightFrame":
        """The rack after a shot."""
        return _broken(self, entry) if self.opening else _played(self, entry)

    def figures(self) -> Figures:
        """Its numbers for displays."""
        return groups.figures(self)

    def standing(self) -> Position:
        """Where the rack stands."""
        return groups.position_of(self)

    def taken_up(self, changes: Fields) -> "EightFrame":
        """The rack with some fields of its position changed."""
        return groups.taken_up(self, changes, _CUES)[0]


def _broken(frame: EightFrame, entry: Entry) -> EightFrame:
    """The break shot."""
    terms = frame.terms
    match entry:
        case Pot(n=None, money=False, eight=EightWas.POTTED):
            return _settled(fell(frame, entry), "eight_on_break", terms.eight_on_break)
        case Pot(n=None, money=False, eight=None):
            return goes_on(fell(frame, entry, some=True))
        case EndVisit():
            return passed(frame, Cue.PLACE)
        case Short(scratch):
            choices = terms.short_break
            if scratch and not terms.accept_scratch:
                choices = tuple(one for one in choices if one is not BreakChoice.ACCEPT)
            cue = Cue.KITCHEN if scratch else Cue.PLACE
            return _settled(replace(frame, cue=cue), "short_break", choices)
        case Foul(n=None, money=False):
            return _break_foul(frame, entry)
    raise _refused(frame, entry)


def _break_foul(frame: EightFrame, entry: Foul) -> EightFrame:
    terms = frame.terms
    after = replace(fell(frame, entry), cue=Cue.KITCHEN if entry.scratch else Cue.PLACE)
    if entry.eight is EightWas.POTTED:
        return _settled(after, "eight_break_foul", terms.eight_break_foul)
    if entry.scratch:
        return _settled(after, "break_foul", (BreakChoice.KITCHEN,))
    return _settled(after, "break_foul", terms.break_foul)


def _settled(frame: EightFrame, kind: str, choices: tuple[BreakChoice, ...]) -> EightFrame:
    """What follows the break: the one thing that can, or a choice."""
    own = kind == "eight_on_break"
    chooser = frame.turn if own else frame.turn.other
    if len(choices) == 1:
        return _chosen(frame, choices[0], chooser)
    return asked(frame, kind, tuple(choices), chooser)


def _chosen(frame: EightFrame, choice: BreakChoice, chooser: Side | None) -> EightFrame:
    """The break as the rules or the chooser will have it."""
    assert chooser is not None
    match choice:
        case BreakChoice.REBREAK_SELF:
            return fresh(frame, chooser)
        case BreakChoice.REBREAK_OFFENDER:
            return fresh(frame, chooser.other)
        case BreakChoice.SPOT_CONTINUE:
            return goes_on(frame)
        case BreakChoice.ACCEPT:
            return passed(frame, frame.cue)
        case BreakChoice.LOSS:
            return won(frame, frame.turn.other, "eight_foul")
    return passed(frame, Cue.KITCHEN)


def _played(frame: EightFrame, entry: Entry) -> EightFrame:
    """Shots after the break."""
    terms = frame.terms
    match entry:
        case Foul(n=None, money=False, eight=None):
            return passed(fell(frame, entry), Cue.ANY)
        case Pot(n=None, money=False, eight=None):
            return goes_on(_pot(frame, entry))
        case EndVisit():
            return passed(frame, Cue.PLACE)
        case Wrong(n=None, money=False, keep=keep) if not (keep and terms.safety_call):
            after = fell(frame, entry, some=True)
            return goes_on(after) if keep else passed(after, Cue.PLACE)
        case Safe() if terms.safety_call:
            return passed(fell(frame, entry), Cue.PLACE)
        case Eight():
            return _eight(frame, entry)
        case Deliberate() if terms.deliberate and frame.groups != OPEN:
            return won(frame, frame.turn.other, "deliberate_wrong_group")
    raise _refused(frame, entry)


def _refused(frame: EightFrame, entry: Entry) -> NotAllowed:
    if isinstance(entry, Safe) and not frame.terms.safety_call:
        return NotAllowed(Code.NO_SAFETY_CALL, entry)
    return NotAllowed(Code.NOT_HERE, entry)


def _pot(frame: EightFrame, entry: Pot) -> EightFrame:
    """The called ball is down, and with it what else fell."""
    group = entry.lots[0].group if entry.lots else None
    if frame.groups == OPEN:
        if group is None:
            raise NotAllowed(Code.GROUP_NEEDED, entry)
        return with_groups(fell(frame, entry), group)
    if group not in (None, frame.mine):
        raise NotAllowed(Code.WRONG_GROUP, entry)
    return fell(frame, groups.called(frame, entry))


def _eight(frame: EightFrame, entry: Eight) -> EightFrame:
    """The 8 fell, or left the table: the rack is over."""
    if (entry.fault is EightFault.EARLY and frame.every_ball) or (
        entry.claim is not None and frame.groups != OPEN
    ):
        raise NotAllowed(Code.NOT_HERE, entry)
    after = fell(frame, entry)
    if entry.fault is not None:
        return won(after, frame.turn.other, _REASONS[entry.fault])
    claim = entry.claim if frame.terms.claim_cleared else None
    group = frame.mine or claim
    if group is not None and frame.cleared(group):
        return won(after, frame.turn, "eight")
    return won(after, frame.turn.other, "eight_early")


def _offers(frame: EightFrame) -> Iterator[Offer]:
    """What `frame.after` accepts while the rack is in play."""
    yield from in_rack_offers(frame)
    if frame.option is not None:
        return
    any_lots = Lots(frame.on_the_table)
    yield from groups.offers(frame, (None, *EightWas) if frame.opening else (None,))
    yield from _of_break(frame) if frame.opening else _of_play(frame, any_lots)


def _of_break(frame: EightFrame) -> Iterator[Offer]:
    some = Lots(frame.on_the_table, some=frame.every_ball)
    yield offer(Pot, lots=some)
    yield offer(Pot, lots=Lots(frame.on_the_table), eight=OneOf((EightWas.POTTED,)))
    yield offer(Short, scratch=YES_NO)


def _of_play(frame: EightFrame, any_lots: Lots) -> Iterator[Offer]:
    terms, known = frame.terms, frame.every_ball
    table, mine = frame.on_the_table, frame.mine
    first = tuple(Group) if mine is None else (mine,)
    some = mine is None or (known and of_group(table, mine) == 0)
    yield offer(Pot, lots=Lots(table, first=first, some=some))
    keep = OneOf((False,)) if terms.safety_call else YES_NO
    yield offer(Wrong, lots=Lots(table, some=known), keep=keep)
    if terms.safety_call:
        yield offer(Safe, lots=any_lots)
    faults = (None, *(one for one in EightFault if not (known and one is EightFault.EARLY)))
    claim = OneOf((None, *Group)) if mine is None else OneOf((None,))
    yield offer(Eight, lots=any_lots, fault=OneOf(faults), claim=claim)
    if terms.deliberate and mine is not None:
        yield Offer(Deliberate)
