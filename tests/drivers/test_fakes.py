"""The stand-ins keep the promises of the ports and of the chip's data sheet."""

import asyncio

import pytest

from drivers.errors import DeviceLost, WiringError
from drivers.fakes import Chip, FakeChain, KeptDisplay, Listener
from drivers.ports import Display, KeyListener, Picture


def test_they_are_what_they_stand_for() -> None:
    display: Display = KeptDisplay(32, 8)
    listener: KeyListener = Listener()
    assert (display.width, display.height) == (32, 8)
    listener.ignored("pad", "RED", "too_soon")


def test_words_move_through_the_chain() -> None:
    chain = FakeChain([(0, 0, 0), (1, 0, 0)])
    chain.data([0x0C, 1, 0x0C, 1])
    chain.data([1, 0xAA, 1, 0xBB])
    assert [chip.digits[0] for chip in chain.chips] == [0xBB, 0xAA]
    # One word more pushes the older one on; the first chip takes the new one.
    chain.data([2, 0xCC])
    assert [chip.digits[:2] for chip in chain.chips] == [[0xBB, 0xCC], [0xBB, 0xFF]]


def test_a_chip_is_dark_at_power_on_and_full_on_in_test() -> None:
    chip = Chip()
    assert chip.lit() == [0] * 8
    chip.take(0x0F, 1)
    assert chip.lit() == [0xFF] * 8
    chip.take(0x0F, 0)
    chip.take(0x0C, 1)
    assert chip.lit() == [0xFF] + [0] * 7, "scan limit 0 lights the first digit only"


def test_a_chip_in_decode_mode_shows_its_font() -> None:
    chip = Chip()
    for register, value in [(0x0B, 7), (0x0C, 1), (0x09, 0x01), (1, 0x88), (2, 0x08)]:
        chip.take(register, value)
    assert chip.lit()[:2] == [0xFF, 0x08], "an 8 with its point, and plain bits"


def test_a_no_op_changes_nothing() -> None:
    chip, other = Chip(), Chip()
    chip.take(0, 0x12)
    assert vars(chip) == vars(other)


def test_a_kept_display_can_be_lost() -> None:
    display = KeptDisplay(8, 8)
    asyncio.run(display.show(Picture.blank(8, 8)))
    with pytest.raises(WiringError):
        asyncio.run(display.show(Picture.blank(9, 8)))
    display.lost = True
    with pytest.raises(DeviceLost):
        asyncio.run(display.show(Picture.blank(8, 8)))
    with pytest.raises(DeviceLost):
        asyncio.run(display.refresh())
    assert len(display.pictures) == 1


def test_a_listener_gives_up_waiting() -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(Listener().until(1, timeout_s=0.01))
