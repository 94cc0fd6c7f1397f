"""A table on a real broker: what it says, in which order, and what an outage costs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import aiomqtt
import msgspec
import paho.mqtt.client as paho
import pytest
from msgspec.structs import replace

from drivers.broker import Backoff, BrokerConfig, MqttBroker
from drivers.fakes import KeptDisplay
from drivers.ports import Broker, Message, Picture, Session
from firmware.board import Board
from firmware.commands import Reply
from firmware.gallery import view_of
from firmware.messages import Status, Topics
from firmware.publisher import Publisher
from firmware.render import Drawn
from firmware.snapshot import Committed, View
from rules.carom.words import NOTATION
from rules.clock import ClockState
from rules.frame import Notice
from rules.notices import notices
from rules.record import Act, Record, record_text
from rules.sheet import read_act
from tests.firmware.hall import Listener, listening
from tests.firmware.rig import HandClock, new_play, settle
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


def test_a_match_begun_before_the_journal_is_read_goes_out_once_it_is_the_one(
    mosquitto: Mosquitto,
) -> None:
    """A slow disk at the start: nobody in the hall sees 0-0 before the score that stands there."""

    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: len(heard.of("state")) == 1)
        hall.publisher.hold()
        hall.play = new_play()
        hall.journal["m2"] = [hall.play.setup]
        hall.publisher.opened("m2", NOTATION, 0)
        hall.publisher.committed(Committed(hall.play.line(), hall.play.setup, "SETUP"))
        beats = len(listener.of("beat"))
        await listener.until(lambda heard: len(heard.of("beat")) > beats + 1)
        assert listener.of("beat")[-1]["seq"] == -1
        assert len(listener.of("state")) == 1
        assert [entry["match"] for entry in listener.of("entry")] == ["m1"]
        hall.publisher.settled()
        await listener.until(lambda heard: len(heard.of("state")) == 2)

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
            hall = Hall(real(mosquitto))
            task = asyncio.create_task(hall.publisher.run())
            await listener.until(lambda heard: bool(heard.of("availability")))
            async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
                await client.publish("tacada/clube/3/command/enter", "new", qos=1)
            await listener.until(lambda heard: len(heard.of("enter")) == 3)
            assert listener.of("enter") == ["old", "new", {"id": "enter:new", "seq": 0}]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())


def shot_message(seq: int, **shot: int | bool) -> dict[str, Any]:
    """What `clock` says of a shot clock of 40 s with its warning at 30 s."""
    clock = {"shot": {"length_ms": 40_000, "warn_ms": 10_000, **shot}}
    return {"match": "m1", "seq": seq, "clock": clock}


def shown_s(listener: Listener) -> tuple[int | None, int | None]:
    """What somebody shows who has heard only this: the deadline, and match time from a beat."""
    clock = msgspec.convert(listener.of("clock")[-1]["clock"], ClockState)
    return clock.seconds(listener.of("beat")[-1]["t_ms"])


def test_who_joins_late_shows_the_same_second_within_one(mosquitto: Mosquitto) -> None:
    """Asks 71 and 72: from the retained deadline and the next beat, not from its own start."""

    async def test(hall: Hall, listener: Listener) -> None:
        hall.enter("START")
        running = shot_message(1, running=True, until_ms=41_000)
        await listener.until(lambda heard: running in heard.of("clock"))
        hall.clock.ns = 13_250 * 1_000_000
        await listener.until(lambda heard: any(b["t_ms"] == 13_250 for b in heard.of("beat")))
        async with listening(mosquitto) as late:
            await late.until(lambda heard: bool(heard.of("beat")), within_s=1)
            assert late.of("clock") == [running]
            assert shown_s(late) == shown_s(listener) == (28, None)

    on_air(mosquitto, test)


def test_a_paused_clock_is_retained_with_what_is_left(mosquitto: Mosquitto) -> None:
    """Ask 72: opened during a break, a display shows the time left, not 0:00."""

    async def test(hall: Hall, listener: Listener) -> None:
        hall.enter("START", "PAUSE")
        paused = shot_message(2, running=False, left_ms=39_000)
        await listener.until(lambda heard: paused in heard.of("clock"))
        async with listening(mosquitto) as late:
            await late.until(lambda heard: bool(heard.of("clock")))
            assert late.of("clock") == [paused]
            assert late.of("state")[-1]["clock"] == paused["clock"]

    on_air(mosquitto, test)


def test_a_beat_comes_every_second_whether_a_clock_runs_or_not(mosquitto: Mosquitto) -> None:
    """A display that comes back waits for one, and shows the right second of a clock by it."""

    async def test(hall: Hall, listener: Listener) -> None:
        for seq, act in enumerate(("START", "PAUSE"), 1):
            hall.enter(act)
            await listener.until(
                lambda heard: bool(heard.of("beat")) and heard.of("beat")[-1]["seq"] == seq  # noqa: B023
            )
            for _ in range(3):
                count = len(listener.of("beat"))
                await listener.until(lambda heard: len(heard.of("beat")) > count, within_s=1)  # noqa: B023

    on_air(mosquitto, test)


def test_the_clock_is_sent_when_it_changes_and_on_every_connect(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("beat")))
        for act in ("+1", "START", "CONDUCT(B)"):
            hall.enter(act)
            seq = hall.play.ledger.seq
            await listener.until(lambda heard: seq in (b["seq"] for b in heard.of("beat")))  # noqa: B023
        assert [message["seq"] for message in listener.of("clock")] == [0, 2, 3]
        mosquitto.stop()
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: bool(heard.of("beat")))
            assert [name for name, _ in back.heard][1:4] == ["state", "clock", "beat"]
            assert back.of("clock")[0]["clock"] == listener.of("clock")[-1]["clock"]

    on_air(mosquitto, test)


def test_a_match_without_clocks_takes_the_last_ones_away(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("clock")))
        hall.play = new_play("3c")
        hall.publisher.opened("m1", NOTATION, 0, line=hall.play.line())
        await listener.until(lambda heard: heard.of("clock")[-1] == {"match": "m1", "seq": 0})
        assert "clock" not in listener.of("state")[-1]

    on_air(mosquitto, test)


def test_a_notice_is_sent_once_the_state_is_out(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("beat")))
        hall.clock.ns = 1_000 * 1_000_000
        hall.enter("CONDUCT(A)")
        await listener.until(lambda heard: bool(heard.of("notice")))
        assert listener.of("notice") == [
            {"match": "m1", "seq": 1, "what": "conduct", "side": "A", "number": 1}
        ]
        names = [name for name, _ in listener.heard]
        assert listener.of("state")[-1]["seq"] == 1
        assert len(names) - names[::-1].index("state") - 1 < names.index("notice")

    on_air(mosquitto, test)


def test_after_an_outage_no_old_notice_is_heard(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("beat")))
        mosquitto.stop()
        hall.enter("+1", "CONDUCT(A)")
        hall.clock.ns = 60_000 * 1_000_000
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: len(heard.of("entry")) >= 2)
            last = hall.play.ledger.seq
            hall.publisher.opened("m1", NOTATION, 58_500 * 1_000_000, sent=last)
            hall.enter("CONDUCT(B)")
            await back.until(lambda heard: bool(heard.of("notice")))
            assert {message["side"] for message in back.of("notice")} == {"B"}

    on_air(mosquitto, test)


def test_how_the_table_does_is_retained_and_told_again(mosquitto: Mosquitto) -> None:
    status = Status("0.1", 7, "ug", "abc", faults=("PANEL",))

    async def test(hall: Hall, listener: Listener) -> None:
        hall.publisher.report(status)
        await listener.until(lambda heard: bool(heard.of("status")))
        assert msgspec.convert(listener.of("status")[-1], Status) == status
        mosquitto.stop()
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: bool(heard.of("status")))
            hall.publisher.report(msgspec.structs.replace(status, faults=(), refused=3))
            await back.until(lambda heard: heard.of("status")[-1]["refused"] == 3)
        async with listening(mosquitto) as late:
            await late.until(lambda heard: bool(heard.of("status")))
            assert late.of("status")[0]["faults"] == []

    on_air(mosquitto, test)


class _Forgetful:
    """A broker and its session that loses one cancellation, as Python before 3.12 can."""

    def __init__(self) -> None:
        self.lost = 0

    async def serve(self, use: Callable[[Session], Awaitable[None]]) -> None:
        await use(self)

    async def publish(self, message: Message) -> None:
        if message.topic.endswith("availability"):
            return
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.lost += 1
            if self.lost > 1:
                raise

    async def messages(self) -> AsyncIterator[Message]:
        await asyncio.Event().wait()
        yield Message("", b"")


def test_it_ends_though_a_cancellation_was_lost() -> None:
    async def run() -> None:
        forgetful = _Forgetful()
        task = asyncio.create_task(Hall(forgetful).publisher.run())
        await settle()
        task.cancel()
        await asyncio.wait([task], timeout=0.5)
        assert forgetful.lost
        assert task.cancelled()

    asyncio.run(run())


def test_a_state_is_on_the_wire_before_its_picture_is_drawn(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a hall hears of a point while the board is drawn, also right after the press."""
    did: list[str] = []
    send = paho.Client._sock_send

    def sending(client: paho.Client, data: bytes) -> int:
        if b"/state" in bytes(data[:40]):
            did.append("sent")
        return send(client, data)

    def drawing(view: View, _: int) -> Drawn:
        did.append("drawn")
        return Drawn(Picture(64, 16, (view.heard_ms or 0, len(did), *(0,) * 14)))

    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("beat")))
        before = view_of()
        board = Board(KeptDisplay(64, 16), drawing, hall.clock)
        showing = asyncio.create_task(board.run(view=before))
        await asyncio.sleep(0.05)
        for heard_ms in (before.heard_ms, 7):
            board.show(replace(before, heard_ms=heard_ms))
            await settle()
            did.clear()
            hall.enter("+1")
            board.show(replace(view_of("+1"), heard_ms=heard_ms))
            await asyncio.sleep(0.05)
            assert did[:2] == ["sent", "drawn"]
        showing.cancel()

    monkeypatch.setattr(paho.Client, "_sock_send", sending)
    on_air(mosquitto, test)
