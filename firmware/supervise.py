"""Parts that may be missing: each is named, tried again, and the match is played without it.

A part that is absent at the start comes later, or never. One that worked and is lost ends the
process, once: systemd starts it again and the match is taken up where it stood. Which parts are
allowed to be lost without that, their drivers decide by not raising.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from drivers.errors import DeviceMissing

_log = logging.getLogger(__name__)

RETRIES_S: tuple[float, ...] = (1, 2, 5, 10, 30)
"""The waits between attempts to open a part; the last one goes on."""

T = TypeVar("T")


class Faults(Protocol):
    """Is told which parts do not work."""

    def fault(self, code: str, *, present: bool) -> None:
        """A part does not work, or works again."""


async def supervised(
    code: str,
    open_: Callable[[], T],
    use: Callable[[T], Awaitable[None]],
    faults: Faults,
) -> None:
    """Open a part, trying again until it is there, and use it until it ends.

    Raises:
        DriverError: the part was there and is lost.
    """
    failures = 0
    while True:
        try:
            part = open_()
        except DeviceMissing as error:
            if failures == 0:
                _log.error("%s: %s", code, error)
                faults.fault(code, present=True)
            wait_s = RETRIES_S[min(failures, len(RETRIES_S) - 1)]
            failures += 1
            await asyncio.sleep(wait_s)
            continue
        if failures:
            _log.warning("%s: there now, after %d attempts", code, failures + 1)
            faults.fault(code, present=False)
        await use(part)
        return
