"""Tables that only speak: what a hall hears of them, without rules behind it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import aiomqtt
import msgspec
from msgspec.structs import replace

from firmware.mqtt.messages import (
    Beat,
    ClockMessage,
    Device,
    NoticeMessage,
    Presence,
    Status,
    Topics,
)
from rules.scoreline import Scoreline

BEAT_S = 0.5


class Speaker:
    """One table. While it `speaks` it sends a beat twice a second."""

    def __init__(self, client: aiomqtt.Client, table: str, line: Scoreline, hall: str) -> None:
        self._client, self.line = client, line
        self.topics = Topics(hall, table)
        self.boot, self.speaks = 7, True
        self._zero = time.monotonic() - line.t_ms / 1000

    async def say(self, line: Scoreline | None = None, **changes: object) -> None:
        """A new state, and what goes with it."""
        self.line = replace(line or self.line, seq=self.line.seq + 1, **changes)
        await self._retain(self.topics.state, msgspec.json.encode(self.line))
        clock = ClockMessage(self.line.match, self.line.seq, self.line.clock)
        await self._retain(self.topics.clock, msgspec.json.encode(clock))
        await self.beat()

    async def appear(self) -> None:
        """All that a table says as it comes."""
        await self._retain(self.topics.availability, b"online")
        status = Status("0.1.0", self.boot, self.line.rulebook, "0", refused=3)
        await self._retain(self.topics.status, msgspec.json.encode(status))
        devices = (Device("panel", "panel", True), Device("board", "board", True))
        here = Presence("table", "0.1.0", True, devices=devices)
        await self._retain(self.topics.presence, msgspec.json.encode(here))
        await self.say()

    async def vanish(self) -> None:
        """What its last will says."""
        self.speaks = False
        await self._retain(self.topics.availability, b"offline")

    async def notice(self, what: str) -> None:
        said = NoticeMessage(self.line.match, self.line.seq, what)
        await self._client.publish(self.topics.notice, msgspec.json.encode(said))

    async def beat(self) -> None:
        t_ms = round((time.monotonic() - self._zero) * 1000)
        beat = Beat(self.boot, self.line.seq, t_ms, self.line.match)
        await self._client.publish(self.topics.beat, msgspec.json.encode(beat))

    async def _retain(self, topic: str, payload: bytes) -> None:
        await self._client.publish(topic, payload, qos=1, retain=True)


@contextlib.asynccontextmanager
async def speaking(
    port: int, scenes: dict[str, Scoreline], hall: str = "clube"
) -> AsyncIterator[dict[str, Speaker]]:
    """These tables speak for as long as the context lasts."""
    async with aiomqtt.Client("127.0.0.1", port=port) as client:
        tables = {name: Speaker(client, name, line, hall) for name, line in scenes.items()}
        for table in tables.values():
            await table.appear()

        async def beat() -> None:
            while True:
                await asyncio.sleep(BEAT_S)
                for table in tables.values():
                    if table.speaks:
                        await table.beat()

        beating = asyncio.create_task(beat())
        try:
            yield tables
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)
