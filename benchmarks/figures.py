"""Medians, tails and the table they stand in."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured thing, in microseconds, and its floor where it has one."""

    name: str
    samples_us: Sequence[float]
    floor_us: Sequence[float] | None = None
    aim: str = ""

    def row(self) -> tuple[str, ...]:
        """Name, median, p99, the same of the floor, ratio of the medians, aim."""
        mine = (_show(statistics.median(self.samples_us)), _show(p99(self.samples_us)))
        if self.floor_us is None:
            return (self.name, *mine, "", "", "", self.aim)
        ratio = statistics.median(self.samples_us) / statistics.median(self.floor_us)
        floor = (_show(statistics.median(self.floor_us)), _show(p99(self.floor_us)))
        return (self.name, *mine, *floor, f"{ratio:.2f}", self.aim)


def p99(samples: Sequence[float]) -> float:
    """The value that 99 of 100 do not pass."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))]


def _show(us: float) -> str:
    return f"{us / 1000:.2f} ms" if us >= 1000 else f"{us:.0f} µs"


def table(figures: Sequence[Figure]) -> str:
    """All figures as lines of text."""
    head = ("", "median", "p99", "floor", "floor p99", "ratio", "aim")
    rows = [head, *(figure.row() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
