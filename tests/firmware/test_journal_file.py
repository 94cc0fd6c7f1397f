"""Opening a journal: places that cannot be used, files that are not ours, older and newer ones."""

import contextlib
import multiprocessing
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.club.player import Handicap
from firmware.disk import synced
from firmware.errors import JournalError
from firmware.journal import file as journal_file
from firmware.journal.journal import Journal
from firmware.journal.matches import State, Summary
from firmware.journal.salvage import Damage, Loss
from firmware.journal.schema import VERSION, migrate, pragma
from rules.entries import Scope
from rules.frame import Result
from rules.sides import Side
from tests.firmware.journal_rig import AT_MS, journal_at, log, opened, raw, record, tamper, write

ASIDE = "journal.db.damaged-20260303T010640Z"
OLD = Path(__file__).parent.parent / "journals"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"no folder .*/nowhere; make it"):
        Journal.open(tmp_path / "nowhere" / "journal.db")


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is a folder; name a file in it"):
        Journal.open(tmp_path)


def as_somebody(task: Callable[[Path], str], path: Path) -> str:
    """What a task gives when a user without rights does it."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)

    def child() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        there.send(task(path))

    process = context.Process(target=child)
    process.start()
    assert here.poll(20)
    process.join()
    return str(here.recv())


def complaint(path: Path) -> str:
    try:
        Journal.open(path)[0].close()
    except JournalError as error:
        return str(error)
    return "no complaint"


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder whose parents everybody may enter."""
    folder = Path(f"/tmp/tacada-test-{os.getpid()}")
    folder.mkdir()
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def test_a_folder_that_may_not_be_written_is_named(public: Path) -> None:
    public.chmod(0o555)
    told = as_somebody(complaint, public / "journal.db")
    assert f"{public} may not be written by user" in told
    assert "give it to the user" in told
    assert list(public.iterdir()) == []


def test_a_file_that_may_not_be_written_is_named_and_left_alone(public: Path) -> None:
    path = public / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 3)
    path.chmod(0o444)
    public.chmod(0o777)
    assert f"{path} may not be written" in as_somebody(complaint, path)
    path.chmod(0o644)
    with journal_at(path) as journal:
        assert journal.records("m1") == log(3)


def test_a_file_that_another_process_holds_is_left_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.journal.schema.BUSY_S", 0.05)
    with journal_at(path) as journal:
        write(journal, "m1", 3)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalError, match="another process holds the file"):
            Journal.open(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["journal.db"]
    with journal_at(path) as journal:
        assert journal.records("m1") == log(3)


def other_application(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE TABLE records (x); INSERT INTO records VALUES (1);")


FOREIGN: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("id: carom:V001\nrulebook: 3c\n" * 400),
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 300),
    "header only": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(84)),
    "other application": other_application,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_file_is_set_aside_unchanged(path: Path, kind: str) -> None:
    FOREIGN[kind](path)
    before = path.read_bytes()
    with opened(path) as (journal, damage):
        assert damage is not None
        assert (damage.whole, damage.lost, damage.unlisted) == ((), (), True)
        assert journal.damages() == (damage,)
        assert journal.boot() == AT_MS // 1000 + 1
        write(journal, "m1", 2)
    assert Path(damage.aside).name == ASIDE
    assert Path(damage.aside).read_bytes() == before
    with journal_at(path) as journal:
        assert journal.records("m1") == log(2)


def test_nothing_that_was_set_aside_is_overwritten(path: Path) -> None:
    for number in range(3):
        path.write_text(f"file {number}")
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        with opened(path) as (_, damage):
            assert damage is not None
    names = [ASIDE + "x" * number for number in range(3)]
    assert [(path.parent / name).read_text() for name in names] == ["file 0", "file 1", "file 2"]


def test_a_log_without_its_file_is_set_aside(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 3)
        left = path.with_name("journal.db-wal")
        copy = left.read_bytes()
    path.unlink()
    left.write_bytes(copy)
    with opened(path) as (journal, damage):
        assert damage is not None
        assert damage.unlisted
        assert journal.matches() == []
    assert (path.parent / f"{ASIDE}-wal").read_bytes() == copy


