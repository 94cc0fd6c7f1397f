"""What was played, entry by entry, out of the records in force.

An entry is judged as the rules judged it: whose stroke it was, what it made, and whether his visit
was over with it, all from the match before and after. No game is named here, only what entries all
games' words have for the same thing.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rules.entries import Entry
from rules.ledger import Node
from rules.match import Match
from rules.position import field_names
from rules.record import Record, Splice
from rules.sides import Side

_OVER = frozenset(
    ("end_visit", "run", "visit_total", "whole_visit", "foul", "safe", "short", "deliberate")
)
"""Tags of entries with which a visit is over, whoever plays next."""

_WHOLE = frozenset(("run", "visit_total", "whole_visit", "left"))
"""Tags of entries that hold several strokes."""

_POTS = frozenset(("pot", "reds", "free_ball", "last_black"))

_FOULS = frozenset(("foul", "deliberate"))

_NO_STROKES = frozenset(
    (
        "ok",
        "lag",
        "first",
        "pick",
        "award",
        "concede",
        "disqualify",
        "void",
        "stalemate",
        "timeout",
        "interval",
        "extension",
        "time_up",
        "shootout",
        "breaker",
        "adjust",
        "frozen",
        "zone",
        "touching",
        "claim",
        "case",
    )
)
"""Tags of what is said or decided, and not played."""

_MAYBE = frozenset(("conduct", "shot_clock"))
"""Tags of offences that count here where they cost points or the turn."""

_NO_STROKE_OF_ITS_OWN = frozenset(("add_red", *_MAYBE))

_AGAIN = frozenset(("void", "stalemate"))


class Stroke(Struct, frozen=True):
    """An entry that was played, an offence that cost something, or what else ended an inning.

    `record` is the seq of its record, `t_ms` its match time, `since_ms` that of the record before,
    or `t_ms` again where that is not known.
    `frame` counts from 1. `points` are what `side` made by it, `lost` what a foul took from it,
    `given` what the other side got. `strokes` are how many it holds, none where that is not said.
    `over`: the visit ended with it. `stray`: an offence of who was not at the table. `edited`: it
    was put in, or changed, later.
    """

    record: int
    t_ms: int
    since_ms: int
    entry: Entry
    frame: int
    side: Side
    member: int
    points: int
    lost: int
    given: int
    foul: bool
    potted: bool
    safe: bool
    strokes: int | None
    over: bool
    stray: bool
    edited: bool
    after: Match


def tag_of(entry: Entry) -> str:
    """The word that the families share for a kind of entry."""
    return str(type(entry).__struct_config__.tag)


def strokes(line: Sequence[Node], edits: frozenset[int]) -> tuple[Stroke, ...]:
    """All strokes in order; those of a frame that was played again are left out.

    `edits` are the seqs of records that were edits.
    """
    found: list[Stroke] = []
    for node in line[1:]:
        act, parent = node.record.act, node.parent
        if not isinstance(act, tuple) or parent is None:
            continue
        before = parent.match
        for entry in act:
            after = node.match if len(act) == 1 else before.after(entry)
            if _is_again(entry) and _afresh(before, after):
                frame = len(before.finished) + 1
                found = [stroke for stroke in found if stroke.frame != frame]
            elif _is_again(entry) and found:
                found[-1] = replace(found[-1], over=True)
            stroke = _stroke(node, parent, entry, before, after)
            if stroke is not None:
                if parent.record.seq in edits:  # Nobody knows when what stood there was.
                    stroke = replace(stroke, since_ms=stroke.t_ms)
                edited = node.record.seq in edits
                found.append(replace(stroke, edited=True) if edited else stroke)
            before = after
    return tuple(found)


def edits_of(records: Sequence[Record]) -> frozenset[int]:
    """The seqs of edits among records."""
    return frozenset(record.seq for record in records if isinstance(record.act, Splice))


def _is_again(entry: Entry) -> bool:
    """Whether it has something played again; a warning of a stalemate has not."""
    return tag_of(entry) in _AGAIN and getattr(entry, "step", "") not in ("warn", "clear")


def _afresh(before: Match, after: Match) -> bool:
    """Whether the frame began anew: what was played in it counts for nothing."""
    if before.frame is None or after.frame is None or len(before.finished) != len(after.finished):
        return False
    return before.frame.score is None or before.frame.score != after.frame.score


def _stroke(node: Node, parent: Node, entry: Entry, before: Match, after: Match) -> Stroke | None:
    tag, visit = tag_of(entry), before.visit
    if visit is None or (before.ending is not None and tag != "last_black"):
        return None
    said = tag in _NO_STROKES
    side = _ended_by(before, after) if said else _who(entry, before)
    if side is None:
        return None
    points, given = (0, 0) if said else _made(before, after, side)
    turned = after.actor is not before.actor or after.ending is not None
    if tag in _MAYBE and not (points or given or turned):
        return None
    lost = _lost(entry, before, after, side, points)
    return Stroke(
        record=node.record.seq,
        t_ms=node.record.t_ms,
        since_ms=parent.record.t_ms,
        entry=entry,
        frame=len(before.finished) + 1,
        side=side,
        member=visit.member if side is visit.side else _member(after, side),
        points=points + lost,
        lost=lost,
        given=given,
        foul=tag in _FOULS or tag in _MAYBE or _ends_in_foul(entry),
        potted=tag in _POTS and bool(getattr(entry, "potted", True)),
        safe=tag == "safe" or str(getattr(entry, "end", "")) == "safe",
        strokes=0 if said else _strokes(tag, entry),
        over=_is_over(tag, before, after, side),
        stray=side is not visit.side and before.option is None,
        edited=False,
        after=after,
    )


def _strokes(tag: str, entry: Entry) -> int | None:
    """How many strokes an entry holds: several points may be one, or one each."""
    if tag in _WHOLE or (tag == "points" and getattr(entry, "n", 1) > 1):
        return None
    return 0 if tag in _NO_STROKE_OF_ITS_OWN else 1


def _ended_by(before: Match, after: Match) -> Side | None:
    """Whose inning a decision ended, without a stroke."""
    for side in Side:
        was, is_ = _innings(before, side), _innings(after, side)
        if was is not None and is_ is not None and is_ > was:
            return side
    return None


def _who(entry: Entry, before: Match) -> Side:
    """Whose stroke it is: the one named, else who has the choice to play, else who is there."""
    assert before.visit is not None
    for name in ("by", "side"):
        named = getattr(entry, name, None)
        if isinstance(named, Side):
            return named
    return before.actor or before.visit.side


def _member(after: Match, side: Side) -> int:
    visit = after.visit
    return visit.member if visit is not None and visit.side is side else 1


def _made(before: Match, after: Match, side: Side) -> tuple[int, int]:
    """What the score of each side became more, in the frame that was played."""
    was = before.frame.score if before.frame is not None else None
    is_ = after.frame.score if after.frame is not None else None
    if was is None or is_ is None:
        return 0, 0
    me, other = side.place, side.other.place
    return is_[me] - was[me], is_[other] - was[other]


def _lost(entry: Entry, before: Match, after: Match, side: Side, points: int) -> int:
    """What a foul took from the side's own score."""
    if _ends_in_foul(entry):
        ends: Mapping[str, object] = {"end": type(entry.end).MISS}  # type: ignore[attr-defined]
        clean = before.after(replace(entry, **ends))
        return _made(before, clean, side)[0] - points
    return max(0, -points)


