"""The log of the match on the table, for everybody to read: who entered what, and when."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from firmware.mqtt.messages import Log, Logged
from rules.notation import Notation
from rules.record import Record, record_text

LOGGED = 200
"""So many last records are in a log: some thirteen kilobytes, and most matches whole."""

GAP_S = 1.0
"""Between one log and the next, so that a fast hand costs the hall nothing."""

Older = Callable[[str, int], Awaitable[Sequence[Record]]]


class LiveLog:
    """Keeps the last records of one match.

    `older` reads the records of a match after a seq from the journal, for a match taken up.
    """

    def __init__(self, older: Older) -> None:
        self._older = older
        self._records: deque[Record] = deque(maxlen=LOGGED)
        self._match, self._notation = "", None

    _notation: Notation | None

    def opened(self, match: str, notation: Notation) -> None:
        """Another match is on the table."""
        self._match, self._notation = match, notation
        self._records.clear()

    def add(self, record: Record) -> None:
        """A record is on disk."""
        self._records.append(record)

    async def message(self, last: int) -> Log | None:
        """The log up to seq `last`, none before the first match."""
        match, notation = self._match, self._notation
        if notation is None or last < 0:
            return None
        kept = {record.seq: record for record in self._records}
        first = max(0, last + 1 - LOGGED)
        if first not in kept:
            for record in await self._older(match, first - 1):
                kept[record.seq] = record
            if match != self._match:
                return None  # Another match came while the disk was read.
            self._records = deque((kept[seq] for seq in sorted(kept)), maxlen=LOGGED)
        entries = [_logged(kept[seq], notation) for seq in sorted(kept) if first <= seq <= last]
        return Log(match, tuple(entries))


def _logged(record: Record, notation: Notation) -> Logged:
    return Logged(
        seq=record.seq,
        t_ms=record.t_ms,
        at=hour_of(record),
        by=str(record.by),
        act=record_text(record, notation),
    )


def hour_of(record: Record) -> str:
    """Wall time of a record as ISO 8601, UTC."""
    return datetime.fromtimestamp(record.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
