"""No text of a page is cut: at the edge of its box, of its card or of the screen.

A part may be left out, whole, where there is no room; what is to be seen is seen whole.
"""

import asyncio

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, expect

from firmware.i18n import language_codes
from rules.clock import ClockState, Countdown
from rules.figures import Figures
from rules.frame import Ending, Option, Result, Then
from rules.scoreline import Scoreline
from rules.sides import Side
from tests.hall.browser import chromium, pages, sizes
from tests.hall.scenes import SCENES, scene
from tests.hall.speakers import speaking
from tests.mosquitto import Mosquitto

LONG = "Noppon Saengkham-Wattanapong"
PAIR = "Maria Antónia Vasconcelos + Ömer Çelikoğlu"

RESTING = ClockState(
    shot=Countdown(40_000, running=False, left_ms=21_000, warn_ms=10_000),
    match=Countdown(3_000_000, running=False, left_ms=2_400_000),
)

FULL: dict[str, Scoreline] = {
    **SCENES,
    "9": replace(SCENES["1"], names=((LONG,), tuple(PAIR.split(" + "))), match="9"),
    "10": replace(SCENES["5"], names=((LONG,), (LONG,)), match="10", clock=RESTING),
    "11": scene(
        "uk", LONG, PAIR, score=(140, 139), phase="held", clock=RESTING, run=114, turn=Side.A,
        ending=Ending("equaliser_failed", Then.EQUALISER, Side.B),
        figures=Figures(targets=(140, 140), innings=(121, 120), averages=("1.904", "1.950")),
    ),
    "12": scene(
        "wpa8", "Zé", "Li", turn=Side.B, tally={"racks": (12, 13), "sets": (1, 0)},
        to_win={"racks": (15, 15), "sets": (2, 2)},
        option=Option("eight_break_foul", ("play", "pass"), Side.B),
    ),
    "13": scene(
        "wpbsa", LONG, PAIR, turn=Side.B, run=147, score=(136, 147), tally={"frames": (17, 16)},
        to_win={"frames": (18, 18)},
        figures=Figures(
            ball_on="yellow", reds=15, remaining=147, snookers=(12, 0), fouls=(2, 1), fouls_limit=3,
            innings=(121, 121), averages=("12.904", "11.950"),
        ),
    ),
    "14": scene(
        "ug", LONG, PAIR, score=(40, 39), phase="over", result=Result(Side.B, "disqualified")
    ),
}  # fmt: skip
"""Every kind of card, with long names, long words and much to say."""

SILENT, GONE = "2", "8"

KINDS = (
    "/", "/tv", "/devices", "/table/clube/9", "/table/clube/11", "/table/clube/13",
    "/table/clube/8", "/overlay/clube/9", "/overlay/clube/11", "/overlay/clube/13",
    "/overlay/clube/8", "/pad/clube/13",
)  # fmt: skip

CLIPPED = """
() => {
  const found = [], slack = 1.5;
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cuts = (value) => value === "hidden" || value === "clip";
  while (words.nextNode()) {
    const text = words.currentNode, parent = text.parentElement;
    if (!text.data.trim() || parent.closest(".vh, noscript, script")) continue;
    if (!parent.checkVisibility({visibilityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = Array.from(range.getClientRects()).filter((one) => one.width > 1);
    let scrolls = false, out = 0, cut = "";
    for (let box = parent; box; box = box.parentElement) {
      const style = getComputedStyle(box), edge = box.getBoundingClientRect();
      if (style.overflowX === "auto" || style.overflowX === "scroll") scrolls = true;
      if (!cuts(style.overflowX) && !cuts(style.overflowY)) continue;
      out = rects.filter((one) => one.bottom <= edge.top + slack || one.top >= edge.bottom - slack)
        .length;
      if (out === rects.length && parent.closest(".glance")) break;
      if (rects.some((one) => one.left < edge.left - slack || one.right > edge.right + slack
        || one.top < edge.top - slack || one.bottom > edge.bottom + slack))
        cut = box.className || box.tagName;
    }
    if (out === rects.length && rects.length && parent.closest(".glance")) continue;
    if (!scrolls && rects.some((one) => one.right > innerWidth + slack || one.left < -slack))
      cut = "the screen";
    if (cut) found.push(text.data.trim() + " (" + cut + ")");
  }
  for (const row of document.querySelectorAll(".glance")) {
    const first = row.firstElementChild;
    if (first && first.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom + slack)
      found.push(first.textContent + " (nothing is left of its row)");
  }
  for (const box of document.querySelectorAll("article, p, span, td, th, button, summary, label")) {
    const style = getComputedStyle(box);
    if (!cuts(style.overflowX) || box.closest(".vh")) continue;
    if (box.scrollWidth > box.clientWidth + 1) found.push(box.textContent.trim() + " (is wider)");
  }
  return found;
}
"""
"""What of a page is partly to be seen, and by what it is cut."""


