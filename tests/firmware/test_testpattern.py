"""The picture by which one finds the order of a board's blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.blocks import BLOCK_PX
from drivers.ports import Picture
from firmware.board.testpattern import numbered
from tests.firmware.test_render import check

BLOCKS = st.integers(1, 4)


@pytest.mark.parametrize(("width", "height"), [(64, 16), (32, 8)])
def test_the_pattern_looks_as_it_was_approved(width: int, height: int) -> None:
    check(f"pattern_{width}x{height}", numbered(width, height))


def blocks(picture: Picture) -> list[frozenset[tuple[int, int]]]:
    return [
        frozenset(
            (x, y)
            for x in range(BLOCK_PX)
            for y in range(BLOCK_PX)
            if picture.lit(left + x, top + y)
        )
        for top in range(0, picture.height, BLOCK_PX)
        for left in range(0, picture.width, BLOCK_PX)
    ]


@given(columns=st.integers(1, 16), rows=BLOCKS)
def test_every_block_has_its_corner_and_a_number_of_its_own(columns: int, rows: int) -> None:
    found = blocks(numbered(columns * BLOCK_PX, rows * BLOCK_PX))
    assert all((0, 0) in block for block in found)
    numbers = {frozenset((x, y) for x, y in block if 2 <= y < BLOCK_PX - 1) for block in found}
    assert len(numbers) == len(found)
