"""The server as programs meet it: what it lets in, what it says, how it keeps pages up to date."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestClient, TestServer

from firmware.hall.follower import Room
from firmware.mqtt.messages import DISPLAYS, Beat, Device, PadStatus, Presence, Status
from firmware.web import limits
from firmware.web.server import Pages, Site
from tests.firmware.rig import HandClock
from tests.hall.scenes import SCENES

Client = TestClient[web.Request, web.Application]


class Hall:
    """Pages over a room that the test fills, with a clock that it sets."""

    def __init__(self, themes: Path | None = None) -> None:
        self.clock, self.room = HandClock(), Room()
        self.pages = Pages(self.room, self.clock, Site(themes=themes))
        self.room.subscribed()

    def say(self, table: str, name: str | None = None, hall: str = "clube", **more: Any) -> None:
        line = SCENES[name or table]
        line = msgspec.structs.replace(line, **more)
        beat = Beat(7, line.seq, line.t_ms, line.match)
        self.hear(table, "state", msgspec.json.encode(line), hall)
        self.hear(table, "beat", msgspec.json.encode(beat), hall)

    def hear(self, table: str, what: str, payload: bytes, hall: str = "clube") -> None:
        now_ms = self.clock.ns // 1_000_000
        self.pages.hub.news(self.room.heard(f"tacada/{hall}/{table}/{what}", payload, now_ms))

    def display(self, name: str, *, connected: bool) -> None:
        here = Presence("board", "0.1.0", connected=connected)
        self.hear(name, "presence", msgspec.json.encode(here), DISPLAYS)


def served(test: Callable[[Hall, Client], Awaitable[None]], themes: Path | None = None) -> None:
    async def run() -> None:
        hall = Hall(themes)
        async with TestClient(TestServer(hall.pages.app())) as client:
            await test(hall, client)

    asyncio.run(run())


class Stream:
    """A page's ear: the events that come."""

    def __init__(self, lines: Any) -> None:
        self._lines = lines

    async def next(self) -> tuple[str, Any]:
        """The next event and what it holds."""
        kind = ""
        async with asyncio.timeout(5):
            async for raw in self._lines:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    return kind, json.loads(line.removeprefix("data: "))
        raise AssertionError("the stream has ended")

    async def news(self) -> tuple[str, Any]:
        """The next event that is more than a sign of life."""
        while (event := await self.next())[0] == "beat":
            pass
        return event


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/?lang=en", ["Hall", "Table 1", "Ana Prado", "27", "live", "at the table"]),
        ("/?lang=pt", ["Sala", "Mesa 1", "ao vivo", "na mesa"]),
        ("/tv?lang=es", ["Sala", "Mesa 1", "en vivo"]),
        ("/table/clube/1?lang=en", ["Table 1", "Average", "1.928"]),
        ("/table/clube/99?lang=en", ["Table 99", "no match"]),
        ("/overlay/clube/1", ["Ana Prado", "27"]),
        ("/devices?lang=en", ["Devices", "clube · 1"]),
    ],
)
def test_pages_say_what_there_is_without_any_script(path: str, words: list[str]) -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.say("1")
        got = await client.get(path)
        text = await got.text()
        assert got.status == 200
        for word in words:
            assert word in text
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text

    served(test)


