"""Half typed acts on a table: what the board shows, and what becomes of them."""

import asyncio
from pathlib import Path

import pytest

from firmware.keys.keymap import load_panel
from firmware.snapshot import Tell
from tests.firmware.rig import Rig, on_table, settle
from tests.firmware.typist import PANEL


def typing(rig: Rig) -> str:
    """What is being typed, as the board names it."""
    return rig.view.typed.label if rig.view.typed is not None else ""


def said(rig: Rig) -> str:
    """What the board has to say about the last press."""
    return rig.view.told.code if rig.view.told is not None else ""


def test_the_board_shows_what_is_typed_and_what_was_cleared() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 ok! plus5 plus5")
        assert rig.view.typed is not None
        assert (rig.view.typed.label, rig.view.typed.entry) == ("typed.concede", "CONCEDE(B,match)")
        assert ("OK", "ENTER") in rig.view.keys
        await rig.press("undo")
        assert typing(rig) == ""
        assert not rig.view.keys
        assert rig.view.told is not None
        assert (rig.view.told.tell, rig.view.told.code) == (Tell.UNDONE, "cleared")
        assert rig.score() == "1-0 in 0/0 playing"
        await rig.press("ok! plus5 plus1 ok")
        assert typing(rig) == ""
        assert rig.score_phase() == "held"
        assert rig.store.records[-1].seq == 2

    on_table(test)


def test_the_board_says_that_typing_timed_out() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok!")
        rig.clock.ns += 10_000_000_000
        rig.tap("end", after_ms=300)
        await settle()
        assert typing(rig) == ""
        assert said(rig) == "timed_out"
        assert rig.table.refused == 2, "the time-out and the key that came too late"
        assert rig.score() == "0-0 in 0/0 playing"

    on_table(test)


def test_typing_times_out_without_another_press() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok!")
        rig.clock.ns += 9_999_000_000
        rig.tap("plus5")
        await settle()
        assert typing(rig) == "typed.concede", "it leads on, and has its own time"
        rig.clock.ns += 10_000_000_000
        rig.table.stuck("panel", "end", "GPIO22")
        rig.tap("ok", device="pad1")
        await settle()
        assert typing(rig) == ""

    on_table(test)


def test_the_owner_wakes_when_typing_is_due() -> None:
    async def test(rig: Rig) -> None:
        rig.clock.ns += 1_000_000_000
        rig.tap("ok!")
        await settle()
        rig.clock.ns += 9_990_000_000
        rig.tap("undo", device="pad1")
        await settle()
        rig.clock.ns += 10_000_000
        await asyncio.sleep(0.05)
        assert typing(rig) == ""
        assert said(rig) == "timed_out"

    on_table(test)


def test_no_dialog_opens_in_a_burst_after_an_end() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus5")
        rig.tap("ok", after_ms=100)
        rig.tap("foul!", after_ms=100)
        await settle()
        assert typing(rig) == ""
        assert rig.score_phase() == "held"

    on_table(test)


def test_two_devices_type_each_for_itself() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok! plus5")
        await rig.press("plus1", device="pad1")
        assert rig.score() == "1-0 in 0/0 playing"
        assert typing(rig) == "typed.concede"
        await rig.press("ok!", device="pad1")
        assert typing(rig) == "typed.menu"
        await rig.press("undo", device="pad1")
        assert typing(rig) == "typed.concede"

    on_table(test)


def test_a_dialog_ended_with_ok_does_not_confirm_what_it_ended() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok! plus5 plus1")
        for after_ms in (1000, 150, 150):
            rig.tap("ok", after_ms=after_ms)
            await settle()
        assert rig.score_phase() == "held"
        rig.tap("ok", after_ms=1100)
        await settle()
        assert rig.score_phase() == "over"

    on_table(test)


def test_a_foul_that_lingers_is_one_record_of_its_own_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FOUL counts with the next key, at the time of its own edge."""
    text = PANEL.replace('two = "FOUL"', 'two = "ask foul"')
    text += '[dialogs.foul]\nentry = "FOUL({off})"\nother = "enter"\ntimeout_s = 2\n'
    text += 'keys = { one = "off: off; done", ok = "done" }\n'

    async def test(rig: Rig) -> None:
        await rig.press("two")
        assert rig.view.typed is not None
        assert rig.view.typed.enters
        await rig.press("end", every_ms=700)
        assert rig.score() == "0-0 in 1/1 playing"
        foul, end = rig.store.records[1:]
        assert (str(foul.by), str(end.by)) == ("panel#1.1", "panel#1.2")
        assert (foul.t_ms, end.t_ms) == (2100, 2800)
        await rig.press("two one")
        assert rig.score() == "0-0 in 2/1 playing"

    file = tmp_path / "panel.toml"
    file.write_text(text, "utf-8")
    layout = load_panel(file)
    monkeypatch.setattr("tests.firmware.rig.shipped_or_own", lambda _: layout)
    on_table(test)
