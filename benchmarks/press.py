"""From the acceptance of a press to the last byte on the wire of the display, hop by hop."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import Aim, Figure, Series, shown_us
from benchmarks.marks import (
    ACCEPTED,
    BYTE,
    COMMITTED,
    DRAWING,
    DRAWN,
    EDGE,
    ENCODED,
    JUDGED,
    LISTENER,
    LOOP,
    MEANING,
    OWNER,
    SHOWING,
    THREAD,
    VIEW,
    Marks,
)
from benchmarks.stand import Stand, floor, product
from drivers.gestures import Timing
from drivers.matrix import Matrix
from drivers.ports import Picture

WARM_UP = 10

HOPS = {
    "late: press is due → accepted (timer of the loop)": (EDGE, ACCEPTED),
    "acceptance → listener": (ACCEPTED, LISTENER),
    "queue → owner": (LISTENER, OWNER),
    "keymap and grammar": (OWNER, MEANING),
    "guard, ledger": (MEANING, JUDGED),
    "record as a row, read back": (JUDGED, ENCODED),
    "loop → journal's thread": (ENCODED, THREAD),
    "insert and commit": (THREAD, COMMITTED),
    "journal's thread → loop": (COMMITTED, LOOP),
    "saved → view (watchers)": (LOOP, VIEW),
    "view → board's task": (VIEW, DRAWING),
    "render": (DRAWING, DRAWN),
    "compare, call the matrix": (DRAWN, SHOWING),
    "pack and SPI": (SHOWING, BYTE),
}
"""The hops of the product, each between two marks that follow each other."""

FLOOR_HOPS = {
    "late: press is due → accepted (timer of the loop)": (EDGE, ACCEPTED),
    "acceptance → listener": (ACCEPTED, LISTENER),
    "guard, ledger": (LISTENER, JUDGED),
    "record as a row, read back": (JUDGED, ENCODED),
    "loop → journal's thread": (ENCODED, THREAD),
    "insert and commit": (THREAD, COMMITTED),
    "journal's thread → loop": (COMMITTED, LOOP),
    "view → board's task": (LOOP, SHOWING),
    "pack and SPI": (SHOWING, BYTE),
}
"""Those of the floor, under the name of the product's hop that does the same."""

ROUTE = (EDGE, *(end for _, end in HOPS.values()))
FLOOR_ROUTE = (EDGE, *(end for _, end in FLOOR_HOPS.values()))


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop of the product, and of the floor where that has it."""

    name: str
    mine: Series
    floor: Series | None

    def row(self) -> tuple[str, ...]:
        mine = (shown_us(self.mine.median), shown_us(self.mine.p99))
        if self.floor is None:
            return (self.name, *mine, "", "")
        return (self.name, *mine, shown_us(self.floor.median), shown_us(self.floor.p99))

    def json(self) -> dict[str, Any]:
        floor_ = self.floor.json() if self.floor is not None else None
        return {"name": self.name, **self.mine.json(), "floor": floor_}


HOPS_HEAD = ("hop", "median", "p99", "floor", "p99")


class _Pictures:
    """Two pictures in turn, in which as many rows differ as when a score changes by a point."""

    def __init__(self, stand: Stand) -> None:
        self._matrix = Matrix(stand.wire, width=64, height=16)
        lit = Picture(64, 16, (0,) + (0xFF << 48,) * 13 + (0, 0))
        self._pictures = (Picture.blank(64, 16), lit)

    def show(self, number: int) -> None:
        self._showing = asyncio.ensure_future(self._matrix.show(self._pictures[number % 2]))


async def _measured(presses: int, folder: Path) -> tuple[list[Figure], list[Hop]]:
    marks = Marks()
    mine: list[dict[str, int]] = []
    floors: list[dict[str, int]] = []
    sizes: list[float] = []
    least = Stand(marks)
    with marks.taken():
        pictures = _Pictures(least)
        async with (
            product(folder, marks) as table,
            floor(folder, least, pictures.show, name="floor"),
        ):
            for number in range(presses + WARM_UP):
                table.stand.wire.bytes = 0
                passed = await table.stand.press(ROUTE)
                size = table.stand.wire.bytes
                least_passed = await least.press(FLOOR_ROUTE)
                if number >= WARM_UP:
                    sizes.append(size)
                    mine.append(dict(zip(ROUTE, passed, strict=True)))
                    floors.append(dict(zip(FLOOR_ROUTE, least_passed, strict=True)))
    whole = 2 * 64 * 16 // 8
    confirm_ms = Timing().confirm_ms
    figures = [
        Figure(
            f"first edge → acceptance (confirm_ms {confirm_ms:g})",
            _hop(mine, EDGE, ACCEPTED, plus_us=confirm_ms * 1000),
            _hop(floors, EDGE, ACCEPTED, plus_us=confirm_ms * 1000),
        ),
        Figure(
            "press → last SPI byte",
            _hop(mine, ACCEPTED, BYTE),
            _hop(floors, ACCEPTED, BYTE),
            Aim(ratio=2, p99=10_000),
        ),
        Figure("  of it: all but insert and commit", _beside(mine), _beside(floors)),
        Figure(
            "bytes on the wire of a press, floor: a full picture",
            Series.of(sizes),
            Series.of([whole] * len(sizes)),
            unit="B",
        ),
    ]
    hops = [
        Hop(
            name, _hop(mine, *ends), _hop(floors, *FLOOR_HOPS[name]) if name in FLOOR_HOPS else None
        )
        for name, ends in HOPS.items()
    ]
    return figures, hops


def _hop(presses: list[dict[str, int]], start: str, end: str, plus_us: float = 0) -> Series:
    return Series.of([plus_us + (passed[end] - passed[start]) / 1000 for passed in presses])


def _beside(presses: list[dict[str, int]]) -> Series:
    """What is ours: the way of a press without what the disk takes."""
    return Series.of(
        [
            (passed[BYTE] - passed[ACCEPTED] - passed[COMMITTED] + passed[THREAD]) / 1000
            for passed in presses
        ]
    )


def run(presses: int, folder: Path) -> tuple[list[Figure], list[Hop]]:
    """Presses of both in turn, so that what the machine does besides meets both."""
    return asyncio.run(_measured(presses, folder))
