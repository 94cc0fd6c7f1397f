"""A whole table with parts that are missing, late or lost."""

import asyncio
import dataclasses
import gc
import logging
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from drivers.errors import DeviceLost, DeviceMissing
from drivers.fakes import Finger, KeptDisplay
from drivers.gestures import Timing
from drivers.keycodes import NUMBER_PAD
from drivers.ports import Picture
from firmware.app import Parts, TableApp
from firmware.clock import SystemClock
from firmware.config import (
    BrokerSettings,
    Config,
    KeypadConfig,
    LampConfig,
    MatchConfig,
    PanelConfig,
    SignalsConfig,
    panel_of,
)
from firmware.hardware import mqtt_broker
from firmware.i18n import load_language
from firmware.journal import Journal, State
from firmware.keymap import Keymap
from firmware.layout import load_layout
from firmware.render import render
from firmware.setup.dialog import Preset
from firmware.snapshot import View
from firmware.systemd import Systemd
from firmware.table import Ready
from rules.carom.words import NOTATION
from rules.record import Source, record_text
from rules.sides import Side
from tests.drivers.fake_evdev import Bus, Plugged


class Room:
    """A table in a room: its devices, and what its board was told."""

    def __init__(
        self,
        folder: Path,
        panel: PanelConfig = PanelConfig(),  # noqa: B008 # never changes
        timing: Timing | None = None,
        more: dict[str, Any] | None = None,
        **missing: int,
    ) -> None:
        self.config = Config(
            schema=1,
            journal=str(folder / "journal.db"),
            panel=panel,
            **{
                "match": MatchConfig(rulebook="ug", format="target=3/3", first="A"),
                **(more or {}),
            },
        )
        self.display, self.pins = KeptDisplay(64, 16), MockFactory()
        self._missing = missing
        self.app = TableApp(
            self.config,
            Parts(
                clock=SystemClock(),
                display=lambda: self._opened("display", self.display),
                pins=lambda: self._opened("pins", self.pins),
                timing=timing,
                systemd=Systemd({"RUNTIME_DIRECTORY": str(folder)}),
            ),
        )
        self.views: list[View] = []
        self._news = asyncio.Event()
        self.app.watch(self._viewed)
        self.finger = Finger(self.pins, Keymap(panel_of(self.config.panel), NOTATION).wiring())

    def _opened(self, what: str, device: Any) -> Any:
        if self._missing.get(what, 0):
            self._missing[what] -= 1
            raise DeviceMissing(f"no {what}")
        return device

    def _viewed(self, view: View) -> None:
        self.views.append(view)
        self._news.set()

    async def until(self, met: Callable[[View], bool]) -> View:
        """Wait for a view that meets a condition."""
        async with asyncio.timeout(10):
            while not (self.views and met(self.views[-1])):
                self._news.clear()
                await self._news.wait()
        return self.views[-1]


def in_room(
    room: Callable[[], Room], test: Callable[[Room, "asyncio.Task[None]"], Awaitable[None]]
) -> None:
    async def run() -> None:
        built = room()
        table = asyncio.create_task(built.app.run())
        try:
            await test(built, table)
        finally:
            built.app.stop()
            await asyncio.gather(table, return_exceptions=True)

    asyncio.run(run())


def score(view: View) -> tuple[int, int]:
    return (view.line.score or (0, 0)) if view.line is not None else (-1, -1)


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


def test_the_log_tells_what_the_event_has_not_set(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)

    in_room(lambda: Room(tmp_path), test)
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


def journal_words(folder: Path) -> dict[str, list[str]]:
    """What the journal holds: each match's acts."""
    journal, damage = Journal.open(folder / "journal.db")
    assert damage is None
    acts = {
        match.id: [record_text(record, NOTATION) for record in journal.records(match.id)[1:]]
        for match in journal.matches()
    }
    journal.close()
    return acts


def test_without_a_disk_the_match_is_played_and_marked_until_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firmware.app.DISK_WAIT_S", 0.1)
    folder = tmp_path / "stick"

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None and view.faults == ("DISK",))
        await room.finger.press("plus1")
        await room.finger.press("plus1")
        view = await room.until(lambda view: score(view) == (2, 0))
        assert view.line is not None
        assert not view.line.saved
        await until_marked(room, marked=True)
        folder.mkdir()
        await room.until(lambda view: view.line is not None and view.line.saved)
        await room.until(lambda view: not view.faults)
        await until_marked(room, marked=False)
        await room.finger.press("end")
        await room.until(lambda view: view.line is not None and view.line.seq == 3)

    in_room(lambda: Room(folder), test)
    assert list(journal_words(folder).values()) == [["+1", "+1", "/"]]
    assert "there is no folder" in caplog.text
    assert "make it" in caplog.text


