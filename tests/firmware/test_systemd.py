"""What systemd hears, and the unit as systemd reads it."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.systemd import Systemd

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "tacada.service"


@pytest.mark.parametrize("abstract", [False, True])
def test_a_unit_hears_that_the_table_is_ready_and_lives(tmp_path: Path, abstract: bool) -> None:
    name = f"@tacada-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as unit:
        unit.bind("\0" + name[1:] if abstract else name)
        unit.settimeout(2)
        systemd = Systemd({"NOTIFY_SOCKET": name})
        systemd.ready()
        systemd.alive()
        systemd.status("table 3, 12-9")
        systemd.stopping()
        heard = [unit.recv(100).decode() for _ in range(4)]
    assert heard == ["READY=1", "WATCHDOG=1", "STATUS=table 3, 12-9", "STOPPING=1"]


def test_outside_a_unit_nothing_is_said(tmp_path: Path) -> None:
    Systemd({}).ready()
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).alive()


@pytest.mark.parametrize(
    ("environment", "every_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "9000000"}, 3.0),
        ({"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": str(os.getpid())}, 3.0),
        ({"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_fed_three_times_in_its_time(
    environment: dict[str, str], every_s: float | None
) -> None:
    assert Systemd(environment).watchdog_s == every_s


def test_systemd_reads_the_unit_without_complaint(tmp_path: Path) -> None:
    """On a copy that starts what is installed here: verify wants the program to exist."""
    verify = shutil.which("systemd-analyze")
    assert verify, "systemd-analyze is missing: sudo apt install systemd"
    program = Path(sys.executable).parent / "tacada"
    text = UNIT.read_text("utf-8")
    assert "ExecStart=/opt/tacada/.venv/bin/tacada run" in text
    copy = tmp_path / "tacada.service"
    copy.write_text(text.replace("/opt/tacada/.venv/bin/tacada", f'"{program}"'), "utf-8")
    done = subprocess.run(
        [verify, "verify", "--man=no", "--recursive-errors=no", str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
