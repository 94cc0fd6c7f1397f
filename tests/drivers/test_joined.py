"""One picture on several chains."""

import asyncio

import pytest

from drivers.errors import DeviceLost, WiringError
from drivers.fakes import FakeChain, Recorder
from drivers.joined import Joined, Part
from drivers.matrix import Matrix, SerialInterface
from drivers.ports import Picture
from tests.drivers.chains import a_picture, plain_places


def halves(left: SerialInterface, right: SerialInterface) -> Joined:
    parts = [
        Part(Matrix(left, width=32, height=16), 0, 0),
        Part(Matrix(right, width=32, height=16), 32, 0),
    ]
    return Joined(parts, width=64, height=16)


def test_two_chains_show_one_picture() -> None:
    chains = [FakeChain(plain_places(4, 2, -90)) for _ in range(2)]
    board = halves(*chains)
    picture = a_picture(64, 16)
    asyncio.run(board.show(picture))
    left, right = (chain.picture().rows for chain in chains)
    assert tuple(a << 32 | b for a, b in zip(left, right, strict=True)) == picture.rows
    asyncio.run(board.dim(9))
    asyncio.run(board.refresh())
    assert [chain.brightness() for chain in chains] == [9, 9]
    asyncio.run(board.close(blank=True))
    assert all(chain.closed for chain in chains)
    with pytest.raises(WiringError, match="8x8"):
        asyncio.run(board.show(Picture.blank(8, 8)))


def test_a_chain_that_is_lost_does_not_keep_the_other_from_going_dark() -> None:
    chains = [FakeChain(plain_places(4, 2, -90)) for _ in range(2)]
    board = halves(*chains)
    asyncio.run(board.show(a_picture(64, 16)))
    chains[0].fail = True
    with pytest.raises(DeviceLost):
        asyncio.run(board.close(blank=True))
    assert chains[1].picture() == Picture.blank(32, 16)


@pytest.mark.parametrize(
    ("at", "words"),
    [((0, 0), "has the pixel 0, 0 too"), ((40, 0), "reaches over"), ((32, 8), "reaches over")],
)
def test_chains_that_do_not_make_a_board_are_named(at: tuple[int, int], words: str) -> None:
    parts = [
        Part(Matrix(Recorder(), width=32, height=16), 0, 0),
        Part(Matrix(Recorder(), width=32, height=16), *at),
    ]
    with pytest.raises(WiringError, match=words):
        Joined(parts, width=64, height=16)
    with pytest.raises(WiringError, match="512 pixels uncovered"):
        Joined(parts[:1], width=64, height=16)
