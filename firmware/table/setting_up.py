"""What a table does with presses while something is asked: a set-up, or the menu of the match."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from drivers.ports import Press
from firmware.board.screens import REFUSED_MS
from firmware.commands import MALFORMED, BadCommand
from firmware.errors import ConfigError
from firmware.keys.grammar import SAME_PRESS
from firmware.keys.keymap import NO_KEY
from firmware.setup.dialog import Outcome
from firmware.setup.hour import Hour
from firmware.setup.match_menu import (
    Another,
    Count,
    Denied,
    LastEntries,
    Mend,
    MenuOutcome,
    Rename,
    Speak,
)
from firmware.setup.next_match import Doubled, NextMatch
from firmware.setup.preset import Preset
from firmware.snapshot import Counting, Tell, Told
from firmware.table.owner import Owner
from firmware.table.play import Names, Play
from rules.errors import Code, NotAllowed, RulesError
from rules.record import Setup, Source, Splice
from rules.sides import Pair

_MS = 1_000_000

T = TypeVar("T")


class Ready(Struct, frozen=True):
    """A match that was set up at the table may begin."""

    play: Play


class LongHeld(Struct, frozen=True):
    """A key held for seconds, which asks for the menu of the match where it is OK's."""

    device: str
    key: str


class Renamed(Struct, frozen=True):
    """Other players for the match, and their numbers; by whose press."""

    names: Names
    numbers: Pair[tuple[int, ...]]
    press: Press


News: TypeAlias = Ready | LongHeld | Renamed
"""What the owner of the match is told of beside presses and commands, in its turn."""

Entering: TypeAlias = "asyncio.Future[Any] | None"
"""A record on its way to disk, if there is one."""


