"""Small honest stand-ins for hardware and listeners, for tests, demos and users' own tests."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from gpiozero.pins.mock import MockFactory, MockPin

from drivers.errors import DeviceLost, WiringError
from drivers.panel import PinFactory
from drivers.ports import Picture, Press
from drivers.wiring import Chord, Contact, Crosspoint, Wiring


class Recorder:
    """A serial interface that keeps what is sent, one `bytes` a transfer."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def data(self, data: Sequence[int]) -> None:
        """Keep one transfer."""
        self.sent.append(bytes(data))

    def command(self, *cmd: int) -> None:
        """Keep one transfer; these chips do not tell commands from data."""
        self.data(cmd)

    def cleanup(self) -> None:
        """Note that the device was closed."""
        self.closed = True


class Chip:
    """The registers of one MAX7219, by the tables of its data sheet (19-4452, Maxim)."""

    CODE_B = bytes.fromhex("7e306d79335b5f707f7b014f370e6700")
    """What the chip's font lights for a digit in decode mode (table 5)."""

    def __init__(self) -> None:
        """As after power-on: asleep and dim, the digits whatever they happen to be."""
        self.digits = [0xFF] * 8
        self.decode = 0
        self.intensity = 0
        self.scan_limit = 0
        self.awake = False
        self.test = False

    def take(self, register: int, value: int) -> None:
        """Take one word. The upper half of the register's number is not wired."""
        match register & 0x0F:
            case 0x9:
                self.decode = value
            case 0xA:
                self.intensity = value & 0x0F
            case 0xB:
                self.scan_limit = value & 0x07
            case 0xC:
                self.awake = bool(value & 1)
            case 0xF:
                self.test = bool(value & 1)
            case digit if 1 <= digit <= 8:
                self.digits[digit - 1] = value

    def lit(self) -> list[int]:
        """What each digit line really lights."""
        if self.test:
            return [0xFF] * 8
        if not self.awake:
            return [0] * 8
        return [self._decoded(nth) if nth <= self.scan_limit else 0 for nth in range(8)]

    def _decoded(self, nth: int) -> int:
        value = self.digits[nth]
        if self.decode >> nth & 1:
            return self.CODE_B[value & 0x0F] | value & 0x80
        return value


class FakeChain:
    """A chain of MAX7219 blocks behind a serial interface, and what one sees on it.

    Args:
        places: column and row of each block, and the degrees by which its picture must be
            turned anticlockwise to stand upright on it, nearest to the Pi first.
        watch: called after each transfer, to see every state on the way.
    """

    def __init__(
        self,
        places: Sequence[tuple[int, int, int]],
        watch: Callable[["FakeChain"], None] | None = None,
    ) -> None:
        self._places = places
        self._watch = watch
        self._shift = bytearray(2 * len(places))
        self.chips = [Chip() for _ in places]
        self.closed = False
        self.fail = False
        """Set it to make the wire break."""

    def data(self, data: Sequence[int]) -> None:
        """Shift bytes in; at the end of the transfer every chip takes the word that it holds.

        Raises:
            OSError: `fail` is set.
        """
        if self.fail or self.closed:
            raise OSError("the wire is broken")
        self._shift = (self._shift + bytes(data))[-len(self._shift) :]
        for nth, chip in enumerate(reversed(self.chips)):
            chip.take(self._shift[2 * nth], self._shift[2 * nth + 1])
        if self._watch:
            self._watch(self)

    def command(self, *cmd: int) -> None:
        """Shift bytes in; these chips do not tell commands from data."""
        self.data(cmd)

    def cleanup(self) -> None:
        """Note that the device was closed; the chips stay as they are."""
        self.closed = True

    def picture(self) -> Picture:
        """What a person in front of the blocks sees."""
        width = 8 * (1 + max(column for column, _, _ in self._places))
        height = 8 * (1 + max(row for _, row, _ in self._places))
        rows = [0] * height
        for (column, row, turn), chip in zip(self._places, self.chips, strict=True):
            for digit, value in enumerate(chip.lit()):
                for bit in range(8):
                    if value >> bit & 1:
                        x, y = _upright(digit, bit, turn)
                        rows[8 * row + y] |= 1 << (width - 1 - 8 * column - x)
        return Picture(width, height, tuple(rows))

    def brightness(self) -> int:
        """The highest intensity of a block with anything lit, -1 if all is dark, 16 in test."""
        return max(
            (16 if chip.test else chip.intensity if any(chip.lit()) else -1) for chip in self.chips
        )


def _upright(x: int, y: int, turn: int) -> tuple[int, int]:
    """Where a block's LED of digit `x` and segment `y` is for one who looks at it."""
    match turn % 360:
        case 90:
            return 7 - y, x
        case 180:
            return 7 - x, 7 - y
        case 270:
            return y, 7 - x
        case _:
            return x, y