async def _lines(client: Client) -> list[list[str]]:
    """The page of devices, cell by cell, as it is read."""
    text = await (await client.get("/devices?lang=en")).text()
    body = text.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr.*?</tr>", body)
    return [
        [re.sub("<.*?>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def test_who_is_there_and_how_long_ago_who_is_gone_was() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.display("wall", connected=True)
        assert await _lines(client) == [["wall board", "connected", "0\u00a0s", "0.1.0", "well"]]
        hall.clock.ns += 60_000_000_000
        hall.display("wall", connected=False)
        hall.clock.ns += 75_000_000_000
        assert await _lines(client) == [["wall board", "away", "1\u00a0min", "0.1.0", ""]]
        hall.display("wall", connected=True)
        hall.room.lost()
        assert await _lines(client) == [["wall board", "away", "", "0.1.0", ""]], "who knows"
        hall.room.subscribed()
        hall.display("wall", connected=False)
        assert await _lines(client) == [["wall board", "away", "", "0.1.0", ""]], "it went unseen"

    served(test)


def test_a_table_s_parts_and_pads_stand_below_it() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.say("1")
        devices = (
            Device("panel", "panel", True),
            Device("red", "pad", True, "2026-12-01 20:14Z"),
            Device("phone", "phone", False),
        )
        here = Presence("table", "0.1.0", connected=True, devices=devices)
        pads = (PadStatus("red", present=True, scorer=True, battery=64),)
        hall.hear("1", "presence", msgspec.json.encode(here))
        hall.hear("1", "status", msgspec.json.encode(Status("0.1.0", 7, "ug", "0", pads=pads)))
        assert await _lines(client) == [
            ["clube · 1 table", "connected", "0\u00a0s", "0.1.0", "well"],
            ["panel", "connected", "", "", ""],
            ["red pad", "connected", "2026-12-01 20:14Z", "", "battery 64\u00a0%"],
            ["phone", "away", "", "", ""],
        ]

    served(test)


def test_a_hall_with_displays_alone_has_no_table_yet() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.display("wall", connected=True)
        assert "No table yet" in await (await client.get("/?lang=en")).text()
        hall.say("1")
        assert "No table yet" not in await (await client.get("/?lang=en")).text()

    served(test)


def test_the_browser_s_language_is_taken_where_the_address_names_none() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.say("1")
        wanted = {
            "es-AR,en;q=0.5": "es",
            "xx": "pt",
            "xx, en-GB": "en",
            "pt-BR": "pt-BR",
            "pt-PT,pt;q=0.9": "pt",
            "": "pt",
        }
        for header, lang in wanted.items():
            text = await (await client.get("/", headers={"Accept-Language": header})).text()
            assert f'<html lang="{lang}"' in text, header

    served(test)


@pytest.mark.parametrize(
    "path",
    ["/table/clube", "/table/CLUBE/1", "/table/clube/%3Cscript%3E", "/events/x", "/qr/a/b/c"],
)
def test_what_is_no_page_is_not_found(path: str) -> None:
    async def test(hall: Hall, client: Client) -> None:
        got = await client.get(path)
        assert got.status == 404
        assert got.headers["Content-Security-Policy"].startswith("default-src 'self'")

    served(test)


def test_a_name_is_text_and_never_a_tag() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.say("1", names=(("<script>alert(1)</script>",), ('"><img src=x>',)))
        for path in ("/", "/table/clube/1", "/overlay/clube/1"):
            text = await (await client.get(path)).text()
            assert "<script>alert" not in text
            assert "<img src=x" not in text

    served(test)


def test_a_page_hears_the_whole_then_what_changes_and_nothing_else() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.say("1")
        hall.say("2")
        async with client.get("/events/hall?lang=en") as response:
            stream = Stream(response.content)
            kind, page = await stream.next()
            assert kind == "page"
            assert list(page["parts"]) == ["room", "t-clube-1", "t-clube-2"]
            hall.say("1", seq=13, score=(28, 31))
            kind, parts = await stream.news()
            assert (kind, list(parts)) == ("parts", ["t-clube-1"])
            assert ">28<" in parts["t-clube-1"]
            hall.say("10", "3")
            kind, page = await stream.news()
            assert kind == "page"
            assert list(page["parts"])[-1] == "t-clube-10"

    served(test)


def test_of_several_halls_every_card_says_whose_table_it_is() -> None:
    """As at a league's broker, where each hall has a table 1; as soon as there are two."""

    async def test(hall: Hall, client: Client) -> None:
        hall.display("wall", connected=True)
        hall.say("1")
        async with client.get("/events/hall?lang=en") as response:
            stream = Stream(response.content)
            _, page = await stream.next()
            assert ">Table 1</a>" in page["parts"]["t-clube-1"]
            hall.say("1", "2", hall="norte")
            _, page = await stream.news()
            assert ">clube · Table 1</a>" in page["parts"]["t-clube-1"]
            assert ">norte · Table 1</a>" in page["parts"]["t-norte-1"]

    served(test)


def test_silence_of_a_table_is_shown_without_any_message() -> None:
    """Ask 100: the page says it within ten seconds of the table's last beat."""

    async def test(hall: Hall, client: Client) -> None:
        hall.say("7")
        async with client.get("/events/table/clube/7?lang=en") as response:
            stream = Stream(response.content)
            _, page = await stream.next()
            assert "<!--live-->" in page["parts"]["t-clube-7"]
            hall.clock.ns += 9_000_000_000
            hall.pages.hub.news(("clube", "7"))
            _, parts = await stream.news()
            assert "<!--stale-->" in parts["t-clube-7"]
            assert "no sign of life for 9\u00a0s" in parts["t-clube-7"]

    served(test)


def test_a_page_is_told_every_two_seconds_that_the_server_lives() -> None:
    async def test(hall: Hall, client: Client) -> None:
        async with client.get("/events/hall") as response:
            stream = Stream(response.content)
            assert [(await stream.next())[0] for _ in range(2)] == ["page", "beat"]

    served(test)


async def _post(client: Client, **headers: str) -> int:
    usual = {"Origin": f"http://{client.host}:{client.port}", "Content-Type": "application/json"}
    wanted = {name: value for name, value in (usual | headers).items() if value}
    return (await client.post("/", data=b"{}", headers=wanted)).status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 405),  # it is let in, and there is nothing to post to here
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_only_our_own_pages_may_post(headers: dict[str, str], status: int) -> None:
    async def test(hall: Hall, client: Client) -> None:
        del hall
        assert await _post(client, **headers) == status

    served(test)


def test_an_oversized_body_is_refused_before_it_is_read() -> None:
    async def test(hall: Hall, client: Client) -> None:
        del hall
        origin = f"http://{client.host}:{client.port}"
        headers = {"Origin": origin, "Content-Type": "application/json"}
        got = await client.post("/", data=b"x" * (limits.MOST_BYTES + 1), headers=headers)
        assert got.status == 413

        async def endless() -> Any:
            yield b"x"

        got = await client.post("/", data=endless(), headers=headers)
        assert got.status == 413, "of a body without a length nobody knows how long it is"

    served(test)


def test_a_flood_is_refused_and_passes() -> None:
    async def test(hall: Hall, client: Client) -> None:
        statuses = [await _post(client) for _ in range(limits.POSTS_AT_ONCE + 1)]
        assert statuses == [405] * limits.POSTS_AT_ONCE + [429]
        hall.clock.ns += 1_000_000_000
        assert await _post(client) == 405

    served(test)


def test_memory_of_addresses_is_bounded() -> None:
    guard = limits.Gate(HandClock())
    for number in range(limits.MOST_ADDRESSES + 50):
        guard._buckets(f"10.0.{number // 256}.{number % 256}", 0)
    assert len(guard._addresses) == limits.MOST_ADDRESSES


def test_the_code_leads_to_the_table() -> None:
    async def test(hall: Hall, client: Client) -> None:
        del hall
        got = await client.get("/qr/clube/1.svg")
        assert got.content_type == "image/svg+xml"
        assert (await got.text()).startswith("<svg xmlns=")

    served(test)


def test_a_theme_is_a_file_of_its_folder_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "themes"
    folder.mkdir()
    (folder / "gold.css").write_text(":root { --edge: gold; }")
    (tmp_path / "secret.css").write_text("secret")

    async def test(hall: Hall, client: Client) -> None:
        del hall
        assert "/themes/gold.css" in await (await client.get("/overlay/c/1?theme=gold")).text()
        assert "gold" in await (await client.get("/themes/gold.css")).text()
        assert "/themes/" not in await (await client.get("/overlay/c/1?theme=no")).text()
        for name in ("no", "..%2Fsecret", "GOLD"):
            assert (await client.get(f"/themes/{name}.css")).status == 404

    served(test, folder)


def test_readers_leave_nothing_behind() -> None:
    async def test(hall: Hall, client: Client) -> None:
        hall.say("1")
        async with ClientSession() as session:
            for _ in range(20):
                url = f"http://{client.host}:{client.port}/events/hall"
                async with session.get(url) as response:
                    await response.content.readline()
        for _ in range(200):
            if hall.pages.hub.readers == 0:
                break
            hall.say("1", seq=hall.clock.ns)
            hall.clock.ns += 1_000_000
            await asyncio.sleep(0.02)
        assert hall.pages.hub.readers == 0

    served(test)
