"""`tacada hall` and `tacada web` as a person starts and ends them."""

import asyncio
import contextlib
import sys
from pathlib import Path

import pytest

from tests.hall.scenes import SCENES
from tests.hall.speakers import speaking
from tests.mosquitto import Mosquitto
from tests.ports import free_port

TACADA = Path(sys.executable).parent / "tacada"


async def start(*words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        TACADA,
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def runs(process: asyncio.subprocess.Process) -> None:
    """Wait until a program shows anything: from then on it can be told to end."""
    assert process.stdout is not None
    async with asyncio.timeout(30):
        assert await process.stdout.read(1)


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    process.terminate()
    async with asyncio.timeout(10):
        out, _ = await process.communicate()
    return process.returncode, out.decode()


async def get(port: int, path: str) -> str:
    """A page, once there is a server."""
    for _ in range(200):
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET {path} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
            text = (await reader.read()).decode()
            writer.close()
            return text
        await asyncio.sleep(0.05)
    raise AssertionError("no server")


def configured(folder: Path, port: int) -> str:
    file = folder / "hall.toml"
    file.write_text(
        'schema = 1\nhall = "clube"\ntable = "wall"\nlanguage = "en"\n'
        f'[broker]\nhost = "127.0.0.1"\nport = {port}\n'
    )
    return str(file)


def test_a_board_of_a_hall_in_a_terminal(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        async with speaking(mosquitto.port, SCENES):
            board = await start(
                "hall", "--config", configured(tmp_path, mosquitto.port), "--terminal"
            )
            await runs(board)
            await asyncio.sleep(2)
            code, said = await ended(board)
            assert code == 0, said
            assert "█" in said or "▀" in said

    asyncio.run(run())


def test_pages_of_a_hall(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        port = free_port()
        async with speaking(mosquitto.port, SCENES):
            web = await start(
                *("web", "--broker", f"127.0.0.1:{mosquitto.port}", "--bind", "127.0.0.1"),
                *("--port", str(port), "--hall", "clube", "--language", "en"),
            )
            for _ in range(100):
                if "Ana Prado" in await get(port, "/"):
                    break
                await asyncio.sleep(0.1)
            else:
                pytest.fail("the table is not on the page")
            code, said = await ended(web)
            assert code == 0, said

    asyncio.run(run())


@pytest.mark.parametrize("what", ["hall", "web"])
def test_without_a_broker_it_waits_and_ends_when_told(tmp_path: Path, what: str) -> None:
    """Ask 104: a source that is not there breaks nothing."""

    async def run() -> None:
        nobody, port = free_port(), free_port()
        if what == "hall":
            program = await start("hall", "--config", configured(tmp_path, nobody), "--terminal")
            await runs(program)
            await asyncio.sleep(1)
        else:
            program = await start(
                *("web", "--broker", f"127.0.0.1:{nobody}", "--bind", "127.0.0.1"),
                *("--port", str(port), "--language", "en"),
            )
            assert "No connection to the broker" in await get(port, "/")
        code, said = await ended(program)
        assert code == 0, said

    asyncio.run(run())


def test_a_port_that_is_taken_is_told(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        port = str(mosquitto.port)
        web = await start("web", "--bind", "127.0.0.1", "--port", port, "--language", "en")
        async with asyncio.timeout(10):
            out, _ = await web.communicate()
        assert web.returncode == 1
        assert f"cannot serve on 127.0.0.1:{mosquitto.port}" in out.decode()

    asyncio.run(run())


def test_a_board_without_a_broker_in_its_configuration_says_so(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text('schema = 1\nlanguage = "en"\n')

    async def run() -> None:
        board = await start("hall", "--config", str(file))
        out, _ = await board.communicate()
        assert board.returncode == 1
        assert "broker.host: is missing" in out.decode()

    asyncio.run(run())


def test_a_demonstration_has_a_page_of_its_hall() -> None:
    async def run() -> None:
        demo = await start("demo", "--for", "6", "--language", "en")
        assert demo.stdout is not None
        async with asyncio.timeout(60):
            while not (line := (await demo.stdout.readline()).decode()).startswith("page of"):
                assert line
            port = int(line.rpartition(":")[2].strip().rstrip("/"))
            while "Sameh Sidhom" not in await get(port, "/"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            out, _ = await demo.communicate()
        assert "Sameh Sidhom 40–39 Cha Myung-Jong" in out.decode()
        assert demo.returncode == 0

    asyncio.run(run())
