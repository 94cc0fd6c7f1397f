"""A whole table with parts that are missing, late or lost."""

import asyncio
import logging
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from drivers.errors import DeviceLost, WiringError
from drivers.fakes import Finger
from drivers.gestures import Timing
from drivers.keycodes import NUMBER_PAD
from drivers.panel import Panel
from firmware.app import TableApp
from firmware.clock import SystemClock
from firmware.config.config import (
    BrokerSettings,
    KeypadConfig,
    LampConfig,
    PanelConfig,
    SignalsConfig,
    panel_of,
)
from firmware.hardware import mqtt_broker
from firmware.i18n import load_language
from firmware.journal.journal import Journal
from firmware.journal.matches import State
from firmware.keys.keybook import shipped_or_own
from firmware.keys.keymap import Keymap
from firmware.setup.preset import Preset
from firmware.table.matches import MatchMaker
from firmware.table.setting_up import Ready
from rules.carom.words import NOTATION
from rules.record import Setup, Source
from rules.sides import Side
from tests.drivers.fake_evdev import Bus, Plugged
from tests.firmware.room import Room, in_room, journal_words, score


def test_the_log_has_a_line_for_each_entry(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.finger.press("end")
        await room.until(lambda view: view.line is not None and view.line.seq == 2)

    in_room(lambda: Room(tmp_path), test)
    told = [record.getMessage() for record in caplog.records if record.name == "firmware.app"]
    assert told[-2:] == [
        "1-1 1: +1 by panel#1.1: 1-0, A at the table",
        "1-1 2: / by panel#1.2: 1-0, B at the table",
    ]


def test_what_a_configuration_leaves_open_is_told_where_it_is_made_and_not_at_every_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The log tells it of matches that somebody asks for with a command."""

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)

    in_room(lambda: Room(tmp_path), test)
    assert "has not set" not in caplog.text
    maker = MatchMaker(1, SystemClock())
    maker.made(Setup("ug", ((1,), (2,))), (("Ana",), ("Bia",)), Source("mqtt", "c1"))
    assert "match 1-1: the event has not set clock_opts; unverified: of the penalty" in caplog.text


def test_press_to_picture_to_disk(tmp_path: Path) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        room.app.stop()
        await table
        assert room.display.closed == "blank"

    in_room(lambda: Room(tmp_path), test)
    journal, damage = Journal.open(tmp_path / "journal.db")
    assert damage is None
    match = journal.unfinished()
    assert match is not None
    assert [record.seq for record in journal.records(match.id)] == [0, 1]
    journal.close()


def test_boot_picture_before_anything_else(tmp_path: Path) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        while len(room.display.pictures) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        boot, score_ = room.display.pictures[:2]
        assert any(boot.rows)
        assert boot != score_

    in_room(lambda: Room(tmp_path), test)


def test_a_missing_display_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.supervise.RETRIES_S", (0.01,))

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None and not view.faults)
        async with asyncio.timeout(5):
            while not room.display.pictures:  # noqa: ASYNC110
                await asyncio.sleep(0.005)

    in_room(lambda: Room(tmp_path, display=3), test)


def test_without_a_panel_the_board_says_so_until_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.supervise.RETRIES_S", (0.05,))

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.faults == ("PANEL",))
        await room.until(lambda view: not view.faults)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))

    in_room(lambda: Room(tmp_path, pins=2), test)


def test_a_display_that_dies_in_play_ends_the_table(tmp_path: Path) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        room.display.lost = True
        await room.finger.press("plus1")
        with pytest.raises(DeviceLost):
            await table

    in_room(lambda: Room(tmp_path), test)


def test_what_ends_a_table_is_one_error_however_deep_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell shows it as one line that names the setting."""

    def refused(*_: Any, **__: Any) -> Panel:
        raise WiringError("key ok: GPIO16 is the key end too")

    monkeypatch.setattr("firmware.devices.devices.Panel", refused)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        with pytest.raises(WiringError, match="key ok"):
            await table

    in_room(lambda: Room(tmp_path), test)


def test_the_next_match_closes_the_one_before(tmp_path: Path) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        for key in ("end", "plus1", "plus1", "plus1"):
            await room.finger.press(key)
        await room.until(lambda view: view.line is not None and view.line.phase == "held")
        await asyncio.sleep(0.7)
        await room.finger.press("ok")
        await room.until(lambda view: view.line is not None and view.line.phase == "over")
        await asyncio.sleep(0.7)
        await room.finger.press("ok", ms=Finger.HOLD_MS)
        await room.until(lambda view: view.ask is not None)
        await room.finger.press("ok")
        await room.until(lambda view: score(view) == (0, 0))

    in_room(lambda: Room(tmp_path), test)
    journal, _ = Journal.open(tmp_path / "journal.db")
    first, second = journal.matches()
    assert (first.state, second.state) == (State.FINISHED, State.IN_PLAY)
    summary = journal.summary(first.id)
    assert summary is not None
    assert summary.score == (0, 3)
    journal.close()


def test_the_same_box_plays_another_game(tmp_path: Path) -> None:
    """Twelve keys: three cushions, then nine-ball, where the second key is END."""

    def room() -> Room:
        built = Room(tmp_path)
        config = replace(built.config, panel=PanelConfig(layout="carom-12"))
        built.config, built.app = config, TableApp(config, built.app._parts)
        built.app.watch(built._viewed)
        wiring = Keymap(panel_of(config.panel), NOTATION).wiring()
        built.finger = Finger(built.pins, wiring)
        return built

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        for key in ("end", "plus1", "plus1", "plus1"):
            await room.finger.press(key)
        await asyncio.sleep(0.7)
        await room.finger.press("ok")
        await room.until(lambda view: view.line is not None and view.line.phase == "over")
        await asyncio.sleep(0.7)
        assert room.app.table is not None
        by = Source("test", "1")
        room.app.table._presses.put_nowait(
            Ready(await room.app.table._begin(Preset("wpa9", ("Ana",), ("Bia",), (), Side.A), by))
        )
        view = await room.until(lambda view: view.line is not None and view.line.rulebook == "wpa9")
        await asyncio.sleep(0.2)
        await room.finger.press("plus5")
        view = await room.until(lambda view: view.line is not None and view.line.seq == 1)
        assert view.line is not None
        assert view.line.turn is Side.B
        assert [said.entry for said in view.line.last] == ["/"]

    in_room(room, test)


def test_a_broker_that_is_not_there_changes_nothing_for_the_referee(tmp_path: Path) -> None:
    def room() -> Room:
        built = Room(tmp_path)
        config = replace(built.config, broker=BrokerSettings(host="127.0.0.1", port=9))
        parts = msgspec.structs.replace(built.app._parts, broker=mqtt_broker(config))
        built.app = TableApp(config, parts)
        built.app.watch(built._viewed)
        return built

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (2, 0))
        room.app.stop()
        async with asyncio.timeout(5):
            await table

    in_room(room, test)


