"""A session on a real mosquitto: what goes out and comes in, and each way in which it ends."""

import asyncio
import gc
import socket

import pytest

from drivers.broker import BrokerConfig, MqttBroker, Tls
from drivers.errors import BrokerLost
from drivers.ports import Message, Session
from tests.drivers.broker_rig import (
    ONLINE,
    Mosquitto,
    Watcher,
    a_broker,
    serving,
)


def test_messages_go_out_and_come_in(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        got: asyncio.Queue[Message] = asyncio.Queue()
        broker = a_broker(mosquitto.port, "hall/1/command/+")

        async def use(session: Session) -> None:
            await session.publish(ONLINE)
            async for message in session.messages():
                got.put_nowait(message)

        async with Watcher(mosquitto.port) as watcher, serving(broker, use):
            assert await watcher.next() == Message("hall/1/availability", b"online", 1)
            assert broker.connected

            async def send(session: Session) -> None:
                await session.publish(Message("hall/1/command/entry", b"\x00{}", 1))

            await a_broker(mosquitto.port, client_id="phone").serve(send)
            assert await got.get() == Message("hall/1/command/entry", b"\x00{}", 1)
        assert not broker.connected

    asyncio.run(scene())


def test_what_the_broker_kept_comes_marked(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async def once(session: Session) -> None:
            await session.publish(ONLINE)

        await a_broker(mosquitto.port).serve(once)
        async with Watcher(mosquitto.port) as watcher:
            assert await watcher.next() == ONLINE

    asyncio.run(scene())


def test_a_session_that_returns_leaves_without_the_will(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async def use(session: Session) -> None:
            await session.publish(ONLINE)

        async def marker(session: Session) -> None:
            await session.publish(Message("hall/end", b""))

        async with Watcher(mosquitto.port) as watcher:
            await a_broker(mosquitto.port).serve(use)
            assert (await watcher.next()).payload == b"online"
            await a_broker(mosquitto.port, client_id="marker").serve(marker)
            assert (await watcher.next()).topic == "hall/end"

    asyncio.run(scene())


@pytest.mark.parametrize("how", ["cancelled", "crashed"])
def test_a_session_that_does_not_return_leaves_its_will(mosquitto: Mosquitto, how: str) -> None:
    async def scene() -> None:
        crash = asyncio.Event()

        async def use(session: Session) -> None:
            await session.publish(ONLINE)
            await crash.wait()
            raise ZeroDivisionError

        async with Watcher(mosquitto.port) as watcher:
            async with serving(a_broker(mosquitto.port), use) as task:
                assert (await watcher.next()).payload == b"online"
                if how == "crashed":
                    crash.set()
                    with pytest.raises(ZeroDivisionError):
                        await task
            assert (await watcher.next()).payload == b"offline"

    asyncio.run(scene())


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_program_that_ends_at_once_has_closed_its_connection(
    mosquitto: Mosquitto, encrypted: bool
) -> None:
    tls = None
    if encrypted:
        mosquitto.stop()
        tls = Tls(ca_file=mosquitto.encrypt())
        mosquitto.start()
    open_ones: list[socket.socket] = []

    async def use(session: Session) -> None:
        open_ones.extend(
            found
            for found in gc.get_objects()
            if isinstance(found, socket.socket)
            and found.fileno() != -1
            and found.family == socket.AF_INET
            and found.type == socket.SOCK_STREAM
        )
        raise ZeroDivisionError

    async def scene() -> None:
        with pytest.raises(ZeroDivisionError):
            await a_broker(mosquitto.port, tls=tls).serve(use)
        assert open_ones
        assert not [still for still in open_ones if still.fileno() != -1]

    asyncio.run(scene())


def test_a_cancelled_session_can_still_say_goodbye(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async def use(session: Session) -> None:
            await session.publish(ONLINE)
            try:
                await asyncio.Event().wait()
            finally:
                await session.publish(Message("hall/1/bye", b"", 1))

        async with Watcher(mosquitto.port) as watcher:
            async with serving(a_broker(mosquitto.port), use):
                await watcher.next()
            assert (await watcher.next()).topic == "hall/1/bye"

    asyncio.run(scene())


def test_told_to_end_while_the_link_breaks_it_ends(mosquitto: Mosquitto) -> None:
    """A task group with errors forgets that it was cancelled: the connection must not go on."""

    async def run() -> None:
        used = asyncio.Event()

        async def use(session: Session) -> None:
            async def breaks_when_cancelled() -> None:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    raise BrokerLost("broke at the same moment") from None

            async with asyncio.TaskGroup() as group:
                group.create_task(breaks_when_cancelled())
                used.set()
                await asyncio.Event().wait()

        config = BrokerConfig("127.0.0.1", client_id="told-to-end", port=mosquitto.port)
        serving = asyncio.create_task(MqttBroker(config, will=Message("t", b"")).serve(use))
        await used.wait()
        serving.cancel()
        done, _ = await asyncio.wait([serving], timeout=5)
        assert done
        assert serving.cancelled()

    asyncio.run(run())
