"""Opening the journal's file: made where there is none, set aside where it is damaged.

A damaged file is never written to. What can be read is copied into a new one beside it; only when
that is complete and on disk is the damaged one renamed and the new one put in its place. A power
cut at any moment of this is made good at the next opening.
"""

import contextlib
import fcntl
import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from drivers.phrases import Phrase, within
from firmware.disk import synced
from firmware.errors import JournalError
from firmware.journal.check import fault
from firmware.journal.salvage import Damage, Salvage
from firmware.journal.schema import (
    APPLICATION_ID,
    COMPANIONS,
    MIGRATIONS,
    READ_ALIKE,
    UNREADABLE,
    VERSION,
    companions,
    connect,
    create_tables,
    migrate,
    pragma,
)


def open_file(
    path: Path, at_ms: int, *, thorough: bool = False
) -> tuple[sqlite3.Connection, Damage | None]:
    """A connection to the journal at `path`, and the damage that was found and mended.

    `at_ms` dates the name of a file that is set aside. Checked are the structure of the file and
    the records of matches that are not finished; with `thorough`, all records.

    Raises:
        JournalError: folder or file cannot be used; the message names path and mend.
    """
    _check_place(path)
    try:
        _end_replacement(path)
        why = fault(path, thorough=thorough)
        if why is not None:
            _replace(path, why, at_ms)
        elif not path.exists():
            _build(path, None, at_ms)
            os.replace(_beside(path, "new"), path)
            synced(path.parent)
        db = _writable(path)
        return db, _untold(db)
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError(within(path, _mend(error))) from error


class Claim:
    """Has a journal for one table alone, until it is released or the process ends.

    Two tables on one journal would each refuse what follows the other's records, and one would set
    aside what the other writes. Programs that read a journal, or write into its club list, need no
    claim and heed none.

    Raises:
        JournalError: another table has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = self._taken()

    def renew(self) -> None:
        """Claim the file that is there now: it was made, or took the place of a damaged one.

        Raises:
            JournalError: another table was quicker.
        """
        with contextlib.suppress(FileNotFoundError):
            there = self._path.stat()
            if self._handle is None or not os.path.samestat(os.fstat(self._handle), there):
                self.release()
                self._handle = self._taken()

    def release(self) -> None:
        """Let another table have it; after its connection was closed: closing any handle of a
        file drops the locks that SQLite has on it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _taken(self) -> int | None:
        """A locked handle; none where there is no file, or none of whose disk knows locks."""
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None  # opening it says why
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            why = Phrase("claimed", "another table has it; give each its own, or end that one")
            raise JournalError(within(self._path, why)) from None
        except OSError:
            pass  # a disk over the network may know no locks
        return handle


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that only reads, beside a table that writes; nothing is mended or set aside.

    Raises:
        JournalError: there is no journal that this version reads.
    """
    if not path.is_file():
        raise JournalError(within(path, NO_JOURNAL))
    try:
        db = connect(path, "ro")
        found, version = pragma(db, "application_id"), pragma(db, "user_version")
        if found == APPLICATION_ID and version in MIGRATIONS and version not in READ_ALIKE:
            return _as_of_today(db)
    except sqlite3.Error as error:
        raise JournalError(within(path, _mend(error))) from error
    if found != APPLICATION_ID or version not in READ_ALIKE:
        db.close()
        why = Phrase("other_journal", "is no journal that this version reads")
        raise JournalError(within(path, why))
    return db


def _as_of_today(old: sqlite3.Connection) -> sqlite3.Connection:
    """What an older journal holds, with today's tables, in memory: its file stays as it is."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    copy.text_factory = old.text_factory
    with contextlib.closing(old):
        old.backup(copy)
    migrate(copy)
    return copy


def _check_place(path: Path) -> None:
    folder = path.parent
    if not folder.is_dir():
        why = Phrase(
            "no_folder",
            "there is no folder {folder}; make it, or name another place for the journal",
            folder=str(folder),
        )
        raise JournalError(within(path, why))
    if path.is_dir():
        raise JournalError(within(path, Phrase("is_folder", "is a folder; name a file in it")))
    for place, needs in ((folder, os.R_OK | os.W_OK | os.X_OK), (path, os.R_OK | os.W_OK)):
        if place.exists() and not os.access(place, needs):
            if os.statvfs(place).f_flag & os.ST_RDONLY:
                raise JournalError(within(path, _READ_ONLY))
            why = Phrase(
                "not_writable",
                "{place} may not be written by user {user}; "
                "give it to the user that runs the firmware",
                place=str(place),
                user=os.geteuid(),
            )
            raise JournalError(within(path, why))


