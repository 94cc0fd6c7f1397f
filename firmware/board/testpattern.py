"""A picture by which a volunteer finds the order of a board's blocks in a minute."""

from drivers.ports import Picture
from firmware.board.fonts import load_font

BLOCK_PX = 8
FONT = "small"


def numbered(width: int, height: int) -> Picture:
    """Every block with its number, counted from the top left in reading order.

    A pixel in the upper left corner of each block shows how it is turned, and the outermost
    corners of the board are marked by a second one: both stand where they should when the order
    and orientation in the configuration are right.
    """
    font = load_font(FONT)
    rows = [0] * height

    def light(x: int, y: int) -> None:
        rows[y] |= 1 << (width - 1 - x)

    columns = width // BLOCK_PX
    for number in range(columns * (height // BLOCK_PX)):
        left, top = number % columns * BLOCK_PX, number // columns * BLOCK_PX
        light(left, top)
        strip = font.draw(str(number + 1))
        for y, row in enumerate(strip.rows[: BLOCK_PX - 2]):
            for x in range(strip.width):
                if row >> (strip.width - 1 - x) & 1 and x + 1 < BLOCK_PX:
                    light(left + x + max(1, BLOCK_PX - 1 - strip.width), top + y + 2)
    for x in (1, width - 2):
        light(x, 0)
        light(x, height - 1)
    return Picture(width, height, tuple(rows))