class SettingUp:
    """The questions of one table, and what comes of their answers.

    `begin` makes a match of a set-up, `numbers` finds those of players: they may take their time,
    and `tell` brings what comes of them to the owner of the match, in its turn. `on_hour` is told
    of date and time that were set, `on_language` of a language that was chosen. `source` says
    where a press comes from.
    """

    def __init__(
        self,
        owner: Owner,
        next_match: NextMatch,
        tell: Callable[[News | BaseException], None],
        *,
        begin: Callable[[Preset, Source], Awaitable[Play]],
        numbers: Callable[[Names], Awaitable[Pair[tuple[int, ...]]]],
        source: Callable[[Press], Source],
        on_hour: Callable[[Hour], None],
        on_language: Callable[[str], None],
    ) -> None:
        self._owner, self._next_match, self._tell = owner, next_match, tell
        self._begin, self._numbers, self._source = begin, numbers, source
        self._on_hour, self._on_language = on_hour, on_language
        self._rung: Counting | None = None
        """The countdown whose end was told."""
        self._doing: set[asyncio.Future[Any]] = set()

    @property
    def asks(self) -> bool:
        """Whether the keys answer a question now."""
        return self._next_match.ask is not None

    @property
    def due_ms(self) -> int | None:
        """When something happens by itself, on the monotonic clock."""
        counting = self._counting
        dues = (self._next_match.until_ms, None if counting is None else counting.until_ms)
        return min((due for due in dues if due is not None), default=None)

    def fall_due(self, now_ms: int) -> None:
        """A countdown is at zero, or nobody answers any more."""
        counting = self._counting
        if counting is not None and counting.until_ms <= now_ms:
            # Board, lamps and buzzer are told once; nothing else happens.
            self._rung = counting
            self._owner.show()
        until_ms = self._next_match.until_ms
        if until_ms is not None and until_ms <= now_ms:
            self._next_match.close()
            self._owner.show(ask=None)

    @property
    def _counting(self) -> Counting | None:
        """The countdown that has not come to its end."""
        counting = self._owner.view.counting
        return None if counting == self._rung else counting

    def open(self, now_ms: int) -> None:
        """Ask for the next match."""
        self._next_match.open(now_ms)
        self._owner.show(ask=self._next_match.ask, told=None)

    def cancel(self) -> None:
        """Give up what is being done: the table ends."""
        for task in self._doing:
            task.cancel()

    def hear(self, news: News) -> None:
        """What was being done is done, or a key was held for long."""
        match news:
            case Ready(play):
                self._owner.take_up(play)
            case Renamed():
                self._rename(news)
            case LongHeld():
                self._open_menu(news)

    def ask_of_match(self, press: Press) -> None:
        """A key of a pad or phone held for seconds; its device is told where it means nothing."""
        if not self._open_menu(LongHeld(press.device, press.key)):
            self._owner.refuse(Tell.IGNORED, NO_KEY, press.key)

    def answer(self, press: Press) -> Entering:
        """A key while something is asked, and what it has entered."""
        keymap = self._owner.hands.keymap_of(press.device)
        means = self._next_match.meaning(press.device, press.key, keymap, held=press.held)
        if means is None:
            self._owner.refuse(Tell.IGNORED, NO_KEY, press.key)
            return None
        outcome = self._next_match.press(means, press.t_ns // _MS)
        self._owner.show(ask=self._next_match.ask, told=None)
        return self._done(press, outcome)

    def _done(self, press: Press, outcome: Outcome | MenuOutcome | Doubled) -> Entering:
        """Do what an answer asks for."""
        now_ms = press.t_ns // _MS
        match outcome:
            case Doubled():
                self._owner.refuse(Tell.IGNORED, SAME_PRESS, press.key)
            case Denied(code, detail):
                self._owner.refuse(Tell.REFUSED, code, detail)
            case Preset():
                self._do(self._begin(outcome, self._source(press)), Ready)
            case Rename(a, b):
                self._do(self._numbers((a, b)), partial(Renamed, (a, b), press=press))
            case Hour():
                self._on_hour(outcome)
            case Speak(code):
                self._on_language(code)
            case Mend():
                return self._mend(press, outcome)
            case Count(what, minutes):
                self._owner.show(counting=Counting(what, now_ms + minutes * 60_000))
            case Another():
                self.open(now_ms)
            case LastEntries():
                since_ms = self._owner.now_ms - REFUSED_MS
                told = Told(Tell.REFUSED, Code.NOTHING_TO_CONFIRM, since_ms=since_ms)
                self._owner.show(told=told)
        return None

    def _do(self, doing: Awaitable[T], news: Callable[[T], News]) -> None:
        """Have something done that takes its time; what comes of it is news."""
        task = asyncio.ensure_future(doing)
        self._doing.add(task)
        task.add_done_callback(partial(self._did, news))

    def _did(self, news: Callable[[T], News], task: "asyncio.Future[T]") -> None:
        """It is done, or cannot be."""
        self._doing.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._tell(news(task.result()))
        elif isinstance(error, BadCommand):
            self._owner.refuse(Tell.REFUSED, error.code, error.detail)
        elif isinstance(error, RulesError | ConfigError):
            self._owner.refuse(Tell.REFUSED, MALFORMED, str(error))
        else:
            self._tell(error)

    def _open_menu(self, held: LongHeld) -> bool:
        """What is to be put right in this match is asked, by OK; what was being typed is gone."""
        owner = self._owner
        if held.key not in owner.hands.keymap_of(held.device).ok_keys:
            return False
        owner.hands.clear(held.device)
        self._next_match.open_menu(owner.play.ledger, owner.play.names, owner.now_ms)
        owner.show(ask=self._next_match.ask, told=None, typed=None)
        return True

    def _mend(self, press: Press, mend: Mend) -> Entering:
        """Put an act of the menu to the rules: it was looked at and confirmed."""
        try:
            return self._owner.enter(mend.act, self._source(press), press.t_ns)
        except NotAllowed as error:
            self._owner.refuse(Tell.REFUSED, error.code, error.detail)
            return None

    def _rename(self, renamed: Renamed) -> None:
        """Other players have the sides: the record says so by their numbers."""
        owner, press = self._owner, renamed.press
        before = owner.play
        setup = before.ledger.line()[0].record.act
        assert isinstance(setup, Setup)
        mended = Splice(0, 0, setup=replace(setup, players=renamed.numbers), shift=True)
        owner.play = replace(before, names=renamed.names)
        try:
            owner.enter(mended, self._source(press), press.t_ns)
        except NotAllowed as error:
            owner.play = before
            owner.refuse(Tell.REFUSED, error.code, error.detail)
