"""Each part of a table fails or hangs while somebody presses on: what the board shows, and that the
match goes on. (What ends the table is in `test_faults.py`.)
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from drivers.errors import DeviceLost
from drivers.fakes import KeptDisplay
from drivers.ports import Picture
from firmware.board.config import BoardConfig
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.config.config import (
    BackupConfig,
    BrokerSettings,
    KeypadConfig,
    LampConfig,
    PadConfig,
    SignalsConfig,
)
from firmware.i18n import load_language
from firmware.snapshot import View
from tests.drivers.cable import Cable
from tests.drivers.fake_evdev import Bus
from tests.firmware.room import Room, in_room, journal_words
from tests.firmware.test_faults import _LONG, press_on, saved_seq
from tests.mosquitto import Mosquitto

STEP_MS, WHOLE_MS = 100, 30_000


def pages(view: View) -> set[Picture]:
    """All that a board shows of a view, page by page, text by text."""
    layout, language = load_layout("64x16"), load_language("pt")
    return {render(view, layout, language, now) for now in range(0, WHOLE_MS, STEP_MS)}


async def told(room: Room, fault: str) -> None:
    """Wait for the board to show what it would not if that worked."""
    async with asyncio.timeout(20):
        while True:
            view = replace(room.views[-1], heard_ms=None, told=None)
            if fault not in view.faults:
                await asyncio.sleep(0.01)
                continue
            without = replace(view, faults=tuple(one for one in view.faults if one != fault))
            marks = lit_always(pages(view)) - lit_always(pages(without))
            assert marks or pages(view) != pages(without), f"nothing says {fault}"
            if room.display.pictures[-1] in pages(view) - pages(without):
                return
            await asyncio.sleep(0.02)


def lit_always(pictures: set[Picture]) -> set[tuple[int, int]]:
    one = next(iter(pictures))
    dots = ((x, y) for x in range(one.width) for y in range(one.height))
    return {dot for dot in dots if all(picture.lit(*dot) for picture in pictures)}


Break = Callable[[], Awaitable[None]]


async def failed(room: Room, fault: str, breaks: Break, mends: Break) -> None:
    """Break a part under load and mend it; the match goes on all the while."""
    await room.until(lambda view: view.line is not None and fault not in view.faults)
    pressing = asyncio.create_task(press_on(room))
    try:
        await went_on(room)
        await breaks()
        await room.until(lambda view: fault in view.faults)
        await went_on(room)
        pressing.cancel()
        await told(room, fault)
        pressing = asyncio.create_task(press_on(room))
        await mends()
        await room.until(lambda view: fault not in view.faults)
        await went_on(room)
    finally:
        pressing.cancel()
        await asyncio.gather(pressing, return_exceptions=True)


async def went_on(room: Room) -> None:
    """Three more records on disk, as the board shows."""
    so_far = saved_seq(room.views[-1])
    await room.until(lambda view: saved_seq(view) >= so_far + 3)


def played(
    folder: Path,
    fault: str,
    part: Callable[[Room], tuple[Break, Break]],
    second: Any = None,
    **more: Any,
) -> None:
    """A whole table, one part of which fails and comes back."""

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        breaks, mends = part(room)
        await failed(room, fault, breaks, mends)
        assert not table.done()

    in_room(lambda: Room(folder, more={**_LONG, **more}, second=second), test)
    assert max(map(len, journal_words(folder).values())) >= 9


def soon(do: Callable[[], object]) -> Break:
    async def done() -> None:
        do()

    return done


def test_a_keypad_is_pulled_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = Bus()
    monkeypatch.setitem(sys.modules, "evdev", bus)
    monkeypatch.setattr("drivers.plugged.LOOK_EVERY_S", 0.01)
    keypad = bus.plug()
    part = (soon(lambda: bus.unplug(keypad)), soon(bus.plug))
    keypads = (KeypadConfig("numpad", "usb:04d9:1203", "carom-6"),)
    played(tmp_path, "KEYPAD", lambda _: part, keypads=keypads)


def test_the_receiver_of_the_pads_is_pulled_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.plugged.LOOK_EVERY_S", 0.01)
    cable = Cable(tmp_path / "port").plug()
    part = (soon(cable.unplug), soon(cable.plug))
    played(tmp_path, "PADS", lambda _: part, pads=(PadConfig("pad1", str(cable.path)),))
    cable.unplug()


def test_a_lamp_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pin libraries raise errors of their own: the owner, who lights it, must not fall with it."""
    monkeypatch.setattr("firmware.devices.devices.RETRIES_S", (0.05,))
    monkeypatch.setattr("firmware.supervise.RETRIES_S", (0.05,))

    class Broken(Exception):
        pass

    def part(room: Room) -> tuple[Break, Break]:
        pin = room.pins.pin(20)
        works = type(pin)._set_state

        def fails(*_: object) -> None:
            raise Broken("the chip is gone")

        def broken() -> None:
            monkeypatch.setattr(type(pin), "_set_state", picky(pin, works, fails))

        def mended() -> None:
            monkeypatch.setattr(type(pin), "_set_state", works)

        return soon(broken), soon(mended)

    played(tmp_path, "LAMPS", part, signals=SignalsConfig(heard=LampConfig(20)))


