"""A publisher on a real broker, with a journal in memory, and the match that it follows."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from drivers.broker import Backoff, BrokerConfig, MqttBroker
from drivers.ports import Broker
from firmware.commands import Reply
from firmware.mqtt.messages import Topics
from firmware.mqtt.publisher import Publisher
from firmware.snapshot import Committed
from rules.carom.words import NOTATION
from rules.frame import Notice
from rules.notices import notices
from rules.record import Act, Record, record_text
from rules.sheet import read_act
from tests.firmware.hall import Listener, listening
from tests.firmware.rig import HandClock, new_play
from tests.mosquitto import Mosquitto


def real(mosquitto: Mosquitto) -> MqttBroker:
    """The broker as a table sees it."""
    topics = Topics("clube", "3")
    return MqttBroker(
        BrokerConfig("127.0.0.1", client_id="tacada-clube-3", port=mosquitto.port),
        will=topics.will(),
        subscriptions=[topics.commands],
        backoff=Backoff(first_s=0.05, longest_s=0.1),
    )


class Hall:
    """A publisher with a journal in memory, and the match that it follows."""

    def __init__(self, broker: Broker) -> None:
        self.clock = HandClock()
        self.play = new_play()
        self.journal: dict[str, list[Record]] = {"m1": [self.play.setup]}
        self.advanced: list[tuple[str, int]] = []
        self.publisher = Publisher(
            broker,
            Topics("clube", "3"),
            clock=self.clock,
            boot=7,
            ask=self._ask,
            older=self._older,
            advance=lambda match, seq: self.advanced.append((match, seq)),
        )
        self.publisher.opened("m1", NOTATION, 0)
        self._tell(self.play.setup)

    def enter(self, *texts: str) -> None:
        """Entries that are on disk."""
        for text in texts:
            act: Act = read_act(text, NOTATION)
            ledger = self.play.ledger
            record = Record(ledger.seq + 1, act, t_ms=1000 * (ledger.seq + 1))
            before = ledger.match
            ledger.append(record)
            self.journal["m1"].append(record)
            said = notices(before, act, ledger.match) if isinstance(act, tuple) else ()
            self._tell(record, said)

    def _tell(self, record: Record, said: tuple[Notice, ...] = ()) -> None:
        text = record_text(record, NOTATION)
        self.publisher.committed(Committed(self.play.line(), record, text, said))

    async def _ask(self, name: str, payload: bytes) -> Reply:
        return Reply(f"{name}:{payload.decode()}", self.play.ledger.seq)

    async def _older(self, match: str, after: int) -> Sequence[Record]:
        return [record for record in self.journal[match] if record.seq > after]


def on_air(mosquitto: Mosquitto, test: Callable[[Hall, Listener], Awaitable[None]]) -> None:
    async def run() -> None:
        hall = Hall(real(mosquitto))
        async with listening(mosquitto) as listener:
            task = asyncio.create_task(hall.publisher.run())
            try:
                await test(hall, listener)
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
