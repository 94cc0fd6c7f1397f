"""Correcting the points of a finished inning: the splice that says so."""

from rules.carom.entries import Points, Run
from rules.carom.series import SeriesFrame
from rules.entries import Adjust, Entry
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
    place = edit.inning - 1 - now.innings[edit.side.place]
    runs = now.runs[edit.side.place]
    if not records or not -len(runs) <= place < 0:
        raise NotAllowed(Code.NO_SUCH_INNING, edit)
    groups = _with_total(records, edit, runs[place])
    return Splice(records[0].number, records[-1].number, groups)


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


def _with_total(
    records: tuple[Played, ...], edit: EditInning, recorded: int
) -> tuple[tuple[Entry, ...], ...]:
    """The records with the inning's points replaced; what else they hold stays.

    Raises:
        NotAllowed: what they hold does not add up to the inning, which began in another
            record or in the position where the match was taken up, or was put right by hand.
    """
    groups: list[tuple[Entry, ...]] = []
    keyed = 0
    run = False
    for record in records:
        kept: list[Entry] = []
        frame = record.before
        for entry in record.entries:
            assert isinstance(entry, Entry)
            assert isinstance(frame, SeriesFrame)
            ours = frame.turn is edit.side and frame.innings[edit.side.place] == edit.inning - 1
            frame = frame.after(entry)
            if isinstance(entry, Adjust):
                raise NotAllowed(Code.NO_SUCH_INNING, edit)
            if ours and isinstance(entry, Points | Run):
                keyed += entry.n
                run = run or isinstance(entry, Run)
            if ours and isinstance(entry, Run):
                kept.append(Run(edit.points))
            elif not (ours and isinstance(entry, Points)):
                kept.append(entry)
        if kept:
            groups.append(tuple(kept))
    if keyed != recorded:
        raise NotAllowed(Code.NO_SUCH_INNING, edit)
    if edit.points and not run:
        groups.insert(0, (Points(edit.points),))
    return tuple(groups)
