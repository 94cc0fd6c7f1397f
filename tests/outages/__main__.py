"""What a hall shows while its broker, its network and its tables fail: python -m tests.outages.

One table plays on by way of a real mosquitto. A display that writes down all it ever showed, the
hall's LED board and a page in Chromium follow it. After each failure it is measured how long each
takes to be right again, and how many states the first two showed on the way; whatever was shown as
live must have been true within nine seconds.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Page

from tests.e2e.process import table_process
from tests.hall.browser import chromium, pages
from tests.hall.room import Display, Wall, WholeTable, display, live_at, table, wall
from tests.hall.test_brokers import WITHIN_S, played
from tests.hall.wire import Wire, wire
from tests.mosquitto import Mosquitto

CUTS_S = (0.5, 5, 60)
DOWN_S = 5


class Row(NamedTuple):
    """One failure: in how many seconds all was right again, and how many states were shown."""

    what: str
    display_s: float
    board_s: float
    page_s: float
    states: int | None = None

    def text(self) -> str:
        times = " | ".join(f"{s:.2f} s" for s in (self.display_s, self.board_s, self.page_s))
        return f"| {self.what} | {times} | {'' if self.states is None else self.states} |"


class Watchers:
    """Who looks on: a display, an LED board and a page of one table."""

    def __init__(self, shown: Display, board: Wall, page: Page, card: str) -> None:
        self.shown, self.board, self._page, self._card = shown, board, page, card

    async def page_says(self, mark: str, a: int | None = None) -> float:
        """Wait until the page has a table marked so, with A's score; in how many seconds."""
        began = time.monotonic()
        await self._page.wait_for_function(
            """([id, mark, a]) => {
                const card = document.getElementById(id);
                if (!card || card.dataset.mark !== mark) return false;
                if (document.body.classList.contains("silent")) return false;
                const score = card.querySelector(".score");
                return a === null || (score && parseInt(score.firstChild.data, 10) === a);
            }""",
            arg=[self._card, mark, a],
            polling=50,
            timeout=20_000,
        )
        return time.monotonic() - began


class Hall:
    """A table that plays, and who looks on."""

    def __init__(self, whole: WholeTable, watchers: Watchers) -> None:
        self.whole, self.watchers = whole, watchers

    async def outage(
        self,
        what: str,
        breaks: Callable[[], Awaitable[None]],
        mends: Callable[[], Awaitable[None]],
        seconds: float,
    ) -> Row:
        """Break something, play on for so long, mend it, and wait until all show the truth."""
        await played(self.whole, 1)
        await self._right()
        await breaks()
        await played(self.whole, seconds, every_s=max(0.1, seconds / 100))
        shown, board = self.watchers.shown, self.watchers.board
        heard, drawn = len(shown.showed), len(board.showed)
        await mends()
        times_s = await self._right()
        seen = {one.line.seq for _, _, one in shown.showed[heard:] if one.line is not None}
        shown.never_wrong(self.whole)
        board.never_wrong(self.whole)
        return Row(what, *times_s, max(len(seen), len(board.states(drawn))))

    async def _right(self) -> tuple[float, float, float]:
        """Wait until all show the score as live; in how many seconds each."""
        frame = self.whole.app.table.play.ledger.match.frame if self.whole.app.table else None
        assert frame is not None
        assert frame.score is not None
        watchers = self.watchers
        return await asyncio.gather(
            watchers.shown.right(self.whole, 20),
            watchers.board.right(self.whole, 20),
            watchers.page_says("live", frame.score[0]),
        )


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
        wall(far.port) as board,
        pages(far.port) as url,
    ):
        page = await browser.new_page()
        await page.goto(f"{url}/?lang=en")
        hall = Hall(whole, Watchers(shown, board, page, "t-clube-1"))
        what = f"broker killed, started again after {DOWN_S} s"
        rows.append(await hall.outage(what, killed, started, DOWN_S))
        ends: tuple[tuple[str, Wire], ...] = (
            ("the table's network", near),
            ("the displays' network", far),
        )
        for seconds in CUTS_S:
            for whose, end in ends:
                what = f"{whose} cut for {seconds} s"
                rows.append(await hall.outage(what, end.cut, end.lay, seconds))
    return rows


async def _kills(folder: Path, broker: Mosquitto) -> list[Row]:
    """A table killed in play and started again, until all have noticed each."""
    rows = []
    async with (
        chromium() as browser,
        display(broker.port, "kills", ("test",)) as shown,
        wall(broker.port, "kills-wall", "test") as board,
        pages(broker.port, halls=("test",)) as url,
    ):
        page = await browser.new_page()
        await page.goto(f"{url}/?lang=en")
        watchers = Watchers(shown, board, page, "t-test-1")
        for seq in (1, 2):
            async with table_process(folder / "killed.db", broker.port) as process:
                await process.answer("started")
                if seq > 1:
                    rows.append(Row("started again: right from then on", *await _at(watchers, 1)))
                await process.press(["plus1"])
                await _at(watchers, seq)
                await process.kill()
                rows.append(Row("table killed with -9: told as gone", *await _gone(watchers)))
    return rows


async def _at(watchers: Watchers, seq: int) -> tuple[float, float, float]:
    """Wait until all show a record, in which A has as many points, as live."""

    def shows() -> bool:
        now = watchers.shown.now("1", "test")
        return bool(now and now.live and now.line and now.line.seq == seq)

    return await asyncio.gather(
        watchers.shown.until(shows),
        watchers.board.until(lambda view: live_at(view, seq)),
        watchers.page_says("live", seq),
    )


async def _gone(watchers: Watchers) -> tuple[float, float, float]:
    """Wait until all say of the table that it is gone."""

    def says() -> bool:
        now = watchers.shown.now("1", "test")
        return bool(now and now.offline and not now.live)

    return await asyncio.gather(
        watchers.shown.until(says),
        watchers.board.until(lambda view: view.stale_since_ms is not None),
        watchers.page_says("offline"),
    )


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
    print("| failure | display right after | LED board | page | states shown till then |")
    print("|---|---|---|---|---|")
    for row in rows:
        print(row.text())
    slow = [row for row in rows if max(row.display_s, row.board_s, row.page_s) > WITHIN_S]
    print(f"{len(rows)} failures; nothing was shown as live that was not; {len(slow)} too slow")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