def test_a_table_that_never_had_a_disk_ends_in_good_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firmware.app.DISK_WAIT_S", 0.1)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        room.app.stop()
        async with asyncio.timeout(5):
            await table
        gc.collect()

    in_room(lambda: Room(tmp_path / "nowhere"), test)
    assert "could not be saved" in caplog.text
    assert "never retrieved" not in caplog.text


def test_what_is_still_in_play_on_a_late_disk_is_taken_up_if_nobody_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, away = tmp_path / "stick", tmp_path / "away"
    folder.mkdir()

    async def before(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))

    async def late(room: Room, table: "asyncio.Task[None]") -> None:
        view = await room.until(lambda view: view.faults == ("DISK",) and view.line is not None)
        assert score(view) == (0, 0)
        away.rename(folder)
        await room.until(lambda view: score(view) == (1, 0) and not view.faults)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (2, 0))

    async def again(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: score(view) == (2, 0))

    in_room(lambda: Room(folder), before)
    folder.rename(away)
    with monkeypatch.context() as patch:
        patch.setattr("firmware.app.DISK_WAIT_S", 0.1)
        in_room(lambda: Room(folder), late)
    in_room(lambda: Room(folder), again)
    assert ["+1", "+1"] in journal_words(folder).values()


def test_what_was_played_on_without_a_disk_is_never_dropped_for_an_older_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder, away = tmp_path / "stick", tmp_path / "away"
    folder.mkdir()

    async def before(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))

    async def late(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.faults == ("DISK",) and view.line is not None)
        await room.finger.press("end")
        await room.until(lambda view: view.line is not None and view.line.seq == 1)
        away.rename(folder)
        await room.until(lambda view: view.line is not None and view.line.saved and not view.faults)
        async with asyncio.timeout(10):
            while "still in play" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.005)

    in_room(lambda: Room(folder), before)
    folder.rename(away)
    with monkeypatch.context() as patch:
        patch.setattr("firmware.app.DISK_WAIT_S", 0.1)
        in_room(lambda: Room(folder), late)
    assert list(journal_words(folder).values()) == [["+1"], ["/"]]
    assert "still in play" in caplog.text


def test_a_disk_that_fails_in_play_is_seen_on_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else holds the file for writing: SQLite can do as little as on a dead card."""
    monkeypatch.setattr("firmware.journal_schema.BUSY_S", 0.05)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        thief = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
        thief.execute("BEGIN IMMEDIATE")
        await room.finger.press("plus1")
        view = await room.until(lambda view: score(view) == (2, 0))
        assert view.line is not None
        assert not view.line.saved
        await room.until(lambda view: view.faults == ("DISK",))
        await until_marked(room, marked=True)
        thief.execute("ROLLBACK")
        thief.close()
        await room.until(lambda view: not view.faults and view.line is not None and view.line.saved)
        await until_marked(room, marked=False)

    in_room(lambda: Room(tmp_path), test)
    assert list(journal_words(tmp_path).values()) == [["+1", "+1"]]


async def until_marked(room: Room, *, marked: bool) -> None:
    """Wait for the board to show the mark of what is not saved, or to show it no more."""
    line = room.views[-1].line
    assert line is not None
    plain = View(line=replace(line, saved=True))
    unsaved = replace(plain, line=replace(line, saved=False))
    layout, language = load_layout("64x16"), load_language("pt")
    mark = lit(render(unsaved, layout, language, 0)) - lit(render(plain, layout, language, 0))
    assert mark
    async with asyncio.timeout(5):
        while (mark <= lit(room.display.pictures[-1])) != marked:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def lit(picture: Picture) -> set[tuple[int, int]]:
    return {
        (x, y) for x in range(picture.width) for y in range(picture.height) if picture.lit(x, y)
    }


def test_a_foreign_journal_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("the club's shopping list", "utf-8")

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)

    in_room(lambda: Room(tmp_path), test)
    (kept,) = [path for path in tmp_path.iterdir() if path.name != "journal.db"]
    assert kept.read_text("utf-8") == "the club's shopping list"


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
        parts = dataclasses.replace(built.app._parts, broker=mqtt_broker(config))
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
    monkeypatch.setattr("firmware.app.OFF_S", 0.2)

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
