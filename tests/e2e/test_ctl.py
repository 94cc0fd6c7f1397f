"""A table steered from a shell, over a real broker."""

import asyncio
import contextlib
import io
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from firmware.cli import main
from firmware.mqtt.client import ANSWER_S
from tests.e2e.process import ROOT, table_process, there
from tests.mosquitto import Mosquitto


async def started(port: int, *words: str) -> asyncio.subprocess.Process:
    """`tacada ctl …`, on its way."""
    return await asyncio.create_subprocess_exec(
        Path(sys.executable).parent / "tacada",
        "ctl",
        "--broker",
        f"127.0.0.1:{port}",
        "--hall",
        "test",
        *words,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def ctl(port: int, *words: str, say: str = "") -> tuple[int, str]:
    """`tacada ctl …` and what it printed."""
    process = await started(port, *words)
    async with asyncio.timeout(20):
        out, _ = await process.communicate(say.encode())
    assert process.returncode is not None
    return process.returncode, out.decode().strip()


async def here(port: int, *words: str) -> tuple[int, str]:
    """The same in this process: a test of many commands need not start as many."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        where = ("--broker", f"127.0.0.1:{port}", "--hall", "test")
        code = await asyncio.to_thread(main, ["ctl", *where, *words])
    return code, out.getvalue().strip()


def test_a_match_from_the_shell(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        port = mosquitto.port
        async with table_process(tmp_path / "journal.db", port) as table:
            await table.answer("started")
            assert await ctl(port, "enter", "+3") == (0, "record 1: 3–0, A at the table")
            assert await ctl(port, "enter", "/") == (0, "record 2: 3–0, B at the table")
            code, said = await ctl(port, "enter", "OK")
            assert (code, said) == (1, "tacada: refused, nothing_to_confirm: nothing to confirm")
            code, said = await ctl(port, "edit", "A1=5", say="n\n")
            assert code == 1
            assert "The score would be 5–0" in said
            assert said.endswith("nothing was changed")
            code, said = await ctl(port, "edit", "A1=5")
            assert code == 1, "nobody is there to say yes"
            assert said.endswith("There is nobody to ask; --yes enters it.\nnothing was changed")
            code, said = await ctl(port, "edit", "A1=5", say="y\n")
            assert code == 0
            assert said.endswith("record 3: 5–0, B at the table")
            code, said = await ctl(port, "--yes", "mend", "--format", "target=30/20")
            assert (code, said) == (0, "record 4: 5–0, B at the table")
            code, said = await ctl(port, "mend", "--first", "B")
            assert code == 1
            assert "refused, edit_shifts_turn" in said
            assert said.endswith("If they shall, add --shift.")
            assert (await here(port, "enter", "+1"))[0] == 0
            code, said = await here(port, "enter", "[SPLICE(2,2)]")
            assert said.endswith("If they shall, write shift in it, as SPLICE(3,4,shift).")
            code, said = await ctl(
                port, "start", "--rulebook", "uk", "--a", "Ana", "--b", "Rui", "--first", "B"
            )
            assert (code, said) == (0, "record 0: 0–0, B at the table")
            assert await table.stop() == 0

    asyncio.run(run())


def test_clocks_boards_and_messages_from_the_shell(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """What docs/mqtt.md lists beside the entries, each as it is typed."""

    async def run() -> None:
        port = mosquitto.port
        async with table_process(tmp_path / "journal.db", port) as table:
            await table.answer("started")
            await there(port)
            for words in (
                ("brightness", "9"),
                ("language", "pt-BR"),
                ("view", "pattern"),
                ("view", "score"),
                ("next", "--a", "Ana", "--b", "Rui", "--at", "21:30"),
                ("next",),
            ):
                assert await here(port, *words) == (0, "done"), words
            code, said = await here(port, "language", "xx")
            assert code == 1
            assert said.startswith("tacada: refused, malformed")
            start = ("start", "--rulebook", "s15", "--a", "Ana", "--b", "Rui", "--first", "A")
            assert (await here(port, *start, "--format", "clock=40"))[0] == 0
            code, said = await here(port, "pause", "shot")
            assert (code, said) == (1, "tacada: refused, not_here: not now"), "it stands already"
            assert (await here(port, "enter", "START"))[0] == 0
            assert await here(port, "pause", "shot") == (0, "record 2: 0–0, A at the table")
            assert await here(port, "resume") == (0, "record 3: 0–0, A at the table")
            code, said = await here(port, "view", "dark")
            assert (code, said.split()[:3]) == (1, ["tacada:", "refused,", "in_play"])
            assert await here(port, "message", "mesa 4") == (0, "shown")
            waiting = await started(port, "message", "--wait", "5 min")
            assert waiting.stdout is not None
            assert await waiting.stdout.readline() == b"shown\n"
            await table.press(["plus1"])
            out, _ = await waiting.communicate()
            assert (waiting.returncode, out) == (0, b"read\n")
            assert await here(port, "abandon") == (0, "record 0: 0–0, A at the table")
            assert await table.stop() == 0

    asyncio.run(run())


def test_whoever_is_asked_may_think_for_long(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Longer than a table may take to answer; and what happened meanwhile is not overruled."""

    async def edited(
        change: str, meanwhile: Callable[[], Coroutine[Any, Any, None]]
    ) -> tuple[int, str]:
        asking = await started(mosquitto.port, "edit", change)
        assert asking.stdout is not None
        async with asyncio.timeout(20):
            await asking.stdout.readuntil(b"Enter it?")
        await meanwhile()
        out, _ = await asking.communicate(b"y\n")
        assert asking.returncode is not None
        return asking.returncode, out.decode()

    async def run() -> None:
        port = mosquitto.port
        async with table_process(tmp_path / "journal.db", port) as table:
            await table.answer("started")
            for act in ("+3", "/"):
                assert (await here(port, "enter", act))[0] == 0
            code, said = await edited("A1=5", lambda: asyncio.sleep(ANSWER_S + 1))
            assert (code, said.rpartition("] ")[2]) == (0, "record 3: 5–0, B at the table\n")
            code, said = await edited("A1=6", lambda: table.press(["plus1"]))
            assert code == 1
            assert "refused, stale" in said
            assert await table.stop() == 0

    asyncio.run(run())


def test_nobody_there(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        code, said = await ctl(mosquitto.port, "enter", "+1")
        assert code == 1
        assert said.startswith("tacada: no answer from tacada/test/1")

    asyncio.run(run())