class KeptDisplay:
    """A display that keeps every picture it was shown."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.pictures: list[Picture] = []
        self.refreshed = 0
        self.closed: str | None = None
        """`blank` or `standing` once closed."""
        self.lost = False
        """Set it to make the display fail."""
        self.dimmed: list[int] = []
        """Every brightness that it was set to."""

    async def show(self, picture: Picture) -> None:
        """Keep a picture.

        Raises:
            DeviceLost: `lost` is set.
            WiringError: the picture is of another size.
        """
        if self.lost:
            raise DeviceLost("the kept display was told to be lost")
        if (picture.width, picture.height) != (self.width, self.height):
            raise WiringError("the picture is of another size")
        self.pictures.append(picture)

    async def refresh(self) -> None:
        """Count.

        Raises:
            DeviceLost: `lost` is set.
        """
        if self.lost:
            raise DeviceLost("the kept display was told to be lost")
        self.refreshed += 1

    async def dim(self, contrast: int) -> None:
        """Note a brightness."""
        self.dimmed.append(contrast)

    async def close(self, *, blank: bool) -> None:
        """Note how it was closed."""
        self.closed = "blank" if blank else "standing"


class Listener:
    """A `KeyListener` that keeps what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        """Every call in order: its name, the device, the key, and why or where."""
        self.presses: list[Press] = []
        self._news = asyncio.Event()

    async def until(self, calls: int, *, timeout_s: float = 10) -> None:
        """Wait until so many calls have come.

        Raises:
            TimeoutError: they did not.
        """
        async with asyncio.timeout(timeout_s):
            while len(self.calls) < calls:
                self._news.clear()
                await self._news.wait()

    def heard(self, device: str, key: str) -> None:
        """Keep the call."""
        self._keep("heard", device, key)

    def pressed(self, press: Press) -> None:
        """Keep the call and the press."""
        self.presses.append(press)
        self._keep("pressed", press.device, press.key)

    def long_held(self, device: str, key: str) -> None:
        """Keep the call."""
        self._keep("long_held", device, key)

    def ignored(self, device: str, key: str, why: str) -> None:
        """Keep the call."""
        self._keep("ignored", device, key, why)

    def stuck(self, device: str, key: str, where: str) -> None:
        """Keep the call."""
        self._keep("stuck", device, key, where)

    def floating(self, device: str, key: str, where: str) -> None:
        """Keep the call."""
        self._keep("floating", device, key, where)

    def freed(self, device: str, key: str) -> None:
        """Keep the call."""
        self._keep("freed", device, key)

    def _keep(self, *call: str) -> None:
        self.calls.append(call)
        self._news.set()


class Keypad:
    """A keypad of rows and columns on mock pins, without diodes: what really connects, connects.

    Three keys at the corners of a rectangle connect the fourth. `factory` makes its pins, `shorts`
    counts the times that a high output was connected with a low one.
    """

    def __init__(self, wiring: Wiring) -> None:
        self._points = {
            key: (wire.row, wire.column)
            for key, wire in wiring.items()
            if isinstance(wire, Crosspoint)
        }
        self._closed: set[tuple[int, int]] = set()
        self.shorts = 0
        self.factory = MockFactory(pin_class=_KeypadPin)
        self.factory.keypad = self

    def down(self, key: str) -> None:
        """Close a key."""
        self._closed.add(self._points[key])
        self.settle()

    def up(self, key: str) -> None:
        """Open it."""
        self._closed.discard(self._points[key])
        self.settle()

    def settle(self) -> None:
        """Bring every column to the level that rows and closed keys make."""
        for column in sorted({column for _, column in self._points.values()}):
            levels = self._levels(column)
            self.shorts += len(levels) > 1
            pin = self.factory.pin(column)
            (pin.drive_low if 0 in levels else pin.drive_high)()

    def _levels(self, column: int) -> set[int]:
        """The outputs that a column is connected with, whatever the way."""
        columns, rows = {column}, set[int]()
        while more := {row for row, other in self._closed if other in columns} - rows:
            rows |= more
            columns |= {other for row, other in self._closed if row in rows}
        pins = (self.factory.pin(row) for row in rows)
        return {int(pin.state) for pin in pins if pin.function == "output"}


class _KeypadPin(MockPin):  # type: ignore[misc] # gpiozero has no types
    """A pin that makes a keypad settle when it becomes, or changes as, an output."""

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._settle()

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        if changed and self._function == "output":
            self._settle()
        return changed

    def _settle(self) -> None:
        keypad = getattr(self.factory, "keypad", None)
        if keypad is not None:
            keypad.settle()


class Finger:
    """Presses the keys of a panel by driving the mock pins behind them.

    Args:
        factory: the gpiozero `MockFactory` that the panel was made with.
        wiring: the panel's wiring.
    """

    TAP_MS = 30
    HOLD_MS = 700
    REST_MS = 80
    """Between two presses of one key, so that with a tap they are further apart than the time
    in which the same key is not taken again."""

    def __init__(self, factory: PinFactory, wiring: Wiring) -> None:
        self._factory = factory
        self._wiring = wiring
        self._busy = {key: asyncio.Lock() for key in wiring}

    def down(self, key: str) -> None:
        """Close the contact."""
        self._drive(key, closed=True)

    def up(self, key: str) -> None:
        """Open the contact."""
        self._drive(key, closed=False)

    async def press(self, key: str, ms: float = TAP_MS) -> None:
        """Press a key for some milliseconds and rest; presses of one key wait for each other."""
        async with self._busy[key]:
            self.down(key)
            try:
                await asyncio.sleep(ms / 1000)
            finally:
                self.up(key)
            await asyncio.sleep(self.REST_MS / 1000)

    async def play(self, keys: Iterable[str]) -> None:
        """Tap keys one after the other."""
        for key in keys:
            await self.press(key)

    def _drive(self, key: str, *, closed: bool) -> None:
        match self._wiring[key]:
            case Contact(pin, _, active_high):
                there = self._factory.pin(pin)
                (there.drive_high if closed == active_high else there.drive_low)()
            case Crosspoint():
                keypad: Keypad = self._factory.keypad
                (keypad.down if closed else keypad.up)(key)
            case Chord(keys):
                for one in keys:
                    self._drive(one, closed=closed)
