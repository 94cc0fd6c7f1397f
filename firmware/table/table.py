"""A table at work: every press and command comes here, one after the other.

A press is judged at once; what it enters goes the way of `firmware/table/owner.py`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Protocol

from msgspec.structs import replace

from drivers.ports import Answer, Press
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
from firmware.keys.bindings import NewMatch
from firmware.keys.dialogs import INCOMPLETE
from firmware.keys.grammar import TIMED_OUT, Cleared, Entered, Refused, TimedOut, Waiting
from firmware.keys.hands import Done
from firmware.keys.keybook import KeyBook
from firmware.setup.hour import Hour
from firmware.setup.next_match import NextMatch
from firmware.setup.preset import Preset
from firmware.snapshot import Committed, Tell, View
from firmware.table.guard import Guard
from firmware.table.orders import COMMAND_DEVICE, Asked, act_asked, preview
from firmware.table.owner import Owner, Store
from firmware.table.play import Names, Play
from firmware.table.setting_up import LongHeld, News, SettingUp
from rules.errors import Code, NotAllowed, RulesError
from rules.record import Source
from rules.sides import Pair

_log = logging.getLogger(__name__)

_MS = 1_000_000

FINGER_MS = 1000
"""A key that went down this long ago is a press by now, or never will be."""

TOLD_MS = 100
"""A key is told as down at most this long after its first edge."""


class Watchdog(Protocol):
    """Must be told that the owner lives, at least every `watchdog_s` seconds."""

    @property
    def watchdog_s(self) -> float | None:
        """None if nobody watches."""

    def alive(self) -> None:
        """The owner works off what comes."""


class Table(Owner):
    """Listens to the panels (`drivers.ports.KeyListener`), and obeys commands.

    `begin` makes a match that was set up by the questions of `next_match`, from the press that
    ended it, `prepare` one that a command asks for; `numbers` are those of players by name.
    `on_view` is told whenever the board should look different, `on_committed` of each record once
    it is on disk, `on_answer` of what became of each press, `on_read` of a message at which
    somebody pressed a key, `on_hour` of date and time that were set at the panel, and `on_language`
    of a language that was chosen there. `others` are the keys of devices that have not the panel's;
    `on_keys` is told when another game has changed them all.
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
        numbers: Callable[[Names], Awaitable[Pair[tuple[int, ...]]]],
        on_view: Callable[[View], None],
        on_committed: Callable[[Committed], None],
        next_match: NextMatch,
        others: Mapping[str, KeyBook] | None = None,
        on_keys: Callable[[], None] = lambda: None,
        on_answer: Callable[[Press, Answer], None] = lambda *_: None,
        on_read: Callable[[str], None] = lambda _: None,
        on_hour: Callable[[Hour], None] = lambda _: None,
        on_language: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._presses: asyncio.Queue[Press | Asked | News | BaseException] = asyncio.Queue()
        super().__init__(
            play,
            keys=keys,
            store=store,
            clock=clock,
            boot=boot,
            on_view=on_view,
            on_committed=on_committed,
            on_error=self._presses.put_nowait,
            others=others,
            on_keys=on_keys,
        )
        self._setting_up = SettingUp(
            self,
            next_match,
            self._presses.put_nowait,
            begin=begin,
            numbers=numbers,
            source=self._source,
            on_hour=on_hour,
            on_language=on_language,
        )
        self._begin = begin
        self._guard, self._prepare = guard, prepare
        self._on_answer, self._on_read = on_answer, on_read
        self._entered: asyncio.Future[Any] | None = None
        """What the press that is being followed has entered, on its way to disk."""
        self._last_done: asyncio.Future[Any] | None = None
        """The last command's record on its way to disk: those before it are there by then."""
        self._down_ms: dict[tuple[str, str], int] = {}
        """Keys that went down and are no press yet: whoever held one was in time for a dialog."""

    async def run(self, watchdog: Watchdog | None = None) -> None:
        """Work off presses as they come; ends by cancellation, or with what the disk raised.

        The watchdog is fed here and nowhere else: it tells that presses are worked off.
        """
        self.opened()
        every_s = watchdog.watchdog_s if watchdog is not None else None
        try:
            while True:
                if watchdog is not None:
                    watchdog.alive()
                await self._once(every_s)
        finally:
            self._setting_up.cancel()

    async def _once(self, every_s: float | None) -> None:
        """The next press, command or news; or what falls due before it, after `every_s` at most."""
        self._call()
        try:
            async with asyncio.timeout(self._wait_s(every_s)):
                press = await self._presses.get()
        except TimeoutError:
            self._fall_due(self._judged_ms())
            return
        if isinstance(press, BaseException):
            raise press
        if isinstance(press, Asked):
            self._obey(press)
        elif isinstance(press, News):
            self._setting_up.hear(press)
        else:
            self._take(press)

    def heard(self, device: str, key: str) -> None:
        """A key went down: the board says so before anything is decided."""
        now_ms = self.now_ms
        self._down_ms[device, key] = now_ms
        message = self.view.message
        if message is not None:
            self.view = replace(self.view, message=None)
            self._on_read(message.text)
        self.show(heard_ms=now_ms)

    def pressed(self, press: Press) -> None:
        """A press to be judged in its turn."""
        self._down_ms.pop((press.device, press.key), None)
        self._presses.put_nowait(press)

    def long_held(self, device: str, key: str) -> None:
        """A key is held for seconds: what its hold means came before."""
        self._presses.put_nowait(LongHeld(device, key))

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that the panel itself left out."""
        self._down_ms.pop((device, key), None)
        self._guard.pressed(self._clock.now_ns())
        self.refuse(Tell.IGNORED, why, key)

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

    def _wait_s(self, every_s: float | None) -> float | None:
        """How long to wait for a press: until the watchdog wants food, or something is due."""
        now_ns, play, due_ms = self._clock.now_ns(), self.play, self.hands.deadline_ms
        down_ms = self._oldest_down_ms(now_ns // _MS)
        if due_ms is not None and down_ms is not None:
            due_ms = max(due_ms, down_ms + FINGER_MS)
        dues = (due_ms, self._setting_up.due_ms)
        waits_ns = [due * _MS - now_ns for due in dues if due is not None]
        call_ms = play.ledger.clock.next_deadline(play.t_ms(now_ns))
        if call_ms is not None:
            waits_ns.append(play.zero_ns + call_ms * _MS - now_ns)
        waits_s = [max(0, wait_ns) / 1_000_000_000 for wait_ns in waits_ns]
        return min(waits_s if every_s is None else [*waits_s, every_s], default=None)

    def _oldest_down_ms(self, now_ms: int) -> int | None:
        """Since when a key is down that may still become a press."""
        recent = (since for since in self._down_ms.values() if since > now_ms - FINGER_MS)
        return min(recent, default=None)

    def _judged_ms(self) -> int:
        """Up to when all presses have been judged: before that, what is typed is over in time."""
        now_ms = self.now_ms
        down_ms = self._oldest_down_ms(now_ms)
        return now_ms if down_ms is None else min(now_ms, down_ms - TOLD_MS)

    def _take(self, press: Press) -> None:
        """A press; once more where it went on from what was typed, and that is entered now."""
        self._fall_due(press.t_ns // _MS)
        self._guard.pressed(press.t_ns)
        refused, self._entered = self.refused, None
        if press.long:
            self._setting_up.ask_of_match(press)
        elif self._setting_up.asks:
            self._entered = self._setting_up.answer(press)
        else:
            while self._follow(self.hands.press(self._moment(), press)):
                pass
        self._answer(press, refused=self.refused > refused)

    def _answer(self, press: Press, *, refused: bool) -> None:
        """Say what became of a press, once what it entered is on disk."""
        answer = Answer.WAITING if self.hands.typing(press.device) else Answer.ACCEPTED
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
        while (done := self.hands.due(self._moment(), now_ms)) is not None:
            self._follow(done)
        self._setting_up.fall_due(now_ms)

    def _follow(self, done: Done) -> bool:
        """Do what a press means; whether its key is then to be pressed once more."""
        press, again = done.press, False
        match done.outcome:
            case Entered() as entered:
                again = self._judge(press, entered) and entered.again
            case NewMatch():
                self._setting_up.open(press.t_ns // _MS)
            case Waiting(opened=True, hint=hint):
                self._began_typing(press, hint)
            case Cleared(text):
                self.show(told=self._telling(Tell.UNDONE, "cleared", text))
            case TimedOut(text):
                self.refuse(Tell.IGNORED, TIMED_OUT, text)
            case Refused(code, detail) if code in (*Code, INCOMPLETE):
                self.refuse(Tell.REFUSED, code, detail)
            case Refused(code):
                self.refuse(Tell.IGNORED, code, press.key)
        self._show_typed()
        return again

    def _began_typing(self, press: Press, hint: str) -> None:
        """A dialog has opened, unless the press belongs to one that decided something."""
        objection = self._guard.objection(press.device, press.key, (), press.t_ns)
        if objection is not None:
            self.hands.clear(press.device)
            self.refuse(Tell.IGNORED, objection, press.key)
        elif hint:
            self.refuse(Tell.REFUSED, hint, "")
        else:
            self.show(told=None)

    def _judge(self, press: Press, entered: Entered) -> bool:
        """One act of a press: the guard first, then the rules; whether it was taken."""
        act, before = entered.act, self.play.ledger.match
        # The key that ends a dialog is not the same key outside of it.
        key = f"{entered.dialog}.{press.key}" if entered.dialog else press.key
        objection = self._guard.objection(press.device, key, act, press.t_ns)
        if objection is not None:
            self.refuse(Tell.IGNORED, objection, press.key)
            return False
        try:
            self._entered = self.enter(act, self._source(press), press.t_ns)
        except NotAllowed as error:
            self.refuse(Tell.REFUSED, error.code, error.detail)
            return False
        after = self.play.ledger.match
        self._guard.taken(
            press.device,
            press.key,
            act,
            press.t_ns,
            before=before,
            after=after,
            typed=bool(entered.dialog),
        )
        return True

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

    def _source(self, press: Press) -> Source:
        """Where a press comes from, by a number that no other of this match has."""
        return Source(press.device, press.id or f"{self._boot}.{press.number}")

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
            except RulesError as error:
                asked.refuse(play.ledger.seq, MALFORMED, str(error))

    def _carry_out(self, asked: Asked) -> None:
        """Do what a command says, or look at what it would do."""
        command, ledger = asked.command, self.play.ledger
        if asked.new is not None:
            if command.preview:
                asked.answer.set_result(preview(command.id, 0, asked.new.ledger.match))
                return
            self.play = asked.new
            done = self.opened()
        else:
            act = act_asked(command, ledger)
            if command.preview:
                asked.answer.set_result(preview(command.id, ledger.seq, ledger.would(act)))
                return
            done = self.enter(act, Source(COMMAND_DEVICE, command.id), self._clock.now_ns())
        self._last_done = done
        asked.answer_when(done, self.play.answer(command.id))
