"""The receiver of handheld pads, a serial port found by its identity, by way of pyserial.

It never holds up the loop: the port is found and opened on another thread, read when the loop
says that there is something, and what cannot be written at once waits. A receiver that is pulled
out is looked for until it is there again, under whatever name.
"""

import asyncio
import contextlib
import logging
import os
import re
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from drivers.errors import DeviceMissing
from drivers.pad_protocol import BadFrame, Frame, Lines, read_frame
from drivers.phrases import NONE, Phrase
from drivers.plugged import kept_open

if TYPE_CHECKING:
    from serial import Serial
    from serial.tools.list_ports_common import ListPortInfo

_log = logging.getLogger(__name__)

MOST_WAITING = 4096
"""Bytes that may wait to be written. Pads ask again; what is old helps none of them."""


class PadListener(Protocol):
    """Who is told what receivers hear. All calls come from the event loop."""

    def framed(self, receiver: "PadReceiver", frame: Frame, t_ns: int) -> None:
        """A pad said something; `t_ns` is the monotonic clock when it had arrived."""

    def linked(self, receiver: "PadReceiver", reason: str) -> None:
        """A receiver is there (no reason), or is not, and why."""


def usb_ports() -> "Iterable[ListPortInfo]":
    """What is plugged in now; most tables have no pad, and need not load what looks for one."""
    from serial.tools.list_ports import comports  # noqa: PLC0415

    return comports()


def find_port(identity: str, ports: "Callable[[], Iterable[ListPortInfo]]" = usb_ports) -> str:
    """The device file of a receiver: a path, or what has this USB identity now.

    Raises:
        DeviceMissing: there is none, or more than one; names what is there.
    """
    if not identity.startswith("usb:"):
        if not os.path.exists(identity):
            raise DeviceMissing(
                Phrase(
                    "no_receiver", "{path} is not there: is the receiver plugged in?", path=identity
                )
            )
        return identity
    there = {port.device: _identity(port) for port in ports() if port.vid is not None}
    found = [device for device, other in there.items() if f"{other}:".startswith(f"{identity}:")]
    if len(found) == 1:
        return found[0]
    names = ", ".join(sorted(there.values())) or NONE
    if found:
        raise DeviceMissing(
            Phrase(
                "two_receivers",
                "{name} fits more than one adapter: name its serial too ({names})",
                name=identity,
                names=names,
            )
        )
    raise DeviceMissing(
        Phrase(
            "receiver_unplugged",
            "{name} is not plugged in: plug it in; USB adapters there: {names}",
            name=identity,
            names=names,
        )
    )


def _identity(port: "ListPortInfo") -> str:
    number = f":{re.sub(':', '', port.serial_number)}" if port.serial_number else ""
    return f"usb:{port.vid:04x}:{port.pid:04x}{number}"


class PadReceiver:
    """One serial port with any number of pads behind it.

    Args:
        identity: a path, best one of /dev/serial/by-id, or a `drivers.wiring.USB_IDENTITY`.
        listener: told of frames, and whether the receiver is there.
        baud: bits a second on the wire.
        find: the device file of an identity; `find_port` but for tests.
    """

    def __init__(
        self,
        identity: str,
        listener: PadListener,
        *,
        baud: int = 115_200,
        find: Callable[[str], str] = find_port,
    ) -> None:
        self.identity = identity
        self._listener, self._baud, self._find = listener, baud, find
        self._serial: Serial | None = None
        self._lost = asyncio.Event()
        self._lines = Lines()
        self._waiting = bytearray()
        self.bad_lines = 0
        """Lines that were no frames: noise on the air, or two that spoke at once."""

    async def run(self) -> None:
        """Listen until cancelled, however often the receiver is pulled out."""
        await kept_open(self._open, self._listened, self._missing)

    def _missing(self, reason: str) -> None:
        _log.warning("pads: %s", reason)
        self._listener.linked(self, reason)

    def send(self, line: bytes) -> None:
        """Send a line, now or as soon as the port takes it; lost if there is no receiver."""
        if self._serial is None or len(self._waiting) + len(line) > MOST_WAITING:
            return
        if not self._waiting:
            asyncio.get_running_loop().add_writer(self._serial.fileno(), self._write)
        self._waiting += line

    def _open(self) -> "Serial":
        """Find and open the port; on a thread of its own.

        Raises:
            DeviceMissing: it is not there, or may not be used.
        """
        from serial import Serial  # noqa: PLC0415 - most tables have no pad

        path = self._find(self.identity)
        try:
            return Serial(path, self._baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError) as error:
            raise DeviceMissing(
                Phrase(
                    "port_shut",
                    "{path} cannot be opened: {why}. It needs the group dialout, and nobody else "
                    "may use it",
                    path=path,
                    why=str(error),
                )
            ) from error

    async def _listened(self, serial: "Serial") -> None:
        """Read until the port is lost."""
        self._serial = serial
        loop, fd = asyncio.get_running_loop(), serial.fileno()
        self._lost.clear()
        self._lines = Lines()
        loop.add_reader(fd, self._read)
        self._listener.linked(self, "")
        try:
            await self._lost.wait()
        finally:
            loop.remove_reader(fd)
            loop.remove_writer(fd)
            self._close()

    def _close(self) -> None:
        self._waiting.clear()
        if self._serial is not None:
            # A port that is gone may refuse even this.
            with contextlib.suppress(OSError):
                self._serial.close()
            self._serial = None

    def _read(self) -> None:
        assert self._serial is not None
        t_ns = time.monotonic_ns()
        try:
            data = os.read(self._serial.fileno(), 4096)
        except BlockingIOError:
            return
        except OSError as error:
            self._is_lost(str(error))
            return
        if not data:
            self._is_lost("it is ready and has nothing to read")
            return
        for line in self._lines.feed(data):
            try:
                frame = read_frame(line)
            except BadFrame:
                self.bad_lines += 1
                continue
            self._listener.framed(self, frame, t_ns)

    def _write(self) -> None:
        assert self._serial is not None
        fd = self._serial.fileno()
        try:
            done = os.write(fd, self._waiting)
        except BlockingIOError:
            return
        except OSError as error:
            self._is_lost(str(error))
            return
        del self._waiting[:done]
        if not self._waiting:
            asyncio.get_running_loop().remove_writer(fd)

    def _is_lost(self, reason: str) -> None:
        _log.warning("pads: %s is gone: %s", self.identity, reason)
        loop = asyncio.get_running_loop()
        assert self._serial is not None
        loop.remove_reader(self._serial.fileno())
        loop.remove_writer(self._serial.fileno())
        self._lost.set()
