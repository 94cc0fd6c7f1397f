"""What a press costs while the network swallows all that is sent to the broker.

`python -m benchmarks.blackhole`. One table with a real mosquitto behind a wire that a
test can make swallow everything without telling anybody; presses by turns with and without.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.figures import Series, shown_us, table
from benchmarks.marks import ACCEPTED, BYTE, Marks
from benchmarks.mosquitto import mosquitto
from benchmarks.press import ROUTE, WARM_UP
from benchmarks.stand import Product, product
from tests.hall.wire import wire

BLOCK = 40
"""Presses in a row before the network changes; about seven seconds."""

THROUGH, SWALLOWED = "the broker answers", "the broker is black-holed"


def main() -> None:
    """Press → last SPI byte, of both."""
    parser = argparse.ArgumentParser(prog="benchmarks.blackhole", description=__doc__)
    parser.add_argument("--presses", type=int, default=200, help="of each kind (200)")
    presses: int = parser.parse_args().presses
    # On the disk of the working directory: a folder for temporary files may be in memory.
    with tempfile.TemporaryDirectory(dir=".", prefix=".benchmark-") as name:
        folder = Path(name).resolve()
        with mosquitto(folder) as port:
            found = asyncio.run(_measured(folder, port, presses))
    rows = []
    for what, times_us in found.items():
        series = Series.of(times_us)
        worst = shown_us(max(times_us))
        rows.append(
            (what, str(len(times_us)), shown_us(series.median), shown_us(series.p99), worst)
        )
    print(table(("press → last SPI byte", "presses", "median", "p99", "longest"), rows))


async def _measured(folder: Path, port: int, presses: int) -> dict[str, list[float]]:
    marks = Marks()
    found: dict[str, list[float]] = {THROUGH: [], SWALLOWED: []}
    with marks.taken():
        async with wire(port) as between, product(folder, marks, port=between.port) as played:
            await _pressed(played, WARM_UP)
            while len(found[SWALLOWED]) < presses:
                await between.lay()
                found[THROUGH] += await _pressed(played, BLOCK)
                between.swallow()
                found[SWALLOWED] += await _pressed(played, BLOCK)
            await between.lay()
    return found


async def _pressed(played: Product, presses: int) -> list[float]:
    times_us = []
    for _ in range(presses):
        passed = dict(zip(ROUTE, await played.stand.press(ROUTE), strict=True))
        times_us.append((passed[BYTE] - passed[ACCEPTED]) / 1000)
    return times_us


if __name__ == "__main__":
    main()
