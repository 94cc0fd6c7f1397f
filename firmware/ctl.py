"""`tacada ctl`: commands to a table from a shell, over MQTT."""

import asyncio
import uuid
from collections.abc import Callable
from typing import Any

import msgspec

from drivers.broker import Backoff, BrokerConfig, MqttBroker
from drivers.errors import BrokerLost
from drivers.ports import Message, Session
from firmware.commands import COMMANDS, Command, Reply
from firmware.errors import FirmwareError
from firmware.messages import Topics

ANSWER_S = 5.0
"""How long to wait for the table's state and for its answer."""


async def command(
    broker: BrokerConfig,
    topics: Topics,
    name: str,
    fields: dict[str, Any],
    *,
    sure: Callable[[Reply], bool] | None = None,
) -> Reply:
    """Send a command against the table's latest state, and give its answer.

    With `sure` the table is first asked for a preview, and nothing is done unless `sure` says
    so of it.

    Raises:
        FirmwareError: the broker or the table cannot be reached.
    """
    answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    async def use(session: Session) -> None:
        answer.set_result(await _talk(session, topics, name, fields, sure))

    will = Message(f"{topics.base}/ctl", b"")
    client = MqttBroker(
        broker,
        will=will,
        subscriptions=[topics.state, topics.reply(name)],
        backoff=Backoff(first_s=0.2, longest_s=0.5),
    )
    serving = asyncio.create_task(client.serve(use))
    try:
        async with asyncio.timeout(ANSWER_S):
            await serving
        return answer.result()
    except TimeoutError:
        raise FirmwareError(
            f"no answer from {topics.base} by way of {broker.host}:{broker.port}"
        ) from None
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def _talk(
    session: Session,
    topics: Topics,
    name: str,
    fields: dict[str, Any],
    sure: Callable[[Reply], bool] | None,
) -> Reply:
    messages = session.messages()
    async for message in messages:
        if message.topic == topics.state:
            seq = msgspec.json.decode(message.payload)["seq"]
            break
    else:
        raise BrokerLost("the connection broke")

    async def asked(**more: Any) -> Reply:
        id_ = uuid.uuid4().hex
        known = {"expect_seq": seq} if issubclass(COMMANDS[name], Command) else {}
        payload = {"id": id_} | known | fields | more
        topic = topics.commands.replace("+", name)
        await session.publish(Message(topic, msgspec.json.encode(payload), qos=1))
        async for message in messages:
            if message.topic == topics.reply(name):
                reply = msgspec.json.decode(message.payload, type=Reply)
                if reply.id == id_:
                    return reply
        raise BrokerLost("the connection broke")

    if sure is not None:
        preview = await asked(preview=True)
        if preview.error is not None or not sure(preview):
            return preview
    return await asked()
