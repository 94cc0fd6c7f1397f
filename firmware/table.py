"""The one owner of a match: every press comes here, one after the other.

A press is judged at once, its record goes to disk, and what is shown and published follows the
last record that is there (`firmware/saving.py`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from msgspec.structs import replace

from drivers.ports import Answer, Press
from firmware.bindings import NewMatch
from firmware.clock import Clock
from firmware.commands import (
    MALFORMED,
    STALE,
    Abandon,
    BadCommand,
    Command,
    Reply,
    Request,
    Start,
    read_command,
)
from firmware.errors import ConfigError
from firmware.forms import INCOMPLETE
from firmware.grammar import TIMED_OUT, Cleared, Entered, Refused, TimedOut, Waiting
from firmware.guard import Guard
from firmware.hands import Done, Hands
from firmware.keybook import KeyBook
from firmware.keymap import NO_KEY, Keymap
from firmware.moment import MatchMoment
from firmware.orders import COMMAND_DEVICE, Asked, act_asked, preview
from firmware.play import Play
from firmware.saving import Saving
from firmware.setup.desk import SetupDesk, roles_of
from firmware.setup.dialog import Preset
from firmware.snapshot import Committed, HallMessage, Tell, Told, View
from rules.errors import Code, NotAllowed, RulesError
from rules.frame import Notice
from rules.notices import correction, notices
from rules.record import (
    Act,
    ClockAct,
    ClockPause,
    EditInning,
    Record,
    Source,
    Splice,
    Undo,
    act_text,
    record_text,
)
from rules.rulebooks import family_of
from rules.scoreline import Scoreline

_log = logging.getLogger(__name__)

RESTART_DEVICE = "restart"
"""The device of the record that a table writes which comes back with a clock running."""

_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Ready:
    """A match that was set up at the table may begin."""

    play: Play


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

    `begin` makes a match that was set up at the `desk`, from the press that ended it, `prepare` one
    that a command asks for. `on_view` is told whenever the board should look different,
    `on_committed` of each record once it is on disk, `on_answer` of what became of each press,
    `on_read` of a message at which somebody pressed a key. `others` are the keys of devices that
    have not the panel's; `on_keys` is told when another game has changed them all.
    """

    def __init__(
        self,
        play: Play,
        *,
        keys: KeyBook,
        guard: Guard,
        store: Store,
        clock: Clock,
        boot: int,
        begin: Callable[[Preset, Source], Awaitable[Play]],
        prepare: Callable[[Start], Awaitable[Play]],
        on_view: Callable[[View], None],
        on_committed: Callable[[Committed], None],
        desk: SetupDesk,
        others: Mapping[str, KeyBook] | None = None,
        on_keys: Callable[[], None] = lambda: None,
        on_answer: Callable[[Press, Answer], None] = lambda *_: None,
        on_read: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.play = play
        self._desk = desk
        self._keys, self._others, self._on_keys = keys, others or {}, on_keys
        self._family = family_of(self._rulebook)
        self._hands, self._guard, self._store = Hands(*self._keymaps()), guard, store
        self._clock, self._boot, self._begin = clock, boot, begin
        self._on_view, self._prepare, self._on_answer = on_view, prepare, on_answer
        self._on_read = on_read
        self._presses: asyncio.Queue[Press | Asked | Ready | BaseException] = asyncio.Queue()
        self._saving = Saving(
            clock, show=self._shown, on_committed=on_committed, on_error=self._presses.put_nowait
        )
        self._last_done: asyncio.Future[Any] | None = None
        """The last command's record on its way to disk: those before it are there by then."""
        self._entered: asyncio.Future[Any] | None = None
        """What the press that is being followed has entered, on its way to disk."""
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
            self._call()
            try:
                async with asyncio.timeout(self._wait_s(every_s)):
                    press = await self._presses.get()
            except TimeoutError:
                self._fall_due(self._clock.now_ns() // _MS)
                continue
            if isinstance(press, BaseException):
                raise press
            if isinstance(press, Asked):
                self._obey(press)
            elif isinstance(press, Ready):
                self.play = press.play
                self._opened()
            else:
                self._take(press)

    @property
    def _rulebook(self) -> str:
        return self.play.ledger.match.setup.rulebook

    def _keymaps(self) -> tuple[Keymap, dict[str, Keymap]]:
        book = self._rulebook
        return self._keys.keymap(book), {
            name: keys.keymap(book) for name, keys in self._others.items()
        }

    def _check_keys(self, act: Splice, rulebook: str) -> None:
        """See that a mended set-up can be played on these keys.

        Raises:
            NotAllowed: there is no layout for its game.
        """
        try:
            self._keys.keymap(rulebook)
        except ConfigError as error:
            raise NotAllowed(Code.NOT_HERE, act, str(error)) from None

    def _fit_keys(self) -> None:
        """Give the keys the meaning that they have in this game."""
        family = family_of(self._rulebook)
        if family != self._family:
            self._family = family
            self._hands.use(*self._keymaps())
            self._on_keys()

    def take_up(self, play: Play) -> None:
        """A match that is on disk comes to the table, in the place of the one that is there."""
        self.play = play
        self._opened()

    def heard(self, device: str, key: str) -> None:
        """A key went down: the board says so before anything is decided."""
        del device, key
        message = self.view.message
        if message is not None:
            self.view = replace(self.view, message=None)
            self._on_read(message.text)
        self._show(heard_ms=self._clock.now_ns() // _MS)

    def pressed(self, press: Press) -> None:
        """A press to be judged in its turn."""
        self._presses.put_nowait(press)

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that the panel itself left out."""
        del device
        self._guard.pressed(self._clock.now_ns())
        self._refuse(Tell.IGNORED, why, key)

    def stuck(self, device: str, key: str, where: str) -> None:
        """A key that is down for too long."""
        _log.warning("%s: key %s is stuck (%s)", device, key, where)
        self.fault(f"KEY {key}", present=True)

    def floating(self, device: str, key: str, where: str) -> None:
        """A key whose line changes all by itself."""
        _log.warning("%s: key %s is floating, a wire is loose (%s)", device, key, where)
        self.fault(f"KEY {key}", present=True)

    def freed(self, device: str, key: str) -> None:
        """A stuck or floating key works again."""
        _log.warning("%s: key %s works again", device, key)
        self.fault(f"KEY {key}", present=False)

    def say(self, text: str, *, for_ms: int) -> None:
        """Put a line for who is at the table on the board, or with none take it away.

        It stands so long, unless somebody presses a key before.
        """
        now_ms = self._clock.now_ns() // _MS
        self._show(message=HallMessage(text, now_ms, now_ms + for_ms) if text else None)

    def fault(self, code: str, *, present: bool) -> None:
        """A part of the table does not work, or works again."""
        others = tuple(fault for fault in self.view.faults if fault != code)
        self._show(faults=(*others, code) if present else others)

    def _wait_s(self, every_s: float | None) -> float | None:
        """How long to wait for a press: until the watchdog wants food, or something is due."""
        now_ns, play, due_ms = self._clock.now_ns(), self.play, self._hands.deadline_ms
        dues = (due_ms, self._desk.until_ms)
        waits_ns = [due * _MS - now_ns for due in dues if due is not None]
        call_ms = play.ledger.clock.next_deadline(play.t_ms(now_ns))
        if call_ms is not None:
            waits_ns.append(play.zero_ns + call_ms * _MS - now_ns)
        waits_s = [max(0, wait_ns) / 1_000_000_000 for wait_ns in waits_ns]
        return min(waits_s if every_s is None else [*waits_s, every_s], default=None)

    def _call(self) -> None:
        """Tell the board what the clocks say: what comes of it is for the referee to enter."""
        calls = self.play.ledger.clock.calls(self.play.t_ms(self._clock.now_ns()))
        if calls != self.view.calls:
            self._show(calls=calls)

    def _moment(self) -> MatchMoment:
        ledger = self.play.ledger
        return MatchMoment(ledger.match, ledger)

    def _take(self, press: Press) -> None:
        """A press; once more where it went on from what was typed, and that is entered now."""
        self._fall_due(press.t_ns // _MS)
        self._guard.pressed(press.t_ns)
        refused, self._entered = self.refused, None
        if self._desk.ask is not None:
            self._choose(press)
        else:
            while self._follow(self._hands.press(self._moment(), press)):
                pass
        self._answer(press, refused=self.refused > refused)

    def _answer(self, press: Press, *, refused: bool) -> None:
        """Say what became of a press, once what it entered is on disk."""
        answer = Answer.WAITING if self._hands.typing(press.device) else Answer.ACCEPTED
        answer = Answer.REFUSED if refused else answer
        if self._entered is None:
            self._on_answer(press, answer)
        else:
            self._entered.add_done_callback(partial(self._answered, press, answer))

    def _answered(self, press: Press, answer: Answer, done: "asyncio.Future[Any]") -> None:
        if not done.cancelled() and done.exception() is None:
            self._on_answer(press, answer)

    def _fall_due(self, now_ms: int) -> None:
        """What was typed until now and nobody went on with."""
        self._guard.at(now_ms * _MS)
        while (done := self._hands.due(self._moment(), now_ms)) is not None:
            self._follow(done)
        if self._desk.until_ms is not None and self._desk.until_ms <= now_ms:
            self._desk.close()
            self._show(ask=None)

    def _follow(self, done: Done) -> bool:
        """Do what a press means; whether its key is then to be pressed once more."""
        press, again = done.press, False
        match done.outcome:
            case Entered() as entered:
                again = self._judge(press, entered) and entered.again
            case NewMatch():
                self._desk.open(press.t_ns // _MS)
                self._show(ask=self._desk.ask, told=None)
            case Waiting(opened=True, hint=hint):
                self._began_typing(press, hint)
            case Cleared(text):
                self._show(told=self._telling(Tell.UNDONE, "cleared", text))
            case TimedOut(text):
                self._refuse(Tell.IGNORED, TIMED_OUT, text)
            case Refused(code, detail) if code in (*Code, INCOMPLETE):
                self._refuse(Tell.REFUSED, code, detail)
            case Refused(code):
                self._refuse(Tell.IGNORED, code, press.key)
        self._show_typed()
        return again

    def _choose(self, press: Press) -> None:
        """A key while the next match is set up."""
        roles = roles_of(self._hands.keymap_of(press.device))
        if press.key not in roles:
            self._refuse(Tell.IGNORED, NO_KEY, press.key)
            return
        outcome = self._desk.press(roles[press.key], press.t_ns // _MS)
        self._show(ask=self._desk.ask, told=None)
        if isinstance(outcome, Preset):
            task = asyncio.ensure_future(self._begin(outcome, self._source(press)))
            task.add_done_callback(self._set_up)

    def _set_up(self, task: "asyncio.Task[Play]") -> None:
        """The match that was wished is ready, or cannot be."""
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._presses.put_nowait(Ready(task.result()))
        elif isinstance(error, BadCommand):
            self._refuse(Tell.REFUSED, error.code, error.detail)
        elif isinstance(error, RulesError | ConfigError):
            self._refuse(Tell.REFUSED, MALFORMED, str(error))
        else:
            self._presses.put_nowait(error)

    def _began_typing(self, press: Press, hint: str) -> None:
        """A dialog has opened, unless the press belongs to one that decided something."""
        objection = self._guard.objection(press.device, press.key, (), press.t_ns)
        if objection is not None:
            self._hands.clear(press.device)
            self._refuse(Tell.IGNORED, objection, press.key)
        elif hint:
            self._refuse(Tell.REFUSED, hint, "")
        else:
            self._show(told=None)

    def _judge(self, press: Press, entered: Entered) -> bool:
        """One act of a press: the guard first, then the rules; whether it was taken."""
        act, before = entered.act, self.play.ledger.match
        # The key that ends a dialog is not the same key outside of it.
        key = f"{entered.dialog}.{press.key}" if entered.dialog else press.key
        objection = self._guard.objection(press.device, key, act, press.t_ns)
        if objection is not None:
            self._refuse(Tell.IGNORED, objection, press.key)
            return False
        try:
            self._entered = self._enter(act, self._source(press), press.t_ns)
        except NotAllowed as error:
            self._refuse(Tell.REFUSED, error.code, error.detail)
            return False
        after = self.play.ledger.match
        self._guard.taken(press.device, press.key, act, press.t_ns, before=before, after=after)
        return True

    def _source(self, press: Press) -> Source:
        """Where a press comes from, by a number that no other of this match has."""
        return Source(press.device, press.id or f"{self._boot}.{press.number}")

    def _enter(self, act: Act, by: Source, t_ns: int) -> "asyncio.Future[Any]":
        """Put an act to the rules and send it to disk; done once it is there.

        Raises:
            NotAllowed: the rules refuse it.
        """
        ledger = self.play.ledger
        before, undoes = ledger.match, ledger.undoes
        if isinstance(act, EditInning):
            act = ledger.splice_of(act)
        if isinstance(act, Splice) and act.setup is not None:
            self._check_keys(act, act.setup.rulebook)
        record = Record(
            seq=ledger.seq + 1,
            act=act,
            t_ms=self.play.t_ms(t_ns),
            at_ms=self._clock.wall_ms(),
            synced=self._clock.synced(),
            by=by,
        )
        ledger.append(record)
        after = ledger.match
        self._fit_keys()
        said: tuple[Notice, ...] = ()
        if isinstance(act, tuple):
            said = notices(before, act, after)
        elif not isinstance(act, ClockAct):
            said = correction(after)
        done = self._store.commit(self.play, record)
        self._commit(done, record, said, self._told(act, undoes))
        return done

    async def ask(self, name: str, payload: bytes) -> Reply:
        """Obey a command, and answer it once what it did is on disk."""
        try:
            command = read_command(name, payload)
            new = await self._prepared(command)
            if new is not None:
                self._keys.keymap(new.ledger.match.setup.rulebook)
        except BadCommand as bad:
            return Reply(bad.id, self.play.ledger.seq, error=bad.code, detail=bad.detail)
        except (RulesError, ConfigError) as error:
            return Reply(command.id, self.play.ledger.seq, error=MALFORMED, detail=str(error))
        assert isinstance(command, Command)
        asked = Asked(command, new, asyncio.get_running_loop().create_future())
        self._presses.put_nowait(asked)
        return await asked.answer

    async def _prepared(self, command: Request) -> Play | None:
        """The match that a command puts up, if it does."""
        if isinstance(command, Start):
            return await self._prepare(command)
        if isinstance(command, Abandon):
            setup, (a, b) = self.play.ledger.match.setup, self.play.names
            same = Preset(setup.rulebook, a, b, setup.format, setup.first, setup.at)
            return await self._begin(same, Source(COMMAND_DEVICE, command.id))
        return None

    def _obey(self, asked: Asked) -> None:
        command, play = asked.command, self.play
        known = play.answers.get(command.id)
        if known is not None:
            asked.answer_when(self._last_done, known)
        elif command.expect_seq != play.ledger.seq:
            asked.refuse(play.ledger.seq, STALE, f"expected {command.expect_seq}")
        else:
            try:
                self._carry_out(asked)
            except NotAllowed as error:
                asked.refuse(play.ledger.seq, error.code, error.detail)
            except BadCommand as bad:
                asked.refuse(play.ledger.seq, bad.code, bad.detail)

    def _carry_out(self, asked: Asked) -> None:
        """Do what a command says, or look at what it would do."""
        command, ledger = asked.command, self.play.ledger
        if asked.new is not None:
            if command.preview:
                asked.answer.set_result(preview(command.id, 0, asked.new.ledger.match))
                return
            self.play = asked.new
            done = self._opened()
        else:
            act = act_asked(command, ledger)
            if command.preview:
                asked.answer.set_result(preview(command.id, ledger.seq, ledger.would(act)))
                return
            done = self._enter(act, Source(COMMAND_DEVICE, command.id), self._clock.now_ns())
        self._last_done = done
        asked.answer_when(done, self.play.answer(command.id))

    def _told(self, act: Act, undoes: Act | None) -> Told | None:
        notation = self.play.ledger.match.game.notation
        if isinstance(act, Undo) and undoes is not None:
            return self._telling(Tell.UNDONE, "undone", act_text(undoes, notation))
        if isinstance(act, Splice):
            return self._telling(Tell.EDITED, "edited", "")
        return None

    def _opened(self) -> "asyncio.Future[Any]":
        """A match has come to the table: from disk, or new and to be written."""
        self._hands.clear()
        self._fit_keys()
        play = self.play
        if play.stored and play.ledger.clock.running:
            # Time without power counts as none, and the referee says when it goes on.
            by = Source(RESTART_DEVICE, str(self._boot))
            last_ns = play.zero_ns + play.ledger.t_ms * _MS
            return self._enter(ClockPause(restart=True), by, last_ns)
        if play.stored:
            self._shown(play.line(), None)
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done
        done = self._store.begin(play)
        self._commit(done, play.setup, (), None)
        return done

    def _commit(
        self,
        done: "asyncio.Future[Any]",
        record: Record,
        said: tuple[Notice, ...],
        told: Told | None,
    ) -> None:
        text = record_text(record, self.play.ledger.match.game.notation)
        self._saving.add(done, Committed(self.play.line(), record, text, said), told)

    def _shown(self, line: Scoreline, told: Told | None) -> None:
        """A score goes to the board, with the keys as they mean now."""
        moment = self._moment()
        keys, typed = self._hands.labels(moment), self._hands.typed(moment)
        zero_ms = self.play.zero_ns // _MS
        self._show(line=line, told=told, keys=keys, typed=typed, zero_ms=zero_ms)

    def _show_typed(self) -> None:
        moment = self._moment()
        typed = self._hands.typed(moment)
        if typed != self.view.typed:
            self._show(typed=typed, keys=self._hands.labels(moment))

    def _refuse(self, tell: Tell, code: str, text: str) -> None:
        self.refused += 1
        self._show(told=self._telling(tell, code, text))

    def _telling(self, tell: Tell, code: str, text: str) -> Told:
        return Told(tell, code, text, self._clock.now_ns() // _MS)

    def _show(self, **changes: Any) -> None:
        self.view = replace(self.view, **changes)
        self._on_view(self.view)
