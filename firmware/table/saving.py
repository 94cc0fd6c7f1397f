"""Between accepted and on disk: what is shown and published while records wait."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from firmware.clock import Clock
from firmware.snapshot import Committed, Told
from rules.scoreline import Scoreline

_log = logging.getLogger(__name__)

UNSAVED_MS = 500
"""A commit that takes longer shows the score as not saved."""

SLOW_MS = 100
"""A commit that takes longer is logged."""

_MS = 1_000_000


class Saving:
    """The records that wait for the disk, in order.

    `show` is told of each score to be shown, `on_committed` of each record that is on disk,
    `on_error` of what the disk raised when it gave up.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        show: Callable[[Scoreline, Told | None], None],
        on_committed: Callable[[Committed], None],
        on_error: Callable[[BaseException], None],
    ) -> None:
        self._clock, self._show = clock, show
        self._on_committed, self._on_error = on_committed, on_error
        self._waiting: deque[tuple[Committed, Told | None]] = deque()
        self._late = False

    def add(self, done: "asyncio.Future[Any]", committed: Committed, told: Told | None) -> None:
        """Wait for an accepted record to be on disk, without holding up the next press."""
        self._waiting.append((committed, told))
        started_ns = self._clock.now_ns()
        late = asyncio.get_running_loop().call_later(UNSAVED_MS / 1000, self._is_late)
        if self._late:
            self._is_late()

        def saved(future: "asyncio.Future[Any]") -> None:
            late.cancel()
            if future.cancelled():
                return
            error = future.exception()
            if error is not None:
                self._on_error(error)
                return
            took_ms = (self._clock.now_ns() - started_ns) // _MS
            if took_ms > SLOW_MS:
                _log.warning("record %d took %d ms to be saved", committed.record.seq, took_ms)
            self._saved()

        done.add_done_callback(saved)

    def _is_late(self) -> None:
        """Go on with what was accepted, and say that it is not saved."""
        self._late = True
        committed, told = self._waiting[-1]
        self._show(replace(committed.line, saved=False), told)

    def _saved(self) -> None:
        """The oldest record that waited is on disk."""
        committed, told = self._waiting.popleft()
        self._on_committed(committed)
        if self._late and self._waiting:
            return
        self._late = False
        self._show(committed.line, told)
