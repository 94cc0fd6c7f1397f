"""The reference pad, under MicroPython and over ptys, at whole tables."""

import ast
import asyncio
import contextlib
import os
import pty
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from drivers.fakes import KeptDisplay
from drivers.gestures import KeyMode
from firmware.app import TableApp
from firmware.clock import SystemClock
from firmware.config.config import Config, MatchConfig, PadConfig
from firmware.demo.demo import MATCH
from firmware.demo.presses import presses_of
from firmware.journal.journal import Journal
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap, load_panel
from firmware.parts import Parts
from firmware.table.guard import GuardTiming
from rules.carom.words import NOTATION
from rules.record import Source
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_sheets
from tests.e2e.micropad import REFERENCE, MicroPad, micropad
from tests.e2e.process import ROOT, table_process

FAST = GuardTiming(same_press_ms=50, burst_gap_ms=30, burst_most_ms=250)
KEYMAP = Keymap(load_panel(PANELS / "carom-6.toml"), NOTATION)


def at_table(
    folder: Path,
    test: Callable[[MicroPad, TableApp], Awaitable[None]],
    match: MatchConfig = MatchConfig(rulebook="ug", format="target=5/5", first="A"),  # noqa: B008
    guard: GuardTiming | None = FAST,
) -> None:
    """A table with one pad and nothing else."""

    async def run() -> None:
        async with micropad(folder) as pad:
            config = Config(
                schema=1,
                language="en",
                journal=str(folder / "journal.db"),
                match=match,
                pads=(PadConfig(name="pad1", serial=str(folder / "receiver")),),
            )
            display, pins = KeptDisplay(64, 16), MockFactory()
            parts = Parts(SystemClock(), lambda: display, lambda: pins, guard=guard)
            app = TableApp(config, parts)
            table = asyncio.create_task(app.run())
            try:
                await test(pad, app)
            finally:
                app.stop()
                await table

    asyncio.run(run())


def line(app: TableApp) -> Any:
    assert app.table is not None
    return app.table.view.line


def test_a_press_shows_on_board_and_pad(tmp_path: Path) -> None:
    async def test(pad: MicroPad, app: TableApp) -> None:
        await pad.until("- 0-0 A")
        assert await pad.answered("plus1") == "A 1-0 A +1"
        assert line(app).score == (1, 0)
        assert await pad.answered("undo") == "A 0-0 A undone +1"
        assert await pad.answered("undo") == "R nothing to undo"
        assert await pad.answered("ok") == "R nothing to confirm"
        assert await pad.answered("end") == "A 0-0 B"

    at_table(tmp_path, test)


def test_half_typed_acts_are_shown_with_what_they_would_make(tmp_path: Path) -> None:
    async def test(pad: MicroPad, app: TableApp) -> None:
        await pad.until("- 0-0 A")
        assert await pad.answered("ok", held=True) == "W OK"
        assert await pad.answered("plus5") == "W OK +5"
        assert await pad.answered("ok") == "R one key missing"
        assert await pad.answered("plus1") == "W OK +5 OK +1 > 0-0"
        assert await pad.answered("ok") == "A 0-0 OK: end"
        assert await pad.answered("undo") == "A 0-0 A undone resigns A: match"

    at_table(tmp_path, test)


def test_ok_held_for_three_seconds_asks_about_the_match(tmp_path: Path) -> None:
    """A score put right with the pad alone: it shows each question, as the board does."""

    async def test(pad: MicroPad, app: TableApp) -> None:
        await pad.until("- 0-0 A")
        assert await pad.answered("plus1") == "A 1-0 A +1"
        assert await pad.answered("ok", ms=3200) == "W OK", "what the hold means comes first"
        assert await pad.until("A") == "A this match last entries"
        assert await pad.answered("plus5") == "A this match score"
        assert await pad.answered("ok") == "A A has 1"
        assert await pad.answered("plus5") == "A A has 2"
        for shows in ("A B has 0", "A why? keyed wrongly", "A becomes 2-0 A? yes"):
            assert await pad.answered("ok") == shows
        assert await pad.answered("ok") == "A 2-0 A +1"
        assert line(app).score == (2, 0)

    at_table(tmp_path, test)


def test_a_whole_match_is_the_same_on_the_pad_as_on_its_sheet(tmp_path: Path) -> None:
    (sheet,) = read_sheets(MATCH.read_text("utf-8"), notation_of, MATCH.name)
    presses = list(presses_of(sheet, KEYMAP, rulebook_of))

    async def test(pad: MicroPad, app: TableApp) -> None:
        await pad.until("- 0-0")
        for press in presses:
            answer = await pad.answered(press.key, held=press.held)
            assert answer.startswith("A "), (press, answer)
        assert line(app).phase == "over"
        assert line(app).score == (40, 39)
        assert app.table is not None
        played = app.table.play.ledger
        assert played.digest() == replay(sheet, rulebook_of).ledger.digest()
        assert app.table.refused == 0

    at_table(tmp_path, test, MatchConfig(rulebook=sheet.setup.rulebook, first="A"))


