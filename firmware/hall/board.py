"""`tacada hall`: an LED board that follows all tables of a hall."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Sequence
from importlib.metadata import version

from drivers.errors import first_cause
from drivers.ports import Broker, Display, Message
from firmware.board.board import Board
from firmware.board.layout import Layout
from firmware.board.render import Drawn, draw, render_boot
from firmware.clock import Clock
from firmware.hall.director import HallDirector
from firmware.hall.follow import Follow, farewell, topics_of
from firmware.hall.follower import Room, TableNow
from firmware.i18n import Language
from firmware.mqtt.messages import DISPLAYS, Presence, Topics
from firmware.snapshot import View

BATCH_S = 0.03
"""Changes of so long a time are drawn together."""

_MS = 1_000_000


class HallBoard:
    """One board.

    `broker` makes a connection from its farewell and the topics to hear. `only` are the tables to
    show, all if there are none.
    """

    def __init__(
        self,
        broker: Callable[[Message, Sequence[str]], Broker],
        *,
        halls: Sequence[str],
        name: str,
        layout: Layout,
        language: Language,
        clock: Clock,
        only: Sequence[str] = (),
    ) -> None:
        self._layout, self._language, self._clock = layout, language, clock
        self._only = frozenset(only)
        self.room = Room()
        self._director = HallDirector(language)
        self._news = asyncio.Event()
        topics = Topics(DISPLAYS, name)
        here = Presence("board", version("tacada"), connected=True)
        self._follow = Follow(
            broker(farewell(topics, here), topics_of(halls)),
            self.room,
            clock,
            topics=topics,
            presence=here,
            on_news=lambda _: self._news.set(),
        )

    def stop(self) -> None:
        """End `run` in good order."""
        self._follow.stop()

    async def run(self, display: Display) -> None:
        """Show the hall on a display until stopped.

        Raises:
            DeviceLost: the display is gone.
        """
        board = Board(display, self._drawn, self._clock)
        boot = render_boot(self._layout, self._language, version("tacada"))
        try:
            async with asyncio.TaskGroup() as group:
                drawing = group.create_task(board.run(boot))
                directing = group.create_task(self._direct(board))
                await self._follow.run()
                drawing.cancel()
                directing.cancel()
        except ExceptionGroup as several:
            raise first_cause(several) from several
        finally:
            await display.close(blank=True)

    async def _direct(self, board: Board) -> None:
        """Choose what is shown, whenever something is news or a turn ends."""
        while True:
            now_ms = self._clock.now_ns() // _MS
            tables = self._tables(now_ms)
            board.show(self._director.view(tables, now_ms, connected=self.room.connected))
            until_ms = self._director.until_ms(tables, now_ms)
            wait_s = None if until_ms is None else max(0, until_ms - now_ms) / 1000
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._news.wait()
            self._news.clear()
            await asyncio.sleep(BATCH_S)

    def _tables(self, now_ms: int) -> list[TableNow]:
        tables = self.room.tables(now_ms)
        return [one for one in tables if not self._only or one.table in self._only]

    def _drawn(self, view: View, now_ms: int) -> Drawn:
        return draw(view, self._layout, self._language, now_ms)


async def run_until_signalled(board: HallBoard, display: Callable[[], Display]) -> None:
    """Show the hall until SIGTERM or Ctrl-C.

    Raises:
        DeviceMissing: there is no display; names the mend.
        DeviceLost: the display is gone.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, board.stop)
    await board.run(display())
