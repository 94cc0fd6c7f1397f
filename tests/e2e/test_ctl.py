"""A table steered from a shell, over a real broker."""

import asyncio
import sys
from pathlib import Path

from tests.e2e.process import ROOT, table_process
from tests.mosquitto import Mosquitto


async def ctl(port: int, *words: str, say: str = "") -> tuple[int, str]:
    """`tacada ctl …` and what it printed."""
    process = await asyncio.create_subprocess_exec(
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
    async with asyncio.timeout(20):
        out, _ = await process.communicate(say.encode())
    assert process.returncode is not None
    return process.returncode, out.decode().strip()


def test_a_match_from_the_shell(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        port = mosquitto.port
        async with table_process(tmp_path / "journal.db", port) as table:
            await table.answer("started")
            assert await ctl(port, "enter", "+3") == (0, "record 1: 3–0, A at the table")
            assert await ctl(port, "enter", "/") == (0, "record 2: 3–0, B at the table")
            code, said = await ctl(port, "enter", "OK")
            assert (code, said) == (1, "tacada: refused, nothing_to_confirm")
            code, said = await ctl(port, "edit", "A1=5", say="n\n")
            assert code == 1
            assert "The score would be 5–0" in said
            assert said.endswith("nothing was changed")
            code, said = await ctl(port, "edit", "A1=5", say="y\n")
            assert code == 0
            assert said.endswith("record 3: 5–0, B at the table")
            code, said = await ctl(port, "--yes", "mend", "--format", "target=30/20")
            assert (code, said) == (0, "record 4: 5–0, B at the table")
            code, said = await ctl(
                port, "start", "--rulebook", "uk", "--a", "Ana", "--b", "Rui", "--first", "B"
            )
            assert (code, said) == (0, "record 0: 0–0, B at the table")
            assert await table.stop() == 0

    asyncio.run(run())


def test_nobody_there(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        code, said = await ctl(mosquitto.port, "enter", "+1")
        assert code == 1
        assert said.startswith("tacada: no answer from tacada/test/1")

    asyncio.run(run())
