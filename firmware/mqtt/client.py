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
from drivers.phrases import Phrase
from drivers.ports import Message, Session
from firmware.commands import COMMANDS, Command, Reply
from firmware.errors import FirmwareError
from firmware.mqtt.messages import Topics

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
    read_s: float = 0,
    on_shown: Callable[[], None] = lambda: None,
) -> Reply:
    """Send a command against the table's latest state, and give its answer.

    Where `fields` name a record themselves, it is sent against that one. What is answered twice, a
    message, is waited for `read_s` seconds after the first answer, at which `on_shown` is called;
    without a second one the first is given.

    Raises:
        FirmwareError: the broker or the table cannot be reached.
    """
    answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    # The same after a connection broke: what was obeyed already is not done again.
    id_ = uuid.uuid4().hex

    async def use(session: Session) -> None:
        talk = _Talk(session, topics, name, fields, id_)
        reply = await talk.asked()
        if read_s and reply.error is None:
            on_shown()
            reply = await talk.read_within(read_s) or reply
        answer.set_result(reply)

    try:
        async with asyncio.timeout(ANSWER_S + read_s):
            await _client(broker, topics, name).serve(use)
    except TimeoutError:
        raise FirmwareError(
            Phrase(
                "unanswered",
                "no answer from {table} by way of {broker}",
                table=topics.base,
                broker=f"{broker.host}:{broker.port}",
            )
        ) from None
    return answer.result()


def _client(broker: BrokerConfig, topics: Topics, name: str) -> MqttBroker:
    """A connection that hears a table's state and its answers to one command."""
    return MqttBroker(
        broker,
        will=Message(f"{topics.base}/ctl", b""),
        subscriptions=[topics.state, topics.reply(name)],
        backoff=Backoff(first_s=0.2, longest_s=0.5),
    )


class _Talk:
    """A command on its way, over one connection."""

    def __init__(
        self, session: Session, topics: Topics, name: str, fields: dict[str, Any], id_: str
    ) -> None:
        self._session, self._topics, self._name, self._id = session, topics, name, id_
        self._messages = session.messages()
        self._fields = fields

    async def asked(self) -> Reply:
        """Ask, and wait for the answer.

        Raises:
            BrokerLost: the connection broke.
        """
        fields = self._fields
        if issubclass(COMMANDS[self._name], Command) and "expect_seq" not in fields:
            state = await self._heard(self._topics.state)
            seq = msgspec.json.decode(state.payload, type=_State).seq
            fields = {"expect_seq": seq} | fields
        topic = self._topics.commands.replace("+", self._name)
        payload = msgspec.json.encode({"id": self._id} | fields)
        await self._session.publish(Message(topic, payload, qos=1))
        return await self._answer()

    async def read_within(self, seconds: float) -> Reply | None:
        """A second answer to the command, if there is one in time.

        Raises:
            BrokerLost: the connection broke.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self._answer()
        return None

    async def _answer(self) -> Reply:
        """The next answer to what was asked."""
        while True:
            message = await self._heard(self._topics.reply(self._name))
            reply = msgspec.json.decode(message.payload, type=Reply)
            if reply.id == self._id:
                return reply

    async def _heard(self, topic: str) -> Message:
        async for message in self._messages:
            if message.topic == topic:
                return message
        raise BrokerLost("the connection broke")
