"""The hall's display in a process of its own: `… PORT OUT`, until its standard input ends.

The real follower and the real pages: a table's picture is its card, drawn and on its way to a
television. Notes when each card was ready, every entry, and what stands where it does not belong:
in a file, as its memory is weighed.
"""

import asyncio
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import msgspec

from benchmarks.load.tables import HALL
from drivers.broker import HALL_QUEUE_LENGTH, BrokerConfig, MqttBroker
from drivers.ports import Message, Session
from firmware.clock import SystemClock
from firmware.hall.follow import topics_of
from firmware.hall.follower import Room
from firmware.i18n import Language
from firmware.mqtt.messages import EntryMessage
from firmware.web.cards import Card
from firmware.web.hub import Hub, Look
from firmware.web.pages import drawer

EVERY_S = 2.0

ENTRY, DRAWN = "entry", "drawn"
"""What a line tells: table, match and record; of a card also when it was ready, in ns."""

_MS = 1_000_000


class LoadDisplay:
    """Follows all tables, and writes down what it sees."""

    def __init__(self, port: int, seen: TextIO) -> None:
        clock = SystemClock()
        self.room = Room()
        self._draws = drawer(self.room, lambda: clock.now_ns() // _MS)
        self.hub = Hub(self.room, clock, self._draw)
        config = BrokerConfig(
            "127.0.0.1", "load-display", port=port, queue_length=HALL_QUEUE_LENGTH, timeout_s=30
        )
        self._broker = MqttBroker(
            config, will=Message("gone", b""), subscriptions=topics_of([HALL])
        )
        self._seen = seen
        self.foreign = 0
        self.memory_kib: list[int] = []

    async def run(self) -> None:
        reading = asyncio.create_task(self._read())
        drawing = asyncio.create_task(self.hub.run())
        following = asyncio.create_task(self._broker.serve(self._use))
        weighing = asyncio.create_task(self._weigh())
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, sys.stdin.read)
        for task in (reading, drawing, following, weighing):
            task.cancel()
        await asyncio.gather(reading, drawing, following, weighing, return_exceptions=True)

    async def _use(self, session: Session) -> None:
        self.room.subscribed()
        async for message in session.messages():
            key = self.room.heard(message.topic, message.payload, time.monotonic_ns() // _MS)
            if key is None:
                continue
            what = message.topic.rpartition("/")[2]
            if what == "entry":
                entry = msgspec.json.decode(message.payload, type=EntryMessage)
                print(ENTRY, key[1], entry.match, entry.seq, file=self._seen)
                self.foreign += not entry.match.startswith(f"{key[1]}-")
            elif what == "state":
                table = self.room.table(key, 0)
                line = table.line if table is not None else None
                self.foreign += line is None or line.names[0] != (f"{key[1]} A",)
            self.hub.news(key)

    def _draw(self, kind: str, language: Language, one: Card | None) -> str:
        """Draw a card; that it may read as before makes it no less right."""
        html = self._draws(kind, language, one)
        t_ns = time.monotonic_ns()
        table = self.room.table((HALL, one.table), t_ns // _MS) if one is not None else None
        if table is not None and table.line is not None:
            line = table.line
            print(DRAWN, table.table, line.match, line.seq, t_ns, file=self._seen)
        return html

    async def _read(self) -> None:
        """A television that takes whatever is drawn."""
        with self.hub.reading(Look("tv", "en")) as reader:
            while True:
                await reader.next(EVERY_S)

    async def _weigh(self) -> None:
        while True:
            self.memory_kib.append(_resident_kib())
            await asyncio.sleep(EVERY_S)

    def report(self) -> dict[str, Any]:
        return {
            "foreign": self.foreign,
            "memory_kib": self.memory_kib,
            "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
            "cpu_s": time.process_time(),
        }


def _resident_kib() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


if __name__ == "__main__":
    out = Path(sys.argv[2])
    with out.with_suffix(".seen").open("w", encoding="utf-8") as file:
        display = LoadDisplay(int(sys.argv[1]), file)
        asyncio.run(display.run())
    out.write_text(json.dumps(display.report()))
