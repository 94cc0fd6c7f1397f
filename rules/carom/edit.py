"""Correcting the points of a finished inning: the splice that says so."""

from rules.carom.entries import Felled, Foul, Pins, PinsTo, Points, Run
from rules.carom.pins import PinsFrame, counted
from rules.carom.series import SeriesFrame
from rules.carom.terms import Rotate
from rules.entries import Adjust, EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.record import EditInning, Splice
from rules.rulebook import Played
from rules.sides import Side

CaromFrame = SeriesFrame | PinsFrame

_STROKES = Pins | Felled | EndVisit
"""A stroke of the pins games."""


def inning_edit(line: tuple[Played, ...], edit: EditInning) -> Splice:
    """The splice for `EDIT(A2=6)`: A's second inning of the running set made 6.

    An inning keyed as taps is replaced by its total; the entry that ended it stays.

    Raises:
        NotAllowed: no such finished inning was entered, or it cannot be edited now.
    """
    now = line[-1].after
    if not isinstance(now, CaromFrame) or now.ending is not None or now.drawn:
        raise NotAllowed(Code.OK_PENDING if now is not None else Code.NO_SUCH_INNING, edit)
    if now.goal is not None:
        # The goal hangs on the innings before it: undo to go back there.
        raise NotAllowed(Code.NOT_IN_EQUALISER, edit)
    records = _of_inning(line, edit.side, edit.inning)
    place = edit.inning - 1 - now.innings[edit.side.place]
    runs = now.runs[edit.side.place]
    if not records or not -len(runs) <= place < 0:
        raise NotAllowed(Code.NO_SUCH_INNING, edit)
    with_total = _stroke if isinstance(now, PinsFrame) else _taps
    groups = with_total(_steps(records, edit, runs[place]), edit)
    return Splice(records[0].number, records[-1].number, groups)


def _of_inning(line: tuple[Played, ...], side: Side, inning: int) -> tuple[Played, ...]:
    """The records that made a finished inning of the running set, in order."""
    found: list[Played] = []
    for played in reversed(line):
        before, after = played.before, played.after
        if not isinstance(before, CaromFrame) or not isinstance(after, CaromFrame):
            break
        if before.ending is not None and before.result is not None:
            break  # the set before this one
        finished = before.innings[side.place]
        ended = after.innings[side.place] == inning and finished == inning - 1
        if before.turn is side and finished == inning - 1 and (found or ended):
            found.append(played)
        elif finished < inning - 1:
            break
    return tuple(reversed(found))


class _Step:
    """One entry of the records, whether it belongs to the inning, and what it did there."""

    def __init__(self, entry: Entry, before: CaromFrame, after: CaromFrame, edit: EditInning):
        place = edit.side.place
        self.entry, self.before = entry, before
        self.ours = before.turn is edit.side and before.innings[place] == edit.inning - 1
        self.ends = self.ours and after.innings[place] == edit.inning
        gained = after.score[place] - before.score[place]
        self.gained = gained if self.ours else 0


def _steps(records: tuple[Played, ...], edit: EditInning, recorded: int) -> list[tuple[_Step, ...]]:
    """The entries of the inning's records, one group a record.

    Raises:
        NotAllowed: what they hold does not add up to the inning, which began in another
            record or in the position where the match was taken up, or was put right by hand.
    """
    groups: list[tuple[_Step, ...]] = []
    for record in records:
        group: list[_Step] = []
        frame = record.before
        for entry in record.entries:
            assert isinstance(entry, Entry)
            assert isinstance(frame, CaromFrame)
            after = frame.after(entry)
            group.append(_Step(entry, frame, after, edit))
            frame = after
        groups.append(tuple(group))
    steps = [step for group in groups for step in group]
    by_hand = any(isinstance(step.entry, Adjust) for step in steps)
    if by_hand or sum(step.gained for step in steps) != recorded:
        raise NotAllowed(Code.NO_SUCH_INNING, edit)
    return groups


def _taps(groups: list[tuple[_Step, ...]], edit: EditInning) -> tuple[tuple[Entry, ...], ...]:
    """The total in the place of the first point; a carom that a zone took away stays a foul."""
    steps = [step for group in groups for step in group]
    scoring = [step for step in steps if step.ours and isinstance(step.entry, Points | Run)]
    run = next((step for step in scoring if isinstance(step.entry, Run)), None)
    last = next(step for step in steps if step.ends)
    free = next((step for step in steps if step.ours and step.before.option is None), last)
    place = run or next((step for step in scoring if not step.ends), free)
    total = _total(edit.points, place.before) if run is None else (Run(edit.points),)
    found: list[tuple[Entry, ...]] = []
    for group in groups:
        kept: list[Entry] = []
        for step in group:
            if step is place:
                kept += total
            if step not in scoring:
                kept.append(step.entry)
            elif step.ends and step is not run:
                kept.append(Foul())
        if kept:
            found.append(tuple(kept))
    return tuple(found)


def _total(points: int, frame: CaromFrame) -> tuple[Entry, ...]:
    """The points as one entry; carom by carom where each of them changes who is up."""
    if frame.terms.rotate is Rotate.STROKE:
        return (Points(1),) * points
    return (Points(points),) if points else ()


def _stroke(groups: list[tuple[_Step, ...]], edit: EditInning) -> tuple[tuple[Entry, ...], ...]:
    """The stroke with other points of the striker's own; what went to the opponent stays.

    Raises:
        NotAllowed: there are none: all went to the opponent, or the turn was lost without a stroke.
    """
    struck = any(
        step.ours and isinstance(step.entry, _STROKES) for group in groups for step in group
    )
    if edit.points and not struck:
        raise NotAllowed(Code.BAD_COUNT, edit, "0")
    return tuple(tuple(_restruck(step, edit) for step in group) for group in groups)


def _restruck(step: _Step, edit: EditInning) -> Entry:
    entry = step.entry
    if not step.ours or not isinstance(entry, _STROKES):
        return entry
    if isinstance(entry, EndVisit):
        return Pins(edit.points)
    if entry.to is not PinsTo.STRIKER:
        if edit.points:
            raise NotAllowed(Code.BAD_COUNT, edit, "0")
        return entry
    if isinstance(entry, Felled):
        assert isinstance(step.before, PinsFrame)
        entry = counted(step.before.terms, entry)
    return Pins(edit.points, given=entry.given)
