"""The one owner of a match: every press comes here, one after the other.

A press is judged at once, its record goes to disk, and what is shown and published follows the
last record that is there. If a commit is not back after `UNSAVED_MS`, the board goes on with
the accepted score under a mark that it is not saved; published is nothing unsaved.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec.structs import replace

from drivers.ports import Press
from firmware.clock import Clock
from firmware.guard import Guard
from firmware.keymap import Keymap, NewMatch
from firmware.snapshot import Committed, Tell, Told, View
from rules.errors import NotAllowed
from rules.frame import Notice
from rules.ledger import Ledger
from rules.match import Match
from rules.notices import correction, notices
from rules.record import Act, EditInning, Record, Source, Splice, Undo, act_text, record_text
from rules.scoreline import Scoreline, scoreline
from rules.sides import Pair

_log = logging.getLogger(__name__)

UNSAVED_MS = 500
"""A commit that takes longer shows the score as not saved."""

SLOW_MS = 100
"""A commit that takes longer is logged."""

_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Play:
    """A match on this table: its log, who plays, and what its time counts from.

    `zero_ns` is the monotonic clock at match time 0. `stored` says that record 0 is on disk.
    """

    match_id: str
    ledger: Ledger
    names: Pair[tuple[str, ...]]
    zero_ns: int
    setup: Record
    stored: bool = False

    def t_ms(self, t_ns: int) -> int:
        """A moment of the monotonic clock as match time; never before the match."""
        return max(0, (t_ns - self.zero_ns) // _MS)

    def line(self) -> Scoreline:
        """The score as the log stands."""
        return scoreline(self.ledger, self.names, self.match_id)


class Watchdog(Protocol):
    """Must be told that the owner lives, at least every `watchdog_s` seconds."""

    @property
    def watchdog_s(self) -> float | None:
        """None if nobody watches."""

    def alive(self) -> None:
        """The owner works off what comes."""


class Store(Protocol):
    """Where records are kept for good. Order is kept; a future is done once all is on disk."""

    def begin(self, play: Play) -> "asyncio.Future[Any]":
        """Open a match with its record 0."""

    def commit(self, play: Play, record: Record) -> "asyncio.Future[Any]":
        """Write a record."""


class Table:
    """Owns the ledger, and listens to the panels (`drivers.ports.KeyListener`).

    `begin` makes the match after this one. `on_view` is told whenever the board should look
    different, `on_committed` of each record once it is on disk.
    """

    def __init__(
        self,
        play: Play,
        *,
        keymap: Keymap,
        guard: Guard,
        store: Store,
        clock: Clock,
        boot: int,
        begin: Callable[[], Play],
        on_view: Callable[[View], None],
        on_committed: Callable[[Committed], None],
    ) -> None:
        self.play = play
        self._keymap, self._guard, self._store = keymap, guard, store
        self._clock, self._boot, self._begin = clock, boot, begin
        self._on_view, self._on_committed = on_view, on_committed
        self._presses: asyncio.Queue[Press | BaseException] = asyncio.Queue()
        self._unsaved: deque[tuple[Committed, Told | None]] = deque()
        self._late = False
        self.refused = 0
        """Presses since the start that were not acted upon."""
        self.view = View()
        """What the board shows."""

    async def run(self, watchdog: Watchdog | None = None) -> None:
        """Work off presses as they come; ends by cancellation, or with what the disk raised.

        The watchdog is fed here and nowhere else: it tells that presses are worked off.
        """
        self._opened()
        every_s = watchdog.watchdog_s if watchdog is not None else None
        while True:
            if watchdog is not None:
                watchdog.alive()
            try:
                async with asyncio.timeout(every_s):
                    press = await self._presses.get()
            except TimeoutError:
                continue
            if isinstance(press, BaseException):
                raise press
            self._take(press)

    def heard(self, device: str, key: str) -> None:
        """A key went down: the board says so before anything is decided."""
        del device, key
        self._show(heard_ms=self._clock.now_ns() // _MS)

    def pressed(self, press: Press) -> None:
        """A press to be judged in its turn."""
        self._presses.put_nowait(press)

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that the panel itself left out."""
        del device
        self._refuse(Tell.IGNORED, why, key)

    def stuck(self, device: str, key: str) -> None:
        """A key that is down for too long."""
        _log.warning("%s: key %s is stuck", device, key)
        self.fault(f"KEY {key}", present=True)

    def freed(self, device: str, key: str) -> None:
        """A stuck key works again."""
        _log.warning("%s: key %s is free again", device, key)
        self.fault(f"KEY {key}", present=False)

    def fault(self, code: str, *, present: bool) -> None:
        """A part of the table does not work, or works again."""
        others = tuple(fault for fault in self.view.faults if fault != code)
        self._show(faults=(*others, code) if present else others)

    def _take(self, press: Press) -> None:
        match = self.play.ledger.match
        meaning = self._keymap.meaning(match, press.key, held=press.held)
        if meaning is None:
            self._refuse(Tell.IGNORED, "no_key", press.key)
        elif isinstance(meaning, NewMatch):
            self.play = self._begin()
            self._opened()
        else:
            self._judge(press, meaning, match)

    def _judge(self, press: Press, act: Act, before: Match) -> None:
        """One press with its meaning: the guard first, then the rules."""
        objection = self._guard.objection(press.device, press.key, act, press.t_ns)
        if objection is not None:
            self._refuse(Tell.IGNORED, objection, press.key)
            return
        ledger = self.play.ledger
        undoes = ledger.undoes
        try:
            if isinstance(act, EditInning):
                act = ledger.splice_of(act)
            record = self._record(press, act)
            ledger.append(record)
        except NotAllowed as error:
            self._refuse(Tell.REFUSED, error.code, error.detail)
            return
        after = ledger.match
        self._guard.taken(press.device, press.key, act, press.t_ns, before=before, after=after)
        said = notices(before, act, after) if isinstance(act, tuple) else correction(after)
        told = self._told(act, undoes)
        self._commit(self._store.commit(self.play, record), record, said, told)

    def _record(self, press: Press, act: Act) -> Record:
        return Record(
            seq=self.play.ledger.seq + 1,
            act=act,
            t_ms=self.play.t_ms(press.t_ns),
            at_ms=self._clock.wall_ms(),
            synced=self._clock.synced(),
            by=Source(press.device, f"{self._boot}.{press.number}"),
        )

    def _told(self, act: Act, undoes: Act | None) -> Told | None:
        now_ms = self._clock.now_ns() // _MS
        notation = self.play.ledger.match.game.notation
        if isinstance(act, Undo) and undoes is not None:
            return Told(Tell.UNDONE, "undone", act_text(undoes, notation), now_ms)
        if isinstance(act, Splice):
            return Told(Tell.EDITED, "edited", "", now_ms)
        return None

    def _opened(self) -> None:
        """A match has come to the table: from disk, or new and to be written."""
        play = self.play
        if play.stored:
            self._show(line=play.line(), keys=self._keymap.labels(play.ledger.match))
        else:
            self._commit(self._store.begin(play), play.setup, (), None)

    def _commit(
        self,
        done: "asyncio.Future[Any]",
        record: Record,
        said: tuple[Notice, ...],
        told: Told | None,
    ) -> None:
        """Wait for an accepted record to be on disk, without holding up the next press."""
        ledger = self.play.ledger
        text = record_text(record, ledger.match.game.notation)
        committed = Committed(self.play.line(), record, text, said)
        self._unsaved.append((committed, told))
        started_ns = self._clock.now_ns()
        loop = asyncio.get_running_loop()
        late = loop.call_later(UNSAVED_MS / 1000, self._is_late)
        if self._late:
            self._is_late()

        def saved(future: "asyncio.Future[Any]") -> None:
            late.cancel()
            if future.cancelled():
                return
            error = future.exception()
            if error is not None:
                self._presses.put_nowait(error)
                return
            took_ms = (self._clock.now_ns() - started_ns) // _MS
            if took_ms > SLOW_MS:
                _log.warning("record %d took %d ms to be saved", record.seq, took_ms)
            self._saved()

        done.add_done_callback(saved)

    def _is_late(self) -> None:
        """Go on with what was accepted, and say that it is not saved."""
        self._late = True
        committed, told = self._unsaved[-1]
        self._show(
            line=replace(committed.line, saved=False),
            told=told or self.view.told,
            keys=self._keymap.labels(self.play.ledger.match),
        )

    def _saved(self) -> None:
        """The oldest record that waited is on disk."""
        committed, told = self._unsaved.popleft()
        self._on_committed(committed)
        if self._late and self._unsaved:
            return
        self._late = False
        self._show(
            line=committed.line,
            told=told,
            keys=self._keymap.labels(self.play.ledger.match),
        )

    def _refuse(self, tell: Tell, code: str, text: str) -> None:
        self.refused += 1
        self._show(told=Told(tell, code, text, self._clock.now_ns() // _MS))

    def _show(self, **changes: Any) -> None:
        self.view = replace(self.view, **changes)
        self._on_view(self.view)
