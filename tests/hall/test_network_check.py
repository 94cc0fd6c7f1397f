"""Ask 97: the doctor says what makes a table's network unreliable, and the mend."""

import asyncio
from pathlib import Path

import pytest

from firmware.config.config import BrokerSettings, Config
from firmware.doctor.doctor import check_network
from firmware.doctor.findings import Examined, State, Wording, in_words
from tests.firmware.test_doctor_machine import ENGLISH
from tests.mosquitto import Mosquitto
from tests.ports import free_port

WIRELESS = """Inter-| sta-|   Quality        |   Discarded packets
 face | tus | link level noise |  nwid  crypt   frag  retry   misc
 wlan0: 0000   40.  {level}.  -256        0      0      0      0      0
"""


def found(root: Path, broker: BrokerSettings | None = None) -> dict[str, list[Wording]]:
    async def run() -> list[Wording]:
        config = Config(schema=1, broker=broker or BrokerSettings())
        examined = Examined(config, root=root)
        return [in_words(one, ENGLISH) async for one in check_network(examined)]

    findings: dict[str, list[Wording]] = {}
    for one in asyncio.run(run()):
        findings.setdefault(one.what, []).append(one)
    return findings


@pytest.fixture
def radio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a radio, and an `iw` that says what a file says."""
    (tmp_path / "proc" / "net").mkdir(parents=True)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "iw").write_text(f"#!/bin/sh\ncat {tmp_path}/power\n")
    (programs / "iw").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return tmp_path


@pytest.mark.parametrize(
    ("level", "power", "states"),
    [
        (-50, "off", [State.OK]),
        (-80, "off", [State.LOOK]),
        (-50, "on", [State.OK, State.FAULT]),
        (-80, "on", [State.LOOK, State.FAULT]),
    ],
)
def test_a_radio_that_is_weak_or_sleeps(
    radio: Path, level: int, power: str, states: list[State]
) -> None:
    (radio / "proc" / "net" / "wireless").write_text(WIRELESS.format(level=level))
    (radio / "power").write_text(f"Power save: {power}\n")
    seen = found(radio)["radio wlan0"]
    assert [one.state for one in seen] == states
    assert all(bool(one.mend) is (one.state is not State.OK) for one in seen)


def test_a_machine_on_a_cable_has_no_radio(tmp_path: Path) -> None:
    assert list(found(tmp_path)) == ["the hour"]


def test_the_hour(tmp_path: Path) -> None:
    assert found(tmp_path)["the hour"][0].state is State.LOOK
    there = tmp_path / "run" / "systemd" / "timesync"
    there.mkdir(parents=True)
    (there / "synchronized").touch()
    assert found(tmp_path)["the hour"][0].state is State.OK


def test_the_broker(tmp_path: Path, mosquitto: Mosquitto) -> None:
    here = BrokerSettings(host="127.0.0.1", port=mosquitto.port)
    assert found(tmp_path, here)[f"broker 127.0.0.1:{mosquitto.port}"][0].state is State.OK
    port = free_port()
    gone = found(tmp_path, BrokerSettings(host="127.0.0.1", port=port))
    assert gone[f"broker 127.0.0.1:{port}"][0].state is State.LOOK
