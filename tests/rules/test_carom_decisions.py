"""docs/carom-decisions.md names parameters that exist and sheets that hold."""

import re
from pathlib import Path

import pytest
from msgspec.structs import fields

from rules.carom.terms import PinsTerms, SeriesTerms
from tests.rules.waiting import all_sheets, waits_for

PAGE = Path(__file__).parent.parent.parent / "docs" / "carom-decisions.md"
ROW = re.compile(r"^\| (D-\d\d) \| ([A-Z]+) \| (.+) \| (.+) \| (.+) \| (.*)\|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text("utf-8"))
PARAMETERS = {field.name for terms in (SeriesTerms, PinsTerms) for field in fields(terms)}
JUDGED = frozenset(sheet.id for sheet in all_sheets() if waits_for(sheet) is None)


def test_every_clash_has_its_row() -> None:
    assert sorted(id_ for id_, *_ in ROWS) == [f"D-{number:02}" for number in range(1, 33)]
    assert {kind for _, kind, *_ in ROWS} == {"IN", "GAP", "WORLD", "UNVERIFIED"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_changes_it_is_a_parameter(row: tuple[str, ...]) -> None:
    named = re.findall(r"`(\w+)`", row[4])
    assert set(named) <= PARAMETERS
    assert named or row[4] in ("–", "the entry says it")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_sheets_named_are_there_and_judged(row: tuple[str, ...]) -> None:
    sheets = set(re.findall(r"`(\w+:[\w.-]+)`", row[5]))
    assert sheets <= JUDGED
    assert sheets or row[4] == "–"
