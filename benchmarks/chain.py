"""What an update of a chain of 24 blocks costs: only changed rows, beside a plain full redraw.

`python -m benchmarks.chain`. A register of the chips
is a row of every row of blocks: two rows of blocks change together.
"""

import asyncio
import time
import warnings
from collections.abc import Awaitable, Callable
from statistics import median

from luma.led_matrix.const import max7219 as reg
from luma.led_matrix.device import max7219
from msgspec.structs import replace
from PIL import Image

from benchmarks.figures import table
from benchmarks.render import _views
from benchmarks.wire import Wire
from drivers.blocks import BlockOrder
from drivers.fakes import Recorder
from drivers.matrix import Matrix, pack
from drivers.ports import Picture
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.i18n import load_language
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
    print()
    print(table(("what is sent", "transfers", "bytes", "intensity at most"), recorded()))


CONTRAST = 6
"""As bright as the recorded chain is set."""


def recorded() -> list[tuple[str, ...]]:
    """What goes over the wire from power on to the end, stage by stage.

    Raises:
        AssertionError: an intensity above the one set, or chips awake before they were dark.
    """
    recorder = Recorder()
    matrix = Matrix(recorder, width=WIDTH, height=HEIGHT, contrast=CONTRAST)
    first, second = pictures()["a point more"][:2]
    stages: list[tuple[str, ...]] = []

    async def stage(name: str, doing: Awaitable[None]) -> None:
        before = len(recorder.sent)
        await doing
        sent = recorder.sent[before:]
        levels = _values(sent, reg.INTENSITY)
        assert max(levels, default=0) <= CONTRAST, f"{name}: brighter than set"
        most = str(max(levels)) if levels else "none sent"
        stages.append((name, str(len(sent)), str(sum(map(len, sent))), most))

    async def whole() -> None:
        await stage("start and first picture", matrix.show(first))
        await stage("the next picture", matrix.show(second))
        await stage("the same again", matrix.show(second))
        await stage("all registers anew", matrix.refresh())
        await stage("dark, and closed", matrix.close(blank=True))

    asyncio.run(whole())
    wakes = next(
        nth for nth, sent in enumerate(recorder.sent) if sent[0] == reg.SHUTDOWN and sent[1]
    )
    dark = {sent[0] for sent in recorder.sent[:wakes] if not any(sent[1::2])}
    assert dark >= set(range(reg.DIGIT_0, reg.DIGIT_0 + 8)), "awake before all was dark"
    return stages


def _values(sent: list[bytes], register: int) -> list[int]:
    """The values that a register of any chip was sent."""
    words = [pair for one in sent for pair in zip(one[::2], one[1::2], strict=True)]
    return [value for name, value in words if name == register]


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
