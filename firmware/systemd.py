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

    @property
    def sets_clock(self) -> bool:
        """Whether there is a unit around this that may set the machine's clock."""
        return bool(self._runtime)

    def set_clock(self, text: str) -> bool:
        """Ask for another date and time, as `2026-12-31 18:05` of the place, by a file too.

        False if it cannot be asked for. `clock_is_asked` says whether nobody has done it yet.
        """
        if not self._runtime:
            return False
        try:
            new = Path(self._runtime, "time.new")
            new.write_text(f"{text}\n", "ascii")
            new.chmod(0o644)
            new.replace(self._asked_clock)
        except OSError:
            return False
        return True

    @property
    def _asked_clock(self) -> Path:
        return Path(self._runtime, "time")

    def clock_is_asked(self) -> bool:
        """Whether the wish for another time still lies there; it is taken back."""
        there = self._asked_clock.exists()
        self._asked_clock.unlink(missing_ok=True)
        return there

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
