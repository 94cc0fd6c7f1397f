"""Plays a match into a journal, through the thread that commits, and says which records are there.

Started as `python -m tests.cuts.player JOURNAL SEED`. A line on standard output is a promise: the
record with that number is on disk, and has been shown and published as saved.
"""

import asyncio
import os
import random
import sys
from functools import partial
from pathlib import Path

from firmware.clock import SystemClock
from firmware.journal.journal import Journal
from firmware.journal.matches import Summary, began
from firmware.journal.worker import JournalWorker
from firmware.table.store import open_journal
from rules.record import Record, Source
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.sheet import read_sheets

SHEET = Path(__file__).parents[2] / "firmware" / "sheets" / "ca-16.sheet"


def match() -> tuple[Record, ...]:
    """The records of a real match, each with a source of its own."""
    (sheet,) = read_sheets(SHEET.read_text("utf-8"), notation_of)
    records = replay(sheet, rulebook_of).records
    return tuple(
        Record(one.seq, one.act, one.seq * 1000, by=Source("panel", f"1.{one.seq}"))
        for one in records
    )


async def play(path: str, chance: random.Random) -> None:
    """Alone or several at once, as presses come; an open and a close, and the end of the match."""
    records = match()
    worker = JournalWorker(partial(open_journal, path, SystemClock()))
    row = began("m1", rulebook_of("ug"), 0)
    await worker.call(lambda journal: journal.begin(row, records[0]))
    os.write(1, b"0\n")
    at = 1
    while at < len(records):
        burst = [
            worker.commit("m1", record, "ug") for record in records[at : at + chance.randint(1, 4)]
        ]
        for future in burst:
            os.write(1, b"%d\n" % await future)
        at += len(burst)
        if chance.random() < 0.1:
            await worker.call(partial(Journal.advance, match_id="m1", seq=at - 1))
        if chance.random() < 0.08:
            await worker.close()
            worker = JournalWorker(partial(open_journal, path, SystemClock()))
    (sheet,) = read_sheets(SHEET.read_text("utf-8"), notation_of)
    summary = Summary.of(scoreline(replay(sheet, rulebook_of).ledger, (("A",), ("B",))))
    await worker.call(lambda journal: journal.finish("m1", summary))
    os.write(1, b"end\n")
    await worker.close()


if __name__ == "__main__":
    if len(sys.argv) == 2:  # an empty journal, to begin with
        Journal.open(sys.argv[1])[0].close()
    else:
        asyncio.run(play(sys.argv[1], random.Random(int(sys.argv[2]))))
