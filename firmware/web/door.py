"""From a phone's page to its table and back: one command over MQTT, one answer."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable

import msgspec

from drivers.errors import BrokerLost
from drivers.ports import Message
from firmware.commands import KeyPress, PadReply, PairPhone
from firmware.devices.phones import UNANSWERED
from firmware.mqtt.messages import Topics
from firmware.web.hub import Key

ANSWER_S = 2.0
"""What a table has not answered by then, it has not accepted as far as the phone is told."""


def topics_of_door(halls: tuple[str, ...]) -> tuple[str, ...]:
    """What the pages hear so that phones get their answers."""
    return tuple(
        f"tacada/{hall}/+/reply/{name}" for hall in halls or ("+",) for name in ("pair", "press")
    )


class Door:
    """Asks tables on behalf of phones. `publish` may raise `BrokerLost`."""

    def __init__(self, publish: Callable[[Message], Awaitable[None]]) -> None:
        self._publish = publish
        self._waiting: dict[tuple[str, str], asyncio.Future[PadReply]] = {}

    async def pair(self, key: Key, code: str) -> PadReply:
        """Have a code shown, or show that it is known."""
        return await self._ask(key, "pair", PairPhone(id=uuid.uuid4().hex, code=code))

    async def press(
        self,
        key: Key,
        token: str,
        *,
        number: int,
        name: str,
        held: bool,
        age_ms: int,
        long: bool = False,
    ) -> PadReply:
        """Pass on a press."""
        asked = KeyPress(
            id=uuid.uuid4().hex,
            token=token,
            number=number,
            key=name,
            held=held,
            long=long,
            age_ms=age_ms,
        )
        return await self._ask(key, "press", asked)

    def heard(self, message: Message) -> None:
        """Take an answer of a table."""
        parts = message.topic.split("/")
        if len(parts) != 5 or parts[3] != "reply":
            return
        try:
            reply = msgspec.json.decode(message.payload, type=PadReply)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        waiting = self._waiting.get(("/".join(parts[:3]), reply.id))
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    async def _ask(self, key: Key, name: str, asked: PairPhone | KeyPress) -> PadReply:
        topics = Topics(*key)
        where = topics.base, asked.id
        self._waiting[where] = asyncio.get_running_loop().create_future()
        topic = topics.commands.replace("+", name)
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._publish(Message(topic, msgspec.json.encode(asked), qos=1))
                return await self._waiting[where]
        except (TimeoutError, BrokerLost):
            return PadReply(asked.id, error=UNANSWERED)
        finally:
            del self._waiting[where]
