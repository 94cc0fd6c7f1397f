"""The composition root: puts rules, drivers and disk together into a table."""

import asyncio
import logging
import secrets
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

from drivers.errors import first_cause
from firmware.board.boards import Boards
from firmware.commands import PadReply, Reply
from firmware.config.config import Config, setup_of
from firmware.desk import Desk
from firmware.devices.devices import Devices
from firmware.devices.phones import PHONE
from firmware.journal.watch import watched
from firmware.journal.worker import JournalWorker
from firmware.machine import Machine
from firmware.mqtt.discovery import discovery
from firmware.mqtt.health import Health
from firmware.mqtt.messages import Device, PadStatus, Topics
from firmware.mqtt.publisher import Publisher
from firmware.parts import Parts
from firmware.setup.next_match import NextMatch
from firmware.setup.preset import Preset
from firmware.setup.words import SetupWords, load_setup_words
from firmware.snapshot import Committed, View
from firmware.systemd import Systemd
from firmware.table.club_list import followed
from firmware.table.guard import Guard
from firmware.table.matches import MatchMaker
from firmware.table.new_matches import NewMatches
from firmware.table.play import Names
from firmware.table.saving import SLOW_MS
from firmware.table.store import (
    DISK_WAIT_S,
    Beginning,
    DiskStore,
    found,
    open_journal,
    taken_up,
    unfounded,
)
from firmware.table.table import Table
from rules.rulebooks.shelf import RULEBOOKS

_log = logging.getLogger(__name__)

SWITCH_S = 0.000_02
"""How long the loop may keep a thread from the interpreter that has a record or picture to write:
Python's own 5 ms would be longer than the disk takes."""

DISK_FAULT = "DISK"
SIGNS = 1000
"""Of so many numbers one tells this start from that of another table with the same count."""

NAME_FAULT = "NAME"
"""Another table has this one's name: it stays until somebody has put that right."""


