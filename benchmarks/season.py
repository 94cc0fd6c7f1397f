"""A season in one journal: python -m benchmarks.season [MATCHES …]; a minute for ten thousand.

The matches are those of the real sheets, over and over, on days of their own.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from firmware.clock import SystemClock
from firmware.journal import Journal, Summary, began
from firmware.matches import resumed
from rules.record import Record, Source
from rules.replay import Replay, replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.scoreline import scoreline
from rules.sheet import read_sheets

SHEETS = Path(__file__).parents[1] / "tests" / "sheets"
PLAYERS = 200
RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.season", description=__doc__)
    parser.add_argument("matches", type=int, nargs="*", default=[1000, 10_000])
    args = parser.parse_args()
    print("matches, MB | list | one player | one sheet | open and resume (medians, whole commands)")
    for count in args.matches:
        with tempfile.TemporaryDirectory(dir=".", prefix=".season-") as name:
            _measured(Path(name) / "journal.db", count)


def _measured(path: Path, count: int) -> None:
    filled(path, count)
    figures = [
        _command(path, "matches"),
        _command(path, "stats", "Player 7"),
        _command(path, "export", f"m{count // 2}"),
        _opening(path),
    ]
    size = path.stat().st_size / 1e6
    print(f"{count}, {size:.0f} | " + " | ".join(f"{figure * 1000:.0f} ms" for figure in figures))


def filled(path: Path, count: int) -> None:
    """A journal of so many matches, all but the last one over."""
    played = list(_real())
    # A commit waits for the disk; that is measured elsewhere.
    with closing(Journal.open(path)[0]) as journal:
        journal._db.execute("PRAGMA synchronous = OFF")
        for number in range(1, PLAYERS + 1):
            journal.club.enlist(f"Player {number}")
        for number in range(count):
            one = played[number % len(played)]
            players = ((number % PLAYERS + 1,), ((number * 7 + 3) % PLAYERS + 1,))
            setup = replace(one.sheet.setup, players=players)
            start_ms = 1_700_000_000_000 + number * 3_600_000
            first = Record(0, setup, at_ms=start_ms, by=Source("season", str(number)))
            id_ = f"m{number}"
            journal.begin(began(id_, rulebook_of(setup.rulebook), start_ms), first)
            journal.append(id_, one.records[1:], setup.rulebook)
            if number < count - 1:
                line = scoreline(one.ledger, (("A",), ("B",)))
                journal.finish(id_, Summary.of(line))


def _real() -> "list[Replay]":
    found = []
    for file in sorted(SHEETS.glob("*matches.sheet")):
        for sheet in read_sheets(file.read_text("utf-8"), notation_of):
            if sheet.setup.rulebook in RULEBOOKS:
                one = replay(sheet, rulebook_of)
                if not one.notes and one.ledger.match.result is not None:
                    found.append(one)
    return found


def _command(path: Path, *command: str) -> float:
    """The median of a whole process, in seconds."""
    program = [str(Path(sys.executable).parent / "tacada"), *command, "--journal", str(path)]
    times = []
    for _ in range(RUNS):
        began_s = time.perf_counter()
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
        times.append(time.perf_counter() - began_s)
    return statistics.median(times)


def _opening(path: Path) -> float:
    """What a start does: open, check, and take up the match in play."""
    times = []
    for _ in range(RUNS):
        began_s = time.perf_counter()
        with closing(Journal.open(path)[0]) as journal:
            resumed(journal, SystemClock())
        times.append(time.perf_counter() - began_s)
    return statistics.median(times)


if __name__ == "__main__":
    main()
