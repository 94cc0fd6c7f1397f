"""Old matches moved out of a table's journal, in two steps that each can be checked.

`archived` copies finished matches into a journal of their own; `pruned` makes a new journal without
those that such an archive holds to the letter. No row is ever deleted from a file: the old journal
stays beside the new one. What is in play or prepared is never taken out.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from drivers.phrases import Phrase, within
from firmware.errors import JournalError
from firmware.journal.check import fault
from firmware.journal.file import NO_JOURNAL, Claim
from firmware.journal.schema import companions, connect, create_tables

IS_THERE = Phrase("is_there", "is there already; name a new file")
TABLE_RUNS = Phrase("table_runs", "a table has it open; stop it first")

_TABLES = ("records", "summaries", "cursors")


def archived(journal: Path, to: Path, before_ms: int) -> tuple[str, ...]:
    """Copy the matches that ended before a moment into a new journal; their ids.

    Raises:
        JournalError: there is a file already, no such match, or the copy is not whole.
    """
    if to.exists():
        raise JournalError(within(to, IS_THERE))
    with _made(to) as db:
        _attached(db, journal, "source")
        return _copied(db, f"state = 'finished' AND started_ms < {before_ms:d}")


def pruned(journal: Path, archive: Path, aside: Path) -> tuple[int, int]:
    """Put a journal without the archive's matches in its place; the old file goes to `aside`.

    Gives back how many matches went and how many stay.

    No table can begin meanwhile: what it wrote would stay behind in the old file.

    Raises:
        JournalError: the table is running, or the archive does not hold what it should.
    """
    if companions(aside):
        raise JournalError(within(aside, IS_THERE))
    try:
        claim = Claim(journal)
    except JournalError:
        raise JournalError(within(journal, TABLE_RUNS)) from None
    try:
        return _pruned(journal, archive, aside)
    finally:
        claim.release()


def _pruned(journal: Path, archive: Path, aside: Path) -> tuple[int, int]:
    new = journal.with_name(f"{journal.name}.pruned")
    with _alone(journal), contextlib.closing(connect(archive, "ro")) as old:
        ids = [id_ for (id_,) in old.execute("SELECT id FROM matches ORDER BY number")]
    names = ", ".join("'" + id_.replace("'", "''") + "'" for id_ in ids)
    with _made(new) as db:
        _attached(db, journal, "source")
        _attached(db, archive, "archive")
        _compare(db, ids)
        stay = _copied(db, f"id NOT IN ({names})")
        (unfinished,) = db.execute(
            "SELECT count(*) FROM source.matches WHERE state <> 'finished'"
            " AND id NOT IN (SELECT id FROM main.matches)"
        ).fetchone()
        if unfinished:
            why = Phrase("not_over", "a match that is not over would go; nothing was done")
            raise JournalError(within(journal, why))
    with _alone(journal) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for old_file in companions(journal):
        os.replace(old_file, aside.with_name(aside.name + old_file.name[len(journal.name) :]))
    os.replace(new, journal)
    return len(ids), len(stay)


@contextlib.contextmanager
def _made(path: Path) -> Iterator[sqlite3.Connection]:
    """A new journal that is only there once it is whole and was read through."""
    part = path.with_name(f"{path.name}.part")
    for left in companions(part):
        left.unlink()
    try:
        with contextlib.closing(connect(part, "rwc")) as db:
            create_tables(db)
            yield db
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        why = fault(part, thorough=True)
        if why is not None:
            told = Phrase("copy_not_whole", "the copy is not whole: {why}", why=why)
            raise JournalError(within(path, told))
        os.replace(part, path)
    finally:
        for left in companions(part):
            left.unlink()


def _attached(db: sqlite3.Connection, path: Path, name: str) -> None:
    if not path.is_file():
        raise JournalError(within(path, NO_JOURNAL))
    db.execute(f"ATTACH ? AS {name}", (f"{path.absolute().as_uri()}?mode=ro",))


def _copied(db: sqlite3.Connection, which: str) -> tuple[str, ...]:
    """Copy matches with all that belongs to them, all players, and the count of starts."""
    db.execute("BEGIN")
    db.execute(
        f"CREATE TEMP TABLE chosen AS SELECT number, id FROM source.matches WHERE {which}"
        " ORDER BY number"
    )
    db.execute(
        "INSERT INTO main.matches SELECT * FROM source.matches"
        " WHERE number IN (SELECT number FROM temp.chosen) ORDER BY number"
    )
    for table in _TABLES:
        order = " ORDER BY match_no, seq" if table == "records" else ""
        db.execute(
            f"INSERT INTO main.{table} SELECT * FROM source.{table}"
            f" WHERE match_no IN (SELECT number FROM temp.chosen){order}"
        )
    for table in ("players", "club", "doubles", "boots", "damages"):
        if not _there(db, table):
            continue  # A journal that version 1 wrote has no club list.
        db.execute(f"INSERT INTO main.{table} SELECT * FROM source.{table}")
    db.execute("COMMIT")
    ids = tuple(id_ for (id_,) in db.execute("SELECT id FROM temp.chosen"))
    for table, key in (("matches", "number"), *((table, "match_no") for table in _TABLES)):
        (missing,) = db.execute(
            f"SELECT count(*) FROM (SELECT * FROM source.{table}"
            f" WHERE {key} IN (SELECT number FROM temp.chosen)"
            f" EXCEPT SELECT * FROM main.{table})"
        ).fetchone()
        if missing:
            raise JournalError(
                Phrase(
                    "not_copied",
                    "{n} rows of {table} were not copied; nothing was done",
                    n=missing,
                    table=table,
                )
            )
    return ids


def _there(db: sqlite3.Connection, table: str) -> bool:
    found = db.execute("SELECT 1 FROM source.sqlite_schema WHERE name = ?", (table,))
    return found.fetchone() is not None


def _compare(db: sqlite3.Connection, ids: list[str]) -> None:
    """See that the archive holds these matches as the journal does, and that they are over."""
    (here,) = db.execute(
        "SELECT count(*) FROM archive.matches a JOIN source.matches s"
        " ON a.number = s.number AND a.id = s.id AND a.checksum = s.checksum"
        " WHERE s.state = 'finished'"
    ).fetchone()
    if here != len(ids):
        raise JournalError(
            Phrase(
                "not_as_archived",
                "{n} matches of the archive are not in the journal as they are there, "
                "or are not over; nothing was done",
                n=len(ids) - here,
            )
        )
    for one, other in (("archive", "source"), ("source", "archive")):
        (differ,) = db.execute(
            f"SELECT count(*) FROM (SELECT * FROM {one}.records WHERE match_no IN"
            f" (SELECT number FROM archive.matches) EXCEPT SELECT * FROM {other}.records)"
        ).fetchone()
        if differ:
            raise JournalError(
                Phrase(
                    "differ", "{n} records differ from the archive's; nothing was done", n=differ
                )
            )


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[sqlite3.Connection]:
    """Be the only one who has the file open.

    Raises:
        JournalError: a table has it open.
    """
    if not path.is_file():
        raise JournalError(within(path, NO_JOURNAL))
    with contextlib.closing(connect(path)) as db:
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
            db.execute("COMMIT")
        except sqlite3.OperationalError:
            raise JournalError(within(path, TABLE_RUNS)) from None
        yield db
