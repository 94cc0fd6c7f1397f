"""From an entry to everything that is shown of it, part by part."""

import time
from collections.abc import Sequence
from itertools import pairwise

from benchmarks import play
from benchmarks.figures import BATCHES, Aim, Figure, Series
from rules.ledger import Ledger, after_all
from rules.notices import notices
from rules.record import Record
from rules.replay import opened
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.sheet import Sheet

NAMES = (("Sameh Sidhom",), ("Cha Myung-Jong",))
ROUNDS = 12
LONG, LAST = 5000, 500

PARTS = ("after", "append", "legal", "scoreline", "notices")


def run() -> list[Figure]:
    """A real match again and again, a frame of snooker, pool, and the end of a long match."""
    sheet = play.real()
    records = play.taps(sheet)
    real = again(sheet, records)
    frame, frame_records = play.frame()
    snooker = again(frame, frame_records)
    racks, racks_records = play.frame(play.RACKS)
    nine_ball = again(racks, racks_records)
    points, points_records = play.frame(play.POINTS)
    straight = again(points, points_records)
    long_records = play.long(LONG)
    long = []
    for _ in range(BATCHES):
        ledger = play.opened_long()
        for record in long_records[:-LAST]:
            ledger.append(record)
        long.append(_timed(ledger, long_records[-LAST:]))
    return [
        *entry_figures(f"CA-16, {len(records)} presses", real),
        *entry_figures(f"a frame of snooker, {len(frame_records)} entries", snooker),
        *entry_figures(f"racks of nine-ball, {len(racks_records)} entries", nine_ball),
        *entry_figures(f"a game of 14.1, {len(points_records)} entries", straight),
        *entry_figures(f"the last {LAST} of {LONG} records", long),
    ]


def again(sheet: Sheet, records: Sequence[Record]) -> list[list[tuple[float, ...]]]:
    """A whole sheet, again and again."""
    _timed(opened(sheet, rulebook_of), records)
    batches = []
    for _ in range(BATCHES):
        rounds = (_timed(opened(sheet, rulebook_of), records) for _ in range(ROUNDS))
        batches.append([row for timed in rounds for row in timed])
    return batches


def entry_figures(which: str, batches: Sequence[Sequence[Sequence[float]]]) -> list[Figure]:
    """What an entry costs with all that follows from it, and in each part."""

    def series(*places: int) -> Series:
        return Series([[sum(row[place] for place in places) for row in batch] for batch in batches])

    return [
        Figure(f"entry → snapshot ({which})", series(1, 2, 3, 4), aim=Aim(median=300)),
        Figure("  after alone", series(0), aim=Aim(median=20)),
        *(Figure(f"  of it: {name}", series(n)) for n, name in enumerate(PARTS) if n),
    ]


def _timed(ledger: Ledger, records: Sequence[Record]) -> list[tuple[float, ...]]:
    """Microseconds of each part, for each record. `append` contains an `after` of its own."""
    rows = []
    now = time.perf_counter_ns
    for record in records:
        before, act = ledger.match, record.act
        assert isinstance(act, tuple)
        times = [now()]
        after_all(before, act)
        times.append(now())
        ledger.append(record)
        times.append(now())
        ledger.match.legal()
        times.append(now())
        scoreline(ledger, NAMES)
        times.append(now())
        notices(before, act, ledger.match)
        times.append(now())
        rows.append(tuple((end - start) / 1000 for start, end in pairwise(times)))
    return rows
