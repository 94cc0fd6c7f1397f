"""Brokers that answer nothing, and who is told to end while he waits for them."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.broker import BrokerConfig, MqttBroker, Tls
from drivers.ports import Message, Session
from drivers.reach import reached

WILL = Message("hall/1/availability", b"offline", 1, True)


@contextlib.contextmanager
def hangs(family: socket.AddressFamily, where: Any, callers: int) -> Iterator[socket.socket]:
    """A server that never looks at who calls; `callers` wait already, and one alone finds room."""
    with contextlib.ExitStack() as open_:
        server = open_.enter_context(socket.socket(family))
        server.bind(where)
        server.listen(0)
        for _ in range(callers):
            caller = open_.enter_context(socket.socket(family))
            caller.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                caller.connect(server.getsockname())
        yield server


def calls_under_way() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if one.name == "broker"}


@pytest.mark.parametrize(
    ("callers", "tls"),
    [pytest.param(4, None, id="a call"), pytest.param(0, Tls(), id="a handshake")],
)
def test_a_program_that_ends_leaves_behind_what_nobody_answers(
    callers: int, tls: Tls | None
) -> None:
    """Otherwise the end would wait for it, for seconds."""
    before = calls_under_way()

    async def use(session: Session) -> None:
        raise AssertionError("nobody is there")

    async def told_to_end_while_it_calls(port: int) -> None:
        config = BrokerConfig("127.0.0.1", "table-1", port, tls=tls, timeout_s=20)
        serving = asyncio.create_task(MqttBroker(config, will=WILL).serve(use))
        async with asyncio.timeout(10):
            while not calls_under_way() - before:  # noqa: ASYNC110 - a thread has no event
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        serving.cancel()
        await asyncio.wait([serving])

    with hangs(socket.AF_INET, ("127.0.0.1", 0), callers) as server:
        asyncio.run(told_to_end_while_it_calls(server.getsockname()[1]))
        assert calls_under_way() - before


def test_a_broker_on_this_machine_that_hangs_holds_nobody_up(tmp_path: Path) -> None:
    """A Unix socket whose queue is full would keep a caller without a limit for ever."""
    path = str(tmp_path / "mqtt.sock")

    async def scene() -> None:
        async with asyncio.timeout(10):
            with pytest.raises(OSError, match="unavailable"):
                await reached(path, 0, 5)

    with hangs(socket.AF_UNIX, path, 4):
        asyncio.run(scene())


@pytest.mark.parametrize("host", ["nobody.invalid", "a" * 64, "a..b"])
def test_a_name_that_no_machine_has_is_told(host: str) -> None:
    async def scene() -> None:
        with pytest.raises(OSError, match=r"\w"):
            await reached(host, 1883, 5)

    asyncio.run(scene())


def test_a_connection_that_is_made_too_late_is_closed() -> None:
    """Who called has been told to end meanwhile."""

    async def scene() -> None:
        gone = asyncio.Event()

        async def taken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()
            gone.set()

        server = await asyncio.start_server(taken, "127.0.0.1")
        async with server, asyncio.timeout(10):
            port = server.sockets[0].getsockname()[1]
            calling = asyncio.create_task(reached("127.0.0.1", port, 5))
            await asyncio.sleep(0)  # the call is out
            calling.cancel()
            await gone.wait()

    asyncio.run(scene())
