"""Date and time at the panel: what four keys make of them, and what the board says."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.setup.dialog import SetupDialog
from firmware.setup.hour import Hour
from firmware.setup.preset import Leave
from firmware.setup.questions import Role
from firmware.setup.words import load_setup_words
from firmware.snapshot import Number, Question, View
from tests.firmware.room import Room, in_room

WORDS = load_setup_words("en")
NOW = Hour(1970, 1, 31, 0, 0)
KEYS = {"-": Role.LESS, "+": Role.MORE, "o": Role.OK, "b": Role.BACK}


def asked(keys: str, now: Hour | None = NOW) -> tuple[list[object], SetupDialog]:
    dialog = SetupDialog(WORDS, [], ["Ana"], hour=now)
    return [dialog.press(KEYS[key]) for key in keys], dialog


def test_the_hour_is_the_last_answer_where_it_can_be_set() -> None:
    _, dialog = asked("")
    assert isinstance(dialog.ask, Question)
    assert dialog.ask.choices[-1] == WORDS.clock
    _, without = asked("", None)
    assert isinstance(without.ask, Question)
    assert WORDS.clock not in without.ask.choices
    assert asked("-o", None)[0] == [None, Leave()]


def test_a_new_year_s_evening() -> None:
    """The year from where none can be, a month back, the last of it, and four past ten."""
    outcomes, _ = asked("-o" + "++o" + "-o" + "o" + "--o" + "++++o")
    assert outcomes[-1] == Hour(2026, 12, 31, 22, 4)
    assert outcomes[-1].text() == "2026-12-31 22:04"


def test_no_month_has_a_day_too_many() -> None:
    _, dialog = asked("-o" + "+o" + "+o")  # February of 2025
    assert dialog.ask == Number(WORDS.day, "28", 1, 28)
    _, leap = asked("-o" + "o" + "+o")
    assert leap.ask == Number(WORDS.day, "29", 1, 29)


def test_back_asks_the_one_before_again() -> None:
    _, dialog = asked("-o" + "+o" + "+o" + "bb")
    assert dialog.ask == Number(WORDS.year, "2025", 2024, 2099)


@given(st.text("-+o", max_size=80), st.datetimes())
def test_whatever_is_pressed_is_a_minute_that_there_is(keys: str, now: object) -> None:
    from datetime import datetime

    assert isinstance(now, datetime)
    dialog = SetupDialog(
        WORDS, [], [], hour=Hour(now.year, now.month, now.day, now.hour, now.minute)
    )
    for key in "-o" + keys:
        outcome = dialog.press(KEYS[key])
        if isinstance(outcome, Hour):
            datetime.strptime(outcome.text(), "%Y-%m-%d %H:%M")  # noqa: DTZ007 # local time
        if outcome is not None:
            return


@pytest.mark.parametrize("granted", [True, False])
def test_the_board_says_whether_the_clock_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, granted: bool
) -> None:
    monkeypatch.setattr("firmware.machine.CLOCK_S", 0.3)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        finger = room.finger
        for key in ("end", "plus1", "plus1", "plus1"):
            await finger.press(key)
        for phase in ("held", "over"):
            await room.until(lambda view, phase=phase: _phase(view) == phase)  # type: ignore[misc]
            await asyncio.sleep(0.7)
            await finger.press("ok", 700 if phase == "over" else 30)
        await room.until(lambda view: view.ask is not None)
        for key in ("plus1", "ok", "ok", "ok", "ok", "ok", "ok"):
            before = room.views[-1].ask
            await finger.press(key)
            await room.until(lambda view, before=before: view.ask != before)  # type: ignore[misc]
        await room.until(lambda view: view.ask is None)
        wish = tmp_path / "time"
        assert wish.exists()
        if granted:
            wish.unlink()
        said = WORDS_PT.clock_set if granted else WORDS_PT.clock_not_set
        await room.until(lambda view: _told(view) == said[-1])
        assert not wish.exists()

    in_room(lambda: Room(tmp_path), test)


WORDS_PT = load_setup_words("pt")


def _phase(view: View) -> str:
    return view.line.phase if view.line is not None else ""


def _told(view: View) -> str:
    return view.message.text if view.message is not None else ""
