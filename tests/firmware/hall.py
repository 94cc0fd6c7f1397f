"""Someone in the hall who listens to a broker."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiomqtt

from tests.hall.contract import check
from tests.mosquitto import Mosquitto


class Listener:
    """Keeps every message under `tacada/`, decoded where it is JSON.

    At the end what was heard is held against the contract.
    """

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.said: set[tuple[str, bytes]] = set()
        """What tables said: each message once, as it came."""
        self._news = asyncio.Event()

    def take(self, topic: str, payload: bytes) -> None:
        self.said.add((topic, payload))
        name = topic.rpartition("/")[2]
        text = payload.decode()
        self.heard.append((name, json.loads(text) if text.startswith("{") else text))
        self._news.set()

    def of(self, name: str) -> list[Any]:
        return [content for topic, content in self.heard if topic == name]

    async def until(self, met: Callable[["Listener"], bool], within_s: float = 8) -> None:
        """Wait until what was heard meets a condition."""
        async with asyncio.timeout(within_s):
            while not met(self):
                self._news.clear()
                await self._news.wait()


@contextlib.asynccontextmanager
async def listening(broker: Mosquitto) -> AsyncIterator[Listener]:
    """Listen for as long as the context lasts or the broker lives."""
    listener = Listener()
    async with aiomqtt.Client("127.0.0.1", port=broker.port) as client:
        await client.subscribe("tacada/#", qos=1)

        async def listen() -> None:
            with contextlib.suppress(aiomqtt.MqttError):
                async for message in client.messages:
                    assert isinstance(message.payload, bytes)
                    listener.take(str(message.topic), message.payload)

        task = asyncio.create_task(listen())
        try:
            yield listener
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for topic, payload in listener.said:
            check(topic, payload)