NO_JOURNAL = Phrase("no_journal", "there is no journal")
"""Of a file that is none."""

_READ_ONLY = Phrase("read_only", "the disk is read-only; mount it for writing")
_BUSY = Phrase("busy", "another process holds the file; end that first")

_MENDS = {
    sqlite3.SQLITE_FULL: Phrase("disk_full", "the disk is full; make room on it"),
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
}


def _mend(error: Exception) -> str:
    """What went wrong and what to do, for a person."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _MENDS:
        return _MENDS[code]
    return Phrase("look_at_disk", "cannot be opened ({why}); look at the disk", why=str(error))


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f"{path.name}.{word}")


def _writable(path: Path) -> sqlite3.Connection:
    """A connection that has shown that it may write."""
    db = connect(path)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("ROLLBACK")
    except BaseException:
        db.close()
        raise
    return db


def _untold(db: sqlite3.Connection) -> Damage | None:
    """The last damage, if no opening before this one came so far as to tell it."""
    found = db.execute(
        "SELECT damage FROM damages WHERE told = 0 ORDER BY number DESC LIMIT 1"
    ).fetchone()
    if found is None:
        return None
    db.execute("UPDATE damages SET told = 1")
    return msgspec.json.decode(found[0], type=Damage)


def _end_replacement(path: Path) -> None:
    """Go on with a replacement that a power cut broke off between its renames."""
    ready = _beside(path, "ready")
    if not path.exists() and ready.exists():
        with contextlib.closing(connect(ready)) as db:
            (text,) = db.execute("SELECT damage FROM damages ORDER BY number DESC").fetchone()
        _swap(path, msgspec.json.decode(text, type=Damage))


def _replace(path: Path, why: str, at_ms: int) -> None:
    """Put a new file with all that can be read in the place of a damaged one."""
    when = datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = _beside(path, f"damaged-{when}")
    while companions(aside):
        aside = aside.with_name(f"{aside.name}x")
    damage = Damage(str(aside), why.encode("ascii", "backslashreplace").decode())
    _build(path, damage, at_ms)
    os.replace(_beside(path, "new"), _beside(path, "ready"))
    synced(path.parent)
    _swap(path, damage)


def _swap(path: Path, damage: Damage) -> None:
    """The damaged file first, then its log: together they stay readable by other tools."""
    aside = Path(damage.aside)
    for end in COMPANIONS:
        old = path.with_name(path.name + end)
        if old.exists():
            os.replace(old, aside.with_name(aside.name + end))
    synced(path.parent)
    os.replace(_beside(path, "ready"), path)
    synced(path.parent)


def _build(path: Path, damage: Damage | None, at_ms: int) -> None:
    """A complete new journal beside the old one, with what can be read of that.

    Boots whose number was lost are counted on from the hour in seconds, so that none comes twice.
    """
    new = _beside(path, "new")
    for left in companions(new):
        left.unlink()
    try:
        with contextlib.closing(connect(new, "rwc")) as db:
            create_tables(db)
            if damage is not None:
                db.execute("BEGIN")
                text = msgspec.json.encode(_salvaged(path, db, damage)).decode()
                db.execute("INSERT INTO damages (damage, told) VALUES (?, 0)", (text,))
                db.execute(
                    "INSERT INTO boots SELECT ? WHERE NOT EXISTS (SELECT 1 FROM boots)",
                    (at_ms // 1000,),
                )
                db.execute("COMMIT")
    except BaseException:
        for left in companions(new):
            left.unlink()
        raise


def _salvaged(path: Path, new: sqlite3.Connection, damage: Damage) -> Damage:
    """Copy what can be read of the file at `path`, and tell what cannot."""
    try:
        old = connect(path, "ro")
    except UNREADABLE:
        return replace(damage, unlisted=True, names_lost=True)
    with contextlib.closing(old):
        return Salvage(old, new).run(damage)
