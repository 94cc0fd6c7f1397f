"""A table at play, and somebody who works on the club list beside it."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from firmware.config.config import MatchConfig
from firmware.journal.journal import Journal
from firmware.snapshot import View
from tests.firmware.journal_rig import raw
from tests.firmware.room import Room, in_room, score

MATCH = MatchConfig(
    rulebook="ug", format="target=3/3", first="A", a=("Ana Prado",), b=("Bia Reis",)
)


def named(view: View, a: str, b: str) -> bool:
    return view.line is not None and view.line.names == ((a,), (b,))


def test_a_new_name_comes_to_the_board_and_no_record_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.club_list.EVERY_S", 0.05)
    path = tmp_path / "journal.db"

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: named(view, "Ana Prado", "Bia Reis"))
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        before = raw(path, "SELECT * FROM records")
        with closing(Journal.open(path)[0]) as beside:
            beside.club.rename("Ana Prado", "Ana Lima")
            number = beside.club.remove("Bia Reis")
        await room.until(lambda view: named(view, "Ana Lima", f"#{number}"))
        assert raw(path, "SELECT * FROM records") == before
        await room.finger.press("plus1")
        view = await room.until(lambda view: score(view) == (2, 0))
        assert named(view, "Ana Lima", f"#{number}")

    in_room(lambda: Room(tmp_path, more={"match": MATCH}), test)
    for file in tmp_path.glob("journal.db*"):
        assert b"Prado" not in file.read_bytes()
