"""The format of the journal's file: its tables, their versions, and a record as a row.

docs/journal.md says the same for people.
"""

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from firmware.errors import JournalError
from rules.errors import BadNotation
from rules.notation import read_token
from rules.record import Record, Setup, Source, Splice, act_text, read_setup, setup_text
from rules.rulebooks import notation_of
from rules.sheet import read_act

APPLICATION_ID = 0x54414341
"""`TACA`: marks the file as ours, in the SQLite header."""

VERSION = 3
"""The version of the tables, in `PRAGMA user_version`; raised with every change of them."""

READ_ALIKE = (2, VERSION)
"""Versions whose tables are read alike: to 3 there came an index, and no column."""

BUSY_S = 1.0
"""How long a reader in another process may hold up a commit before it counts as a failure."""

COMPANIONS = ("", "-wal", "-shm", "-journal")
"""What SQLite appends to the file's name for the files that it keeps beside it."""

_CLUB = """
CREATE TABLE club (
    number INTEGER PRIMARY KEY,
    short TEXT NOT NULL,
    spoken TEXT NOT NULL,
    handicaps TEXT NOT NULL
) STRICT;

CREATE TABLE doubles (
    number INTEGER PRIMARY KEY,
    same_as INTEGER NOT NULL CHECK (same_as <> number)
) STRICT;
"""

_BY_STATE = """
CREATE INDEX match_state ON matches (state, taken_up);
"""

SCHEMA = (
    """
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    rulebook TEXT NOT NULL,
    edition TEXT NOT NULL,
    digest TEXT NOT NULL,
    terms TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('prepared', 'in play', 'finished')),
    taken_up INTEGER NOT NULL
) STRICT;

CREATE TABLE records (
    match_no INTEGER NOT NULL REFERENCES matches (number),
    seq INTEGER NOT NULL,
    rulebook TEXT NOT NULL,
    act TEXT NOT NULL,
    t_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    synced INTEGER NOT NULL,
    device TEXT NOT NULL,
    number TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match_no, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX record_source ON records (match_no, device, number);

CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
"""
    + _CLUB
    + _BY_STATE
    + """

CREATE TABLE summaries (
    match_no INTEGER PRIMARY KEY REFERENCES matches (number),
    version INTEGER NOT NULL,
    summary TEXT NOT NULL
) STRICT;

CREATE TABLE cursors (
    match_no INTEGER PRIMARY KEY REFERENCES matches (number),
    seq INTEGER NOT NULL
) STRICT;

CREATE TABLE boots (number INTEGER PRIMARY KEY) STRICT;

CREATE TABLE damages (
    number INTEGER PRIMARY KEY,
    damage TEXT NOT NULL,
    told INTEGER NOT NULL
) STRICT;

CREATE TRIGGER record_kept BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;

CREATE TRIGGER record_not_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;

CREATE TRIGGER record_in_order BEFORE INSERT ON records
WHEN NEW.seq <> (SELECT coalesce(max(seq), -1) + 1 FROM records WHERE match_no = NEW.match_no)
BEGIN SELECT RAISE(ABORT, 'a record follows the last one of its match'); END;

CREATE TRIGGER record_once BEFORE INSERT ON records
WHEN EXISTS (
    SELECT 1 FROM records
    WHERE match_no = NEW.match_no AND device = NEW.device AND number = NEW.number
)
BEGIN SELECT RAISE(ABORT, 'a source has one record in a match'); END;

CREATE TRIGGER match_kept
BEFORE UPDATE OF number, id, rulebook, edition, digest, terms, started_ms, checksum ON matches
BEGIN SELECT RAISE(ABORT, 'what a match began with is never changed'); END;

CREATE TRIGGER match_not_deleted BEFORE DELETE ON matches
BEGIN SELECT RAISE(ABORT, 'a match is never deleted'); END;
"""
)

MATCH_FIELDS = "id, rulebook, edition, digest, terms, started_ms"
"""What a match began with; its checksum is over these."""

NOT_OVER = "(state < 'finished' OR state > 'finished')"
"""Of matches: not finished. So written, SQLite finds them by index, as with `<>` it would not."""

ROW_FIELDS = "rulebook, act, t_ms, at_ms, synced, device, number"
"""A record's columns between seq and checksum; its checksum is over match id, seq and these."""

Migration = Callable[[sqlite3.Connection], None]


def _with_club(db: sqlite3.Connection) -> None:
    """Version 2: the club list. A name that had several numbers is the player of the first."""
    for statement in _CLUB.split(";"):
        db.execute(statement)
    db.execute(
        "INSERT INTO doubles SELECT number, first FROM players"
        " JOIN (SELECT min(number) AS first, name AS same FROM players GROUP BY name)"
        " ON name = same AND number > first"
    )
    db.execute("DELETE FROM players WHERE number IN (SELECT number FROM doubles)")


