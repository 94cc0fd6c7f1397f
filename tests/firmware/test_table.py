"""Presses on a table: what counts, what is told, what is shown and when."""

import asyncio

import pytest

from firmware.setup.next_match import WAIT_MS
from firmware.snapshot import Number, Question, Tell
from tests.firmware.rig import HandStore, Rig, new_play, on_table, settle


def test_a_match_key_by_key() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 plus1 end end plus1 plus1")
        assert rig.score() == "4-0 in 1/1 playing"
        await rig.press("plus1")
        assert rig.score() == "5-0 in 2/1 held"
        await rig.press("ok plus5")
        assert rig.score() == "5-5 in 2/2 held"
        await rig.press("ok")
        assert rig.score() == "5-5 in 2/2 over"

    on_table(test)


def test_every_accepted_press_is_a_record_with_the_time_of_its_edge() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end", every_ms=1500)
        setup, point, end = rig.store.records
        assert (setup.seq, point.seq, end.seq) == (0, 1, 2)
        assert (point.t_ms, end.t_ms) == (2500, 4000)
        assert str(point.by) == "panel#1.1"

    on_table(test)


def test_late_presses_at_the_target_leave_the_equalising_inning_open() -> None:
    """Ask 1: duplicates at +3 ms, then a press each 180 ms until +1.3 s."""

    async def test(rig: Rig) -> None:
        await rig.press("plus5")
        for key in ("plus5", "end"):
            rig.tap(key, after_ms=3)
            await settle()
        for _ in range(7):
            for key in ("end", "ok"):
                rig.tap(key, after_ms=90)
                await settle()
        assert rig.score() == "5-0 in 1/0 held"
        assert rig.table.refused == 16
        await rig.press("ok")
        assert rig.score() == "5-0 in 1/0 equaliser"

    on_table(test)


