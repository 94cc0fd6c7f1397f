"""Plays a hall of 50, 100 and 200 tables and says how it did (docs/benchmarks.md)."""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import Series
from benchmarks.load.display import DRAWN
from benchmarks.mosquitto import mosquitto

LAGS_MS = 20.0
"""A generator that is later than this in one of a hundred entries measures itself."""

BUSY = 0.9
"""So is one that takes so much of its core."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one hall did."""

    tables: int
    entries: int
    lost: int
    doubled: int
    foreign: int
    unseen: int
    latency: Series
    late: Series
    generator_cpu: float
    display_cpu: float
    memory_mib: tuple[float, ...]
    """What the display held, on average in each fifth of the play."""

    @property
    def lags(self) -> bool:
        """Whether the generator and not the product was measured."""
        return self.late.p99 > LAGS_MS or self.generator_cpu > BUSY

    def text(self) -> str:
        own = f"{self.late.p99:.1f} ms late, {self.generator_cpu:.0%} of a core"
        memory = ", ".join(f"{mib:.1f}" for mib in self.memory_mib)
        p50, p99 = self.latency.median, self.latency.p99
        shown = (
            f"generator lags ({own}): not published"
            if self.lags
            else f"p50 {p50:.1f} ms, p99 {p99:.1f} ms (generator {own})"
        )
        return (
            f"{self.tables} tables: {self.entries} entries, {self.lost} lost, "
            f"{self.doubled} doubled, {self.foreign} foreign, {self.unseen} never shown; "
            f"entry → hall picture {shown}; display {self.display_cpu:.0%} of a core, "
            f"memory by fifths {memory} MiB"
        )


def played(tables: int, seconds: float, speed: float) -> Result:
    """One hall: a broker, a display and the tables in two processes."""
    with tempfile.TemporaryDirectory() as name, mosquitto(Path(name)) as port:
        folder = Path(name)
        display = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.load.display", str(port), str(folder / "display")],
            stdin=subprocess.PIPE,
        )
        time.sleep(2)
        began = time.monotonic()
        halves = [(1, tables // 2), (tables // 2 + 1, tables - tables // 2)]
        playing = [
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "benchmarks.load.tables", str(port)),
                    *(str(first), str(count), str(seconds), str(speed), str(folder / str(first))),
                ]
            )
            for first, count in halves
        ]
        for process in playing:
            if process.wait() != 0:
                raise SystemExit("a generator failed")
        took_s = time.monotonic() - began
        display.communicate()
        shown = json.loads((folder / "display").read_text())
        seen = [line.split() for line in (folder / "display.seen").read_text().splitlines()]
        made = [json.loads((folder / str(first)).read_text()) for first, _ in halves]
    return judged(tables, made, shown, seen, took_s)


def judged(
    tables: int,
    made: list[dict[str, Any]],
    shown: dict[str, Any],
    seen: list[list[str]],
    took_s: float,
) -> Result:
    """What was entered, held against what the hall was shown."""
    entered = {name: log for one in made for name, log in one["entered"].items()}
    lost = doubled = unseen = 0
    latency: list[float] = []
    drawn: dict[str, list[tuple[str, int, int]]] = {}
    told: dict[str, list[tuple[str, int]]] = {}
    for what, name, match, seq, *when in seen:
        if what == DRAWN:
            drawn.setdefault(name, []).append((match, int(seq), int(when[0])))
        else:
            told.setdefault(name, []).append((match, int(seq)))
    for name, log in entered.items():
        got = told.get(name, [])
        doubled += len(got) - len(set(got))
        lost += len({(match, seq) for match, seq, _ in log} - set(got))
        order = {(match, seq): place for place, (match, seq, _) in enumerate(log)}
        pictures = [(order.get((match, seq), -1), t_ns) for match, seq, t_ns in drawn.get(name, ())]
        at = 0
        for place, (_, _, t0_ns) in enumerate(log):
            while at < len(pictures) and pictures[at][0] < place:
                at += 1
            if at == len(pictures):
                unseen += 1
            else:
                latency.append((pictures[at][1] - t0_ns) / 1_000_000)
    return Result(
        tables=tables,
        entries=sum(map(len, entered.values())),
        lost=lost,
        doubled=doubled,
        foreign=shown["foreign"],
        unseen=unseen,
        latency=Series.of(latency),
        late=Series.of([late for one in made for late in one["late_ms"]]),
        generator_cpu=max(one["cpu"] for one in made),
        display_cpu=shown["cpu_s"] / took_s,
        memory_mib=_fifths(shown["memory_kib"]),
    )


def _fifths(kib: list[int]) -> tuple[float, ...]:
    """The mean of each fifth of a row of weights, in MiB."""
    size = max(1, len(kib) // 5)
    parts = [kib[at : at + size] for at in range(0, 5 * size, size)]
    return tuple(sum(part) / len(part) / 1024 for part in parts if part)


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 100, 200])
    parser.add_argument("--seconds", type=float, default=300, help="of play (300)")
    parser.add_argument("--speed", type=float, default=10, help="times real speed (10)")
    args = parser.parse_args()
    fault = False
    for tables in args.tables:
        result = played(tables, args.seconds, args.speed)
        print(result.text(), flush=True)
        fault = fault or bool(result.lost or result.foreign or result.unseen)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
