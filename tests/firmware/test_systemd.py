"""What systemd hears, and the unit as systemd reads it."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.systemd import Systemd

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "systemd"
UNIT = UNITS / "tacada@.service"


@pytest.mark.parametrize("abstract", [False, True])
def test_a_unit_hears_that_the_table_is_ready_and_lives(tmp_path: Path, abstract: bool) -> None:
    name = f"@tacada-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as unit:
        unit.bind("\0" + name[1:] if abstract else name)
        unit.settimeout(2)
        systemd = Systemd({"NOTIFY_SOCKET": name})
        systemd.ready()
        systemd.alive()
        systemd.stopping()
        heard = [unit.recv(100).decode() for _ in range(3)]
    assert heard == ["READY=1", "WATCHDOG=1", "STOPPING=1"]


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


def rendered(folder: Path, name: str, *dropins: str) -> Path:
    """The unit, with drop-ins, starting what is installed here: verify wants a program to exist."""
    program = Path(sys.executable).parent / "tacada"
    text = UNIT.read_text("utf-8")
    assert "ExecStart=/opt/tacada/.venv/bin/tacada run --config /etc/tacada/%i.toml" in text
    copy = folder / name
    text = text.replace("/opt/tacada/.venv/bin/tacada", f'"{program}"')
    copy.write_text("\n".join([text, *(dropin(one) for one in dropins)]), "utf-8")
    return copy


def dropin(name: str) -> str:
    return (UNITS / name).read_text("utf-8")


def analyzed(*command: str | Path) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    assert tool, "systemd-analyze is missing: sudo apt install systemd"
    return subprocess.run([tool, *command], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("dropins", [(), ("local-broker.conf",)])
def test_systemd_reads_the_unit_without_complaint(tmp_path: Path, dropins: tuple[str, ...]) -> None:
    copy = rendered(tmp_path, "tacada@1.service", *dropins)
    done = analyzed("verify", "--man=no", "--recursive-errors=no", copy)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def exposure(unit: Path) -> float:
    """What `systemd-analyze security` makes of a unit, from 0 (safe) to 10."""
    said = analyzed("security", "--offline=true", "--no-pager", unit).stdout
    found = re.search(r"Overall exposure level for .*: ([0-9.]+)", said)
    assert found, said
    return float(found[1])


def test_how_little_a_table_can_do(tmp_path: Path) -> None:
    assert exposure(rendered(tmp_path, "tacada@.service")) <= 1.2


def test_a_table_without_network_can_do_next_to_nothing(tmp_path: Path) -> None:
    assert exposure(rendered(tmp_path, "tacada@.service", "local-broker.conf")) <= 0.5


@pytest.mark.parametrize("name", ["tacada-hall@", "tacada-web"])
def test_what_follows_a_hall_starts_by_itself_and_can_do_little(tmp_path: Path, name: str) -> None:
    """The board and the pages of a hall, back after each power cut."""
    text = dropin(f"{name}.service")
    (start,) = [one for one in text.splitlines() if one.startswith("ExecStart=")]
    program, command, *_ = start.removeprefix("ExecStart=").split()
    assert (program, command) == ("/opt/tacada/.venv/bin/tacada", name[7:].rstrip("@"))
    assert "Restart=always" in text
    assert "WantedBy=multi-user.target" in text
    here = f'"{Path(sys.executable).parent / "tacada"}"'
    copy = tmp_path / f"{name}.service"
    copy.write_text(text.replace(program, here), "utf-8")
    instance = tmp_path / f"{name.replace('@', '@wall')}.service"
    instance.write_text(copy.read_text("utf-8"), "utf-8")
    done = analyzed("verify", "--man=no", "--recursive-errors=no", instance)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert exposure(copy) <= 1.2


def test_a_broker_that_is_hardened_too(tmp_path: Path) -> None:
    """Debian ships it as a service of root that may do nearly all: 9.6."""
    plain = "[Service]\nType=notify\nExecStart=/bin/true\n"
    unit = tmp_path / "mosquitto.service"
    unit.write_text(plain, "utf-8")
    before = exposure(unit)
    unit.write_text(plain + dropin("mosquitto-hardened.conf"), "utf-8")
    assert before > 9
    assert exposure(unit) <= 1.2


def test_systemd_reads_the_units_of_the_off_key_without_complaint(tmp_path: Path) -> None:
    for kind in ("path", "service"):
        (tmp_path / f"tacada-off@1.{kind}").write_text(dropin(f"tacada-off@.{kind}"), "utf-8")
    for kind in ("path", "service"):
        done = analyzed(
            "verify", "--man=no", "--recursive-errors=no", tmp_path / f"tacada-off@1.{kind}"
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_off_key_leaves_the_file_that_its_unit_waits_for(tmp_path: Path) -> None:
    assert not Systemd({}).power_off()
    assert not Systemd({"RUNTIME_DIRECTORY": str(tmp_path / "none")}).power_off()
    assert Systemd({"RUNTIME_DIRECTORY": str(tmp_path)}).power_off()
    (path,) = [one for one in dropin("tacada-off@.path").splitlines() if one.startswith("PathE")]
    assert path == "PathExists=/run/tacada/%i/off"
    assert (tmp_path / Path(path).name).exists()
    assert "RuntimeDirectory=tacada/%i" in UNIT.read_text("utf-8")


def test_systemd_reads_the_units_of_the_clock_without_complaint(tmp_path: Path) -> None:
    for kind in ("path", "service"):
        (tmp_path / f"tacada-time@1.{kind}").write_text(dropin(f"tacada-time@.{kind}"), "utf-8")
    for kind in ("path", "service"):
        done = analyzed(
            "verify", "--man=no", "--recursive-errors=no", tmp_path / f"tacada-time@1.{kind}"
        )
        assert (done.returncode, done.stderr) == (0, "")
    assert exposure(tmp_path / "tacada-time@1.service") <= 3


def test_a_wish_for_another_time_is_taken_back_where_nobody_grants_it(tmp_path: Path) -> None:
    assert not Systemd({}).sets_clock
    assert not Systemd({"RUNTIME_DIRECTORY": str(tmp_path / "none")}).set_clock("2026-12-31 18:05")
    systemd = Systemd({"RUNTIME_DIRECTORY": str(tmp_path)})
    assert systemd.set_clock("2026-12-31 18:05")
    assert (tmp_path / "time").read_text("ascii") == "2026-12-31 18:05\n"
    assert systemd.clock_is_asked()
    assert not (tmp_path / "time").exists()
    assert not systemd.clock_is_asked()


@pytest.mark.parametrize(
    ("content", "set_to"),
    [
        ("2026-12-31 18:05\n", "-s 2026-12-31 18:05\n"),
        ("2026-12-31 18:05; touch pwned\n", None),
        ("$(touch pwned)\n", None),
        ("2026-12-31 18:05\nmore\n", "-s 2026-12-31 18:05\n"),
        ("\n", None),
        ("", None),
    ],
)
def test_what_sets_the_clock_takes_a_date_and_time_and_nothing_else(
    tmp_path: Path, content: str, set_to: str | None
) -> None:
    """The unit's own command, with a `date` that only writes down what it is told."""
    (line,) = re.findall(r"(?m)^ExecStart=/bin/sh -ec '(.*)'$", dropin("tacada-time@.service"))
    command = line.replace("/run/tacada/%i", str(tmp_path)).replace("$$", "$")
    for name in ("date", "hwclock"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/{name}.told\n')
        (tmp_path / name).chmod(0o755)
    (tmp_path / "time").write_text(content)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(["/bin/sh", "-ec", command], env=env, cwd=tmp_path, check=False)
    told = tmp_path / "date.told"
    assert (told.read_text() if told.exists() else None) == set_to
    assert (done.returncode == 0) is (set_to is not None)
    assert not (tmp_path / "time").exists()
    assert not (tmp_path / "pwned").exists()


def test_the_stick_s_mount_is_read_without_complaint_and_the_table_may_write_there(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "media-tacada.mount"
    copy.write_text(dropin("media-tacada.mount"), "utf-8")
    done = analyzed("verify", "--man=no", "--recursive-errors=no", copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ReadWritePaths=-/media\n" in UNIT.read_text("utf-8")
