"""A table as a process of its own, to be measured from outside: `… CONFIG IDLE_S WINDOWS [ACT]`.

Prints when the first picture and the score were on the wire, on the monotonic clock, and the most
memory it held in KiB; then enters the act, if one is given, and prints for each window how much of
a core it used while nothing happened.
"""

import asyncio
import json
import sys
import time

from gpiozero.pins.mock import MockFactory

from benchmarks.wire import Wire
from drivers.matrix import Matrix
from drivers.ports import Picture
from firmware.app import TableApp
from firmware.clock import SystemClock
from firmware.config.file import load_config
from firmware.hardware import mqtt_broker
from firmware.parts import Parts


class _Board(Matrix):
    """A matrix that keeps when each picture was on the wire."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire, width=64, height=16)
        self._bytes = wire
        self.shown_ns: list[int] = []

    async def show(self, picture: Picture) -> None:
        await super().show(picture)
        self.shown_ns.append(self._bytes.last_ns)


async def main(config_file: str, idle_s: float, windows: int, act: str = "") -> None:
    config = load_config(config_file)
    pins, board = MockFactory(), _Board(Wire())
    parts = Parts(
        clock=SystemClock(),
        display=lambda: board,
        pins=lambda: pins,
        broker=mqtt_broker(config),
    )
    app = TableApp(config, parts)
    ready = asyncio.Event()
    app.watch(lambda view: ready.set() if view.line is not None else None)
    running = asyncio.create_task(app.run())
    await ready.wait()
    # The view is out; its picture follows at once.
    await asyncio.sleep(0.1)
    print(*board.shown_ns[:2])
    await asyncio.sleep(2 if windows else 0.3)
    print(most_memory_kib())
    if act:
        assert app.table is not None
        request = json.dumps({"id": "1", "expect_seq": 0, "act": act}).encode()
        reply = await app.table.ask("enter", request)
        assert not reply.error, reply
    for _ in range(windows):
        before = time.process_time()
        await asyncio.sleep(idle_s)
        print((time.process_time() - before) / idle_s)
    app.stop()
    await running


def most_memory_kib() -> int:
    """The most this program held; what it held before it became this program does not count."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]))
