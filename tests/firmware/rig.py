"""A table on its own: real rules, keymap and guard, a disk that the test holds, a clock it sets."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from drivers.ports import Answer, Press
from firmware.club.player import Player
from firmware.commands import Start
from firmware.keys.keybook import KeyBook, shipped_or_own
from firmware.setup.next_match import NextMatch
from firmware.setup.preset import Preset
from firmware.setup.words import load_setup_words
from firmware.snapshot import Committed, View
from firmware.table.guard import Guard
from firmware.table.matches import MatchMaker, setup_asked
from firmware.table.orders import COMMAND_DEVICE
from firmware.table.play import Play
from firmware.table.table import Table
from rules.ledger import Ledger
from rules.position import split_fields
from rules.record import Record, Setup, Source
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Pair, Side

SHEETS = Path(__file__).parent.parent / "sheets"


class HandClock:
    """A clock that the test sets; it starts at one second."""

    def __init__(self) -> None:
        self.ns = 1_000_000_000

    def now_ns(self) -> int:
        return self.ns

    def wall_ms(self) -> int:
        return 1_700_000_000_000 + self.ns // 1_000_000

    def synced(self) -> bool:
        return True


class HandStore:
    """A disk that writes when the test says so, or at once."""

    def __init__(self, *, at_once: bool = True) -> None:
        self.at_once = at_once
        self.waiting: list[asyncio.Future[Any]] = []
        self.records: list[Record] = []

    def begin(self, play: Play) -> "asyncio.Future[Any]":
        return self.commit(play, play.setup)

    def commit(self, play: Play, record: Record) -> "asyncio.Future[Any]":
        del play
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.records.append(record)
        if self.at_once:
            future.set_result(None)
        else:
            self.waiting.append(future)
        return future

    def write(self, count: int = 1) -> None:
        """The disk is done with the oldest records."""
        for future in self.waiting[:count]:
            future.set_result(None)
        del self.waiting[:count]


def new_play(
    rulebook: str = "ug", format_: str = "target=5/5", first: Side | None = Side.A
) -> Play:
    """A match between Ana and Bia."""
    setup = Record(0, Setup(rulebook, ((1,), (2,)), split_fields(format_), first))
    return Play("m1", Ledger(setup, rulebook_of), (("Ana",), ("Bia",)), 0, setup)


USUAL = Preset("ug", ("Ana",), ("Bia",), (("target", "5/5"),), Side.A)
"""What is offered when the next match is set up."""


CLUB = [Player(nth, name) for nth, name in enumerate(("Ana", "Bia", "Caio"), 1)]
"""Who can be chosen."""


class Rig:
    """A table with hands on it."""

    def __init__(
        self,
        play: Play | None = None,
        *,
        at_once: bool = True,
        panel: str = "carom-6",
        clock: HandClock | None = None,
        on_answer: Callable[[Press, Answer], None] = lambda *_: None,
    ) -> None:
        self.clock, self.store = clock or HandClock(), HandStore(at_once=at_once)
        self.views: list[View] = []
        self.committed: list[Committed] = []
        self._number = 0
        book = play.ledger.match.setup.rulebook if play is not None else "ug"
        keys = KeyBook(shipped_or_own(panel), panel, book, {})
        self.keymap = keys.keymap(book)
        self.table = Table(
            play or new_play(),
            keys=keys,
            guard=Guard(),
            store=self.store,
            clock=self.clock,
            boot=1,
            begin=self._begin,
            next_match=NextMatch(lambda: load_setup_words("en"), [USUAL], CLUB, keypads=["numpad"]),
            prepare=self._prepare,
            numbers=self._numbers,
            on_view=self.views.append,
            on_committed=self.committed.append,
            on_answer=on_answer,
        )

    async def _begin(self, preset: Preset, by: Source) -> Play:
        setup = Setup(preset.rulebook, ((1,), (2,)), preset.format, preset.first, preset.at)
        return MatchMaker(1, self.clock).made(setup, (preset.a, preset.b), by)

    async def _numbers(self, names: Pair[tuple[str, ...]]) -> Pair[tuple[int, ...]]:
        a, b = (tuple(sum(map(ord, name)) for name in side) for side in names)
        return a, b

    async def _prepare(self, command: Start) -> Play:
        maker = MatchMaker(1, self.clock)
        by = Source(COMMAND_DEVICE, command.id)
        return maker.made(setup_asked(command, ((1,), (2,))), (command.a, command.b), by)

    @property
    def view(self) -> View:
        return self.table.view

    def score(self) -> str:
        """What the board shows: score, innings, phase."""
        line = self.view.line
        assert line is not None
        assert line.score is not None
        innings = line.figures.innings or (0, 0)
        return f"{line.score[0]}-{line.score[1]} in {innings[0]}/{innings[1]} {line.phase}"

    def score_phase(self) -> str:
        """The phase that the board shows."""
        assert self.view.line is not None
        return self.view.line.phase

    def saved(self) -> bool:
        """Whether the board says that what it shows is on disk."""
        assert self.view.line is not None
        return self.view.line.saved

    async def press(
        self, keys: str | Iterable[str], *, every_ms: int = 1100, device: str = "panel"
    ) -> None:
        """Press keys one after the other; `!` after a key holds it."""
        for key in keys.split() if isinstance(keys, str) else keys:
            self.clock.ns += every_ms * 1_000_000
            self.tap(key, device=device)
            await settle()

    def tap(self, key: str, *, device: str = "panel", after_ms: int = 0) -> None:
        """One press now, before anybody has had time to react."""
        self.clock.ns += after_ms * 1_000_000
        self._number += 1
        name = key.removesuffix("!")
        self.table.heard(device, name)
        self.table.pressed(Press(device, self._number, name, key.endswith("!"), self.clock.ns))


async def settle() -> None:
    """Let every task that can go on do so."""
    for _ in range(6):
        await asyncio.sleep(0)


def on_table(test: Callable[[Rig], Any], rig: Callable[[], Rig] = Rig) -> None:
    """Run a test with a table that is being worked."""

    async def run() -> None:
        built = rig()
        owner = asyncio.create_task(built.table.run())
        await settle()
        try:
            await test(built)
        finally:
            owner.cancel()
            await asyncio.gather(owner, return_exceptions=True)

    asyncio.run(run())
