"""A real match on an emulated board: the whole firmware, its buttons pressed by the program.

The World Cup match of `sheets/ca-16.sheet` is entered key by key through mock pins, with the
real panel, rules, journal and broker behind them. Then the keyboard is the person's.
"""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from drivers.broker import BrokerConfig
from drivers.embedded import embedded_broker, free_port
from drivers.fakes import Finger, KeptDisplay
from drivers.phrases import Phrase
from drivers.terminal import Keyboard, TerminalDisplay, taps_and_holds
from firmware.app import TableApp
from firmware.board.layout import load_layout
from firmware.clock import SystemClock
from firmware.config.config import BrokerSettings, Config, MatchConfig, address, panel_of
from firmware.demo.presses import presses_of
from firmware.demo.rehearsal import Rehearsal
from firmware.errors import FirmwareError
from firmware.hardware import mqtt_broker
from firmware.i18n import load_language
from firmware.keys.keymap import Keymap
from firmware.parts import Parts
from firmware.records.final_line import final_line
from firmware.snapshot import View
from firmware.terminal.words import TerminalWords
from rules.position import join_fields
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import Scoreline
from rules.sheet import Sheet, read_sheets

MATCH = Path(__file__).parents[1] / "sheets" / "ca-16.sheet"

USUAL_S = 60
"""The match takes about a minute unless asked otherwise."""

GRACE_S = 10
"""How much longer than planned the match may take on a busy machine."""

SCORING = frozenset({"plus1", "plus5"})
KEYS = {"1": "plus1", "5": "plus5", "e": "end", "f": "foul", "o": "ok", "u": "undo"}


async def run_demo(*, seconds: float | None, broker: str | None, words: TerminalWords) -> int:
    """Play the match, in `seconds` if given, and end then; else hand over the keyboard.

    `broker` is HOST or HOST:PORT; without it one is started on the loopback.

    Raises:
        FirmwareError: the broker's address cannot be read, or the match did not end.
    """
    (sheet,) = read_sheets(MATCH.read_text("utf-8"), notation_of, MATCH.name)
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tacada-"))
        if broker is None:
            host, port = "127.0.0.1", free_port()
            await stack.enter_async_context(embedded_broker(port))
        else:
            host, port = address(broker)
        page = await stack.enter_async_context(_hall_page(host, port, words.code))
        command = f"mosquitto_sub -h {host} -p {port} -v -t 'tacada/demo/1/#'"
        watch = [words.say("demo.watch", command=command)]
        if page:
            watch.append(words.say("demo.page", page=page))
        print(*watch, sep="\n", flush=True)
        demo = _Demo(sheet, _config(sheet, words.code, folder, host, port), watch, words)
        await demo.run(seconds)
    if demo.line is not None:
        print(final_line(demo.line, words))
    return 0


def _config(sheet: Sheet, language: str, folder: str, host: str, port: int) -> Config:
    a, b = sheet.names
    return Config(
        schema=1,
        hall="demo",
        table="1",
        language=language,
        journal=f"{folder}/journal.db",
        match=MatchConfig(
            rulebook=sheet.setup.rulebook,
            format=join_fields(sheet.setup.format),
            a=a,
            b=b,
            first=sheet.setup.first or "",
        ),
        broker=BrokerSettings(host=host, port=port),
    )


@contextlib.asynccontextmanager
async def _hall_page(host: str, port: int, language: str) -> AsyncIterator[str]:
    """The page of the hall while the demonstration runs: its address, none without its packages."""
    try:
        import aiohttp  # noqa: F401, PLC0415 # an optional part
    except ImportError:
        yield ""
        return
    from firmware.web.hall import hall_web  # noqa: PLC0415
    from firmware.web.server import Site  # noqa: PLC0415

    where = BrokerConfig(host, client_id=f"tacada-page-{os.getpid()}", port=port)
    site, page_port = Site(language), free_port()
    hall = hall_web(where, "page", ("demo",), site)
    stopping = asyncio.Event()
    running = asyncio.create_task(hall.run("127.0.0.1", page_port, stopping))
    try:
        yield f"http://127.0.0.1:{page_port}/"
    finally:
        stopping.set()
        await running


class _Demo:
    """A table with mock pins, and a program that presses them."""

    def __init__(
        self, sheet: Sheet, config: Config, watch: Sequence[str], words: TerminalWords
    ) -> None:
        self._config, self._watch, self._words = config, watch, words
        self._keymap = Keymap(panel_of(config.panel), notation_of(config.match.rulebook))
        self._presses = tuple(presses_of(sheet, self._keymap, rulebook_of))
        layout = load_layout(config.board.layout)
        size = (layout.width, layout.height)
        self._terminal = TerminalDisplay(*size) if sys.stdout.isatty() else None
        self._display = self._terminal or KeptDisplay(*size)
        self._first, self._over = asyncio.Event(), asyncio.Event()
        self.line: Scoreline | None = None

    async def run(self, seconds: float | None) -> None:
        """Play the match; without `seconds` go on until the person ends it."""
        rehearsal = Rehearsal(self._presses, scoring=SCORING, seconds=seconds or USUAL_S)
        pins = MockFactory()
        app = TableApp(
            self._config,
            Parts(
                clock=SystemClock(),
                display=lambda: self._display,
                pins=lambda: pins,
                broker=mqtt_broker(self._config),
                timing=rehearsal.timing,
                guard=rehearsal.guard_timing,
            ),
        )
        app.watch(self._viewed)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, app.stop)
        async with asyncio.TaskGroup() as group:
            table = group.create_task(app.run())
            director = group.create_task(
                self._direct(rehearsal, Finger(pins, self._keymap.wiring()), seconds, app)
            )
            await table
            director.cancel()

    async def _direct(
        self, rehearsal: Rehearsal, finger: Finger, seconds: float | None, app: TableApp
    ) -> None:
        """Press the keys of the match, then end, or let the person go on."""
        await self._first.wait()
        self._caption([self._words.say("demo.match")])
        await rehearsal.play(finger)
        try:
            async with asyncio.timeout(GRACE_S):
                await self._over.wait()
        except TimeoutError:
            raise FirmwareError(Phrase("no_end", "the match did not come to its end")) from None
        if seconds is not None or self._terminal is None:
            app.stop()
            return
        self._caption([self._words.say("demo.yours"), self._help()])
        keyboard = Keyboard(taps_and_holds(KEYS), finger, ended=app.stop)
        try:
            await asyncio.Event().wait()
        finally:
            keyboard.close()

    def _help(self) -> str:
        """What the keys of the keyboard are on the panel."""
        language = load_language(self._config.language)
        keys = (f"{sign} {language.label(self._keymap.label(key))}" for sign, key in KEYS.items())
        return self._words.say("demo.keys", keys=" · ".join(keys))

    def _viewed(self, view: View) -> None:
        self.line = view.line
        self._first.set()
        if view.line is not None and view.line.phase == "over":
            self._over.set()

    def _caption(self, lines: Sequence[str]) -> None:
        if self._terminal is not None:
            self._terminal.caption([*lines, *self._watch])
