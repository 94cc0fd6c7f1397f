"""The shot clock shortened late in a match: 45 s become 30 s when a quarter of an hour remains."""

import asyncio
from pathlib import Path

import pytest

from firmware.clock import Clock
from firmware.journal.journal import Journal
from firmware.journal.matches import began
from firmware.snapshot import View
from firmware.table.matches import resumed
from firmware.table.play import Play
from rules.rulebooks.shelf import rulebook_of
from tests.firmware.rig import HandClock, Rig, new_play
from tests.firmware.test_clock import _Jumpy, ask, calls, on_table, shot

LATE = "clock=45 minutes=20 late_clock=30 late_from=15"
GAMES = {
    "carom": ("ug", f"target=40/40 {LATE}", "/"),
    "snooker": ("cbbs", f"target=3 {LATE}", "/"),
    "nine-ball": ("fpb9", f"race=5/5 {LATE}", "/"),
    "blackball": ("bb", f"race=5/5 break_clock=0 {LATE}", "/"),
    "14.1": ("fpb141", f"target=60/60 {LATE}", "/"),
}

WARNED = {"carom": ["shot warning"], "blackball": ["shot warning"]}
"""Whose rulebook knows a warning."""


def game(which: str) -> Play:
    rulebook, format_, _ = GAMES[which]
    return new_play(rulebook, format_)


def left_s(view: View) -> int:
    """What the board counts from: the length of the shot clock, in seconds."""
    return shot(view).length_ms // 1000


async def stroke(rig: Rig, which: str) -> None:
    """A stroke is entered and the clock started for the next."""
    assert (await ask(rig, GAMES[which][2])).error is None
    assert (await ask(rig, "START")).error is None


@pytest.mark.parametrize("which", GAMES)
def test_the_shot_under_way_keeps_its_time_and_the_next_has_less(which: str) -> None:
    """Ask 65."""

    async def test(rig: Rig) -> None:
        assert (await ask(rig, "START(match)")).error is None
        await asyncio.sleep(280)
        await stroke(rig, which)
        await asyncio.sleep(44)
        assert (left_s(rig.view), calls(rig.view)) == (45, WARNED.get(which, []))
        await asyncio.sleep(2)
        assert calls(rig.view) == ["shot time"], "it had all of its 45 s, and no more"
        await stroke(rig, which)
        assert left_s(rig.view) == 30

    on_table(test, game(which))


@pytest.mark.parametrize("which", GAMES)
def test_undo_over_the_mark_gives_back_the_time_that_stood(which: str) -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START(match)")
        await asyncio.sleep(290)
        await stroke(rig, which)
        await asyncio.sleep(20)
        await stroke(rig, which)
        assert left_s(rig.view) == 30
        assert (await ask(rig, "UNDO")).error is None
        now = shot(rig.view)
        assert (left_s(rig.view), now.running, round(now.left(0) / 1000)) == (45, False, 25)
        await ask(rig, "START")
        assert left_s(rig.view) == 30, "started anew it is a new stroke's, late in the match"

    on_table(test, game(which))


@pytest.mark.parametrize("which", GAMES)
def test_a_restart_over_the_mark_changes_neither(which: str, tmp_path: Path) -> None:
    async def before(rig: Rig) -> None:
        await ask(rig, "START(match)")
        await asyncio.sleep(290)
        await stroke(rig, which)
        await asyncio.sleep(15)
        await stroke(rig, which)

    cut = on_table(before, game(which))

    async def after(rig: Rig) -> None:
        assert (left_s(rig.view), shot(rig.view).interrupted) == (30, True)
        assert (await ask(rig, "RESUME(match)")).error is None
        await stroke(rig, which)
        assert left_s(rig.view) == 30

    clock = HandClock()
    on_table(after, taken_up(tmp_path, cut, GAMES[which][0], clock), clock)


@pytest.mark.parametrize("which", GAMES)
def test_an_hour_that_jumps_by_six_hours_moves_no_mark(which: str) -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START(match)")
        await asyncio.sleep(290)
        await stroke(rig, which)
        assert left_s(rig.view) == 45
        await asyncio.sleep(15)
        await stroke(rig, which)
        assert left_s(rig.view) == 30

    on_table(test, game(which), _Jumpy())


def test_after_a_break_the_time_is_as_the_rules_have_it() -> None:
    """WPA regulation 18: sixty seconds at most after the break, late in the match too."""

    async def test(rig: Rig) -> None:
        await ask(rig, "START(match)")
        await asyncio.sleep(310)
        await stroke(rig, "nine-ball")
        assert left_s(rig.view) == 60
        await ask(rig, "START")
        assert left_s(rig.view) == 60, "started again it is still that shot"
        await stroke(rig, "nine-ball")
        assert left_s(rig.view) == 30

    on_table(test, new_play("wpa9", f"race=5/5 {LATE}"))


def taken_up(path: Path, before: Rig, rulebook: str, clock: Clock) -> Play:
    """The match as the journal has it, taken up by a table that starts."""
    journal, _ = Journal.open(path / "journal.db")
    setup, *records = before.store.records
    for name in ("Ana", "Bia"):
        journal.club.enlist(name)
    journal.begin(began("m1", rulebook_of(rulebook), 0), setup)
    journal.append("m1", records, rulebook)
    play = resumed(journal, clock)
    journal.close()
    assert play is not None
    return play
