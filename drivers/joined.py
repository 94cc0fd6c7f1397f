"""Several displays that hang side by side, or one above the other, and show one picture."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from drivers.errors import WiringError
from drivers.phrases import Phrase
from drivers.ports import Display, Picture


class Part(NamedTuple):
    """A display and where it hangs: pixels of the whole from the top left."""

    display: Display
    x: int
    y: int


class Joined:
    """One display made of several, each on a wire of its own.

    Raises:
        WiringError: the parts reach over the whole, overlap or leave a gap; names the place.
    """

    def __init__(self, parts: Sequence[Part], *, width: int, height: int) -> None:
        self._parts, self._width, self._height = tuple(parts), width, height
        boxes = [(x, y, display.width, display.height) for display, x, y in parts]
        check_cover(boxes, width=width, height=height)

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self._width

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self._height

    async def show(self, picture: Picture) -> None:
        """Show each part of the picture on its display, at the same time.

        Raises:
            WiringError: the picture is of another size.
            DeviceLost: one of the displays is gone.
        """
        picture.check_size(self._width, self._height)
        await asyncio.gather(*(part.display.show(_cut_out(picture, part)) for part in self._parts))

    async def refresh(self) -> None:
        """Write all registers of all displays anew.

        Raises:
            DeviceLost: one of the displays is gone.
        """
        await asyncio.gather(*(part.display.refresh() for part in self._parts))

    async def dim(self, contrast: int) -> None:
        """Set the brightness of all of them.

        Raises:
            DeviceLost: one of the displays is gone.
        """
        await asyncio.gather(*(part.display.dim(contrast) for part in self._parts))

    async def close(self, *, blank: bool) -> None:
        """Let go of all of them, even if one is gone.

        Raises:
            DeviceLost: one of the displays is gone.
        """
        closing = (part.display.close(blank=blank) for part in self._parts)
        for error in await asyncio.gather(*closing, return_exceptions=True):
            if error is not None:
                raise error


def _cut_out(picture: Picture, part: Part) -> Picture:
    display, left, top = part
    shift = picture.width - left - display.width
    mask = (1 << display.width) - 1
    rows = tuple(row >> shift & mask for row in picture.rows[top : top + display.height])
    return Picture(display.width, display.height, rows)


def check_cover(boxes: Sequence[tuple[int, int, int, int]], *, width: int, height: int) -> None:
    """See that rectangles (x, y, width, height in pixels) make up a board.

    Raises:
        WiringError: one reaches over it, two overlap or they leave a gap; names the place.
    """
    covered: set[tuple[int, int]] = set()
    for nth, (left, top, wide, high) in enumerate(boxes, 1):
        if left < 0 or top < 0 or left + wide > width or top + high > height:
            raise WiringError(
                Phrase(
                    "chain_over",
                    "chain {nth}: reaches over the board of {size} pixels",
                    nth=nth,
                    size=f"{width}x{height}",
                )
            )
        pixels = {(x, y) for x in range(left, left + wide) for y in range(top, top + high)}
        if covered & pixels:
            x, y = min(covered & pixels)
            raise WiringError(
                Phrase(
                    "chain_twice",
                    "chain {nth}: another one has the pixel {x}, {y} too",
                    nth=nth,
                    x=x,
                    y=y,
                )
            )
        covered |= pixels
    if len(covered) < width * height:
        raise WiringError(
            Phrase(
                "chains_leave",
                "the chains leave {n} pixels uncovered",
                n=width * height - len(covered),
            )
        )
