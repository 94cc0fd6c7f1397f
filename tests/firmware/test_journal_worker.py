"""The committing thread: together, in order, once, whatever the disk does."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.errors import JournalError, RecordRefused
from firmware.journal import worker as journal_worker
from firmware.journal.journal import Journal
from firmware.journal.worker import JournalWorker
from rules.entries import Adjust
from rules.errors import BadNotation
from rules.record import Record
from tests.firmware.journal_rig import journal_at, log, raw, record, write
from tests.firmware.worker_rig import Told, commit, until, working


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 0)
    return path


def hold(worker: JournalWorker) -> threading.Event:
    """Keep the thread busy until the event is set, so that what comes meanwhile waits."""
    free = threading.Event()
    worker.call(lambda _: free.wait(20))
    return free


def disk_is(worker: JournalWorker, *, full: bool) -> None:
    """Let no page be added to the file any more, or let it; from the thread's own side."""
    pages = 1 if full else 1_000_000
    journal = worker._journal
    assert journal is not None
    journal._db.execute(f"PRAGMA max_page_count = {pages}")


BIG = "x" * 20_000
"""More than fits on the pages that a journal has."""


def big(seq: int) -> Record:
    return record(seq, number=f"{BIG}.{seq}")


def test_what_is_done_is_on_disk(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        for seq in range(1, 6):
            assert await commit(worker, seq)[0] == seq
            assert raw(path, "SELECT max(seq) FROM records") == [(seq,)]
        assert told.commits == [1] * 5
        assert all(0 < took_s < 20 for took_s in told.took_s)

    working(path, test)


def test_all_that_waits_is_one_transaction(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        free = hold(worker)
        futures = commit(worker, *range(1, 51))
        free.set()
        assert await asyncio.gather(*futures) == list(range(1, 51))
        assert told.commits == [50]

    working(path, test)


def test_the_loop_goes_on_while_the_disk_is_slow(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        free = hold(worker)
        (future,) = commit(worker, 1)
        for _ in range(20):
            await asyncio.sleep(0)
        assert not future.done()
        free.set()
        assert await future == 1

    working(path, test)


def test_calls_keep_their_place_among_records(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        def last(journal: Journal) -> int:
            return journal.records("m1")[-1].seq

        free = hold(worker)
        early = commit(worker, 1, 2)
        middle = worker.call(last)
        late = commit(worker, 3)
        end = worker.call(last)
        free.set()
        assert await asyncio.gather(middle, end, *early, *late) == [2, 3, 1, 2, 3]
        assert told.commits == [2, 1]

    working(path, test)


def test_what_a_call_raises_comes_out_and_the_thread_lives(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        with pytest.raises(ZeroDivisionError):
            await worker.call(lambda _: 1 // 0)
        with pytest.raises(JournalError, match="no such table"):
            await worker.call(lambda journal: journal._db.execute("SELECT * FROM nowhere"))
        assert await commit(worker, 1)[0] == 1

    assert working(path, test).words == []


def test_a_refused_record_takes_no_other_with_it(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        free = hold(worker)
        futures = commit(worker, 1, 2, 7, 3)
        free.set()
        results = await asyncio.gather(*futures, return_exceptions=True)
        assert isinstance(results[2], RecordRefused)
        assert [results[0], results[1], results[3]] == [1, 2, 3]

    working(path, test)
    with journal_at(path) as journal:
        assert journal.records("m1") == log(3)


def test_what_cannot_be_written_is_refused_at_once(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        wrong = Record(1, (Adjust((("score", "1/0"),), "two words"),))
        with pytest.raises(BadNotation):
            worker.commit("m1", wrong, "ug")

    working(path, test)


def test_what_is_sent_again_acts_once(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        free = hold(worker)
        futures = commit(worker, 1, 2, 1, 2, 3)
        free.set()
        assert await asyncio.gather(*futures) == [1, 2, 1, 2, 3]

    working(path, test)
    with journal_at(path) as journal:
        assert journal.records("m1") == log(3)


def test_a_cancelled_wait_takes_nothing_back(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        free = hold(worker)
        first, second = commit(worker, 1, 2)
        first.cancel()
        free.set()
        assert await second == 2

    working(path, test)
    with journal_at(path) as journal:
        assert journal.records("m1") == log(2)


def test_a_full_disk_keeps_everything_waiting_in_order(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_worker, "FIRST_RETRY_S", 0.01)
    expected = [log(0)[0], *(big(seq) for seq in range(1, 4)), record(4)]

    async def test(worker: JournalWorker, told: Told) -> None:
        await worker.call(lambda _: disk_is(worker, full=True))
        futures = [worker.commit("m1", big(seq), "ug") for seq in (1, 2)]
        await until(lambda: told.words)
        call = worker.call(lambda journal: journal.advance("m1", 2))
        futures.append(worker.commit("m1", big(3), "ug"))
        await asyncio.sleep(0.1)
        assert not any(future.done() for future in futures)
        assert not call.done()
        assert len(told.words) == 1
        assert "full" in told.words[0]
        disk_is(worker, full=False)
        assert await asyncio.gather(*futures) == [1, 2, 3]
        await call
        assert told.words[1:] == ["recovered"]
        assert await worker.commit("m1", record(4), "ug") == 4

    working(path, test)
    with journal_at(path) as journal:
        assert journal.records("m1") == expected
        assert journal.cursor("m1") == 2


def test_waits_between_attempts_grow_to_a_limit(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []
    monkeypatch.setattr(journal_worker, "LAST_RETRY_S", 0.9)

    async def test(worker: JournalWorker, told: Told) -> None:
        wait_for = threading.Condition.wait_for

        def noted(
            self: threading.Condition, ready: Callable[[], object], timeout: float | None = None
        ) -> object:
            if timeout is not None and threading.current_thread() is worker._thread:
                waits.append(timeout)
                timeout = 0.001
            return wait_for(self, ready, timeout)

        monkeypatch.setattr(threading.Condition, "wait_for", noted)
        await worker.call(lambda _: disk_is(worker, full=True))
        future = worker.commit("m1", big(1), "ug")
        await until(lambda: len(waits) >= 6)
        disk_is(worker, full=False)
        await future

    working(path, test)
    assert waits[:6] == [0.1, 0.2, 0.4, 0.8, 0.9, 0.9]


def test_closing_writes_what_waits(path: Path) -> None:
    async def run() -> None:
        worker = JournalWorker(lambda: Journal.open(path)[0])
        free = hold(worker)
        futures = commit(worker, *range(1, 31))
        closing = asyncio.create_task(worker.close())
        await asyncio.sleep(0)
        free.set()
        assert await closing == 0
        assert [future.result() for future in futures] == list(range(1, 31))
        with pytest.raises(JournalError, match="was closed"):
            await worker.commit("m1", record(31), "ug")
        assert await worker.close() == 0

    asyncio.run(run())
    assert [file.name for file in path.parent.iterdir()] == ["journal.db"]
    with journal_at(path) as journal:
        assert journal.records("m1") == log(30)


def test_closing_on_a_full_disk_says_what_was_not_written(path: Path) -> None:
    async def run() -> None:
        told = Told()
        worker = JournalWorker(lambda: Journal.open(path)[0], told)
        await commit(worker, 1)[0]
        await worker.call(lambda _: disk_is(worker, full=True))
        futures = [worker.commit("m1", big(seq), "ug") for seq in (2, 3)]
        await until(lambda: told.words)
        assert await worker.close() == 2
        for future in futures:
            with pytest.raises(JournalError, match=r"closed unwritten .*full"):
                future.result()

    asyncio.run(run())
    with journal_at(path) as journal:
        assert journal.records("m1") == log(1)


def test_a_loop_that_is_gone_stops_no_record(path: Path) -> None:
    kept: list[JournalWorker] = []
    free = threading.Event()

    async def run() -> None:
        worker = JournalWorker(lambda: Journal.open(path)[0], Told())
        kept.append(worker)
        worker.call(lambda _: free.wait(20))
        commit(worker, *range(1, 11))

    asyncio.run(run())
    free.set()
    assert kept[0].end() == 0
    with journal_at(path) as journal:
        assert journal.records("m1") == log(10)


def test_a_damaged_file_ends_the_wait_with_an_error(path: Path) -> None:
    async def test(worker: JournalWorker, told: Told) -> None:
        def damage(journal: Journal) -> None:
            journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            size = path.stat().st_size
            with path.open("r+b") as file:
                file.seek(4096)
                file.write(b"\xff" * (size - 4096))
            journal._db.execute("PRAGMA shrink_memory")

        await commit(worker, 1)[0]
        await worker.call(damage)
        with pytest.raises(JournalError, match="cannot go on"):
            await worker.commit("m1", record(2), "ug")

    assert working(path, test).words == []
