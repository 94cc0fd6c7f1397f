"""What of a frame of snooker is worth announcing, besides ends, choices and offences."""

from collections.abc import Iterator

from rules.entries import Entry
from rules.frame import Notice
from rules.sides import Side
from rules.snooker import ends
from rules.snooker.choices import offers_free
from rules.snooker.entries import Ball, Foul
from rules.snooker.numbers import early_concession, in_fouls, lacking
from rules.snooker.state import CENTURY, FrameState
from rules.snooker.table import ALL_COLOURS, RED_AND_BLACK, VALUE


def announced(before: FrameState, entry: Entry, after: FrameState) -> tuple[Notice, ...]:
    """The announcements of one entry."""
    return tuple(_notices(before, entry, after))


def _notices(before: FrameState, entry: Entry, after: FrameState) -> Iterator[Notice]:
    if isinstance(entry, Foul):
        offender = entry.by or before.at_table
        paid = after.score[offender.other.place] - before.score[offender.other.place]
        yield Notice("foul", offender, paid)
    if offers_free(after) and not offers_free(before):
        yield Notice("free_ball", after.at_table)
    if after.at_risk and not before.at_risk:
        yield Notice("miss_warning", after.turn)
    if after.drawing and not before.drawing:
        yield Notice("respotted_black")
    early = early_concession(after)
    if early is not None:
        yield Notice("early_concession", early)
    yield from _of_break(before, after)
    if after.result is None:
        yield from _of_lead(before, after)


def _of_break(before: FrameState, after: FrameState) -> Iterator[Notice]:
    for side in Side:
        new = ends.fifties(after)[side.place]
        old = ends.fifties(before)[side.place]
        if _hundreds(new) > _hundreds(old):
            yield Notice("century", side, new[-1])
    if _on_course(after) and after.run != before.run and _worth_saying(after, before):
        yield Notice("maximum_on", after.turn, after.run)


def _hundreds(runs: tuple[int, ...]) -> int:
    return sum(run >= CENTURY for run in runs)


def _on_course(frame: FrameState) -> bool:
    """Whether the break, reds and blacks alone so far, can still be the greatest there is."""
    left = frame.table.left
    most = RED_AND_BLACK * frame.terms.reds + ALL_COLOURS
    return left is not None and frame.result is None and frame.run + left >= most


def _worth_saying(after: FrameState, before: FrameState) -> bool:
    """Half the reds are gone with blacks, as of this stroke."""
    half = RED_AND_BLACK * after.terms.reds // 2
    return after.run >= half > before.run


def _of_lead(before: FrameState, after: FrameState) -> Iterator[Notice]:
    for side in Side:
        lacks, lacked = _lacks(after, side), _lacks(before, side)
        if lacks is not None and lacks > 0 and (lacked is None or lacked <= 0):
            yield Notice("snookers_required", side, in_fouls(after.table, lacks))
    striker = after.turn
    if frame_ball(after) and not (before.turn is striker and frame_ball(before)):
        last = after.won[striker.place] == after.terms.target - 1
        yield Notice("match_ball" if last else "frame_ball", striker)


def _lacks(frame: FrameState, side: Side) -> int | None:
    """The points that a side lacks; a free ball counts for it while it may still choose that."""
    lacks = lacking(frame, side)
    may = side is frame.at_table and offers_free(frame)
    return lacks - frame.table.bonus if may and lacks is not None else lacks


def frame_ball(frame: FrameState) -> bool:
    """Whether the next pot leaves the other side short of what is left."""
    table, other = frame.table, frame.turn.other
    lacks = lacking(frame, other)
    if lacks is None or lacks > 0 or frame.option is not None or frame.result is not None:
        return False
    if table.on is None:  # any colour is
        return lacks + VALUE[Ball.BLACK] > 0
    gone = RED_AND_BLACK if table.reds else VALUE[table.on]
    return lacks + VALUE[table.on] + gone > 0
