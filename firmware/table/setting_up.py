"""A table whose keys answer questions: the next match is set up, or the one on it is put right."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from drivers.ports import Press
from firmware.board.screens import REFUSED_MS
from firmware.commands import MALFORMED, BadCommand
from firmware.errors import ConfigError
from firmware.keys.keymap import NO_KEY
from firmware.setup.dialog import Preset
from firmware.setup.hour import Hour
from firmware.setup.match_menu import Another, Count, LastEntries, Mend, Rename, Speak
from firmware.setup.next_match import NextMatch
from firmware.snapshot import Counting, Tell, Told
from firmware.table.owner import Owner
from firmware.table.play import Play
from rules.errors import Code, NotAllowed, RulesError
from rules.record import Act, Setup, Source, Splice
from rules.sides import Pair

_MS = 1_000_000

Names: TypeAlias = Pair[tuple[str, ...]]


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


class SettingUp(Owner):
    """What a table does with presses while something is asked."""

    _desk: NextMatch
    _entered: "asyncio.Future[Any] | None" = None
    """What the press that is being followed has entered, on its way to disk."""
    _rung: Counting | None = None
    """The countdown whose end was told."""

    def _ask_at(
        self,
        desk: NextMatch,
        tell: Callable[[News | BaseException], None],
        *,
        begin: Callable[[Preset, Source], Awaitable[Play]],
        numbers: Callable[[Names], Awaitable[Pair[tuple[int, ...]]]],
        on_hour: Callable[[Hour], None],
        on_language: Callable[[str], None],
    ) -> None:
        """Where is asked, and who makes of the answers what takes its time; `tell` brings it."""
        self._desk, self._tell = desk, tell
        self._on_hour, self._on_language = on_hour, on_language
        self._begin, self._numbers = begin, numbers

    def _counts_to_ms(self) -> int | None:
        """When a countdown will be at zero, if one runs."""
        counting = self.view.counting
        return None if counting is None or counting == self._rung else counting.until_ms

    def _ring(self, now_ms: int) -> None:
        """At zero the board, lamps and buzzer are told once; nothing else happens."""
        counting = self.view.counting
        if counting is not None and counting != self._rung and counting.until_ms <= now_ms:
            self._rung = counting
            self._show()

    def _heard_of(self, news: News) -> None:
        match news:
            case Ready(play):
                self.play = play
                self._opened()
            case Renamed():
                self._rename(news)
            case LongHeld():
                self._open_menu(news)

    def _choose(self, press: Press) -> None:
        """A key while the next match is set up."""
        keymap = self._hands.keymap_of(press.device)
        means = self._desk.meaning(press.device, press.key, keymap)
        if means is None:
            self._refuse(Tell.IGNORED, NO_KEY, press.key)
            return
        outcome = self._desk.press(means, press.t_ns // _MS)
        self._show(ask=self._desk.ask, told=None)
        match outcome:
            case Preset():
                task = asyncio.ensure_future(self._begin(outcome, self._source(press)))
                task.add_done_callback(self._set_up)
            case Hour():
                self._on_hour(outcome)
            case Speak(code):
                self._on_language(code)
            case Mend(act):
                self._mend(press, act)
            case Rename(a, b):
                naming = asyncio.ensure_future(self._numbers((a, b)))
                naming.add_done_callback(partial(self._named, press, (a, b)))
            case Count(what, minutes):
                until_ms = press.t_ns // _MS + minutes * 60_000
                self._show(counting=Counting(what, until_ms))
            case Another():
                self._desk.open(press.t_ns // _MS)
                self._show(ask=self._desk.ask)
            case LastEntries():
                now_ms = self._clock.now_ns() // _MS - REFUSED_MS
                told = Told(Tell.REFUSED, Code.NOTHING_TO_CONFIRM, since_ms=now_ms)
                self._show(told=told)

    def _ask_of_match(self, press: Press) -> None:
        """A key of a pad or phone held for seconds; its device is told where it means nothing."""
        if not self._open_menu(LongHeld(press.device, press.key)):
            self._refuse(Tell.IGNORED, NO_KEY, press.key)

    def _open_menu(self, held: LongHeld) -> bool:
        """What is to be put right in this match is asked, by OK; what was being typed is gone."""
        if held.key not in self._hands.keymap_of(held.device).ok_keys:
            return False
        self._hands.clear(held.device)
        play, now_ms = self.play, self._clock.now_ns() // _MS
        self._desk.open_menu(play.ledger, play.names, now_ms)
        self._show(ask=self._desk.ask, told=None, typed=None)
        return True

    def _mend(self, press: Press, act: Act) -> None:
        """Put an act of the menu to the rules: it was looked at and confirmed."""
        try:
            self._entered = self._enter(act, self._source(press), press.t_ns)
        except NotAllowed as error:
            self._refuse(Tell.REFUSED, error.code, error.detail)

    def _named(
        self, press: Press, names: Names, task: "asyncio.Task[Pair[tuple[int, ...]]]"
    ) -> None:
        """The numbers of other players are known, or cannot be."""
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._tell(Renamed(names, task.result(), press))
        elif isinstance(error, BadCommand):
            self._refuse(Tell.REFUSED, error.code, error.detail)
        else:
            self._tell(error)

    def _rename(self, renamed: Renamed) -> None:
        """Other players have the sides: the record says so by their numbers."""
        setup = self.play.ledger.line()[0].record.act
        assert isinstance(setup, Setup)
        before = self.play
        mended = replace(setup, players=renamed.numbers)
        self.play = msgspec.structs.replace(before, names=renamed.names)
        try:
            self._enter(
                Splice(0, 0, setup=mended, shift=True),
                self._source(renamed.press),
                renamed.press.t_ns,
            )
        except NotAllowed as error:
            self.play = before
            self._refuse(Tell.REFUSED, error.code, error.detail)

    def _set_up(self, task: "asyncio.Task[Play]") -> None:
        """The match that was wished is ready, or cannot be."""
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._tell(Ready(task.result()))
        elif isinstance(error, BadCommand):
            self._refuse(Tell.REFUSED, error.code, error.detail)
        elif isinstance(error, RulesError | ConfigError):
            self._refuse(Tell.REFUSED, MALFORMED, str(error))
        else:
            self._tell(error)

    def _source(self, press: Press) -> Source:
        """Where a press comes from, by a number that no other of this match has."""
        return Source(press.device, press.id or f"{self._boot}.{press.number}")
