"""The visits of a match: every stay at the table, out of the records in force."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from firmware.records.kept import Kept
from rules.ledger import Node
from rules.match import Match
from rules.record import record_text
from rules.sides import Pair, Side


class VisitRow(Struct, frozen=True):
    """One visit.

    `frame` counts from 1, `number` is the side's visit in that frame, from 1. `points` were made
    in it, `given` went to the other side by it (fouls). `score` is the frame's after it, none
    where a frame has no points. `began_ms` and `ended_ms` are match time, `shots` counts entries.
    """

    frame: int
    number: int
    side: Side
    member: int
    points: int
    given: int
    score: Pair[int] | None
    began_ms: int
    ended_ms: int
    shots: int
    entries: tuple[str, ...]


def visits(match: Kept) -> tuple[VisitRow, ...]:
    """All visits in order; what was taken back or edited away is not among them."""
    return tuple(_visits(match.ledger.line()))


def _visits(line: Sequence[Node]) -> Iterator[VisitRow]:
    counts: dict[tuple[int, Side], int] = {}
    for stay in _stays(line):
        before, after = _match_before(stay[0]), stay[-1].match
        visit = before.visit
        assert visit is not None
        frame = len(before.finished) + 1
        number = counts[frame, visit.side] = counts.get((frame, visit.side), 0) + 1
        began, ended = _score(before, frame), _score(after, frame)
        points = given = 0
        if began is not None and ended is not None:
            place, other = visit.side.place, visit.side.other.place
            points, given = ended[place] - began[place], ended[other] - began[other]
        first = stay[0].parent
        yield VisitRow(
            frame=frame,
            number=number,
            side=visit.side,
            member=visit.member,
            points=points,
            given=given,
            score=ended,
            began_ms=first.record.t_ms if first is not None else 0,
            ended_ms=stay[-1].record.t_ms,
            shots=sum(len(node.record.act) for node in stay if isinstance(node.record.act, tuple)),
            entries=tuple(record_text(node.record, node.match.game.notation) for node in stay),
        )


def _stays(line: Sequence[Node]) -> Iterator[list[Node]]:
    """The records of each visit; those that no visit made (a lag, an OK) belong to none."""
    stay: list[Node] = []
    for node in line[1:]:
        before = _match_before(node)
        visit, frame = before.visit, len(before.finished)
        if visit is None or before.ending is not None:
            continue
        if stay and _other_visit(_match_before(stay[-1]), before, frame):
            yield stay
            stay = []
        stay.append(node)
    if stay:
        yield stay


def _other_visit(last: Match, now: Match, frame: int) -> bool:
    """Whether somebody else, or somebody anew, is at the table."""
    was, is_ = last.visit, now.visit
    assert was is not None
    assert is_ is not None
    return (
        len(last.finished) != frame
        or (was.side, was.member) != (is_.side, is_.member)
        or is_.run < was.run
    )


def _match_before(node: Node) -> Match:
    assert node.parent is not None
    return node.parent.match


def _score(match: Match, frame: int) -> Pair[int] | None:
    """The score of a frame, also when the next one has begun."""
    if len(match.finished) >= frame:
        return match.finished[frame - 1].score
    return match.frame.score if match.frame is not None else None