@pytest.mark.parametrize("gap_ms", [50, 120, 300, 516, 600])
@pytest.mark.parametrize("burst_ms", [200, 750, 1300, 4000])
def test_no_press_of_a_burst_acts(gap_ms: int, burst_ms: int) -> None:
    """Ask 2: burst length 0.2-4 s and gap 50-600 ms."""

    async def test(rig: Rig) -> None:
        await rig.press("plus5")
        for _ in range(burst_ms // gap_ms):
            rig.tap("ok", after_ms=gap_ms)
            await settle()
        assert rig.score() == "5-0 in 1/0 held"
        rig.tap("ok", after_ms=700)
        await settle()
        assert rig.score() == "5-0 in 1/0 equaliser"

    on_table(test)


def test_the_guard_lifts_after_five_seconds() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus5")
        for _ in range(17):
            rig.tap("ok", after_ms=300)
            await settle()
        assert rig.score() == "5-0 in 1/0 equaliser"

    on_table(test)


def test_undo_acts_within_a_burst() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus5")
        rig.tap("undo", after_ms=200)
        await settle()
        assert rig.score() == "0-0 in 0/0 playing"
        assert rig.view.told is not None
        assert (rig.view.told.tell, rig.view.told.text) == (Tell.UNDONE, "+5")

    on_table(test)


def test_a_doubled_end_is_one_press_and_one_undo() -> None:
    """Asks 11 and 12: the state after one undo is that before the first press."""

    async def test(rig: Rig) -> None:
        await rig.press("plus1 end")
        rig.tap("end", after_ms=150)
        await settle()
        assert rig.score() == "1-0 in 1/0 playing"
        assert rig.view.told is not None
        assert rig.view.told.code == "same_press"
        await rig.press("undo")
        assert rig.score() == "1-0 in 0/0 playing"

    on_table(test)


def test_the_same_decision_from_a_second_device_counts_once() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("end")
        rig.tap("end", after_ms=400, device="pad1")
        await settle()
        assert rig.view.told is not None
        assert rig.view.told.code == "already_entered"
        assert rig.score() == "0-0 in 1/0 playing"

    on_table(test)


def test_taps_of_a_scoring_key_each_count() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 plus1 plus1 plus1", every_ms=180)
        assert rig.score() == "4-0 in 0/0 playing"

    on_table(test)


def test_a_refused_press_says_why_and_changes_nothing() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 plus5")
        told = rig.view.told
        assert told is not None
        assert (told.tell, told.code, told.text) == (Tell.REFUSED, "over_target", "4")
        assert rig.score() == "1-0 in 0/0 playing"
        assert rig.table.refused == 1
        await rig.press("plus1")
        assert rig.view.told is None

    on_table(test)


def test_heard_before_anything_is_decided() -> None:
    async def test(rig: Rig) -> None:
        rig.tap("plus1")
        assert rig.view.heard_ms == rig.clock.ns // 1_000_000
        assert rig.score() == "0-0 in 0/0 playing"

    on_table(test)


def test_only_what_is_on_disk_is_shown() -> None:
    async def test(rig: Rig) -> None:
        rig.store.write()
        await settle()
        await rig.press("plus1 plus1", every_ms=180)
        assert rig.score() == "0-0 in 0/0 playing"
        assert [c.record.seq for c in rig.committed] == [0]
        rig.store.write()
        await settle()
        assert rig.score() == "1-0 in 0/0 playing"
        rig.store.write()
        await settle()
        assert rig.score() == "2-0 in 0/0 playing"
        assert [c.record.seq for c in rig.committed] == [0, 1, 2]

    on_table(test, lambda: Rig(at_once=False))


def test_quick_taps_on_a_slow_disk_are_heard_at_once_and_shown_in_order() -> None:
    """Taps each 180 ms, commits of 300 ms each."""

    async def test(rig: Rig) -> None:
        rig.store.write()
        await settle()
        shown = []
        for tap in range(1, 9):
            rig.tap("plus1", after_ms=180)
            assert rig.view.heard_ms == rig.clock.ns // 1_000_000
            await settle()
            if tap % 5 in (2, 4, 0):  # the disk has done 300 ms of work
                rig.store.write()
                await settle()
            shown.append(rig.score().split()[0])
        assert shown == ["0-0", "1-0", "1-0", "2-0", "3-0", "3-0", "4-0", "4-0"]
        rig.store.write(4)
        await settle()
        assert rig.score() == "8-0 in 0/0 playing"
        assert [c.record.seq for c in rig.committed] == list(range(9))
        assert rig.table.refused == 0

    on_table(test, lambda: Rig(new_play(format_="target=9/9"), at_once=False))


def test_a_slow_disk_shows_the_score_as_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.table.saving.UNSAVED_MS", 20)

    async def test(rig: Rig) -> None:
        rig.store.write()
        await rig.press("plus1")
        await asyncio.sleep(0.05)
        assert rig.score() == "1-0 in 0/0 playing"
        assert rig.saved() is False
        assert len(rig.committed) == 1
        rig.store.write()
        await settle()
        assert rig.saved() is True
        assert len(rig.committed) == 2

    on_table(test, lambda: Rig(at_once=False))


def test_a_disk_that_gives_up_ends_the_owner() -> None:
    async def run() -> None:
        rig = Rig(at_once=False)
        owner = asyncio.create_task(rig.table.run())
        await settle()
        rig.store.waiting[0].set_exception(OSError("no disk"))
        with pytest.raises(OSError, match="no disk"):
            await owner

    asyncio.run(run())


def test_who_plays_first_is_asked_and_the_keys_say_so() -> None:
    async def test(rig: Rig) -> None:
        assert rig.score_phase() == "first"
        assert dict(rig.view.keys) == {"+1": "FIRST(A)", "+5": "FIRST(B)"}
        await rig.press("end")
        assert rig.view.told is not None
        assert rig.view.told.code == "first_pending"
        await rig.press("plus5")
        assert not rig.view.keys
        assert rig.view.line is not None
        assert rig.view.line.turn == "B"

    on_table(test, lambda: Rig(new_play(first=None)))


def test_the_next_match_begins_only_when_asked_for() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("end plus5 ok")
        assert rig.score() == "0-5 in 1/1 over"
        await rig.press("ok plus1 end")
        assert rig.score() == "0-5 in 1/1 over"
        await rig.press("ok!")
        asked = rig.view.ask
        assert asked is not None
        assert rig.score() == "0-5 in 1/1 over"
        await rig.press("ok")
        assert rig.score() == "0-0 in 0/0 playing"
        assert isinstance(rig.store, HandStore)
        assert rig.store.records[-1].seq == 0

    on_table(test)


def test_a_set_up_is_left_by_undo_and_by_itself() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("end plus5 ok ok!")
        await rig.press("undo")
        assert rig.view.ask is None
        await rig.press("ok!")
        rig.clock.ns += WAIT_MS * 1_000_000
        await rig.press("end")
        assert rig.view.ask is None
        assert rig.score() == "0-5 in 1/1 over"

    on_table(test)


def test_a_key_without_meaning_in_a_set_up_is_told() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("end plus5 ok ok! foul")
        assert rig.view.told is not None
        assert rig.view.told.code == "no_key"
        assert rig.view.ask is not None

    on_table(test)


def test_another_match_is_set_up_with_four_keys() -> None:
    """Knock-out to 51; less and more are the keys that say who begins."""

    async def test(rig: Rig) -> None:
        await rig.press("end plus5 ok ok!")
        await rig.press("plus5 ok plus5 ok")  # another, carom: not what was played here last
        assert isinstance(rig.view.ask, Question)
        await rig.press([*["plus5"] * 7, "ok", "ok"])  # the eighth rulebook, a race
        assert isinstance(rig.view.ask, Number)
        await rig.press("plus5 ok ok")
        assert isinstance(rig.view.ask, Question), "what a late stroke costs"
        await rig.press("ok")
        await rig.press("ok ok ok")
        line = rig.view.line
        assert line is not None
        assert (line.rulebook, line.phase, line.score) == ("uk", "playing", (0, 0))
        assert line.figures.targets == (51, 51)

    on_table(test)


def test_a_stuck_key_is_named() -> None:
    async def test(rig: Rig) -> None:
        rig.table.stuck("panel", "end", "GPIO22")
        assert list(rig.view.faults) == ["KEY end"]
        rig.table.freed("panel", "end")
        assert not rig.view.faults

    on_table(test)
