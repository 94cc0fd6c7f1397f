"""A start reads what is in play; how many matches lie behind it makes no difference."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from firmware.journal.matches import State, Summary
from firmware.table.store import found, open_journal
from tests.firmware.journal_rig import journal_at, opened, record, tamper, write

NAMES = (("Ana",), ("Rui",))
FEW, MANY = 60, 300


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Journals of so many finished matches, with one in play and one prepared at the end."""
    folder = tmp_path_factory.mktemp("history")

    def of(count: int) -> Path:
        path = folder / f"{count}.db"
        if not path.exists():
            with journal_at(path) as journal:
                journal._db.execute("PRAGMA synchronous = OFF")
                for number in range(count):
                    write(journal, f"m{number}", 2)
                    journal.finish(f"m{number}", Summary(2))
                write(journal, "now", 0)
                journal.append("now", [record(1, "FIRST(A)"), record(2, "+1")], "ug")
                write(journal, "next", 0, State.PREPARED)
        return path

    return of


def steps(path: Path, what: Callable[[Path], None]) -> int:
    """How many steps SQLite takes for something that is done with a journal."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    connect = sqlite3.connect

    def counted(*args: object, **more: object) -> sqlite3.Connection:
        db = connect(*args, **more)  # type: ignore[call-overload]
        db.set_progress_handler(count, 1)
        assert isinstance(db, sqlite3.Connection)
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", counted)
        what(path)
    return taken


def start(path: Path) -> None:
    with contextlib.closing(open_journal(str(path), SystemClock())) as journal:
        play = found(NAMES, SystemClock(), journal).play
        assert play is not None
        assert play.match_id == "now"


def end_of_a_match(path: Path) -> None:
    with opened(path) as (journal, _):
        journal.finish("now", Summary(2))
        journal.start("now")


@pytest.mark.parametrize("what", [start, end_of_a_match])
def test_history_costs_nothing(kept: Callable[[int], Path], what: Callable[[Path], None]) -> None:
    few, many = steps(kept(FEW), what), steps(kept(MANY), what)
    assert few == many > 1000


def test_the_match_taken_up_last_is_found_among_many(kept: Callable[[int], Path]) -> None:
    with opened(kept(FEW)) as (journal, _):
        journal.start("m7")
        row = journal.unfinished()
        assert row is not None
        assert row.id == "m7"
        journal.finish("m7", Summary(2))
        row = journal.unfinished()
        assert row is not None
        assert row.id == "now"


def test_a_list_by_state_that_tells_something_else_is_damage(tmp_path: Path) -> None:
    """The match that the index calls in play is another one, in the table long over."""
    path = tmp_path / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 5)
    tamper(
        path,
        "PRAGMA writable_schema = ON",
        "CREATE TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'match_state'",
        "UPDATE sqlite_schema SET sql = 'CREATE INDEX match_state ON matches (state, 7)'"
        " WHERE name = 'match_state'",
    )
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("REINDEX match_state")
    tamper(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = 'match_state'",
        "DROP TABLE kept",
    )
    with opened(path) as (journal, damage):
        assert damage is not None
        assert damage.why == "its list of matches by state is damaged"
        assert damage.whole == ("m1",)
        assert journal.unfinished() is not None
