"""A table whose root cannot be written, but for the small partition that docs/install.md makes."""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from firmware.journal.journal import Journal
from tests.e2e.process import ROOT, TableProcess

_MOUNTS = """
set -eu
mount --make-rprivate /
mount --bind "$1" "$1"
for place in / /tmp /var; do
    ! mountpoint -q "$place" || mount -o remount,bind,ro "$place"
done
for place in /probe "$1/../probe"; do
    if touch "$place" 2>/dev/null; then exit 1; fi
done
cd "$2"
exec "$3" -W error -m tests.e2e.table_process "$1/1/journal.db" 0
"""
"""In a mount namespace of its own, which ends with the table: all is read-only but one folder."""


@contextlib.asynccontextmanager
async def read_only(writable: Path) -> AsyncIterator[TableProcess]:
    unshare = shutil.which("unshare")
    assert unshare, "unshare is missing: apt-get install util-linux"
    alone = [unshare, "--mount"] if os.getuid() == 0 else [unshare, "--map-root-user", "--mount"]
    process = await asyncio.create_subprocess_exec(
        *(*alone, "sh", "-c", _MOUNTS, "sh", str(writable), str(ROOT), sys.executable),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield TableProcess(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def test_a_match_is_played_killed_and_taken_up_on_a_root_that_is_read_only(tmp_path: Path) -> None:
    writable = tmp_path / "writable"
    (writable / "1").mkdir(parents=True)

    async def run() -> None:
        async with read_only(writable) as table:
            assert (await table.answer("started"))["seq"] == 0
            before = await table.press(["plus1", "plus1", "end"])
            assert before["seq"] == 3
            look = await table.look()
            await table.kill()
        async with read_only(writable) as table:
            assert await table.answer("started") == before
            assert await table.look() == look
            assert (await table.press(["plus1"]))["seq"] == 4
            assert await table.stop() == 0

    asyncio.run(run())
    assert not (tmp_path / "probe").exists()
    journal, damage = Journal.open(writable / "1" / "journal.db")
    with contextlib.closing(journal):
        assert damage is None
        row = journal.unfinished()
        assert row is not None
        assert len(journal.records(row.id)) == 5
