"""A whole table under load while a part of it is killed, hangs or is away: what the board shows."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.errors import DeviceLost
from drivers.fakes import KeptDisplay
from drivers.ports import Picture
from firmware.config.config import BrokerSettings, MatchConfig
from firmware.journal.journal import Journal
from firmware.journal.schema import Row
from firmware.snapshot import View
from tests.firmware.room import Room, in_room, journal_words, score


class Hanging(KeptDisplay):
    """A display that takes some pictures and then hangs in the middle of one."""

    def __init__(self, takes: int) -> None:
        super().__init__(64, 16)
        self._takes = takes

    async def show(self, picture: Picture) -> None:
        self._takes -= 1
        if self._takes < 0:
            await asyncio.sleep(3600)
        await super().show(picture)


_LONG: dict[str, Any] = {"match": MatchConfig("ug", first="A")}
"""A match that is not over soon."""


async def press_on(room: Room) -> None:
    """A referee who does not look at the board."""
    while True:
        for key in ("plus1", "end"):
            await room.finger.press(key)
            await asyncio.sleep(0.15)


def saved_seq(view: View) -> int:
    return view.line.seq if view.line is not None and view.line.saved else -1


def test_a_display_that_hangs_ends_the_table_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.board.board.HUNG_S", 0.5)
    shown: list[int] = []

    async def hung(room: Room, table: "asyncio.Task[None]") -> None:
        room.display = Hanging(4)
        pressing = asyncio.create_task(press_on(room))
        with pytest.raises(DeviceLost, match="has taken nothing"):
            async with asyncio.timeout(10):
                await table
        pressing.cancel()
        await asyncio.gather(pressing, return_exceptions=True)
        shown.append(max(map(saved_seq, room.views)))

    async def again(room: Room, table: "asyncio.Task[None]") -> None:
        view = await room.until(lambda view: view.line is not None)
        assert saved_seq(view) >= shown[0] > 0
        while len(room.display.pictures) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    in_room(lambda: Room(tmp_path, more=_LONG), hung)
    in_room(lambda: Room(tmp_path, more=_LONG), again)


@contextlib.contextmanager
def hanging_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A disk that hangs in the middle of each commit while the event is not set."""
    works, append = threading.Event(), Journal._append
    works.set()

    def slow(journal: Journal, row: Row) -> int:
        works.wait()
        return append(journal, row)

    monkeypatch.setattr(Journal, "_append", slow)
    try:
        yield works
    finally:
        works.set()


def test_a_disk_that_hangs_stops_nobody_and_the_board_says_that_it_does_not_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        works.clear()
        await room.finger.press("plus1")
        await asyncio.sleep(0.2)
        await room.finger.press("plus1")
        view = await room.until(lambda view: score(view) == (2, 0))
        assert view.line is not None
        assert not view.line.saved
        assert not table.done()
        works.set()
        await room.until(lambda view: score(view) == (2, 0) and saved_seq(view) == 2)

    with hanging_disk(monkeypatch) as works:
        in_room(lambda: Room(tmp_path), test)
    assert journal_words(tmp_path) == {"1-1": ["+1", "+1"]}


@pytest.mark.parametrize(
    ("missing", "more"),
    [
        (10**6, {}),
        (0, {"broker": BrokerSettings(host="no.such.name.invalid")}),
        (0, {"broker": BrokerSettings(host="192.0.2.1")}),
        (10**6, {"broker": BrokerSettings(host="127.0.0.1", port=9)}),
    ],
    ids=["no display", "no DNS", "no network", "neither display nor broker"],
)
def test_a_start_without_this_or_that_is_a_table_all_the_same(
    tmp_path: Path, missing: int, more: dict[str, Any]
) -> None:
    """Nothing of it is waited for: a press counts and is saved."""

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        view = await room.until(lambda view: score(view) == (1, 0) and saved_seq(view) == 1)
        assert ("BOARD" in view.faults) is bool(missing)
        assert not table.done()

    in_room(lambda: Room(tmp_path, more=more, display=missing), test)


def test_a_start_without_a_panel_is_played_by_command(tmp_path: Path) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None and "PANEL" in view.faults)
        command = b'{"id": "c1", "expect_seq": 0, "act": "+2"}'
        reply = await room.app._ask("enter", command)
        assert getattr(reply, "score", None) == (2, 0)
        await room.until(lambda view: score(view) == (2, 0))

    in_room(lambda: Room(tmp_path, pins=10**6), test)


def test_a_start_without_the_hour_is_a_table_whose_records_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.clock.SystemClock.synced", lambda _: False)
    monkeypatch.setattr("firmware.clock.SystemClock.wall_ms", lambda _: 0)

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await room.finger.press("plus1")
        await room.until(lambda view: saved_seq(view) == 1)

    in_room(lambda: Room(tmp_path), test)
    journal, damage = Journal.open(tmp_path / "journal.db")
    with contextlib.closing(journal):
        assert damage is None
        row = journal.unfinished()
        assert row is not None
        assert not any(record.synced for record in journal.records(row.id))
