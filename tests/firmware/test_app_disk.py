"""A whole table whose disk is late, fails or never comes."""

import asyncio
import gc
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from drivers.ports import Picture
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.clock import Clock
from firmware.config.config import BrokerSettings, MatchConfig
from firmware.i18n import load_language
from firmware.journal.journal import Journal
from firmware.journal.matches import MatchRow
from firmware.snapshot import View
from firmware.table import store
from rules.record import Record
from tests.firmware.hall import listening
from tests.firmware.room import Room, in_room, journal_words, score
from tests.mosquitto import Mosquitto


async def one_point(room: Room, table: "asyncio.Task[None]") -> None:
    await room.until(lambda view: view.line is not None)
    await room.finger.press("plus1")
    await room.until(lambda view: score(view) == (1, 0))


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

    async def late(room: Room, table: "asyncio.Task[None]") -> None:
        view = await room.until(lambda view: view.faults == ("DISK",) and view.line is not None)
        assert score(view) == (0, 0)
        away.rename(folder)
        await room.until(lambda view: score(view) == (1, 0) and not view.faults)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (2, 0))

    async def again(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: score(view) == (2, 0))

    in_room(lambda: Room(folder), one_point)
    folder.rename(away)
    with monkeypatch.context() as patch:
        patch.setattr("firmware.app.DISK_WAIT_S", 0.1)
        in_room(lambda: Room(folder), late)
    in_room(lambda: Room(folder), again)
    assert ["+1", "+1"] in journal_words(folder).values()


def test_a_cut_before_it_is_taken_up_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match that the start made up is on disk by then, and has not a single entry."""
    folder, away, after = tmp_path / "stick", tmp_path / "away", tmp_path / "after"
    folder.mkdir()
    begin = Journal.begin

    def cut(journal: Journal, match: MatchRow, setup: Record) -> None:
        begin(journal, match, setup)
        shutil.copytree(folder, after)

    async def late(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.faults == ("DISK",) and view.line is not None)
        away.rename(folder)
        await room.until(lambda view: score(view) == (1, 0) and not view.faults)

    async def again(room: Room, table: "asyncio.Task[None]") -> None:
        view = await room.until(lambda view: view.line is not None)
        assert score(view) == (1, 0)

    in_room(lambda: Room(folder), one_point)
    folder.rename(away)
    with monkeypatch.context() as patch:
        patch.setattr("firmware.app.DISK_WAIT_S", 0.1)
        patch.setattr(Journal, "begin", cut)
        in_room(lambda: Room(folder), late)
    in_room(lambda: Room(after), again)


def test_a_match_begun_before_an_empty_disk_came_is_in_play_without_an_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.app.DISK_WAIT_S", 0.1)
    folder = tmp_path / "stick"
    begun: list[str] = []

    async def late(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.faults == ("DISK",) and view.line is not None)
        folder.mkdir()
        view = await room.until(
            lambda view: view.line is not None and view.line.saved and not view.faults
        )
        assert view.line is not None
        begun.append(view.line.match)

    async def again(room: Room, table: "asyncio.Task[None]") -> None:
        view = await room.until(lambda view: view.line is not None)
        assert view.line is not None
        assert [view.line.match] == begun

    in_room(lambda: Room(folder), late)
    in_room(lambda: Room(folder), again)


def test_the_hall_hears_nothing_of_the_match_that_a_slow_disk_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mosquitto: Mosquitto
) -> None:
    """A start on a card that takes a second too long: no 0-0 before the score that stands there."""
    config = {
        "hall": "test",
        "broker": BrokerSettings(host="127.0.0.1", port=mosquitto.port),
        "match": MatchConfig("ug", format="target=3/3", first="A"),
    }

    async def again(room: Room, table: "asyncio.Task[None]") -> None:
        async with listening(mosquitto) as listener:
            listener.heard.clear()
            await room.until(lambda view: score(view) == (0, 0))
            await room.until(lambda view: score(view) == (1, 0))
            await listener.until(lambda heard: bool(heard.of("state")))
            assert {tuple(state["score"]) for state in listener.of("state")} == {(1, 0)}

    in_room(lambda: Room(tmp_path), one_point)
    opened = store.open_journal

    def slowly(path: str, clock: Clock) -> Journal:
        time.sleep(1.5)
        return opened(path, clock)

    monkeypatch.setattr("firmware.app.DISK_WAIT_S", 0.1)
    monkeypatch.setattr("firmware.app.open_journal", slowly)
    in_room(lambda: Room(tmp_path, more=config), again)


def test_what_was_played_on_without_a_disk_is_never_dropped_for_an_older_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder, away = tmp_path / "stick", tmp_path / "away"
    folder.mkdir()

    async def late(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.faults == ("DISK",) and view.line is not None)
        await room.finger.press("end")
        await room.until(lambda view: view.line is not None and view.line.seq == 1)
        away.rename(folder)
        await room.until(lambda view: view.line is not None and view.line.saved and not view.faults)
        async with asyncio.timeout(10):
            while "still in play" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.005)

    in_room(lambda: Room(folder), one_point)
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
    monkeypatch.setattr("firmware.journal.schema.BUSY_S", 0.05)

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


def test_a_second_table_on_one_journal_plays_unsaved_until_the_first_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firmware.journal.worker.LAST_RETRY_S", 0.1)

    async def second(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None and view.faults == ("DISK",))

    async def first(room: Room, table: "asyncio.Task[None]") -> None:
        await one_point(room, table)
        monkeypatch.setattr("firmware.app.DISK_WAIT_S", 0.1)
        other = Room(tmp_path)
        async with asyncio.TaskGroup() as group:
            beside = group.create_task(other.app.run())
            await second(other, beside)
            await room.finger.press("plus1")
            await room.until(lambda view: score(view) == (2, 0))
            room.app.stop()
            await table
            # Nobody has played there: what is in play comes to it.
            await other.until(lambda view: score(view) == (2, 0) and not view.faults)
            await other.finger.press("plus1")
            await other.until(lambda view: view.line is not None and view.line.seq == 3)
            other.app.stop()

    in_room(lambda: Room(tmp_path), first)
    assert ["+1", "+1", "+1"] in journal_words(tmp_path).values()
    assert f"{tmp_path / 'journal.db'}: another table has it" in caplog.text
