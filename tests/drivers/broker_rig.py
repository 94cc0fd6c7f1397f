"""What the tests of connections to a broker stand on: a client of ours, and one that listens."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Protocol

from drivers.broker import Backoff, BrokerConfig, MqttBroker, Tls
from drivers.ports import Broker, Message, Session

ONLINE = Message("hall/1/availability", b"online", 1, True)
OFFLINE = Message("hall/1/availability", b"offline", 1, True)
SOON = Backoff(first_s=0.05, longest_s=0.1)
PATIENCE_S = 10


class Mosquitto(Protocol):
    """What conftest.py starts."""

    port: int

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def freeze(self) -> None: ...

    def encrypt(self) -> str: ...

    def listen_at(self, path: Path) -> None: ...


def a_broker(
    port: int,
    *subscriptions: str,
    client_id: str = "table-1",
    keepalive_s: int = 10,
    timeout_s: float = 5,
    tls: Tls | None = None,
) -> MqttBroker:
    config = BrokerConfig(
        "127.0.0.1", client_id, port, keepalive_s=keepalive_s, timeout_s=timeout_s, tls=tls
    )
    return MqttBroker(config, will=OFFLINE, subscriptions=subscriptions, backoff=SOON)


async def read_on(session: Session) -> None:
    async for _ in session.messages():
        pass


@contextlib.asynccontextmanager
async def serving(
    broker: Broker, use: Callable[[Session], Awaitable[None]]
) -> AsyncIterator[asyncio.Task[None]]:
    async with asyncio.timeout(PATIENCE_S):
        task = asyncio.create_task(broker.serve(use))
        try:
            yield task
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


class Watcher:
    """A second client that keeps what it hears."""

    def __init__(self, port: int) -> None:
        self._broker = a_broker(port, "hall/#", client_id="watcher")
        self._task: asyncio.Task[None] | None = None
        self.heard: asyncio.Queue[Message] = asyncio.Queue()

    async def __aenter__(self) -> "Watcher":
        ready = asyncio.Event()

        async def use(session: Session) -> None:
            ready.set()
            async for message in session.messages():
                self.heard.put_nowait(message)

        self._task = asyncio.create_task(self._broker.serve(use))
        await asyncio.wait_for(ready.wait(), PATIENCE_S)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def next(self) -> Message:
        return await asyncio.wait_for(self.heard.get(), PATIENCE_S)
