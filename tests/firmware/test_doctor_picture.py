"""docs/doctor.md shows what the doctor says; written anew with TACADA_WRITE_PICTURES=1."""

import asyncio
import os
import re
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.cli import main
from firmware.config.config import BackupConfig, BrokerSettings, Config, LampConfig, SignalsConfig
from firmware.doctor.doctor import as_text, examined
from firmware.doctor.findings import Examined, State, in_words
from tests.firmware.test_doctor_machine import ENGLISH, Machine
from tests.firmware.test_wiring_help import BadPin

PAGE = Path("docs/doctor.md")
CONFIG = Config(
    schema=1,
    language="en",
    signals=SignalsConfig(buzzer=LampConfig(12)),
    broker=BrokerSettings(host="broker.local"),
    backup=BackupConfig(folder="/media/tacada"),
)


def shown(command: str, said: str) -> None:
    """Hold what a command says against the page."""
    text = PAGE.read_text("utf-8")
    found = re.search(rf"(?s)```\n\$ {re.escape(command)}\n(.*?)```", text)
    assert found
    if os.environ.get("TACADA_WRITE_PICTURES"):
        PAGE.write_text(text[: found.start(1)] + said + text[found.end(1) :], "utf-8")
    else:
        assert said == found[1]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A Pi on which nearly all is wrong that can be."""
    machine = Machine(tmp_path)
    (tmp_path / "dev/spidev0.0").unlink()
    (tmp_path / "dev/gpiochip0").chmod(0o600)
    machine.groups("tacada", gpio=os.getgid())
    machine.write("boot/firmware/config.txt", "dtparam=spi=off\ndtoverlay=w1-gpio,gpiopin=17\n")
    machine.write("proc/mounts", "/dev/a / ext4 rw 0 0\n/dev/b /var/lib/tacada ext4 ro 0 0\n")
    machine.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    machine.write("sys/devices/platform/soc/soc:firmware/get_throttled", "50000\n")
    wireless = (
        "Inter-\n face\n wlan0: 0000   40.  -78.  -256        0      0      0      0      0\n"
    )
    machine.write("proc/net/wireless", wireless)
    iw = machine.write("bin/iw", "#!/bin/sh\necho Power save: on\n")
    iw.chmod(0o755)
    machine.write("etc/tacada/1.toml", "schema = 1\n")
    machine.write(
        "etc/tacada/2.toml",
        'schema = 1\ntable = "2"\njournal = "/var/lib/tacada/2/journal.db"\n'
        "[board]\nspi_device = 1\n[panel.pins]\n"
        "plus1 = 4\nplus5 = 14\nend = 15\nfoul = 20\nok = 16\nundo = 22\n",
    )
    monkeypatch.setenv("PATH", f"{iw.parent}:/usr/bin:/bin")

    async def nobody(host: str, port: int) -> bool:
        return False

    monkeypatch.setattr("firmware.doctor.doctor.answers", nobody)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "spidev" else name)
    monkeypatch.setattr("firmware.doctor.machine.version", lambda _: "0.1.0")
    monkeypatch.setattr("platform.python_version", lambda: "3.11.2")
    return machine


def test_the_doctor_at_a_table_with_many_faults(table: Machine) -> None:
    pins = MockFactory(pin_class=BadPin)
    on = Examined(
        CONFIG, lambda: pins, watch_s=0.1, root=table.root, file=table.root / "etc/tacada/1.toml"
    )

    async def run() -> tuple[list[str], int]:
        found = [(name, one) async for name, one in examined(on)]
        faults = sum(one.state is State.FAULT for _, one in found)
        return [as_text(name, in_words(one, ENGLISH), ENGLISH) for name, one in found], faults

    lines, faults = asyncio.run(run())
    said = "\n".join([*lines, f"{faults} faults", ""])
    said = re.sub(r"\d+ GB are free", "28 GB are free", said).replace("in 0 s", "in 3 s")
    shown("sudo tacada doctor", said)


def test_a_configuration_that_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.absolute()
    monkeypatch.setattr("tests.firmware.test_doctor_picture.PAGE", page)
    monkeypatch.chdir(tmp_path)
    Path("broken.toml").write_text(
        'schema = 1\nhal = "clube"\nlanguage = "xx"\n[board]\ncontrast = 16\n'
        '[panel]\nlayout = "carom-7"\n[match]\nformat = "target=none/x"\n',
        "utf-8",
    )
    assert main(["doctor", "--config", "broken.toml"]) == 1
    shown("sudo tacada doctor --config broken.toml", capsys.readouterr().err)
