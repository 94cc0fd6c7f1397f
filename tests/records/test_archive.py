"""Old matches moved to an archive: nothing that lives is touched, nothing is lost on the way."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.errors import JournalError
from firmware.journal.file import Claim
from firmware.journal.journal import Journal
from firmware.journal.matches import State
from firmware.records import archive
from firmware.records.archive import archived, pruned
from firmware.records.kept import all_kept
from firmware.records.sheets import imported
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.records.test_statistics import DAY_MS, SEASON, START_MS


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three finished matches, then one that waits and one in play, older than all."""
    path = tmp_path / "journal.db"
    with closing(Journal.open(path)[0]) as opened:
        for day, sheet in enumerate(read_sheets(SEASON, notation_of)):
            imported(opened, sheet, START_MS + day * DAY_MS)
        (extra,) = read_sheets(SEASON.split("\n\n")[3].replace("four", "five"), notation_of)
        imported(opened, extra, START_MS - DAY_MS, take_up=True)
    return path


def digests(path: Path) -> dict[str, str]:
    with closing(Journal.read(path)) as opened:
        return {match.row.id: match.ledger.digest() for match in all_kept(opened)}


def test_finished_matches_go_and_all_others_stay_as_they_were(
    journal: Path, tmp_path: Path
) -> None:
    before = digests(journal)
    ids = archived(journal, tmp_path / "2023.db", START_MS + 10 * DAY_MS)
    assert ids == ("sheet:one", "sheet:two", "sheet:three")
    assert digests(journal) == before, "copying changes nothing"
    assert pruned(journal, tmp_path / "2023.db", tmp_path / "old.db") == (3, 2)
    there, stay = digests(tmp_path / "2023.db"), digests(journal)
    assert there | stay == before
    assert set(stay) == {"sheet:four", "sheet:five"}
    assert digests(tmp_path / "old.db") == before
    with closing(Journal.open(journal)[0]) as opened:
        unfinished = opened.unfinished()
        assert unfinished is not None
        assert unfinished.id == "sheet:five"
        assert {row.state for row in opened.matches()} == {State.PREPARED, State.IN_PLAY}
        assert opened.players()[1] == "Ana"


def test_only_what_began_before_the_day(journal: Path, tmp_path: Path) -> None:
    assert archived(journal, tmp_path / "a.db", START_MS + DAY_MS) == ("sheet:one",)


def test_while_a_table_runs_nothing_is_taken_out(journal: Path, tmp_path: Path) -> None:
    archived(journal, tmp_path / "a.db", START_MS + 10 * DAY_MS)
    with closing(Journal.open(journal)[0]), pytest.raises(JournalError, match="stop it first"):
        pruned(journal, tmp_path / "a.db", tmp_path / "old.db")
    assert len(digests(journal)) == 5


def test_a_table_that_begins_while_matches_are_taken_out_waits(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it wrote would be in the old file, and in no other."""
    compare, tried = archive._compare, []

    def comparing(db: sqlite3.Connection, ids: list[str]) -> None:
        with pytest.raises(JournalError, match="another table has it"):
            Claim(journal)
        tried.append(ids)
        compare(db, ids)

    monkeypatch.setattr(archive, "_compare", comparing)
    archived(journal, tmp_path / "a.db", START_MS + 10 * DAY_MS)
    assert pruned(journal, tmp_path / "a.db", tmp_path / "old.db") == (3, 2)
    assert len(tried) == 1
    Claim(journal).release()


def test_while_a_table_plays_nothing_is_taken_out(journal: Path, tmp_path: Path) -> None:
    archived(journal, tmp_path / "a.db", START_MS + 10 * DAY_MS)
    claim = Claim(journal)
    with pytest.raises(JournalError, match="stop it first"):
        pruned(journal, tmp_path / "a.db", tmp_path / "old.db")
    claim.release()
    assert len(digests(journal)) == 5


def test_an_archive_that_holds_something_else_takes_nothing_out(
    journal: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    with closing(Journal.open(other)[0]) as opened:
        (sheet, *_) = read_sheets(
            SEASON.replace("=3 =0", "=4 =0").replace("=2 OK", "=1 OK"), notation_of
        )
        imported(opened, sheet, START_MS)
    digest = hashlib.sha256(journal.read_bytes()).hexdigest()
    with pytest.raises(JournalError, match="nothing was done"):
        pruned(journal, other, tmp_path / "old.db")
    assert hashlib.sha256(journal.read_bytes()).hexdigest() == digest


def test_an_archive_is_never_written_over(journal: Path, tmp_path: Path) -> None:
    archived(journal, tmp_path / "a.db", START_MS + DAY_MS)
    with pytest.raises(JournalError, match="is there already"):
        archived(journal, tmp_path / "a.db", START_MS + DAY_MS)


def test_from_the_command_line(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--journal", str(journal)]
    assert main(["archive", str(tmp_path / "a.db"), "--before", "2030-01-01", *where]) == 0
    assert "3 matches copied" in capsys.readouterr().out
    assert main(["prune", str(tmp_path / "a.db"), *where]) == 0
    assert "3 matches went, 2 stay" in capsys.readouterr().out
