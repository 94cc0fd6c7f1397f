"""A season in one journal: python -m benchmarks.season [MATCHES …]; a minute for ten thousand.

The matches are those of the real sheets, over and over, on days of their own.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from firmware.clock import SystemClock
from firmware.journal.journal import Journal
from firmware.journal.matches import Summary, began
from firmware.table.matches import resumed
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
    parser.add_argument("matches", type=int, nargs="*", default=[1000, 3000, 10_000])
    args = parser.parse_args()
    print("medians of whole commands: of the processor, and on the clock")
    print("matches, MB | list | one player | his details | one sheet | one PDF | open and resume")
    for count in args.matches:
        with tempfile.TemporaryDirectory(dir=".", prefix=".benchmark-season-") as name:
            _measured(Path(name) / "journal.db", count)


def _measured(path: Path, count: int) -> None:
    filled(path, count)
    figures = [
        _command(path, "matches"),
        _command(path, "stats", "Player 7"),
        _command(path, "stats", "Player 7", "--details", "--last", "10"),
        _command(path, "export", f"m{count // 2}"),
        _command(path, "print", f"m{count // 2}", str(path.with_name("sheet.pdf"))),
        _opening(path),
    ]
    size = path.stat().st_size / 1e6
    told = (f"{cpu_s * 1000:.0f} ({wall_s * 1000:.0f}) ms" for cpu_s, wall_s in figures)
    print(f"{count}, {size:.0f} | " + " | ".join(told), flush=True)


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


def _command(path: Path, *command: str) -> tuple[float, float]:
    """The medians of a whole process, in seconds: processor, and clock."""
    program = [str(Path(sys.executable).parent / "tacada"), *command, "--journal", str(path)]

    def run() -> None:
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))

    return _medians(run, resource.RUSAGE_CHILDREN)


def _opening(path: Path) -> tuple[float, float]:
    """What a start does: open, check, and take up the match in play."""

    def run() -> None:
        with closing(Journal.open(path)[0]) as journal:
            resumed(journal, SystemClock())

    return _medians(run, resource.RUSAGE_SELF)


def _medians(run: Callable[[], None], whose: int) -> tuple[float, float]:
    cpu, wall = [], []
    for _ in range(RUNS):
        before, began_s = resource.getrusage(whose), time.perf_counter()
        run()
        wall.append(time.perf_counter() - began_s)
        after = resource.getrusage(whose)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(cpu), statistics.median(wall)


if __name__ == "__main__":
    main()
