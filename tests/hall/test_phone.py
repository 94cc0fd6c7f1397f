"""A phone from end to end: a key in Chromium, the rules, the LED board and the hall's page."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from drivers.ports import Picture
from firmware.i18n import language_codes, load_language
from firmware.keys.panel_words import KEY_WORDS
from tests.hall.browser import chromium, pages
from tests.hall.room import WholeTable, table
from tests.hall.test_browser import grave, live
from tests.hall.test_clipping import clipped
from tests.hall.wire import Wire, wire
from tests.mosquitto import Mosquitto
from tests.ports import free_port

CODES = language_codes()


class Scene:
    """A table, the pages, and a phone of somebody who stands at it."""

    def __init__(self, browser: Browser, url: str, whole: WholeTable, between: Wire) -> None:
        self.browser, self.url, self.whole, self.between = browser, url, whole, between

    async def phone(self, lang: str = "en") -> Page:
        phone = await self.browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
        await phone.goto(f"{self.url}/pad/clube/1?lang={lang}")
        return phone

    async def code(self) -> str:
        """The code that the board shows."""
        for _ in range(100):
            assert self.whole.app.table is not None
            message = self.whole.app.table.view.message
            if message is not None:
                return message.text.rpartition(" ")[2]
            await asyncio.sleep(0.05)
        raise AssertionError("the board shows no code")

    async def let_in(self, phone: Page) -> None:
        await phone.locator("#show").click()
        await phone.locator("#code").fill(await self.code())
        await phone.keyboard.press("Enter")
        await expect(phone.locator("#keys")).to_be_visible()

    def picture(self) -> Picture:
        return self.whole.board.pictures[-1]


def on_scene(mosquitto: Mosquitto, folder: Path, test: Callable[[Scene], Awaitable[None]]) -> None:
    async def run() -> None:
        async with (
            chromium() as browser,
            wire(mosquitto.port) as between,
            pages(mosquitto.port) as url,
            table(folder, between.port) as whole,
        ):
            await test(Scene(browser, url, whole, between))

    asyncio.run(run())


def test_a_key_of_a_phone_changes_the_board_and_the_hall(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async def test(scene: Scene) -> None:
        hall = await scene.browser.new_page()
        await hall.goto(f"{scene.url}/?lang=en")
        phone = await scene.phone()
        await scene.let_in(phone)
        await live(hall, "1")
        before = scene.picture()
        await phone.locator("[data-key=plus1]").tap()
        await expect(phone.locator("#answer")).to_have_text("✓ 1-0 A +1")
        score = hall.locator("#t-clube-1 .score").first
        await expect(score).to_contain_text("1 ")
        assert scene.picture() != before, "the LED board shows it too"
        assert scene.whole.app.table is not None
        assert scene.whole.app.table.play.ledger.match.frame is not None
        assert scene.whole.app.table.play.ledger.match.frame.score == (1, 0)
        await phone.locator("[data-key=undo]").tap()
        await expect(phone.locator("#answer")).to_contain_text("0-0")
        await expect(score).to_contain_text("0 ")
        await phone.locator("[data-key=ok]").tap()
        await expect(phone.locator("#answer")).to_contain_text("refused: nothing to")

    on_scene(mosquitto, tmp_path, test)


def test_a_button_of_the_phone_asks_about_the_match(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """A score put right with the phone alone, which shows each question as the board does."""

    async def test(scene: Scene) -> None:
        phone = await scene.phone()
        await expect(phone.locator("#menu")).to_be_hidden()
        await scene.let_in(phone)
        answer = phone.locator("#answer")
        await phone.locator("#menu").tap()
        await expect(answer).to_have_text("✓ this match at a score")
        await phone.locator("[data-key=plus5]").tap()
        await expect(answer).to_have_text("✓ this match score")
        for shows in ("A has 0", "B has 0"):
            await phone.locator("[data-key=ok]").tap()
            await expect(answer).to_have_text(f"✓ {shows}")
        await phone.locator("[data-key=plus5]").tap()
        for shows in ("why? keyed wrongly", "becomes 0-1 A? yes", "0-1 A"):
            await phone.locator("[data-key=ok]").tap()
            await expect(answer).to_have_text(f"✓ {shows}")

    on_scene(mosquitto, tmp_path, test)


def test_quick_taps_count_each_and_by_keyboard_too(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def test(scene: Scene) -> None:
        phone = await scene.phone()
        await scene.let_in(phone)
        for _ in range(5):
            await phone.locator("[data-key=plus1]").tap()
        await expect(phone.locator("#answer")).to_contain_text("5-0")
        await phone.locator("[data-key=plus1]").focus()
        await phone.keyboard.press("Enter")
        await expect(phone.locator("#answer")).to_contain_text("6-0")
        await phone.reload()
        await phone.locator("[data-key=plus1]").tap()
        await expect(phone.locator("#answer")).to_contain_text("7-0")

    on_scene(mosquitto, tmp_path, test)


def test_a_wrong_code_is_told_in_words(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def test(scene: Scene) -> None:
        phone = await scene.phone()
        await phone.locator("#show").click()
        code = await scene.code()
        await phone.locator("#code").fill("0000" if code != "0000" else "1111")
        await phone.keyboard.press("Enter")
        await expect(phone.locator("#answer")).to_have_text("Wrong code")
        await expect(phone.locator("#keys")).to_be_hidden()

    on_scene(mosquitto, tmp_path, test)


def test_what_does_not_arrive_is_told_as_not_accepted(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Ask 19: within about two seconds, and what was said then stays true."""

    async def test(scene: Scene) -> None:
        phone = await scene.phone()
        await scene.let_in(phone)
        scene.between.swallow()
        await phone.locator("[data-key=plus1]").tap()
        await expect(phone.locator("#answer")).to_have_text(
            "Not accepted: the table does not answer", timeout=6000
        )
        await scene.between.lay()
        await asyncio.sleep(1)
        assert scene.whole.app.table is not None
        seq = scene.whole.app.table.play.ledger.seq
        assert seq in (0, 1), "it may have acted before it was given up, once"
        await phone.locator("[data-key=plus1]").tap()
        await expect(phone.locator("#answer")).to_contain_text(f"{seq + 1}-0", timeout=8000)

    on_scene(mosquitto, tmp_path, test)


