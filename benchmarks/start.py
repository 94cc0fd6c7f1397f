"""From nothing to the first picture, what it takes in memory, and what it costs to do nothing."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import Figure

_TABLE = """
import asyncio, sys, time, resource
from gpiozero.pins.mock import MockFactory
from benchmarks.press import Stand
from drivers.matrix import Matrix
from firmware.app import Parts, TableApp
from firmware.clock import SystemClock
from firmware.config import Config
async def main():
    stand = Stand()
    config = Config(schema=1, journal=sys.argv[1], match=stand.config.match)
    app = TableApp(config, Parts(clock=SystemClock(), pins=lambda: stand.pins,
                                 display=lambda: Matrix(stand.wire, width=64, height=16)))
    shown = asyncio.Event()
    app.watch(lambda view: shown.set() if view.line is not None else None)
    running = asyncio.create_task(app.run())
    while not stand.wire.last_ns:
        await asyncio.sleep(0)
    print(stand.wire.last_ns, flush=True)
    await shown.wait()
    print(time.monotonic_ns(), flush=True)
    idle = float(sys.argv[2])
    if idle:
        await asyncio.sleep(1)
        before = time.process_time()
        await asyncio.sleep(idle)
        used = (time.process_time() - before) / idle
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, used, flush=True)
    app.stop()
    await running
asyncio.run(main())
"""

_FLOOR = """
import time
import asyncio, gpiozero, msgspec, sqlite3, aiomqtt
from gpiozero.pins.mock import MockFactory
from benchmarks.press import Wire
from drivers.matrix import Matrix
from drivers.ports import Picture
wire = Wire()
asyncio.run(Matrix(wire, width=64, height=16).show(Picture(64, 16, (5,) * 16)))
print(wire.last_ns)
"""


def run(rounds: int = 9) -> list[Figure]:
    """The whole process, from its start to the first byte on the display's wire."""
    boot: list[float] = []
    score: list[float] = []
    floors: list[float] = []
    for _ in range(rounds):
        first, second = _started(0)[:2]
        boot.append(first)
        score.append(second)
        floors.append(_floor())
    return [
        Figure("cold start → first picture", boot, floors, "≤ 0.6 s"),
        Figure("cold start → score on the board", score, floors),
    ]


def plain(idle_s: float = 20) -> list[str]:
    """Memory and idle processor time, as lines."""
    peak_kib, used = _started(idle_s)[2:]
    return [
        f"memory, peak: {peak_kib / 1024:.0f} MiB (aim ≤ 45 MB)",
        f"idle for {idle_s:g} s without a clock: {used * 100:.2f} % of a core (aim ≤ 0.5 %)",
    ]


def _started(idle_s: float) -> list[float]:
    with tempfile.TemporaryDirectory(dir=".", prefix=".benchmark-") as folder:
        journal = str(Path(folder) / "journal.db")
        began = time.monotonic_ns()
        done = subprocess.run(
            [sys.executable, "-c", _TABLE, journal, str(idle_s)],
            check=True,
            capture_output=True,
            text=True,
        )
    numbers = [float(word) for word in done.stdout.split()]
    return [(numbers[0] - began) / 1000, (numbers[1] - began) / 1000, *numbers[2:]]


def _floor() -> float:
    began = time.monotonic_ns()
    done = subprocess.run(
        [sys.executable, "-c", _FLOOR], check=True, capture_output=True, text=True
    )
    return (float(done.stdout) - began) / 1000
