"""Matches on their way to the table: taken up from the journal, or new as configured."""

import logging
from collections.abc import Mapping

from drivers.phrases import Phrase
from firmware.clock import Clock
from firmware.commands import Reply, Start
from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.matches import MatchRow, facts
from firmware.table.orders import COMMAND_DEVICE
from firmware.table.play import Play, answered
from rules.errors import RulesError
from rules.ledger import Ledger
from rules.position import split_fields
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
    answers: dict[str, Reply] = {}
    try:
        records = journal.records(row.id)
        ledger = refolded(row, records, answers)
    except (JournalError, RulesError) as error:
        _log.error("match %s cannot be taken up: %s", row.id, error)
        return None
    players = journal.players()
    return Play(
        match_id=row.id,
        ledger=ledger,
        names=names_of(ledger.match.setup, players),
        zero_ns=clock.now_ns() - ledger.t_ms * _MS,
        setup=records[0],
        stored=True,
        answers=answers,
        by=tuple(record.by for record in records),
    )


def refolded(row: MatchRow, records: list[Record], answers: dict[str, Reply]) -> Ledger:
    """The log of a match as its records make it, under the facts that it began with.

    What each command was answered is put into `answers`, as it was then.

    Raises:
        JournalError: this version has no place for those facts.
        RulesError: a record does not fit.
    """

    def book_of(id_: str) -> Rulebook:
        today = rulebook_of(id_)
        return facts(row, today) if id_ == row.rulebook else today

    ledger = Ledger(records[0], book_of)
    for record in records:
        if record.seq:
            ledger.append(record)
        if record.by.device == COMMAND_DEVICE:
            answers[record.by.number] = answered(record.by.number, ledger)
    return ledger


def names_of(setup: Setup, players: Mapping[int, str]) -> Pair[tuple[str, ...]]:
    """The players' names; one whose name was taken out is his number."""
    a, b = setup.players
    return (
        tuple(players.get(number, f"#{number}") for number in a),
        tuple(players.get(number, f"#{number}") for number in b),
    )


def player_numbers(journal: Journal, names: Pair[tuple[str, ...]]) -> Pair[tuple[int, ...]]:
    """The numbers of the players of each side; who is new gets the next one."""
    enlist = journal.club.enlist
    return tuple(enlist(name) for name in names[0]), tuple(enlist(name) for name in names[1])


class MatchMaker:
    """Makes new matches for a table.

    Their ids are the boot number and a count: unique in this table's journal whatever the hour.
    """

    def __init__(self, boot: int, clock: Clock) -> None:
        self._boot, self._clock = boot, clock
        self._made = 0

    def made(self, setup: Setup, names: Pair[tuple[str, ...]], by: Source | None = None) -> Play:
        """A match that begins now; its record 0 is not on disk yet.

        Raises:
            BadSetup: a match that cannot be.
        """
        clock = self._clock
        match_id = f"{self._boot}-{self._made + 1}"
        record = Record(
            seq=0,
            act=setup,
            at_ms=clock.wall_ms(),
            synced=clock.synced(),
            by=by or Source("config", match_id),
        )
        play = Play(match_id, Ledger(record, rulebook_of), names, clock.now_ns(), record)
        self._made += 1
        # Of the table's own configuration `tacada check-config` and `tacada setup` tell.
        for told in unsaid(setup) if by is not None else ():
            _log.warning("match %s: %s", match_id, told)
        return play


def unsaid(setup: Setup) -> tuple[str, ...]:
    """What the event should have set, because no text could be relied on, in a line each.

    Raises:
        BadSetup: a match that cannot be.
    """
    left_open = rulebook_of(setup.rulebook).unsaid(setup.format)
    return tuple(
        Phrase(
            "not_set",
            "the event has not set {name}; {why}",
            name=name,
            why=Phrase(f"open_{name}", why),
        )
        for name, why in left_open.items()
    )


def setup_asked(command: Start, players: Pair[tuple[int, ...]]) -> Setup:
    """The set-up that a command asks for.

    Raises:
        BadNotation: format or position is no list of fields.
    """
    return Setup(
        rulebook=command.rulebook,
        players=players,
        format=split_fields(command.format),
        first=command.first,
        at=split_fields(command.at),
    )
