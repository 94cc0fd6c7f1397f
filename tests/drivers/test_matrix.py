"""Bytes on the wire, compared with luma's own and with what a chain of chips would show."""

import asyncio
import random
import sys
import threading
import types
import warnings
from collections.abc import Callable, Sequence

import pytest
from luma.led_matrix.device import max7219
from PIL import Image

from drivers.blocks import BlockOrder, current_ma
from drivers.errors import DeviceLost, DeviceMissing, WiringError
from drivers.fakes import Chip, FakeChain, Recorder
from drivers.joined import Joined, Part
from drivers.matrix import Matrix, SerialInterface, open_spi, pack
from drivers.ports import Display, Picture

DIGITS = range(1, 9)


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


def test_all_digits_are_dark_before_the_chips_wake() -> None:
    recorder = Recorder()
    show(recorder, Picture.blank(16, 8), contrast=9)
    woken = recorder.sent.index(bytes([0x0C, 1] * 2))
    before = recorder.sent[:woken]
    for digit in DIGITS:
        assert bytes([digit, 0] * 2) in before
    assert bytes([0x0A, 9] * 2) in before
    assert not any(sent[0] == 0x0C for sent in before)


def test_nothing_flashes_from_power_on_to_the_first_picture() -> None:
    seen: list[int] = []
    chain = FakeChain(plain_places(4, 1, -90), lambda chain: seen.append(chain.brightness()))
    matrix = Matrix(chain, width=32, height=8, contrast=3)
    asyncio.run(matrix.show(Picture.blank(32, 8)))
    assert set(seen) == {-1}
    asyncio.run(matrix.show(a_picture(32, 8)))
    assert set(seen) == {-1, 3}


def test_refresh_changes_nothing_that_one_could_see() -> None:
    seen: set[tuple[Picture, int]] = set()
    chain = FakeChain(
        plain_places(8, 2, -90), lambda chain: seen.add((chain.picture(), chain.brightness()))
    )
    picture = a_picture(64, 16)
    matrix = show(chain, picture, contrast=5)
    seen.clear()
    asyncio.run(matrix.refresh())
    assert seen == {(picture, 5)}


def test_refresh_sends_every_register_and_only_right_values() -> None:
    recorder = Recorder()
    picture = a_picture(16, 8)
    matrix = show(recorder, picture, contrast=5, orientation=90)
    recorder.sent.clear()
    asyncio.run(matrix.refresh())
    sent = {transfer[0]: transfer for transfer in recorder.sent}
    assert len(sent) == len(recorder.sent) == 13
    controls = {0x09: 0, 0x0A: 5, 0x0B: 7, 0x0C: 1, 0x0F: 0}
    for register, value in controls.items():
        assert sent[register] == bytes([register, value] * 2)
    for digit, row in zip(DIGITS, picture.rows, strict=True):
        assert sent[digit] == bytes([digit, row & 0xFF, digit, row >> 8])


def spoil_test(chain: FakeChain) -> None:
    chain.chips[2].test = True


def spoil_sleep(chain: FakeChain) -> None:
    chain.chips[0].awake = False


def spoil_intensity(chain: FakeChain) -> None:
    chain.chips[3].intensity = 15


def spoil_scan_limit(chain: FakeChain) -> None:
    chain.chips[1].scan_limit = 2


def spoil_decode(chain: FakeChain) -> None:
    chain.chips[1].decode = 0xFF


def spoil_digits(chain: FakeChain) -> None:
    chain.chips[3].digits = [0x55] * 8
    chain.chips[3].awake = False


@pytest.mark.parametrize(
    "spoil",
    [spoil_test, spoil_sleep, spoil_intensity, spoil_scan_limit, spoil_decode, spoil_digits],
)
def test_refresh_heals_what_noise_has_changed(spoil: Callable[[FakeChain], None]) -> None:
    chain = FakeChain(plain_places(4, 1, -90))
    picture = a_picture(32, 8)
    matrix = show(chain, picture, contrast=6)
    spoil(chain)
    assert (chain.picture(), chain.brightness()) != (picture, 6)
    asyncio.run(matrix.refresh())
    assert (chain.picture(), chain.brightness()) == (picture, 6)
    assert all(chip.intensity == 6 and chip.awake for chip in chain.chips)


def test_a_sleeping_chip_wakes_with_the_right_picture() -> None:
    garbage = 0x55
    seen: list[bool] = []

    def watch(chain: FakeChain) -> None:
        chip = chain.chips[3]
        seen.append(chip.awake and garbage in chip.digits)

    chain = FakeChain(plain_places(4, 1, 90), watch)
    matrix = show(chain, Picture.blank(32, 8), orientation=90)
    spoil_digits(chain)
    asyncio.run(matrix.refresh())
    assert not any(seen)


def test_contrast_is_set_and_kept() -> None:
    chain = FakeChain(plain_places(1, 1, -90))
    matrix = show(chain, a_picture(8, 8), contrast=0)
    asyncio.run(matrix.dim(15))
    assert chain.chips[0].intensity == 15
    asyncio.run(matrix.refresh())
    assert chain.chips[0].intensity == 15
    with pytest.raises(WiringError, match="contrast 16"):
        asyncio.run(matrix.dim(16))


@pytest.mark.parametrize("blank", [True, False])
def test_it_is_left_dark_or_with_the_picture_standing(blank: bool) -> None:
    chain = FakeChain(plain_places(4, 1, -90))
    picture = a_picture(32, 8)
    matrix = show(chain, picture)
    asyncio.run(matrix.close(blank=blank))
    asyncio.run(matrix.close(blank=not blank))
    assert chain.closed
    assert chain.picture() == (Picture.blank(32, 8) if blank else picture)
    assert all(chip.awake is not blank for chip in chain.chips)


