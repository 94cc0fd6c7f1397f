"""A table that a test starts, until it shows a score."""

import asyncio

from firmware.app import TableApp

WITHIN_S = 30


async def started(app: TableApp) -> "asyncio.Task[None]":
    """Run a table; gives the task that it runs in, once there is a score.

    A table that ends before that ends the test with what it ended with, and one that never shows
    anything with a timeout.
    """
    shown = asyncio.Event()
    app.watch(lambda view: shown.set() if view.line is not None else None)
    running = asyncio.create_task(app.run())
    waiting = asyncio.create_task(shown.wait())
    try:
        async with asyncio.timeout(WITHIN_S):
            await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
    if running.done():
        running.result()
        raise AssertionError("the table has ended by itself")
    return running
