"""The journal keeps what it was given, once, in order, and refuses to change it."""

import contextlib
import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.errors import JournalError, RecordRefused
from firmware.journal.journal import Journal
from firmware.journal.matches import MatchRow, State, Summary, began, facts
from rules.carom.terms import SeriesTerms
from rules.entries import Adjust
from rules.errors import BadNotation, NotAllowed
from rules.ledger import Ledger
from rules.match import digest
from rules.record import Record, Setup, Source, Splice
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.scoreline import scoreline
from rules.sheet import Step, read_sheets
from tests.firmware.journal_rig import (
    AT_MS,
    journal_at,
    log,
    raw,
    record,
    setup,
    write,
)

SHEETS = Path(__file__).parent.parent / "sheets"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_what_was_written_is_read_again(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 20)
        assert journal.records("m1") == log(20)
    with journal_at(path) as journal:
        assert journal.records("m1") == log(20)
        assert journal.records("m1", after=17) == log(20)[18:]
        assert journal.records("m1", after=20) == []


def test_the_file_is_durable_and_ours(path: Path) -> None:
    with journal_at(path) as journal:
        pragmas = {
            name: journal._db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "application_id", "user_version")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "application_id": 0x54414341,
        "user_version": 3,
    }


def test_boots_are_counted(path: Path) -> None:
    for expected in (1, 2, 3):
        with journal_at(path) as journal:
            assert journal.boot() == expected


def test_every_act_of_the_sheets_survives(path: Path) -> None:
    kept = 0
    with journal_at(path) as journal:
        for sheet in read_sheets((SHEETS / "carom.sheet").read_text(), notation_of):
            acts = [step.act for step in sheet.steps() if isinstance(step, Step)]
            first = Record(0, sheet.setup)
            rest = [
                Record(seq, act, by=Source("sheet", str(seq))) for seq, act in enumerate(acts, 1)
            ]
            row = MatchRow(sheet.id, sheet.setup.rulebook, "e", "d", "{}", AT_MS)
            journal.begin(row, first)
            journal.append(sheet.id, rest, sheet.setup.rulebook)
            assert journal.records(sheet.id) == [first, *rest]
            kept += len(rest)
    assert kept > 500


def test_a_match_read_from_disk_is_the_match_that_was_played(path: Path) -> None:
    ledger = Ledger(setup(), rulebook_of)
    with journal_at(path) as journal:
        journal.begin(began("m1", rulebook_of("ug"), AT_MS), setup())
        for text in ("FIRST(B)", "=3", "+1", "/", "UNDO", "=7", "EDIT(B1=2)", "CONCEDE(A,match)"):
            new = record(ledger.seq + 1, text)
            with contextlib.suppress(NotAllowed):
                ledger.append(new)
                journal.append("m1", [new], "ug")
    assert ledger.seq >= 7
    with journal_at(path) as journal:
        first, *rest = journal.records("m1")
    again = Ledger(first, rulebook_of)
    for one in rest:
        again.append(one)
    assert digest(again.match) == digest(ledger.match)


def test_what_cannot_be_read_back_is_not_written(path: Path) -> None:
    spaces = record(1, "+1")
    spaces = replace(spaces, act=(Adjust((("score", "1/0"),), "two words"),))
    with journal_at(path) as journal:
        write(journal, "m1", 0)
        with pytest.raises(BadNotation):
            journal.append("m1", [spaces], "ug")
        assert journal.records("m1") == log(0)


def test_a_new_set_up_is_written_in_the_words_of_its_rulebook(path: Path) -> None:
    change = replace(record(1), act=Splice(0, 0, (), Setup("3c")))
    with journal_at(path) as journal:
        write(journal, "m1", 0)
        journal.append("m1", [change], "ug")
        assert journal.records("m1") == [setup(), change]
    assert raw(path, "SELECT rulebook FROM records ORDER BY seq") == [("ug",), ("3c",)]


CHANGES = (
    "UPDATE records SET act = '=9' WHERE seq = 1",
    "UPDATE records SET seq = 9 WHERE seq = 3",
    "DELETE FROM records WHERE seq = 3",
    "DELETE FROM records",
    "INSERT OR REPLACE INTO records SELECT * FROM records WHERE seq = 3",
    "INSERT OR REPLACE INTO records"
    " SELECT match_no, 4, rulebook, act, t_ms, at_ms, synced, device, number, checksum"
    " FROM records WHERE seq = 2",
    "INSERT INTO records SELECT match_no, 5, rulebook, act, t_ms, at_ms, synced, 'x', 'y', checksum"
    " FROM records WHERE seq = 2",
    "UPDATE matches SET terms = '{}'",
    "UPDATE matches SET number = 7",
    "DELETE FROM matches",
)


@pytest.mark.parametrize("change", CHANGES)
def test_another_program_cannot_change_a_record(path: Path, change: str) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 3)
    with contextlib.closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(change)
    with journal_at(path) as journal:
        assert journal.records("m1") == log(3)


def test_a_record_follows_the_last_one(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 2)
        for wrong in (2, 4):
            with pytest.raises(RecordRefused, match=f"record {wrong}: a record follows"):
                journal.append("m1", [record(wrong, "+1", number="new")], "ug")
        with pytest.raises(RecordRefused, match="not in the journal"):
            journal.append("m2", [record(0, "+1")], "ug")
        assert journal.records("m1") == log(2)


