"""From the acceptance of a press to a subscriber in another process that has decoded the state.

A real mosquitto in between. The floor has the same panel, journal, MQTT driver and broker, and
publishes as many bytes, but knows no rules and draws nothing.
"""

import asyncio
import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from getpass import getuser
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.press import SETUP, Stand
from drivers.broker import BrokerConfig, MqttBroker
from drivers.matrix import Matrix
from drivers.panel import Panel
from drivers.ports import Message, Press, Session
from firmware.app import Parts, TableApp
from firmware.clock import SystemClock
from firmware.config import BrokerSettings, Config
from firmware.hardware import mqtt_broker
from firmware.journal import Journal, began
from firmware.journal_worker import JournalWorker
from rules.carom.words import NOTATION
from rules.record import Record, Source
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_act

STATE_BYTES = 900
"""About what a scoreline of three cushions takes."""


@contextlib.contextmanager
def mosquitto(folder: Path):  # type: ignore[no-untyped-def] # a generator of one port
    """A broker on a free loopback port, without Nagle's delay."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "mosquitto.conf"
    config.write_text(
        f"user {getuser()}\nlistener {port} 127.0.0.1\nallow_anonymous true\n"
        "set_tcp_nodelay true\npersistence false\n"
    )
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    assert program is not None
    process = subprocess.Popen([program, "-c", str(config)], stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    try:
        yield port
    finally:
        process.kill()
        process.wait()


class Subscriber:
    """Another process that hears the states of one table."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, port: int, topic: str) -> "Subscriber":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "benchmarks.subscriber",
            str(port),
            topic,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        return cls(process)

    async def until(self, seq: int) -> int:
        """When the state with this record came, on the monotonic clock."""
        assert self._process.stdout is not None
        while True:
            heard, at_ns = (await self._process.stdout.readline()).split()
            if int(heard) == seq:
                return int(at_ns)

    async def stop(self) -> None:
        self._process.kill()
        await self._process.wait()


@contextlib.asynccontextmanager
async def whole_table(folder: Path, port: int) -> AsyncIterator[Stand]:
    """The product with its broker."""
    stand = Stand()
    config = Config(
        schema=1,
        hall="bench",
        table="table",
        language="en",
        journal=str(folder / "hall.db"),
        match=stand.config.match,
        broker=BrokerSettings(host="127.0.0.1", port=port),
    )
    app = TableApp(
        config,
        Parts(
            clock=SystemClock(),
            display=lambda: Matrix(stand.wire, width=64, height=16),
            pins=lambda: stand.pins,
            broker=mqtt_broker(config),
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
    await asyncio.sleep(0.5)
    yield stand
    app.stop()
    await running


class _Floor:
    """A key listener that writes a record and publishes as many bytes."""

    def __init__(self, stand: Stand, worker: JournalWorker, session: Session) -> None:
        self._stand, self._worker, self._session = stand, worker, session
        self.seq = 0

    def heard(self, device: str, key: str) -> None:
        self._stand.accepted_ns = time.monotonic_ns()

    def pressed(self, press: Press) -> None:
        self.seq += 1
        record = Record(self.seq, read_act("+1", NOTATION), by=Source("panel", str(self.seq)))
        done = self._worker.commit("floor", record, "ug")
        done.add_done_callback(lambda _: self._publish())

    def _publish(self) -> None:
        text = f'{{"seq":{self.seq},"pad":"'
        payload = (text + "x" * (STATE_BYTES - len(text)) + '"}').encode()
        message = Message("tacada/bench/floor/state", payload, qos=1, retained=True)
        self._sent = asyncio.ensure_future(self._session.publish(message))

    def ignored(self, device: str, key: str, why: str) -> None:
        raise AssertionError(f"{key} was ignored: {why}")

    def stuck(self, device: str, key: str) -> None:
        raise AssertionError(f"{key} is stuck")

    def freed(self, device: str, key: str) -> None:
        pass


@contextlib.asynccontextmanager
async def floor(folder: Path, port: int) -> AsyncIterator[Stand]:
    """Panel, journal and MQTT driver alone."""
    stand = Stand()
    journal, _ = Journal.open(folder / "hall-floor.db")
    worker = JournalWorker(journal)
    row = began("floor", rulebook_of("ug"), 0)
    await worker.call(lambda journal: journal.begin(row, Record(0, SETUP)))
    ready: asyncio.Future[Session] = asyncio.get_running_loop().create_future()

    async def use(session: Session) -> None:
        ready.set_result(session)
        async for _ in session.messages():
            pass

    config = BrokerConfig("127.0.0.1", client_id="floor", port=port)
    serving = asyncio.create_task(MqttBroker(config, will=Message("gone", b"")).serve(use))
    listener = _Floor(stand, worker, await ready)
    panel = Panel("panel", stand.keymap.wiring(), listener, factory=stand.pins)
    yield stand
    panel.close()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await worker.close()


async def _pressed(stand: Stand, subscriber: Subscriber, seq: int) -> float:
    stand.finger.down("plus1")
    await asyncio.sleep(0.02)
    stand.finger.up("plus1")
    took = (await subscriber.until(seq) - stand.accepted_ns) / 1000
    await asyncio.sleep(0.12)
    return took


async def measured(presses: int, folder: Path, port: int) -> list[Figure]:
    """Presses of both in turn."""
    mine: list[float] = []
    floors: list[float] = []
    hears_table = await Subscriber.start(port, "tacada/bench/table/state")
    hears_floor = await Subscriber.start(port, "tacada/bench/floor/state")
    async with whole_table(folder, port) as table, floor(folder, port) as least:
        for seq in range(1, presses + 11):
            took = await _pressed(table, hears_table, seq)
            base = await _pressed(least, hears_floor, seq)
            if seq > 10:
                mine.append(took)
                floors.append(base)
    await hears_table.stop()
    await hears_floor.stop()
    return [Figure("press → subscriber, state decoded (QoS 1)", mine, floors, "≤ 1.5×")]


def run(presses: int = 300) -> list[Figure]:
    """On the disk of the working directory's file system, and a broker on the loopback."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".benchmark-") as name:
        folder = Path(name).resolve()
        with mosquitto(folder) as port:
            return asyncio.run(measured(presses, folder, port))
