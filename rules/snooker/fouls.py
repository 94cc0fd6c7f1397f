"""Fouls of snooker: what they cost, what they leave, when they may be replayed.

Values are those of CBBS 47-49, FPB 55-60 and WPBSA section 3; replays those of CBBS 25-30 and 44,
FPB 46-49 and WPBSA's foul and a miss. The terms say how far they differ.
"""

from msgspec.structs import replace

from rules.entries import Conduct, ShotClock
from rules.errors import Code, NotAllowed
from rules.frame import Option
from rules.sides import Side, added
from rules.snooker import ends, pairs
from rules.snooker.choices import FREE, PASS, PLACE, PLAY, REPLAY, chosen, offers_free
from rules.snooker.entries import Foul, Mark
from rules.snooker.position import Cue
from rules.snooker.state import FOUL_CHOICE, FrameState, S
from rules.snooker.table import LEAST_FOUL, MOST_FOUL, OFFENCE, VALUE, Table
from rules.snooker.terms import MissBlock, Misses, MissRule, Price, SnookerTerms, TimeRule

_WITH_MISS = (Mark.FULL, Mark.FORCE)
_AGAINST_CONDUCT = (Mark.DISC, Mark.GRAVE)


def foul(frame: S, entry: Foul) -> S:
    """A foul in play.

    Raises:
        NotAllowed: it cannot have been so, or its value hangs on something not said.
    """
    _sound(frame, entry)
    offender = entry.by or frame.at_table
    frame, free = _played_by(frame, offender)
    value = value_of(frame, entry)
    if Mark.OUT_OF_TURN in entry.marks:
        frame = pairs.out_of_turn(frame, offender)
    return _fouled(frame, entry, offender, value, played=True, free=free)


def conduct(frame: S, entry: Conduct) -> S:
    """An offence against conduct and no fault in play.

    Raises:
        NotAllowed: nobody is at the table, and the offender is not named.
    """
    if entry.side is None and frame.drawing:
        raise NotAllowed(Code.NOT_AN_OPTION, entry, "side")
    mark = Mark.GRAVE if entry.grave else Mark.DISC
    return _not_played(frame, entry.side or frame.at_table, 0, (mark,))


def time_wasted(frame: S, entry: ShotClock) -> S:
    """The time for the stroke is over, and the referee says so.

    Raises:
        NotAllowed: it is not known yet who plays.
    """
    if frame.drawing:
        raise NotAllowed(Code.FIRST_PENDING, entry)
    match frame.terms.time_rule:
        case TimeRule.DISCIPLINARY:
            return _not_played(frame, frame.at_table, 0, (Mark.NOSTROKE, Mark.DISC))
        case TimeRule.TECHNICAL:
            return _not_played(frame, frame.at_table, MOST_FOUL, (Mark.NOSTROKE,))
    return frame if not frame.adds_red else replace(frame, adds_red=False)


def _not_played(frame: S, offender: Side, value: int, marks: tuple[Mark, ...]) -> S:
    frame, free = _played_by(frame, offender)
    return _fouled(frame, Foul(marks=marks), offender, value, played=False, free=free)


def _played_by(frame: S, offender: Side) -> tuple[S, bool]:
    """A choice is made by the foul of whoever has it; and whether that may be at a free ball."""
    if offender is not frame.at_table or not frame.choosing:
        return frame, False
    return chosen(frame, PLAY), offers_free(frame)


