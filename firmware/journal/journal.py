"""The journal: every match with every record, on disk before anyone is told.

SQLite in WAL mode with `synchronous=FULL`: what was committed is there after a power cut.
Records are never changed or deleted, and the file itself refuses it. One thread at a time may
use a journal; `firmware/journal/worker.py` owns the one that commits.

Where nothing else is said, every call may raise `sqlite3.OperationalError` when the disk fails;
nothing is written then, and every call but `boot` may simply be made again.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from drivers.phrases import Phrase, within
from firmware.club.roster import Club
from firmware.errors import JournalError, RecordRefused
from firmware.journal.file import Claim, open_file, open_to_read
from firmware.journal.matches import SUMMARY_VERSION, MatchRow, State, Summary
from firmware.journal.salvage import Damage, read_rows
from firmware.journal.schema import MATCH_FIELDS, Row, checksum, decoded, encoded, pragma
from rules.errors import BadNotation
from rules.notation import read_token
from rules.record import Record, Setup, Source, read_setup

_LAST_IN_STATE = (
    f"SELECT max(taken_up) AS last FROM matches WHERE state = '{one}'" for one in State
)
_TAKEN_UP_NEXT = f"SELECT max(last) + 1 FROM ({' UNION ALL '.join(_LAST_IN_STATE)})"
"""One more than any match has; state by state, as the index has it."""


class Journal:
    """An open journal; `Journal.open` makes one."""

    def __init__(self, db: sqlite3.Connection, path: Path, claim: Claim | None = None) -> None:
        self._db, self._claim = db, claim
        self.path = path

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        at_ms: int | None = None,
        thorough: bool = False,
        alone: bool = False,
    ) -> "tuple[Journal, Damage | None]":
        """Open the journal at `path`, which is made where there is none.

        A damaged or foreign file is set aside under a name dated `at_ms` (now), and the journal
        holds what could be read of it: then, and only then, there is a `Damage`. `thorough`
        reads every record, not just those of matches that are not finished. `alone`: a table
        opens it, of which a journal has one at a time.

        Raises:
            JournalError: folder or file cannot be used, or another table has the journal; the
                message names path and mend.
        """
        place = Path(path)
        now_ms = time.time_ns() // 1_000_000 if at_ms is None else at_ms
        claim = Claim(place) if alone else None
        db: sqlite3.Connection | None = None
        try:
            db, damage = open_file(place, now_ms, thorough=thorough)
            if claim is not None:
                claim.renew()
        except BaseException:
            if db is not None:
                db.close()
            if claim is not None:
                claim.release()
            raise
        return cls(db, place, claim), damage

    @classmethod
    def read(cls, path: str | Path) -> "Journal":
        """Open a journal to read it, also while a table writes it.

        Raises:
            JournalError: there is none that this version reads.
        """
        return cls(open_to_read(Path(path)), Path(path))

    def close(self) -> None:
        """Close the file; safe to call again."""
        self._db.close()
        if self._claim is not None:
            self._claim.release()

    def boot(self) -> int:
        """Count one more start of the program, from 1."""
        with self.transaction():
            self._db.execute("INSERT INTO boots SELECT coalesce(max(number), 0) + 1 FROM boots")
            (number,) = self._db.execute("SELECT max(number) FROM boots").fetchone()
            self._db.execute("DELETE FROM boots WHERE number < ?", (number,))
            return int(number)

    def damages(self) -> tuple[Damage, ...]:
        """Every damage that was ever found, the first one first."""
        found = self._db.execute("SELECT damage FROM damages ORDER BY number")
        return tuple(msgspec.json.decode(text, type=Damage) for (text,) in found)

    @property
    def club(self) -> Club:
        """The players, and what else is known of them."""
        return Club(self._db, self.transaction)

    def players(self) -> dict[int, str]:
        """All players' names by number, also by the numbers of doubles."""
        return self.club.names()

    def changed(self) -> int:
        """A number that is another one once somebody else has written into the file."""
        return pragma(self._db, "data_version")

    def begin(self, match: MatchRow, setup: Record) -> None:
        """Write down a match with its record 0; the same match again changes nothing.

        Raises:
            RecordRefused: another match has that id, or the record is no set-up.
            BadNotation: the set-up cannot be written.
        """
        if not isinstance(setup.act, Setup) or setup.seq != 0:
            raise RecordRefused(f"match {match.id}: record 0 is the set-up, not {setup.act!r}")
        row = encoded(match.id, setup, setup.act.rulebook)
        given = msgspec.structs.astuple(match)[:-1]
        with self.transaction():
            stored = self._db.execute(
                f"SELECT {MATCH_FIELDS} FROM matches WHERE id = ?", (match.id,)
            ).fetchone()
            if stored is None:
                self._db.execute(
                    f"INSERT INTO matches ({MATCH_FIELDS}, checksum, state, taken_up)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                    (*given, checksum(*given), State.PREPARED),
                )
                self._insert(row)
                self._set(match.id, match.state)
            elif stored != given or self._find(match.id, setup.by) != 0:
                raise RecordRefused(f"match {match.id}: there is another one with that id")

    def start(self, match_id: str) -> None:
        """A prepared match is played from now on; its first record after the set-up does too."""
        with self.transaction():
            self._set(match_id, State.IN_PLAY)

    def set_aside(self, match_id: str) -> None:
        """A match that was written down is not in play: it waits to be started or taken up."""
        with self.transaction():
            self._set(match_id, State.PREPARED)

    def append(self, match_id: str, records: Sequence[Record], rulebook: str) -> tuple[int, ...]:
        """Commit records in one transaction; `rulebook` is the one they were judged by.

        Gives back the seq of each. A record whose source the match has already is the same one,
        sent again: the seq that it has is given, and nothing is written. A record after a
        match's end takes the match up again.

        Raises:
            RecordRefused: a record that does not follow the last one; none is written.
            BadNotation: a record cannot be written; none is.
        """
        return self.write([encoded(match_id, record, rulebook) for record in records])

    def write(self, rows: Sequence[Row]) -> tuple[int, ...]:
        """What `append` does, for rows that may be of several matches."""
        with self.transaction():
            return tuple(self._append(row) for row in rows)

    def find(self, match_id: str, by: Source) -> int | None:
        """The seq of the record from a source, or none: what is sent again acts once."""
        return self._find(match_id, by)

    def unfinished(self) -> MatchRow | None:
        """The match in play; of several, the one taken up last."""
        matches = self._matches("WHERE state = ? ORDER BY taken_up DESC LIMIT 1", State.IN_PLAY)
        return matches[0] if matches else None

    def matches(self) -> list[MatchRow]:
        """All matches, as they were written down."""
        return self._matches("ORDER BY number")

    def records(self, match_id: str, after: int = -1) -> list[Record]:
        """The records of a match after a seq.

        Raises:
            JournalError: there is no such match, or a record is damaged.
            BadNotation: this version cannot read an act.
        """
        found = self._db.execute("SELECT number FROM matches WHERE id = ?", (match_id,)).fetchone()
        if found is None:
            why = Phrase("match_gone", "there is no match {match}", match=match_id)
            raise JournalError(within(self.path, why))
        records: list[Record] = []
        known: dict[tuple[str, str], Record] = {}
        for row in read_rows(self._db, found[0], match_id, after):
            if row is None:
                seq = after + 1 + len(records)
                why = Phrase(
                    "record_damaged",
                    "record {seq} of match {match} is damaged; "
                    "a thorough check at the next start sets the file aside",
                    seq=seq,
                    match=match_id,
                )
                raise JournalError(within(self.path, why))
            records.append(decoded(row, known))
        return records

    def match(self, match_id: str) -> MatchRow | None:
        """One match, as it was written down, or none."""
        found = self._matches("WHERE id = ?", match_id)
        return found[0] if found else None

    def last_setups(self, count: int) -> list[Setup]:
        """What the last matches were set up as, the last one first, as far as it can be read.

        A newer version may have written what this one does not know.
        """
        found = self._db.execute(
            "SELECT act FROM matches JOIN records ON records.match_no = matches.number AND seq = 0"
            " ORDER BY matches.number DESC LIMIT ?",
            (count,),
        )
        setups = []
        for (act,) in found:
            with contextlib.suppress(BadNotation):
                setups.append(read_setup(read_token(act).args))
        return setups

    def finish(self, match_id: str, summary: Summary) -> None:
        """A match is over; its summary takes the place of an earlier one."""
        text = msgspec.json.encode(summary).decode()
        with self.transaction():
            self._db.execute(
                "INSERT INTO summaries SELECT number, ?, ? FROM matches WHERE id = ?"
                " ON CONFLICT (match_no) DO UPDATE"
                " SET version = excluded.version, summary = excluded.summary",
                (SUMMARY_VERSION, text, match_id),
            )
            self._set(match_id, State.FINISHED)

    def summary(self, match_id: str) -> Summary | None:
        """The summary of a finished match; none where there is none that this version reads."""
        found = self._db.execute(
            "SELECT summary FROM summaries JOIN matches ON match_no = number"
            " WHERE id = ? AND version = ?",
            (match_id, SUMMARY_VERSION),
        ).fetchone()
        if found is None:
            return None
        try:
            return msgspec.json.decode(found[0], type=Summary)
        except msgspec.MsgspecError:
            return None

    def listing(self) -> Iterator[tuple[str, str, int, str, str, str]]:
        """Of all matches, the oldest first: id, rulebook, start, state, set-up and summary.

        Set-up and summary are text, in notation and JSON, the summary empty where there is none of
        this version: who looks for a few among thousands reads no more of them than he must.
        """
        yield from self._db.execute(
            "SELECT id, matches.rulebook, started_ms, state, act, coalesce(summary, '')"
            " FROM matches JOIN records ON records.match_no = matches.number AND seq = 0"
            " LEFT JOIN summaries ON summaries.match_no = matches.number AND version = ?"
            " ORDER BY matches.number",
            (SUMMARY_VERSION,),
        )

    def cursor(self, match_id: str) -> int:
        """The seq up to which a match's records were published, -1 for none."""
        found = self._db.execute(
            "SELECT seq FROM cursors JOIN matches ON match_no = number WHERE id = ?", (match_id,)
        ).fetchone()
        return -1 if found is None else int(found[0])

    def advance(self, match_id: str, seq: int) -> None:
        """Records up to `seq` were published; the cursor never goes back."""
        with self.transaction():
            self._db.execute(
                "INSERT INTO cursors SELECT number, ? FROM matches WHERE id = ?"
                " ON CONFLICT (match_no) DO UPDATE SET seq = max(seq, excluded.seq)",
                (seq, match_id),
            )

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, on disk when the block is left; one within another is part of it."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _append(self, row: Row) -> int:
        seq = self._find(row.match, Source(row.device, row.number))
        if seq is None:
            self._insert(row)
            self._set(row.match, State.IN_PLAY)
        return row.seq if seq is None else seq

    def _insert(self, row: Row) -> None:
        values = msgspec.structs.astuple(row)
        try:
            written = self._db.execute(
                "INSERT INTO records SELECT number, ?, ?, ?, ?, ?, ?, ?, ?, ?"
                " FROM matches WHERE id = ?",
                (*values[1:], row.checksum(), row.match),
            ).rowcount
        except sqlite3.IntegrityError as error:
            raise RecordRefused(f"match {row.match}, record {row.seq}: {error}") from error
        if not written:
            raise RecordRefused(f"match {row.match} is not in the journal")

    def _find(self, match_id: str, by: Source) -> int | None:
        found = self._db.execute(
            "SELECT seq FROM records JOIN matches ON match_no = matches.number"
            " WHERE id = ? AND device = ? AND records.number = ?",
            (match_id, by.device, by.number),
        ).fetchone()
        return None if found is None else int(found[0])

    def _matches(self, which: str, *values: str) -> list[MatchRow]:
        found = self._db.execute(f"SELECT {MATCH_FIELDS}, state FROM matches {which}", values)
        return [
            MatchRow(id_, rulebook, edition, digest, terms, started_ms, State(state))
            for id_, rulebook, edition, digest, terms, started_ms, state in found
        ]

    def _set(self, match_id: str, state: State) -> None:
        """Change the state of a match where it is another; one in play has no summary."""
        changed = self._db.execute(
            f"UPDATE matches SET state = ?, taken_up = ({_TAKEN_UP_NEXT})"
            " WHERE id = ? AND state <> ?",
            (state, match_id, state),
        ).rowcount
        if changed and state is State.IN_PLAY:
            self._db.execute(
                "DELETE FROM summaries WHERE match_no = (SELECT number FROM matches WHERE id = ?)",
                (match_id,),
            )
