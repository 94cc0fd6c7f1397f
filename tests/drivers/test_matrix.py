"""Bytes on the wire, compared with luma's own and with what a chain of chips would show."""

import asyncio
import random
import threading
from collections.abc import Sequence

import pytest

from drivers.blocks import BlockOrder
from drivers.errors import WiringError
from drivers.fakes import FakeChain, Recorder
from drivers.matrix import Matrix, pack
from drivers.ports import Display, Picture
from tests.drivers.chains import a_picture, lumas_bytes, plain_places, show


@pytest.mark.parametrize("orientation", [0, 90, 180, -90])
@pytest.mark.parametrize("size", [(8, 8), (32, 8), (64, 16), (24, 24)])
@pytest.mark.parametrize("seed", range(3))
def test_the_bytes_are_lumas_own(orientation: int, size: tuple[int, int], seed: int) -> None:
    picture = a_picture(*size, seed)
    places = BlockOrder().places(size[0] // 8, size[1] // 8)[::-1]
    digits = pack(picture, places, orientation)
    ours = [
        bytes(byte for value in row for byte in (nth, value))
        for nth, row in enumerate(digits, start=1)
    ]
    assert ours == lumas_bytes(picture, orientation)


@pytest.mark.parametrize("orientation", [0, 90, 180, -90])
def test_a_chain_shows_the_picture(orientation: int) -> None:
    picture = a_picture(64, 16)
    chain = FakeChain(plain_places(8, 2, orientation))
    show(chain, picture, orientation=orientation)
    assert chain.picture() == picture


ORDERS = [
    (BlockOrder(), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]),
    (BlockOrder(from_right=True), [(2, 0), (1, 0), (0, 0), (2, 1), (1, 1), (0, 1)]),
    (BlockOrder(from_bottom=True), [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0), (2, 0)]),
    (BlockOrder(serpentine=True), [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]),
    (
        BlockOrder(from_right=True, from_bottom=True, serpentine=True),
        [(2, 1), (1, 1), (0, 1), (0, 0), (1, 0), (2, 0)],
    ),
]


@pytest.mark.parametrize(("order", "way"), ORDERS)
def test_every_order_of_blocks_shows_the_picture(
    order: BlockOrder, way: list[tuple[int, int]]
) -> None:
    picture = a_picture(24, 16)
    chain = FakeChain([(column, row, -90) for column, row in way])
    show(chain, picture, order=order)
    assert chain.picture() == picture


def test_boards_that_stand_on_their_heads_show_the_picture() -> None:
    picture = a_picture(16, 16)
    chain = FakeChain([(0, 0, -90), (1, 0, -90), (1, 1, 90), (0, 1, 90)])
    show(chain, picture, order=BlockOrder(serpentine=True, turned=True))
    assert chain.picture() == picture


def test_only_changed_rows_go_over_the_wire() -> None:
    recorder = Recorder()
    picture = a_picture(32, 8)
    matrix = show(recorder, picture, orientation=90)
    recorder.sent.clear()
    asyncio.run(matrix.show(picture))
    assert recorder.sent == []
    rows = list(picture.rows)
    rows[3] ^= 1
    changed = Picture(32, 8, tuple(rows))
    asyncio.run(matrix.show(changed))
    assert [sent[0] for sent in recorder.sent] == [4]
    assert recorder.sent[0][1::2] == rows[3].to_bytes(4)[::-1]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"width": 30}, "width 30"),
        ({"height": 0}, "height 0"),
        ({"orientation": 45}, "orientation 45"),
        ({"contrast": 16}, "contrast 16"),
    ],
)
def test_what_the_chips_cannot_is_named(how: dict[str, int], words: str) -> None:
    with pytest.raises(WiringError, match=words):
        Matrix(Recorder(), **{"width": 32, "height": 8} | how)  # type: ignore[arg-type] # by name


def test_a_picture_of_another_size_is_refused() -> None:
    display: Display = Matrix(Recorder(), width=32, height=8)
    assert (display.width, display.height) == (32, 8)
    with pytest.raises(WiringError, match="16x8"):
        asyncio.run(display.show(Picture.blank(16, 8)))


class SlowWire(Recorder):
    """A wire on which every transfer waits until it is let through."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def data(self, data: Sequence[int]) -> None:
        assert threading.current_thread() is not threading.main_thread()
        assert self.go.wait(10)
        super().data(data)


def test_the_wire_never_blocks_the_loop_and_the_newest_picture_wins() -> None:
    async def play() -> list[int]:
        wire = SlowWire()
        matrix = Matrix(wire, width=32, height=8, orientation=90)
        pictures = [Picture(32, 8, (nth,) * 8) for nth in range(1, 40)]
        shows = [asyncio.create_task(matrix.show(picture)) for picture in pictures]
        for _ in range(100):
            await asyncio.sleep(0)  # the loop turns while the wire hangs
        assert wire.sent == []
        wire.go.set()
        await asyncio.gather(*shows)
        return [sent[1] for sent in wire.sent if sent[0] == 1]

    # Dark at the start, then the last picture alone.
    assert asyncio.run(play()) == [0, 39]


@pytest.mark.parametrize("seed", range(20))
def test_the_numbers_read_on_the_blocks_put_any_order_right(seed: int) -> None:
    """A volunteer copies what the plain pattern shows on each block, whatever the wiring."""
    rng = random.Random(seed)
    order = [(column, row) for row in range(2) for column in range(4)]
    rng.shuffle(order)
    on_heads = rng.random() < 0.5
    turn = 90 if on_heads else -90
    read = [order.index((column, row)) + 1 for row in range(2) for column in range(4)]
    text = " ".join(f"{number}{'*' if on_heads else ''}" for number in read)
    chain = FakeChain([(column, row, turn) for column, row in order])
    picture = a_picture(32, 16, seed)
    show(chain, picture, order=BlockOrder(read=text))
    assert chain.picture() == picture


@pytest.mark.parametrize(
    ("read", "order"),
    [
        ("1-8", BlockOrder()),
        ("4-1 8-5", BlockOrder(from_right=True)),
        ("5-8 1-4", BlockOrder(from_bottom=True)),
        ("1-4 8-5", BlockOrder(serpentine=True)),
        ("1-4 8-5*", BlockOrder(serpentine=True, turned=True)),
    ],
)
def test_the_named_orders_are_numbers_too(read: str, order: BlockOrder) -> None:
    assert BlockOrder(read=read).places(4, 2) == order.places(4, 2)


@pytest.mark.parametrize("read", ["1-7", "1-8 8", "0-7", "eight", "1--8", "1-9"])
def test_numbers_that_cannot_be_read_on_a_board_are_refused(read: str) -> None:
    with pytest.raises(WiringError, match="blocks"):
        BlockOrder(read=read).places(4, 2)
