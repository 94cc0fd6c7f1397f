"""What a table is made of besides its program: clock, devices, broker."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from drivers.gestures import Timing
from drivers.panel import PinFactory
from drivers.ports import Broker, Display, Message
from firmware.clock import Clock
from firmware.systemd import Systemd
from firmware.table.guard import GuardTiming


class Parts(Struct, frozen=True):
    """What differs between a table on a Pi, a demonstration and a test; none is not there.

    `display` and `pins` open their device and may raise `DeviceMissing`: they are tried again.
    `more` are the displays of further boards, of which none ever ends a table.
    `broker` makes one from the last will and the topics to hear.
    """

    clock: Clock
    display: Callable[[], Display] | None = None
    pins: Callable[[], PinFactory] | None = None
    broker: Callable[[Message, Sequence[str]], Broker] | None = None
    timing: Timing | None = None
    guard: GuardTiming | None = None
    systemd: Systemd | None = None
    more: tuple[Callable[[], Display], ...] = ()
