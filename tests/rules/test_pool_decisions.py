"""docs/pool-decisions.md names parameters that exist and sheets that hold."""

import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import fields

from rules.pool.terms import (
    BlackballTerms,
    EightTerms,
    RotationTerms,
    StraightTerms,
)
from tests.rules.waiting import all_sheets, waits_for

PAGE = Path(__file__).parent.parent.parent / "docs" / "pool-decisions.md"
ROW = re.compile(r"^\| (X-\d\d) \| ([A-Z, ]+) \| (.+) \| (.+) \| (.+) \| (.*)\|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text("utf-8"))
PARAMETERS = {
    field.name
    for terms in (RotationTerms, EightTerms, BlackballTerms, StraightTerms)
    for field in fields(terms)
}


@cache
def _judged() -> frozenset[str]:
    return frozenset(sheet.id for sheet in all_sheets() if waits_for(sheet) is None)


def test_every_clash_has_its_row() -> None:
    assert sorted(id_ for id_, *_ in ROWS) == [f"X-{number:02}" for number in range(1, 35)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_changes_it_is_a_parameter(row: tuple[str, ...]) -> None:
    named = re.findall(r"`(\w+)(?:=\w+)?`", row[4])
    assert set(named) <= PARAMETERS
    assert named or row[4] in ("–", "the entry says it")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_sheets_named_are_there_and_judged(row: tuple[str, ...]) -> None:
    vectors = re.findall(r"`(?:pool:)?(V\d{3})`", row[5])
    others = re.findall(r"`((?:article|match):[\w.-]+)`", row[5])
    assert {f"pool:{number}" for number in vectors} | set(others) <= _judged()
    assert vectors or others or row[4] == "–"
