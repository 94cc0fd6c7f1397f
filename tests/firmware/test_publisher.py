"""A table on a real broker: what it says, in which order, and what an outage costs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import aiomqtt
import msgspec
import paho.mqtt.client as paho
import pytest
from msgspec.structs import replace

from drivers.fakes import KeptDisplay
from drivers.ports import Message, Picture, Session
from firmware.board.board import Board
from firmware.board.gallery import view_of
from firmware.board.render import Drawn
from firmware.mqtt.messages import Status
from firmware.snapshot import Committed, View
from rules.carom.words import NOTATION
from tests.firmware.hall import Listener, listening
from tests.firmware.publisher_rig import Hall, on_air, real
from tests.firmware.rig import new_play, settle
from tests.mosquitto import Mosquitto


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
