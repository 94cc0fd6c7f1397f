"""Cuts of the power at every write of a match: python -m tests.cuts [--runs N] [--each N].

A process plays a real match into a journal, and strace writes down what it asks of its files. After
each of these calls the disk may hold what was synced and any part of what was not, torn between
sectors: such a state is made, the journal opened as a start opens it, and every record that the
process had said to be there must be there.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.journal import Journal
from tests.cuts.disk import Disk
from tests.cuts.player import match
from tests.cuts.trace import traced

RECORDS = match()


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.cuts", description=__doc__)
    parser.add_argument("--runs", type=int, default=1, help="matches; default: %(default)s")
    parser.add_argument("--each", type=int, default=2, help="cuts after each call")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cuts = lost = 0
    for run in range(args.runs):
        with tempfile.TemporaryDirectory(prefix="tacada-cuts-") as name:
            made, failed = _run(Path(name), args.seed + run, args.each)
        cuts, lost = cuts + made, lost + failed
    print(f"{cuts} cuts, {lost} lost")
    return 1 if lost or not cuts else 0


def _run(base: Path, seed: int, each: int) -> tuple[int, int]:
    folder, start = base / "disk", base / "start"
    folder.mkdir()
    journal = folder / "journal.db"
    subprocess.run([sys.executable, "-m", "tests.cuts.player", str(journal)], check=True)
    shutil.copytree(folder, start)
    steps = list(traced(["tests.cuts.player", str(journal), str(seed)], folder, base / "log"))
    # From here on the folder's name stands for the disk that is imagined.
    shutil.rmtree(folder)
    shutil.copytree(start, folder)
    disk, chance = Disk(folder), random.Random(seed)
    said, cuts, lost = -1, 0, 0
    for number, step in enumerate(steps):
        if step.call == "said":
            lines = step.data.split()
            said = len(RECORDS) - 1 if b"end" in lines else max(said, *map(int, lines))
            continue
        disk.take(step)
        for _ in range(each):
            cuts += 1
            why = _cut(disk, base / "after", said, chance)
            if why:
                lost += 1
                print(f"seed {seed}, after call {number} ({step.call} {step.path}): {why}")
    if said != len(RECORDS) - 1:
        print(f"seed {seed}: the match ended at record {said}")
        lost += 1
    return cuts, lost


def _cut(disk: Disk, after: Path, said: int, chance: random.Random) -> str:
    """Open what a cut leaves; what of it is wrong."""
    shutil.rmtree(after, ignore_errors=True)
    after.mkdir()
    disk.cut(after, chance)
    try:
        journal, damage = Journal.open(after / "journal.db", at_ms=0)
    except JournalError as error:
        return f"{[(file.name, file.stat().st_size) for file in after.iterdir()]}: {error}"
    try:
        if said < 0 and journal.match("m1") is None:
            return ""
        records = journal.records("m1")
    except OSError as error:
        return f"{error}; damage: {damage}"
    finally:
        journal.close()
    if len(records) <= said:
        return f"{said} was confirmed, {len(records) - 1} is the last; damage: {damage}"
    if any(one != other for one, other in zip(records, RECORDS, strict=False)):
        return "a record is another"
    return "" if damage is None else f"taken for damaged: {damage}"


if __name__ == "__main__":
    raise SystemExit(main())
