"""What evdev has, over pipes: devices with real file descriptors, and a bus to plug them into.

The shapes are those of python-evdev 2.0: `InputDevice(path)` with `fd`, `info`, `uniq`, `name`,
`capabilities`, `grab`, `read`, `active_keys`, `close`; `list_devices`.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

_EVENT = struct.Struct("HHi")


@dataclass
class Plugged:
    """A keypad on the bus."""

    path: str
    vendor: int = 0x04D9
    product: int = 0x1203
    uniq: str = ""
    name: str = "Number Pad"
    keys: tuple[int, ...] = (69, 79, 80, 96)
    grabbed: bool = False
    down: set[int] = field(default_factory=set)
    pipe: tuple[int, int] = field(default_factory=os.pipe)

    def say(self, kind: int, code: int, value: int) -> None:
        os.write(self.pipe[1], _EVENT.pack(kind, code, value))

    def key(self, code: int, value: int) -> None:
        (self.down.add if value else self.down.discard)(code)
        self.say(1, code, value)
        self.say(0, 0, 0)


class InputDevice:
    """A device that is open."""

    def __init__(self, bus: "Bus", path: str) -> None:
        if path not in bus.plugged:
            raise FileNotFoundError(2, "No such file or directory", path)
        if path in bus.shut:
            raise PermissionError(13, "Permission denied", path)
        self._there = there = bus.plugged[path]
        self.path, self.name, self.uniq = path, there.name, there.uniq
        self.info = SimpleNamespace(vendor=there.vendor, product=there.product)
        self.fd = os.dup(there.pipe[0])
        os.set_blocking(self.fd, False)

    def capabilities(self) -> dict[int, tuple[int, ...]]:
        return {1: self._there.keys}

    def grab(self) -> None:
        if self._there.grabbed:
            raise OSError(16, "Device or resource busy")
        self._there.grabbed = True

    def active_keys(self) -> list[int]:
        return sorted(self._there.down)

    def read(self) -> Iterator[SimpleNamespace]:
        data = os.read(self.fd, _EVENT.size * 64)
        if not data:
            raise OSError(19, "No such device")
        for kind, code, value in _EVENT.iter_unpack(data):
            yield SimpleNamespace(type=kind, code=code, value=value)

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
            self._there.grabbed = False


class Bus:
    """A module `evdev` and the devices that it finds."""

    def __init__(self) -> None:
        self.plugged: dict[str, Plugged] = {}
        self.shut: set[str] = set()

    def plug(self, **what: object) -> Plugged:
        path = f"/dev/input/event{len(self.plugged)}"
        self.plugged[path] = there = Plugged(path, **what)  # type: ignore[arg-type]
        return there

    def unplug(self, there: Plugged) -> None:
        del self.plugged[there.path]
        os.close(there.pipe[1])
        os.close(there.pipe[0])

    def list_devices(self) -> list[str]:
        return sorted(set(self.plugged) - self.shut)

    def InputDevice(self, path: str) -> InputDevice:  # noqa: N802 # its name in evdev
        return InputDevice(self, path)
