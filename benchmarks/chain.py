"""What an update of a chain of 24 blocks costs: only changed rows, beside a plain full redraw.

`python -m benchmarks.chain`. A register of the chips
is a row of every row of blocks: two rows of blocks change together.
"""

import asyncio
import time
import warnings
from collections.abc import Callable
from statistics import median

from luma.led_matrix.device import max7219
from msgspec.structs import replace
from PIL import Image

from benchmarks.figures import table
from benchmarks.render import _views
from benchmarks.wire import Wire
from drivers.blocks import BlockOrder
from drivers.matrix import Matrix, pack
from drivers.ports import Picture
from firmware.i18n import load_language
from firmware.layout import load_layout
from firmware.render import render
from firmware.snapshot import View
from rules.clock import ClockState, Countdown

COLUMNS, ROWS = 12, 2
BLOCKS = COLUMNS * ROWS
WIDTH, HEIGHT = 8 * COLUMNS, 8 * ROWS


def pictures() -> dict[str, list[Picture]]:
    """What changes on a board: the scores of a match, a press that is heard, a second that passes.

    The board of 96 x 16 is the picture of 64 columns, and its left half once more.
    """
    layout, language = load_layout("64x16"), load_language("en")
    views = _views()
    clock = ClockState(Countdown(40_000, running=True, until_ms=40_000))
    assert views[9].line is not None
    timed = View(replace(views[9].line, clock=clock))
    heard = (replace(views[9], heard_ms=0 if nth % 2 else None) for nth in range(40))
    return {
        "a point more": [_wide(render(view, layout, language, 0)) for view in views],
        "a press is heard": [_wide(render(view, layout, language, 0)) for view in heard],
        "a second passes": [_wide(render(timed, layout, language, 1000 * n)) for n in range(39)],
    }


def _wide(picture: Picture) -> Picture:
    return Picture(WIDTH, HEIGHT, tuple(row << 32 | row >> 32 for row in picture.rows))


def main() -> None:
    """Bytes on the wire and time of the processor for each update."""
    places = BlockOrder().places(COLUMNS, ROWS)[::-1]
    plain = str(16 * BLOCKS)
    rows = []
    for what, shown in pictures().items():
        wire = Wire()
        matrix = Matrix(wire, width=WIDTH, height=HEIGHT)
        changed_bytes, changed_us = asyncio.run(_shown(matrix, wire, shown))
        full_us = _timed(shown, lambda picture: _full(picture, places))
        sizes = _bytes(changed_bytes)
        rows.append((f"{what}: only changed rows", *sizes, f"{median(changed_us):.0f}"))
        rows.append((f"{what}: all rows, own packer", plain, plain, f"{median(full_us):.0f}"))
        rows.append((f"{what}: luma's display()", plain, plain, f"{median(_luma(shown)):.0f}"))
    print(table(("update of 24 blocks", "bytes, median", "most", "µs of CPU, median"), rows))


def _bytes(sent: list[int]) -> tuple[str, str]:
    return f"{median(sent):.0f}", str(max(sent))


async def _shown(matrix: Matrix, wire: Wire, shown: list[Picture]) -> tuple[list[int], list[float]]:
    """The driver's own path, its thread included: time of the whole process."""
    await matrix.show(shown[0])
    sizes: list[int] = []
    times: list[float] = []
    for picture in shown[1:]:
        before, started = wire.bytes, time.process_time_ns()
        await matrix.show(picture)
        times.append((time.process_time_ns() - started) / 1000)
        sizes.append(wire.bytes - before)
    await matrix.close(blank=True)
    return sizes, times


def _timed(shown: list[Picture], draw: Callable[[Picture], None]) -> list[float]:
    times = []
    for picture in shown[1:]:
        started = time.process_time_ns()
        draw(picture)
        times.append((time.process_time_ns() - started) / 1000)
    return times


def _full(picture: Picture, places: tuple[tuple[int, int, bool], ...]) -> None:
    wire = Wire()
    for nth, digits in enumerate(pack(picture, places, -90), 1):
        wire.data([byte for value in digits for byte in (nth, value)])


def _luma(shown: list[Picture]) -> list[float]:
    with warnings.catch_warnings():
        # luma.led_matrix 1.9.0 (February 2026) still calls Image.getdata, which Pillow 14 removes.
        warnings.filterwarnings("ignore", "Image.Image.getdata", DeprecationWarning)
        device = max7219(Wire(), width=WIDTH, height=HEIGHT, block_orientation=-90)
        device.persist = True
        images = {picture: _image(picture) for picture in shown}
        return _timed(shown, lambda picture: device.display(images[picture]))


def _image(picture: Picture) -> Image.Image:
    image = Image.new("1", (picture.width, picture.height))
    for y in range(picture.height):
        for x in range(picture.width):
            image.putpixel((x, y), int(picture.lit(x, y)))
    return image


if __name__ == "__main__":
    main()
