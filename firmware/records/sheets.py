"""A match as a score sheet in notation, out of the journal and into it."""

from msgspec.structs import replace

from drivers.phrases import Phrase, within
from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.matches import State, Summary, began
from firmware.records.kept import Kept
from firmware.table.matches import player_numbers
from rules.record import Record, Setup, Source
from rules.replay import Replay
from rules.replay import replay as played
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.sheet import Sheet, Step

IMPORT_DEVICE = "import"
"""The device of records that came from a sheet which does not say who made them."""


def sheet_of(match: Kept, *, plain: bool = False) -> Sheet:
    """The sheet of a match: every record, also those that were taken back.

    `plain` leaves out when and by whom each was made. Lines end where visits do.
    """
    steps = [
        Step(record.act) if plain else Step(record.act, record.t_ms, record.by)
        for record in match.records
        if not isinstance(record.act, Setup)
    ]
    return Sheet(
        id=match.row.id,
        setup=match.setup,
        names=match.names,
        body=tuple(tuple(steps[at : at + 10]) for at in range(0, len(steps), 10)),
    )


def checked(journal: Journal, sheet: Sheet) -> Replay:
    """A sheet played, which can be written into the journal.

    Raises:
        JournalError: the sheet does not hold, or was imported before.
    """
    result = played(sheet, rulebook_of)
    if result.notes:
        why = "; ".join(result.notes[:3])
        raise JournalError(within(sheet.id, Phrase("no_hold", "does not hold: {why}", why=why)))
    match_id = f"sheet:{sheet.id}"
    if journal.match(match_id) is not None:
        already = Phrase("imported", "is in the journal already, as {match}", match=match_id)
        raise JournalError(within(sheet.id, already))
    return result


def imported(journal: Journal, sheet: Sheet, at_ms: int, *, take_up: bool = False) -> str:
    """Write a sheet into the journal as a match of its own; its id there.

    A match that is not over waits to be taken up; with `take_up` the table does so when it next
    starts.

    Raises:
        JournalError: the sheet does not hold, or was imported before.
    """
    result, match_id = checked(journal, sheet), f"sheet:{sheet.id}"
    names = (sheet.names[0] or ("A",), sheet.names[1] or ("B",))
    with journal.transaction():
        setup = replace(sheet.setup, players=player_numbers(journal, names))
        begun = began(match_id, rulebook_of(setup.rulebook), at_ms, State.PREPARED)
        by = Source(IMPORT_DEVICE, match_id)
        journal.begin(begun, Record(0, setup, at_ms=at_ms, by=by))
        records = [replace(one, at_ms=at_ms + one.t_ms) for one in result.records if one.seq]
        journal.append(match_id, records, setup.rulebook)
        if result.ledger.match.result is not None:
            line, in_force = scoreline(result.ledger, names, match_id), result.ledger.match.setup
            mended = None if in_force == result.records[0].act else in_force
            journal.finish(match_id, Summary.of(line, mended))
        elif not take_up:
            journal.set_aside(match_id)
    return match_id
