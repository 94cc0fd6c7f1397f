"""Every sheet of the tests through the journal and back: the same acts, the same state."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.matches import State
from firmware.records.kept import kept
from firmware.records.sheets import imported, sheet_of
from rules.record import Setup
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Expect, Sheet, Step, print_sheet, print_sheets, read_sheets
from tests.rules.waiting import waits_for

SHEETS = Path(__file__).parents[1] / "sheets"


def all_sheets() -> Iterator[Sheet]:
    for file in sorted(SHEETS.glob("*.sheet")):
        yield from read_sheets(file.read_text("utf-8"), notation_of, file.name)


JUDGED = [sheet for sheet in all_sheets() if waits_for(sheet) is None]


def told(sheet: Sheet) -> list[Step]:
    """What was entered and accepted, in order."""
    return [Step(step.act) for step in sheet.steps() if isinstance(step, Step) and not step.refused]


def test_every_sheet_goes_through_the_journal_and_comes_back_the_same(tmp_path: Path) -> None:
    place = tmp_path / "journal.db"
    with closing(Journal.open(place)[0]) as journal:
        ids = {}
        for sheet in JUDGED:
            played = replay(sheet, rulebook_of)
            if not played.notes:
                ids[sheet.id] = imported(journal, sheet, 1_700_000_000_000)
    assert len(ids) > 150
    with closing(Journal.read(place)) as journal:
        for sheet in JUDGED:
            if sheet.id not in ids:
                continue
            match = kept(journal, ids[sheet.id])
            played = replay(sheet, rulebook_of)
            # In the journal the players have other numbers; all else is the same.
            numbered = replay(replace(sheet, setup=match.setup), rulebook_of)
            assert match.ledger.digest() == numbered.ledger.digest(), sheet.id
            back = sheet_of(match)
            text = print_sheets([back], notation_of)
            (again,) = read_sheets(text, notation_of)
            assert replace(again, setup=back.setup) == back, sheet.id
            assert replay(again, rulebook_of).ledger.digest() == played.ledger.digest()
            plain = sheet_of(match, plain=True)
            assert [step for step in plain.steps() if isinstance(step, Step)] == [
                Step(record.act) for record in played.records if not isinstance(record.act, Setup)
            ]


def one(text: str) -> Sheet:
    (sheet,) = read_sheets(text, notation_of)
    return sheet


OVER = "id: t1\nrulebook: ug\nformat: target=3/3\nA: Ana\nB: Bia\nfirst: A\n+1 +2 OK =1\n"


def test_what_was_entered_stands_on_the_sheet_with_time_and_device(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        sheet = one(OVER.replace("+1 +2", "@0:03.250 by:panel#1.7 +1 @0:09.000 by:pad1#2 +2"))
        match = kept(journal, imported(journal, sheet, 0))
        text = print_sheet(sheet_of(match), match.ledger.match.game.notation)
        assert "A: Ana\nB: Bia\n" in text
        assert "@0:03.250 by:panel#1.7 +1 @0:09.000 by:pad1#2 +2" in text


@pytest.mark.parametrize("take_up", [False, True])
def test_an_interrupted_match_waits_or_is_taken_up(tmp_path: Path, take_up: bool) -> None:
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        id_ = imported(journal, one(OVER.replace(" +2 OK =1", "")), 0, take_up=take_up)
        unfinished = journal.unfinished()
        assert (unfinished is not None) is take_up
        assert journal.matches()[0].state is (State.IN_PLAY if take_up else State.PREPARED)
        assert kept(journal, id_).line().score == (1, 0)


def test_a_sheet_that_does_not_hold_is_refused_with_its_reason(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        with pytest.raises(JournalError, match="step 1: refused"):
            imported(journal, one(OVER.replace("+1", "+9")), 0)
        assert journal.matches() == []
        imported(journal, one(OVER), 0)
        with pytest.raises(JournalError, match="already"):
            imported(journal, one(OVER), 0)


def test_expectations_are_not_what_happened() -> None:
    sheet = one(OVER + "-> score=3/1\n")
    assert len(told(sheet)) == 4
    assert any(isinstance(step, Expect) for step in sheet.steps())


def test_an_import_that_breaks_off_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a match without its records, nor records without their end."""
    (sheet,) = read_sheets(
        "id: t\nrulebook: ug\nformat: target=2/2\nfirst: A\n=2 OK / OK\n", notation_of
    )
    journal, _ = Journal.open(tmp_path / "journal.db")

    def cut(*_: object) -> None:
        raise OSError("the power went")

    with closing(journal):
        monkeypatch.setattr(Journal, "finish", cut)
        with pytest.raises(OSError, match="power"):
            imported(journal, sheet, 0)
        assert list(journal.matches()) == []
        assert list(journal.club.players()) == []
        monkeypatch.undo()
        assert imported(journal, sheet, 0) == "sheet:t"
