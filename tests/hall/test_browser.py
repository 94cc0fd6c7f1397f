"""The pages in a real Chromium: legible, reachable, and right again after whatever goes wrong."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from rules.frame import Result
from rules.sides import Side
from tests.hall.browser import chromium, pages
from tests.hall.scenes import SCENES, scene
from tests.hall.speakers import Speaker, speaking
from tests.mosquitto import Mosquitto
from tests.ports import free_port

WITHIN_MS = 2000
"""What a display may take to be right after a return."""


class Stage:
    """A browser before the pages of a hall whose tables speak."""

    def __init__(self, browser: Browser, url: str, tables: dict[str, Speaker]) -> None:
        self._browser, self.url, self.tables = browser, url, tables
        self.asked: list[str] = []
        self.errors: list[str] = []
        """What scripts of the pages have thrown: the test must not end with any."""

    async def open(
        self, path: str, *, size: tuple[int, int] = (1280, 800), dark: bool = False
    ) -> Page:
        width, height = size
        page = await self._browser.new_page(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(f"{path}: {error}"))
        await page.goto(self.url + path)
        return page


def on_stage(
    mosquitto: Mosquitto,
    test: Callable[[Stage], Awaitable[None]],
    scenes: dict[str, Any] | None = None,
) -> None:
    async def run() -> None:
        async with (
            chromium() as browser,
            pages(mosquitto.port) as url,
            speaking(mosquitto.port, SCENES if scenes is None else scenes) as tables,
        ):
            stage = Stage(browser, url, tables)
            await test(stage)
            assert not stage.errors

    asyncio.run(run())


def mark(page: Page, table: str) -> Any:
    """The card of a table, by what it says of itself."""
    return page.locator(f"#t-clube-{table}")


async def live(page: Page, table: str, *, within_ms: int = 8000) -> None:
    await expect(mark(page, table)).to_have_attribute("data-mark", "live", timeout=within_ms)


async def score(page: Page, table: str, a: str, *, within_ms: int = 8000) -> None:
    first = mark(page, table).locator(".score").first
    await expect(first).to_contain_text(a, timeout=within_ms)


async def grave(page: Page) -> list[str]:
    """What axe finds that shuts people out."""
    found = (await Axe().run(page)).response["violations"]
    return [one["id"] for one in found if one["impact"] in ("serious", "critical")]


PATHS = ["/", "/tv", "/table/clube/1", "/table/clube/5", "/overlay/clube/2", "/devices"]


@pytest.mark.parametrize("lang", ["pt", "en"])
def test_no_page_has_a_serious_fault_of_accessibility(mosquitto: Mosquitto, lang: str) -> None:
    """axe on every page, in daylight and in the dark, live and stale, with its own words."""

    async def test(stage: Stage) -> None:
        await stage.tables["8"].vanish()
        for path in PATHS:
            for dark in (False, True):
                page = await stage.open(f"{path}?lang={lang}", dark=dark)
                await page.wait_for_selector("article, table")
                assert not await grave(page), (path, dark)
                await page.close()
        assert all(address.startswith(stage.url) for address in stage.asked), "nobody else is asked"

    on_stage(mosquitto, test)


@pytest.mark.parametrize("count", [1, 8, 24])
def test_on_a_television_all_tables_fit_and_every_score_can_be_read(
    mosquitto: Mosquitto, count: int
) -> None:
    names = list(SCENES.values())
    scenes = {str(n + 1): replace(names[n % len(names)], clock=None) for n in range(count)}

    async def test(stage: Stage) -> None:
        page = await stage.open("/tv?lang=pt", size=(1920, 1080))
        await live(page, str(count))
        for number in range(1, count + 1):
            card = await mark(page, str(number)).bounding_box()
            assert card is not None
            assert card["x"] >= 0
            assert card["y"] + card["height"] <= 1080
            for one in await mark(page, str(number)).locator(".score, .headline").all():
                box = await one.bounding_box()
                assert box is not None
                assert box["x"] + box["width"] <= card["x"] + card["width"]
                assert box["y"] + box["height"] <= card["y"] + card["height"] + 1
            height = await mark(page, str(number)).locator(".score").first.bounding_box()
            assert height is not None
            assert height["height"] >= 1080 / 30, "legible across a room"

    on_stage(mosquitto, test, scenes)


def test_more_tables_than_a_television_holds_turn_page(mosquitto: Mosquitto) -> None:
    scenes = {str(n): scene("ug", "Ana", "Bia", score=(n, 0)) for n in range(1, 31)}

    async def test(stage: Stage) -> None:
        page = await stage.open("/tv", size=(1920, 1080))
        await expect(page.locator("article")).to_have_count(30)
        assert await page.locator("article:visible").count() == 24
        await page.keyboard.press("ArrowRight")
        assert await page.locator("article:visible").count() == 6

    on_stage(mosquitto, test, scenes)


def test_no_page_of_a_phone_is_wider_than_the_phone(mosquitto: Mosquitto) -> None:
    async def test(stage: Stage) -> None:
        for path in ("/", "/table/clube/2", "/table/clube/4"):
            page = await stage.open(path, size=(360, 740))
            width = await page.evaluate("document.documentElement.scrollWidth")
            assert width <= 360, path

    on_stage(mosquitto, test)


def test_by_keyboard_alone_and_a_score_does_not_take_the_focus(mosquitto: Mosquitto) -> None:
    async def test(stage: Stage) -> None:
        page = await stage.open("/?lang=en")
        await live(page, "1")
        await mark(page, "1").locator("a").focus()
        await stage.tables["1"].say(score=(28, 31))
        await score(page, "1", "28")
        assert await page.evaluate("document.activeElement.textContent") == "Table 1"
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/table/clube/1?lang=en")
        await live(page, "1")
        assert await page.locator("h1").inner_text() == "Table 1"

    on_stage(mosquitto, test)


def test_every_page_follows_a_new_table_a_new_match_and_an_end(mosquitto: Mosquitto) -> None:
    """Ask 96: structure changes reach all views."""

    async def test(stage: Stage) -> None:
        opened = [
            await stage.open(path) for path in ("/", "/tv", "/table/clube/1", "/overlay/clube/1")
        ]
        for page in opened:
            await score(page, "1", "27")
        await stage.tables["1"].say(phase="over", turn=None, result=Result(Side.A, "target"))
        for page in opened:
            await expect(mark(page, "1")).to_contain_text("Ana Prado")
            await expect(mark(page, "1").locator(".side.won")).to_have_count(1)
        await stage.tables["1"].say(scene("uk", "Nova", "Outra", score=(0, 0), match="m9", seq=-1))
        for page in opened:
            await expect(mark(page, "1")).to_contain_text("Nova")
            await expect(mark(page, "1").locator(".side.won")).to_have_count(0)

    on_stage(mosquitto, test)


def test_a_silent_table_is_marked_within_ten_seconds_and_heals(mosquitto: Mosquitto) -> None:
    async def test(stage: Stage) -> None:
        page = await stage.open("/?lang=en")
        await live(page, "1")
        stage.tables["1"].speaks = False
        await expect(mark(page, "1")).to_have_attribute("data-mark", "stale", timeout=10_000)
        await expect(mark(page, "1")).to_contain_text("no sign of life for")
        await live(page, "2")
        stage.tables["1"].speaks = True
        await live(page, "1", within_ms=WITHIN_MS)

    on_stage(mosquitto, test)


def test_a_television_that_slept_for_eight_hours_is_right_within_five_seconds(
    mosquitto: Mosquitto,
) -> None:
    """Ask 94: timers stood still, the connection may be dead; the page finds out by itself."""

    async def test(stage: Stage) -> None:
        page = await stage.open("/tv")
        await live(page, "1")
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
        await stage.tables["1"].say(score=(39, 31))
        await asyncio.sleep(4)
        await devtools.send("Page.setWebLifecycleState", {"state": "active"})
        await score(page, "1", "39", within_ms=5000)
        await page.clock.install()
        await page.clock.fast_forward("08:00:00")
        await stage.tables["1"].say(score=(40, 31))
        await page.clock.resume()
        await score(page, "1", "40", within_ms=5000)
        await expect(page.locator("#silent")).to_be_hidden(timeout=5000)

    on_stage(mosquitto, test)


def test_pages_survive_their_server(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        port = free_port()
        async with chromium() as browser, speaking(mosquitto.port, SCENES) as tables:
            async with pages(mosquitto.port, port=port) as url:
                stage = Stage(browser, url, tables)
                page = await stage.open("/?lang=en")
                await live(page, "1")
            await expect(page.locator("#silent")).to_be_visible(timeout=10_000)
            await expect(page.locator("#silent")).to_contain_text("No connection to the server")
            await expect(mark(page, "1").locator(".mark.live")).to_be_hidden()
            await tables["1"].say(score=(33, 31))
            async with pages(mosquitto.port, port=port):
                await score(page, "1", "33", within_ms=4000)
                await live(page, "1")
                await expect(page.locator("#silent")).to_be_hidden()
            assert not stage.errors

    asyncio.run(run())


async def counted(page: Page, table: str) -> int:
    """The seconds for which a card says that nothing was heard."""
    said = await mark(page, table).locator(".age:visible").inner_text()
    return int("".join(filter(str.isdigit, said)))


@pytest.mark.parametrize("path", ["/", "/tv", "/table/clube/1", "/overlay/clube/1", "/devices"])
def test_a_page_without_its_server_claims_nothing_and_counts_on(
    mosquitto: Mosquitto, path: str
) -> None:
    """No word, sign or clock of something live is left, and no age stands still."""

    async def run() -> None:
        async with chromium() as browser, speaking(mosquitto.port, SCENES) as tables:
            async with pages(mosquitto.port) as url:
                stage = Stage(browser, url, tables)
                page = await stage.open(f"{path}?lang=en")
                await page.wait_for_selector("[data-mark=live], table.devices .age")
                if path in ("/", "/tv"):
                    await expect(mark(page, "2")).to_have_attribute("data-mark", "live")
                    tables["2"].speaks = False
                    await expect(mark(page, "2")).to_have_attribute(
                        "data-mark", "stale", timeout=12_000
                    )
            banner = page.locator("#silent")
            await expect(banner).to_be_visible(timeout=10_000)
            await expect(banner.get_by_role("alert")).to_have_text("No connection to the server")
            await expect(page.locator(".timer:visible, .sign.live:visible")).to_have_count(0)
            words = (await page.locator("#live").inner_text()).split()
            assert not {"live", "connected"} & set(words)
            assert "broker" not in words, "what the server said of it is not known any more"
            ages = page.locator(".age:visible")
            before = await ages.all_inner_texts()
            assert len(before) > (1 if path in ("/", "/tv", "/devices") else 0)
            if path in ("/", "/tv"):
                assert await counted(page, "2") > await counted(page, "1") >= 9
            await asyncio.sleep(2.2)
            for then, now in zip(before, await ages.all_inner_texts(), strict=True):
                assert then != now
            assert not await grave(page)
            assert not stage.errors

    asyncio.run(run())


def test_pages_survive_the_broker(mosquitto: Mosquitto) -> None:
    """Killed without persistence: nothing is claimed meanwhile, all is there again after."""

    async def run() -> None:
        async with chromium() as browser, pages(mosquitto.port) as url:
            async with speaking(mosquitto.port, SCENES) as tables:
                stage = Stage(browser, url, tables)
                page = await stage.open("/?lang=en")
                await live(page, "1")
                mosquitto.stop()
                await expect(page.locator("#room")).to_contain_text("No connection to the broker")
                await expect(mark(page, "1")).to_have_attribute(
                    "data-mark", "stale", timeout=10_000
                )
            mosquitto.start()
            later = {"1": replace(SCENES["1"], score=(35, 31), seq=20)}
            async with speaking(mosquitto.port, later):
                await score(page, "1", "35", within_ms=4000)
                await live(page, "1", within_ms=WITHIN_MS)
                await expect(mark(page, "2")).to_have_attribute("data-mark", "stale")
            assert not stage.errors

    asyncio.run(run())
