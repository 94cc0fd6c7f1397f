"""Copies of the journal: whole, on another disk, and loud when there is none.

A memory file system (`/dev/shm`) stands for the stick: it is another disk than the tests' folder.
"""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import backup
from firmware.backup import BackupError, Backups, backed_up, sheets_written
from firmware.config import BackupConfig
from firmware.journal import Journal
from firmware.records.sheets import imported
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.firmware.journal_rig import AT_MS, journal_at


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


def test_a_copy_is_a_journal_and_has_every_record(journal: Path, stick: Path) -> None:
    with contextlib.closing(Journal.open(journal)[0]) as in_use:
        done = backed_up(journal, stick, AT_MS, keep=3)
        assert len(in_use.records("sheet:m1")) == 5
    copy, damage = Journal.open(done, thorough=True)
    with contextlib.closing(copy):
        assert damage is None
        assert len(copy.records("sheet:m1")) == 5


def test_the_oldest_copies_go(journal: Path, stick: Path) -> None:
    made = [backed_up(journal, stick, AT_MS + n * 3_600_000, keep=2).name for n in range(5)]
    assert names(stick) == made[-2:]


def test_the_sheets_of_the_day_can_be_replayed(journal: Path, stick: Path) -> None:
    assert sheets_written(journal, stick, AT_MS + 1000) == 1
    (file,) = stick.iterdir()
    (sheet,) = read_sheets(file.read_text("utf-8"), notation_of)
    assert sheet.id == "sheet:m1"
    assert sheets_written(journal, stick, AT_MS + 3 * backup.DAY_MS) == 0


def test_without_the_medium_it_fails_and_says_what_to_do(journal: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="put the medium in, or mount it"):
        backed_up(journal, tmp_path / "stick", AT_MS, keep=3)
    (tmp_path / "stick").mkdir()
    with pytest.raises(BackupError, match="the journal's own disk; the medium is not mounted"):
        backed_up(journal, tmp_path / "stick", AT_MS, keep=3)
    assert names(tmp_path / "stick") == []


def test_a_copy_that_breaks_off_leaves_the_one_before(
    journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = backed_up(journal, stick, AT_MS, keep=1)
    monkeypatch.setattr(backup, "fault", lambda *_, **__: "it is damaged")
    with pytest.raises(BackupError, match="not whole"):
        backed_up(journal, stick, AT_MS + 1000, keep=1)
    assert [path.name for path in stick.glob("tacada-*")] == [first.name]


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


def test_a_stick_that_comes_gets_a_copy_and_may_be_pulled(
    journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Put in, a match that ends while it is in, pulled."""
    monkeypatch.setattr(backup, "LOOK_S", 0.01)
    told, ended, place = Told(), [0], stick / "mounted"

    async def until(count: int) -> None:
        async with asyncio.timeout(5):
            while len(told.words) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def run() -> None:
        hours = iter(range(AT_MS, AT_MS + 10**9, 1000))
        backups = Backups(
            BackupConfig(folder=str(place)),
            journal,
            told,
            now_ms=lambda: next(hours),
            ended=lambda: ended[0],
            say=lambda: told.words.append("may be pulled"),
        )
        task = asyncio.create_task(backups.run())
        await until(1)
        place.mkdir()
        await until(3)
        copies = len(list(place.glob("*.db")))
        ended[0] += 1
        async with asyncio.timeout(5):
            while len(list(place.glob("*.db"))) == copies:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        shutil.rmtree(place)
        await until(4)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert told.words == ["BACKUP fails", "BACKUP works", "may be pulled", "BACKUP fails"]
    assert "put the medium in" in caplog.text
