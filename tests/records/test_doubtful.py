"""An inning that hardly was one player's is marked: a change of turn was forgotten (ask 56)."""

import csv
import io
from contextlib import closing
from pathlib import Path

import pytest

from firmware.i18n import load_language
from firmware.journal.journal import Journal
from firmware.records.document import document
from firmware.records.doubtful import doubtful
from firmware.records.exports import as_csv
from firmware.records.kept import Kept, kept
from firmware.records.sheets import imported
from firmware.records.visits import visits
from firmware.records.words import load_words
from rules.rulebooks import notation_of
from rules.sheet import Sheet, read_sheets

EN = load_words("en")

USUAL = "=1 =0 =0 =2 =1 =0 =0 =1 =2 =0 =0 =1 =1 =0"
"""Seven innings each of two players with averages below one."""


def in_journal(folder: Path, sheet: Sheet) -> Kept:
    with closing(Journal.open(folder / "journal.db")[0]) as journal:
        return kept(journal, imported(journal, sheet, 1_700_000_000_000))


def played(folder: Path, entries: str, rulebook: str = "ug") -> Kept:
    head = f"id: d\nrulebook: {rulebook}\nformat: target=200/200\nA: Ana\nB: Bia\nfirst: A\n"
    (sheet,) = read_sheets(f"{head}{entries}\n", notation_of)
    return in_journal(folder, sheet)


def marked(match: Kept) -> list[tuple[str, int]]:
    rows = visits(match)
    return [(rows[at].side, rows[at].points) for at in doubtful(rows, match.setup.rulebook)]


def test_innings_of_both_that_ran_together_are_marked(tmp_path: Path) -> None:
    """Nobody keyed the misses: four innings of both became one of A, with eleven points."""
    match = played(tmp_path, f"{USUAL} +3 +4 +4 / =0")
    assert marked(match) == [("A", 11)]
    rows = list(csv.DictReader(io.StringIO(as_csv([match]))))
    assert [row["points"] for row in rows if row["doubtful"] == "1"] == ["11"]
    sheet = document(match, EN, load_language("en"))
    cells = [cell for table in sheet.tables for row in table.rows for cell in row]
    assert "11?" in cells
    assert EN.doubtful in sheet.notes


def test_what_was_looked_at_is_no_longer_doubtful(tmp_path: Path) -> None:
    """The mend is an edit of the old inning; what stands then is the referee's word."""
    assert marked(played(tmp_path, f"{USUAL} +3 +4 +4 / =0 EDIT(A8=12)")) == []


@pytest.mark.parametrize("entries", ["+5 +6 /", "=1 =0 =0 =2 +5 +6 /"])
def test_of_somebody_nobody_knows_nothing_is_doubtful(tmp_path: Path, entries: str) -> None:
    assert marked(played(tmp_path, entries)) == []


def test_a_good_inning_is_no_mistake(tmp_path: Path) -> None:
    assert marked(played(tmp_path, f"{USUAL} +2 +3 / +4 /")) == []


def test_runs_of_straight_rail_grow_by_themselves(tmp_path: Path) -> None:
    assert marked(played(tmp_path, f"{USUAL} +40 +50 / =0", "sr")) == []


def test_no_turn_is_forgotten_within_a_total(tmp_path: Path) -> None:
    """A record run that was written down as such stays without a mark."""
    assert marked(played(tmp_path, f"{USUAL} =28 =0")) == []
