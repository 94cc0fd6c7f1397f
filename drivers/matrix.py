"""Chains of MAX7219 LED blocks on SPI, by way of luma.led_matrix.

luma brings the wire, the register numbers and the start-up sequence. Its picture path is not
used: it sends every row every time, takes milliseconds for some arrangements, changes the
caller's image for others, and calls a Pillow function that Pillow 14 removes.

A chain is a shift register: the words of one transfer move through all its chips, so the first
word sent ends in the chip farthest from the Pi. Register `DIGIT_0 + n` of a chip lights one
line of eight pixels of its block; which line of the picture that is depends on how the block
is mounted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import noop, spi
from luma.led_matrix.const import max7219 as reg
from luma.led_matrix.device import max7219

from drivers.errors import DeviceLost, DeviceMissing, WiringError
from drivers.ports import Picture

BLOCK_PX = 8
"""Edge of a block in pixels, and the number of digit registers of a chip."""

ORIENTATIONS = (0, 90, 180, -90)
"""Degrees by which luma turns each block's picture anticlockwise to fit how it is mounted.
-90 is right for the usual boards of four blocks with their input at the right."""

SPEEDS_HZ = (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)
"""What luma can ask of SPI and the chip (10 MHz) can follow."""


class SerialInterface(Protocol):
    """What luma calls a serial interface, as far as this chip needs one."""

    def data(self, data: Sequence[int]) -> None:
        """Send bytes in one transfer; the chips take their words at its end."""

    def command(self, *cmd: int) -> None:
        """Send bytes that other chips would take for commands."""

    def cleanup(self) -> None:
        """Close the device."""


@dataclass(frozen=True, slots=True)
class BlockOrder:
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

    def places(self, columns: int, rows: int) -> tuple[tuple[int, int, bool], ...]:
        """Column, row and whether turned, of each block, in the order of the chain."""
        places = []
        for nth in range(rows):
            second = nth % 2 == 1
            row = rows - 1 - nth if self.from_bottom else nth
            leftwards = self.from_right ^ (self.serpentine and second)
            order = range(columns - 1, -1, -1) if leftwards else range(columns)
            places += [(column, row, self.turned and second) for column in order]
        return tuple(places)


def open_spi(*, port: int = 0, device: int = 0, speed_hz: int = 1_000_000) -> SerialInterface:
    """Open /dev/spidev<port>.<device>.

    Args:
        port: the SPI bus.
        device: the chip select line of that bus.
        speed_hz: 8 MHz does on a bench, 1 MHz on a metre of flat cable. At 1 MHz a full picture
            takes 128 µs for each block.

    Raises:
        WiringError: the speed is none of `SPEEDS_HZ`.
        DeviceMissing: names what is missing and how to mend it.
    """
    if speed_hz not in SPEEDS_HZ:
        speeds = ", ".join(str(speed) for speed in SPEEDS_HZ)
        raise WiringError(f"speed_hz {speed_hz} is not possible; choose from {speeds}")
    name = f"/dev/spidev{port}.{device}"
    try:
        # noop: without it luma claims pins for a reset line that these chips do not have.
        interface: SerialInterface = spi(
            port=port, device=device, bus_speed_hz=speed_hz, gpio=noop()
        )
    except ImportError as error:
        raise DeviceMissing(
            "the Python package spidev is missing: sudo apt install python3-spidev"
        ) from error
    except (DeviceNotFoundError, FileNotFoundError) as error:
        raise DeviceMissing(
            f"no {name}: switch on SPI (sudo raspi-config nonint do_spi 0) and start again"
        ) from error
    except PermissionError as error:
        raise DeviceMissing(
            f"no permission for {name}: join its group (sudo usermod -aG spi $USER), "
            "then log in again"
        ) from error
    except OSError as error:
        raise DeviceMissing(f"{name} cannot be opened: {error}") from error
    return interface


class Matrix:
    """A display of MAX7219 blocks.

    Args:
        interface: from `open_spi`, or a fake.
        width: pixels, a multiple of 8.
        height: pixels, a multiple of 8.
        orientation: how the blocks are mounted, see `ORIENTATIONS`.
        order: the way of the chain through the blocks.
        contrast: 0 (dim, not dark) to 15.

    Raises:
        WiringError: a size, orientation or contrast is not possible; names it.
        DeviceLost: the wire broke at once.
    """

    def __init__(
        self,
        interface: SerialInterface,
        *,
        width: int,
        height: int,
        orientation: int = -90,
        order: BlockOrder | None = None,
        contrast: int = 4,
    ) -> None:
        for name, size in (("width", width), ("height", height)):
            if size <= 0 or size % BLOCK_PX:
                raise WiringError(f"{name} {size} is not a multiple of {BLOCK_PX} pixels")
        if orientation not in ORIENTATIONS:
            raise WiringError(f"orientation {orientation} is not one of {ORIENTATIONS}")
        self._width, self._height, self._contrast = width, height, _checked(contrast)
        self._orientation = orientation
        self._interface = interface
        places = (order or BlockOrder()).places(width // BLOCK_PX, height // BLOCK_PX)
        # Farthest first, as they are sent.
        self._places = places[::-1]
        self._digits = _no_digits(len(places))
        self._known = False
        """Whether the chips hold `_digits` for all we know."""
        self._closed = False
        try:
            self._chain = _Chain(interface, width, height, contrast << 4)
        except OSError as error:
            raise DeviceLost(f"LED matrix: {error}") from error
        self._known = True

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self._width

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self._height

    async def show(self, picture: Picture) -> None:
        """Show this picture; only what differs from the last one goes over the wire."""
        if (picture.width, picture.height) != (self._width, self._height):
            raise WiringError(
                f"a picture of {picture.width}x{picture.height} pixels "
                f"does not fit {self._width}x{self._height}"
            )
        self._write(pack(picture, self._places, self._orientation), all_digits=not self._known)

    async def refresh(self) -> None:
        """Write all registers anew, as noise on the wire changes them now and then.

        Chips that are as they should be show no change. One that was asleep, in test or in
        decode mode comes back with the right picture and never brighter than set: it is woken
        last, when all else is right.
        """
        self._registers((reg.DISPLAYTEST, 0), (reg.SCANLIMIT, BLOCK_PX - 1), (reg.DECODEMODE, 0))
        self._registers((reg.INTENSITY, self._contrast))
        self._write(self._digits, all_digits=True)
        self._registers((reg.SHUTDOWN, 1))

    async def dim(self, contrast: int) -> None:
        """Set the brightness, 0 to 15, from now on.

        Raises:
            WiringError: it is none of these.
            DeviceLost: the display is gone.
        """
        self._contrast = _checked(contrast)
        self._registers((reg.INTENSITY, contrast))

    async def close(self, *, blank: bool) -> None:
        """Let go of the wire, dark or with the last picture standing."""
        if self._closed:
            return
        self._closed = True
        try:
            if blank:
                self._registers((reg.SHUTDOWN, 0))
                self._write(_no_digits(len(self._places)), all_digits=True)
        finally:
            self._interface.cleanup()

    def _registers(self, *values: tuple[int, int]) -> None:
        """Set registers to the same value in all chips."""
        for register, value in values:
            self._send([register, value] * len(self._places))

    def _write(self, digits: "Digits", *, all_digits: bool) -> None:
        self._known = False
        for nth, (old, new) in enumerate(zip(self._digits, digits, strict=True)):
            if all_digits or old != new:
                self._send([byte for value in new for byte in (reg.DIGIT_0 + nth, value)])
        self._digits, self._known = digits, True

    def _send(self, words: list[int]) -> None:
        try:
            self._chain.data(words)
        except OSError as error:
            raise DeviceLost(f"LED matrix: {error}") from error


Digits = tuple[tuple[int, ...], ...]
"""For each digit register the bytes of all chips, farthest chip first."""


def pack(picture: Picture, places: Sequence[tuple[int, int, bool]], orientation: int) -> Digits:
    """What the digit registers of a chain must hold to show a picture.

    Args:
        picture: as wide and high as the blocks together.
        places: column, row and whether turned, of each block, farthest from the Pi first.
        orientation: one of `ORIENTATIONS`.
    """
    blocks = [
        _mounted(_block(picture, column, row), orientation + (180 if turned else 0))
        for column, row, turned in places
    ]
    return tuple(zip(*blocks, strict=True))


def _block(picture: Picture, column: int, row: int) -> list[int]:
    """The eight rows of one block, the leftmost pixel as the highest bit."""
    shift = picture.width - BLOCK_PX * (column + 1)
    top = BLOCK_PX * row
    return [value >> shift & 0xFF for value in picture.rows[top : top + BLOCK_PX]]


def _mounted(rows: list[int], orientation: int) -> list[int]:
    """The digit registers of a chip whose block is mounted like this.

    With the block on its side a register is a row of the picture as it stands (90), or from the
    other end (-90). Upright (0) it is a column, its topmost pixel as the lowest bit.
    """
    match orientation % 360:
        case 90:
            return rows
        case 270:
            return [_REVERSED[row] for row in rows[::-1]]
        case 180:
            return [_REVERSED[column] for column in _columns(rows)[::-1]]
        case _:
            return _columns(rows)


def _columns(rows: list[int]) -> list[int]:
    """The columns from left to right, the topmost pixel as the lowest bit."""
    return [
        sum((row >> (BLOCK_PX - 1 - x) & 1) << y for y, row in enumerate(rows))
        for x in range(BLOCK_PX)
    ]


_REVERSED = [int(f"{byte:08b}"[::-1], 2) for byte in range(256)]
"""Each byte with its bits in the other order."""


def _no_digits(blocks: int) -> Digits:
    return ((0,) * blocks,) * BLOCK_PX


def _checked(contrast: int) -> int:
    if not 0 <= contrast <= 15:
        raise WiringError(f"contrast {contrast} is not from 0 to 15")
    return contrast


class _Chain(max7219):  # type: ignore[misc] # luma has no types
    """luma's device, which sets the registers at the start: all dark before it leaves shutdown."""

    def __init__(self, interface: SerialInterface, width: int, height: int, contrast: int) -> None:
        # Bound first, as luma's constructor already clears the display.
        self._blank = [[reg.DIGIT_0 + nth, 0] * (width * height // 64) for nth in range(BLOCK_PX)]
        super().__init__(interface, width=width, height=height, contrast=contrast)
        # What stands at the end is decided by `Matrix.close`, not by luma's exit hook.
        self.persist = True

    def clear(self) -> None:
        """Darken all digits without luma's picture path."""
        for words in self._blank:
            self.data(words)

    def display(self, image: Any) -> None:
        """Refuse: pictures go through `Matrix`."""
        raise NotImplementedError("pictures go through Matrix.show")