def test_a_held_key_turns_the_table_off_and_the_board_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ask 20, by the key's own wire; nothing that was played is lost."""
    monkeypatch.setattr("firmware.machine.OFF_S", 0.2)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        await room.finger.press("end", 700)
        await room.until(lambda view: view.message is not None)
        said = room.views[-1].message
        assert said is not None
        assert said.text == load_language("pt").say("board.off")
        await asyncio.wait_for(table, 10)
        assert (tmp_path / "off").exists()

    timing = Timing(hold_ms=300, long_ms=500)
    in_room(lambda: Room(tmp_path, PanelConfig(off="end"), timing), test)
    assert list(journal_words(tmp_path).values()) == [["+1", "/"]]


def test_a_keypad_s_ok_held_for_long_asks_about_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = Bus()
    monkeypatch.setitem(sys.modules, "evdev", bus)
    monkeypatch.setattr("drivers.plugged.LOOK_EVERY_S", 0.01)
    more = {"keypads": (KeypadConfig("numpad", "usb:04d9:1203", "carom-6"),)}
    ok = shipped_or_own("carom-6").keys["ok"].code
    assert isinstance(ok, str)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        keypad = bus.plug()
        await room.until(lambda view: view.line is not None and not view.faults)
        keypad.key(NUMBER_PAD[ok], 1)
        await room.until(lambda view: view.ask is not None)
        keypad.key(NUMBER_PAD[ok], 0)

    timing = Timing(hold_ms=300, long_ms=500)
    in_room(lambda: Room(tmp_path, timing=timing, more=more), test)


def test_a_keypad_plays_and_lamps_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = Bus()
    monkeypatch.setitem(sys.modules, "evdev", bus)
    monkeypatch.setattr("drivers.plugged.LOOK_EVERY_S", 0.01)
    keypads = (KeypadConfig("numpad", "usb:04d9:1203", "carom-6"),)
    lamps = SignalsConfig(confirm=LampConfig(20), refused=LampConfig(21))
    more = {"keypads": keypads, "signals": lamps}

    async def tap(keypad: Plugged, code: int) -> None:
        keypad.key(code, 1)
        await asyncio.sleep(0.03)
        keypad.key(code, 0)
        await asyncio.sleep(0.1)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.faults == ("KEYPAD",))
        keypad = bus.plug()
        await room.until(lambda view: not view.faults)
        confirm, refused = room.pins.pin(20), room.pins.pin(21)
        await tap(keypad, NUMBER_PAD["minus"])
        await room.until(lambda view: view.told is not None)
        assert refused.state, "nothing to undo"
        for _ in range(3):
            await tap(keypad, NUMBER_PAD["plus"])
        await room.until(lambda view: view.line is not None and view.line.phase == "held")
        assert confirm.state, "the end waits for OK"
        bus.unplug(keypad)
        await room.until(lambda view: view.faults == ("KEYPAD",))
        await asyncio.sleep(1)
        await room.finger.press("ok")
        await room.until(lambda view: view.line is not None and view.line.phase != "held")
        assert not confirm.state

    in_room(lambda: Room(tmp_path, more=more), test)
    assert list(journal_words(tmp_path).values()) == [["+1", "+1", "+1", "OK"]]
