"""Matches as the journal has them, played again."""

from collections.abc import Iterator

from msgspec import Struct

from drivers.phrases import NONE, Phrase
from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.matches import MatchRow
from firmware.table.matches import names_of, refolded
from rules.errors import RulesError
from rules.frame import Frame
from rules.ledger import Ledger
from rules.record import Record, Setup
from rules.scoreline import Scoreline, scoreline
from rules.sides import Pair


class Kept(Struct, frozen=True):
    """A match in the journal: its row, all its records, who played, and the log they make."""

    row: MatchRow
    records: tuple[Record, ...]
    names: Pair[tuple[str, ...]]
    ledger: Ledger

    @property
    def setup(self) -> Setup:
        """Record 0, as it was entered."""
        act = self.records[0].act
        assert isinstance(act, Setup)
        return act

    def frames(self) -> tuple[Frame, ...]:
        """The frames that are over, and the one in play where it is not among them."""
        state = self.ledger.match
        last = state.frame
        if last is None or (state.finished and state.finished[-1] is last):
            return state.finished
        return (*state.finished, last)

    def line(self) -> Scoreline:
        """The score as the records leave it."""
        return scoreline(self.ledger, self.names, self.row.id)


def kept(journal: Journal, match_id: str, at: int | None = None) -> Kept:
    """One match; with `at`, as it stood after that record.

    Raises:
        JournalError: there is no such match, or it cannot be read or judged.
    """
    row = journal.match(match_id)
    if row is None:
        last = ", ".join(row.id for row in journal.matches()[-5:]) or NONE
        raise JournalError(
            Phrase(
                "no_match",
                "there is no match {match}; the last ones are {last}",
                match=match_id,
                last=last,
            )
        )
    return _played(journal, row, at)


def all_kept(journal: Journal) -> Iterator[Kept]:
    """Every match that can be judged, the oldest first."""
    for row in journal.matches():
        yield _played(journal, row, None)


def _played(journal: Journal, row: MatchRow, at: int | None) -> Kept:
    try:
        records = journal.records(row.id)
        if at is not None:
            if not 0 <= at < len(records):
                raise JournalError(
                    Phrase(
                        "no_record",
                        "match {match} has records 0 to {last}, not {at}",
                        match=row.id,
                        last=len(records) - 1,
                        at=at,
                    )
                )
            records = records[: at + 1]
        ledger = refolded(row, records, {})
    except RulesError as error:
        what = Phrase("of_match", "match {match}: {why}", match=row.id, why=str(error))
        raise JournalError(what) from error
    names = names_of(ledger.match.setup, journal.players())
    return Kept(row, tuple(records), names, ledger)
