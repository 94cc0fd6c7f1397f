"""Codes cannot be guessed in time, and no secret is told to whoever reads along."""

import asyncio
import logging
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from drivers.broker import BrokerConfig
from firmware.commands import KeyPress, PairPhone
from firmware.config.config import BrokerSettings
from firmware.devices.phones import CODE_S, CODES, LONGEST_S, SHOW_EVERY_S, TRIES, VOID, Phones
from firmware.i18n import load_language
from tests.firmware.pad_rig import Desk
from tests.firmware.room import Room, in_room
from tests.ports import free_port

SECRET = "tr0mbeta-de-varas"
DAY_S = 86_400


class Board:
    """Phones at a table, and the codes that its board shows."""

    def __init__(self) -> None:
        self.desk, self.codes = Desk(pads=(("phone", "scorer"),)), [""]
        chance = random.Random(7)
        self.phones = Phones(
            self.desk.pads,
            _keymap,
            self.desk.clock,
            chance=chance.randrange,
            show=self.codes.append,
            view=_View,  # type: ignore[arg-type]
            language=load_language,
        )

    def ask(self, code: str = "") -> str | None:
        return self.phones.pair(PairPhone(id="x", code=code)).error

    def wait(self, s: float) -> None:
        self.desk.clock.ns += round(s * 1e9)


class _View:
    keys: tuple[tuple[str, str], ...] = ()


def _keymap() -> Any:
    from firmware.keys.keybook import PANELS
    from firmware.keys.keymap import Keymap, load_panel
    from rules.carom.words import NOTATION

    return Keymap(load_panel(PANELS / "carom-6.toml"), NOTATION)


def test_who_guesses_for_a_day_has_hardly_a_chance() -> None:
    """A stranger in the hall's network who asks as fast as he is let, day and night."""
    board, guesses, chance = Board(), 0, random.Random(1)
    for _ in range(DAY_S // SHOW_EVERY_S):
        if board.ask() is None:
            for _ in range(TRIES):
                guess = f"{chance.randrange(CODES):04}"
                assert guess != board.codes[-1], "by luck: take another seed"
                board.ask(guess)
                guesses += 1
        board.wait(SHOW_EVERY_S)
    assert 100 < guesses < CODES / 50


def test_after_wrong_codes_the_right_one_is_void_too() -> None:
    board = Board()
    assert board.ask() is None
    right = board.codes[-1]
    for _ in range(TRIES):
        board.ask("x")
    assert board.ask(right) == VOID


def test_a_code_lasts_a_minute_and_a_right_one_ends_the_wait() -> None:
    board = Board()
    for _ in range(12):
        assert board.ask() is None
        board.ask("x")
        board.wait(LONGEST_S)
    assert board.ask() is None
    assert board.ask() == "slow"
    assert board.ask(board.codes[-1]) is None
    board.wait(SHOW_EVERY_S)
    assert board.ask() is None, "whoever stands at the table waits no longer than before"
    board.wait(CODE_S)
    assert board.ask(board.codes[-1]) == VOID


def test_a_guessed_token_presses_nothing() -> None:
    async def run() -> None:
        board = Board()
        for _ in range(2):  # the second phone takes the place of the first
            board.ask()
            assert board.ask(board.codes[-1]) is None
            board.wait(SHOW_EVERY_S)
        for token in ("", "a", "é" * 32, "0" * 32):
            press = KeyPress(id="x", token=token, number=1, key="plus1")
            assert (await board.phones.press(press)).error == VOID
        assert board.desk.presses == []

    asyncio.run(run())


def test_a_password_stands_in_no_log_and_no_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Though the broker refuses, and everything is logged."""
    caplog.set_level(logging.DEBUG)
    file = tmp_path / "password"
    file.write_text(f"{SECRET}\n", "utf-8")
    broker = BrokerSettings(
        host="127.0.0.1", port=free_port(), username="mesa1", password_file=str(file)
    )

    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        await asyncio.sleep(1)
        assert SECRET not in repr(room.config)

    in_room(lambda: Room(tmp_path, more={"broker": broker}), test)
    assert SECRET not in caplog.text
    assert SECRET not in repr(BrokerConfig(host="x", client_id="y", password=SECRET))


def test_a_password_stands_in_no_list_of_processes(tmp_path: Path) -> None:
    file, config = tmp_path / "password", tmp_path / "1.toml"
    file.write_text(f"{SECRET}\n", "utf-8")
    config.write_text(
        f'schema = 1\njournal = "{tmp_path}/j.db"\n[broker]\nhost = "127.0.0.1"\n'
        f'port = {free_port()}\nusername = "mesa1"\npassword_file = "{file}"\n',
        "utf-8",
    )
    run = "import sys; from firmware.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", run, "run", "--config", str(config)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "LG_WD": str(tmp_path)},
    )
    try:
        deadline = time.monotonic() + 30
        while not (tmp_path / "j.db").exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        for name in ("cmdline", "environ"):
            assert SECRET.encode() not in Path(f"/proc/{process.pid}/{name}").read_bytes()
    finally:
        process.terminate()
        said, _ = process.communicate(timeout=30)
    assert SECRET.encode() not in said
