"""Copies of the journal: whole, on another disk, and loud when there is none.

A memory file system (`/dev/shm`) stands for the stick: it is another disk than the tests' folder.
"""

import asyncio
import contextlib
import itertools
import os
import shutil
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.clock import SystemClock
from firmware.config.config import BackupConfig
from firmware.journal.journal import Journal
from firmware.records import backup
from firmware.records.backup import BACKUP_FAULT, BackupError, Backups, backed_up, sheets_written
from firmware.records.sheets import imported
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.firmware.journal_rig import AT_MS, journal_at
from tests.firmware.room import Room, in_room, score


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    (sheet,) = read_sheets("id: m1\nrulebook: ug\nfirst: A\n=1 =2 =3 +1\n", notation_of)
    with journal_at(path) as opened:
        imported(opened, sheet, AT_MS)
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    assert folder.stat().st_dev != tmp_path.stat().st_dev
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def emptied(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def test_a_copy_is_a_journal_and_has_every_record(journal: Path, stick: Path) -> None:
    with contextlib.closing(Journal.open(journal)[0]) as in_use:
        done = backed_up(journal, stick, "3", AT_MS, keep=3)
        assert len(in_use.records("sheet:m1")) == 5
    copy, damage = Journal.open(done, thorough=True)
    with contextlib.closing(copy):
        assert damage is None
        assert len(copy.records("sheet:m1")) == 5


def test_the_oldest_copies_go(journal: Path, stick: Path) -> None:
    made = [backed_up(journal, stick, "3", AT_MS + n * 3_600_000, keep=2).name for n in range(5)]
    assert names(stick) == made[-2:]


def test_the_newest_stays_whatever_the_clock_says(journal: Path, stick: Path) -> None:
    """Started without an hour, a table of today may seem to be of 1970."""
    later = [backed_up(journal, stick, "3", AT_MS + n * 1000, keep=3).name for n in range(3)]
    early = backed_up(journal, stick, "3", 0, keep=3).name
    assert names(stick) == [early, *later[1:]]
    assert backed_up(journal, stick, "3", AT_MS - 1000, keep=1).exists()
    assert len(names(stick)) == 1


def test_two_tables_share_a_stick(journal: Path, stick: Path) -> None:
    for table in ("3", "3-1"):
        sheets_written(journal, stick, table, AT_MS)
        for n in range(3):
            backed_up(journal, stick, table, AT_MS + n * 1000, keep=2)
    assert len(list(stick.glob("tacada-3-1-*.db"))) == len(list(stick.glob("tacada-3-2*.db"))) == 2
    assert len(list(stick.glob("*.sheet"))) == 2


def test_the_sheets_of_the_day_can_be_replayed(journal: Path, stick: Path) -> None:
    assert sheets_written(journal, stick, "3", AT_MS + 1000) == 1
    (file,) = stick.iterdir()
    (sheet,) = read_sheets(file.read_text("utf-8"), notation_of)
    assert sheet.id == "sheet:m1"
    assert sheets_written(journal, stick, "3", AT_MS + 3 * backup.DAY_MS) == 0


def test_without_the_medium_it_fails_and_says_what_to_do(journal: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="put the medium in, or mount it"):
        backed_up(journal, tmp_path / "stick", "3", AT_MS, keep=3)
    (tmp_path / "stick").mkdir()
    with pytest.raises(BackupError, match="the journal's own disk; the medium is not mounted"):
        backed_up(journal, tmp_path / "stick", "3", AT_MS, keep=3)
    assert names(tmp_path / "stick") == []


def test_a_copy_that_breaks_off_leaves_the_one_before(
    journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = backed_up(journal, stick, "3", AT_MS, keep=1)
    monkeypatch.setattr(backup, "fault", lambda *_, **__: "it is damaged")
    with pytest.raises(BackupError, match="not whole"):
        backed_up(journal, stick, "3", AT_MS + 1000, keep=1)
    assert [path.name for path in stick.glob("tacada-*.db")] == [first.name]


class Told:
    """What the board was told."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._last = ""

    def fault(self, code: str, *, present: bool) -> None:
        word = f"{code} {'fails' if present else 'works'}"
        if word != self._last:
            self._last = word
            self.words.append(word)


class Slot:
    """Where the stick is mounted: a folder that is there without it too, as systemd leaves one."""

    def __init__(self, folder: Path, stick: Path) -> None:
        self.place = folder / "media"
        (folder / "empty").mkdir()
        self._empty, self._stick = folder / "empty", stick
        self.place.symlink_to(self._empty)

    def put_in(self) -> None:
        self._turn(self._stick)

    def pull(self) -> None:
        self._turn(self._empty)

    def _turn(self, to: Path) -> None:
        new = self.place.with_suffix(".new")
        new.symlink_to(to)
        new.replace(self.place)


class Seconds(SystemClock):
    """A clock whose hour is a second later each time that it is asked for, and can be set."""

    def __init__(self) -> None:
        self._asked = itertools.count(step=1000)
        self.hour_ms, self.passed_ns = AT_MS, 0

    def wall_ms(self) -> int:
        return self.hour_ms + next(self._asked)

    def now_ns(self) -> int:
        return super().now_ns() + self.passed_ns


class Copying:
    """The copies of a table that goes on, with matches that end."""

    def __init__(self, journal: Path, slot: Slot) -> None:
        self.told, self.slot, self.ended, self.clock = Told(), slot, 0, Seconds()
        self.backups = Backups(
            BackupConfig(folder=str(slot.place)),
            journal,
            self.told,
            table="3",
            clock=self.clock,
            ended=lambda: self.ended,
            say=lambda: self.told.words.append("may be pulled"),
        )

    async def until(self, words: Callable[[], list[str]], *wanted: str) -> None:
        async with asyncio.timeout(5):
            while words()[-len(wanted) :] != list(wanted):  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def hears(self, *wanted: str) -> None:
        """Wait until nothing but this was told since the last time."""
        await self.until(lambda: self.told.words, *wanted)
        assert self.told.words == list(wanted)
        self.told.words.clear()

    async def stays_quiet(self) -> None:
        await asyncio.sleep(0.2)
        assert self.told.words == []


def copying(
    journal: Path, folder: Path, stick: Path, test: Callable[[Copying], Awaitable[None]]
) -> None:
    async def run() -> None:
        one = Copying(journal, Slot(folder, stick))
        task = asyncio.create_task(one.backups.run())
        try:
            await test(one)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())


@pytest.fixture
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "LOOK_S", 0.01)


@pytest.mark.usefixtures("looks_often")
def test_a_stick_gets_a_copy_each_time_it_is_put_in_and_may_be_pulled(
    journal: Path, stick: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(one: Copying) -> None:
        await one.hears("BACKUP fails")
        assert "the medium is not mounted" in caplog.text
        one.slot.put_in()
        await one.hears("BACKUP works", "may be pulled")
        one.slot.pull()
        await one.stays_quiet()
        emptied(stick)  # as if it were another one
        one.slot.put_in()
        await one.hears("may be pulled")
        assert {name.rpartition(".")[2] for name in names(stick)} == {"sheet", "db"}

    copying(journal, tmp_path, stick, test)


@pytest.mark.usefixtures("looks_often")
@pytest.mark.parametrize("partition", [False, True])
def test_a_stick_that_was_out_for_a_second_gets_a_copy_too(
    journal: Path,
    stick: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    partition: bool,
) -> None:
    """The same one, with the last copy on it: the kernel counts how often one is put in."""
    device, disk = stick.stat().st_dev, tmp_path / "sys" / "sda"
    (disk / "sda1").mkdir(parents=True)
    (disk / "diskseq").write_text("21\n")
    name = disk.parent / f"{os.major(device)}:{os.minor(device)}"
    name.symlink_to(disk / "sda1" if partition else disk)
    monkeypatch.setattr(backup, "BLOCK_DEVICES", disk.parent)

    async def test(one: Copying) -> None:
        one.slot.put_in()
        await one.hears("BACKUP works", "may be pulled")
        await one.stays_quiet()
        (disk / "diskseq").write_text("22\n")
        await one.hears("may be pulled")
        await one.stays_quiet()

    copying(journal, tmp_path, stick, test)


@pytest.mark.usefixtures("looks_often")
def test_a_match_that_ends_is_copied_and_without_the_medium_that_is_told(
    journal: Path, stick: Path, tmp_path: Path
) -> None:
    async def test(one: Copying) -> None:
        one.slot.put_in()
        await one.hears("BACKUP works", "may be pulled")
        one.ended += 1
        await one.until(lambda: [str(len(list(stick.glob("*.db"))))], "2")
        one.slot.pull()
        await one.stays_quiet()
        one.ended += 1
        await one.hears("BACKUP fails")
        one.slot.put_in()
        await one.hears("BACKUP works", "may be pulled")

    copying(journal, tmp_path, stick, test)


@pytest.mark.usefixtures("looks_often")
def test_a_stick_that_refuses_is_told_of_though_nothing_was_due(
    journal: Path, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(one: Copying) -> None:
        one.slot.put_in()
        await one.hears("BACKUP works", "may be pulled")
        monkeypatch.setattr(backup, "fault", lambda *_, **__: "it is damaged")
        emptied(stick)
        await one.hears("BACKUP fails")

    copying(journal, tmp_path, stick, test)


@pytest.mark.usefixtures("looks_often")
def test_the_board_says_that_there_is_no_copy_and_when_the_stick_may_be_pulled(
    stick: Path, tmp_path: Path
) -> None:
    slot = Slot(tmp_path, stick)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None and view.faults == (BACKUP_FAULT,))
        slot.put_in()
        view = await room.until(lambda view: view.message is not None)
        assert view.faults == ()
        assert view.message is not None
        assert view.message.text == "cópia feita: pode retirar"
        await room.finger.press("plus1")
        await room.until(lambda view: view.message is None and score(view) == (1, 0))

    config = {"backup": BackupConfig(folder=str(slot.place))}
    in_room(lambda: Room(tmp_path, more=config), test)


@pytest.mark.usefixtures("looks_often")
def test_a_stick_that_hangs_keeps_nobody_waiting(
    journal: Path, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever touches a dying one waits for seconds; a table that does is ended by its watchdog."""
    by_loop: list[bool] = []
    stat = os.stat

    def slow(path: Any, **how: Any) -> os.stat_result:
        if str(path).startswith((str(stick), str(tmp_path / "media"))):
            by_loop.append(threading.current_thread() is threading.main_thread())
        return stat(path, **how)

    async def test(one: Copying) -> None:
        one.slot.put_in()
        monkeypatch.setattr(os, "stat", slow)
        await one.hears("BACKUP works", "may be pulled")
        await one.stays_quiet()

    copying(journal, tmp_path, stick, test)
    assert len(by_loop) > 3
    assert not any(by_loop)


@pytest.mark.usefixtures("looks_often")
def test_copies_come_every_six_hours_whatever_the_hour_is_set_to(
    journal: Path, stick: Path, tmp_path: Path
) -> None:
    """A clock that is put right by years, at the panel or by the network."""

    def copies() -> int:
        return len(list(stick.glob("*.db")))

    async def test(one: Copying) -> None:
        one.slot.put_in()
        await one.hears("BACKUP works", "may be pulled")
        for years in (3, -10):
            one.clock.hour_ms += years * 365 * backup.DAY_MS
            await one.stays_quiet()
            before = copies()
            one.clock.passed_ns += 6 * 3_600_000_000_000
            await one.until(lambda: [str(copies())], str(before + 1))

    copying(journal, tmp_path, stick, test)
