"""Copies of the journal on a second medium: whole, read through, and loud when they fail.

A stick that is put in gets a copy at once, with the sheets of the day, and the board says when it
may be pulled. The copy is made while the table goes on; its name is there once all of it is.
"""

import asyncio
import contextlib
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from firmware.clock import Clock
from firmware.config.config import BackupConfig
from firmware.disk import synced
from firmware.errors import FirmwareError, JournalError
from firmware.journal.check import fault
from firmware.journal.journal import Journal
from firmware.journal.schema import companions, connect
from firmware.records.kept import kept
from firmware.records.sheets import sheet_of
from firmware.supervise import Faults
from rules.rulebooks import notation_of
from rules.sheet import Sheet, print_sheets

_log = logging.getLogger(__name__)

BACKUP_FAULT = "BACKUP"

LOOK_S = 10.0
"""How often it is looked for the medium while it is not there, and for a new match that ended."""

PAGES, PAUSE_S = 64, 0.01
"""Pages copied at a time, and the pause after them: commits go first."""

BLOCK_DEVICES = Path("/sys/dev/block")

Medium: TypeAlias = tuple[int, str]

DAY_MS = 24 * 3_600_000

_HOUR_NS = 3_600_000_000_000

_HOUR = "????????T??????Z"
"""The hour in a copy's name, as a pattern: table `3` is not to have the copies of `3-b`."""

TOLD_MS = 60_000
"""How long the board says that the medium may be pulled."""


class BackupError(FirmwareError, OSError):
    """No copy could be made; the message names the place and the mend."""