class TableApp:
    """One table, from its first picture to its goodbye."""

    def __init__(self, config: Config, parts: Parts) -> None:
        """Read what the configuration names.

        Raises:
            ConfigError: a layout, language or panel cannot be used.
        """
        self._config, self._parts = config, parts
        self._systemd = parts.systemd or Systemd({})
        self._machine = Machine(
            self._systemd,
            parts.clock,
            language=lambda: self._boards.language,
            say=self._said,
            stop=self.stop,
        )
        self._devices = Devices(
            config,
            pins=parts.pins,
            timing=parts.timing,
            clock=parts.clock,
            language=lambda: self._boards.language,
            faults=self,
            on_pads=self._pads_told,
            on_off=self._machine.turn_off,
        )
        self._stopping = asyncio.Event()
        self._watchers: list[Callable[[View], None]] = []
        self._faults: tuple[str, ...] = ()
        self._publisher: Publisher | None = None
        self._health: Health | None = None
        self._ended = 0
        self._desk: Desk | None = None
        self._until_stopped: list[asyncio.Task[None]] = []
        self.table: Table | None = None
        self._boards = Boards(
            (config.board, parts.display),
            [board for board in config.boards if board.enabled],
            parts.more,
            language=config.language,
            club=config.club,
            version=version("tacada"),
            rulebooks=tuple(RULEBOOKS),
            clock=parts.clock,
            faults=self,
            file=Path(config.journal).with_name("board.json"),
        )
        self.watch(self._boards.show)

    def watch(self, on_view: Callable[[View], None]) -> None:
        """Be told of every view."""
        self._watchers.append(on_view)

    def stop(self) -> None:
        """End `run` in good order."""
        self._stopping.set()

    async def run(self) -> None:
        """Be a table until stopped.

        Raises:
            JournalError: the journal worked and is lost.
            DriverError: a display or panel that worked is gone.
        """
        sys.setswitchinterval(SWITCH_S)
        try:
            async with asyncio.TaskGroup() as group:
                board = group.create_task(self._boards.run(), name="board")
                await self._with_journal(group)
                board.cancel()
        except ExceptionGroup as several:
            # One cause ends a table; what it took down with it is not news.
            raise first_cause(several) from several

    async def _with_journal(self, group: asyncio.TaskGroup) -> None:
        worker = JournalWorker(partial(open_journal, self._config.journal, self._parts.clock), self)
        try:
            self.table = await self._made_table(worker, group)
            for fault in self._faults:
                self.table.fault(fault, present=True)
            await self._play(self.table, group)
        finally:
            unwritten = await worker.close()
            if unwritten:
                _log.error("%d records could not be saved", unwritten)

    async def _made_table(self, worker: JournalWorker, group: asyncio.TaskGroup) -> Table:
        """The owner of the match in play, or of a new one."""
        config, parts = self._config, self._parts
        names = (config.match.a, config.match.b)
        asked_first = worker.call(partial(found, names, parts.clock))
        await asyncio.wait([asked_first], timeout=DISK_WAIT_S)
        on_disk = asked_first.done()
        start = asked_first.result() if on_disk else unfounded(names, parts.clock)
        self._tell_hall(worker, start.boot)
        store = DiskStore(worker, self._publisher)
        if start.play is not None:
            store.took_up(start.play, start.sent)
        usual = setup_of(config.match, start.players)
        configured = Preset(usual.rulebook, *names, usual.format, usual.first, usual.at)
        next_match = self._next_match(start, configured)
        new = NewMatches(
            MatchMaker(start.boot, parts.clock),
            worker,
            names=names,
            players=start.players,
            keys=self._devices.keys,
            next_match=next_match,
        )
        table = self._table_with(start, store, new, next_match)
        club = followed(worker, lambda: table.play, self._renamed, next_match, configured)
        self._until_stopped.append(group.create_task(club, name="club"))
        if not on_disk:
            store.without(start.players, names)
            late = taken_up(asked_first, worker, store, table)
            self._until_stopped.append(group.create_task(late, name="disk"))
        return table

    def _tell_hall(self, worker: JournalWorker, boot: int) -> None:
        """Make what tells the hall how the table stands and does, where there is a broker."""
        # Of two tables from one card the boot numbers are alike too.
        sign = boot * SIGNS + secrets.randbelow(SIGNS)
        self._publisher = self._made_publisher(worker, sign)
        if self._publisher is not None:
            report, there = self._publisher.report, self._parts_there()
            self._health = Health(version("tacada"), sign, report, there)

    def _next_match(self, start: Beginning, configured: Preset) -> NextMatch:
        self._setup_words()  # what cannot be read ends a start, and no match
        return NextMatch(
            self._setup_words,
            (*start.recent, configured),
            start.club,
            self._machine.hour if self._machine.sets_clock else None,
            keypads=[keypad.name for keypad in self._config.keypads],
        )

    def _table_with(
        self, start: Beginning, store: DiskStore, new: NewMatches, next_match: NextMatch
    ) -> Table:
        parts, devices = self._parts, self._devices
        return Table(
            start.play or new.usual(setup_of(self._config.match, start.players)),
            keys=devices.keys,
            guard=Guard(parts.guard),
            store=store,
            clock=parts.clock,
            boot=start.boot,
            begin=new.chosen,
            next_match=next_match,
            prepare=new.asked,
            numbers=new.numbers,
            on_view=self._viewed,
            on_committed=self._committed,
            others=devices.others,
            on_keys=devices.other_keys,
            on_answer=devices.answered,
            on_read=lambda text: self._desk.read(text) if self._desk is not None else None,
            on_hour=self._machine.set_hour,
            on_language=self._boards.speaks,
        )

    def _renamed(self, names: Names) -> None:
        assert self.table is not None
        self.table.renamed(names)
        if self._publisher is not None:
            self._publisher.renamed(names)

    async def _play(self, table: Table, group: asyncio.TaskGroup) -> None:
        """Owner, panel and publisher at work, until it is time to stop."""
        self._devices.open(table)
        self._desk = Desk(table, self._boards, self._devices.phones, self._say)
        tasks = [
            *self._until_stopped,
            group.create_task(table.run(self._systemd), name="owner"),
            group.create_task(self._devices.run(), name="devices"),
        ]
        talking = None
        if self._publisher is not None:
            talking = group.create_task(self._publisher.run(), name="publisher")
        look = watched(Path(self._config.journal), self)
        tasks.append(group.create_task(look, name="journal"))
        if self._config.backup.folder:
            tasks.append(group.create_task(self._copies(), name="backup"))
        if self._health is not None:
            tasks.append(group.create_task(self._health.measure(), name="health"))
        self._systemd.ready()
        await self._stopping.wait()
        self._systemd.stopping()
        if talking is not None and self._publisher is not None:
            self._publisher.stop()
            await asyncio.wait([talking])
        for task in tasks:
            task.cancel()

    async def _copies(self) -> None:
        """Make copies of the journal, for ever."""
        # A table without them has no use for what makes sheets: 0.2 MiB.
        from firmware.records.backup import TOLD_MS, Backups  # noqa: PLC0415
        from firmware.records.words import load_words  # noqa: PLC0415

        await Backups(
            self._config.backup,
            Path(self._config.journal),
            self,
            table=self._config.table,
            clock=self._parts.clock,
            ended=lambda: self._ended,
            say=lambda: self._said(load_words(self._boards.language.code).backup_done, TOLD_MS),
        ).run()

    def _setup_words(self) -> SetupWords:
        return load_setup_words(self._boards.language.code)

    def _said(self, text: str, for_ms: int) -> None:
        assert self.table is not None
        self.table.say(text, for_ms=for_ms)

    def _pads_told(self, pads: tuple[PadStatus, ...]) -> None:
        if self._health is not None:
            self._health.pads(pads)

    def _say(self, name: str, reply: Reply) -> None:
        if self._publisher is not None:
            self._publisher.say(name, reply)

    def _parts_there(self) -> tuple[Device, ...]:
        """What this table is made of, by its configuration."""
        there = [Device("journal", "journal", connected=True)]
        if self._parts.display is not None:
            there.append(Device("board", "board", connected=True))
        if self._parts.pins is not None:
            there.append(Device("panel", "panel", connected=True))
        if self._config.phone.enabled:
            there.append(Device(PHONE, "phone", connected=False))
        return tuple(there)

    def _made_publisher(self, worker: JournalWorker, boot: int) -> Publisher | None:
        if self._parts.broker is None:
            return None
        config = self._config
        topics = Topics(config.hall, config.table)
        prefix = config.broker.home_assistant
        release = version("tacada")
        return Publisher(
            self._parts.broker(topics.will(), [topics.commands, topics.status]),
            topics,
            clock=self._parts.clock,
            boot=boot,
            ask=self._ask,
            older=lambda match, after: worker.call(lambda journal: journal.records(match, after)),
            advance=lambda match, seq: worker.call(lambda journal: journal.advance(match, seq)),
            at_once=[discovery(topics, config.hall, config.table, release, prefix)]
            if prefix
            else (),
            on_clash=lambda: self.fault(NAME_FAULT, present=True),
        )

    async def _ask(self, name: str, payload: bytes) -> Reply | PadReply:
        assert self.table is not None
        answer = await self._desk.ask(name, payload) if self._desk is not None else None
        return await self.table.ask(name, payload) if answer is None else answer

    def _viewed(self, view: View) -> None:
        if self._health is not None and self.table is not None:
            self._health.seen(view, self.table.refused)
        self._devices.viewed(view)
        for watcher in self._watchers:
            watcher(view)

    def _committed(self, committed: Committed) -> None:
        line, record = committed.line, committed.record
        score = "{}-{}".format(*line.score) if line.score is not None else "-"
        turn = f", {line.turn} at the table" if line.turn is not None else ""
        _log.info(
            "%s %d: %s by %s: %s%s", line.match, record.seq, committed.text, record.by, score, turn
        )
        self._ended += line.phase == "over"
        if self._publisher is not None:
            self._publisher.committed(committed)

    def fault(self, code: str, *, present: bool) -> None:
        """A part does not work, or works again: the board says so, as soon as there is a table."""
        others = tuple(fault for fault in self._faults if fault != code)
        self._faults = (*others, code) if present else others
        if self.table is not None:
            self.table.fault(code, present=present)

    # DiskListener

    def committed(self, records: int, took_s: float) -> None:
        """A transaction is on disk."""
        if took_s * 1000 > SLOW_MS:
            _log.warning("%d records took %.0f ms to be saved", records, took_s * 1000)

    def failing(self, reason: str) -> None:
        """The disk refuses; the board says so until it is back."""
        _log.error("the journal cannot be written: %s", reason)
        self.fault(DISK_FAULT, present=True)

    def recovered(self) -> None:
        """The disk works again."""
        _log.warning("the journal can be written again")
        self.fault(DISK_FAULT, present=False)


async def run_until_signalled(app: TableApp) -> None:
    """Be a table until SIGTERM or Ctrl-C."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, app.stop)
    await app.run()
