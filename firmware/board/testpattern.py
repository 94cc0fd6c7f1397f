"""A picture by which a volunteer finds the order of a board's blocks in a minute."""

from collections.abc import Iterator

from drivers.blocks import BLOCK_PX
from drivers.ports import Picture
from firmware.board.fonts import load_font

FONT = "small"


def numbered(width: int, height: int) -> Picture:
    """Every block with its number, counted from the top left in reading order.

    A pixel in the upper left corner of each block shows how it is turned, and the outermost
    corners of the board are marked by a second one: both stand where they should when the order
    and orientation in the configuration are right.
    """
    rows = [0] * height

    def light(x: int, y: int) -> None:
        rows[y] |= 1 << (width - 1 - x)

    columns = width // BLOCK_PX
    for place in range(columns * (height // BLOCK_PX)):
        left, top = place % columns * BLOCK_PX, place // columns * BLOCK_PX
        light(left, top)
        for x, y in _number(place + 1):
            light(left + x, top + y)
    for x in (1, width - 2):
        light(x, 0)
        light(x, height - 1)
    return Picture(width, height, tuple(rows))


def _number(number: int) -> Iterator[tuple[int, int]]:
    """The lit pixels of a number in its block, at the right under the corner."""
    strip = load_font(FONT).draw(str(number))
    left = max(1, BLOCK_PX - 1 - strip.width)
    for y, row in enumerate(strip.rows[: BLOCK_PX - 2]):
        for x in range(min(strip.width, BLOCK_PX - 1)):
            if row >> (strip.width - 1 - x) & 1:
                yield left + x, y + 2
