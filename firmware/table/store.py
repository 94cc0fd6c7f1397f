"""What a table begins with, and where its records go: the journal, also while it is not there.

A journal that cannot be opened does not stop the match: it is played under the "not saved" mark,
with numbers of its own that no later start repeats, and all of it is written when the journal is
there. The match that the journal still holds in play is taken up then, if nobody has begun to play.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from firmware.clock import Clock
from firmware.club.player import Player
from firmware.journal.journal import Journal
from firmware.journal.matches import State, Summary, began
from firmware.journal.watch import suspicion
from firmware.journal.worker import JournalWorker
from firmware.mqtt.publisher import Publisher
from firmware.setup.preset import Preset
from firmware.table.matches import names_of, player_numbers, resumed
from firmware.table.owner import Owner
from firmware.table.play import Names, Play
from rules.record import Record, Setup
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Pair

_log = logging.getLogger(__name__)

DISK_WAIT_S = 3.0
"""How long a start waits for the journal before the match is played without it."""

LOOKED_AT = 50
"""So many last matches are looked at for set-ups to offer again."""


class Beginning(Struct, frozen=True):
    """What a table begins with: the number of this start, the players' numbers, the match in play.

    Entries of that match are published up to `sent`. `recent` are the last set-ups, `club` the
    players of the club list.
    """

    boot: int
    players: Pair[tuple[int, ...]]
    play: Play | None = None
    sent: int = -1
    recent: tuple[Preset, ...] = ()
    club: tuple[Player, ...] = ()


def open_journal(path: str, clock: Clock) -> Journal:
    """Open the journal for this table alone, and say what was damaged.

    Raises:
        JournalError: it cannot be opened; the message names path and mend.
    """
    suspect = suspicion(Path(path))
    journal, damage = Journal.open(
        path, at_ms=clock.wall_ms(), thorough=suspect.exists(), alone=True
    )
    try:
        suspect.unlink(missing_ok=True)
    except OSError as error:  # it is looked through once more at the next start
        _log.warning("%s cannot be taken away: %s", suspect, error)
    if damage is not None:
        _log.error("the journal was damaged: %s", damage)
    return journal


def found(names: Names, clock: Clock, journal: Journal) -> Beginning:
    """What a journal has to begin with; its players get numbers."""
    players = player_numbers(journal, names)
    play = resumed(journal, clock)
    sent = journal.cursor(play.match_id) if play is not None else -1
    return Beginning(
        journal.boot(), players, play, sent, recent_setups(journal), journal.club.players()
    )


def recent_setups(journal: Journal) -> tuple[Preset, ...]:
    """The last set-ups that can be played here, by the names that the players have now."""
    known = journal.players()
    setups = (one for one in journal.last_setups(LOOKED_AT) if one.rulebook in RULEBOOKS)
    return tuple(dict.fromkeys(_preset(setup, known) for setup in setups))


def _preset(setup: Setup, known: Mapping[int, str]) -> Preset:
    a, b = names_of(setup, known)
    return Preset(setup.rulebook, a, b, setup.format, setup.first, setup.at)


def unfounded(names: Names, clock: Clock) -> Beginning:
    """What to begin with where there is no journal to ask: numbers made of the hour."""
    now_s = clock.wall_ms() // 1000
    count = len(names[0])
    numbers = [now_s * 100 + place for place in range(count + len(names[1]))]
    return Beginning(now_s, (tuple(numbers[:count]), tuple(numbers[count:])))


class DiskStore:
    """The journal's thread as the table sees it; the publisher learns of each match here."""

    def __init__(self, worker: JournalWorker, publisher: Publisher | None) -> None:
        self._worker, self._publisher = worker, publisher
        self._play: Play | None = None
        self._begun_as = State.IN_PLAY

    def took_up(self, play: Play, sent: int) -> None:
        """A match that is in the journal already is on the table."""
        self._close()
        self._play = play
        if self._publisher is not None:
            notation = play.ledger.match.game.notation
            self._publisher.opened(
                play.match_id, notation, play.zero_ns, sent=sent, line=play.line()
            )
            self._publisher.settled()

    def begin(self, play: Play) -> "asyncio.Future[Any]":
        """Close the match before, and open one under its rulebook of today."""
        self._close()
        self._play = play
        if self._publisher is not None:
            self._publisher.opened(play.match_id, play.ledger.match.game.notation, play.zero_ns)
        setup = play.ledger.match.setup
        book = rulebook_of(setup.rulebook)
        row = began(play.match_id, book, play.setup.at_ms, self._begun_as)
        return self._worker.call(lambda journal: journal.begin(row, play.setup))

    def commit(self, play: Play, record: Record) -> "asyncio.Future[Any]":
        """Write a record in the words of the game that judged it."""
        return self._worker.commit(play.match_id, record, play.ledger.match.setup.rulebook)

    def without(self, numbers: Pair[tuple[int, ...]], names: Names) -> None:
        """Begin without the journal, with players who got their numbers so.

        Until it is known what the journal holds in play, a match without an entry is written as one
        that waits: the power may go before the other is taken up, which must then come back.
        """
        self._begun_as = State.PREPARED
        if self._publisher is not None:
            self._publisher.hold()
        for number, name in zip((*numbers[0], *numbers[1]), (*names[0], *names[1]), strict=True):
            self._worker.call(partial(_renamed, number, name))

    def asked(self) -> None:
        """The journal has said what it held, and the match on the table is played on."""
        self._begun_as, play = State.IN_PLAY, self._play
        if self._publisher is not None:
            self._publisher.settled()
        if play is not None:
            self._worker.call(lambda journal: journal.start(play.match_id))

    def _close(self) -> None:
        before = self._play
        if before is not None:
            in_force = before.ledger.match.setup
            mended = None if in_force == before.setup.act else in_force
            summary = Summary.of(before.line(), mended)
            self._worker.call(lambda journal: journal.finish(before.match_id, summary))


def _renamed(number: int, name: str, journal: Journal) -> None:
    journal.club.written_down(number, name)


async def taken_up(
    found: "asyncio.Future[Beginning]", worker: JournalWorker, store: DiskStore, table: Owner
) -> None:
    """Once there is a journal: the match that it has in play, if nobody has played meanwhile."""
    without = table.play
    play = (await found).play
    if play is None:
        store.asked()
        return
    await worker.call(lambda _: None)  # what was begun without it is on disk by then
    if table.play is without and without.ledger.seq == 0:
        store.took_up(play, (await found).sent)
        table.take_up(play)
    else:
        store.asked()
        _log.error("match %s is still in play in the journal; another goes on", play.match_id)