def _ends_in_foul(entry: Entry) -> bool:
    return "end" in field_names(type(entry)) and str(getattr(entry, "end", "")) in (
        "foul",
        "scratch",
    )


def _is_over(tag: str, before: Match, after: Match, side: Side) -> bool:
    """Whether a visit ended: by the game's own count of innings where it has one."""
    was, is_ = _innings(before, side), _innings(after, side)
    if was is not None and is_ is not None:
        return is_ > was
    visit = after.visit
    if tag in _OVER or visit is None or after.ending is not None or after.option is not None:
        return True
    return visit.side is not side or (before.actor is side and visit.run < _run(before, side))


def _run(match: Match, side: Side) -> int:
    visit = match.visit
    return visit.run if visit is not None and visit.side is side else 0


def _innings(match: Match, side: Side) -> int | None:
    innings = match.frame.figures().innings if match.frame is not None else None
    return None if innings is None else innings[side.place]


def by_visit(played: Sequence[Stroke]) -> Iterator[list[Stroke]]:
    """The strokes of each visit; offences of who was not at the table belong to none."""
    stay: list[Stroke] = []
    for stroke in played:
        if stroke.stray:
            continue
        last = stay[-1] if stay else None
        if last is not None and _parted(last, stroke):
            yield stay
            stay = []
        stay.append(stroke)
    if stay:
        yield stay


def _parted(last: Stroke, stroke: Stroke) -> bool:
    """Whether a stroke begins another visit; the black after the end belongs to the break."""
    if (last.frame, last.side) != (stroke.frame, stroke.side):
        return True
    return last.over and tag_of(stroke.entry) != "last_black"