def test_records_are_written_all_or_none(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 2)
        with pytest.raises(RecordRefused):
            journal.append("m1", [record(3), record(4), record(6)], "ug")
        assert journal.records("m1") == log(2)
        journal.append("m1", [record(3), record(4)], "ug")
        assert journal.records("m1") == log(4)


def test_what_is_sent_again_acts_once(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 5)
    with journal_at(path) as journal:
        assert journal.find("m1", record(3).by) == 3
        assert journal.find("m1", Source("panel", "9.9")) is None
        again = record(6, "+1", number="1.3")
        assert journal.append("m1", [again], "ug") == (3,)
        assert journal.append("m1", [record(5), record(6)], "ug") == (5, 6)
        assert journal.records("m1") == log(6)


def test_a_source_is_unique_in_its_match_only(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 3)
        write(journal, "m2", 3)
        assert journal.records("m2") == log(3)


def test_beginning_again_changes_nothing(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 3)
        row = began("m1", rulebook_of("ug"), AT_MS)
        journal.begin(row, setup())
        assert journal.records("m1") == log(3)
        for other, first in ((replace(row, started_ms=1), setup()), (row, setup("2.0"))):
            with pytest.raises(RecordRefused, match="another one"):
                journal.begin(other, first)
        with pytest.raises(RecordRefused, match="set-up"):
            journal.begin(replace(row, id="m2"), record(0, "+1"))
        assert len(journal.matches()) == 1


def test_a_rename_touches_no_record(path: Path) -> None:
    with journal_at(path) as journal:
        ana, bia = journal.club.enlist("Ana"), journal.club.enlist("Bia")
        write(journal, "m1", 4)
        before = raw(path, "SELECT * FROM records")
        journal.club.written_down(ana, "player 1")
        assert journal.players() == {ana: "player 1", bia: "Bia"}
        journal.club.written_down(7, "Caio")
        assert (journal.players()[7], 8 in journal.players()) == ("Caio", False)
        assert raw(path, "SELECT * FROM records") == before


def test_the_match_taken_up_last_is_resumed(path: Path) -> None:
    with journal_at(path) as journal:
        assert journal.unfinished() is None
        write(journal, "early", 0, State.PREPARED)
        write(journal, "late", 0, State.PREPARED)
        assert journal.unfinished() is None
        write(journal, "now", 2)
        journal.start("early")
    with journal_at(path) as journal:
        assert journal.unfinished() == replace(
            began("early", rulebook_of("ug"), AT_MS), state=State.IN_PLAY
        )
        journal.append("late", [record(1)], "ug")
        assert journal.unfinished() == began("late", rulebook_of("ug"), AT_MS)


def summary_of(journal: Journal, match_id: str) -> Summary:
    first, *_ = journal.records(match_id)
    ledger = Ledger(first, rulebook_of)
    ledger.append(record(1, "FIRST(A)"))
    ledger.append(record(2, "CONCEDE(B,match)"))
    return Summary.of(scoreline(ledger, (("Ana",), ("Bia",)), match_id))


def test_the_end_of_a_match_and_what_comes_after(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 4)
        summary = summary_of(journal, "m1")
        assert summary.result is not None
        assert journal.summary("m1") is None
        journal.finish("m1", summary)
        journal.finish("m1", summary)
        assert (journal.unfinished(), journal.summary("m1")) == (None, summary)
    with journal_at(path) as journal:
        assert journal.summary("m1") == summary
        journal.append("m1", [record(5, "UNDO")], "ug")
        assert journal.summary("m1") is None
        assert journal.unfinished() is not None


def test_a_summary_of_another_version_is_to_be_rebuilt(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 1)
        journal.finish("m1", summary_of(journal, "m1"))
        for change in ("summary = '[]'", "version = 0"):
            assert journal.summary("m1") is not None
            journal._db.execute(f"UPDATE summaries SET {change}")
            assert journal.summary("m1") is None
            journal.finish("m1", summary_of(journal, "m1"))


def test_the_cursor_never_goes_back(path: Path) -> None:
    with journal_at(path) as journal:
        write(journal, "m1", 4)
        write(journal, "m2", 4)
        assert journal.cursor("m1") == -1
        for seq in (2, 1):
            journal.advance("m1", seq)
    with journal_at(path) as journal:
        assert (journal.cursor("m1"), journal.cursor("m2")) == (2, -1)


@pytest.mark.parametrize(
    "id_", [id_ for id_, book in RULEBOOKS.items() if isinstance(book.terms, SeriesTerms)]
)
def test_a_match_keeps_the_facts_it_began_under(id_: str, path: Path) -> None:
    book = rulebook_of(id_)
    assert isinstance(book.terms, SeriesTerms)
    terms = replace(book.terms, target=(7, 11), call_at=1)
    then = msgspec.structs.replace(book, edition="an older one", terms=terms)
    with journal_at(path) as journal:
        journal.begin(began("m1", then, AT_MS), Record(0, Setup(id_)))
        journal.begin(began("m2", book, AT_MS), Record(0, Setup(id_)))
        old, new = journal.matches()
    assert facts(old, book) == then
    assert facts(new, book) is book
    younger = replace(old, terms=old.terms.replace(',"call_at":1', ""))
    assert facts(younger, book).terms == replace(terms, call_at=SeriesTerms().call_at)
    for wrong in ('"call_at":"x"', '"called":1'):
        with pytest.raises(JournalError, match=r"does not know .*call"):
            facts(replace(old, terms=old.terms.replace('"call_at":1', wrong)), book)
