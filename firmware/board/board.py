"""The task that keeps a display showing the latest view.

One write is in flight at a time and the latest view wins, so a slow display falls behind nobody.
Pictures that move by themselves (long names, messages that expire) are drawn again when they
change, not all the time.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from msgspec.structs import replace

from drivers.errors import DeviceLost
from drivers.ports import Display, Picture
from firmware.board.render import Drawn
from firmware.clock import Clock
from firmware.snapshot import View

REFRESH_S = 0.8
"""How often everything a display holds is written again: chained modules drift into garbage, and
one that was unplugged is to be right again within a second."""

HEARD_S = 0.003
"""How long the pixel that answers a press waits for what the press did: on a quick disk both are
one picture, and the disk has the processor to itself. Nobody sees three milliseconds."""

HUNG_S = 5.0
"""A display that has not taken a picture by then hangs, and is as good as gone."""

_MS = 1_000_000

Draw = Callable[[View, int], Drawn]
"""A view at a monotonic time in milliseconds: its picture, and until when it looks so."""

Level = Callable[[View, int], int]
"""How bright a view is shown at such a time, 0 to 15."""


class Board:
    """One display and what it shows."""

    def __init__(
        self,
        display: Display,
        draw: Draw,
        clock: Clock,
        level: Level | None = None,
    ) -> None:
        self._display, self._clock = display, clock
        self._draw, self._level, self._bright = draw, level, -1
        self._view: View | None = None
        self._last: View | None = None
        """The last view that was drawn."""
        self._changed = asyncio.Event()
        self.shown: Picture | None = None
        """The last picture that was written."""

    def show(self, view: View) -> None:
        """Show this view from now on."""
        self._view = view
        self._changed.set()

    def redraw(self) -> None:
        """Draw the same view again: something else than it has changed."""
        self._changed.set()

    async def run(self, first: Picture | None = None, view: View | None = None) -> None:
        """Draw until cancelled: `view`, if there is one by now, or `first` until there is.

        Raises:
            DeviceLost: the display is gone.
        """
        self._view = self._view or view
        if self._view is None and first is not None:
            await _taken(self._display.show(first))
        loop = asyncio.get_running_loop()
        refresh_at = loop.time() + REFRESH_S
        while True:
            self._changed.clear()
            wait_s = refresh_at - loop.time()
            if self._view is not None:
                until_s = await self._drawn(self._view)
                wait_s = wait_s if until_s is None else min(wait_s, until_s)
            if loop.time() >= refresh_at:
                await _taken(self._display.refresh())
                refresh_at = loop.time() + REFRESH_S
            await self._change(max(0, wait_s))
            if self._only_heard():
                self._changed.clear()
                await self._change(HEARD_S)
            # What is ready goes first: a state to the broker, which takes the loop three turns,
            # before its picture.
            for _ in range(3):
                await asyncio.sleep(0)

    async def _change(self, within_s: float) -> None:
        """Wait until something is to be drawn anew, and so long at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._changed.wait()

    def _only_heard(self) -> bool:
        """Whether all that is new is that a press was heard."""
        view, last = self._view, self._last
        if view is None or last is None or view.heard_ms == last.heard_ms:
            return False
        return replace(view, heard_ms=last.heard_ms) == last

    async def _drawn(self, view: View) -> float | None:
        """Show a view as it looks now; in how many seconds it will look different, if ever."""
        now_ms = self._clock.now_ns() // _MS
        self._last = view
        await self._lit(view, now_ms)
        picture, until_ms = self._draw(view, now_ms)
        if picture != self.shown:
            await _taken(self._display.show(picture))
            self.shown = picture
        return None if until_ms is None else max(0, until_ms - now_ms) / 1000

    async def _lit(self, view: View, now_ms: int) -> None:
        """Be as bright as this view is to be."""
        bright = self._level(view, now_ms) if self._level is not None else self._bright
        if bright != self._bright:
            self._bright = bright
            await _taken(self._display.dim(bright))


async def _taken(doing: Coroutine[Any, Any, None]) -> None:
    """Wait until a display has done something, and not for ever.

    Raises:
        DeviceLost: it is gone, or hangs.
    """
    try:
        async with asyncio.timeout(HUNG_S):
            await doing
    except TimeoutError:
        raise DeviceLost(f"the display has taken nothing for {HUNG_S:.0f} s") from None
