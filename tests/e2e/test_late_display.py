"""A display that is opened while the shot clock runs, or stands: asks 71 and 72.

A real table, a real broker, and a display that hears nothing but the broker's messages. Both read
the monotonic clock of the machine; the display starts seconds after the clock did.
"""

import asyncio
import json
import time
from pathlib import Path

import aiomqtt

from firmware.hall.follower import Followed, TableNow
from tests.e2e.process import TableProcess, table_process, there
from tests.mosquitto import Mosquitto

TOLERANCE_MS = 100
BEATS = 5
"""So many beats, one a second, may be late on a machine that has much else to do."""


async def enter(port: int, seq: int, act: str) -> None:
    """Enter by command, and wait for the answer."""
    async with aiomqtt.Client("127.0.0.1", port=port) as client:
        await client.subscribe("tacada/test/1/reply/#", qos=1)
        asked = json.dumps({"id": f"c{seq}-{act}", "expect_seq": seq, "act": act})
        await client.publish("tacada/test/1/command/enter", asked, qos=1)
        async with asyncio.timeout(8):
            answer = json.loads((await anext(aiter(client.messages))).payload)
        assert not answer.get("error"), answer


async def table_left(table: TableProcess) -> tuple[int, int]:
    """What the table itself has left on its clock, and at which moment."""
    await table.tell("left")
    left = await table.answer("left")
    return left["at_ms"], left["ms"]


def display_left(seen: TableNow) -> int:
    """What a display shows, in milliseconds."""
    assert seen.clock is not None
    assert seen.clock.shot is not None
    assert seen.t_ms is not None
    return seen.clock.shot.left(seen.t_ms)


async def late_by(port: int, table: TableProcess, *, running: bool) -> int:
    """Open a display now; by how much it differs from the table after its first beats, in ms."""
    display = Followed("test", "1", time.monotonic_ns() // 1_000_000)
    display.subscribed()
    found: list[int] = []
    async with aiomqtt.Client("127.0.0.1", port=port) as client, asyncio.timeout(20):
        await client.subscribe("tacada/test/1/+", qos=1)
        async for message in client.messages:
            name = str(message.topic).rpartition("/")[2]
            assert isinstance(message.payload, bytes)
            display.heard(name, message.payload, time.monotonic_ns() // 1_000_000)
            if name != "beat":
                continue
            at_ms, left_ms = await table_left(table)
            seen = display.now(at_ms)
            assert seen.live
            assert seen.clock is not None
            assert seen.clock.shot is not None
            assert seen.clock.shot.running is running
            found.append(abs(display_left(seen) - left_ms))
            if found[-1] <= TOLERANCE_MS or len(found) == BEATS:
                return found[-1]
    raise AssertionError("the broker went away")


def test_whoever_joins_late_has_what_the_table_has_left_within_a_tenth_of_a_second(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async def run() -> None:
        port = mosquitto.port
        async with table_process(tmp_path / "journal.db", port) as table:
            await table.answer("started")
            await there(port)
            await enter(port, 0, "START")
            for pause_s in (1.7, 0.6):
                await asyncio.sleep(pause_s)
                assert await late_by(port, table, running=True) <= TOLERANCE_MS
            at_ms, before = await table_left(table)
            assert before < 38_500, "it runs"
            await enter(port, 1, "PAUSE")
            _, stands = await table_left(table)
            await asyncio.sleep(1)
            assert await late_by(port, table, running=False) == 0, "what stands is the same to all"
            assert (await table_left(table))[1] == stands > 0
            await enter(port, 2, "RESUME")
            assert await late_by(port, table, running=True) <= TOLERANCE_MS
            assert (await table_left(table))[0] > at_ms
            assert await table.stop() == 0

    asyncio.run(run())