def _sound(frame: FrameState, entry: Foul) -> None:
    """Refuse what no table and no rulebook can hold."""
    if frame.drawing:
        raise NotAllowed(Code.FIRST_PENDING, entry)
    marks, table = entry.marks, frame.table
    if Mark.MISS not in marks and any(mark in marks for mark in _WITH_MISS):
        raise NotAllowed(Code.NOT_AN_OPTION, entry, "full, force")
    if len({*marks}) < len(marks) or len({*entry.balls}) < len(entry.balls):
        raise NotAllowed(Code.NOT_AN_OPTION, entry, "twice")
    if Mark.OUT_OF_TURN in marks and frame.carry.sizes != pairs.PAIRS:
        raise NotAllowed(Code.NOT_HERE, entry, "out_of_turn")
    if entry.hidden is not None and not frame.terms.hide_rule:
        raise NotAllowed(Code.NOT_HERE, entry, "hide")
    if entry.nominated is not None and (not table.any_colour or frame.choosing):
        raise NotAllowed(Code.NOT_AN_OPTION, entry, "nom")
    most = frame.terms.reds if table.reds is None else table.reds
    if not 0 <= entry.reds <= most:
        raise NotAllowed(Code.TOO_MANY_REDS, entry, str(most))


def value_of(frame: FrameState, entry: Foul) -> int:
    """The points that a foul costs, an offence against conduct not counted.

    Raises:
        NotAllowed: it hangs on the colour named, or on a table that is not known.
    """
    if entry.value is not None:
        return _said(frame, entry, entry.value)
    if costs_seven(frame.terms, entry.marks):
        return MOST_FOUL
    dearest = max((VALUE[one.ball] for one in entry.balls), default=0)
    if entry.hidden is not None:
        return max(LEAST_FOUL, VALUE[entry.hidden], dearest)
    return max(LEAST_FOUL, _base(frame, entry), dearest)


def costs_seven(terms: SnookerTerms, marks: tuple[Mark, ...]) -> bool:
    """Whether a foul costs seven, whatever the balls."""
    return (
        Mark.SEVEN in marks
        or (Mark.IMPOSS in marks and terms.compulsory7)
        or (Mark.NODECL in marks and terms.nodecl is Price.SEVEN)
        or (Mark.SUCC in marks and terms.succ_red is Price.SEVEN)
    )


def _said(frame: FrameState, entry: Foul, value: int) -> int:
    """A value that the referee gives, which cannot be below that of the ball on."""
    on = frame.table.on
    least = LEAST_FOUL if on is None else max(LEAST_FOUL, VALUE[on])
    if not least <= value <= MOST_FOUL:
        raise NotAllowed(Code.BAD_COUNT, entry, f"{least}-{MOST_FOUL}")
    marks = entry.marks
    named = Mark.SUCC in marks or Mark.NODECL in marks or costs_seven(frame.terms, marks)
    if entry.balls or entry.hidden or entry.nominated or named:
        raise NotAllowed(Code.NOT_AN_OPTION, entry, "v")
    return value


def _base(frame: FrameState, entry: Foul) -> int:
    """What the ball on is worth in the stroke that was fouled."""
    table, marks = frame.table, entry.marks
    if table.reds is None:
        raise NotAllowed(Code.TABLE_UNKNOWN, entry)
    if not table.any_colour:
        return 0 if table.on is None else VALUE[table.on]
    if entry.nominated is not None:
        return VALUE[entry.nominated]
    unnamed = Mark.SUCC in marks or (Mark.NODECL in marks and entry.balls)
    if unnamed or entry.by is frame.turn.other:
        return 0
    raise NotAllowed(Code.NAME_COLOUR, entry)


def _fouled(frame: S, entry: Foul, offender: Side, value: int, *, played: bool, free: bool) -> S:
    """What a foul does. `free`: the stroke may have been one at a free ball.

    `played`: it is a fault in play, though maybe not by a stroke.
    """
    before, terms, marks = frame, frame.terms, entry.marks
    price = OFFENCE if any(mark in marks for mark in _AGAINST_CONDUCT) else 0
    points = value + price if terms.cumulate else max(value, price)
    table = frame.table
    frame = replace(
        frame,
        score=added(frame.score, offender.other, points),
        table=_with_reds_lost(table, entry.reds),
        adds_red=False,
    )
    if price:
        counted, grave = Mark.DISC in marks, Mark.GRAVE in marks
        carry, result = ends.offence(terms, frame.carry, offender, counted=counted, grave=grave)
        frame = replace(frame, carry=carry)
        if result is not None:
            return ends.disqualified(frame, result)
    if table.black_only:
        return ends.leader_wins_or_draw(frame, "black_foul")
    if offender is not frame.at_table:
        return frame
    stroke = played and Mark.NOSTROKE not in marks
    frame = _visit_broken(frame, marks, stroke=stroke)
    return _choice(before, frame, entry, offender, free=free)


