"""From nothing to the first picture, what it takes in memory, and what it costs to do nothing."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import BATCHES, Aim, Figure, Series
from benchmarks.mosquitto import mosquitto

STARTS = 15
IDLE_S = 20
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


def run(folder: Path) -> list[Figure]:
    """Starts of both in turn, each with a new journal; then one that is left alone."""
    boot, score, memory = list[float](), list[float](), list[float]()
    floors, floors_memory = list[float](), list[float]()
    with mosquitto(folder) as port:
        _started(folder, port), _bare()
        for _ in range(STARTS):
            first_us, second_us, most_mib = _started(folder, port)[:3]
            bare_us, bare_mib = _bare()
            boot.append(first_us)
            score.append(second_us)
            memory.append(most_mib)
            floors.append(bare_us)
            floors_memory.append(bare_mib)
        idle = _started(folder, port, windows=BATCHES)[3:]
        timed = _started(folder, port, BATCHES, "START")[3:]
    floor = Series.of(floors)
    return [
        Figure("cold start → first picture", Series.of(boot), floor, Aim(median=600_000)),
        Figure("cold start → score on the board", Series.of(score), floor),
        Figure(
            "memory, the most", Series.of(memory), Series.of(floors_memory), Aim(45), unit="MiB"
        ),
        *(
            Figure(name, Series.of([100 * part for part in used]), aim=Aim(0.5), unit="%")
            for name, used in (
                (f"idle, of a core ({IDLE_S} s, broker connected)", idle),
                ("idle, while a shot clock of 40 s runs", timed),
            )
        ),
    ]


def _started(folder: Path, port: int, windows: int = 0, *act: str) -> list[float]:
    """First picture and score in µs from the start, MiB, and the share of a core in windows."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        config = Path(name) / "tacada.toml"
        config.write_text(
            f'schema = 1\njournal = "{name}/journal.db"\n'
            '[match]\nfirst = "A"\nformat = "clock=40"\n'
            f'[broker]\nhost = "127.0.0.1"\nport = {port}\n'
        )
        idle = (str(IDLE_S / BATCHES), str(windows), *act)
        began_ns, words = _output("benchmarks.started", str(config), *idle)
    first_ns, second_ns, most_kib, *used = map(float, words)
    starts_us = [(first_ns - began_ns) / 1000, (second_ns - began_ns) / 1000]
    return [*starts_us, most_kib / 1024, *used]


def _bare() -> tuple[float, float]:
    began_ns, (last_ns, most_kib) = _output("benchmarks.bare")
    return (float(last_ns) - began_ns) / 1000, float(most_kib) / 1024


def _output(module: str, *args: str) -> tuple[int, list[str]]:
    """When a program was started, and the words that it printed."""
    # An installed program has its bytecode beside it, whatever the shell of a developer says.
    environment = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    command = [sys.executable, "-m", module, *args]
    began_ns = time.monotonic_ns()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return began_ns, done.stdout.split()
