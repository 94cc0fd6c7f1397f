"""What systemd wants to hear: that the table is ready, that it lives, that it goes (sd_notify).

Nothing is said where nobody listens: outside a unit every call does nothing.
"""

import contextlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path


class Systemd:
    """The notification socket of a unit with `Type=notify`."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._watchdog_s = _watchdog_s(environment)
        self._runtime = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]

    @property
    def watchdog_s(self) -> float | None:
        """How often the unit must be told that the table lives, in seconds; none if not at all."""
        return self._watchdog_s

    def ready(self) -> None:
        """The first picture is on the board."""
        self._say("READY=1")

    def alive(self) -> None:
        """The owner of the match works off what comes."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """The table goes in good order."""
        self._say("STOPPING=1")

    def power_off(self) -> bool:
        """Ask for the machine to be switched off: `tacada-off@.path` waits for this file.

        The table itself may not: it has no rights beyond its devices. False if nobody waits.
        """
        if not self._runtime:
            return False
        try:
            Path(self._runtime, "off").touch()
        except OSError:
            return False
        return True

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self._say(f"STATUS={text}")

    def _say(self, text: str) -> None:
        if not self._address:
            return
        # An abstract socket begins with a zero byte, which the environment writes as @.
        address = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.connect(address)
            out.send(text.encode())


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """A third of the unit's watchdog time: one late ping is no reason to be killed."""
    usec = environment.get("WATCHDOG_USEC", "")
    mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not (usec.isdecimal() and int(usec) and mine):
        return None
    return int(usec) / 3_000_000
