"""All boards of a table: the first one, and those that hang elsewhere or behind it."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from drivers.errors import DriverError
from drivers.ports import Display, Picture
from firmware.board.board import Board
from firmware.board.config import BoardConfig
from firmware.board.layout import Layout, load_layout
from firmware.board.lobby import Lobby
from firmware.board.render import Drawing, Drawn, render_boot
from firmware.board.screens import in_play
from firmware.board.state import BoardState, read_board, write_board
from firmware.board.testpattern import numbered
from firmware.clock import Clock
from firmware.commands import BoardView
from firmware.errors import ConfigError, FirmwareError
from firmware.i18n import load_language
from firmware.snapshot import Coming, View
from firmware.supervise import RETRIES_S, Faults, supervised

_log = logging.getLogger(__name__)

BOARD_FAULT = "BOARD"
"""The first board; further ones have their number behind it."""

Opened = Callable[[], Display]


class Boards:
    """Draws every view on every board, in one language at a time."""

    def __init__(
        self,
        first: tuple[BoardConfig, Opened | None],
        others: Sequence[BoardConfig],
        opened: Sequence[Opened],
        *,
        language: str,
        club: str,
        version: str,
        rulebooks: Sequence[str],
        clock: Clock,
        faults: Faults,
        file: Path | None = None,
    ) -> None:
        """Read what the configuration names.

        `first` is the board that ends the table when it is lost; `opened` opens each of the
        others. `file` keeps what the boards were told.

        Raises:
            ConfigError: a layout or the language cannot be used.
        """
        self._configs, self._first, self._others = (first[0], *others), first[1], tuple(opened)
        self._layouts = [load_layout(config.layout) for config in self._configs]
        self._lobby, self._file = Lobby(club, clock), file
        self._state = read_board(file) if file is not None else BoardState()
        self.language = load_language(language)
        if self._state.language is not None:
            try:
                self.language = load_language(self._state.language)
            except ConfigError:
                self._state = replace(self._state, language=None)
        # One at a time and in order: what was said last is what is kept.
        self._writer = ThreadPoolExecutor(1, "board state")
        self._writing: Future[None] | None = None
        self._version, self._rulebooks = version, tuple(rulebooks)
        self._clock, self._faults = clock, faults
        self._view: View | None = None
        self._open: list[Board] = []

    def show(self, view: View) -> None:
        """Show this view from now on."""
        self._view = view
        self._lobby.seen(view)
        self._begun(view)
        for board in self._open:
            board.show(view)

    async def dim(self, level: int) -> None:
        """Set the brightness, 0 to 15, as if it were configured so (`firmware.desk.BoardHands`).

        Raises:
            FirmwareError: there is no board.
        """
        if not self._open:
            raise FirmwareError("no board is there")
        await self._keep(replace(self._state, brightness=level))

    async def speak(self, language: str) -> None:
        """Say everything in another language from now on.

        Raises:
            ConfigError: there is none of this name.
        """
        self.speaks(language)
        await self._kept()

    def speaks(self, language: str) -> None:
        """The same, without waiting until it is kept.

        Raises:
            ConfigError: there is none of this name.
        """
        self.language = load_language(language)
        self._change(replace(self._state, language=language))

    async def look(self, view: BoardView) -> None:
        """Show something else than the score. A match that begins is shown whatever was said."""
        await self._keep(replace(self._state, view=view))

    async def announce(self, coming: Coming | None) -> None:
        """Tell who plays next while nobody plays."""
        await self._keep(replace(self._state, coming=coming, told_in=_played(self._view)))

    def _begun(self, view: View) -> None:
        """Announce nobody any more once a match is played that was not when they were."""
        state, played = self._state, _played(view)
        if state.coming is None or played in ("", state.told_in):
            return
        self._change(replace(state, coming=None, told_in=""))

    async def _keep(self, state: BoardState) -> None:
        """Be told something, and have it on disk."""
        self._change(state)
        await self._kept()

    def _change(self, state: BoardState) -> None:
        """Be told something: it is shown now, and kept in its turn."""
        self._state = state
        for board in self._open:
            board.redraw()
        if self._file is not None:
            self._writing = self._writer.submit(write_board, self._file, state)

    async def _kept(self) -> None:
        """Wait until what was told last is on disk."""
        if self._writing is not None:
            # Whoever waits may go meanwhile; it is written all the same.
            await asyncio.shield(asyncio.wrap_future(self._writing))

    def _instead(self, view: View, layout: Layout) -> Picture | None:
        """What is shown instead of the score, if that was asked for and nothing is in play."""
        if self._state.view == "score" or in_play(view) or view.told is not None:
            return None
        if self._state.view == "pattern":
            return numbered(layout.width, layout.height)
        return Picture.blank(layout.width, layout.height)

    async def run(self) -> None:
        """Draw until cancelled.

        Raises:
            DriverError: the first board was there and is lost.
        """
        others = [
            asyncio.create_task(self._beside(nth, open_), name=f"board {nth + 1}")
            for nth, open_ in enumerate(self._others, 1)
        ]
        try:
            if self._first is not None:
                await supervised(BOARD_FAULT, self._first, self._shown_on(0), self._faults)
            await asyncio.gather(*others)
        finally:
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    async def _beside(self, nth: int, open_: Opened) -> None:
        """A further board comes and goes; the match goes on."""
        code = f"{BOARD_FAULT} {nth + 1}"

        def opened() -> Display:
            display = open_()
            self._faults.fault(code, present=False)
            return display

        for attempt in itertools.count():
            try:
                await supervised(code, opened, self._shown_on(nth), self._faults)
            except DriverError as error:
                _log.warning("%s: %s", code, error)
                self._faults.fault(code, present=True)
                await asyncio.sleep(RETRIES_S[min(attempt, len(RETRIES_S) - 1)])

    def _shown_on(self, nth: int) -> Callable[[Display], Awaitable[None]]:
        config, layout = self._configs[nth], self._layouts[nth]
        drawing = Drawing(layout, swapped=config.swapped)

        def drawn(view: View, now_ms: int) -> Drawn:
            instead = self._instead(view, layout)
            if instead is not None:
                return Drawn(instead)
            whole = replace(view, hall=self._lobby.hall(self._state.coming))
            return drawing.draw(whole, self.language, now_ms)

        def level(view: View, now_ms: int) -> int:
            told = self._state.brightness
            contrast = config.contrast if told is None else told
            return config.light.level(view, contrast, now_ms, self._lobby.hour_ms())

        async def use(display: Display) -> None:
            boot = render_boot(layout, self.language, self._version, self._rulebooks)
            board = Board(display, drawn, self._clock, level)
            self._open.append(board)
            try:
                await board.run(boot, self._view)
            finally:
                self._open.remove(board)
                # A score that nobody keeps up to date would be a lie.
                await display.close(blank=True)

        return use


def _played(view: View | None) -> str:
    """The match that is in play, if one is."""
    return view.line.match if view is not None and view.line is not None and in_play(view) else ""
