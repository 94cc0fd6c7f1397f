"""The one thread that writes the journal, so that nothing in the loop ever waits for the disk.

Records that wait are committed together. While the journal cannot be opened, or the disk fails,
they are kept in order and tried again, and the listener is told; other work keeps its place among
them.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.schema import Row, disk_trouble, encoded
from rules.record import Record

FIRST_RETRY_S = 0.1
"""The wait after the first failure; each further one is twice as long."""

LAST_RETRY_S = 2.0
"""The longest wait between two attempts."""

T = TypeVar("T")


class DiskListener(Protocol):
    """Is told how the disk does; all calls come in the loop."""

    def committed(self, records: int, took_s: float) -> None:
        """A transaction with so many records is on disk, and how long that took."""

    def failing(self, reason: str) -> None:
        """The disk refuses; what waits is kept and tried again. Told once."""

    def recovered(self) -> None:
        """The disk works again."""


class _Job:
    """Something to do, and the future that waits for it; rows that wait are one transaction."""

    def __init__(
        self, future: "asyncio.Future[Any]", row: Row | None, work: Callable[[Journal], Any]
    ) -> None:
        self.future, self.row, self.work = future, row, work


Outcome: TypeAlias = "tuple[asyncio.Future[Any], Any, BaseException | None]"


class JournalWorker:
    """Owns the thread and, in it, the journal; made and used in a running loop.

    `opening` opens the journal, in the thread; it is tried again while it raises.
    """

    def __init__(
        self, opening: Callable[[], Journal], listener: DiskListener | None = None
    ) -> None:
        self._opening, self._listener = opening, listener
        self._journal: Journal | None = None
        self._loop = asyncio.get_running_loop()
        self._jobs: deque[_Job] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def commit(self, match_id: str, record: Record, rulebook: str) -> "asyncio.Future[int]":
        """Put a record on disk; done, with its seq there, once it is.

        `rulebook` is the one it was judged by. The future fails with `RecordRefused` for a
        record that does not follow the last one, and with `JournalError` when the journal
        cannot go on, or was closed before the disk would take it.

        Raises:
            BadNotation: the record cannot be written.
        """
        row = encoded(match_id, record, rulebook)
        future: asyncio.Future[int] = self._loop.create_future()
        self._put(_Job(future, row, lambda journal: journal.write([row])[0]))
        return future

    def call(self, work: Callable[[Journal], T]) -> "asyncio.Future[T]":
        """Do something else with the journal, after all that was asked before.

        While the disk fails, `work` is done again until it succeeds. What else it raises comes
        out of the future.
        """
        future: asyncio.Future[T] = self._loop.create_future()
        self._put(_Job(future, None, work))
        return future

    async def close(self) -> int:
        """Write what can be written, end the thread, close the journal.

        Gives back how many records and calls the disk did not take; while it fails there is one
        last attempt. Safe to call again.
        """
        return await asyncio.to_thread(self.end)

    def end(self) -> int:
        """What `close` does, where there is no loop any more; blocks."""
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        self._thread.join()
        return len(self._jobs)

    def _put(self, job: _Job) -> None:
        with self._wake:
            if self._stopping:
                job.future.set_exception(JournalError("the journal was closed"))
                return
            self._jobs.append(job)
            self._wake.notify_all()

    def _run(self) -> None:
        """The thread: first come, first served, until it is stopped and nothing waits."""
        wait_s = FIRST_RETRY_S
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._jobs or self._stopping or not self._journal)
                stopping = self._stopping
                batch = self._next()
            if stopping and not batch:
                break
            trouble = self._open() or (self._did(batch) if batch else None)
            if trouble is None:
                wait_s = FIRST_RETRY_S
            elif stopping:
                self._give_up(trouble)
                break
            else:
                with self._wake:
                    self._wake.wait_for(lambda: self._stopping, wait_s)
                wait_s = min(2 * wait_s, LAST_RETRY_S)
        if self._journal is not None:
            self._journal.close()

    def _open(self) -> BaseException | None:
        """Open the journal where it is not open yet; or why it cannot be."""
        if self._journal is None:
            try:
                self._journal = self._opening()
            except Exception as error:  # noqa: BLE001 -- the listener is told
                self._fail(error)
                return error
            self._recover()
        return None

    def _next(self) -> list[_Job]:
        """All records at the front of the queue, or one call; they stay there until done."""
        batch: list[_Job] = []
        for job in self._jobs:
            if batch and (job.row is None or batch[0].row is None):
                break
            batch.append(job)
        return batch

    def _did(self, batch: list[_Job]) -> BaseException | None:
        """Do what a batch asks and say so; or what the disk said, when nothing was done."""
        assert self._journal is not None
        rows = [job.row for job in batch if job.row is not None]
        started = time.perf_counter()
        try:
            results = self._journal.write(rows) if rows else [batch[0].work(self._journal)]
        except Exception as error:  # noqa: BLE001 -- whoever waits for the future is told
            if disk_trouble(error):
                self._fail(error)
                return error
            if len(batch) > 1:
                return self._did(batch[:1])
            self._done([(batch[0].future, None, self._told(error))])
            return None
        took_s = time.perf_counter() - started
        self._recover()
        if self._listener is not None and rows:
            self._in_loop(self._listener.committed, len(rows), took_s)
        self._done([(job.future, result, None) for job, result in zip(batch, results, strict=True)])
        return None

    def _told(self, error: Exception) -> Exception:
        """An error of SQLite in the words of the journal."""
        if type(error).__module__ == "sqlite3":
            told = JournalError(f"the journal cannot go on ({error}); start again")
            told.__cause__ = error
            return told
        return error

    def _done(self, outcomes: list[Outcome]) -> None:
        with self._wake:
            for _ in outcomes:
                self._jobs.popleft()
        self._in_loop(_resolve, outcomes)

    def _fail(self, error: BaseException) -> None:
        if not self._failing:
            self._failing = True
            if self._listener is not None:
                self._in_loop(self._listener.failing, str(error))

    def _recover(self) -> None:
        if self._failing:
            self._failing = False
            if self._listener is not None:
                self._in_loop(self._listener.recovered)

    def _give_up(self, trouble: BaseException) -> None:
        """Nothing more can be written; all that waits is told."""
        error = JournalError(f"the journal was closed unwritten ({trouble})")
        with self._wake:
            futures = [job.future for job in self._jobs]
        self._in_loop(_give_up, futures, error)

    def _in_loop(self, call: Callable[..., None], *args: Any) -> None:
        """Let the loop make a call; a loop that is closed waits for nothing."""
        try:
            self._loop.call_soon_threadsafe(call, *args)
        except RuntimeError:
            if not self._loop.is_closed():
                raise


def _give_up(futures: "list[asyncio.Future[Any]]", error: JournalError) -> None:
    """Tell whoever still waits; `end` says how many there are, so that none goes unheard."""
    for future in futures:
        if not future.done():
            future.set_exception(error)
            future.exception()


def _resolve(outcomes: list[Outcome]) -> None:
    for future, result, error in outcomes:
        if future.done():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
