"""The visits of a match: every stay at the table, out of the records in force."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from firmware.records.kept import Kept
from firmware.records.strokes import Stroke, by_visit, edits_of, strokes
from rules.frame import Frame
from rules.record import act_text
from rules.sides import Pair, Side


class VisitRow(Struct, frozen=True):
    """One visit.

    `frame` counts from 1, `number` is the side's visit in that frame, from 1. `points` were made
    in it, `lost` taken away by a foul of the side itself, `given` went to the other side. `score`
    is the frame's after it, none where a frame has no points. `began_ms` and `ended_ms` are match
    time, `shots` are strokes, none where some were entered as one. `entries` are those of the
    visit, in notation. `racks` is the rack of 14.1 in which it ended, from 1. `edited`: something
    in it was put in, or changed, later.
    """

    frame: int
    number: int
    side: Side
    member: int
    points: int
    lost: int
    given: int
    score: Pair[int] | None
    began_ms: int
    ended_ms: int
    shots: int | None
    pots: int
    fouls: int
    safeties: int
    racks: int | None
    over: bool
    edited: bool
    entries: tuple[str, ...]

    @property
    def took_ms(self) -> int | None:
        """How long it was, none where nobody timed it: on a sheet, or in an edit."""
        took = self.ended_ms - self.began_ms
        return None if self.edited or took <= 0 else took


def strokes_of(match: Kept) -> tuple[Stroke, ...]:
    """All strokes of a match in order; what was taken back or edited away is not among them."""
    return strokes(match.ledger.line(), edits_of(match.records))


def visits(match: Kept) -> tuple[VisitRow, ...]:
    """All visits of a match in order."""
    return tuple(_rows(strokes_of(match), match))


def _rows(played: Sequence[Stroke], match: Kept) -> Iterator[VisitRow]:
    counts: dict[tuple[int, Side], int] = {}
    notation = match.ledger.match.game.notation
    for stay in by_visit(played):
        first, last = stay[0], stay[-1]
        number = counts[first.frame, first.side] = counts.get((first.frame, first.side), 0) + 1
        held = [stroke.strokes for stroke in stay]
        frame = last.after.frame
        yield VisitRow(
            frame=first.frame,
            number=number,
            side=first.side,
            member=first.member,
            points=sum(stroke.points for stroke in stay),
            lost=sum(stroke.lost for stroke in stay),
            given=sum(stroke.given for stroke in stay),
            score=frame.score if frame is not None else None,
            began_ms=first.since_ms,
            ended_ms=last.t_ms,
            shots=None if None in held else sum(one or 0 for one in held),
            pots=sum(stroke.potted for stroke in stay),
            fouls=sum(stroke.foul for stroke in stay),
            safeties=sum(stroke.safe for stroke in stay),
            racks=_rack(frame),
            over=last.over,
            edited=any(stroke.edited for stroke in stay),
            entries=tuple(act_text((stroke.entry,), notation) for stroke in stay),
        )


def _rack(frame: Frame | None) -> int | None:
    reracks = frame.figures().reracks if frame is not None else None
    return None if reracks is None else reracks + 1


def broken_and_run(frame: Frame, rows: Sequence[VisitRow]) -> bool:
    """Whether a rack was won by who broke, in his first visit, before the other side had one."""
    return (
        frame.result is not None
        and frame.result.winner is frame.opener
        and len(rows) == 1
        and rows[0].pots > 0
    )
