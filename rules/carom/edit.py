"""Correcting the points of a finished inning: the splice that says so."""

from rules.carom.entries import Points, Run
from rules.carom.series import SeriesFrame
from rules.entries import Entry
from rules.errors import Code, NotAllowed
from rules.record import EditInning, Splice
from rules.rulebook import Played
from rules.sides import Side


def inning_edit(line: tuple[Played, ...], edit: EditInning) -> Splice:
    """The splice for `EDIT(A2=6)`: A's second inning of the running set made 6.

    An inning keyed as taps is replaced by its total; the entry that ended it stays.

    Raises:
        NotAllowed: no such finished inning was entered, or it cannot be edited now.
    """
    now = line[-1].after
    if not isinstance(now, SeriesFrame) or now.ending is not None or now.drawn:
        raise NotAllowed(Code.OK_PENDING if now is not None else Code.NO_SUCH_INNING, edit)
    if now.goal is not None:
        # The goal hangs on the innings before it: undo to go back there.
        raise NotAllowed(Code.NOT_IN_EQUALISER, edit)
    records = _of_inning(line, edit.side, edit.inning)
    if not records:
        raise NotAllowed(Code.NO_SUCH_INNING, edit)
    return Splice(records[0].number, records[-1].number, _with_total(records, edit.points))


def _of_inning(line: tuple[Played, ...], side: Side, inning: int) -> tuple[Played, ...]:
    """The records that made a finished inning of the running set, in order."""
    found: list[Played] = []
    for played in reversed(line):
        before, after = played.before, played.after
        if not isinstance(before, SeriesFrame) or not isinstance(after, SeriesFrame):
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


def _with_total(records: tuple[Played, ...], points: int) -> tuple[tuple[Entry, ...], ...]:
    groups: list[tuple[Entry, ...]] = []
    run = False
    for record in records:
        kept: list[Entry] = []
        for entry in record.entries:
            assert isinstance(entry, Entry)
            if isinstance(entry, Run):
                run = True
                kept.append(Run(points))
            elif not isinstance(entry, Points):
                kept.append(entry)
        if kept:
            groups.append(tuple(kept))
    if points and not run:
        groups.insert(0, (Points(points),))
    return tuple(groups)
