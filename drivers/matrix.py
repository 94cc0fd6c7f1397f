"""Chains of MAX7219 LED blocks on SPI, by way of luma.led_matrix.

luma brings the wire, the register numbers and the start-up sequence. Its picture path is not
used: it sends every row every time, takes milliseconds for some arrangements, changes the
caller's image for others, and calls a Pillow function that Pillow 14 removes.

The chip is described in Maxim's data sheet of MAX7219 and MAX7221 (19-4452), whose headings are
named below. A chain is a shift register: the words of one transfer move through all its chips, so
the first word sent ends in the chip farthest from the Pi ("Serial-Addressing Modes"). Register
`DIGIT_0 + n` of a chip lights one line of eight pixels of its block, a bit a pixel where nothing is
decoded ("Decode-Mode Register"); which line of the picture that is depends on how the block is
mounted.

One thread of its own writes to a chain, so that the wire never keeps the event loop waiting.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import noop, spi
from luma.led_matrix.const import max7219 as reg
from luma.led_matrix.device import max7219

from drivers.blocks import BLOCK_PX, BlockOrder, checked_contrast, current_ma
from drivers.errors import DeviceLost, DeviceMissing, WiringError
from drivers.phrases import Phrase, no_package, not_opened
from drivers.ports import Picture

ORIENTATIONS = (0, 90, 180, -90)
"""Degrees by which luma turns each block's picture anticlockwise to fit how it is mounted.
-90 is right for the usual boards of four blocks with their input at the right."""

SPEEDS_HZ = (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)
"""What luma can ask of SPI and the chip can follow: a clock of 100 ns and more ("Timing
Characteristics")."""


class SerialInterface(Protocol):
    """What luma calls a serial interface, as far as this chip needs one."""

    def data(self, data: Sequence[int]) -> None:
        """Send bytes in one transfer; the chips take their words at its end."""

    def command(self, *cmd: int) -> None:
        """Send bytes that other chips would take for commands."""

    def cleanup(self) -> None:
        """Close the device."""


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
        raise WiringError(
            Phrase(
                "speed",
                "speed_hz {hz} is not possible; choose from {speeds}",
                hz=speed_hz,
                speeds=speeds,
            )
        )
    name = f"/dev/spidev{port}.{device}"
    try:
        # noop: without it luma claims pins for a reset line that these chips do not have.
        interface: SerialInterface = spi(
            port=port, device=device, bus_speed_hz=speed_hz, gpio=noop()
        )
    except ImportError as error:
        raise DeviceMissing(no_package("spidev")) from error
    except (DeviceNotFoundError, FileNotFoundError) as error:
        raise DeviceMissing(
            Phrase(
                "no_spi",
                "no {path}: switch on SPI (sudo raspi-config nonint do_spi 0) and start again",
                path=name,
            )
        ) from error
    except PermissionError as error:
        raise DeviceMissing(
            Phrase(
                "spi_shut",
                "no permission for {path}: join its group (sudo usermod -aG spi $USER), "
                "then log in again",
                path=name,
            )
        ) from error
    except OSError as error:
        raise DeviceMissing(not_opened(name, error)) from error
    return interface


class Matrix:
    """A display of MAX7219 blocks.

    The chips are set up with the first picture: all dark before they wake. Of pictures that
    come faster than the wire takes them the newest is written, the others are left out.

    Args:
        interface: from `open_spi`, or a fake.
        width: pixels, a multiple of 8.
        height: pixels, a multiple of 8.
        orientation: how the blocks are mounted, see `ORIENTATIONS`.
        order: the way of the chain through the blocks.
        contrast: 0 (dim, not dark) to 15.
        limit_ma: what the power supply gives at most, in milliamperes; 0 for no limit. A picture
            that would draw more is shown less bright.

    Raises:
        WiringError: a size, orientation, order or contrast is not possible; names it.
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
        limit_ma: float = 0,
    ) -> None:
        for name, size in (("width", width), ("height", height)):
            if size <= 0 or size % BLOCK_PX:
                raise WiringError(
                    Phrase(
                        "not_blocks",
                        "{name} {size} is not a multiple of {block} pixels",
                        name=name,
                        size=size,
                        block=BLOCK_PX,
                    )
                )
        if orientation not in ORIENTATIONS:
            raise WiringError(
                Phrase(
                    "orientation",
                    "orientation {turn} is not one of {turns}",
                    turn=orientation,
                    turns=str(ORIENTATIONS),
                )
            )
        self._width, self._height, self._contrast = width, height, checked_contrast(contrast)
        self._orientation, self._limit_ma = orientation, limit_ma
        self._interface = interface
        places = (order or BlockOrder()).places(width // BLOCK_PX, height // BLOCK_PX)
        # Farthest first, as they are sent.
        self._places = places[::-1]
        self._digits = _no_digits(len(places))
        self._level = self._allowed(0)
        """The intensity that the chips hold: never above what the picture on them allows."""
        self._known = False
        """Whether the chips hold `_digits` for all we know."""
        self._closed = False
        self._chain: _Chain | None = None
        self._newest = Picture.blank(width, height)
        self._wire = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spi")

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self._width

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self._height

    async def show(self, picture: Picture) -> None:
        """Show this picture; only what differs from the last one goes over the wire.

        Raises:
            WiringError: the picture is of another size.
            DeviceLost: the display is gone.
        """
        picture.check_size(self._width, self._height)
        self._newest = picture
        await self._on_wire(self._show_newest)

    async def refresh(self) -> None:
        """Write all registers anew, as noise on the wire changes them now and then.

        Chips that are as they should be show no change. One that was asleep, in test or in
        decode mode, or has just been plugged in ("Initial Power-Up": asleep, one digit scanned),
        comes back with the right picture and never brighter than set: it is woken last, when all
        else is right.

        Raises:
            DeviceLost: the display is gone.
        """
        await self._on_wire(self._refresh)

    async def dim(self, contrast: int) -> None:
        """Set the brightness, 0 to 15, from now on.

        Raises:
            WiringError: it is none of these.
            DeviceLost: the display is gone.
        """
        self._contrast = checked_contrast(contrast)
        await self._on_wire(self._show_newest)

    async def close(self, *, blank: bool) -> None:
        """Let go of the wire, dark or with the last picture standing.

        Raises:
            DeviceLost: the display is gone.
        """
        if self._closed:
            return
        self._closed = True
        try:
            await self._on_wire(lambda: self._let_go(blank=blank))
        finally:
            self._wire.shutdown(wait=False)

    async def _on_wire(self, write: Callable[[], None]) -> None:
        """Write in the thread of the wire, after whatever is being written."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._wire, write)
        except OSError as error:
            raise DeviceLost(f"LED matrix: {error}") from error

    # What follows runs in the thread of the wire.

    def _allowed(self, lit: int) -> int:
        """The intensity for a picture: as bright as set, less if it would draw too much."""
        blocks = len(self._places)
        levels = range(self._contrast, 0, -1)
        if not self._limit_ma:
            return self._contrast
        fits = (level for level in levels if current_ma(lit, blocks, level) <= self._limit_ma)
        return next(fits, 0)

    def _opened(self) -> None:
        if self._chain is None:
            self._chain = _Chain(self._interface, self._width, self._height, self._level << 4)
            self._known = True

    def _show_newest(self) -> None:
        """Write the newest picture. It is dimmed before it is too bright, brightened after."""
        self._opened()
        picture = self._newest
        digits = pack(picture, self._places, self._orientation)
        level = self._allowed(sum(row.bit_count() for row in picture.rows))
        if level < self._level:
            self._dim_to(level)
        self._write(digits, all_digits=not self._known)
        if level > self._level:
            self._dim_to(level)

    def _dim_to(self, level: int) -> None:
        self._registers((reg.INTENSITY, level))
        self._level = level

    def _refresh(self) -> None:
        self._opened()
        self._registers((reg.DISPLAYTEST, 0), (reg.SCANLIMIT, BLOCK_PX - 1), (reg.DECODEMODE, 0))
        self._registers((reg.INTENSITY, self._level))
        self._write(self._digits, all_digits=True)
        self._registers((reg.SHUTDOWN, 1))

    def _let_go(self, *, blank: bool) -> None:
        try:
            if blank:
                self._opened()
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
        assert self._chain is not None
        self._chain.data(words)


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
