"""What the firmware is written against: pictures, presses, displays, brokers.

Drivers turn wires into presses and pictures into light. They know no rules.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from drivers.errors import WiringError


class Picture(Struct, frozen=True):
    """The pixels of a display, each on or off.

    `rows` holds one integer a row, top row first; its most significant bit (2 ** (width - 1))
    is the leftmost pixel, so a row of eight reads as the binary number one sees.
    """

    width: int
    height: int
    rows: tuple[int, ...]

    @classmethod
    def blank(cls, width: int, height: int) -> "Picture":
        """A picture with every pixel off; sizes in pixels."""
        return cls(width, height, (0,) * height)

    @classmethod
    def from_text(cls, text: str) -> "Picture":
        """Read what `text` wrote: one line a row, `#` lit, anything else dark."""
        lines = text.strip("\n").splitlines()
        width = max(len(line) for line in lines)
        rows = tuple(
            int("".join("1" if c == "#" else "0" for c in line.ljust(width)), 2) for line in lines
        )
        return cls(width, len(lines), rows)

    def lit(self, x: int, y: int) -> bool:
        """Whether the pixel `x` from the left and `y` from the top is on."""
        return bool(self.rows[y] >> (self.width - 1 - x) & 1)

    def check_size(self, width: int, height: int) -> None:
        """See that the picture is as large as the display that is to show it.

        Raises:
            WiringError: it is of another size.
        """
        if (self.width, self.height) != (width, height):
            raise WiringError(
                f"a picture of {self.width}x{self.height} pixels does not fit {width}x{height}"
            )

    def text(self) -> str:
        """The picture as lines of `#` and `.`, for golden files and bug reports."""
        table = str.maketrans("01", ".#")
        return "\n".join(f"{row:0{self.width}b}".translate(table) for row in self.rows) + "\n"


class Press(Struct, frozen=True):
    """One press of one key, after debouncing.

    `t_ns` is the monotonic clock at the first edge of the press, not at its acceptance.
    `number` counts the presses of this device since it was opened, from 1. `id` is the press's own
    name where the device gives it one that outlives our restart. `long`: it is held for seconds,
    and what its hold means came before.
    """

    device: str
    number: int
    key: str
    held: bool
    t_ns: int
    id: str = ""
    long: bool = False


class Answer(StrEnum):
    """What became of a press."""

    ACCEPTED = "A"
    """It did what it means, and that is on disk."""
    WAITING = "W"
    """It is taken, and more keys are needed."""
    REFUSED = "R"
    """Nothing has changed."""


class KeyListener(Protocol):
    """Who is told what happens on a panel or pad. All calls come from the event loop."""

    def heard(self, device: str, key: str) -> None:
        """A press was accepted; nothing is decided yet. Answer it with a lamp, beep or pixel."""

    def pressed(self, press: Press) -> None:
        """A press is complete: at once, or for a key with a hold meaning on release or hold."""

    def long_held(self, device: str, key: str) -> None:
        """A key is held for seconds: no entry is meant. What its hold means came before."""

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that will not be acted upon.

        `too_soon` after the same key; `ghost`, three keys that look like four.
        """

    def stuck(self, device: str, key: str, where: str) -> None:
        """A key that is down since before the start, or longer than any hold.

        `where` is where a person finds its wires: BCM number and header pin.
        """

    def floating(self, device: str, key: str, where: str) -> None:
        """A key whose line changes all by itself: a loose wire."""

    def freed(self, device: str, key: str) -> None:
        """A stuck or floating key works again."""


class Display(Protocol):
    """Something that shows a picture. One task uses it; a call never blocks the loop for long."""

    @property
    def width(self) -> int:
        """Pixels from left to right."""

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""

    async def show(self, picture: Picture) -> None:
        """Show this picture from now on.

        Raises:
            DeviceLost: the display is gone.
            WiringError: the picture is of another size.
        """

    async def refresh(self) -> None:
        """Write everything the device holds once more, without a visible change."""

    async def dim(self, contrast: int) -> None:
        """Set the brightness, 0 to 15, if the device has one.

        Raises:
            DeviceLost: the display is gone.
        """

    async def close(self, *, blank: bool) -> None:
        """Let go of the device, dark or with the last picture standing."""


class Message(Struct, frozen=True):
    """One MQTT message.

    `retained` says on arrival that the broker had kept it from before; on the way out it asks
    the broker to keep it.
    """

    topic: str
    payload: bytes
    qos: int = 0
    retained: bool = False


class Session(Protocol):
    """One connection to a broker, from its birth until it breaks."""

    async def publish(self, message: Message) -> None:
        """Send one message; with QoS 1 wait until the broker has it.

        Raises:
            BrokerLost: the connection is gone; the message may or may not have arrived.
        """

    def messages(self) -> AsyncIterator[Message]:
        """What arrives on the subscribed topics.

        Raises:
            BrokerLost: the connection broke. Whoever uses a session keeps reading, even with
                nothing subscribed: this is how a break is noticed while nothing is sent.
        """


class Broker(Protocol):
    """A way to a broker that is taken again and again."""

    async def serve(self, use: Callable[[Session], Awaitable[None]]) -> None:
        """Connect, hand the session to `use`, and start over when it breaks.

        Ends when `use` returns, which has then said goodbye and is disconnected in good order;
        or if cancelled, or with what `use` raises other than BrokerLost, which makes the
        broker publish the last will.
        """
