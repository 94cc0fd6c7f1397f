"""How long a commit takes on this disk, and taking up a long match."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import play
from benchmarks.figures import Aim, Figure, Series
from firmware.clock import SystemClock
from firmware.journal.journal import Journal
from firmware.journal.matches import began
from firmware.journal.schema import Row, encoded
from firmware.journal.worker import JournalWorker
from firmware.table.matches import resumed
from rules.record import Record, Source
from rules.rulebooks.shelf import rulebook_of

COMMITS, WARM_UP = 300, 10
RECORDS = 5000
RESUMES = 15

PLAIN = """
CREATE TABLE records (
    match_no INTEGER NOT NULL, seq INTEGER NOT NULL, rulebook TEXT NOT NULL, act TEXT NOT NULL,
    t_ms INTEGER NOT NULL, at_ms INTEGER NOT NULL, synced INTEGER NOT NULL, device TEXT NOT NULL,
    number TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (match_no, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX record_source ON records (match_no, device, number);
"""
"""The same columns and the same index, without what keeps them whole."""


def run(folder: Path) -> list[Figure]:
    """Commits of three kinds in turn; then the start of a table whose match is long."""
    path = folder / "long.db"
    _filled(path)
    return [*asyncio.run(_commits(folder)), *_resumes(path)]


def _made(record: Record) -> Record:
    """A record as a press makes it."""
    t_ms = record.seq * 700
    by = Source("panel", f"1.{record.seq}")
    return Record(record.seq, record.act, t_ms, t_ms, synced=True, by=by)


def _opened(path: Path) -> Journal:
    journal, damage = Journal.open(path)
    assert damage is None
    if journal.unfinished() is None:
        journal.begin(began("m1", rulebook_of("ug"), 0), play.LONG)
    return journal


async def _commits(folder: Path) -> list[Figure]:
    worker = JournalWorker(lambda: _opened(folder / "worker.db"))
    alone = _opened(folder / "alone.db")
    plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
    plain.execute("PRAGMA journal_mode = WAL")
    plain.execute("PRAGMA synchronous = FULL")
    plain.executescript(PLAIN)
    through, direct, least = list[float](), list[float](), list[float]()
    for record in map(_made, play.long(COMMITS + WARM_UP)):
        row = encoded("m1", record, "ug")
        started_ns = time.perf_counter_ns()
        await worker.commit("m1", record, "ug")
        through.append((time.perf_counter_ns() - started_ns) / 1000)
        direct.append(_took_us(partial(alone.write, [row])))
        least.append(_took_us(partial(_insert, plain, row)))
        await asyncio.sleep(0.002)
    await worker.close()
    alone.close()
    plain.close()
    floor = Series.of(least[WARM_UP:])
    return [
        Figure("journal: commit of one record", Series.of(direct[WARM_UP:]), floor),
        Figure("journal: the same, loop → thread → loop", Series.of(through[WARM_UP:]), floor),
    ]


def _insert(db: sqlite3.Connection, row: Row) -> None:
    values = (row.rulebook, row.act, row.t_ms, row.at_ms, row.synced, row.device, row.number)
    db.execute("INSERT INTO records VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, 0)", (row.seq, *values))


def _filled(path: Path) -> None:
    with contextlib.closing(_opened(path)) as journal:
        records = [_made(record) for record in play.long(RECORDS)]
        journal.append("m1", records, "ug")


def _resumes(path: Path) -> list[Figure]:
    opening, taking_up, least = list[float](), list[float](), list[float]()
    clock = SystemClock()
    for _ in range(RESUMES):
        started_ns = time.perf_counter_ns()
        journal, _ = Journal.open(path)
        opening.append((time.perf_counter_ns() - started_ns) / 1000)
        taking_up.append(_took_us(partial(resumed, journal, clock)))
        journal.close()
        least.append(_took_us(partial(_read, path)))
    whole = [sum(parts) for parts in zip(opening, taking_up, strict=True)]
    return [
        Figure(
            f"journal: resume of {RECORDS} records",
            Series.of(whole),
            Series.of(least),
            Aim(median=1_000_000),
        ),
        Figure("  of it: open and check", Series.of(opening)),
        Figure("  of it: read and refold", Series.of(taking_up)),
    ]


def _read(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert len(db.execute("SELECT * FROM records").fetchall()) == RECORDS + 1


def _took_us(work: Callable[[], object]) -> float:
    started_ns = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - started_ns) / 1000