def test_a_wire_that_breaks_is_lost_and_one_that_heals_gets_the_whole_picture() -> None:
    chain = FakeChain(plain_places(4, 1, -90))
    matrix = show(chain, a_picture(32, 8, seed=1))
    chain.fail = True
    with pytest.raises(DeviceLost, match="LED matrix"):
        asyncio.run(matrix.show(a_picture(32, 8, seed=2)))
    chain.fail = False
    chain.chips[0].digits = [0] * 8
    asyncio.run(matrix.show(a_picture(32, 8, seed=1)))
    assert chain.picture() == a_picture(32, 8, seed=1)
    chain.fail = True
    with pytest.raises(DeviceLost):
        show(chain, a_picture(32, 8))


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


def test_a_chain_that_was_unplugged_comes_back_with_one_refresh() -> None:
    chain = FakeChain(plain_places(12, 2, -90))
    picture = a_picture(96, 16)
    matrix = show(chain, picture, contrast=7)
    chain.chips[:] = [Chip() for _ in chain.chips]
    assert chain.picture() == Picture.blank(96, 16)
    asyncio.run(matrix.refresh())
    assert (chain.picture(), chain.brightness()) == (picture, 7)


def test_what_a_long_chain_is_sent_is_never_brighter_than_set() -> None:
    """A match of pictures, refreshes and dimming on 24 blocks: asks 87, 88, 90 and 92."""
    recorder, level = Recorder(), 6
    matrix = Matrix(recorder, width=96, height=16, contrast=level)

    async def play() -> None:
        for seed in range(50):
            await matrix.show(a_picture(96, 16, seed))
            await matrix.refresh()
        await matrix.dim(2)
        await matrix.refresh()
        await matrix.close(blank=False)

    asyncio.run(play())
    intensities = [sent[1] for sent in recorder.sent if sent[0] == 0x0A]
    assert max(intensities) == level
    assert intensities[-1] == 2
    assert all(len(sent) == 48 and len(set(sent[::2])) == 1 for sent in recorder.sent)
    dark_at_first = recorder.sent[: recorder.sent.index(bytes([0x0C, 1] * 24))]
    assert all(set(sent[1::2]) == {0} for sent in dark_at_first if 1 <= sent[0] <= 8)


@pytest.mark.parametrize("limit_ma", [400, 800, 1500])
def test_a_board_dims_rather_than_draw_more_than_its_supply_gives(limit_ma: int) -> None:
    drawn: list[float] = []

    def watch(chain: FakeChain) -> None:
        lit = sum(row.bit_count() for row in chain.picture().rows)
        level = max(chip.intensity for chip in chain.chips)
        drawn.append(current_ma(lit, 16, level))

    chain = FakeChain(plain_places(8, 2, -90), watch)
    matrix = Matrix(chain, width=64, height=16, contrast=15, limit_ma=limit_ma)
    full = Picture(64, 16, ((1 << 64) - 1,) * 16)
    few = Picture(64, 16, (1, *(0,) * 15))
    asyncio.run(matrix.show(few))
    assert chain.brightness() == 15
    asyncio.run(matrix.show(full))
    asyncio.run(matrix.refresh())
    assert 0 <= chain.brightness() < 15
    assert max(drawn) <= limit_ma or chain.brightness() == 0
    asyncio.run(matrix.show(few))
    assert chain.brightness() == 15


def test_a_whole_board_at_its_brightest() -> None:
    """330 mA a chip with all lit, as the data sheet says of its supply current."""
    assert 150 < current_ma(64, 1, 7) < 170
    assert 310 < current_ma(64, 1, 15) < 330


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


def a_spidev(error: Exception | None) -> types.ModuleType:
    """The part of spidev that luma uses; opening raises `error`."""
    module = types.ModuleType("spidev")

    class SpiDev:
        max_speed_hz = 0
        opened: tuple[int, int] | None = None

        def open(self, port: int, device: int) -> None:
            if error:
                raise error
            self.opened = (port, device)

        def writebytes(self, data: list[int]) -> None:
            self.written = bytes(data)

        def close(self) -> None:
            self.opened = None

    module.__dict__["SpiDev"] = SpiDev
    return module


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "no"), r"no /dev/spidev1\.0: switch on SPI .*raspi-config"),
        (PermissionError(13, "no"), r"permission for /dev/spidev1\.0: .*usermod -aG spi"),
        (OSError(5, "input/output"), r"/dev/spidev1\.0 cannot be opened: .*input/output"),
    ],
)
def test_a_wire_that_cannot_be_opened_is_named_with_its_mend(
    monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", a_spidev(error))
    with pytest.raises(DeviceMissing, match=words):
        open_spi(port=1)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceMissing, match="sudo apt install python3-spidev"):
        open_spi()


def test_the_speed_is_set_and_an_odd_one_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", a_spidev(None))
    interface = open_spi(device=1, speed_hz=2_000_000)
    wire = interface._spi  # type: ignore[attr-defined] # luma's
    assert (wire.opened, wire.max_speed_hz) == ((0, 1), 2_000_000)
    interface.data([1, 2])
    assert wire.written == b"\x01\x02"
    with pytest.raises(WiringError, match="10000000"):
        open_spi(speed_hz=10_000_000)
