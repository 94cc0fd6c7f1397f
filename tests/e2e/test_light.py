"""Asks 91 and 92: what a board's chips hold when `tacada run` starts, stops, is killed and returns.

The program is the real one. In the place of the package spidev stands one that writes each transfer
to a file; chips that outlive the program are told them all.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from drivers.fakes import FakeChain
from drivers.ports import Picture
from firmware.board.layout import load_layout
from firmware.board.render import render_boot
from firmware.i18n import load_language
from rules.rulebooks.shelf import RULEBOOKS
from tests.drivers.chains import plain_places

SPIDEV = """
import os

class SpiDev:
    max_speed_hz = 0

    def open(self, port, device):
        self._file = open(os.environ["TRANSFERS"], "ab", buffering=0)

    def writebytes(self, data):
        self._file.write(bytes(data).hex().encode() + b"\\n")

    def close(self):
        self._file.close()
"""

LEVEL, WAIT_S = 6, 30


class Chips:
    """The chips of a board of 64 × 16, and everything that one saw on them, in order."""

    def __init__(self, transfers: Path) -> None:
        self._transfers, self._read = transfers, 0
        self.seen: list[tuple[Picture, int]] = []
        self._chain = FakeChain(plain_places(8, 2, -90), self._look)

    def _look(self, chain: FakeChain) -> None:
        self.seen.append((chain.picture(), chain.brightness()))

    def told(self) -> None:
        """Take what has been written since."""
        lines = self._transfers.read_text().split("\n")[:-1]
        for line in lines[self._read :]:
            self._chain.data(bytes.fromhex(line))
        self._read = len(lines)

    def until(self, met: Callable[[Picture], bool], after: int) -> int:
        """Wait for a picture; how many had been seen before it."""
        ends = time.monotonic() + WAIT_S
        while time.monotonic() < ends:
            self.told()
            for nth, (picture, _) in enumerate(self.seen[after:], start=after):
                if met(picture):
                    return nth
            time.sleep(0.05)
        raise AssertionError(f"not shown in time:\n{self._chain.picture().text()}")

    @property
    def picture(self) -> Picture:
        return self._chain.picture()


def test_each_start_stop_and_kill_leaves_a_defined_picture(tmp_path: Path) -> None:
    (tmp_path / "spidev.py").write_text(SPIDEV)
    table, transfers = tmp_path / "table.toml", tmp_path / "transfers"
    transfers.touch()
    table.write_text(
        f'schema = 1\nlanguage = "en"\njournal = "{tmp_path}/journal.db"\n'
        f"[board]\ncontrast = {LEVEL}\n[panel]\nenabled = false\n"
    )
    dark, chips = Picture.blank(64, 16), Chips(transfers)

    def started() -> "subprocess.Popen[bytes]":
        env = os.environ | {"TRANSFERS": str(transfers), "PYTHONPATH": str(tmp_path)}
        tacada = Path(sys.executable).parent / "tacada"
        return subprocess.Popen([tacada, "run", "--config", str(table)], env=env)

    layout, language = load_layout("64x16"), load_language("en")
    boot = render_boot(layout, language, version("tacada"), tuple(RULEBOOKS))
    for end in (signal.SIGTERM, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
        before, seen = chips.picture, len(chips.seen)
        process = started()
        try:
            booted = chips.until(lambda picture: picture == boot, seen)
            chips.until(lambda picture: picture not in (boot, dark), booted)
            time.sleep(1)  # more than a refresh
        finally:
            process.send_signal(end)
            process.wait(WAIT_S)
        chips.told()
        pictures = [picture for picture, _ in chips.seen[seen:]]
        assert all(level <= LEVEL for _, level in chips.seen[seen:])
        until_dark = pictures[: pictures.index(dark)]
        assert all(_only_goes_out(picture, before) for picture in until_dark)
        assert pictures.index(dark) < pictures.index(boot)
        assert (chips.picture == dark) is (end is signal.SIGTERM)


def _only_goes_out(picture: Picture, before: Picture) -> bool:
    """Whether nothing is lit that was dark before."""
    return all(not now & ~old for now, old in zip(picture.rows, before.rows, strict=True))
