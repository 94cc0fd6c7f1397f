"""A table with clocks: what is called and when, late presses, restarts, an hour that jumps."""

import asyncio
import json
import selectors
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from drivers.ports import Press
from firmware.commands import Reply
from firmware.journal.journal import Journal
from firmware.journal.matches import began
from firmware.snapshot import View
from firmware.table.matches import resumed
from firmware.table.play import Play
from rules.clock import Countdown
from rules.record import Source
from rules.rulebooks import family_of
from rules.rulebooks.shelf import rulebook_of
from tests.firmware.rig import HandClock, Rig, new_play, settle

CLOCKS = "target=5/5 minutes=2"
HOUR_MS = 3_600_000


class _Jumps(selectors.SelectSelector):
    """Waits for nothing: puts the clock forward by as long as it was to wait."""

    def __init__(self, clock: HandClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> Any:
        if timeout:
            self._clock.ns += round(timeout * 1_000_000_000) + 1
        return super().select(0)


class _HandLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is the table's clock."""

    def __init__(self, clock: HandClock) -> None:
        self._hand = clock
        super().__init__(_Jumps(clock))

    def time(self) -> float:
        return self._hand.ns / 1_000_000_000


def on_table(
    test: Callable[[Rig], Awaitable[None]],
    play: Play | None = None,
    clock: HandClock | None = None,
) -> Rig:
    """Run a test with a table that is worked in the time of its clock."""
    play = play or new_play(format_=CLOCKS)
    rig = Rig(play, panel=f"{family_of(play.ledger.match.setup.rulebook)}-6")
    if clock is not None:
        rig.clock = rig.table._clock = clock

    async def run() -> None:
        owner = asyncio.create_task(rig.table.run())
        await settle()
        try:
            await test(rig)
        finally:
            owner.cancel()
            await asyncio.gather(owner, return_exceptions=True)

    with asyncio.Runner(loop_factory=lambda: _HandLoop(rig.clock)) as runner:
        runner.run(run())
    return rig


async def ask(rig: Rig, act: str) -> Reply:
    seq = rig.table.play.ledger.seq
    fields = {"id": f"c{seq}.{rig.clock.ns}", "expect_seq": seq, "act": act}
    return await rig.table.ask("enter", json.dumps(fields).encode())


def now_ms(rig: Rig) -> int:
    return rig.table.play.t_ms(rig.clock.ns)


def shot(view: View) -> Countdown:
    assert view.line is not None
    assert view.line.clock is not None
    assert view.line.clock.shot is not None
    return view.line.clock.shot


def calls(view: View) -> list[str]:
    return [f"{call.which} {call.what}" for call in view.calls]


def test_warning_and_time_are_told_at_their_moments_and_nothing_is_entered() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START")
        started_ms, shown = now_ms(rig), len(rig.views)
        assert shot(rig.view).until_ms == started_ms + 40_000
        await asyncio.sleep(29.9)
        assert len(rig.views) == shown, "the owner sleeps until something is due"
        await asyncio.sleep(0.102)
        assert calls(rig.view) == ["shot warning"]
        await asyncio.sleep(9.99)
        assert calls(rig.view) == ["shot warning"]
        await asyncio.sleep(0.01)
        assert calls(rig.view) == ["shot time"]
        await asyncio.sleep(60)
        assert len(rig.views) == shown + 2
        assert [record.seq for record in rig.store.records] == [0, 1]
        assert rig.score() == "0-0 in 0/0 playing"
        assert (await ask(rig, "CLOCK")).error is None
        assert calls(rig.view) == []
        assert rig.score() == "0-0 in 1/0 playing"

    on_table(test)


def test_match_time_is_offered_and_the_referee_enters_it() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START(match)")
        await asyncio.sleep(121)
        assert calls(rig.view) == ["match time"]
        await ask(rig, "TIMEUP")
        assert rig.score() == "0-0 in 0/0 held"
        assert calls(rig.view) == []

    on_table(test)


def test_a_paused_clock_calls_nothing_and_goes_on_where_it_stood() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START")
        await asyncio.sleep(20)
        await ask(rig, "PAUSE")
        await asyncio.sleep(100)
        assert calls(rig.view) == []
        assert round(shot(rig.view).left(0), -1) == 20_000
        await ask(rig, "RESUME")
        await asyncio.sleep(10.1)
        assert calls(rig.view) == ["shot warning"]

    on_table(test)


def test_a_time_out_moves_the_deadline() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START")
        await asyncio.sleep(35)
        assert calls(rig.view) == ["shot warning"]
        await ask(rig, "TIMEOUT")
        assert calls(rig.view) == []
        await asyncio.sleep(35.1)
        assert calls(rig.view) == ["shot warning"]
        await asyncio.sleep(10)
        assert calls(rig.view) == ["shot time"]

    on_table(test)


def test_a_press_before_the_deadline_counts_though_it_is_worked_off_after() -> None:
    """Ask 68."""

    async def test(rig: Rig) -> None:
        await ask(rig, "START")
        deadline_ns = rig.clock.ns + 40_000_000_000
        await asyncio.sleep(40.02)
        assert calls(rig.view) == ["shot time"]
        rig.table.pressed(Press("panel", 1, "plus1", held=False, t_ns=deadline_ns - 5_000_000))
        await settle()
        assert rig.score() == "1-0 in 0/0 playing"
        assert calls(rig.view) == []
        deadline_ms = rig.table.play.t_ms(deadline_ns)
        assert rig.store.records[-1].t_ms == deadline_ms - 5
        await ask(rig, "UNDO")
        assert abs(shot(rig.view).left(0) - 5) <= 1

    on_table(test)


def test_a_press_at_the_moment_of_a_call_does_not_hide_it() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START")
        rig.clock.ns += 40_000_000_000
        rig.tap("ok")
        await settle()
        assert rig.view.told is not None
        assert rig.view.told.code == "nothing_to_confirm"
        assert calls(rig.view) == ["shot time"]

    on_table(test)


def test_clock_records_announce_nothing_and_are_no_steps_of_undo() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1")
        await ask(rig, "START")
        assert rig.committed[-1].text == "START"
        assert not rig.committed[-1].notices
        await rig.press("undo")
        assert rig.score() == "0-0 in 0/0 playing"
        assert not shot(rig.view).running
        (notice,) = rig.committed[-1].notices
        assert notice.what == "correction"

    on_table(test)


def test_what_a_clock_cannot_do_now_is_answered_with_the_reason() -> None:
    async def test(rig: Rig) -> None:
        assert (await ask(rig, "PAUSE")).error == "not_here"
        await rig.press("plus5")
        assert (await ask(rig, "START")).error == "ok_pending"
        assert (await ask(rig, "START(match)")).error == "ok_pending"

    on_table(test)


class _Jumpy(HandClock):
    """Its hour is put six hours forward and back with every look."""

    looks = 0

    def wall_ms(self) -> int:
        self.looks += 1
        return super().wall_ms() + (6 if self.looks % 2 else -6) * HOUR_MS


def _told(clock: HandClock) -> tuple[Any, ...]:
    """All that a table tells in a while, and its records without the hour."""
    told = []

    async def test(rig: Rig) -> None:
        for act in ("START(match)", "START", "+1", "START", "PAUSE", "RESUME", "UNDO", "REDO"):
            await ask(rig, act)
            for _ in range(20):
                await asyncio.sleep(2)
                told.append((calls(rig.view), rig.view.line, rig.view.zero_ms))

    rig = on_table(test, clock=clock)
    return told, [(record.act, record.t_ms) for record in rig.store.records]


def test_an_hour_that_jumps_changes_nothing() -> None:
    """Ask 73."""
    jumpy = _Jumpy()
    assert _told(jumpy) == _told(HandClock())
    assert jumpy.looks > 5


def _after_a_restart(path: Path, before: Rig) -> Play:
    """The match as the journal has it, taken up as a machine starts whose clock is new too."""
    journal, _ = Journal.open(path / "journal.db")
    setup, *records = before.store.records
    for name in ("Ana", "Bia"):
        journal.club.enlist(name)
    journal.begin(began("m1", rulebook_of("ug"), 0), setup)
    journal.append("m1", records, "ug")
    play = resumed(journal, HandClock())
    journal.close()
    assert play is not None
    return play


@pytest.mark.parametrize("away_s", [3, 86_400])
def test_after_a_restart_a_running_clock_is_paused_and_says_so(away_s: int, tmp_path: Path) -> None:
    async def before(rig: Rig) -> None:
        await ask(rig, "START(match)")
        await ask(rig, "START")
        await asyncio.sleep(15)
        await ask(rig, "ADJUST(score=1/0)")
        await asyncio.sleep(away_s)

    cut = on_table(before)
    last_ms = cut.table.play.ledger.t_ms
    left_ms = shot(cut.view).left(last_ms)

    async def after(rig: Rig) -> None:
        record = rig.store.records[-1]
        assert rig.committed[-1].text == "PAUSE(restart)"
        assert (record.by, record.t_ms) == (Source("restart", "1"), last_ms)
        found = shot(rig.view)
        assert (found.running, found.interrupted, found.left_ms) == (False, True, left_ms)
        assert rig.view.line is not None
        assert rig.view.line.clock is not None
        assert rig.view.line.clock.match is not None
        assert rig.view.line.clock.match.interrupted
        await asyncio.sleep(50)
        assert calls(rig.view) == []
        await ask(rig, "RESUME")
        assert (shot(rig.view).running, shot(rig.view).interrupted) == (True, False)
        await asyncio.sleep(26)
        assert calls(rig.view) == ["shot time"]

    on_table(after, _after_a_restart(tmp_path, cut))


def test_a_clock_at_rest_comes_back_as_it_was(tmp_path: Path) -> None:
    async def before(rig: Rig) -> None:
        await ask(rig, "START")
        await asyncio.sleep(15)
        await ask(rig, "PAUSE")

    cut = on_table(before)

    async def after(rig: Rig) -> None:
        assert rig.store.records == []
        assert rig.view.line == cut.view.line
        assert rig.table.play.ledger.digest() == cut.table.play.ledger.digest()

    on_table(after, _after_a_restart(tmp_path, cut))


def test_the_board_knows_where_match_time_began() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "START")
        await asyncio.sleep(12.7)
        board_ms = rig.clock.ns // 1_000_000 - rig.view.zero_ms
        assert rig.view.line is not None
        assert rig.view.line.clock is not None
        assert rig.view.line.clock.seconds(board_ms) == (28, 120)

    play = new_play(format_=CLOCKS)
    zero = Play(play.match_id, play.ledger, play.names, 400_000_000, play.setup)
    on_table(test, zero)
