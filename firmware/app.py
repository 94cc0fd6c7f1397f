"""The composition root: the only place that puts rules, drivers and disk together."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from drivers.broker import BrokerConfig, MqttBroker, Tls
from drivers.gestures import Timing
from drivers.matrix import BlockOrder, Matrix, open_spi
from drivers.panel import Panel, PinFactory
from drivers.pins import pi_pins
from drivers.ports import Broker, Display, Message, Picture
from firmware.board import Board
from firmware.clock import Clock, SystemClock
from firmware.config import BrokerSettings, Config, panel_of
from firmware.errors import ConfigError
from firmware.guard import Guard, GuardTiming
from firmware.i18n import Language, load_language
from firmware.journal import Journal, Summary, began
from firmware.journal_worker import JournalWorker
from firmware.keymap import Keymap
from firmware.layout import Layout, load_layout
from firmware.matches import MatchMaker, player_numbers, resumed
from firmware.publisher import Publisher, Topics
from firmware.render import next_change_ms, render
from firmware.snapshot import Committed, View
from firmware.table import SLOW_MS, Play, Table
from rules.record import Record
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of

_log = logging.getLogger(__name__)

GOODBYE_S = 1.0
"""How long the publisher may take to say that the table is going."""

DISK_FAULT = "DISK"


@dataclass(frozen=True, slots=True)
class Parts:
    """What differs between a table on a Pi, a demonstration and a test; what is none is not there.

    `broker` makes one from the last will.
    """

    clock: Clock
    display: Display | None = None
    pins: PinFactory | None = None
    broker: Callable[[Message], Broker] | None = None
    timing: Timing | None = None
    guard: GuardTiming | None = None


class DiskStore:
    """The journal's thread as the table sees it; the publisher learns of each match here."""

    def __init__(self, worker: JournalWorker, publisher: Publisher | None) -> None:
        self._worker, self._publisher = worker, publisher
        self._play: Play | None = None

    async def took_up(self, play: Play) -> None:
        """A match that is in the journal already is on the table."""
        sent = await self._worker.call(lambda journal: journal.cursor(play.match_id))
        self._play = play
        if self._publisher is not None:
            notation = play.ledger.match.game.notation
            self._publisher.opened(
                play.match_id, notation, play.zero_ns, sent=sent, line=play.line()
            )

    def begin(self, play: Play) -> "asyncio.Future[Any]":
        """Close the match before, and open one under its rulebook of today."""
        before, self._play = self._play, play
        if before is not None:
            summary = Summary.of(before.line())
            self._worker.call(lambda journal: journal.finish(before.match_id, summary))
        if self._publisher is not None:
            self._publisher.opened(play.match_id, play.ledger.match.game.notation, play.zero_ns)
        setup = play.ledger.match.setup
        row = began(play.match_id, rulebook_of(setup.rulebook), play.setup.at_ms)
        return self._worker.call(lambda journal: journal.begin(row, play.setup))

    def commit(self, play: Play, record: Record) -> "asyncio.Future[Any]":
        """Write a record in the words of the game that judged it."""
        return self._worker.commit(play.match_id, record, play.ledger.match.setup.rulebook)


