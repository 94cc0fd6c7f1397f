"""The board of a table: what it shows, and what it was told to be."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace

from drivers.ports import Dimmable, Display, Picture
from firmware.board import Board
from firmware.board_state import BoardState, read_board, write_board
from firmware.clock import Clock
from firmware.commands import BoardView
from firmware.errors import ConfigError, FirmwareError
from firmware.i18n import Language, load_language
from firmware.layout import Layout
from firmware.render import next_change_ms, render, render_boot
from firmware.snapshot import View
from firmware.testpattern import numbered


class TableBoard:
    """Draws a table's views on whatever display there is now (`firmware.desk.BoardHands`).

    `file` keeps what it was told; `view` is what the table shows, none before there is one.
    """

    def __init__(
        self,
        layout: Layout,
        language: Language,
        file: Path,
        clock: Clock,
        view: Callable[[], View | None],
    ) -> None:
        self._layout, self._file, self._clock, self._view = layout, file, clock, view
        self._state = read_board(file)
        self.language = language
        if self._state.language is not None:
            try:
                self.language = load_language(self._state.language)
            except ConfigError:
                self._state = replace(self._state, language=None)
        self._display: Display | None = None
        self._board: Board | None = None
        # One at a time and in order: what was said last is what is kept.
        self._writer = ThreadPoolExecutor(1, "board state")

    async def shown_on(self, display: Display) -> None:
        """Draw on a display until cancelled, or it is lost."""
        self._display = display
        self._board = Board(display, self._drawn, self._next_change, self._clock)
        boot = render_boot(self._layout, self.language, version("tacada"))
        try:
            if self._state.brightness is not None and isinstance(display, Dimmable):
                await display.dim(self._state.brightness)
            await self._board.run(boot, self._view())
        finally:
            self._display = self._board = None
            # A score that nobody keeps up to date would be a lie.
            await display.close(blank=True)

    def show(self, view: View) -> None:
        """The table shows this from now on."""
        if self._board is not None:
            self._board.show(view)

    async def dim(self, level: int) -> None:
        """Set the brightness, 0 to 15.

        Raises:
            FirmwareError: there is no board that can be dimmed.
        """
        display: object = self._display
        if not isinstance(display, Dimmable):
            raise FirmwareError("no board that can be dimmed is there")
        await display.dim(level)
        await self._keep(replace(self._state, brightness=level))

    async def speak(self, language: str) -> None:
        """Change the language.

        Raises:
            ConfigError: there is none of this name.
        """
        self.language = load_language(language)
        await self._keep(replace(self._state, language=language))

    async def look(self, view: BoardView) -> None:
        """Show something else than the score. A match that begins is shown whatever was said."""
        await self._keep(replace(self._state, view=view))

    async def _keep(self, state: BoardState) -> None:
        self._state = state
        view = self._view()
        if view is not None:
            self.show(view)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writer, write_board, self._file, state)

    def _drawn(self, view: View, now_ms: int) -> Picture:
        line = view.line
        idle = line is None or line.seq == 0 or line.phase == "over"
        if self._state.view != "score" and idle and view.told is None:
            if self._state.view == "pattern":
                return numbered(self._layout.width, self._layout.height)
            return Picture.blank(self._layout.width, self._layout.height)
        return render(view, self._layout, self.language, now_ms)

    def _next_change(self, view: View, now_ms: int) -> int | None:
        return next_change_ms(view, self._layout, self.language, now_ms)
