"""Whole games through every panel that comes with the firmware, on three ways to the table.

Real fingers on the pins of a panel, a real pad behind a real pty, a number pad as the kernel tells
of it: the same keys at the same moments make the same match to the last bit. What one panel can
tell and another cannot is told as that panel does.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.fakes import Finger
from drivers.keycodes import code_number
from drivers.keypad import KeypadLines
from drivers.pad import PadReceiver
from drivers.pad_protocol import crc
from drivers.panel import Keys, Panel
from drivers.ports import Answer, Press
from firmware.config.config import PadConfig
from firmware.devices.gate import Gate
from firmware.devices.pad_host import ReceiversHeard
from firmware.devices.pads import Pads
from firmware.keys.keybook import PANELS
from firmware.keys.panel_layout import key_modes
from firmware.table.play import Play
from rules.carom.entries import Run
from rules.ledger import Ledger
from rules.match import digest
from rules.record import Record, act_text, record_text
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Expect, Sheet, read_sheets
from tests.drivers.cable import Cable
from tests.drivers.fake_evdev import Bus
from tests.firmware.fingers import EVERY_MS, WAIT, Tap, keys_for
from tests.firmware.pad_rig import Host, Words
from tests.firmware.rig import SHEETS, Rig, settle
from tests.firmware.typist import shipped
from tests.firmware.virtual_time import VirtualClock, run_on

EIGHT_BALL = """\
rulebook: wpa8
format: race=2/2
first: B
note: racks 2 and 6 of the match PO-05
/ POT(T1) 6x( POT ) EIGHT OK
/ POT(S1) 6x( POT ) EIGHT OK
"""

EIGHT_BALL_IN_RACKS = """\
rulebook: wpa8
format: race=2/2
first: B
note: the same where a panel tells who has won a rack
AWARD(A) OK AWARD(B) OK AWARD(A) OK
"""


TOTALS = """\
rulebook: wpbsa
format: target=2
first: A
note: snooker by whole visits, fouls by their price, a frame by its winner
=5 =3 / FOUL(v=4) PICK(pass) =7 AWARD(A) OK =2 FOUL(v=4) AWARD(A) OK
"""


def sheet_of(file: str, id_: str) -> Sheet:
    """A sheet of a file, by its id."""
    sheets = read_sheets((SHEETS / f"{file}.sheet").read_text("utf-8"), notation_of)
    return next(sheet for sheet in sheets if sheet.id == id_)


def text_sheet(text: str) -> Sheet:
    """A sheet from its text."""
    return read_sheets(text, notation_of)[0]


GAMES: dict[str, Callable[[str], Sheet]] = {
    "snooker a frame of 146": lambda _: sheet_of("snooker-matches", "match:SN-B02"),
    "snooker a foul and the colours": lambda _: sheet_of("snooker-matches", "match:SN-B14"),
    "pool 14.1 to 150": lambda _: sheet_of("pool-matches", "match:SP-01"),
    "pool eight-ball": lambda panel: text_sheet(
        EIGHT_BALL if panel in ("pool-12", "pool-16") else EIGHT_BALL_IN_RACKS
    ),
    "snooker-totals two frames": lambda _: text_sheet(TOTALS),
    "carom to 40": lambda _: sheet_of("matches", "match:CA-07"),
}
# Panels that mark visits by their totals have no key for a ball; their numbers have other tests.
CASES = [
    pytest.param(path.stem, game, id=f"{path.stem} {game.partition(' ')[2]}")
    for path in sorted(PANELS.glob("*.toml"))
    for game in GAMES
    if game.partition(" ")[0] == path.stem.rpartition("-")[0]
]

PLAINER = {"SAFE": "/", "FOUL(hit=G)": "FOUL(v=4)"}
"""What a small panel tells in the place of what it has no key for."""


def acts_of(sheet: Sheet) -> Iterator[str]:
    """The acts of a sheet, one a token; a run by number as its points and the end."""
    notation = notation_of(sheet.setup.rulebook)
    for step in sheet.steps():
        if isinstance(step, Expect):
            continue
        if isinstance(step.act, tuple) and isinstance(step.act[0], Run):
            yield from ["+1"] * step.act[0].n
            yield "/"
        else:
            yield act_text(step.act, notation)


def taps_of(sheet: Sheet, panel: str) -> tuple[list[Tap], Ledger]:
    """The presses of a sheet on a panel, and the match that they are to make."""
    keymap, ledger = shipped(panel), Ledger(Record(0, sheet.setup), rulebook_of)
    taps: list[Tap] = []
    for text in acts_of(sheet):
        if text == "/" and ledger.match.ending is not None:
            continue  # the last point has ended the inning
        for way in (text, PLAINER.get(text, text)):
            header = f"rulebook: {sheet.setup.rulebook}\n{way}\n"
            (step,) = text_sheet(header).steps()
            assert not isinstance(step, Expect)
            try:
                taps += keys_for(keymap, ledger, step.act, taps[-1] if taps else WAIT)
            except LookupError:
                if way == PLAINER.get(text, text):
                    raise
                continue
            ledger.append(Record(ledger.seq + 1, step.act))
            break
    return taps, ledger


class Table:
    """A table in virtual time, and what is refused at it."""

    def __init__(self, sheet: Sheet, panel: str) -> None:
        self.clock = VirtualClock()
        setup = Record(0, sheet.setup)
        play = Play("m1", Ledger(setup, rulebook_of), (("Ana",), ("Bia",)), 0, setup)
        self.rig = Rig(play, panel=panel, clock=self.clock, on_answer=self.answered)
        self.gate = Gate(
            self.rig.table, self.clock, lock="", off="", on_off=lambda: None, answer=self.answered
        )
        self.pads: Pads | None = None
        self.refused: list[Press] = []

    def answered(self, press: Press, answer: Answer) -> None:
        if answer is Answer.REFUSED:
            self.refused.append(press)
        if self.pads is not None:
            self.pads.answered(press, answer, "0-0")

    async def each(self, taps: list[Tap], tap: Callable[[int, Tap], Awaitable[None]]) -> None:
        """The presses, each at its moment, and time for the last of them."""
        number, t_ns = 0, 60_000_500_000
        for one in taps:
            t_ns += EVERY_MS * 1_000_000
            if one == WAIT:
                t_ns += EVERY_MS * 1_000_000
                continue
            number += 1
            await self.clock.until(t_ns)
            await tap(number, one)
        await asyncio.sleep(5)


async def on_pins(table: Table, taps: list[Tap]) -> None:
    """Fingers at a panel on mock pins."""
    wiring, factory = table.rig.keymap.wiring(), MockFactory()
    panel = Panel("panel", wiring, table.gate, factory=factory)
    finger = Finger(factory, wiring)

    async def tap(_: int, tap: Tap) -> None:
        await finger.press(tap.key, Finger.HOLD_MS if tap.held else Finger.TAP_MS)

    with closing(panel):
        await table.each(taps, tap)


async def on_keypad(table: Table, taps: list[Tap]) -> None:
    """A number pad as evdev tells of it."""
    layout, there, bus = table.rig.keymap.layout, asyncio.Event(), Bus()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "evdev", bus)
        plugged = bus.plug()
        codes = {key: code_number(one.code or "") for key, one in layout.keys.items()}
        lines = KeypadLines("usb:04d9:1203", codes, lambda *_: there.set())
        keys = Keys("numpad", key_modes(layout), (lines,), table.gate, where=str)

        async def tap(_: int, tap: Tap) -> None:
            plugged.key(codes[tap.key], 1)
            await asyncio.sleep((Finger.HOLD_MS if tap.held else Finger.TAP_MS) / 1000)
            plugged.key(codes[tap.key], 0)

        with closing(keys):
            async with running(lines.run()):
                await there.wait()
                await table.each(taps, tap)


async def on_pad(table: Table, taps: list[Tap], folder: Path) -> None:
    """A pad behind a receiver, spoken to over a pty."""
    cable, there = Cable(folder / "pad").plug(), asyncio.Event()
    pad = PadConfig(name="pad1", serial=str(cable.path))
    table.pads = Pads(
        [(pad, table.rig.keymap)],
        table.gate,
        host=Host(),
        words=Words(),
        clock=table.clock,
        on_status=lambda _: None,
    )
    heard = ReceiversHeard(table.pads, lambda *_, **__: there.set())
    receiver = PadReceiver(str(cable.path), heard)
    answers: list[str] = []

    async def say(text: str) -> None:
        line = f"{text} {crc(text.encode())}\n".encode()
        cable.write(line)
        cable.arrived()
        await settle()
        answers.extend(cable.read().decode().split("\n"))

    async def tap(number: int, tap: Tap) -> None:
        age_ms = Finger.HOLD_MS if tap.held else 0
        await asyncio.sleep(age_ms / 1000)
        gesture = "hold" if tap.held else "press"
        await say(f"K pad1 5f3a.{number} {tap.key} {gesture} {age_ms} 84")

    async with running(receiver.run()):
        await there.wait()
        await say("H pad1 5f3a.0 84")
        await table.each(taps, tap)
    cable.unplug()
    assert (
        sum(line[:2] in ("A ", "W ") for line in answers)
        >= len([tap for tap in taps if tap != WAIT]) - 1
    )


@asynccontextmanager
async def running(task: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """A task, as long as it is needed."""
    started = asyncio.create_task(task)
    await settle()
    try:
        yield
    finally:
        started.cancel()
        (result,) = await asyncio.gather(started, return_exceptions=True)
        assert isinstance(result, asyncio.CancelledError), result


@pytest.mark.parametrize(("panel", "game"), CASES)
def test_a_whole_game_is_the_same_on_pins_pad_and_keypad(
    panel: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = GAMES[game](panel)
    taps, meant = taps_of(sheet, panel)
    assert meant.match.finished or meant.match.result or meant.match.ending
    ways: dict[str, Callable[[Table], Awaitable[None]]] = {
        "pins": lambda table: on_pins(table, taps),
        "keypad": lambda table: on_keypad(table, taps),
        "pad": lambda table: on_pad(table, taps, tmp_path),
    }
    digests = {}
    for name, way in ways.items():
        table = Table(sheet, panel)
        for driver in ("lines", "panel", "keypad", "pad"):
            monkeypatch.setattr(f"drivers.{driver}.time", table.clock)

        async def scene(table: Table = table, way: Any = way) -> None:
            async with running(table.rig.table.run()):
                await way(table)

        run_on(table.clock, scene)
        assert not table.refused, name
        ledger = table.rig.table.play.ledger
        assert digest(ledger.match) == digest(meant.match), name
        digests[name] = ledger.digest()
    assert len(set(digests.values())) == 1, digests


def test_a_key_held_in_time_is_in_time_for_what_is_typed() -> None:
    """A dialog lasts two seconds; the key that ends it goes down before, and is a hold after."""
    sheet = text_sheet("rulebook: wpbsa\nformat: target=1\nfirst: A\nR K /\n")
    table = Table(sheet, "snooker-4")
    taps = [("ball", False, 2000), ("colour", False, 1600), ("end", True, 2000), ("end", False, 0)]

    async def scene() -> None:
        with pytest.MonkeyPatch.context() as patch:
            for driver in ("lines", "panel"):
                patch.setattr(f"drivers.{driver}.time", table.clock)
            wiring, factory = table.rig.keymap.wiring(), MockFactory()
            finger = Finger(factory, wiring)
            async with running(table.rig.table.run()):
                with closing(Panel("panel", wiring, table.gate, factory=factory)):
                    for key, held, then_ms in taps:
                        next_ns = table.clock.ns + then_ms * 1_000_000
                        await finger.press(key, Finger.HOLD_MS if held else Finger.TAP_MS)
                        await table.clock.until(next_ns)

    run_on(table.clock, scene)
    line = table.rig.table.play.ledger.line()[1:]
    notation = notation_of("wpbsa")
    assert [record_text(node.record, notation) for node in line] == ["R", "K", "/"]
