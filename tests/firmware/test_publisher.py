"""A table on a real broker: what it says, in which order, and what an outage costs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import aiomqtt

from drivers.broker import Backoff, BrokerConfig, MqttBroker
from firmware.commands import Reply
from firmware.publisher import Publisher, Topics
from firmware.snapshot import Committed
from rules.carom.words import NOTATION
from rules.record import Act, Record, record_text
from rules.sheet import read_act
from tests.firmware.hall import Listener, listening
from tests.firmware.rig import HandClock, new_play
from tests.mosquitto import Mosquitto


class Hall:
    """A publisher with a journal in memory, and the match that it follows."""

    def __init__(self, broker: Mosquitto) -> None:
        self.clock = HandClock()
        self.play = new_play()
        self.journal: dict[str, list[Record]] = {"m1": [self.play.setup]}
        self.advanced: list[tuple[str, int]] = []
        topics = Topics("clube", "3")
        config = BrokerConfig("127.0.0.1", client_id="tacada-clube-3", port=broker.port)
        backoff = Backoff(first_s=0.05, longest_s=0.1)
        self.publisher = Publisher(
            MqttBroker(
                config,
                will=topics.will(),
                subscriptions=[topics.commands],
                backoff=backoff,
            ),
            topics,
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
            ledger.append(record)
            self.journal["m1"].append(record)
            self._tell(record)

    def _tell(self, record: Record) -> None:
        text = record_text(record, NOTATION)
        self.publisher.committed(Committed(self.play.line(), record, text))

    async def _ask(self, name: str, payload: bytes) -> Reply:
        return Reply(f"{name}:{payload.decode()}", self.play.ledger.seq)

    async def _older(self, match: str, after: int) -> Sequence[Record]:
        return [record for record in self.journal[match] if record.seq > after]


def on_air(mosquitto: Mosquitto, test: Callable[[Hall, Listener], Awaitable[None]]) -> None:
    async def run() -> None:
        hall = Hall(mosquitto)
        async with listening(mosquitto) as listener:
            task = asyncio.create_task(hall.publisher.run())
            try:
                await test(hall, listener)
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())


def test_online_state_beat_and_every_entry_in_order(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("beat")))
        names = [name for name, _ in listener.heard if name != "entry"]
        assert names[:2] == ["availability", "state"]
        assert names.index("beat") > names.index("state")
        assert listener.of("availability") == ["online"]
        hall.enter("+1", "+1", "/")
        await listener.until(lambda heard: len(heard.of("entry")) == 4)
        await listener.until(lambda heard: heard.of("state")[-1]["seq"] == 3)
        assert listener.of("state")[-1]["score"] == [2, 0]
        assert [entry["act"] for entry in listener.of("entry")[1:]] == ["+1", "+1", "/"]
        assert [entry["seq"] for entry in listener.of("entry")] == [0, 1, 2, 3]
        assert hall.advanced[-1] == ("m1", 3)
        assert listener.of("beat")[0]["boot"] == 7

    on_air(mosquitto, test)


def test_a_beat_carries_the_match_time_now(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        hall.clock.ns = 90_000 * 1_000_000
        hall.enter("+1")
        await listener.until(lambda heard: any(b["t_ms"] == 90_000 for b in heard.of("beat")))

    on_air(mosquitto, test)


def test_goodbye_says_offline(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("availability")))
        hall.publisher.stop()
        await listener.until(lambda heard: heard.of("availability") == ["online", "offline"])

    on_air(mosquitto, test)


def test_after_an_outage_the_state_comes_first_and_the_entries_are_late(
    mosquitto: Mosquitto,
) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: len(heard.of("entry")) == 1)
        mosquitto.stop()
        hall.enter("+1", "/", "=2", "+1")
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: len(heard.of("entry")) >= 4)
            hall.enter("/")
            await back.until(lambda heard: heard.of("entry")[-1]["seq"] == 5)
            names = [name for name, _ in back.heard]
            assert names.index("state") < names.index("entry")
            assert back.of("state")[0]["seq"] == 4
            entries = back.of("entry")
            assert [e["seq"] for e in entries] == [1, 2, 3, 4, 5]
            assert [e.get("late", False) for e in entries] == [True] * 4 + [False]

    on_air(mosquitto, test)


def test_a_broker_that_forgot_everything_is_told_again(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        hall.enter("+1")
        await listener.until(lambda heard: len(heard.of("entry")) == 2)
        mosquitto.stop()
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: bool(heard.of("beat")))
            assert back.of("availability") == ["online"]
            assert back.of("state")[-1]["score"] == [1, 0]
            assert not back.of("entry")

    on_air(mosquitto, test)


def test_what_an_earlier_match_still_owed_comes_before_the_next(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: len(heard.of("entry")) == 1)
        mosquitto.stop()
        hall.enter("+1", "/")
        hall.play = new_play()
        hall.journal["m2"] = [hall.play.setup]
        hall.publisher.opened("m2", NOTATION, 0)
        line = hall.play.line()
        hall.publisher.committed(Committed(line, hall.play.setup, "SETUP"))
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: len(heard.of("entry")) == 3)
            assert [(e["match"], e["seq"]) for e in back.of("entry")] == [
                ("m1", 1),
                ("m1", 2),
                ("m2", 0),
            ]

    on_air(mosquitto, test)


def test_more_than_is_at_hand_is_read_from_the_journal(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: len(heard.of("entry")) == 1)
        hall.publisher.opened("m1", NOTATION, 0, sent=0, line=hall.play.line())
        for _ in range(2):
            hall.enter("/")
        await listener.until(lambda heard: len(heard.of("entry")) >= 3)
        assert [e["seq"] for e in listener.of("entry")[-2:]] == [1, 2]

    on_air(mosquitto, test)


def test_a_command_is_passed_on_and_answered(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("availability")))
        async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
            await client.publish("tacada/clube/3/command/enter", "x1", qos=1)
            await listener.until(lambda heard: len(heard.of("enter")) == 2)
        assert listener.of("enter") == ["x1", {"id": "enter:x1", "seq": 0}]

    on_air(mosquitto, test)


def test_a_retained_command_is_ignored(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
            await client.publish("tacada/clube/3/command/enter", "old", qos=1, retain=True)
        async with listening(mosquitto) as listener:
            hall = Hall(mosquitto)
            task = asyncio.create_task(hall.publisher.run())
            await listener.until(lambda heard: bool(heard.of("availability")))
            async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
                await client.publish("tacada/clube/3/command/enter", "new", qos=1)
            await listener.until(lambda heard: len(heard.of("enter")) == 3)
            assert listener.of("enter") == ["old", "new", {"id": "enter:new", "seq": 0}]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
