"""Matches on their way to the table: taken up from the journal, or new as configured."""

import logging
from collections.abc import Mapping

from firmware.clock import Clock
from firmware.config import MatchConfig, setup_of
from firmware.errors import JournalError
from firmware.journal import Journal, MatchRow, facts
from firmware.table import Play
from rules.errors import RulesError
from rules.ledger import Ledger
from rules.record import Record, Setup, Source
from rules.rulebook import Rulebook
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Pair

_log = logging.getLogger(__name__)

_MS = 1_000_000


def resumed(journal: Journal, clock: Clock) -> Play | None:
    """The match in play as its records say, its time going on from the last of them.

    Time without power counts as none. A match that this version cannot take up stays as it is
    in the journal, and the reason is logged.
    """
    row = journal.unfinished()
    if row is None:
        return None
    try:
        records = journal.records(row.id)
        ledger = refolded(row, records)
    except (JournalError, RulesError) as error:
        _log.error("match %s cannot be taken up: %s", row.id, error)
        return None
    players = journal.players()
    setup = records[0]
    assert isinstance(setup.act, Setup)
    return Play(
        match_id=row.id,
        ledger=ledger,
        names=names_of(setup.act, players),
        zero_ns=clock.now_ns() - ledger.t_ms * _MS,
        setup=setup,
        stored=True,
    )


def refolded(row: MatchRow, records: list[Record]) -> Ledger:
    """The log of a match as its records make it, under the facts that it began with.

    Raises:
        JournalError: this version has no place for those facts.
        RulesError: a record does not fit.
    """

    def book_of(id_: str) -> Rulebook:
        today = rulebook_of(id_)
        return facts(row, today) if id_ == row.rulebook else today

    ledger = Ledger(records[0], book_of)
    for record in records[1:]:
        ledger.append(record)
    return ledger


def names_of(setup: Setup, players: Mapping[int, str]) -> Pair[tuple[str, ...]]:
    """The players' names; one whose name was taken out is his number."""
    a, b = setup.players
    return (
        tuple(players.get(number, f"#{number}") for number in a),
        tuple(players.get(number, f"#{number}") for number in b),
    )


def player_numbers(journal: Journal, match: MatchConfig) -> Pair[tuple[int, ...]]:
    """The numbers of the configured players; who is new gets the next one."""
    known = {name: number for number, name in journal.players().items()}
    for name in (*match.a, *match.b):
        if name not in known:
            known[name] = journal.add_player(name)
    return tuple(known[name] for name in match.a), tuple(known[name] for name in match.b)


class MatchMaker:
    """Makes one configured match after the other."""

    def __init__(
        self, match: MatchConfig, players: Pair[tuple[int, ...]], boot: int, clock: Clock
    ) -> None:
        self._match, self._players, self._boot, self._clock = match, players, boot, clock
        self._made = 0

    def next(self) -> Play:
        """A match that begins now; its record 0 is not on disk yet.

        Its id is the boot number and a count: unique in this table's journal whatever the hour.
        """
        self._made += 1
        match, clock = self._match, self._clock
        match_id = f"{self._boot}-{self._made}"
        setup = Record(
            seq=0,
            act=setup_of(match, self._players),
            at_ms=clock.wall_ms(),
            synced=clock.synced(),
            by=Source("config", match_id),
        )
        ledger = Ledger(setup, rulebook_of)
        return Play(match_id, ledger, (match.a, match.b), clock.now_ns(), setup)
