"""The match on a table: what owns its ledger, puts acts to the rules, and shows what came of them.

A record that the rules accept goes to disk, and what is shown and published follows the last record
that is there (`firmware/table/saving.py`).
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from firmware.clock import Clock
from firmware.errors import ConfigError
from firmware.keys.hands import Hands
from firmware.keys.keybook import KeyBook
from firmware.keys.keymap import Keymap
from firmware.keys.moment import MatchMoment
from firmware.snapshot import Committed, HallMessage, Tell, Told, Typed, View
from firmware.table.play import Play
from firmware.table.saving import Saving
from rules.errors import Code, NotAllowed
from rules.frame import Notice
from rules.ledger import Ledger
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
from rules.sides import Pair

RESTART_DEVICE = "restart"
"""The device of the record that a table writes which comes back with a clock running."""

_MS = 1_000_000

Labels = tuple[tuple[str, str], ...]
"""Label and meaning of keys."""


class Store(Protocol):
    """Where records are kept for good. Order is kept; a future is done once all is on disk."""

    def begin(self, play: Play) -> "asyncio.Future[Any]":
        """Open a match with its record 0."""

    def commit(self, play: Play, record: Record) -> "asyncio.Future[Any]":
        """Write a record."""


class Owner:
    """Owns the ledger of the match in play; everyone else sees views.

    `on_view` is told whenever the board should look different, `on_committed` of each record once
    it is on disk, `on_error` of what the disk raised when it gave up. `others` are the keys of
    devices that have not the panel's; `on_keys` is told when another game has changed them all.
    """

    def __init__(
        self,
        play: Play,
        *,
        keys: KeyBook,
        store: Store,
        clock: Clock,
        boot: int,
        on_view: Callable[[View], None],
        on_committed: Callable[[Committed], None],
        on_error: Callable[[BaseException], None],
        others: Mapping[str, KeyBook] | None = None,
        on_keys: Callable[[], None] = lambda: None,
    ) -> None:
        self.play = play
        self._keys, self._others, self._on_keys = keys, others or {}, on_keys
        self._family = family_of(self._rulebook)
        self.hands = Hands(*self._keymaps())
        """What each device is typing."""
        self._store = store
        self._clock, self._boot, self._on_view = clock, boot, on_view
        self._saving = Saving(clock, show=self._shown, on_committed=on_committed, on_error=on_error)
        self._labelled: tuple[Ledger | None, int, Labels] = (None, 0, ())
        """The match and seq for which labels were judged, and these."""
        self.refused = 0
        """Presses since the start that were not acted upon."""
        self.view = View()
        """What the board shows."""

    def take_up(self, play: Play) -> None:
        """Another match comes to the table, in the place of the one that is there."""
        self.play = play
        self.opened()

    def renamed(self, names: Pair[tuple[str, ...]]) -> None:
        """The players are called otherwise from now on: the board shows it, no record says so."""
        self.play = msgspec.structs.replace(self.play, names=names)
        if self.view.line is not None:
            self.show(line=replace(self.view.line, names=names))

    def say(self, text: str, *, for_ms: int) -> None:
        """Put a line for who is at the table on the board, or with none take it away.

        It stands so long, unless somebody presses a key before.
        """
        now_ms = self.now_ms
        self.show(message=HallMessage(text, now_ms, now_ms + for_ms) if text else None)

    def fault(self, code: str, *, present: bool) -> None:
        """A part of the table does not work, or works again."""
        others = tuple(fault for fault in self.view.faults if fault != code)
        self.show(faults=(*others, code) if present else others)

    def retract(self, code: str) -> None:
        """What was told by this code holds no more."""
        told = self.view.told
        if told is not None and told.code == code:
            self.show(told=None)

    @property
    def now_ms(self) -> int:
        """The monotonic clock."""
        return self._clock.now_ns() // _MS

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
            self.hands.use(*self._keymaps())
            self._on_keys()

    def _call(self) -> None:
        """Tell the board what the clocks say: what comes of it is for the referee to enter."""
        calls = self.play.ledger.clock.calls(self.play.t_ms(self._clock.now_ns()))
        if calls != self.view.calls:
            self.show(calls=calls)

    def _moment(self) -> MatchMoment:
        ledger = self.play.ledger
        return MatchMoment(ledger.match, ledger)

    def enter(self, act: Act, by: Source, t_ns: int) -> "asyncio.Future[Any]":
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
        # All else is made ready while the disk works.
        done = self._store.commit(self.play, record)
        after = ledger.match
        self._counted()
        self._fit_keys()
        said: tuple[Notice, ...] = ()
        if isinstance(act, tuple):
            said = notices(before, act, after)
        elif not isinstance(act, ClockAct):
            said = correction(after)
        self._commit(done, record, said, self._told(act, undoes))
        return done

    def _counted(self) -> None:
        """Something was entered: nothing is waited for any more."""
        if self.view.counting is not None:
            self.view = replace(self.view, counting=None)

    def _told(self, act: Act, undoes: Act | None) -> Told | None:
        notation = self.play.ledger.match.game.notation
        if isinstance(act, Undo) and undoes is not None:
            return self._telling(Tell.UNDONE, "undone", act_text(undoes, notation))
        if isinstance(act, Splice):
            return self._telling(Tell.EDITED, "edited", "")
        return None

    def opened(self) -> "asyncio.Future[Any]":
        """A match has come to the table: from disk, or new and to be written."""
        self.hands.clear()
        self._fit_keys()
        play = self.play
        if play.stored and play.ledger.clock.running:
            # Time without power counts as none, and the referee says when it goes on.
            by = Source(RESTART_DEVICE, str(self._boot))
            last_ns = play.zero_ns + play.ledger.t_ms * _MS
            return self.enter(ClockPause(restart=True), by, last_ns)
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
        if not self.hands.anyone_types:
            self._labels(None)

    def _shown(self, line: Scoreline, told: Told | None) -> None:
        """A score goes to the board, with the keys as they mean now."""
        typed, zero_ms = self.hands.typed(self._moment()), self.play.zero_ns // _MS
        self.show(line=line, told=told, keys=self._labels(typed), typed=typed, zero_ms=zero_ms)

    def _labels(self, typed: Typed | None) -> Labels:
        """The keys that now do something else than in play; while nobody types, judged once."""
        moment, ledger = self._moment(), self.play.ledger
        if typed is not None:
            return self.hands.labels(moment)
        if self._labelled[:2] != (ledger, ledger.seq):
            self._labelled = (ledger, ledger.seq, self.hands.labels(moment))
        return self._labelled[2]

    def _show_typed(self) -> None:
        typed = self.hands.typed(self._moment())
        if typed != self.view.typed:
            self.show(typed=typed, keys=self._labels(typed))

    def refuse(self, tell: Tell, code: str, text: str) -> None:
        """A press was not acted upon: the board says why, and it is counted."""
        self.refused += 1
        self.show(told=self._telling(tell, code, text))

    def _telling(self, tell: Tell, code: str, text: str) -> Told:
        return Told(tell, code, text, self.now_ms)

    def show(self, **changes: Any) -> None:
        """Have the board show something else: fields of its view."""
        self.view = replace(self.view, **changes)
        # Until the first score is there the boards stay as they started: no match is not true.
        if self.view.line is not None:
            self._on_view(self.view)
