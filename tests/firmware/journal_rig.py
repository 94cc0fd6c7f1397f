"""Matches to write down, and a journal with some of them."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from firmware.journal.journal import Journal
from firmware.journal.matches import State, began
from firmware.journal.salvage import Damage
from rules.record import Record, Setup, Source
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_act

AT_MS = 1_772_500_000_000
ACTS = (
    "+1",
    "/",
    "=4",
    "UNDO",
    "REDO",
    "[FOUL(off) PICK(as_is)]",
    "EDIT(A2=6)",
    "[SPLICE(3,4) / =4]",
)


def setup(number: str = "1.0") -> Record:
    return Record(0, Setup("ug", ((1,), (2,))), 0, AT_MS, synced=True, by=Source("app", number))


def record(seq: int, text: str | None = None, *, number: str | None = None) -> Record:
    """Record `seq` with its own source; without a text, one of all kinds of act in turn."""
    act = read_act(text or ACTS[seq % len(ACTS)], notation_of("ug"))
    by = Source("panel", number or f"1.{seq}")
    return Record(seq, act, seq * 700, AT_MS + seq * 700, synced=seq % 2 == 0, by=by)


def log(count: int) -> list[Record]:
    """A set-up and the records up to number `count`."""
    return [setup(), *(record(seq) for seq in range(1, count + 1))]


def write(journal: Journal, match_id: str, count: int, state: State = State.IN_PLAY) -> None:
    """Begin a match and give it its records."""
    journal.begin(began(match_id, rulebook_of("ug"), AT_MS, state), setup())
    if count:
        journal.append(match_id, log(count)[1:], "ug")


@contextlib.contextmanager
def opened(path: Path, *, thorough: bool = False) -> Iterator[tuple[Journal, Damage | None]]:
    journal, damage = Journal.open(path, at_ms=AT_MS, thorough=thorough)
    try:
        yield journal, damage
    finally:
        journal.close()


@contextlib.contextmanager
def journal_at(path: Path) -> Iterator[Journal]:
    """A journal that must open without damage."""
    with opened(path, thorough=True) as (journal, damage):
        assert damage is None
        yield journal


def raw(path: Path, query: str) -> list[tuple[object, ...]]:
    """What another program reads in the file."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


def tamper(path: Path, *statements: str) -> None:
    """Do what the file itself forbids."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        kept = triggers.fetchall()
        for name, _ in kept:
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
        for _, sql in kept:
            db.execute(sql)