async def clipped(page: Page) -> list[str]:
    """The texts of a page that are cut as it stands."""
    found: list[str] = await page.evaluate(CLIPPED)
    return found


@pytest.mark.parametrize("lang", language_codes())
def test_no_text_is_cut_on_any_page(mosquitto: Mosquitto, lang: str) -> None:
    async def run() -> None:
        async with (
            chromium() as browser,
            pages(mosquitto.port) as url,
            speaking(mosquitto.port, FULL) as tables,
        ):
            await tables[GONE].vanish()
            page = await browser.new_page()
            cut = []
            for path in KINDS:
                await page.goto(f"{url}{path}?lang={lang}")
                if path in ("/", "/tv"):
                    await expect(page.locator("article")).to_have_count(len(FULL))
                cut += await cut_on(page, path)
            assert not cut, "\n".join(cut)

    asyncio.run(run())


async def cut_on(page: Page, path: str) -> list[str]:
    """What is cut on a page, on every screen that people look at it on."""
    cut = []
    for size, width, height in sizes():
        if path == "/tv" and size == "phone":
            continue
        await page.set_viewport_size({"width": width, "height": height})
        cut += [f"{path} {size}: {one}" for one in await clipped(page)]
    return cut


@pytest.mark.parametrize("lang", language_codes())
def test_no_text_is_cut_where_several_halls_are_shown(mosquitto: Mosquitto, lang: str) -> None:
    """As many tables as a television shows at once, each with the name of its hall."""
    halls = ("clube", "campo-grande")
    away = dict(list(FULL.items())[4:])

    async def run() -> None:
        async with (
            chromium() as browser,
            pages(mosquitto.port, halls=halls) as url,
            speaking(mosquitto.port, FULL, halls[0]),
            speaking(mosquitto.port, away, halls[1]),
        ):
            page = await browser.new_page()
            cut = []
            for path in ("/", "/tv"):
                await page.goto(f"{url}{path}?lang={lang}")
                await expect(page.locator("article")).to_have_count(len(FULL) + len(away))
                cut += await cut_on(page, path)
            assert not cut, "\n".join(cut)

    asyncio.run(run())


@pytest.mark.parametrize("lang", language_codes())
def test_no_text_is_cut_on_a_page_without_its_server(mosquitto: Mosquitto, lang: str) -> None:
    """Minutes after it was heard last: the longest ages."""

    async def run() -> None:
        async with (
            chromium() as browser,
            pages(mosquitto.port) as url,
            speaking(mosquitto.port, FULL) as tables,
        ):
            await tables[GONE].vanish()
            page = await browser.new_page()
            await page.clock.install()
            await page.route("**/events/**", lambda route: route.abort())
            cut = []
            for path in KINDS:
                await page.goto(f"{url}{path}?lang={lang}")
                await page.clock.fast_forward("59:59")
                await expect(page.locator("#silent")).to_be_visible()
                cut += await cut_on(page, path)
            assert not cut, "\n".join(cut)

    asyncio.run(run())


def test_an_age_is_never_parted_from_its_unit(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        async with (
            chromium() as browser,
            pages(mosquitto.port) as url,
            speaking(mosquitto.port, FULL) as tables,
        ):
            page = await browser.new_page(viewport={"width": 1920, "height": 1080})
            await page.goto(f"{url}/tv?lang=pt")
            tables[SILENT].speaks = False
            card = page.locator(f"#t-clube-{SILENT}")
            await expect(card).to_have_attribute("data-mark", "stale", timeout=12_000)
            assert "\u00a0s" in await card.locator(".mark").inner_text()
            assert not await clipped(page)

    asyncio.run(run())
