"""A journal that is looked through in use: what is found is told, and mended at the next start."""

import asyncio
import contextlib
import errno
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from firmware.journal import watch as journal_watch
from firmware.journal.journal import Journal
from firmware.journal.matches import Summary
from firmware.journal.watch import suspicion, watched
from firmware.table.store import open_journal
from tests.firmware.journal_rig import journal_at, write


class Told:
    def __init__(self) -> None:
        self.faults: list[str] = []

    def fault(self, code: str, *, present: bool) -> None:
        assert present
        self.faults.append(code)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 399)
        journal.finish("m1", Summary(399))
    return path


def looked(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(journal_watch, "FIRST_S", 0.01)
    told = Told()

    async def run() -> None:
        task = asyncio.create_task(watched(path, told))
        await asyncio.sleep(0.5)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(run())
    return told.faults


def test_a_whole_journal_is_left_in_peace(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(Journal.open(path)[0]):
        assert looked(path, monkeypatch) == []
    assert not suspicion(path).exists()


def test_damage_that_no_start_sees_is_told_and_mended_at_the_next(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    root = _index_page(path)
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    # A page of the index, which no start reads for a match that is over: its records are whole.
    content[(root - 1) * page : root * page] = bytes(page)
    path.write_bytes(content)
    with contextlib.closing(Journal.open(path)[0]):
        assert looked(path, monkeypatch) == ["JOURNAL"]
    assert "sets the file aside" in caplog.text
    assert suspicion(path).exists()
    with contextlib.closing(open_journal(str(path), SystemClock())) as journal:
        assert len(journal.records("m1")) == 400
    assert not suspicion(path).exists()
    assert any("damaged" in file.name for file in path.parent.iterdir())


def _index_page(path: Path) -> int:
    with contextlib.closing(Journal.read(path)) as journal:
        found = journal._db.execute("SELECT rootpage FROM sqlite_schema WHERE name='record_source'")
        return int(found.fetchone()[0])


def test_damage_on_a_disk_that_takes_nothing_more_is_told_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(file: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(file))

    root = _index_page(path)
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    content[(root - 1) * page : root * page] = bytes(page)
    path.write_bytes(content)
    monkeypatch.setattr(Path, "touch", refused)
    with contextlib.closing(Journal.open(path)[0]):
        assert looked(path, monkeypatch) == ["JOURNAL"]
    assert "Read-only file system" in caplog.text
