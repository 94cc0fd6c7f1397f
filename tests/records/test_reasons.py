"""Why a rack was given stands on sheet, table and notation of its match (ask 59)."""

import csv
import io
from contextlib import closing
from pathlib import Path

import pytest

from firmware.i18n import language_codes, load_language
from firmware.journal.journal import Journal
from firmware.records.document import document
from firmware.records.exports import frames_as_csv
from firmware.records.kept import Kept, kept
from firmware.records.sheets import imported, sheet_of
from firmware.records.words import load_words
from rules.rulebooks import notation_of
from rules.sheet import print_sheet, read_sheets

GIVEN = """id: given
rulebook: wpa8
format: race=3/3
A: Ana
B: Bia
first: A
/ FOUL AWARD(B,eight_foul) OK
AWARD(A) UNDO AWARD(A,forfeit) OK
AWARD(B) OK
"""


def given(folder: Path) -> Kept:
    (sheet,) = read_sheets(GIVEN, notation_of)
    with closing(Journal.open(folder / "journal.db")[0]) as journal:
        return kept(journal, imported(journal, sheet, 1_700_000_000_000))


@pytest.mark.parametrize("code", language_codes())
def test_the_printed_sheet_says_why_each_rack_was_given(tmp_path: Path, code: str) -> None:
    language = load_language(code)
    printed = document(given(tmp_path), load_words(code), language)
    cells = [cell for table in printed.tables for row in table.rows for cell in row]
    assert f"Bia ({language.say('cause.eight_foul')})" in cells
    assert f"Ana ({language.say('cause.forfeit')})" in cells
    assert "Bia" in cells, "given without a reason"


def test_tables_and_notation_keep_the_reason(tmp_path: Path) -> None:
    match = given(tmp_path)
    rows = list(csv.DictReader(io.StringIO(frames_as_csv([match]))))
    assert [(row["winner"], row["reason"]) for row in rows[:3]] == [
        ("B", "eight_foul"),
        ("A", "forfeit"),
        ("B", "awarded"),
    ]
    sheet = sheet_of(match)
    notation = print_sheet(sheet, notation_of(sheet.setup.rulebook))
    assert "AWARD(B,eight_foul)" in notation
    assert "AWARD(A,forfeit)" in notation
