"""Prints all figures."""

import argparse

from benchmarks import hall, press, rules, start
from benchmarks.figures import table


def main() -> None:
    """Measure and print; `--presses` sets how many there are of each kind."""
    parser = argparse.ArgumentParser(prog="benchmarks")
    parser.add_argument("--presses", type=int, default=300)
    args = parser.parse_args()
    figures = [
        *rules.measured(),
        *press.run(args.presses),
        *hall.run(args.presses),
        *start.run(),
    ]
    print(table(figures))
    for line in start.plain():
        print(line)


if __name__ == "__main__":
    main()
