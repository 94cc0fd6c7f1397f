"""What a hall shows while its broker, its network and its tables fail: python -m tests.outages.

One table plays on by way of a real mosquitto. A display that writes down all it ever showed and a
page in Chromium follow it. After each failure it is measured how long each takes to be right again,
and how many states a display was shown on the way; whatever was shown as live must have been true
within nine seconds.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Page

from tests.e2e.process import table_process
from tests.hall.browser import chromium, pages
from tests.hall.room import Display, WholeTable, display, table
from tests.hall.test_brokers import WITHIN_S, played
from tests.hall.wire import Wire, wire
from tests.mosquitto import Mosquitto

CUTS_S = (0.5, 5, 60)
DOWN_S = 5


class Row(NamedTuple):
    """One failure: in how many seconds all was right again, and how many states were shown."""

    what: str
    display_s: float
    page_s: float | None = None
    states: int | None = None

    def text(self) -> str:
        page = "" if self.page_s is None else f"{self.page_s:.2f} s"
        states = "" if self.states is None else str(self.states)
        return f"| {self.what} | {self.display_s:.2f} s | {page} | {states} |"


class Hall:
    """A table that plays, and who looks on."""

    def __init__(self, whole: WholeTable, shown: Display, page: Page) -> None:
        self.whole, self.shown, self._page = whole, shown, page

    async def outage(
        self,
        what: str,
        breaks: Callable[[], Awaitable[None]],
        mends: Callable[[], Awaitable[None]],
        seconds: float,
    ) -> Row:
        """Break something, play on for so long, mend it, and wait until all show the truth."""
        await self._right()
        await breaks()
        await played(self.whole, seconds, every_s=max(0.1, seconds / 100))
        heard = len(self.shown.showed)
        await mends()
        display_s, page_s = await asyncio.gather(self.shown.right(self.whole, 20), self._page_is())
        shown = self.shown.showed[heard:]
        states = {one.line.seq for _, _, one in shown if one.line is not None}
        self.shown.never_wrong(self.whole)
        return Row(what, display_s, page_s, len(states))

    async def _right(self) -> None:
        await played(self.whole, 1)
        await self.shown.right(self.whole, 20)
        await self._page_is()

    async def _page_is(self) -> float:
        """Wait until the page shows the score as live; in how many seconds."""
        frame = self.whole.app.table.play.ledger.match.frame if self.whole.app.table else None
        assert frame is not None
        assert frame.score is not None
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self._page.wait_for_function(
            """([a, b]) => {
                const card = document.getElementById("t-clube-1");
                if (!card || card.dataset.mark !== "live") return false;
                if (document.body.classList.contains("silent")) return false;
                const said = Array.from(card.querySelectorAll(".score"), (one) =>
                    parseInt(one.firstChild.data, 10));
                return said[0] === a && said[1] === b;
            }""",
            arg=list(frame.score),
            polling=50,
            timeout=20_000,
        )
        return loop.time() - began


async def _networks(folder: Path, broker: Mosquitto) -> list[Row]:
    """The broker killed in play, then the network of the table and of the displays cut."""
    rows: list[Row] = []

    async def killed() -> None:
        broker.stop()

    async def started() -> None:
        broker.start()

    async with (
        chromium() as browser,
        wire(broker.port) as near,
        wire(broker.port) as far,
        table(folder, near.port) as whole,
        display(far.port) as shown,
        pages(far.port) as url,
    ):
        page = await browser.new_page()
        await page.goto(f"{url}/?lang=en")
        hall = Hall(whole, shown, page)
        what = f"broker killed, started again after {DOWN_S} s"
        rows.append(await hall.outage(what, killed, started, DOWN_S))
        ends: tuple[tuple[str, Wire], ...] = (("the table's network", near), ("displays'", far))
        for seconds in CUTS_S:
            for whose, end in ends:
                what = f"{whose} cut for {seconds} s"
                rows.append(await hall.outage(what, end.cut, end.lay, seconds))
    return rows


async def _kills(folder: Path, broker: Mosquitto) -> list[Row]:
    """A table killed in play and started again, until a display has noticed each."""
    rows = []
    async with display(broker.port, "kills", ("test",)) as shown:

        def at(seq: int) -> bool:
            now = shown.now("1", "test")
            return bool(now and now.live and now.line and now.line.seq == seq)

        def offline() -> bool:
            now = shown.now("1", "test")
            return bool(now and now.offline and not now.live)

        for seq in (1, 2):
            async with table_process(folder / "killed.db", broker.port) as process:
                await process.answer("started")
                if seq > 1:
                    back_s = await shown.until(lambda: at(1))
                    rows.append(Row("table started again: from its first picture", back_s))
                await process.press(["plus1"])
                await shown.until(lambda seq=seq: at(seq))  # type: ignore[misc]
                await process.kill()
                rows.append(Row("table killed with -9: offline", await shown.until(offline)))
    return rows


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tacada-outages-") as name:
        folder = Path(name)
        broker = Mosquitto(folder / "broker")
        broker.start()
        try:
            rows = asyncio.run(_networks(folder, broker))
            rows += asyncio.run(_kills(folder, broker))
        finally:
            broker.stop()
    print("| failure | display right after | page right after | states shown till then |")
    print("|---|---|---|---|")
    for row in rows:
        print(row.text())
    slow = [row for row in rows if max(row.display_s, row.page_s or 0) > WITHIN_S]
    print(f"{len(rows)} failures; nothing was shown as live that was not; {len(slow)} too slow")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
