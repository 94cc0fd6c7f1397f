"""What can be read of a damaged journal, row by row, and what cannot: never guessed at."""

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from firmware.journal.matches import State
from firmware.journal.schema import MATCH_FIELDS, ROW_FIELDS, UNREADABLE, Row, checksum

_CLUB = {"club": "number, short, spoken, handicaps", "doubles": "number, same_as"}
"""Tables of names that version 1 has not."""

_MATCH = f"number, {MATCH_FIELDS}, checksum, state, taken_up"


class Loss(Struct, frozen=True):
    """A match that lost its records from `from_seq` on, or where nobody can say that it did not.

    `match` is its id, or `number 7` where even that could not be read. Without its set-up
    (`from_seq` 0) it is not in the new file.
    """

    match: str
    from_seq: int


class Damage(Struct, frozen=True):
    """A file that was set aside: where to, why, and what the new one has of it.

    `whole` are the ids of matches that lost nothing that the file still told of. `unlisted` says
    that the list of matches itself was damaged: there may be others. `names_lost` says the same
    of the players' names. Records at the very end of a log that was cut off leave no trace.
    """

    aside: str
    why: str
    whole: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    unlisted: bool = False
    names_lost: bool = False


def read_rows(
    db: sqlite3.Connection, number: int, match_id: str, after: int = -1
) -> Iterator[Row | None]:
    """The records of a match in order; a none, then the end, where one is missing or damaged.

    Raises:
        UNREADABLE: the file cannot be read on from here.
    """
    expected = after + 1
    for seq, *rest, sum_ in db.execute(
        f"SELECT seq, {ROW_FIELDS}, checksum FROM records"
        " WHERE match_no = ? AND seq > ? ORDER BY seq",
        (number, after),
    ):
        row = Row(match_id, seq, *rest)
        if seq != expected or row.checksum() != sum_:
            yield None
            return
        yield row
        expected += 1


def last_told(db: sqlite3.Connection, number: int) -> int | None:
    """The last seq that any part of the file tells of, so that a shortened match is noticed.

    None where a part cannot be read: then nobody can say.
    """
    last = -1
    for query in (
        "SELECT max(seq) FROM records WHERE match_no = ?",
        "SELECT max(seq) FROM records INDEXED BY record_source WHERE match_no = ?",
        "SELECT max(seq) FROM cursors WHERE match_no = ?",
    ):
        try:
            (seq,) = db.execute(query, (number,)).fetchone()
        except UNREADABLE:
            return None
        if isinstance(seq, int):
            last = max(last, seq)
    return last


class Salvage:
    """Copies row by row from a damaged file into an empty journal."""

    def __init__(self, old: sqlite3.Connection, new: sqlite3.Connection) -> None:
        self._old, self._new = old, new
        self._whole: list[str] = []
        self._lost: list[Loss] = []

    def run(self, damage: Damage) -> Damage:
        """Copy everything; says what is whole and what was lost."""
        names_lost = self._copied("players", "number, name")
        for table, columns in _CLUB.items():
            names_lost |= self._has(table) and self._copied(table, columns)
        matches, unlisted = self._rows("matches", _MATCH)
        for match in matches:
            self._match(match)
        listed = {match[0] for match in matches}
        # No match is ever deleted: a page that reads as empty has lost those that were on it.
        unlisted |= not matches or listed != set(range(1, len(matches) + 1))
        for number in sorted(self._numbers() - listed):
            self._lost.append(Loss(f"number {number}", 0))
        self._copied("boots", "number")
        self._copied("damages", "number, damage, told")
        return replace(
            damage,
            whole=tuple(self._whole),
            lost=tuple(self._lost),
            unlisted=unlisted,
            names_lost=names_lost,
        )

    def _has(self, table: str) -> bool:
        """Whether an older file may have a table; where that cannot be read, it may."""
        try:
            found = self._old.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,))
            return found.fetchone() is not None
        except UNREADABLE:
            return True

    def _rows(self, table: str, columns: str) -> tuple[list[tuple[Any, ...]], bool]:
        """What can be read of a table, from both its ends, and whether something was lost."""
        found: dict[tuple[Any, ...], None] = {}
        failed = False
        for direction in ("ASC", "DESC"):
            query = f"SELECT {columns} FROM {table} ORDER BY number {direction}"
            try:
                for row in self._old.execute(query):
                    found[row] = None
            except UNREADABLE:
                failed = True
            if not failed:
                break
        return sorted(found, key=lambda row: int(row[0])), failed

    def _copied(self, table: str, columns: str) -> bool:
        """Copy a table as far as can be; whether something was lost."""
        rows, failed = self._rows(table, columns)
        kept = [self._inserted(table, row) for row in rows]
        return failed or not all(kept)

    def _inserted(self, table: str, row: tuple[Any, ...]) -> bool:
        """Put in one row, unless its values are none that can stand there."""
        try:
            self._new.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        except (sqlite3.IntegrityError, UnicodeEncodeError):
            return False
        return True

    def _numbers(self) -> set[int]:
        """The matches that records tell of."""
        found: set[object] = set()
        for index in ("NOT INDEXED", "INDEXED BY record_source"):
            query = f"SELECT DISTINCT match_no FROM records {index} WHERE match_no > 0"
            with contextlib.suppress(*UNREADABLE):
                for (number,) in self._old.execute(query):
                    found.add(number)
        return {number for number in found if isinstance(number, int)}

    def _match(self, match: tuple[Any, ...]) -> None:
        """Copy one match with its records up to the first gap."""
        number, id_ = match[0], match[1]
        if checksum(*match[1:7]) != match[7]:
            self._lost.append(Loss(f"number {number}", 0))
            return
        rows, broken = self._records(number, id_)
        summary = self._one("SELECT version, summary FROM summaries WHERE match_no = ?", number)
        state = _state(match[8], len(rows), ended=summary is not None)
        taken_up = match[9] if isinstance(match[9], int) else 0
        if not rows or not self._inserted("matches", (*match[:8], state, taken_up)):
            self._lost.append(Loss(id_, 0))
            return
        for row in rows:
            self._inserted("records", (number, *astuple(row)[1:], row.checksum()))
        if summary is not None:
            self._inserted("summaries", (number, *summary))
        cursor = self._one("SELECT seq FROM cursors WHERE match_no = ?", number)
        if cursor is not None and isinstance(cursor[0], int):
            self._inserted("cursors", (number, min(cursor[0], len(rows) - 1)))
        last = last_told(self._old, number)
        if broken or last is None or len(rows) <= last:
            self._lost.append(Loss(id_, len(rows)))
        else:
            self._whole.append(id_)

    def _records(self, number: int, match_id: str) -> tuple[list[Row], bool]:
        """The records before the first gap or fault, and whether there is one."""
        rows: list[Row] = []
        try:
            for row in read_rows(self._old, number, match_id):
                if row is None:
                    return rows, True
                rows.append(row)
        except UNREADABLE:
            return rows, True
        return rows, False

    def _one(self, query: str, number: int) -> tuple[Any, ...] | None:
        try:
            found = self._old.execute(query, (number,)).fetchone()
        except UNREADABLE:
            return None
        return None if found is None else tuple(found)


def _state(state: object, records: int, *, ended: bool) -> object:
    """A match's state; where that cannot be read, what the other tables say it is."""
    if state in tuple(State):
        return state
    if ended:
        return State.FINISHED
    return State.IN_PLAY if records > 1 else State.PREPARED