def _with_reds_lost(table: Table, reds: int) -> Table:
    """The table without reds that a foul took; where they are not counted, nothing changes."""
    if table.reds is None or not reds:
        return table
    return replace(table, reds=table.reds - reds)


def _visit_broken(frame: S, marks: tuple[Mark, ...], *, stroke: bool) -> S:
    """The offender's visit is over; the cue ball is in hand after an in-off."""
    frame = ends.closed(frame)
    table = frame.table
    cue = Cue.HAND if Mark.WHITE in marks else Cue.TABLE if stroke else table.cue
    return replace(
        frame,
        table=Table(table.reds, table.colours, cue=cue),
        begun=frame.begun or stroke,
        at_risk=False,
        touching=False,
    )


def _choice(before: S, frame: S, entry: Foul, offender: Side, *, free: bool) -> S:
    """What the other side may choose, and the miss counted."""
    terms, marks = frame.terms, entry.marks
    choices = [PLAY]
    if terms.pass_after_in_off or Mark.WHITE not in marks:
        choices.append(PASS)
    snookered = Mark.FREE in marks and frame.table.objects > 1
    if snookered:
        choices.append(FREE)
    misses = frame.misses
    if Mark.MISS in marks and Mark.IMPOSS not in marks and terms.miss_rule is not MissRule.OFF:
        running = misses.n > 0 and misses.full
        misses = Misses(misses.n + 1, misses.full if misses.n else Mark.FULL in marks)
        stroke = replace(before.table, free=before.table.free or free)
        frame = replace(frame, misses=misses, replay=stroke)
        if terms.lost_by(misses):
            return ends.won_by(frame, offender.other, "aggravated")
        if not _barred(before, frame, offender, marks, running=running, free=snookered):
            choices += _again(frame, offender.other, free=snookered)
    elif Mark.NOSTROKE in marks and misses.n:
        frame = replace(frame, replay=before.table)
        choices.append(REPLAY)
    return replace(frame, option=Option(FOUL_CHOICE, tuple(choices), offender.other))


def _again(frame: FrameState, chooser: Side, *, free: bool) -> list[str]:
    """The stroke again; at the cap of a row of misses the cue ball is placed instead."""
    cap = frame.terms.miss_cap
    if not cap or frame.misses.n < cap:
        return [REPLAY]
    known = frame.table.fresh is not None
    return [] if known and needed(frame, chooser, fresh=True, free=free) > 0 else [PLACE]


def _barred(
    before: FrameState,
    after: FrameState,
    offender: Side,
    marks: tuple[Mark, ...],
    *,
    running: bool,
    free: bool,
) -> bool:
    """Whether the score bars a replay."""
    rule = after.terms.miss_block
    if rule is MissBlock.NEVER or after.table.fresh is None or before.table.left is None:
        return False
    if rule is MissBlock.BENEFICIARY:
        return needed(after, offender.other, fresh=True, free=free) > 0
    if Mark.FORCE in marks or running:
        return False
    return abs(before.lead) >= before.table.left or abs(after.lead) >= after.table.fresh


def needed(frame: FrameState, side: Side, *, fresh: bool, free: bool) -> int:
    """The points that a side lacks to level with what is left; none where it is 0 or less.

    `fresh`: what a fresh visit may make, else what the visit in play may. The table is known.
    """
    table = frame.table
    left = table.fresh if fresh else table.left
    assert left is not None
    bonus = table.bonus if free else 0
    return frame.score[side.other.place] - frame.score[side.place] - left - bonus
