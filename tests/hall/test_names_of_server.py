"""By what names the pages may be asked for; a foreign page must not be taken for one of ours."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from firmware.errors import FirmwareError
from firmware.web.names import Names, shown
from tests.hall.browser import QUIET, pages
from tests.hall.room import table
from tests.hall.test_server import Client, Hall, served
from tests.mosquitto import Mosquitto

OUR_OWN = Names("https://scores.club.pt:8443", ("placar.clube.com.br",))


@pytest.mark.parametrize(
    "host",
    [
        *("192.168.1.5", "192.168.1.5:8080", "[fd00::5]:8080", "[fe80::1%25eth0]", "127.0.0.1:80"),
        *("pi", "localhost:8080", "raspberrypi.local:8080", "Pi.Local.", "pi.lan", "pi.home.arpa"),
        *("scores.club.pt:8443", "scores.club.pt", "placar.clube.com.br:8080"),
        "",  # whoever is no browser need not name a server
    ],
)
def test_a_name_that_no_stranger_can_have_is_ours(host: str) -> None:
    assert OUR_OWN.hold(host)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8080", "192.168.1.5.evil.example", "local.evil.example"),
        *("pi.local.evil.example", "scores.club.pt.evil.example", "xscores.club.pt", "pilocal.com"),
        *("evil.example@127.0.0.1", "[evil.example]:80", "1.2.3.4.5", "evil.example:80:80"),
        *("9" * 254, "a/b", "pí", "pi:999999"),
    ],
)
def test_a_name_of_the_internet_is_not_ours(host: str) -> None:
    assert not OUR_OWN.hold(host)


@pytest.mark.parametrize("address", ["scores.club.lan:8080", "ftp://a", "http://"])
def test_an_address_that_leads_nowhere_is_told(address: str) -> None:
    with pytest.raises(FirmwareError, match="must be like http://"):
        Names(address)


def test_a_name_is_told_back_as_a_name() -> None:
    assert shown("evil.example:8080") == "evil.example"
    assert shown("<b>.example") == "?b?.example"
    assert len(shown("a" * 500)) == 80


@pytest.mark.parametrize(
    "path", ["/", "/table/clube/1", "/events/hall", "/static/live.js", "/qr/clube/1.svg"]
)
def test_who_asks_by_a_foreign_name_is_told_so_in_his_language(path: str) -> None:
    async def test(hall: Hall, client: Client) -> None:
        del hall
        foreign = {"Host": "evil.example:8080", "Accept-Language": "es"}
        got = await client.get(path, headers=foreign)
        assert got.status == 421
        assert got.content_type == "text/plain"
        assert "no se llama evil.example" in await got.text()
        assert "--known-as evil.example" in await got.text()

    served(test)


def test_a_name_that_is_made_to_lead_here_reads_nothing_and_presses_nothing(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """DNS rebinding in a real browser: to it, the foreign page and our server are one origin."""
    program = shutil.which("chromium")
    assert program, "chromium is missing: sudo apt install chromium"
    rebound = "--host-resolver-rules=MAP *.example 127.0.0.1"

    async def run() -> None:
        async with (
            pages(mosquitto.port) as url,
            table(tmp_path, mosquitto.port) as whole,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(
                executable_path=program, args=[*QUIET, rebound]
            )
            port = url.rpartition(":")[2]
            page = await browser.new_page()
            for host, status, words in (
                ("127.0.0.1", 200, "Table 1"),
                ("localhost", 200, "Table 1"),
                ("evil.example", 421, "not known as evil.example"),
            ):
                got = await page.goto(f"http://{host}:{port}/table/clube/1?lang=en")
                assert got is not None
                assert got.status == status
                assert words in await page.inner_text("body")
            answers = await page.evaluate(
                "(body) => Promise.all(['pair', 'press'].map((act) => fetch('/pad/clube/1/' + act,"
                " {method: 'POST', headers: {'Content-Type': 'application/json'}, body}"
                ").then((got) => got.status)))",
                json.dumps({}),
            )
            assert answers == [421, 421]
            assert whole.app.table is not None
            assert whole.app.table.view.message is None, "no code is shown on the board"
            await browser.close()

    asyncio.run(run())
