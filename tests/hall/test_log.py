"""The log of a table for everybody to read: who entered what, and when; nothing is left out."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from firmware.hall.follower import Room
from firmware.mqtt.live_log import LOGGED, LiveLog
from firmware.mqtt.messages import Log, Logged
from rules.carom.words import NOTATION
from rules.record import Record, Source
from rules.sheet import read_act
from tests.firmware.hall import Listener, listening
from tests.firmware.journal_rig import log
from tests.firmware.publisher_rig import Hall, on_air
from tests.hall.scenes import SCENES
from tests.hall.test_server import Client, served
from tests.hall.test_server import Hall as Site
from tests.mosquitto import Mosquitto


def test_who_what_and_when_are_there_for_whoever_comes_late(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.mqtt.publisher.GAP_S", 0.01)

    async def test(hall: Hall, listener: Listener) -> None:
        hall.enter("+1", "UNDO", "=4")
        await listener.until(lambda heard: any(len(one["entries"]) == 4 for one in heard.of("log")))
        async with listening(mosquitto) as late:
            await late.until(lambda heard: bool(heard.of("log")))
            told = late.of("log")[-1]
        assert told["match"] == "m1"
        assert [one["act"] for one in told["entries"]][1:] == ["+1", "UNDO", "=4"]
        assert [one["seq"] for one in told["entries"]] == [0, 1, 2, 3]
        assert {one["by"] for one in told["entries"][1:]} == {"sheet#0"}
        assert told["entries"][1]["at"].startswith("1970-01-01T00:00:00")

    on_air(mosquitto, test)


def test_a_match_that_is_taken_up_is_read_from_the_journal_once() -> None:
    records, asked = log(LOGGED + 20), []

    async def older(match: str, after: int) -> Sequence[Record]:
        asked.append((match, after))
        return [record for record in records if record.seq > after]

    async def run() -> None:
        live = LiveLog(older)
        assert await live.message(-1) is None
        live.opened("m1", NOTATION)
        told = await live.message(LOGGED + 20)
        assert told is not None
        assert [one.seq for one in told.entries] == list(range(21, LOGGED + 21))
        live.add(Record(LOGGED + 21, read_act("+1", NOTATION), by=Source("pad1", "7")))
        told = await live.message(LOGGED + 21)
        assert told is not None
        assert told.entries[-1].by == "pad1#7"
        assert len(told.entries) == LOGGED
        assert len(msgspec.json.encode(told)) < 32_768
        live.opened("m2", NOTATION)
        live.add(records[0])
        told = await live.message(0)
        assert told is not None
        assert (told.match, len(told.entries)) == ("m2", 1)
        assert asked == [("m1", 20)]

    asyncio.run(run())


def logged(match: str) -> bytes:
    return msgspec.json.encode(
        Log(
            match,
            (
                Logged(1, 1000, "2026-03-01T20:15:07.250+00:00", "panel#1.1", "+1"),
                Logged(2, 2000, "2026-03-01T20:15:09.000+00:00", "pad1#17", "UNDO"),
            ),
        )
    )


def test_the_page_of_a_table_s_log() -> None:
    async def test(hall: Site, client: Client) -> None:
        hall.say("1")
        hall.hear("1", "log", logged(SCENES["1"].match))
        text = await (await client.get("/log/clube/1?lang=en")).text()
        assert text.index("pad1 #17") < text.index("panel #1.1"), "the newest first"
        for word in ("20:15:07", "+1", "undo", "Entered by", "When (UTC)"):
            assert word in text
        german = await (await client.get("/log/clube/1?lang=de")).text()
        assert "Tastatur #1.1" in german
        assert "zurücknehmen" in german
        assert "UNDO" not in text + german
        assert "/log/clube/1?lang=en" in await (await client.get("/table/clube/1?lang=en")).text()
        assert (await client.get("/log")).status == 404
        hall.hear("1", "log", logged("another"))
        assert "pad1 #17" not in await (await client.get("/log/clube/1")).text()

    served(test)


def test_a_log_that_cannot_be_read_is_no_log() -> None:
    room = Room()
    room.subscribed()
    assert room.heard("tacada/clube/1/log", b"[]", 0) is None
