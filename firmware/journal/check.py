"""Whether a journal's file is as it was written; writes nothing but a step to a new version."""

import contextlib
import sqlite3
from pathlib import Path

from drivers.phrases import Phrase
from firmware.errors import JournalError
from firmware.journal.matches import State
from firmware.journal.salvage import last_told, read_rows
from firmware.journal.schema import (
    APPLICATION_ID,
    MATCH_FIELDS,
    MIGRATIONS,
    NOT_OVER,
    UNREADABLE,
    VERSION,
    checksum,
    companions,
    connect,
    disk_trouble,
    has_our_tables,
    migrate,
    pragma,
)

_JOURNAL_MODES = ((1, 1), (2, 2))
"""Bytes 18 and 19 of an SQLite file: rollback journal, WAL (sqlite.org/fileformat2.html, 1.3.3)."""

_IMPOSSIBLE = {
    "players": "typeof(name) <> 'text'",
    "club": "typeof(handicaps) <> 'text' OR NOT json_valid(handicaps)",
    "doubles": "typeof(same_as) <> 'integer' OR same_as = number",
    "cursors": "typeof(seq) <> 'integer'",
    "summaries": "typeof(summary) <> 'text'",
    "damages": "typeof(damage) <> 'text'",
}
"""Values that cannot have been written; SQLite's own check does not find all of them."""

_LONG = ("summaries", "cursors")
"""Tables that grow with the history: read with `thorough` alone."""


def fault(path: Path, *, thorough: bool) -> str | None:
    """Why the file cannot stay in use, or none; an older version is brought up to date.

    A start looks at the header, the tables and every record of the matches that are not over: what
    it reads does not grow with the history. `thorough` reads all of the file.

    Raises:
        sqlite3.Error: the disk, and not the file, is at fault.
    """
    if not path.exists():
        return "the file is gone, and its log is left" if companions(path) else None
    if path.stat().st_size == 0:
        return "the file is empty"
    try:
        with contextlib.closing(connect(path, "ro")) as db:
            why = _header_fault(path, db) or (_structure_fault(db) if thorough else None)
            old = why is None and pragma(db, "user_version") < VERSION
        if old:
            with contextlib.closing(connect(path)) as db:
                migrate(db)
        if why is None:
            with contextlib.closing(connect(path, "ro")) as db:
                why = _content_fault(db, thorough=thorough)
    except (*UNREADABLE, JournalError) as error:
        if disk_trouble(error):
            raise
        # What SQLite quotes of the file may be any number of lines.
        return f"it cannot be read: {' '.join(str(error).split())[:200]}"
    return why


def _header_fault(path: Path, db: sqlite3.Connection) -> str | None:
    if pragma(db, "application_id") != APPLICATION_ID:
        return "it is not a journal of this program"
    version = pragma(db, "user_version")
    if version > VERSION:
        return f"it is of version {version}, and this program knows {VERSION}"
    if any(old not in MIGRATIONS for old in range(version, VERSION)):
        return f"it is of version {version}, which there never was"
    with path.open("rb") as file:
        mode = tuple(file.read(20)[18:])
    if mode not in _JOURNAL_MODES or (len(companions(path)) > 1 and mode != _JOURNAL_MODES[1]):
        return "its header is damaged"
    return None


def page_fault(path: Path) -> str | None:
    """What SQLite finds in the pages of a journal that is in use, or none; blocks no writer.

    Raises:
        sqlite3.Error: the disk, and not the file, is at fault.
    """
    try:
        with contextlib.closing(connect(path, "ro")) as db:
            return _structure_fault(db)
    except UNREADABLE as error:
        if disk_trouble(error):
            raise
        return Phrase("journal_unread", "it cannot be read: {why}", why=str(error))


def _structure_fault(db: sqlite3.Connection) -> str | None:
    """What SQLite finds: pages, order, indexes, and records without a match."""
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        why = " ".join(found.split())[:200]
        return Phrase("journal_damaged", "it is damaged: {why}", why=why)
    if db.execute("PRAGMA foreign_key_check").fetchone():
        return Phrase("journal_orphans", "it has records of a match that is gone")
    return None


def _content_fault(db: sqlite3.Connection, *, thorough: bool) -> str | None:
    """The first thing that is not as it was written, or none."""
    if not has_our_tables(db):
        return "its tables are not those of a journal"
    for table, condition in _IMPOSSIBLE.items():
        if not thorough and table in _LONG:
            continue
        if db.execute(f"SELECT 1 FROM {table} WHERE {condition}").fetchone():
            return _unwritten(table)
    return _matches_fault(db, "true" if thorough else NOT_OVER)


def _unwritten(table: str) -> str:
    return f"{table} has a row that nobody wrote"


def _matches_fault(db: sqlite3.Connection, which: str) -> str | None:
    """What is wrong with some matches or their records, or none."""
    listed = db.execute(f"SELECT number, state, taken_up FROM matches WHERE {which}").fetchall()
    for number, *stands in listed:
        if stands[0] not in tuple(State) or not isinstance(stands[1], int):
            return _unwritten("matches")
        row = db.execute(
            f"SELECT state, taken_up, {MATCH_FIELDS}, checksum FROM matches WHERE number = ?",
            (number,),
        ).fetchone()
        if row is None or list(row[:2]) != stands:
            return "its list of matches by state is damaged"
        began, sum_ = row[2:-1], row[-1]
        if checksum(*began) != sum_:
            return f"match number {number} is not as it was written"
        rows = list(read_rows(db, number, began[0]))
        last = last_told(db, number)
        if not rows or None in rows or last is None or len(rows) <= last:
            return f"match {began[0]} has lost records"
    return None
