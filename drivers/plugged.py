"""A device that comes and goes: looked for until it is there, used until it is lost, and again."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from drivers.errors import DeviceMissing

LOOK_EVERY_S = 0.5
"""How often a device that is not there is looked for."""


class Closable(Protocol):
    """What opening a device gives."""

    def close(self) -> None:
        """Let go of it."""


D = TypeVar("D", bound=Closable)


async def kept_open(
    open_: Callable[[], D],
    use: Callable[[D], Awaitable[None]],
    missing: Callable[[str], None],
) -> None:
    """Open a device and use it, until cancelled, however often it is pulled out.

    Args:
        open_: opens it, on a thread of its own; raises `DeviceMissing` where it is not there.
        use: uses it until it is lost, and closes it.
        missing: told why it is not there, once for each reason.
    """
    told: str | None = None
    while True:
        try:
            device = await _opened(open_)
        except DeviceMissing as error:
            if told != str(error):
                told = str(error)
                missing(told)
            await asyncio.sleep(LOOK_EVERY_S)
            continue
        told = None
        await use(device)


async def _opened(open_: Callable[[], D]) -> D:
    opening = asyncio.create_task(asyncio.to_thread(open_))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        # The thread ends when it ends; what it has opened must not stay open.
        with contextlib.suppress(DeviceMissing):
            (await opening).close()
        raise
