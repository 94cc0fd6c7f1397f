"""A whole table with parts that are missing, late or lost."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from drivers.errors import DeviceLost, DeviceMissing
from drivers.fakes import Finger, KeptDisplay
from firmware.app import Parts, TableApp
from firmware.clock import SystemClock
from firmware.config import BrokerSettings, Config, MatchConfig, panel_of
from firmware.errors import JournalError
from firmware.hardware import mqtt_broker
from firmware.journal import Journal, State
from firmware.keymap import Keymap
from firmware.snapshot import View
from rules.carom.words import NOTATION


class Room:
    """A table in a room: its devices, and what its board was told."""

    def __init__(self, folder: Path, **missing: int) -> None:
        self.config = Config(
            schema=1,
            journal=str(folder / "journal.db"),
            match=MatchConfig(rulebook="ug", format="target=3/3", first="A"),
        )
        self.display, self.pins = KeptDisplay(64, 16), MockFactory()
        self._missing = missing
        self.app = TableApp(
            self.config,
            Parts(
                clock=SystemClock(),
                display=lambda: self._opened("display", self.display),
                pins=lambda: self._opened("pins", self.pins),
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


def test_a_journal_that_cannot_be_opened_names_path_and_mend(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        with pytest.raises(JournalError, match=r"journal\.db"):
            await table

    in_room(lambda: Room(tmp_path), test)


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
        await room.until(lambda view: score(view) == (0, 0))

    in_room(lambda: Room(tmp_path), test)
    journal, _ = Journal.open(tmp_path / "journal.db")
    first, second = journal.matches()
    assert (first.state, second.state) == (State.FINISHED, State.IN_PLAY)
    summary = journal.summary(first.id)
    assert summary is not None
    assert summary.score == (0, 3)
    journal.close()


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
