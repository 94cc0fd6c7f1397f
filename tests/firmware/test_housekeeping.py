"""What others lost over night or with the power: matches that were prepared, settings."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.board.state import BoardState, write_board
from firmware.clock import SystemClock
from firmware.config.file import write
from firmware.records.backup import backed_up
from tests.firmware.journal_rig import journal_at
from tests.firmware.room import journal_words
from tests.firmware.test_desk import NEXT, App, on_app

DAY_MS = 24 * 3_600_000
BEFORE_MIDNIGHT_MS = 1_798_761_599_000
"""2026-12-31T23:59:59Z, a second before another day, month and year."""


class SetClock(SystemClock):
    """A clock that can be set."""

    ms = BEFORE_MIDNIGHT_MS

    def wall_ms(self) -> int:
        return self.ms


@pytest.mark.parametrize("moved_ms", [2_000, DAY_MS, 40 * DAY_MS, -3 * DAY_MS])
def test_midnight_takes_nothing_away_that_is_played_or_prepared(
    tmp_path: Path, moved_ms: int
) -> None:
    """Ask 113: a match finished, one in play, one prepared; then it is another day."""
    clock = SetClock()

    async def evening(app: App) -> None:
        assert (await app.ask("enter", act="+1", expect_seq=0)).error is None
        assert (await app.ask("abandon", expect_seq=1)).error is None
        assert (await app.ask("enter", act="+2", expect_seq=0)).error is None
        assert (await app.ask("next", **NEXT)).error is None
        clock.ms += moved_ms
        assert (await app.ask("enter", act="/", expect_seq=1)).error is None
        assert app.app._boards._state.coming is not None

    async def morning(app: App) -> None:
        assert app.app._boards._state.coming is not None
        assert (await app.ask("enter", act="+3", expect_seq=2)).error is None

    on_app(evening, tmp_path, clock=clock)
    on_app(morning, tmp_path, clock=clock)
    assert sorted(journal_words(tmp_path).values()) == [["+1"], ["+2", "/", "+3"]]


def board(folder: Path) -> Path:
    write_board(folder / "board.json", BoardState(brightness=3))
    return folder / "board.json"


def configuration(folder: Path) -> Path:
    write(folder / "1.toml", "schema = 1\n")
    return folder / "1.toml"


Done = list[tuple[str, str]]


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Done:
    """What was synced, and what took the place of another file, in order."""
    done: Done = []
    sync, replaced = os.fsync, os.replace

    def fsync(handle: int) -> None:
        sync(handle)
        done.append(("synced", os.readlink(f"/proc/self/fd/{handle}")))

    def replace(old: Any, new: Any) -> None:
        replaced(old, new)
        done.append(("replaced", str(old)))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(Path, "replace", replace)
    return done


@pytest.mark.parametrize("kept", [board, configuration])
def test_what_was_set_is_on_the_disk_before_that_is_said(
    tmp_path: Path, done: Done, kept: Callable[[Path], Path]
) -> None:
    """Ask 122: a new file is synced, then takes the old one's place, then that is synced."""
    file = kept(tmp_path)
    (new,) = {path for what, path in done if what == "replaced"}
    assert done == [("synced", new), ("replaced", new), ("synced", str(tmp_path))]
    assert file.exists()
    assert not Path(new).exists()


def test_a_copy_is_synced_under_its_new_name_too(tmp_path: Path, done: Done) -> None:
    """A stick that is pulled at once: on FAT a name leads nowhere before that."""
    with journal_at(tmp_path / "journal.db"):
        stick = Path("/dev/shm") / tmp_path.name
        stick.mkdir()
        try:
            copy = backed_up(tmp_path / "journal.db", stick, "1", 0, keep=1)
        finally:
            shutil.rmtree(stick)
    assert done[-3:] == [
        ("replaced", str(stick / "tacada-1.part")),
        ("synced", str(copy)),
        ("synced", str(stick)),
    ]