def test_a_log_left_by_a_crash_is_read(path: Path, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with journal_at(path) as journal:
        write(journal, "m1", 30)
        for end in ("", "-wal"):
            shutil.copy(path.with_name(path.name + end), crashed)
    with journal_at(crashed / "journal.db") as journal:
        assert journal.records("m1") == log(30)


def test_a_newer_journal_is_set_aside_and_read_as_far_as_can_be(path: Path) -> None:
    with journal_at(path) as journal:
        journal.club.written_down(1, "Ana")
        write(journal, "m1", 6)
        journal.boot()
        journal._db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with opened(path) as (journal, damage):
        assert damage is not None
        assert damage.why == f"it is of version {VERSION + 1}, and this program knows {VERSION}"
        assert (damage.whole, damage.lost) == (("m1",), ())
        assert not damage.unlisted
        assert not damage.names_lost
        assert journal.records("m1") == log(6)
        assert (journal.players(), journal.boot()) == ({1: "Ana"}, 2)


def with_changed_column(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE records RENAME COLUMN act TO deed")
        db.execute(f"PRAGMA user_version = {VERSION + 1}")


def test_a_newer_journal_that_cannot_be_read_is_not_guessed_at(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 6)
    with_changed_column(path)
    with opened(path) as (journal, damage):
        assert damage is not None
        assert (damage.whole, damage.lost) == ((), (Loss("m1", 0),))
        assert journal.matches() == []


def damaged(folder: Path) -> Path:
    """A journal with a log, of which match m2 has lost records from 4 on."""
    source = folder / "source.db"
    path = folder / "journal.db"
    with journal_at(source) as journal:
        write(journal, "m1", 5)
        write(journal, "m2", 8)
        journal.advance("m2", 7)
        tamper(source, "UPDATE records SET act = '=9' WHERE match_no = 2 AND seq = 4")
        for end in ("", "-wal"):
            shutil.copy(source.with_name(source.name + end), path.with_name(path.name + end))
    return path


def assert_mended(path: Path, damage: Damage | None) -> None:
    assert damage is not None
    assert damage.whole == ("m1",)
    assert damage.lost == (Loss("m2", 4),)
    aside = Path(damage.aside)
    assert raw(aside, "SELECT act FROM records WHERE match_no = 2 AND seq = 4") == [("=9",)]
    with journal_at(path) as journal:
        assert journal.damages() == (damage,)
        assert journal.records("m1") == log(5)
        assert journal.records("m2") == log(3)
        assert journal.cursor("m2") == 3
        journal.append("m2", [record(4)], "ug")


def test_a_changed_record_ends_its_match_there(tmp_path: Path) -> None:
    path = damaged(tmp_path)
    with opened(path) as (_, damage):
        pass
    assert_mended(path, damage)


class PowerCut(Exception):
    pass


def cut_after(steps: int, path: Path) -> bool:
    """Open a journal with a power cut after some steps of a replacement; whether it came."""
    left = steps

    def counted(do: Callable[..., object]) -> Callable[..., object]:
        def step(*args: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                raise PowerCut
            return do(*args)

        return step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", counted(os.replace))
        patch.setattr(journal_file, "synced", counted(synced))
        try:
            Journal.open(path, at_ms=AT_MS)[0].close()
        except PowerCut:
            return True
    return False


def test_a_power_cut_at_any_step_of_a_replacement(tmp_path: Path) -> None:
    steps = 0
    for steps in range(20):
        folder = tmp_path / str(steps)
        folder.mkdir()
        path = damaged(folder)
        if not cut_after(steps, path):
            break
        with opened(path) as (_, damage):
            pass
        assert_mended(path, damage)
    assert 6 <= steps < 20


def test_a_damage_is_told_once(tmp_path: Path) -> None:
    path = damaged(tmp_path)
    with opened(path) as (_, first), opened(path) as (journal, second):
        assert first is not None
        assert second is None
        assert journal.damages() == (first,)


def built(path: Path, version: int = 1) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript((OLD / f"v{version}.sql").read_text("utf-8"))
    return path


def test_a_journal_of_every_version_is_kept() -> None:
    assert {file.stem for file in OLD.iterdir()} == {f"v{n}" for n in range(1, VERSION + 1)}


def test_a_journal_of_version_2_has_a_club_list(path: Path) -> None:
    with journal_at(built(path, 2)) as journal:
        ana, soren = journal.club.players()
        assert (ana.short, ana.spoken) == ("ANA", "Ana Lussia")
        assert ana.handicaps == {"three_cushions": Handicap(25), "snooker": Handicap(None, -7)}
        assert (soren.name, soren.handicaps) == ("Søren", {})
        assert journal.club.doubles() == {170_000_000_000: soren.number}


def test_one_name_under_several_numbers_becomes_one_player(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(built(path))) as db:
        db.execute("INSERT INTO players VALUES (170000000000, 'Søren'), (170000000001, 'Bia')")
        db.commit()
    with journal_at(path) as journal:
        assert journal.club.doubles() == {170_000_000_000: 2}
        assert [player.number for player in journal.club.players()] == [1, 170_000_000_001, 2]


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_an_older_journal_is_read_as_it_is(path: Path, version: int) -> None:
    """An archive, or a table's whose program is older: reading does not write."""
    before = built(path, version).read_bytes()
    with contextlib.closing(Journal.read(path)) as journal:
        assert {1: "Ana Lúcia", 2: "Søren"}.items() <= journal.players().items()
        assert len(journal.matches()) == 3
        assert len(list(journal.listing())) == 3
        assert bool(journal.club.doubles()) == (version > 1)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_journal_of_an_old_version_is_read(path: Path, version: int) -> None:
    with journal_at(built(path, version)) as journal:
        ended, running, prepared = journal.matches()
        assert [match.state for match in journal.matches()] == [
            State.FINISHED,
            State.IN_PLAY,
            State.PREPARED,
        ]
        assert journal.unfinished() == running
        assert journal.records(running.id) == log(9)
        assert journal.records(prepared.id) == log(0)
        acts = ["FIRST(B)", "=3", "+1", "/", "UNDO", "/", "EDIT(B1=2)", "CONCEDE(A,match)", "OK"]
        expected = [record(seq, act) for seq, act in enumerate(acts, 1)]
        assert journal.records(ended.id) == [*log(0), *expected]
        summary = journal.summary(ended.id)
        assert isinstance(summary, Summary)
        assert summary.result == Result(Side.B, "concession", Scope.MATCH)
        assert (journal.cursor(ended.id), journal.cursor(running.id)) == (9, 5)
        assert {1: "Ana Lúcia", 2: "Søren"}.items() <= journal.players().items()
        assert journal.boot() == 4
        journal.append(running.id, [record(10)], "ug")


def test_a_file_with_other_tables_is_set_aside(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(built(path))) as db:
        db.execute("DROP TRIGGER record_kept")
    with opened(path) as (journal, damage):
        assert damage is not None
        assert damage.why == "its tables are not those of a journal"
        assert (len(damage.whole), damage.lost) == (3, ())
        assert len(journal.matches()) == 3


def test_old_versions_are_brought_up_step_by_step(path: Path) -> None:
    def second(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE players ADD COLUMN club TEXT")

    def third(db: sqlite3.Connection) -> None:
        db.execute("UPDATE players SET club = 'x' WHERE number = 1")

    def broken(db: sqlite3.Connection) -> None:
        second(db)
        db.execute("no such statement")

    with contextlib.closing(sqlite3.connect(built(path), isolation_level=None)) as db:
        with pytest.raises(sqlite3.OperationalError):
            migrate(db, {1: broken}, 2)
        with pytest.raises(JournalError, match="version 2 to 3"):
            migrate(db, {1: second}, 3)
        assert pragma(db, "user_version") == 1
        migrate(db, {1: second, 2: third}, 3)
        assert pragma(db, "user_version") == 3
        assert db.execute("SELECT club FROM players").fetchall() == [("x",), (None,)]
