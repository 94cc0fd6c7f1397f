"""The lines of docs/mqtt.md that a person copies into a shell do what stands beside them."""

import asyncio
import json
import re
import shlex
from pathlib import Path

import pytest

from tests.hall.room import display, table
from tests.mosquitto import Mosquitto

DOC = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text("utf-8")

BLOCKS = re.findall(r"```sh\n(.*?)```", DOC, re.DOTALL)
LINES = [
    line.replace("\\\n", " ")
    for block in BLOCKS
    for line in re.split(r"(?<!\\)\n", block.strip())
    if line.startswith("mosquitto_")
]


async def run(line: str, port: int) -> str:
    """A line with the test's broker in the place of the hall's; listening ends by itself."""
    words = shlex.split(line.replace("broker.local", "127.0.0.1"))
    more = ["-p", str(port)] + (["-W", "4"] if words[0] == "mosquitto_sub" else [])
    process = await asyncio.create_subprocess_exec(
        words[0], *more, *words[1:], stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(20):
        out, err = await process.communicate()
    assert process.returncode in (0, 27), (line, err)  # 27: its time is over
    return out.decode()


def test_there_are_lines_to_try() -> None:
    assert len([line for line in LINES if line.startswith("mosquitto_sub")]) >= 4
    assert len([line for line in LINES if line.startswith("mosquitto_pub")]) >= 1


@pytest.mark.parametrize("line", [one for one in LINES if one.startswith("mosquitto_sub")])
def test_what_is_listened_to_says_something(
    mosquitto: Mosquitto, tmp_path: Path, line: str
) -> None:
    async def test() -> None:
        async with table(tmp_path, mosquitto.port, "3"), display(mosquitto.port) as shown:
            await shown.until(lambda: shown.now("3") is not None)
            assert (await run(line, mosquitto.port)).strip(), line

    asyncio.run(test())


@pytest.mark.parametrize("line", [one for one in LINES if one.startswith("mosquitto_pub")])
def test_what_is_asked_is_answered(mosquitto: Mosquitto, tmp_path: Path, line: str) -> None:
    async def test() -> None:
        async with table(tmp_path, mosquitto.port, "3") as whole, display(mosquitto.port) as shown:
            await shown.until(lambda: shown.now("3") is not None)
            answered = asyncio.create_task(
                run("mosquitto_sub -h broker.local -C 1 -t tacada/clube/3/reply/+", mosquitto.port)
            )
            await asyncio.sleep(0.5)
            for _ in range(12):
                await whole.enter("/")
            await run(line, mosquitto.port)
            reply = json.loads(await answered)
            assert reply["id"] == "desk-17"
            assert "error" not in reply, reply

    asyncio.run(test())
