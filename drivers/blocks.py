"""Blocks of 8 x 8 LEDs: how a chain runs through them, and what they draw; pure."""

import re

from msgspec import Struct

from drivers.errors import WiringError
from drivers.phrases import Phrase

BLOCK_PX = 8
"""Edge of a block in pixels, and the number of digit registers of a chip."""

PIXEL_MA = 5.0
"""What a lit pixel draws at full intensity, in milliamperes: a segment of 40 mA (the usual
resistor of 10 kΩ at RSET), lit for one of the eight digits at a time. MAX7219 data sheet,
"Selecting RSET Resistor" and "Typical Operating Circuit"."""

CHIP_MA = 8.0
"""What a chip draws with nothing lit. MAX7219 data sheet, "Electrical Characteristics"."""


def current_ma(lit: int, blocks: int, contrast: int) -> float:
    """What a board draws, in milliamperes: `lit` pixels on `blocks` blocks.

    Intensity is the share of time that a segment is lit, 1/32 to 31/32 in sixteen steps
    (MAX7219 data sheet, "Intensity Control and Interdigit Blanking").
    """
    return CHIP_MA * blocks + PIXEL_MA * lit * (2 * contrast + 1) / 32


def checked_contrast(contrast: int) -> int:
    """A contrast that the chips have.

    Raises:
        WiringError: it is not from 0 to 15.
    """
    if not 0 <= contrast <= 15:
        raise WiringError(Phrase("contrast", "contrast {n} is not from 0 to 15", n=contrast))
    return contrast


class BlockOrder(Struct, frozen=True):
    """The way of the chain through the blocks, seen from the front.

    As it stands: from left to right, then the next row of blocks below, left to right again.
    """

    from_right: bool = False
    """The first block of the chain is at the right."""

    from_bottom: bool = False
    """The first block of the chain is in the lowest row."""

    serpentine: bool = False
    """Every second row of blocks is run through the other way."""

    turned: bool = False
    """The blocks of every second row stand on their heads, as boards whose input is fixed at
    one end must if the chain is a serpentine."""

    read: str = ""
    """The numbers that stand on the blocks, read row by row from the top left, while the test
    pattern is shown in plain order: `8-1 9-16`. A star marks blocks that stand on their heads,
    as in `8-1* 9-16`. It goes before all of the above."""

    def places(self, columns: int, rows: int) -> tuple[tuple[int, int, bool], ...]:
        """Column, row and whether turned, of each block, in the order of the chain.

        Raises:
            WiringError: the numbers read are not those of all blocks.
        """
        if self.read:
            return places_read(self.read, columns, rows)
        places = []
        for nth in range(rows):
            second = nth % 2 == 1
            row = rows - 1 - nth if self.from_bottom else nth
            leftwards = self.from_right ^ (self.serpentine and second)
            order = range(columns - 1, -1, -1) if leftwards else range(columns)
            places += [(column, row, self.turned and second) for column in order]
        return tuple(places)


def places_read(read: str, columns: int, rows: int) -> tuple[tuple[int, int, bool], ...]:
    """Column, row and whether turned, of each block of a chain, from the numbers one reads.

    Args:
        read: the number on each block, row by row from the top left, as `8-1 9-16`; a star marks
            blocks that stand on their heads.
        columns: blocks from left to right.
        rows: blocks from top to bottom.

    Raises:
        WiringError: they are not the numbers of all blocks.
    """
    numbers: list[tuple[int, bool]] = []
    for part in read.split():
        match = re.fullmatch(r"(\d+)(?:-(\d+))?(\*?)", part)
        if match is None:
            raise WiringError(
                Phrase(
                    "blocks_part",
                    "blocks {part}: must be a number or a range, as 8-1, with * if turned",
                    part=part,
                )
            )
        first, last = int(match[1]), int(match[2] or match[1])
        step = 1 if last >= first else -1
        numbers += [(number, bool(match[3])) for number in range(first, last + step, step)]
    whole = columns * rows
    if sorted(number for number, _ in numbers) != list(range(1, whole + 1)):
        raise WiringError(
            Phrase(
                "blocks_numbers",
                "blocks {read}: must be the numbers 1 to {n}, each once",
                read=read,
                n=whole,
            )
        )
    places = [(0, 0, False)] * whole
    for nth, (number, turned) in enumerate(numbers):
        places[number - 1] = (nth % columns, nth // columns, turned)
    return tuple(places)
