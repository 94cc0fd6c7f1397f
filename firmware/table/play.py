"""A match on a table."""

from typing import TypeAlias

from msgspec import Struct, field

from firmware.commands import Reply
from rules.ledger import Ledger
from rules.record import Record, Source
from rules.scoreline import Scoreline, scoreline
from rules.sides import Pair

_MS = 1_000_000

Names: TypeAlias = Pair[tuple[str, ...]]
"""Who plays, by side."""


class Play(Struct, frozen=True):
    """A match on this table: its log, who plays, and what its time counts from.

    `zero_ns` is the monotonic clock at match time 0. `stored` says that record 0 is on disk.
    `answers` are those given to commands, by their id. `by` are the sources of the records that it
    was taken up with.
    """

    match_id: str
    ledger: Ledger
    names: Names
    zero_ns: int
    setup: Record
    stored: bool = False
    answers: dict[str, Reply] = field(default_factory=dict)
    by: tuple[Source, ...] = ()

    def t_ms(self, t_ns: int) -> int:
        """A moment of the monotonic clock as match time; never before the match."""
        return max(0, (t_ns - self.zero_ns) // _MS)

    def line(self) -> Scoreline:
        """The score as the log stands."""
        return scoreline(self.ledger, self.names, self.match_id)

    def answer(self, id_: str) -> Reply:
        """What a command gets that made the last record; it is remembered."""
        self.answers[id_] = answered(id_, self.ledger)
        return self.answers[id_]


def answered(id_: str, ledger: Ledger) -> Reply:
    """The answer to a command that made the last record of a log."""
    frame, visit = ledger.match.frame, ledger.match.visit
    return Reply(
        id_,
        ledger.seq,
        score=frame.score if frame is not None else None,
        turn=visit.side if visit is not None else None,
    )
