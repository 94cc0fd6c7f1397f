"""An event loop whose time stands still while something is to be done, and jumps when nothing is.

Timers fire at the moments that they were set for, and whole matches are played in seconds. Pipes
and ptys are real: what they hold is read before time goes on.
"""

import asyncio
import math
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

from tests.firmware.rig import HandClock


class VirtualClock(HandClock):
    """A clock that the loop moves; to drivers it is the module `time`."""

    def monotonic_ns(self) -> int:
        return self.ns

    async def until(self, ns: int) -> None:
        """Let everything happen up to this moment."""
        await asyncio.sleep((ns - self.ns) / 1e9)


class _Jumping(selectors.DefaultSelector):
    """Waits for nothing: where nothing is ready, the time has come for the next timer."""

    clock: VirtualClock

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(timeout if timeout is None else 0)
        if not ready and timeout:
            self.clock.ns += math.ceil(timeout * 1e9)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop on a clock."""

    def __init__(self, clock: VirtualClock) -> None:
        selector = _Jumping()
        selector.clock = clock
        self._virtual = clock
        super().__init__(selector)

    def time(self) -> float:
        return self._virtual.ns / 1e9

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Without a limit: in the time of this loop any is over at once."""
        del timeout
        await super().shutdown_default_executor()


def run_on(clock: VirtualClock, scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scene to its end in the time of this clock."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        runner.run(scene())
