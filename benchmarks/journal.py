"""How long a commit takes on this disk, and a start-up with a long match: `-m benchmarks.journal`.

Takes the folder to write in as its argument; without one, a temporary folder.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from firmware.journal import Journal, began
from firmware.journal_worker import JournalWorker
from rules.record import Record, Setup, Source
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_act

COMMITS = 500
RECORDS = 5000
ACTS = ("+1", "+1", "/", "=2", "UNDO", "=4", "[FOUL(off) PICK(as_is)]")


def record(seq: int) -> Record:
    act = read_act(ACTS[seq % len(ACTS)], notation_of("ug"))
    return Record(seq, act, seq * 700, seq * 700, synced=True, by=Source("panel", f"1.{seq}"))


def say(what: str, times_s: list[float]) -> None:
    ms = sorted(1000 * time_s for time_s in times_s)
    median, p99 = statistics.median(ms), ms[int(0.99 * (len(ms) - 1))]
    print(f"{what}: p50 {median:.2f} ms, p99 {p99:.2f} ms, worst {ms[-1]:.2f} ms")


async def commits(journal: Journal) -> None:
    """One record at a time, as a referee keys them; then all the others at once."""
    worker = JournalWorker(journal)
    times_s = []
    for seq in range(1, COMMITS + 1):
        start = time.perf_counter()
        await worker.commit("m1", record(seq), "ug")
        times_s.append(time.perf_counter() - start)
    say("commit, loop to loop", times_s)
    start = time.perf_counter()
    waiting = [worker.commit("m1", record(seq), "ug") for seq in range(COMMITS + 1, RECORDS + 1)]
    await asyncio.gather(*waiting)
    print(f"{len(waiting)} at once: {1000 * (time.perf_counter() - start):.0f} ms")
    await worker.close()


def resume(path: Path) -> None:
    opening_s, reading_s = [], []
    for _ in range(10):
        start = time.perf_counter()
        journal, _ = Journal.open(path)
        opened = time.perf_counter()
        match = journal.unfinished()
        assert match is not None
        assert len(journal.records(match.id)) == RECORDS + 1
        reading_s.append(time.perf_counter() - opened)
        opening_s.append(opened - start)
        journal.close()
    say("open and check", opening_s)
    say(f"read {RECORDS} records", reading_s)


def main(folder: Path) -> None:
    path = folder / "journal.db"
    journal, _ = Journal.open(path)
    setup = Record(0, Setup("ug"), by=Source("app", "1.0"))
    journal.begin(began("m1", rulebook_of("ug"), 0), setup)
    asyncio.run(commits(journal))
    resume(path)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
