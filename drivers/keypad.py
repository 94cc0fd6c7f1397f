"""USB keypads by way of evdev, which is imported when there is a keypad to open.

A keypad is found by what it is, taken for ourselves alone so that its keys type nowhere else, and
looked for again when it was pulled out.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from drivers.errors import DeviceMissing
from drivers.keycodes import KeyEvents
from drivers.lines import Watcher
from drivers.phrases import NONE, Phrase, no_package
from drivers.plugged import kept_open

_log = logging.getLogger(__name__)

Device: TypeAlias = Any
"""An `evdev.InputDevice`."""


def find_keypad(identity: str) -> Device:
    """Open the keypad with this identity: a path, or `usb:04d9:1203`.

    Raises:
        DeviceMissing: evdev, the keypad or the permission is; names the mend.
    """
    try:
        import evdev  # noqa: PLC0415 - heavy, and not everywhere
    except ImportError as error:
        raise DeviceMissing(no_package("evdev")) from error
    if not identity.startswith("usb:"):
        return _opened(evdev, identity)
    there: dict[str, str] = {}
    for path in evdev.list_devices():
        device = _opened(evdev, path)
        name = f"usb:{device.info.vendor:04x}:{device.info.product:04x}"
        named = f"{name}:{device.uniq}" if device.uniq else name
        # One plug may be several devices, of which one has the keys of a number pad.
        if f"{named}:".startswith(f"{identity}:") and _has_keys(device):
            return device
        there[named] = device.name
        device.close()
    known = ", ".join(f"{name} ({label})" for name, label in sorted(there.items())) or NONE
    raise DeviceMissing(
        Phrase(
            "keypad_unplugged",
            "{name} is not plugged in: plug it in; input devices there: {names}",
            name=identity,
            names=known,
        )
    )


def _opened(evdev: Any, path: str) -> Device:
    try:
        return evdev.InputDevice(path)
    except FileNotFoundError as error:
        raise DeviceMissing(
            Phrase("no_keypad", "{path} is not there: is the keypad plugged in?", path=path)
        ) from error
    except OSError as error:
        raise DeviceMissing(
            Phrase(
                "keypad_shut",
                "{path} cannot be opened: {why}. Join its group (sudo usermod -aG input $USER)",
                path=path,
                why=str(error),
            )
        ) from error


def _has_keys(device: Device) -> bool:
    keypad_1, ev_key = 79, 1
    return keypad_1 in device.capabilities().get(ev_key, ())


class KeypadLines:
    """The keys of a USB keypad as lines of a panel, whether it is plugged in or not.

    Args:
        identity: a path, best one of /dev/input/by-id, or a `drivers.wiring.USB_IDENTITY`.
        codes: the key's code in the kernel, by the key's name.
        linked: told whether the keypad is there: an empty reason, or why not.
        find: opens the keypad; `find_keypad` but for tests.
    """

    def __init__(
        self,
        identity: str,
        codes: Mapping[str, int],
        linked: Callable[[str, str], None],
        *,
        find: Callable[[str], Device] = find_keypad,
    ) -> None:
        self.identity = identity
        self._keys = {code: key for key, code in codes.items()}
        self._linked, self._find = linked, find
        self._events = KeyEvents()
        self._watcher: Watcher | None = None
        self._device: Device | None = None
        self._lost = asyncio.Event()

    async def run(self) -> None:
        """Listen until cancelled, however often the keypad is pulled out."""
        await kept_open(self._open, self._listened, self._missing)

    def _missing(self, reason: str) -> None:
        _log.warning("keypad: %s", reason)
        self._linked(self.identity, reason)

    def _open(self) -> Device:
        device = self._find(self.identity)
        try:
            device.grab()
        except OSError as error:
            device.close()
            raise DeviceMissing(
                Phrase(
                    "keypad_taken",
                    "{name} is taken by another program: {why}",
                    name=self.identity,
                    why=str(error),
                )
            ) from error
        return device

    async def _listened(self, device: Device) -> None:
        """Read until the keypad is lost."""
        self._device = device
        loop, fd = asyncio.get_running_loop(), device.fd
        self._lost.clear()
        loop.add_reader(fd, self._read)
        self._linked(self.identity, "")
        try:
            await self._lost.wait()
        finally:
            loop.remove_reader(fd)
            self._gone()

    def _read(self) -> None:
        t_ns = time.monotonic_ns()
        device = self._device
        assert device is not None
        try:
            for event in device.read():
                if self._events.lost(event.type, event.code):
                    changes = self._events.now(device.active_keys())
                else:
                    change = self._events.event(event.type, event.code, event.value)
                    changes = [change] if change is not None else []
                for one in changes:
                    self._tell(one.code, one.down, t_ns)
        except BlockingIOError:
            return
        except OSError as error:
            _log.warning("keypad: %s is gone: %s", self.identity, error)
            asyncio.get_running_loop().remove_reader(device.fd)
            self._lost.set()

    def _tell(self, code: int, down: bool, t_ns: int) -> None:
        if self._watcher is not None and code in self._keys:
            self._watcher.edge(self._keys[code], down, t_ns)

    def _gone(self) -> None:
        """Nothing is down on a keypad that is not there."""
        for change in self._events.now(()):
            if self._watcher is not None and change.code in self._keys:
                self._watcher.dropped(self._keys[change.code], time.monotonic_ns())
        if self._device is not None:
            with contextlib.suppress(OSError):
                self._device.close()
            self._device = None

    # Lines

    def watch(self, watcher: Watcher) -> None:
        """Tell of changes from now on."""
        self._watcher = watcher

    def active(self) -> frozenset[str]:
        """The keys that are down."""
        return frozenset(self._keys[code] for code in self._events.down if code in self._keys)

    def close(self) -> None:
        """Tell of nothing any more; `run` lets go of the keypad when it is cancelled."""
        self._watcher = None
