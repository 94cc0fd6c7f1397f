"""A table that hangs is ended by its unit, says where it hung, and stands where it stood."""

import asyncio
import contextlib
import re
import signal
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.e2e.process import ROOT, TableProcess, table_process

UNIT = (ROOT / "systemd" / "tacada@.service").read_text("utf-8")
_SECONDS = {"s": 1.0, "ms": 0.001}


def unit_s(name: str) -> float:
    """A time of the unit that is shipped, in seconds."""
    (found,) = re.findall(rf"(?m)^{name}=(\d+)(s|ms)$", UNIT)
    number, unit = found
    return int(number) * _SECONDS[unit]


WATCHDOG_S, ABORT_S, AGAIN_S = (
    unit_s(name) for name in ("WatchdogSec", "TimeoutAbortSec", "RestartSec")
)


def test_the_unit_leaves_a_second_of_five_for_the_start() -> None:
    assert WATCHDOG_S + ABORT_S + AGAIN_S <= 4


class Unit:
    """What systemd does with `WatchdogSec`: hears pings, and ends whom it does not hear."""

    def __init__(self, folder: Path) -> None:
        self.environment = {
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6)),
        }
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.environment["NOTIFY_SOCKET"])
        self._socket.setblocking(False)

    def close(self) -> None:
        self._socket.close()

    async def heard(self, word: bytes) -> None:
        loop = asyncio.get_running_loop()
        while await loop.sock_recv(self._socket, 100) != word:
            pass

    async def watches(self, table: TableProcess) -> int:
        """Until the table is heard no more, and is ended; its status."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(WATCHDOG_S):
                    await self.heard(b"WATCHDOG=1")
        table.signalled(signal.SIGABRT)
        try:
            async with asyncio.timeout(ABORT_S):
                return await table.ended()
        except TimeoutError:
            await table.kill()
        return await table.ended()


async def in_a_press(table: TableProcess) -> None:
    """Judging a press never ends: the processor is at 100 %."""
    await table.tell("hang")
    await table.answer("hang")
    await table.tell("press plus1")


async def stopped(table: TableProcess) -> None:
    """Nothing of it runs any more."""
    table.signalled(signal.SIGSTOP)


@pytest.mark.parametrize(
    ("hangs", "status", "where"),
    [(in_a_press, -signal.SIGABRT, "_never_ends"), (stopped, -signal.SIGKILL, "")],
)
def test_a_table_that_hangs_is_ended_and_stands_where_it_stood(
    tmp_path: Path,
    hangs: Callable[[TableProcess], Awaitable[None]],
    status: int,
    where: str,
) -> None:
    journal = tmp_path / "journal.db"

    async def run() -> None:
        with contextlib.closing(Unit(tmp_path)) as unit, (tmp_path / "log").open("w+b") as log:
            async with table_process(journal, 0, more=unit.environment, log=log) as table:
                await table.answer("started")
                await unit.heard(b"READY=1")
                before = await table.press(["plus1", "plus1", "end"])
                look = await table.look()
                await hangs(table)
                began = asyncio.get_running_loop().time()
                assert await unit.watches(table) == status
            await asyncio.sleep(AGAIN_S)
            async with table_process(journal, 0, more=unit.environment) as table:
                assert await table.answer("started") == before
                print(f"back after {asyncio.get_running_loop().time() - began:.1f} s")
                assert await table.look() == look
                assert (await table.press(["plus1"]))["seq"] == before["seq"] + 1
                assert await table.stop() == 0
            assert where in (tmp_path / "log").read_text("utf-8")

    asyncio.run(run())


def test_a_table_at_work_and_at_rest_is_heard_all_the_time(tmp_path: Path) -> None:
    """Nobody is ended who only works hard, or has nothing to do."""

    async def run() -> None:
        with contextlib.closing(Unit(tmp_path)) as unit:
            async with table_process(tmp_path / "journal.db", 0, more=unit.environment) as table:
                await table.answer("started")
                watching = asyncio.create_task(unit.watches(table))
                await table.press(["plus1", "end"] * 20)
                await asyncio.sleep(WATCHDOG_S + 1)
                assert not watching.done()
                watching.cancel()
                assert await table.stop() == 0

    asyncio.run(run())
