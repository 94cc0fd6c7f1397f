"""At a broker until told to stop, with a goodbye for who is there to hear it."""

import asyncio
from collections.abc import Awaitable, Callable

from drivers.ports import Broker, Session

GOODBYE_S = 1.0
"""How long a broker may take to hear that we are going."""


async def serve_until(
    stopping: asyncio.Event, broker: Broker, use: Callable[[Session], Awaitable[None]]
) -> None:
    """Be served by a broker until `stopping`, which `use` has to heed too: it says goodbye.

    Where none is connected at that moment there is nobody to say goodbye to, and it ends at once.
    """
    used = False

    async def using(session: Session) -> None:
        nonlocal used
        used = True
        try:
            await use(session)
        finally:
            used = False

    serving = asyncio.create_task(broker.serve(using))
    told = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait([serving, told], return_when=asyncio.FIRST_COMPLETED)
        if used:
            await asyncio.wait([serving], timeout=GOODBYE_S)
    finally:
        for task in (serving, told):
            task.cancel()
        await asyncio.gather(serving, told, return_exceptions=True)
    if not serving.cancelled():
        serving.result()
