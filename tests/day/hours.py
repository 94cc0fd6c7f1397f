"""Time that is skipped while nothing happens: a day of a table takes minutes.

`time.monotonic` of the whole process is that of this module while `skipped` lasts: event loop, pins
and clocks then agree. Nothing is skipped while a disk or a thread works.
"""

import asyncio
import contextlib
import selectors
import time
from collections.abc import Callable, Iterator
from typing import Any

BUSY_S = 0.05
"""While the disk works nothing is skipped, and it is looked this often."""

MOST_S = 0.25
"""No more than this is skipped at once."""

DAWN_MS = 1_796_112_000_000
"""The hour at which a day begins."""


class Hours:
    """The clock of a day that is skipped through; a `firmware.clock.Clock` too."""

    def __init__(self) -> None:
        self._ns = 1_000_000_000
        self.real_ns = time.monotonic_ns
        self.disk: Callable[[], bool] = lambda: False
        """Whether the disk works."""
        self.threads = 0

    def now_ns(self) -> int:
        return self._ns

    def wall_ms(self) -> int:
        return DAWN_MS + self._ns // 1_000_000

    def synced(self) -> bool:
        return True

    @property
    def s(self) -> float:
        """Seconds since the day began."""
        return self._ns / 1e9 - 1

    def skip(self, s: float) -> None:
        self._ns += int(s * 1e9)


class _Loop(asyncio.SelectorEventLoop):
    """A loop that knows of the threads that work for it."""

    def __init__(self, hours: Hours) -> None:
        self._hours = hours
        super().__init__(_Skipping(hours))

    def run_in_executor(  # type: ignore[override] # passes on whatever it is given
        self, executor: Any, func: Any, *args: Any
    ) -> "asyncio.Future[Any]":
        future = super().run_in_executor(executor, func, *args)
        self._hours.threads += 1
        future.add_done_callback(self._ended)
        return future

    def _ended(self, future: object) -> None:
        del future
        self._hours.threads -= 1


class _Skipping(selectors.DefaultSelector):
    """Waits in real time for a moment, then skips to when the loop wants to be woken."""

    def __init__(self, hours: Hours) -> None:
        super().__init__()
        self._hours = hours

    def select(self, timeout: float | None = None) -> Any:
        wait_s = MOST_S if timeout is None else min(timeout, MOST_S)
        busy = self._hours.disk() or self._hours.threads > 0
        began_ns = self._hours.real_ns()
        found = super().select(BUSY_S if busy and wait_s > 0 else 0)
        if busy:
            self._hours.skip((self._hours.real_ns() - began_ns) / 1e9)
            return found
        # A microsecond at least: a loop that never rests must not stop time.
        self._hours.skip(max(1e-6, 0 if found else wait_s))
        return found


@contextlib.contextmanager
def skipped() -> Iterator[tuple[Hours, asyncio.Runner]]:
    """A clock that is skipped, and what runs a coroutine by it."""
    hours, real, real_ns = Hours(), time.monotonic, time.monotonic_ns
    time.monotonic = lambda: hours.now_ns() / 1e9
    time.monotonic_ns = hours.now_ns
    try:
        with asyncio.Runner(loop_factory=lambda: _Loop(hours)) as runner:
            yield hours, runner
    finally:
        time.monotonic, time.monotonic_ns = real, real_ns
