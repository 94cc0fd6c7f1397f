"""Helpers for whoever wires a table: what each key sends, where each block is."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence

from drivers.panel import Panel
from drivers.pins import pi_pins
from drivers.ports import Display, Press
from drivers.terminal import TerminalDisplay
from drivers.wiring import where
from firmware.board.board import REFRESH_S
from firmware.board.layout import load_layout
from firmware.board.testpattern import numbered
from firmware.config.config import Config, panel_of
from firmware.hardware import open_board
from firmware.i18n import load_language
from firmware.keycard.words import CardWords, load_card_words
from firmware.keys.keymap import Keymap
from firmware.keys.moment import PLAY
from firmware.keys.panel_words import HELD_SIGN
from firmware.terminal.words import TerminalWords, text
from rules.rulebooks import notation_of


async def show_pattern(config: Config, *, on_terminal: bool, plain: bool) -> None:
    """Show the numbered blocks of the configured boards until Ctrl-C.

    In `plain` order the chain counts from the top left, whatever the configuration says: what
    one then reads on the blocks, row by row, is what `blocks` is to say.

    Raises:
        DeviceMissing: there is no display; names the mend.
    """
    boards = [config.board, *config.boards]
    shown: list[Display] = []
    for board in boards[:1] if on_terminal else boards:
        if board.enabled or on_terminal:
            layout = load_layout(board.layout)
            shown.append(
                TerminalDisplay(layout.width, layout.height)
                if on_terminal
                else open_board(board, plain=plain)
            )
            await shown[-1].show(numbered(layout.width, layout.height))
    await _until_interrupted(shown)
    for display in shown:
        await display.close(blank=True)


_WHY = {"too_soon": "tryout.too_soon", "ghost": "tryout.ghost"}
"""Why a press did not count."""


class KeyPrinter:
    """A `KeyListener` that says what happens on a panel, a line an event."""

    def __init__(self, keymap: Keymap, card: CardWords, words: TerminalWords) -> None:
        self._keymap, self._card, self._words = keymap, card, words
        self._wiring = keymap.wiring()

    def _say(self, key: str, /, **places: object) -> None:
        print(self._words.say(key, **places), flush=True)

    def heard(self, device: str, key: str) -> None:
        """Nothing to print: the press follows."""

    def pressed(self, press: Press) -> None:
        """Name the key, its pin, and what it does in play, as its card has it."""
        keymap, held = self._keymap, press.held
        adds = held and press.key in keymap.adding
        steps = keymap.adds(PLAY, press.key) if adds else keymap.steps(PLAY, press.key, held=held)
        does = ", ".join(filter(None, map(self._card.step, steps))) or "–"
        name = f"{HELD_SIGN} {press.key}" if held else press.key
        at = self._words.of(where(self._wiring[press.key]))
        print(f"{name} ({at}): {does}", flush=True)

    def long_held(self, device: str, key: str) -> None:
        """Nothing to print: the hold came before."""

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that did not count."""
        self._say("tryout.not_taken", key=key, why=text(_WHY[why]))

    def stuck(self, device: str, key: str, where: str) -> None:
        """A key that hangs."""
        self._say("tryout.stuck", key=key, where=where)

    def floating(self, device: str, key: str, where: str) -> None:
        """A wire that hangs."""
        self._say("tryout.floating", key=key, where=where)

    def freed(self, device: str, key: str) -> None:
        """It works again."""
        self._say("tryout.freed", key=key)


async def print_keys(config: Config, words: TerminalWords) -> None:
    """Say what each pressed key of the configured panel sends, until Ctrl-C.

    Raises:
        DeviceMissing: there are no pins; names the mend.
    """
    keymap = Keymap(panel_of(config.panel), notation_of(config.match.rulebook))
    panel = Panel(
        "panel",
        keymap.wiring(),
        KeyPrinter(keymap, load_card_words(load_language(words.code)), words),
        factory=pi_pins(),
        spi=config.board.enabled,
    )
    print(words.say("tryout.press"), file=sys.stderr)
    with contextlib.closing(panel):
        await _until_interrupted()


async def _until_interrupted(shown: Sequence[Display] = ()) -> None:
    """Wait for Ctrl-C; a board that is plugged in meanwhile shows its picture too."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    while not ended.is_set():
        for display in shown:
            await display.refresh()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REFRESH_S if shown else None):
                await ended.wait()
