"""Two things that answer presses in one loop: the product, and its floor.

The floor has the same panel, the same journal on the same disk and the same matrix or MQTT driver,
but no rules and no rendering.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from benchmarks.marks import BYTE, LISTENER, Marks
from benchmarks.wire import Wire
from drivers.fakes import Finger
from drivers.matrix import Matrix
from drivers.panel import Panel
from drivers.ports import Press
from firmware.app import TableApp
from firmware.clock import SystemClock
from firmware.config.config import BrokerSettings, Config, MatchConfig, panel_of
from firmware.hardware import mqtt_broker
from firmware.journal.journal import Journal
from firmware.journal.matches import began
from firmware.journal.worker import JournalWorker
from firmware.keys.keymap import Keymap
from firmware.parts import Parts
from rules.carom.words import NOTATION
from rules.record import Record, Setup, Source
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import Scoreline
from rules.sheet import read_act
from rules.sides import Side

KEY = "plus1"
"""One point: a key without a hold."""

DOWN_S, REST_S = 0.04, 0.125
"""The finger, and its rest: by then the pixel that answers a press has gone out again."""

LONGEST_S = 10
"""No press takes this long."""

SETUP = Setup("ug", ((1,), (2,)), (("target", "none/none"),), Side.A)
MATCH = MatchConfig(rulebook="ug", format="target=none/none", first="A")


class Stand:
    """Mock pins with a finger on them, and a recording wire."""

    def __init__(self, marks: Marks) -> None:
        self.pins, self.marks = MockFactory(), marks
        self.wire = Wire(lambda: marks.note(BYTE))
        self.wiring = Keymap(panel_of(Config(schema=1).panel), NOTATION).wiring()
        self._finger = Finger(self.pins, self.wiring)

    async def press(self, route: Sequence[str]) -> list[int]:
        """One press, and when it passed each mark of a route."""
        self.marks.clear()
        self._finger.down(KEY)
        await asyncio.sleep(DOWN_S)
        self._finger.up(KEY)
        await asyncio.sleep(REST_S)
        async with asyncio.timeout(LONGEST_S):
            # Marks come from another thread too; nobody tells when the last is passed.
            while (times_ns := self.marks.times_ns(route)) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return times_ns


def parts(stand: Stand, config: Config) -> Parts:
    """The devices of the product: mock pins, a matrix on the wire, a broker if there is one."""
    return Parts(
        clock=SystemClock(),
        display=lambda: Matrix(stand.wire, width=64, height=16),
        pins=lambda: stand.pins,
        broker=mqtt_broker(config) if config.broker.host else None,
    )


@dataclass(frozen=True, slots=True)
class Product:
    """A table that waits for presses, and the score that it shows."""

    stand: Stand
    line: Scoreline


@contextlib.asynccontextmanager
async def product(
    folder: Path, marks: Marks, *, table: str = "table", port: int | None = None
) -> AsyncIterator[Product]:
    """The whole firmware on mock pins, a real disk, and the broker at a port if one is given."""
    stand = Stand(marks)
    config = Config(
        schema=1,
        hall="bench",
        table=table,
        language="en",
        journal=str(folder / f"{table}.db"),
        match=MATCH,
        broker=BrokerSettings() if port is None else BrokerSettings(host="127.0.0.1", port=port),
    )
    app = TableApp(config, parts(stand, config))
    shown = asyncio.Event()
    app.watch(lambda view: shown.set() if view.line is not None else None)
    running = asyncio.create_task(app.run())
    await shown.wait()
    await asyncio.sleep(0.5)
    assert app.table is not None
    assert app.table.view.line is not None
    yield Product(stand, app.table.view.line)
    app.stop()
    await running


class _FloorListener:
    """A key listener that writes a record, and does something once it is on disk."""

    def __init__(self, marks: Marks, worker: JournalWorker, then: Callable[[int], None]) -> None:
        self._marks, self._worker, self._then = marks, worker, then
        self._act = read_act("+1", NOTATION)
        self._seq = 0

    def heard(self, device: str, key: str) -> None:
        pass

    def pressed(self, press: Press) -> None:
        self._marks.note(LISTENER)
        self._seq += 1
        record = Record(self._seq, self._act, by=Source("panel", str(self._seq)))
        done = self._worker.commit("floor", record, "ug")
        done.add_done_callback(lambda _: self._then(self._seq))

    def ignored(self, device: str, key: str, why: str) -> None:
        raise AssertionError(f"{key} was ignored: {why}")

    def long_held(self, device: str, key: str) -> None:
        raise AssertionError(f"{key} is held")

    def stuck(self, device: str, key: str, where: str) -> None:
        raise AssertionError(f"{key} is stuck")

    def floating(self, device: str, key: str, where: str) -> None:
        raise AssertionError(f"{key} is floating")

    def freed(self, device: str, key: str) -> None:
        pass


@contextlib.asynccontextmanager
async def floor(
    folder: Path, stand: Stand, then: Callable[[int], None], *, name: str
) -> AsyncIterator[None]:
    """Panel and journal alone; `then` gets the number of each record that is on disk."""
    worker = JournalWorker(lambda: Journal.open(folder / f"{name}.db")[0])
    row = began("floor", rulebook_of("ug"), 0)
    await worker.call(lambda journal: journal.begin(row, Record(0, SETUP)))
    listener = _FloorListener(stand.marks, worker, then)
    panel = Panel("panel", stand.wiring, listener, factory=stand.pins)
    yield
    panel.close()
    await worker.close()