def _by_state(db: sqlite3.Connection) -> None:
    """Version 3: matches by their state, so that a start need not read those that are over."""
    db.execute(_BY_STATE)


MIGRATIONS: Mapping[int, Migration] = {1: _with_club, 2: _by_state}
"""For each old version, what makes the next one of it, inside one transaction.

The last one leaves the tables as `SCHEMA` has them, to the letter: a damaged schema is known by
the difference.
"""


class Row(Struct, frozen=True):
    """A record as it is stored. `rulebook` says in whose words the act is written."""

    match: str
    seq: int
    rulebook: str
    act: str
    t_ms: int
    at_ms: int
    synced: int
    device: str
    number: str

    def checksum(self) -> int:
        """Over all of it, so that a flipped bit is found and never read as another act."""
        return checksum(
            self.match,
            self.seq,
            self.rulebook,
            self.act,
            self.t_ms,
            self.at_ms,
            self.synced,
            self.device,
            self.number,
        )


def checksum(*values: object) -> int:
    """CRC-32 of some columns."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogateescape"))


def encoded(match_id: str, record: Record, rulebook: str) -> Row:
    """A record as a row; `rulebook` is the id of the one it was judged by.

    It is read back at once: what could not be read after a restart is not written at all.

    Raises:
        BadNotation: the act cannot be written, or not be read again.
    """
    act = record.act
    if isinstance(act, Splice) and act.setup is not None:
        rulebook = act.setup.rulebook
    text = setup_text(act) if isinstance(act, Setup) else act_text(act, notation_of(rulebook))
    row = Row(
        match_id,
        record.seq,
        rulebook,
        text,
        record.t_ms,
        record.at_ms,
        int(record.synced),
        record.by.device,
        record.by.number,
    )
    if decoded(row, {}) != record:
        raise BadNotation(f"record {record.seq}: {text} would be read as something else")
    return row


def decoded(row: Row, known: dict[tuple[str, str], Record]) -> Record:
    """The record that a row holds; `known` remembers acts that were read before.

    Raises:
        BadNotation: this version cannot read the act.
    """
    source = Source(row.device, row.number)
    key = (row.rulebook, row.act)
    like = known.get(key)
    if like is not None:
        act = like.act
    elif row.act.startswith("SETUP("):
        act = read_setup(read_token(row.act).args)
    else:
        act = read_act(row.act, notation_of(row.rulebook))
    record = Record(row.seq, act, row.t_ms, row.at_ms, bool(row.synced), source)
    if like is None:
        known[key] = record
    return record


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """A connection to a file that is there; `mode` is one of SQLite's: ro, rw, rwc.

    Raises:
        sqlite3.Error: the file cannot be used.
    """
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        db.text_factory = _text
        for pragma in (
            "foreign_keys = ON",
            "trusted_schema = OFF",
            "cell_size_check = ON",
            "synchronous = FULL",
            "secure_delete = ON",
        ):
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def _text(raw: bytes) -> str:
    """Text of any bytes: where they are damaged, the checksum says so."""
    return raw.decode("utf-8", "surrogateescape")


def companions(path: Path) -> list[Path]:
    """The file and what SQLite keeps beside it, as far as they are there."""
    names = (path.with_name(path.name + end) for end in COMPANIONS)
    return [name for name in names if name.exists()]


def create_tables(db: sqlite3.Connection) -> None:
    """Make an empty file a journal."""
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(
        f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        f"{SCHEMA}; COMMIT;"
    )


def pragma(db: sqlite3.Connection, name: str) -> int:
    """A number from the file's header."""
    (value,) = db.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def migrate(
    db: sqlite3.Connection, steps: Mapping[int, Migration] = MIGRATIONS, to: int = VERSION
) -> None:
    """Bring an older journal to today's tables, all in one transaction.

    Raises:
        JournalError: there is no step from its version.
        sqlite3.Error: a step failed; the file is as it was.
    """
    version = pragma(db, "user_version")
    if version == to:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for old in range(version, to):
            if old not in steps:
                raise JournalError(f"no way leads from journal version {old} to {old + 1}")
            steps[old](db)
        db.execute(f"PRAGMA user_version = {to}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; Python cannot even decode some of SQLite's complaints."""


def has_our_tables(db: sqlite3.Connection) -> bool:
    """Whether tables, indexes and triggers are to the letter those of `SCHEMA`."""
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(SCHEMA)
        return _schema(db) == _schema(ours)


def _schema(db: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


_DISK = frozenset(
    (
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    )
)


def disk_trouble(error: BaseException) -> bool:
    """Whether the disk or another process is at fault, so that trying again may help.

    A damaged file or a mistake in the program is not such a fault.
    """
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.Error) and code is not None and code & 0xFF in _DISK
