"""A life that fails tells why, and is not waited for: a silent one was once taken for a hang."""

import os
import random
import time
from pathlib import Path

import pytest

import firmware.app
from firmware.errors import ConfigError
from tests.kills import __main__ as kills


@pytest.fixture(autouse=True)
def _late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "STARTS", 0)


def lived(journal: Path) -> tuple[list[str], float]:
    """The lines of a life that may be killed, and how long it took."""
    began = time.monotonic()
    return kills.lived(journal, random.Random(1)), time.monotonic() - began


def test_a_killed_life_shows_what_it_saved(tmp_path: Path) -> None:
    lines, _ = lived(tmp_path / "journal.db")
    seqs = [int(line.split()[0]) for line in lines]
    assert seqs == sorted(seqs)
    assert seqs[0] == 0


def test_a_start_that_fails_names_its_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language's file changed under a running table: its start ended, and nobody was told."""

    def without(_: str) -> None:
        raise ConfigError(["pt.toml: there is no word clock_set"])

    monkeypatch.setattr(firmware.app, "load_setup_words", without)
    lines, took_s = lived(tmp_path / "journal.db")
    assert "there is no word clock_set" in lines[0]
    assert took_s < kills.HANGS_S


def test_a_process_that_ends_without_a_word_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills, "TableApp", lambda *_: os._exit(1))
    lines, took_s = lived(tmp_path / "journal.db")
    assert lines == ["ended without a word\n"]
    assert took_s < kills.HANGS_S


def test_a_start_that_hangs_says_what_it_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop idle, or stuck itself: the line of the program where it stands is told."""
    monkeypatch.setattr(kills, "GIVEN_UP_S", 1)
    monkeypatch.setattr(kills, "TableApp", lambda *_: time.sleep(60))
    lines, _ = lived(tmp_path / "journal.db")
    assert any("test_lives.py" in line for line in lines)


def test_a_start_that_fails_counts_as_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills, "lived", lambda *_: ["ended ConfigError('no word')\n"])
    wrong: list[str] = []
    assert kills.match(tmp_path / "journal.db", random.Random(1), {}, 1, wrong) == 1
    assert "no word" in wrong[0]


def test_a_life_killed_while_it_starts_has_nothing_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills, "STARTS", 1)
    monkeypatch.setattr(kills, "LONGEST_S", 0.001)
    assert lived(tmp_path / "journal.db")[0] == []
    wrong: list[str] = []
    monkeypatch.setattr(kills, "LONGEST_S", 0.3)
    kills.match(tmp_path / "journal.db", random.Random(2), {}, 12, wrong)
    assert not [one for one in wrong if "by itself" in one or "damage" in one.lower()]
