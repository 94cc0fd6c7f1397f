"""A network between a client and a broker that a test can cut, or make swallow everything."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.ports import free_port


class Wire:
    """A TCP connection by way of the test."""

    def __init__(self, broker_port: int) -> None:
        self._broker_port = broker_port
        self._open: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = free_port()

    async def lay(self) -> None:
        """Let connections through from now on."""
        self._flows.set()
        if self._server is None:
            self._server = await asyncio.start_server(self._passed, "127.0.0.1", self.port)

    async def cut(self) -> None:
        """Break what there is and refuse what is new, as a broker that is gone does."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()
        await asyncio.sleep(0)

    def swallow(self) -> None:
        """Nothing comes through any more, and nobody is told: packets fall into a hole."""
        self._flows.clear()

    async def end(self) -> None:
        await self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._broker_port)
        except OSError:
            writer.transport.abort()
            return
        self._open.add(back)
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pumped(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pumped(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                await self._flows.wait()
                target.write(data)
                await target.drain()
        with contextlib.suppress(OSError):
            target.close()


@contextlib.asynccontextmanager
async def wire(broker_port: int) -> AsyncIterator[Wire]:
    laid = Wire(broker_port)
    await laid.lay()
    try:
        yield laid
    finally:
        await laid.end()
