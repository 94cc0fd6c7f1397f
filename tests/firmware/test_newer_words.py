"""What a newer version wrote and this one cannot read: it ends no start, no match and no copy."""

import asyncio
import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config.config import BackupConfig
from firmware.journal.journal import Journal
from firmware.journal.schema import Row, checksum
from firmware.records.backup import BACKUP_FAULT
from firmware.records.sheets import imported
from firmware.snapshot import Question
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.firmware.journal_rig import AT_MS, journal_at
from tests.firmware.room import Room, in_room, score

SETUPS = (
    "SETUP(rulebook=zz9,A=1,B=2,first=A)",
    "SETUP(rulebook=ug,A=1,B=2,first=A,cloth=blue)",
)
"""A rulebook and a field that there may be some day."""


@pytest.fixture
def stick() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)


def begun_by_a_newer_version(journal: Path, setup: str) -> None:
    """A match that is over, whose set-up says what is not known here."""
    began = ("9-1", "ug", "an edition", "a digest", "{}", AT_MS)
    zero = Row("9-1", 0, "ug", setup, 0, AT_MS, 1, "config", "9-1")
    with journal_at(journal):
        pass
    with contextlib.closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute(
            "INSERT INTO matches (id, rulebook, edition, digest, terms, started_ms, checksum,"
            " state, taken_up) VALUES (?, ?, ?, ?, ?, ?, ?, 'finished', 0)",
            (*began, checksum(*began)),
        )
        db.execute(
            "INSERT INTO records SELECT number, 0, ?, ?, ?, ?, ?, ?, ?, ? FROM matches",
            (zero.rulebook, zero.act, 0, AT_MS, 1, zero.device, zero.number, zero.checksum()),
        )


def entered_by_a_newer_version(journal: Path) -> None:
    """A match with an entry that there may be some day."""
    (sheet,) = read_sheets("id: m1\nrulebook: ug\nfirst: A\n=1 =2 =3 +1\n", notation_of)
    with journal_at(journal) as opened:
        imported(opened, sheet, AT_MS)
        opened.write([Row("sheet:m1", 5, "ug", "APPLAUSE(loud)", 9000, AT_MS, 1, "panel", "9.1")])


@pytest.mark.parametrize("setup", SETUPS)
def test_a_table_starts_and_offers_what_can_be_played_here(tmp_path: Path, setup: str) -> None:
    begun_by_a_newer_version(tmp_path / "journal.db", setup)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("end")
        await room.until(lambda view: view.line is not None and view.line.seq == 1)
        table_now = room.app.table
        assert table_now is not None
        table_now._setting_up.open(0)
        ask = table_now.view.ask
        assert isinstance(ask, Question)
        assert not any("ZZ9" in form for forms in ask.choices for form in forms)

    in_room(lambda: Room(tmp_path), test)


def test_copies_are_made_and_the_match_goes_on(
    tmp_path: Path,
    stick: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("firmware.records.backup.DAY_MS", 100 * 365 * 24 * 3_600_000)
    entered_by_a_newer_version(tmp_path / "journal.db")

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        view = await room.until(lambda view: view.message is not None)
        assert BACKUP_FAULT not in view.faults
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))

    config = {"backup": BackupConfig(folder=str(stick))}
    in_room(lambda: Room(tmp_path, more=config), test)
    assert "no sheet: match sheet:m1" in caplog.text
    (copy,) = stick.glob("*.db")
    with contextlib.closing(Journal.read(copy)) as copied:
        assert next(row.id for row in copied.matches()) == "sheet:m1"


@pytest.mark.parametrize("command", ["matches", "stats"])
@pytest.mark.parametrize("setup", SETUPS)
def test_lists_go_on_without_it(
    tmp_path: Path, setup: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal.db"
    begun_by_a_newer_version(journal, setup)
    entered_by_a_newer_version(journal)
    assert main([command, "--journal", str(journal)]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_printing_it_says_which_match_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal.db"
    entered_by_a_newer_version(journal)
    command = ["show", "sheet:m1", "--journal", str(journal)]
    assert main(command) == 1
    assert "match sheet:m1: APPLAUSE(loud): carom has no such entry" in capsys.readouterr().err
