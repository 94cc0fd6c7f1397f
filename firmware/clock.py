"""Where the firmware gets its time from."""

import time
from pathlib import Path
from typing import Protocol

_SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")


class Clock(Protocol):
    """A machine's clocks; a test or a demonstration may bring its own."""

    def now_ns(self) -> int:
        """Monotonic time in nanoseconds: order and durations come from this alone."""

    def wall_ms(self) -> int:
        """The hour, in milliseconds since 1970 (UTC), as far as the machine knows it."""

    def synced(self) -> bool:
        """Whether the hour has been set since the machine started."""


class SystemClock:
    """The machine's own clocks."""

    def now_ns(self) -> int:
        """The kernel's monotonic clock."""
        return time.monotonic_ns()

    def wall_ms(self) -> int:
        """The kernel's real-time clock, which is wrong after power-off until it is set."""
        return time.time_ns() // 1_000_000

    def synced(self) -> bool:
        """Whether systemd-timesyncd says so."""
        return _SYNCHRONIZED.exists()
