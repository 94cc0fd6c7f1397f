"""`tacada ctl`: commands to a table from a shell, over MQTT."""

import asyncio
import contextlib
import uuid
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from drivers.broker import Backoff, BrokerConfig, MqttBroker
from drivers.errors import BrokerLost
from drivers.ports import Message, Session
from firmware.commands import COMMANDS, Command, Reply
from firmware.errors import FirmwareError
from firmware.messages import Topics

ANSWER_S = 5.0
"""How long to wait for the table's state and for its answer."""


class _State(Struct):
    """Of a table's state what a command has to name."""

    seq: int


async def command(
    broker: BrokerConfig,
    topics: Topics,
    name: str,
    fields: dict[str, Any],
    *,
    sure: Callable[[Reply], bool] | None = None,
    read_s: float = 0,
    on_shown: Callable[[], None] = lambda: None,
) -> Reply:
    """Send a command against the table's latest state, and give its answer.

    With `sure` the table is first asked for a preview, and nothing is done unless `sure` says
    so of it. What is answered twice, a message, is waited for `read_s` seconds after the first
    answer, at which `on_shown` is called; without a second one the first is given.

    Raises:
        FirmwareError: the broker or the table cannot be reached.
    """
    answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    # The same after a connection broke: what was obeyed already is not done again.
    id_ = uuid.uuid4().hex

    async def use(session: Session) -> None:
        talk = _Talk(session, topics, name, fields, id_)
        reply = await talk.asked(sure)
        if read_s and reply.error is None:
            on_shown()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(read_s):
                    reply = await talk.answer(reply.id)
        answer.set_result(reply)

    will = Message(f"{topics.base}/ctl", b"")
    client = MqttBroker(
        broker,
        will=will,
        subscriptions=[topics.state, topics.reply(name)],
        backoff=Backoff(first_s=0.2, longest_s=0.5),
    )
    serving = asyncio.create_task(client.serve(use))
    try:
        async with asyncio.timeout(ANSWER_S + read_s):
            await serving
        return answer.result()
    except TimeoutError:
        raise FirmwareError(
            f"no answer from {topics.base} by way of {broker.host}:{broker.port}"
        ) from None
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


class _Talk:
    """A command on its way, over one connection."""

    def __init__(
        self, session: Session, topics: Topics, name: str, fields: dict[str, Any], id_: str
    ) -> None:
        self._session, self._topics, self._name, self._id = session, topics, name, id_
        self._messages = session.messages()
        self._fields = fields

    async def asked(self, sure: Callable[[Reply], bool] | None) -> Reply:
        """Ask; with `sure` only if it says so of what the score would be.

        Raises:
            BrokerLost: the connection broke.
        """
        if issubclass(COMMANDS[self._name], Command):
            state = await self._heard(self._topics.state)
            seq = msgspec.json.decode(state.payload, type=_State).seq
            self._fields = {"expect_seq": seq} | self._fields
        if sure is not None:
            preview = await self._ask(f"{self._id}-preview", preview=True)
            if preview.error is not None or not sure(preview):
                return preview
        return await self._ask(self._id)

    async def answer(self, id_: str) -> Reply:
        """The next answer to what was asked with this id.

        Raises:
            BrokerLost: the connection broke.
        """
        while True:
            message = await self._heard(self._topics.reply(self._name))
            reply = msgspec.json.decode(message.payload, type=Reply)
            if reply.id == id_:
                return reply

    async def _ask(self, id_: str, **more: Any) -> Reply:
        topic = self._topics.commands.replace("+", self._name)
        payload = msgspec.json.encode({"id": id_} | self._fields | more)
        await self._session.publish(Message(topic, payload, qos=1))
        return await self.answer(id_)

    async def _heard(self, topic: str) -> Message:
        async for message in self._messages:
            if message.topic == topic:
                return message
        raise BrokerLost("the connection broke")
