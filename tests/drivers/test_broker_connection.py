"""Connecting, against a real mosquitto and a socket that behaves worse than any broker."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from drivers.broker import Backoff, BrokerConfig, MqttBroker, Tls
from drivers.errors import BrokerLost
from drivers.ports import Session
from tests.drivers.broker_rig import (
    OFFLINE,
    ONLINE,
    PATIENCE_S,
    SOON,
    Mosquitto,
    Watcher,
    a_broker,
    read_on,
    serving,
)


def test_it_comes_back_after_a_restart_of_the_broker(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        births: asyncio.Queue[int] = asyncio.Queue()

        async def use(session: Session) -> None:
            await session.publish(ONLINE)
            births.put_nowait(1)
            # As a publisher does: several tasks, each of which meets the break.
            async with asyncio.TaskGroup() as group:
                group.create_task(read_on(session))
                group.create_task(read_on(session))

        async with serving(a_broker(mosquitto.port), use):
            await births.get()
            mosquitto.stop()
            await asyncio.sleep(0.2)
            assert births.empty()
            mosquitto.start()
            await births.get()
            async with Watcher(mosquitto.port) as watcher:
                assert await watcher.next() == ONLINE

    asyncio.run(scene())


def test_a_frozen_broker_is_noticed(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        broken: asyncio.Queue[str] = asyncio.Queue()

        async def use(session: Session) -> None:
            mosquitto.freeze()
            with pytest.raises(BrokerLost):
                await session.publish(ONLINE)
            broken.put_nowait("publish")
            with pytest.raises(BrokerLost):
                await read_on(session)
            broken.put_nowait("messages")
            raise BrokerLost("seen")

        broker = a_broker(mosquitto.port, keepalive_s=1, timeout_s=0.2)
        async with serving(broker, use):
            assert await broken.get() == "publish"
            assert await broken.get() == "messages"

    asyncio.run(scene())


async def beside_a_server(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    client: Callable[[int], Awaitable[None]],
) -> None:
    server = await asyncio.start_server(answer, "127.0.0.1")
    async with server, asyncio.timeout(PATIENCE_S):
        await client(server.sockets[0].getsockname()[1])


def test_a_port_that_never_answers_is_given_up_and_closed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene() -> None:
        closed: asyncio.Queue[bytes] = asyncio.Queue()

        async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            closed.put_nowait(await reader.read())
            writer.close()

        async def client(port: int) -> None:
            async with serving(a_broker(port, timeout_s=0.1), read_on):
                # Twice: each attempt is a connection of its own, and none is left open.
                assert (await closed.get())[0] == 0x10
                assert (await closed.get())[0] == 0x10

        await beside_a_server(mute, client)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(scene())
    assert "next attempt in" in caplog.text


def test_a_refused_subscription_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        refused = asyncio.Event()

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await read_packet(reader)
            writer.write(b"\x20\x02\x00\x00")
            subscribe = await read_packet(reader)
            writer.write(b"\x90\x03" + subscribe[:2] + b"\x80")
            await reader.read()
            refused.set()
            writer.close()

        async def client(port: int) -> None:
            async with serving(a_broker(port, "secret/#"), read_on):
                await refused.wait()

        await beside_a_server(refuse, client)

    asyncio.run(scene())
    assert "refuses to let us hear secret/#" in caplog.text


async def read_packet(reader: asyncio.StreamReader) -> bytes:
    """One MQTT packet shorter than 128 bytes, without its two bytes of header."""
    return await reader.readexactly((await reader.readexactly(2))[1])


def test_will_and_password_are_given(mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        connects: asyncio.Queue[bytes] = asyncio.Queue()

        async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connects.put_nowait(await read_packet(reader))
            writer.close()

        async def client(port: int) -> None:
            config = BrokerConfig(
                "127.0.0.1", "table-1", port, username="club", password="hustler", keepalive_s=7
            )
            async with serving(MqttBroker(config, will=OFFLINE, backoff=SOON), read_on):
                connect = await connects.get()
            # MQTT 3.1.1, 3.1.2: user, password, will kept, QoS 1, will, clean session
            assert connect[7] == 0b11_1_01_1_1_0
            assert int.from_bytes(connect[8:10]) == 7
            for text in (b"table-1", b"hall/1/availability", b"offline", b"club", b"hustler"):
                assert len(text).to_bytes(2) + text in connect

        await beside_a_server(note, client)

    asyncio.run(scene())


def test_tls_is_spoken_with_a_broker_that_the_given_authority_vouches_for(
    mosquitto: Mosquitto,
) -> None:
    mosquitto.stop()
    authority = mosquitto.encrypt()
    mosquitto.start()
    spoken = False

    async def use(session: Session) -> None:
        nonlocal spoken
        await session.publish(ONLINE)
        spoken = True

    async def scene() -> None:
        async with asyncio.timeout(PATIENCE_S):
            await a_broker(mosquitto.port, tls=Tls(ca_file=authority)).serve(use)

    asyncio.run(scene())
    assert spoken


def test_nobody_at_the_port_is_tried_again_and_told_once(
    mosquitto: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "drivers.broker")
    mosquitto.stop()

    async def scene() -> None:
        async with serving(a_broker(mosquitto.port), read_on):
            async with asyncio.timeout(PATIENCE_S):
                while len(caplog.records) < 3:  # noqa: ASYNC110 - a log has no event
                    await asyncio.sleep(0.01)

    asyncio.run(scene())
    assert [record.levelname for record in caplog.records[:3]] == ["WARNING", "INFO", "INFO"]


def test_waits_double_up_to_the_longest_and_are_spread() -> None:
    backoff = Backoff()
    assert [backoff.delay_s(n, 1) for n in (0, 1, 2, 5, 6, 7, 5000)] == [0.5, 1, 2, 16, 30, 30, 30]
    assert backoff.delay_s(3, 0.5) == 2
    assert backoff.delay_s(3, 0) == 0


@pytest.mark.parametrize(
    ("healthy_s", "waits"), [(60, ["0.1", "0.2", "0.4"]), (0, ["0.1", "0.1", "0.1"])]
)
def test_a_healthy_connection_makes_the_next_wait_a_first_one(
    mosquitto: Mosquitto, caplog: pytest.LogCaptureFixture, healthy_s: float, waits: list[str]
) -> None:
    caplog.set_level(logging.INFO, "drivers.broker")
    sessions = 0

    async def use(_: Session) -> None:
        nonlocal sessions
        sessions += 1
        if sessions <= 3:
            raise BrokerLost("broken")

    async def scene() -> None:
        config = BrokerConfig("127.0.0.1", "table-1", mosquitto.port)
        backoff = Backoff(first_s=0.1, healthy_s=healthy_s)
        await MqttBroker(config, will=OFFLINE, backoff=backoff, chance=lambda: 1).serve(use)

    asyncio.run(scene())
    told = [record.getMessage().split()[-2] for record in caplog.records]
    assert told == waits


def test_a_password_is_never_shown() -> None:
    config = BrokerConfig("127.0.0.1", "table-1", username="club", password="hustler")
    assert "hustler" not in repr(config)


def test_a_broker_at_a_unix_socket(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """One that the network cannot reach: the table needs no network at all."""
    path = tmp_path / "mqtt.sock"
    mosquitto.listen_at(path)
    mosquitto.stop()
    mosquitto.start()

    async def run() -> None:
        config = BrokerConfig(str(path), "table-1")
        broker = MqttBroker(config, will=OFFLINE, backoff=SOON)

        async def use(session: Session) -> None:
            await session.publish(ONLINE)
            await read_on(session)

        async with Watcher(mosquitto.port) as watcher:
            async with serving(broker, use):
                assert (await watcher.next()).payload == b"online"
            # Cut without a farewell: the broker says it for us.
            assert (await watcher.next()).payload == b"offline"

    asyncio.run(run())
