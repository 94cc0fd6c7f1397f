"""Starting, pressing and killing a table process."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import aiomqtt

ROOT = Path(__file__).parents[2]


class TableProcess:
    """A table in another process, as `tests.e2e.table_process` has it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    async def tell(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())
        await self._process.stdin.drain()

    async def answer(self, key: str) -> Any:
        """The content of the next line that has this key."""
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            while line := await self._process.stdout.readline():
                content = json.loads(line)
                if key in content:
                    return content[key]
        raise AssertionError(f"the table ended before it said {key}")

    async def press(self, keys: Sequence[str]) -> Any:
        await self.tell(f"press {' '.join(keys)}")
        return await self.answer("pressed")

    async def look(self) -> Any:
        await self.tell("look")
        return await self.answer("look")

    async def seq(self) -> int:
        """The number of the last record, whatever the board shows."""
        await self.tell("state")
        return int((await self.answer("state"))["seq"])

    async def stall_at(self, seq: int) -> None:
        await self.tell(f"stall {seq}")
        await self.answer("stall")

    def signalled(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    async def ended(self) -> int:
        """Wait for its end; its status."""
        return await self._process.wait()

    async def kill(self) -> None:
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> int:
        await self.tell("stop")
        return await self._process.wait()


async def there(port: int) -> None:
    """Wait until the table says on its broker that it is there: from then on it hears commands."""
    async with aiomqtt.Client("127.0.0.1", port=port) as client, asyncio.timeout(20):
        await client.subscribe("tacada/test/1/availability", qos=1)
        async for message in client.messages:
            if message.payload == b"online":
                return


@contextlib.asynccontextmanager
async def table_process(
    journal: Path,
    port: int,
    *serial: str,
    more: Mapping[str, str] | None = None,
    log: IO[bytes] | None = None,
) -> AsyncIterator[TableProcess]:
    """A table that is killed when the context is left, if it still lives.

    Port 0 is no broker; `serial` is the path of a port with a pad behind it. `more` goes to its
    environment, what it says as faults to `log`.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-W",
        "error",
        "-m",
        "tests.e2e.table_process",
        str(journal),
        str(port),
        *serial,
        cwd=ROOT,
        env={**os.environ, **(more or {})},
        stderr=log,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield TableProcess(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
