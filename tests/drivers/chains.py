"""Chains of chips for tests: a picture, a matrix that shows it, and what luma would send."""

import asyncio
import random
import warnings

from luma.led_matrix.device import max7219
from PIL import Image

from drivers.fakes import Recorder
from drivers.matrix import Matrix, SerialInterface
from drivers.ports import Picture


def a_picture(width: int, height: int, seed: int = 1) -> Picture:
    rng = random.Random(seed)
    return Picture(width, height, tuple(rng.getrandbits(width) for _ in range(height)))


def plain_places(columns: int, rows: int, turn: int) -> list[tuple[int, int, int]]:
    return [(column, row, turn) for row in range(rows) for column in range(columns)]


def show(interface: SerialInterface, picture: Picture, **how: object) -> Matrix:
    matrix = Matrix(interface, width=picture.width, height=picture.height, **how)  # type: ignore[arg-type] # by name
    asyncio.run(matrix.show(picture))
    return matrix


def lumas_bytes(picture: Picture, orientation: int) -> list[bytes]:
    """What luma's own display() sends for a picture."""
    image = Image.new("1", (picture.width, picture.height))
    for y in range(picture.height):
        for x in range(picture.width):
            image.putpixel((x, y), int(picture.lit(x, y)))
    recorder = Recorder()
    with warnings.catch_warnings():
        # luma.led_matrix 1.9.0 (February 2026) still calls Image.getdata, which Pillow 14
        # (October 2027) removes.
        warnings.filterwarnings("ignore", "Image.Image.getdata", DeprecationWarning)
        device = max7219(
            recorder, width=picture.width, height=picture.height, block_orientation=orientation
        )
        recorder.sent.clear()
        device.display(image)
    device.persist = True
    return recorder.sent
