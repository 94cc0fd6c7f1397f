"""Measures and prints all figures."""

import argparse
import json
import os
import platform
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import hall, journal, press, render, rules, start
from benchmarks.figures import HEAD, table


def main() -> None:
    """One table of all figures; `--hops` adds where the time of a press goes."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--presses", type=int, default=300, help="of each kind (300)")
    parser.add_argument("--hops", action="store_true", help="also where a press's time goes")
    parser.add_argument("--json", action="store_true", help="all of it, for a program to read")
    args = parser.parse_args()
    # On the disk of the working directory: a folder for temporary files may be in memory.
    with tempfile.TemporaryDirectory(dir=".", prefix=".benchmark-") as name:
        folder = Path(name).resolve()
        press_figures, hops = press.run(args.presses, folder)
        figures = [
            *press_figures,
            *hall.run(args.presses, folder),
            *rules.run(),
            *journal.run(folder),
            *render.run(),
            *start.run(folder),
        ]
    if args.json:
        every = {
            "machine": _machine(),
            "figures": [figure.json() for figure in figures],
            "hops": [hop.json() for hop in hops],
        }
        print(json.dumps(every, ensure_ascii=False, indent=1))
        return
    print(table(HEAD, [figure.row() for figure in figures]))
    if args.hops:
        print()
        print(table(press.HOPS_HEAD, [hop.row() for hop in hops]))


def _machine() -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
        "python": platform.python_version(),
        "load": os.getloadavg(),
    }


if __name__ == "__main__":
    main()