def test_no_other_page_can_press(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """A phone that was let in is not at the mercy of whatever else its browser shows."""

    async def test(scene: Scene) -> None:
        phone = await scene.phone()
        await scene.let_in(phone)
        cookies = await phone.context.cookies(f"{scene.url}/pad/clube/1")
        assert [one["httpOnly"] for one in cookies] == [True]
        assert [one["sameSite"] for one in cookies] == ["Strict"]
        assert str(cookies[0].get("value")) not in await phone.content()
        async with pages(mosquitto.port) as elsewhere:
            await phone.goto(f"{elsewhere}/")
            body = json.dumps({"number": 1, "key": "plus1"})
            await phone.evaluate(
                "([url, body]) => fetch(url, {method: 'POST', mode: 'no-cors', body,"
                " credentials: 'include'}).catch(() => 0)",
                [f"{scene.url}/pad/clube/1/press", body],
            )
        assert scene.whole.app.table is not None
        assert scene.whole.app.table.play.ledger.seq == 0

    on_scene(mosquitto, tmp_path, test)


def test_the_longest_word_of_a_key_stands_in_one_line(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Eight capitals, with three and with four keys beside each other on a small phone."""
    lines = """([text, wide]) => {
        document.getElementById("keys").style.setProperty("--wide", wide);
        const label = document.querySelector("#keys button span");
        label.textContent = text;
        label.style.setProperty("--long", text.length);
        return label.offsetHeight / parseFloat(getComputedStyle(label).fontSize);
    }"""

    async def test(scene: Scene) -> None:
        phone = await scene.phone()
        await scene.let_in(phone)
        labels = {load_language(code).label(f"key.{word}") for code in CODES for word in KEY_WORDS}
        for label in sorted(labels, key=len)[-20:]:
            for wide in (3, 4):
                assert await phone.evaluate(lines, [label, wide]) < 1.5, (label, wide)

    on_scene(mosquitto, tmp_path, test)


def test_a_pad_has_no_serious_fault_of_accessibility(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def test(scene: Scene) -> None:
        for lang in ("pt", "en"):
            phone = await scene.phone(lang)
            for let_in in (False, True):
                if let_in:
                    assert scene.whole.app._devices.phones is not None
                    scene.whole.app._devices.phones._shown_ns = None
                    await scene.let_in(phone)
                assert not await grave(phone)
                assert await phone.evaluate("document.documentElement.scrollWidth") <= 390
                assert not await clipped(phone)

    on_scene(mosquitto, tmp_path, test)


def test_a_phone_goes_on_when_the_server_was_started_again(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Ask 102: who it is stands on the phone and at the table, not in the server between them."""

    async def run() -> None:
        port = free_port()
        async with (
            chromium() as browser,
            wire(mosquitto.port) as between,
            table(tmp_path, between.port) as whole,
        ):
            async with pages(mosquitto.port, port=port) as url:
                scene = Scene(browser, url, whole, between)
                phone = await scene.phone()
                await scene.let_in(phone)
                await phone.locator("[data-key=plus1]").tap()
                await expect(phone.locator("#answer")).to_contain_text("1-0")
            async with pages(mosquitto.port, port=port):
                await live(phone, "1")
                await phone.locator("[data-key=plus1]").tap()
                await expect(phone.locator("#answer")).to_contain_text("2-0")

    asyncio.run(run())
