"""The registers of the chips: start, refresh, noise, light and current, stop and a cut wire."""

import asyncio
from collections.abc import Callable

import pytest

from drivers.blocks import current_ma
from drivers.errors import DeviceLost, WiringError
from drivers.fakes import Chip, FakeChain, Recorder
from drivers.matrix import Matrix
from drivers.ports import Picture
from tests.drivers.chains import a_picture, plain_places, show

DIGITS = range(1, 9)


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
