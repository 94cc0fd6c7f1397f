"""Every score sheet that can be judged holds: what goes in, what comes out, what is refused."""

import pytest

from rules.replay import replay
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sheet import Sheet
from tests.rules.waiting import all_sheets, waits_for

SHEETS = all_sheets()
THREE_CUSHION = {"3c", "ug", "uk", "u18", "s15", "s15f"}


@pytest.mark.parametrize(
    "sheet",
    [pytest.param(sheet, id=sheet.id) for sheet in SHEETS if waits_for(sheet) is None],
)
def test_the_sheet_holds(sheet: Sheet) -> None:
    assert replay(sheet, rulebook_of).notes == ()


def test_of_three_cushions_only_sheets_with_parameters_of_other_games_wait() -> None:
    waiting = {waits_for(sheet) for sheet in SHEETS if sheet.setup.rulebook in THREE_CUSHION} - {
        None
    }
    assert waiting <= {
        f"parameter {name}" for name in ("rotate", "half", "live_avg", "clock_opts", "to_per")
    }


def test_no_sheet_of_snooker_waits() -> None:
    sheets = [sheet for sheet in SHEETS if sheet.setup.rulebook in {"cbbs", "fpb", "wpbsa", "6red"}]
    assert len(sheets) >= 229
    assert {waits_for(sheet) for sheet in sheets} == {None}


def test_no_real_snooker_match_is_lost() -> None:
    """Frames known ball by ball, by visits, and matches by the figures of their frames."""
    found = [sheet.id for sheet in SHEETS]
    for level, count in (("B", 11), ("V", 8), ("M", 29)):
        assert sum(name.startswith(f"match:SN-{level}") for name in found) == count


def test_of_pool_no_sheet_waits() -> None:
    pool = [sheet for sheet in SHEETS if family_of(sheet.setup.rulebook) == "pool"]
    assert not [sheet.id for sheet in pool if waits_for(sheet) is not None]
    assert {sheet.setup.rulebook for sheet in pool} == {
        id_ for id_ in RULEBOOKS if family_of(id_) == "pool"
    }


def test_no_vector_is_lost() -> None:
    found = [sheet.id for sheet in SHEETS]
    assert len(set(found)) == len(found)
    for family, count in (("carom", 201), ("snooker", 229), ("pool", 319)):
        assert sum(name.startswith(f"{family}:") for name in found) == count
