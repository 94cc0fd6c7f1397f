"""From the acceptance of a press to the last byte on the wire of the display.

The floor has the same panel, the same journal on the same disk, the same matrix, in the same
loop, but no rules and no rendering: two pictures in turn.
"""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from benchmarks.figures import Figure
from drivers.fakes import Finger
from drivers.gestures import Timing
from drivers.matrix import Matrix
from drivers.panel import Panel
from drivers.ports import Picture, Press
from firmware.app import Parts, TableApp
from firmware.clock import SystemClock
from firmware.config import Config, MatchConfig, panel_of
from firmware.journal import Journal, began
from firmware.journal_worker import JournalWorker
from firmware.keymap import Keymap
from rules.carom.words import NOTATION
from rules.record import Record, Setup, Source
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_act
from rules.sides import Side

TIMING = Timing()
SETTLE_S = 0.045
"""After a press, before the pixel that answers it goes out again."""

SETUP = Setup("ug", ((1,), (2,)), (("target", "none/none"),), Side.A)


class Wire:
    """An SPI bus that notes when it was last written to, and how much."""

    def __init__(self) -> None:
        self.last_ns = 0
        self.bytes = 0

    def data(self, data: Sequence[int]) -> None:
        self.bytes += len(data)
        self.last_ns = time.monotonic_ns()

    def command(self, *cmd: int) -> None:
        self.data(cmd)

    def cleanup(self) -> None:
        pass


class Stand:
    """Something that answers presses of `plus1`; notes when one was accepted."""

    def __init__(self) -> None:
        self.pins, self.wire = MockFactory(), Wire()
        self.config = Config(
            schema=1,
            match=MatchConfig(rulebook="ug", format="target=none/none", first="A"),
        )
        self.keymap = Keymap(panel_of(self.config.panel), NOTATION)
        self.finger = Finger(self.pins, self.keymap.wiring())
        self.accepted_ns = 0

    async def press(self) -> float:
        """One press; microseconds from its acceptance to the last byte."""
        self.wire.bytes = 0
        self.finger.down("plus1")
        await asyncio.sleep(0.02)
        self.finger.up("plus1")
        await asyncio.sleep(SETTLE_S)
        took = (self.wire.last_ns - self.accepted_ns) / 1000
        await asyncio.sleep(0.1)
        return took


@contextlib.asynccontextmanager
async def whole_table(folder: Path) -> AsyncIterator[Stand]:
    """The product: everything but a broker."""
    stand = Stand()
    config = Config(
        schema=1, journal=str(folder / "table.db"), match=stand.config.match, language="en"
    )
    app = TableApp(
        config,
        Parts(
            clock=SystemClock(),
            display=lambda: Matrix(stand.wire, width=64, height=16),
            pins=lambda: stand.pins,
        ),
    )
    running = asyncio.create_task(app.run())
    shown = asyncio.Event()
    app.watch(lambda view: shown.set() if view.line is not None else None)
    await shown.wait()
    assert app.table is not None
    heard = app.table.heard

    def timed(device: str, key: str) -> None:
        stand.accepted_ns = time.monotonic_ns()
        heard(device, key)

    setattr(app.table, "heard", timed)  # noqa: B010 # only here
    await asyncio.sleep(0.2)
    yield stand
    app.stop()
    await running


class _Floor:
    """A key listener that writes a record and shows the other picture."""

    def __init__(self, stand: Stand, worker: JournalWorker) -> None:
        self._stand, self._worker = stand, worker
        self._matrix = Matrix(stand.wire, width=64, height=16)
        # As many rows change as when a digit of the score does.
        lit = Picture(64, 16, (0,) + (0xFF << 48,) * 13 + (0, 0))
        self._pictures = (lit, Picture.blank(64, 16))
        self._seq = 0

    def heard(self, device: str, key: str) -> None:
        self._stand.accepted_ns = time.monotonic_ns()

    def pressed(self, press: Press) -> None:
        self._seq += 1
        act = read_act("+1", NOTATION)
        record = Record(self._seq, act, by=Source("panel", str(self._seq)))
        done = self._worker.commit("floor", record, "ug")
        done.add_done_callback(lambda _: self._show())

    def _show(self) -> None:
        self._shown = asyncio.ensure_future(self._matrix.show(self._pictures[self._seq % 2]))

    def ignored(self, device: str, key: str, why: str) -> None:
        raise AssertionError(f"{key} was ignored: {why}")

    def stuck(self, device: str, key: str) -> None:
        raise AssertionError(f"{key} is stuck")

    def freed(self, device: str, key: str) -> None:
        pass


@contextlib.asynccontextmanager
async def floor(folder: Path) -> AsyncIterator[Stand]:
    """Panel, journal and matrix alone."""
    stand = Stand()
    journal, _ = Journal.open(folder / "floor.db")
    worker = JournalWorker(journal)
    setup = Record(0, SETUP)
    row = began("floor", rulebook_of("ug"), 0)
    await worker.call(lambda journal: journal.begin(row, setup))
    listener = _Floor(stand, worker)
    panel = Panel("panel", stand.keymap.wiring(), listener, factory=stand.pins)
    yield stand
    panel.close()
    await worker.close()


async def measured(presses: int, folder: Path) -> list[Figure]:
    """Presses of both in turn, so that what the machine does besides meets both."""
    mine: list[float] = []
    floors: list[float] = []
    sizes: list[int] = []
    async with whole_table(folder) as table, floor(folder) as least:
        for number in range(presses + 10):
            took, base = await table.press(), await least.press()
            if number >= 10:
                mine.append(took)
                floors.append(base)
                sizes.append(table.wire.bytes)
    bytes_ = sorted(sizes)[len(sizes) // 2]
    return [
        Figure(
            f"press → last SPI byte ({bytes_} bytes; confirm {TIMING.confirm_ms:g} ms before it)",
            mine,
            floors,
            "≤ 2×, p99 ≤ 10 ms",
        )
    ]


def run(presses: int = 300) -> list[Figure]:
    """On the disk of the working directory's file system, not on one in memory."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".benchmark-") as folder:
        return asyncio.run(measured(presses, Path(folder)))
