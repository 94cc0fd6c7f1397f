"""Commits records to a journal without end, and prints the seq of each that is on disk.

Run as `python journal_child.py FILE`, to be killed at any moment.
"""

import asyncio
import os
import random
import sys

from firmware.journal.journal import Journal
from firmware.journal.worker import JournalWorker
from tests.firmware.journal_rig import record


async def run(path: str) -> None:
    journal, damage = Journal.open(path)
    assert damage is None
    worker = JournalWorker(lambda: journal)
    seq = len(journal.records("m1"))
    while True:
        burst = [
            worker.commit("m1", record(number), "ug")
            for number in range(seq, seq + random.randint(1, 12))
        ]
        for future in burst:
            os.write(1, b"%d\n" % await future)
        seq += len(burst)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