def picky(failing: object, works: Any, fails: Any) -> Any:
    """A method that fails for one pin."""

    def either(pin: object, *args: Any) -> Any:
        return fails() if pin is failing else works(pin, *args)

    return either


class Second(KeptDisplay):
    """A board that hangs elsewhere, and hangs when it is told to."""

    hangs = False

    async def show(self, picture: Picture) -> None:
        while self.hangs:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await super().show(picture)


@pytest.mark.parametrize("how", ["lost", "hangs"])
def test_a_second_board_fails(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.board.board.HUNG_S", 0.5)
    monkeypatch.setattr("firmware.board.boards.RETRIES_S", (0.05,))
    board = Second(64, 16)

    def opened() -> Second:
        if board.lost or board.hangs:
            raise DeviceLost("the wire is cut")
        return board

    part = (soon(lambda: setattr(board, how, True)), soon(lambda: setattr(board, how, False)))
    played(tmp_path, "BOARD 2", lambda _: part, second=opened, boards=(BoardConfig(),))
    assert len(board.pictures) > 2


@pytest.fixture
def stick() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    (folder / "in").mkdir()
    yield folder / "in"
    shutil.rmtree(folder)


def test_the_stick_of_the_backups_is_pulled_out(
    stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.records.backup.LOOK_S", 0.05)
    away = stick.with_name("away")
    part = (soon(lambda: stick.rename(away)), soon(lambda: away.rename(stick)))
    # Nothing is due for hours: what is told here is that the copy has gone, and what is due.
    monkeypatch.setattr("firmware.records.backup.Backups._due", lambda _: True)
    played(tmp_path, "BACKUP", lambda _: part, backup=BackupConfig(folder=str(stick)))


def test_the_broker_is_killed_and_frozen(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Nobody at the table needs it: the board shows the score and nothing else."""
    more = {**_LONG, "broker": BrokerSettings(host="127.0.0.1", port=mosquitto.port)}

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        pressing = asyncio.create_task(press_on(room))
        for fails, mends in (
            (mosquitto.stop, mosquitto.start),
            (mosquitto.freeze, mosquitto.thaw),
        ):
            await went_on(room)
            fails()
            await went_on(room)
            assert room.views[-1].faults == ()
            mends()
        await went_on(room)
        pressing.cancel()
        await asyncio.gather(pressing, return_exceptions=True)
        assert not table.done()

    in_room(lambda: Room(tmp_path, more=more), test)
    assert max(map(len, journal_words(tmp_path).values())) >= 15