def test_a_table_that_is_killed_after_the_commit_answers_when_it_is_back(tmp_path: Path) -> None:
    journal, port = tmp_path / "journal.db", str(tmp_path / "receiver")

    async def run() -> None:
        async with micropad(tmp_path) as pad:
            async with table_process(journal, 0, port) as table:
                await table.answer("started")
                await pad.until("- 0-0 A")
                assert await pad.answered("plus1") == "A 1-0 A +1"
                pad.air.down = False
                await pad.press("plus5")
                await pad.until("? no answer")
                assert await table.seq() == 2
                await table.kill()
            pad.air.down = True
            async with table_process(journal, 0, port) as table:
                assert (await table.answer("started"))["seq"] == 2
                assert await pad.until("A") == "A 6-0 A +6"
                assert await table.seq() == 2
                assert await pad.answered("undo") == "A 1-0 A +1 undone +5"
                assert await table.stop() == 0

    asyncio.run(run())
    assert sources(journal) == ["config", "pad1", "pad1", "pad1"]


def test_a_table_that_is_killed_before_the_commit_has_nothing_twice(tmp_path: Path) -> None:
    journal, port = tmp_path / "journal.db", str(tmp_path / "receiver")

    async def run() -> None:
        async with micropad(tmp_path) as pad:
            async with table_process(journal, 0, port) as table:
                await table.answer("started")
                await pad.until("- 0-0 A")
                await table.stall_at(1)
                await pad.press("plus1")
                assert await table.answer("stalled") == 1
                await table.kill()
            async with table_process(journal, 0, port) as table:
                await table.answer("started")
                # It comes in time and acts, or too late and does not: the pad says which.
                async with asyncio.timeout(10):
                    while pad.shown[-1][:1] not in "AR":  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                acted = pad.shown[-1] == "A 1-0 A +1"
                assert acted or pad.shown[-1] == "R too late, press again"
                assert await table.seq() == int(acted)
                assert await table.stop() == 0

    asyncio.run(run())


def test_without_a_link_the_pad_says_so_within_two_seconds(tmp_path: Path) -> None:
    async def test(pad: MicroPad, app: TableApp) -> None:
        await pad.until("- 0-0 A")
        pad.air.up = False
        await pad.press("plus1")
        await pad.until("? no answer", within_s=2)
        pad.air.up = True
        await pad.until("R too late")
        assert line(app).score == (0, 0)

    at_table(tmp_path, test)


def test_a_receiver_that_was_pulled_out_is_on_the_board_and_comes_back(tmp_path: Path) -> None:
    async def test(pad: MicroPad, app: TableApp) -> None:
        await pad.until("- 0-0 A")
        assert app.table is not None
        pad.air.receiver.unplug()
        pad.air.receiver.plug()
        async with asyncio.timeout(3):
            assert await pad.answered("plus1") == "A 1-0 A +1"
        assert app.table.view.faults == ()

    at_table(tmp_path, test)


def test_a_pad_in_a_terminal_is_a_pad(tmp_path: Path) -> None:
    async def run() -> None:
        port = tmp_path / "port"
        keyboard, near = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *(Path(sys.executable).with_name("tacada"), "pad", "--link", str(port)),
            stdin=near,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
        os.close(near)
        assert process.stdout is not None
        try:
            async with asyncio.timeout(20):
                assert b"p +1 \xc2\xb7 l +5 \xc2\xb7 e END" in await process.stdout.readline()
                assert await process.stdout.readline() == b"- no link\n"
                async with table_process(tmp_path / "journal.db", 0, str(port)) as table:
                    await table.answer("started")
                    strokes = (
                        *(("", "- 0-0 A"), ("p", "A 1-0 A +1"), ("O", "W OK")),
                        *(("u", "A 1-0 A +1"), ("3", "W OK"), ("", "A this match last entries")),
                    )
                    for key, shows in strokes:
                        os.write(keyboard, key.encode())
                        assert await process.stdout.readline() == f"{shows}\n".encode()
                    assert await table.stop() == 0
                process.terminate()
                assert await process.wait() == 0
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            os.close(keyboard)
        assert not port.is_symlink()

    asyncio.run(run())


def test_the_reference_pad_has_the_keys_of_its_layout() -> None:
    tree = ast.parse((REFERENCE / "keys.py").read_text("utf-8"))
    (keys,) = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KEYS"
    ]
    assert isinstance(keys, ast.Dict)
    modes = {
        KeyMode.PRESS: "PRESS",
        KeyMode.PRESS_AND_HOLD: "ADD",
        KeyMode.PRESS_OR_HOLD: "HOLD",
    }
    written = {
        ast.literal_eval(key): ast.unparse(value).rpartition(", ")[2].rstrip(")")
        for key, value in zip(keys.keys, keys.values, strict=True)
        if key is not None
    }
    long = next(node for node in tree.body if "LONG = " in ast.unparse(node))
    assert ast.unparse(long) == f"LONG = {tuple(KEYMAP.ok_keys)}"
    assert written == {name: modes[wire.mode] for name, wire in KEYMAP.wiring().items()}


def sources(path: Path) -> list[str]:
    """Who made each record of the match in a journal."""
    journal, damage = Journal.open(path)
    assert damage is None
    (match,) = journal.matches()
    by = [record.by for record in journal.records(match.id)]
    journal.close()
    assert len(set(by)) == len(by)
    assert all(isinstance(one, Source) for one in by)
    return [one.device for one in by]
