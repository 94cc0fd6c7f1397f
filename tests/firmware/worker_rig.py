"""A committing thread at work, and a listener that remembers what it was told."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from firmware.journal.journal import Journal
from firmware.journal.worker import JournalWorker
from tests.firmware.journal_rig import AT_MS, record


class Told:
    """A listener that remembers, and checks that it is told in the loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.commits: list[int] = []
        self.took_s: list[float] = []
        self.words: list[str] = []

    def committed(self, records: int, took_s: float) -> None:
        assert asyncio.get_running_loop() is self.loop
        self.commits.append(records)
        self.took_s.append(took_s)

    def failing(self, reason: str) -> None:
        assert asyncio.get_running_loop() is self.loop
        self.words.append(f"failing: {reason}")

    def recovered(self) -> None:
        assert asyncio.get_running_loop() is self.loop
        self.words.append("recovered")


def working(path: Path, test: Callable[[JournalWorker, Told], Awaitable[None]]) -> Told:
    """Run a test with a worker on the journal at `path`, then close it; what was told."""

    async def run() -> Told:
        told = Told()
        worker = JournalWorker(lambda: Journal.open(path, at_ms=AT_MS)[0], told)
        try:
            async with asyncio.timeout(20):
                await test(worker, told)
        finally:
            await worker.close()
        return told

    return asyncio.run(run())


async def until(true: Callable[[], object]) -> None:
    """Wait for what another thread does."""
    while not true():  # noqa: ASYNC110 -- what is waited for sets no event
        await asyncio.sleep(0.01)


def commit(worker: JournalWorker, *seqs: int) -> "list[asyncio.Future[int]]":
    return [worker.commit("m1", record(seq), "ug") for seq in seqs]
