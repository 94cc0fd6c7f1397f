"""A whole table whose disk is full, has become read-only or fails, by the kernel's own errors.

strace answers every write of the journal's files with the error, for as long as it is attached:
what fails is the real SQLite in the real table, in mid-match.
"""

import asyncio
import contextlib
import shutil
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.process import TableProcess, table_process
from tests.e2e.test_kill import keys_of_the_match
from tests.e2e.test_random_kills import seqs_in

WRITES = "write,pwrite64,pwritev,fsync,fdatasync,ftruncate,fallocate"


@contextlib.asynccontextmanager
async def failing(table: TableProcess, journal: Path, error: str) -> AsyncIterator[None]:
    """Nothing of the journal can be written meanwhile."""
    strace = shutil.which("strace")
    assert strace, "strace is missing: apt-get install strace"
    files = [f"{journal}{end}" for end in ("", "-wal", "-journal")]
    process = await asyncio.create_subprocess_exec(
        *(strace, "-f", "-p", str(table.pid), *(f"-P{file}" for file in files)),
        *("-e", f"trace={WRITES}", "-e", f"inject={WRITES}:error={error}"),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    said = b""
    while b"attached" not in said:
        said = await process.stderr.readline()
        assert said, "strace could not attach"
    drained = asyncio.create_task(process.stderr.read())
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):  # it ends with a table that is killed
            process.send_signal(signal.SIGINT)
        await process.wait()
        assert b"(INJECTED)" in await drained, "no write failed"


@pytest.mark.parametrize("error", ["ENOSPC", "EROFS", "EIO"])
def test_the_referee_goes_on_and_all_is_written_when_the_disk_is_back(
    error: str, tmp_path: Path
) -> None:
    keys, journal = keys_of_the_match(), tmp_path / "journal.db"

    async def run() -> None:
        async with table_process(journal, 0) as table:
            await table.answer("started")
            await table.press(keys[:3])
            before = await table.look()
            assert (before["saved"], before["faults"]) == (True, [])
            async with failing(table, journal, error):
                assert (await table.press(keys[3:6]))["seq"] == 6
                during = await table.look()
                assert (during["saved"], during["faults"]) == (False, ["DISK"])
                assert seqs_in(journal) == [0, 1, 2, 3]
            while not (after := await table.look())["saved"]:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            assert (after["seq"], after["faults"]) == (6, [])
            assert set(during["picture"]).isdisjoint(after["picture"]), "it looks as if saved"
            await table.press(keys[6:8])
            await table.kill()
        assert seqs_in(journal) == list(range(9))

    asyncio.run(run())


@pytest.mark.parametrize("error", ["ENOSPC", "EROFS", "EIO"])
def test_a_kill_while_the_disk_fails_loses_what_was_marked_as_not_saved_alone(
    error: str, tmp_path: Path
) -> None:
    keys, journal = keys_of_the_match(), tmp_path / "journal.db"

    async def run() -> None:
        async with table_process(journal, 0) as table:
            await table.answer("started")
            saved = await table.press(keys[:4])
            async with failing(table, journal, error):
                await table.press(keys[4:6])
                assert not (await table.look())["saved"]
                await table.kill()
        async with table_process(journal, 0) as table:
            assert await table.answer("started") == saved

    asyncio.run(run())