def backed_up(journal: Path, folder: Path, table: str, now_ms: int, keep: int) -> Path:
    """Copy a journal that is in use, read the copy through, and drop the table's oldest; its path.

    Another table's copies may lie there too. Where the clock is wrong the new copy may bear the
    oldest name: it stays all the same.

    Raises:
        BackupError: the medium is not there, is the journal's own disk, is full or refuses.
    """
    _check(journal, folder)
    hour = datetime.fromtimestamp(now_ms / 1000, UTC)
    done = folder / f"tacada-{table}-{hour:%Y%m%dT%H%M%SZ}.db"
    part = folder / f"tacada-{table}.part"
    try:
        for left in companions(part):
            left.unlink()
        with (
            contextlib.closing(connect(journal, "ro")) as source,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            source.backup(copy, pages=PAGES, sleep=PAUSE_S)
            # One file alone, which can be read where nothing can be written.
            copy.execute("PRAGMA journal_mode = DELETE")
        why = fault(part, thorough=True)
        if why is not None:
            raise BackupError(f"{done}: the copy is not whole: {why}")
        synced(part)
        os.replace(part, done)
        # On FAT the new name says where the file lies once the file itself is synced again.
        synced(done)
        before = sorted(set(folder.glob(f"tacada-{table}-{_HOUR}.db")) - {done})
        for old in before[: max(0, len(before) + 1 - keep)]:
            old.unlink()
        synced(folder)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError(f"{folder}: {error}; look at the medium, or make room on it") from error
    return done


def sheets_written(journal: Path, folder: Path, table: str, now_ms: int) -> int:
    """Write the sheets of the last day's matches beside the copies; how many.

    Raises:
        BackupError: the medium refuses.
    """
    day = datetime.fromtimestamp(now_ms / 1000, UTC)
    try:
        with contextlib.closing(Journal.read(journal)) as opened:
            since_ms = now_ms - DAY_MS
            ids = [id_ for id_, _, started_ms, *_ in opened.listing() if started_ms > since_ms]
            sheets = list(_sheets(opened, ids))
        place = folder / f"tacada-{table}-{day:%Y-%m-%d}.sheet"
        place.write_text(print_sheets(sheets, notation_of), "utf-8")
        synced(place)
        synced(folder)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{folder}: {error}; look at the medium, or make room on it") from error
    return len(sheets)


def _sheets(journal: Journal, ids: Iterable[str]) -> Iterator[Sheet]:
    for id_ in ids:
        try:
            yield sheet_of(kept(journal, id_))
        except JournalError as error:  # the copy has it all the same
            _log.warning("no sheet: %s", error)


def _check(journal: Path, folder: Path) -> None:
    """A copy on the disk that dies with the journal is none."""
    if not os.path.isdir(folder):
        raise BackupError(f"{folder}: is not there; put the medium in, or mount it")
    if not _mounted(journal, folder):
        raise BackupError(f"{folder}: is on the journal's own disk; the medium is not mounted")
    if not os.access(folder, os.W_OK):
        raise BackupError(f"{folder}: may not be written; mount it for group tacada")


def _mounted(journal: Path, folder: Path) -> bool:
    """Whether a folder is on another disk: that of a medium is there without it too."""
    try:
        return folder.stat().st_dev != journal.parent.stat().st_dev
    except OSError:
        return False


def _medium(folder: Path) -> Medium | None:
    """Which medium is there: its device, and the kernel's number for each that is put in.

    Without such a number, as on a kernel before 5.15 or a folder of the network, the device alone.
    """
    try:
        device = folder.stat().st_dev
    except OSError:
        return None
    place = (BLOCK_DEVICES / f"{os.major(device)}:{os.minor(device)}").resolve()
    for disk in (place, place.parent):  # a partition's disk is the folder above
        with contextlib.suppress(OSError):
            return device, (disk / "diskseq").read_text("ascii").strip()
    return device, ""


class Backups:
    """Makes the copies of a table's journal: at the start, after a match, every few hours, and onto
    a medium that has come. One that may be pulled can be away until the next copy is due.

    `table` is its name, which the copies bear; `ended` counts matches that are over; `say` tells
    the board that the medium may be pulled. Who touches a medium may be kept waiting for seconds:
    all that does is done in a thread.
    """

    def __init__(
        self,
        config: BackupConfig,
        journal: Path,
        faults: Faults,
        *,
        table: str,
        clock: Clock,
        ended: Callable[[], int],
        say: Callable[[], None],
    ) -> None:
        self._config, self._journal, self._faults = config, journal, faults
        self._table, self._clock, self._ended, self._say = table, clock, ended, say
        self._done: Path | None = None
        """The last copy that was made; none after an attempt that failed."""
        self._on: Medium | None = None
        """What it was made on."""
        self._tried_ns: int | None = None
        self._tried_ended = 0
        self._failed = self._told = False
        """Whether the last attempt failed, and whether that was told."""

    async def run(self) -> None:
        """Look for what is due, for ever."""
        while True:
            due = self._due()
            if due or await asyncio.to_thread(self._came):
                await self._made(due=due)
            await asyncio.sleep(LOOK_S)

    def _due(self) -> bool:
        if self._tried_ns is None:
            return True
        # The hour may be set meanwhile, forwards or back.
        since_ns = self._clock.now_ns() - self._tried_ns
        return since_ns >= self._config.hours * _HOUR_NS or self._ended() > self._tried_ended

    def _came(self) -> bool:
        """Whether there is a medium without the last copy: it was put in, or put in again."""
        return not self._is_there() and _mounted(self._journal, Path(self._config.folder))

    def _is_there(self) -> bool:
        """Whether the last copy is, on a medium that was not pulled meanwhile."""
        if self._done is None or not os.path.exists(self._done):
            return False
        return _medium(Path(self._config.folder)) == self._on

    async def _made(self, *, due: bool) -> None:
        self._tried_ns, self._tried_ended = self._clock.now_ns(), self._ended()
        try:
            came = await asyncio.to_thread(self._copied)
        except OSError as error:
            # What is not due is tried twice before it is told: it may just be being pulled.
            if due or self._failed:
                self._tell(error)
            self._done, self._failed = None, True
            return
        _log.info("backup: %s", self._done)
        self._failed = self._told = False
        self._faults.fault(BACKUP_FAULT, present=False)
        if came:
            self._say()

    def _copied(self) -> bool:
        """Make a copy, and write the sheets beside it; whether the medium had come for it.

        Raises:
            BackupError: it cannot be made.
        """
        folder, now_ms = Path(self._config.folder), self._clock.wall_ms()
        came = not self._is_there()
        done = backed_up(self._journal, folder, self._table, now_ms, self._config.keep)
        sheets_written(self._journal, folder, self._table, now_ms)
        self._done, self._on = done, _medium(folder)
        return came

    def _tell(self, error: OSError) -> None:
        if not self._told:
            _log.error("no backup: %s", error)
        self._told = True
        self._faults.fault(BACKUP_FAULT, present=True)
