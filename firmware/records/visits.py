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

    `frame` counts from 1, `number` is the side's visit in that frame, from 1; with 0 the side never
    was at the table, and the row is its offence alone. `points` were made
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
    for stay, strays in _with_strays(played):
        first, last = (stay or strays)[0], (stay or strays)[-1]
        number = counts.get((first.frame, first.side), 0) + bool(stay)
        counts[first.frame, first.side] = number
        held = [stroke.strokes for stroke in stay]
        frame = last.after.frame
        all_ = [*strays, *stay]
        yield VisitRow(
            frame=first.frame,
            number=number,
            side=first.side,
            member=first.member,
            points=sum(stroke.points for stroke in all_),
            lost=sum(stroke.lost for stroke in all_),
            given=sum(stroke.given for stroke in all_),
            score=frame.score if frame is not None else None,
            began_ms=first.since_ms,
            ended_ms=last.t_ms,
            shots=None if None in held else sum(one or 0 for one in held),
            pots=sum(stroke.potted for stroke in stay),
            fouls=sum(stroke.foul for stroke in all_),
            safeties=sum(stroke.safe for stroke in stay),
            racks=_rack(frame),
            over=last.over,
            edited=any(stroke.edited for stroke in all_),
            entries=tuple(act_text((stroke.entry,), notation) for stroke in all_),
        )


def _with_strays(played: Sequence[Stroke]) -> Iterator[tuple[list[Stroke], list[Stroke]]]:
    """Each visit, and the offences of its side while that was not at the table.

    They stand with its next visit in the frame, else with its last one; an offence of who never
    came to the table stands alone, with no stroke of a visit.
    """
    stays = list(by_visit(played))
    strays: list[list[Stroke]] = [[] for _ in stays]
    alone = []
    for stray in (stroke for stroke in played if stroke.stray):
        of = (stray.frame, stray.side)
        mine = [at for at, stay in enumerate(stays) if (stay[0].frame, stay[0].side) == of]
        later = [at for at in mine if stays[at][0].record > stray.record]
        if mine:
            strays[(later or mine[-1:])[0]].append(stray)
        else:
            alone.append(stray)
    yield from zip(stays, strays, strict=True)
    yield from (([], [stray]) for stray in alone)


def _rack(frame: Frame | None) -> int | None:
    reracks = frame.figures().reracks if frame is not None else None
    return None if reracks is None else reracks + 1


def broken_and_run(frame: Frame, rows: Sequence[VisitRow]) -> bool:
    """Whether a rack was won by who broke, in his first visit, before the other side had one."""
    return (
        frame.result is not None
        and frame.result.winner is frame.opener
        and [row.side for row in rows if row.number] == [frame.opener]
        and any(row.pots for row in rows)
    )
