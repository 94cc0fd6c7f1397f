"""Following tables over MQTT: a connection that feeds a `Room`, and says who follows."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from drivers.errors import BrokerLost
from drivers.ports import Broker, Message, Session
from firmware.clock import Clock
from firmware.hall.follower import Room
from firmware.mqtt.messages import DISPLAYS, Presence, Topics
from firmware.mqtt.serving import serve_until

_MS = 1_000_000


def topics_of(halls: Sequence[str]) -> tuple[str, ...]:
    """What a display of these halls hears: their tables, and who else looks on; of no hall: all."""
    if not halls:
        return ("tacada/+/+/+",)
    return (*(f"tacada/{hall}/+/+" for hall in halls), f"tacada/{DISPLAYS}/+/presence")


def farewell(topics: Topics, presence: Presence) -> Message:
    """What the broker says of a display that is gone."""
    gone = msgspec.json.encode(replace(presence, connected=False))
    return Message(topics.presence, gone, qos=1, retained=True)


class Follow:
    """One display's connection.

    `broker` hears `topics_of` the halls, and what `on_other` is told besides: answers to commands.
    `on_news` is told which table a message was about, none for what concerns all.
    """

    def __init__(
        self,
        broker: Broker,
        room: Room,
        clock: Clock,
        *,
        topics: Topics,
        presence: Presence,
        on_news: Callable[[tuple[str, str] | None], None],
        on_other: Callable[[Message], None] | None = None,
    ) -> None:
        self._broker, self._room, self._clock = broker, room, clock
        self._topics, self._presence = topics, presence
        self._on_news, self._on_other = on_news, on_other
        self._session: Session | None = None
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Say goodbye and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Follow until stopped; comes back by itself when the broker does."""
        await serve_until(self._stopping, self._broker, self._use)

    async def publish(self, message: Message) -> None:
        """Send something on the connection that there is.

        Raises:
            BrokerLost: there is none.
        """
        if self._session is None:
            raise BrokerLost("there is no connection to the broker")
        await self._session.publish(message)

    async def _use(self, session: Session) -> None:
        self._session = session
        self._room.subscribed()
        self._on_news(None)
        try:
            here = msgspec.json.encode(self._presence)
            await session.publish(Message(self._topics.presence, here, qos=1, retained=True))
            async with asyncio.TaskGroup() as group:
                listening = group.create_task(self._listen(session))
                await self._stopping.wait()
                listening.cancel()
            await session.publish(farewell(self._topics, self._presence))
        finally:
            self._session = None
            self._room.lost()
            self._on_news(None)

    async def _listen(self, session: Session) -> None:
        async for message in session.messages():
            now_ms = self._clock.now_ns() // _MS
            key = self._room.heard(message.topic, message.payload, now_ms)
            if key is not None:
                self._on_news(key)
            elif self._on_other is not None:
                self._on_other(message)
