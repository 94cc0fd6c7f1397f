"""From an entry to everything that is shown of it."""

import time
from collections.abc import Callable
from functools import partial

from benchmarks.figures import Figure
from firmware.demo import MATCH
from rules.carom.entries import Points, Run
from rules.entries import EndVisit, Entry
from rules.ledger import Ledger
from rules.notices import notices
from rules.record import Record
from rules.replay import opened
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.sheet import Expect, Sheet, read_sheets

NAMES = (("Sameh Sidhom",), ("Cha Myung-Jong",))


def measured(rounds: int = 60) -> list[Figure]:
    """A World Cup match tapped point by point, again and again."""
    (sheet,) = read_sheets(MATCH.read_text("utf-8"), notation_of)
    taps = _taps(sheet)
    after: list[float] = []
    whole: list[float] = []
    for _ in range(rounds):
        ledger = opened(sheet, rulebook_of)
        for entry in taps:
            before = ledger.match
            after.append(_took(partial(before.after, entry)))
            record = Record(ledger.seq + 1, (entry,))
            whole.append(_took(partial(_snapshot, ledger, record)))
    return [
        Figure("rules: one entry (after)", after, aim="≤ 20 µs"),
        Figure("entry → snapshot (after, legal, scoreline, notices)", whole, aim="≤ 300 µs"),
    ]


def _snapshot(ledger: Ledger, record: Record) -> None:
    before = ledger.match
    ledger.append(record)
    ledger.match.legal()
    scoreline(ledger, NAMES)
    assert isinstance(record.act, tuple)
    notices(before, record.act, ledger.match)


def _took(work: Callable[[], object]) -> float:
    started = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - started) / 1000


def _taps(sheet: Sheet) -> list[Entry]:
    """The entries of a sheet, runs tapped point by point."""
    ledger = opened(sheet, rulebook_of)
    taps: list[Entry] = []
    for step in sheet.steps():
        if isinstance(step, Expect) or not isinstance(step.act, tuple):
            continue
        for entry in step.act:
            parts: list[Entry] = [entry]
            if isinstance(entry, Run):
                parts = [*[Points(1)] * entry.n, EndVisit()]
            for part in parts:
                if isinstance(part, EndVisit) and ledger.match.ending is not None:
                    continue
                ledger.append(Record(ledger.seq + 1, (part,)))
                taps.append(part)
    return taps
