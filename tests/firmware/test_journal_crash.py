"""A process that is killed and a disk that fills up, for real."""

import asyncio
import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.worker import JournalWorker
from tests.firmware.journal_rig import journal_at, log, opened, write
from tests.firmware.worker_rig import Told, commit, until, working

ROOT = Path(__file__).parent.parent.parent


def start_child(path: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.firmware.journal_child", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )


def test_a_killed_process_loses_nothing_that_was_done(tmp_path: Path) -> None:
    """Killed, not switched off: what the disk itself keeps is SQLite's `synchronous=FULL`."""
    path = tmp_path / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 0)
    chance = random.Random()
    done = 0
    for _ in range(4):
        child = start_child(path)
        assert child.stdout is not None
        said = child.stdout.readline()
        time.sleep(chance.uniform(0, 0.15))
        child.send_signal(signal.SIGKILL)
        said += child.stdout.read()
        child.stdout.close()
        assert child.wait() == -signal.SIGKILL
        acknowledged = [int(line) for line in said.split(b"\n")[:-1]]
        assert acknowledged == list(range(done + 1, acknowledged[-1] + 1))
        with journal_at(path) as journal:
            records = journal.records("m1")
        assert len(records) > acknowledged[-1]
        assert records == log(len(records) - 1)
        done = len(records) - 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with 300 kB of room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may make a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_fills_up_and_is_freed(small_disk: Path) -> None:
    path = small_disk / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 0)
    ballast = small_disk / "ballast"

    def fill() -> None:
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))

    async def test(worker: JournalWorker, told: Told) -> None:
        await commit(worker, 1)[0]
        fill()
        futures = commit(worker, *range(2, 61))
        await until(lambda: told.words)
        ballast.unlink()
        assert await asyncio.gather(*futures) == list(range(2, 61))

    told = working(path, test)
    assert told.words[-1] == "recovered"
    with journal_at(path) as journal:
        assert journal.records("m1") == log(60)


def test_a_full_disk_at_the_start_is_named_and_damages_nothing(small_disk: Path) -> None:
    path = small_disk / "journal.db"
    (small_disk / "ballast").write_bytes(bytes(299 * 1024))
    with pytest.raises(JournalError, match=r"journal\.db: "):
        Journal.open(path)
    (small_disk / "ballast").unlink()
    with journal_at(path) as journal:
        write(journal, "m1", 3)
    with contextlib.suppress(OSError), (small_disk / "ballast").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1024))
    with contextlib.suppress(JournalError, sqlite3.OperationalError), opened(path) as (_, damage):
        assert damage is None
    (small_disk / "ballast").unlink()
    with journal_at(path) as journal:
        assert journal.records("m1") == log(3)
