"""From the acceptance of a press to a subscriber in another process that has decoded the state.

A real mosquitto in between. The floor publishes the same state, encoded beforehand.
"""

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from benchmarks.figures import Aim, Figure, Series
from benchmarks.marks import ACCEPTED, BYTE, COMMITTED, LOOP, PUBLISHING, SHOWING, Marks
from benchmarks.mosquitto import mosquitto
from benchmarks.press import WARM_UP
from benchmarks.stand import Stand, floor, product
from drivers.broker import BrokerConfig, MqttBroker
from drivers.ports import Message, Session
from rules.scoreline import Scoreline

ROUTE = (ACCEPTED, COMMITTED, LOOP, PUBLISHING)
LIGHT = (ACCEPTED, COMMITTED, LOOP, SHOWING, BYTE)

TABLE_TOPIC = "tacada/bench/hall/state"
FLOOR_TOPIC = "tacada/bench/floor/state"


class _Subscriber:
    """Another process that hears the states of one table."""

    def __init__(self, process: asyncio.subprocess.Process, lines: asyncio.StreamReader) -> None:
        self._process, self._lines = process, lines

    @classmethod
    @contextlib.asynccontextmanager
    async def hearing(cls, port: int, topic: str) -> AsyncIterator["_Subscriber"]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.subscriber", str(port), topic),
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        try:
            yield cls(process, process.stdout)
        finally:
            process.kill()
            await process.wait()

    async def until(self, seq: int) -> int:
        """When the state with this record was decoded, on the monotonic clock."""
        while True:
            heard, t_ns = (await self._lines.readline()).split()
            if int(heard) == seq:
                return int(t_ns)


class _Publishing:
    """The MQTT driver with states that are ready to be sent."""

    def __init__(self, session: Session, line: Scoreline) -> None:
        self._session = session
        self._state = msgspec.json.encode(line)

    def send(self, seq: int) -> None:
        payload = re.sub(rb'"seq":\d+', b'"seq":%d' % seq, self._state, count=1)
        message = Message(FLOOR_TOPIC, payload, qos=1, retained=True)
        self._sending = asyncio.ensure_future(self._session.publish(message))


@contextlib.asynccontextmanager
async def _session(port: int) -> AsyncIterator[Session]:
    ready: asyncio.Future[Session] = asyncio.get_running_loop().create_future()

    async def use(session: Session) -> None:
        ready.set_result(session)
        async for _ in session.messages():
            pass

    broker = MqttBroker(
        BrokerConfig("127.0.0.1", client_id="floor", port=port), will=Message("gone", b"")
    )
    serving = asyncio.create_task(broker.serve(use))
    yield await ready
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


async def _lit(marks: Marks) -> list[int]:
    """When the press was on its way to the light; its last byte goes in a thread of its own."""
    async with asyncio.timeout(5):
        while (lit := marks.times_ns(LIGHT)) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    return list(lit)


async def _measured(presses: int, folder: Path, port: int) -> list[Figure]:
    marks = Marks()
    mine: list[list[int]] = []
    floors: list[list[int]] = []
    light: list[float] = []
    least = Stand(marks)
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(marks.taken())
        hears_table = await stack.enter_async_context(_Subscriber.hearing(port, TABLE_TOPIC))
        hears_floor = await stack.enter_async_context(_Subscriber.hearing(port, FLOOR_TOPIC))
        table = await stack.enter_async_context(product(folder, marks, table="hall", port=port))
        sending = _Publishing(await stack.enter_async_context(_session(port)), table.line)
        await stack.enter_async_context(floor(folder, least, sending.send, name="hall-floor"))
        for seq in range(1, presses + WARM_UP + 1):
            passed = await table.stand.press(ROUTE)
            passed.append(await hears_table.until(seq))
            lit = await _lit(marks)
            least_passed = await least.press(ROUTE)
            least_passed.append(await hears_floor.until(seq))
            if seq > WARM_UP:
                light.append((lit[-1] - lit[0]) / 1000)
                mine.append(passed)
                floors.append(least_passed)

    def between(name: str, start: int, end: int, aim: Aim | None = None) -> Figure:
        def series(presses: list[list[int]]) -> Series:
            return Series.of([(passed[end] - passed[start]) / 1000 for passed in presses])

        return Figure(name, series(mine), series(floors), aim or Aim())

    return [
        between("press → subscriber, state decoded (QoS 1)", 0, 4, Aim(ratio=1.5)),
        between("  of it: acceptance → on disk", 0, 1),
        between("  of it: on disk → first publish", 1, 3),
        between("  of it: publish → subscriber", 3, 4),
        Figure("press → last SPI byte, while a broker listens", Series.of(light)),
    ]


def run(presses: int, folder: Path) -> list[Figure]:
    """Presses of both in turn, by way of one broker on the loopback."""
    with mosquitto(folder) as port:
        return asyncio.run(_measured(presses, folder, port))
