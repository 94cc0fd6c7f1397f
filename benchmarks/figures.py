"""Figures: batches of samples, their floor, the aim, and the table they stand in."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

BATCHES = 5
"""Batches of a figure: how far their medians lie apart shows how quiet the machine was."""

Batches: TypeAlias = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure should not pass, in its own unit; `ratio` is over the floor."""

    median: float | None = None
    p99: float | None = None
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Samples of one thing, in the order in which they were taken."""

    batches: Batches

    @classmethod
    def of(cls, samples: Sequence[float], count: int = BATCHES) -> "Series":
        """Cut samples into batches of equal length; a rest at the end is left out."""
        length = max(1, len(samples) // count)
        starts = range(0, length * min(count, len(samples)), length)
        return cls([samples[start : start + length] for start in starts])

    @property
    def medians(self) -> list[float]:
        return [statistics.median(batch) for batch in self.batches]

    @property
    def median(self) -> float:
        """The median of the batches' medians."""
        return statistics.median(self.medians)

    @property
    def p99(self) -> float:
        """The value that 99 of 100 samples do not pass."""
        ordered = sorted(sample for batch in self.batches for sample in batch)
        return ordered[round(0.99 * (len(ordered) - 1))]

    def json(self) -> dict[str, Any]:
        return {
            "median": self.median,
            "p99": self.p99,
            "batch_medians": self.medians,
            "samples": sum(map(len, self.batches)),
        }


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing and its floor where it has one; `unit` is µs, B, MiB or %."""

    name: str
    mine: Series
    floor: Series | None = None
    aim: Aim = field(default_factory=Aim)
    unit: str = "µs"

    @property
    def ratio(self) -> float | None:
        return None if self.floor is None else self.mine.median / self.floor.median

    def met(self) -> bool | None:
        """Whether the aim is met; none where there is none."""
        pairs = (
            (self.aim.median, self.mine.median),
            (self.aim.p99, self.mine.p99),
            (self.aim.ratio, self.ratio),
        )
        held = [found <= most for most, found in pairs if most is not None and found is not None]
        return all(held) if held else None

    def row(self) -> tuple[str, ...]:
        mine = (self._show(self.mine.median), self._range(self.mine), self._show(self.mine.p99))
        met = {None: "", True: "met", False: "missed"}[self.met()]
        if self.floor is None or self.ratio is None:
            return (self.name, *mine, "", "", "", "", self._aim(), met)
        floor = (self._show(self.floor.median), self._range(self.floor), self._show(self.floor.p99))
        return (self.name, *mine, *floor, f"{self.ratio:.2f}", self._aim(), met)

    def json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": self.unit,
            **self.mine.json(),
            "floor": self.floor.json() if self.floor is not None else None,
            "ratio": self.ratio,
            "aim": {"median": self.aim.median, "p99": self.aim.p99, "ratio": self.aim.ratio},
            "met": self.met(),
        }

    def _aim(self) -> str:
        aim = self.aim
        parts = [
            "" if aim.ratio is None else f"≤ {aim.ratio:g}×",
            "" if aim.median is None else f"≤ {self._show(aim.median)}",
            "" if aim.p99 is None else f"p99 ≤ {self._show(aim.p99)}",
        ]
        return ", ".join(part for part in parts if part)

    def _range(self, series: Series) -> str:
        return f"{self._show(min(series.medians))}–{self._show(max(series.medians))}"

    def _show(self, value: float) -> str:
        if self.unit == "µs":
            return shown_us(value)
        return f"{value:.0f} B" if self.unit == "B" else f"{value:.3g} {self.unit}"


def shown_us(us: float) -> str:
    """A time as people read it."""
    if us >= 100_000:
        return f"{us / 1000:.0f} ms"
    if us >= 1000:
        return f"{us / 1000:.2f} ms"
    return f"{us:.0f} µs" if us >= 10 else f"{us:.1f} µs"


HEAD = ("", "median", "of batches", "p99", "floor", "of batches", "p99", "ratio", "aim", "")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a head as lines of text, in columns as wide as they must be."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    )