class TableApp:
    """One table, from its first picture to its goodbye."""

    def __init__(self, config: Config, parts: Parts) -> None:
        """Read what the configuration names.

        Raises:
            ConfigError: a layout, language or panel cannot be used.
        """
        self._config, self._parts = config, parts
        layout, language = load_layout(config.board.layout), load_language(config.language)
        self._render = partial(_render, layout, language)
        self._next_change = partial(_next_change, layout, language)
        notation = notation_of(config.match.rulebook)
        self._keymap = Keymap(panel_of(config.panel), notation, config.panel.layout)
        self._stopping = asyncio.Event()
        self._watchers: list[Callable[[View], None]] = []
        self._publisher: Publisher | None = None
        self.table: Table | None = None

    def watch(self, on_view: Callable[[View], None]) -> None:
        """Be told of every view."""
        self._watchers.append(on_view)

    def stop(self) -> None:
        """End `run` in good order."""
        self._stopping.set()

    async def run(self) -> None:
        """Be a table until stopped.

        Raises:
            JournalError: the journal cannot be opened.
            DeviceMissing: a pin of the panel cannot be claimed.
            DeviceLost: the display is gone.
        """
        clock = self._parts.clock
        journal, damage = Journal.open(self._config.journal, at_ms=clock.wall_ms())
        if damage is not None:
            _log.error("the journal was damaged: %s", damage)
        worker = JournalWorker(journal, self)
        try:
            await self._with_journal(worker)
        finally:
            unwritten = await worker.close()
            if unwritten:
                _log.error("%d records could not be saved", unwritten)

    async def _with_journal(self, worker: JournalWorker) -> None:
        config, parts = self._config, self._parts
        boot = await worker.call(Journal.boot)
        players = await worker.call(lambda journal: player_numbers(journal, config.match))
        play = await worker.call(lambda journal: resumed(journal, parts.clock))
        self._publisher = self._made_publisher(worker, boot)
        store = DiskStore(worker, self._publisher)
        if play is not None:
            await store.took_up(play)
        matches = MatchMaker(config.match, players, boot, parts.clock)
        self.table = Table(
            play or matches.next(),
            keymap=self._keymap,
            guard=Guard(parts.guard),
            store=store,
            clock=parts.clock,
            boot=boot,
            begin=matches.next,
            on_view=self._viewed,
            on_committed=self._committed,
        )
        await self._play(self.table)

    async def _play(self, table: Table) -> None:
        """Owner, board, panel and publisher at work, until it is time to stop."""
        parts, config = self._parts, self._config
        with contextlib.ExitStack() as stack:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(table.run(), name="owner")]
                if parts.display is not None:
                    board = Board(parts.display, self._render, self._next_change, parts.clock)
                    self.watch(board.show)
                    board.show(table.view)
                    tasks.append(group.create_task(board.run(), name="board"))
                talking = None
                if self._publisher is not None:
                    talking = group.create_task(self._publisher.run(), name="publisher")
                if parts.pins is not None:
                    panel = Panel(
                        "panel",
                        self._keymap.wiring(),
                        table,
                        factory=parts.pins,
                        timing=parts.timing,
                        spi=config.board.enabled,
                    )
                    stack.callback(panel.close)
                await self._stopping.wait()
                await self._goodbye(talking)
                for task in tasks:
                    task.cancel()
        if parts.display is not None:
            # A score that nobody keeps up to date would be a lie.
            await parts.display.close(blank=True)

    async def _goodbye(self, talking: "asyncio.Task[None] | None") -> None:
        """Let the publisher say offline, if the broker is there to hear it."""
        if talking is None or self._publisher is None:
            return
        self._publisher.stop()
        await asyncio.wait([talking], timeout=GOODBYE_S)
        talking.cancel()

    def _made_publisher(self, worker: JournalWorker, boot: int) -> Publisher | None:
        if self._parts.broker is None:
            return None
        topics = Topics(self._config.hall, self._config.table)
        return Publisher(
            self._parts.broker(topics.will()),
            topics,
            clock=self._parts.clock,
            boot=boot,
            older=lambda match, after: worker.call(lambda journal: journal.records(match, after)),
            advance=lambda match, seq: worker.call(lambda journal: journal.advance(match, seq)),
        )

    def _viewed(self, view: View) -> None:
        for watcher in self._watchers:
            watcher(view)

    def _committed(self, committed: Committed) -> None:
        if self._publisher is not None:
            self._publisher.committed(committed)

    # DiskListener

    def committed(self, records: int, took_s: float) -> None:
        """A transaction is on disk."""
        if took_s * 1000 > SLOW_MS:
            _log.warning("%d records took %.0f ms to be saved", records, took_s * 1000)

    def failing(self, reason: str) -> None:
        """The disk refuses; the board says so until it is back."""
        _log.error("the journal cannot be written: %s", reason)
        if self.table is not None:
            self.table.fault(DISK_FAULT, present=True)

    def recovered(self) -> None:
        """The disk works again."""
        _log.warning("the journal can be written again")
        if self.table is not None:
            self.table.fault(DISK_FAULT, present=False)


async def run_table(config: Config) -> None:
    """Be the table of a configuration on a Raspberry Pi, until SIGTERM or Ctrl-C.

    Raises:
        DeviceMissing: names the device and the mend.
        FirmwareError: the configuration or the journal cannot be used.
    """
    app = TableApp(config, pi_parts(config))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, app.stop)
    await app.run()


def pi_parts(config: Config) -> Parts:
    """The pins, display and broker that a configuration names.

    Raises:
        DeviceMissing: names the device and the mend.
        ConfigError: the password file cannot be read.
    """
    board = config.board
    display = None
    if board.enabled:
        layout = load_layout(board.layout)
        display = Matrix(
            open_spi(port=board.spi_port, device=board.spi_device, speed_hz=board.spi_hz),
            width=layout.width,
            height=layout.height,
            orientation=board.orientation,
            order=BlockOrder(
                from_right=board.from_right,
                from_bottom=board.from_bottom,
                serpentine=board.serpentine,
                turned=board.turned,
            ),
            contrast=board.contrast,
        )
    return Parts(
        clock=SystemClock(),
        display=display,
        pins=pi_pins() if config.panel.enabled else None,
        broker=mqtt_broker(config) if config.broker.host else None,
    )


def mqtt_broker(config: Config) -> Callable[[Message], Broker]:
    """What makes the configured broker from a last will.

    Raises:
        ConfigError: the password file cannot be read.
    """
    settings = config.broker
    password = _password(settings) if settings.password_file else None
    where = BrokerConfig(
        host=settings.host,
        # One table, one client: a broker ends the older of two with the same id.
        client_id=f"tacada-{config.hall}-{config.table}",
        port=settings.port,
        username=settings.username or None,
        password=password,
        tls=Tls(ca_file=settings.ca_file or None) if settings.tls else None,
    )
    return lambda will: MqttBroker(where, will=will)


def _password(settings: BrokerSettings) -> str:
    try:
        return Path(settings.password_file).read_text("utf-8").splitlines()[0].strip()
    except (OSError, IndexError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "holds no password"
        raise ConfigError([f"broker.password_file {settings.password_file}: {reason}"]) from None


def _render(layout: Layout, language: Language, view: View, now_ms: int) -> Picture:
    return render(view, layout, language, now_ms)


def _next_change(layout: Layout, language: Language, view: View, now_ms: int) -> int | None:
    return next_change_ms(view, layout, language, now_ms)
