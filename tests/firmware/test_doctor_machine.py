"""The doctor on machines that are made up: each fault is named once, with its mend."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config.config import (
    BackupConfig,
    Config,
    LampConfig,
    PanelConfig,
    SignalsConfig,
)
from firmware.config.file import load_config
from firmware.doctor.doctor import CHECKS
from firmware.doctor.findings import Examined, State, Wording, in_words
from firmware.terminal.words import load_terminal_words
from tests.firmware.journal_rig import opened, write

CHECKED = ("groups", "nodes", "boot", "chip", "disk", "versions")
CONFIG = Config(
    schema=1,
    signals=SignalsConfig(buzzer=LampConfig(12)),
    backup=BackupConfig(folder="/media/stick"),
)


ENGLISH = load_terminal_words("en")
STICK = "/dev/sda /media/stick vfat rw 0 0\n"


class Machine:
    """A Pi in good order, below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        own = os.getgid()
        self.write("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
        self.write("proc/sys/kernel/osrelease", "6.6.62+rpt-rpi-v8\n")
        self.write("proc/mounts", f"/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n{STICK}")
        self.write("boot/firmware/config.txt", "dtparam=audio=on\ndtparam=i2c_arm=off,spi=on\n")
        self.write("sys/class/gpio/gpiochip512/label", "pinctrl-bcm2711\n")
        self.write("sys/class/gpio/gpiochip512/base", "512\n")
        self.write("sys/class/gpio/gpiochip570/label", "raspberrypi-exp-gpio\n")
        # One number for both: who is not root can give a file to no group but his own.
        self.groups(gpio=own, spi=own)
        for node in ("gpiochip0", "spidev0.0"):
            self.write(f"dev/{node}", "").chmod(0o660)
        (root / "var/lib/tacada/1").mkdir(parents=True)
        (root / "media/stick").mkdir(parents=True)

    def groups(self, who: str = "tacada", **ids: int) -> None:
        lines = [f"{name}:x:{number}:{who}" for name, number in ids.items()]
        self.write("etc/group", "\n".join([*lines, "root:x:0:tacada"]) + "\n")

    def write(self, place: str, text: str) -> Path:
        file = self.root / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def found(machine: Machine, config: Config = CONFIG) -> list[Wording]:
    async def run() -> list[Wording]:
        on = Examined(config, root=machine.root)
        return [in_words(one, ENGLISH) for check in CHECKED async for one in CHECKS[check](on)]

    return asyncio.run(run())


def faults(machine: Machine, config: Config = CONFIG) -> list[str]:
    """What is not in order: thing, state, words; each of them has a mend."""
    wrong = [one for one in found(machine, config) if one.state is not State.OK]
    assert all(one.mend for one in wrong)
    return [f"{one.what}: {one.says}" for one in wrong]


def test_a_machine_in_good_order(machine: Machine) -> None:
    seen = {one.what: one.says for one in found(machine) if one.state is State.OK}
    assert faults(machine) == []
    assert seen["the header"] == (
        "is pinctrl-bcm2711; this kernel calls GPIO17 529, a configuration still 17"
    )
    assert seen["/dev/spidev0.0"] == "is there, for group spi"
    assert "6.6.62+rpt-rpi-v8, Debian GNU/Linux 12 (bookworm)" in seen["versions"]


def test_nodes_that_are_missing_or_not_for_the_table(machine: Machine) -> None:
    (machine.root / "dev/spidev0.0").unlink()
    (machine.root / "dev/gpiochip0").chmod(0o600)
    machine.groups("tacada", gpio=os.getgid())
    assert faults(machine) == [
        "group spi: tacada is not in it",
        "/dev/spidev0.0: is not there",
        "/dev/gpiochip0: is of group gpio and mode 600, not for gpio",
    ]


def test_a_machine_without_pins(machine: Machine) -> None:
    (machine.root / "dev/gpiochip0").unlink()
    shutil.rmtree(machine.root / "sys")
    (fault,) = [one for one in found(machine) if one.state is State.FAULT]
    assert "is it a Raspberry Pi?" in fault.mend


def test_spi_that_is_off(machine: Machine) -> None:
    machine.write("boot/firmware/config.txt", "#dtparam=spi=on\n")
    assert faults(machine) == ["/boot/firmware/config.txt: SPI is off: the board hears nothing"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("dtoverlay=w1-gpio,gpiopin=17", "takes GPIO17, header pin 11, which is key +1"),
        ("dtoverlay=gpio-ir,gpio_pin=12", "takes GPIO12, header pin 32, which is buzzer"),
        ("dtoverlay=hifiberry-dac", None),
        ("dtoverlay=w1-gpio", None),
        ("dtparam=i2c_arm=off", None),
    ],
)
def test_overlays_that_take_our_pins(machine: Machine, line: str, says: str | None) -> None:
    machine.write("boot/firmware/config.txt", f"dtparam=spi=on\n{line}\n")
    wanted = [f"/boot/firmware/config.txt: {line} {says}"] if says else []
    assert faults(machine) == wanted


def test_a_header_that_nobody_knows(machine: Machine) -> None:
    machine.write("sys/class/gpio/gpiochip512/label", "pinctrl-rp9\n")
    assert faults(machine) == ["the header: is behind no chip that is known"]


def test_a_disk_that_cannot_be_written(machine: Machine) -> None:
    machine.write(
        "proc/mounts", f"/dev/a / ext4 rw 0 0\n/dev/b /var/lib/tacada ext4 ro,noatime 0 0\n{STICK}"
    )
    assert faults(machine) == [
        "/var/lib/tacada/1/journal.db: /var/lib/tacada is mounted so that nothing can be written"
    ]
    shutil.rmtree(machine.root / "var/lib/tacada")
    assert faults(machine) == ["/var/lib/tacada/1/journal.db: its folder is not there"]


def test_a_disk_that_is_full(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.doctor.machine.LEAST_MB", 10**12)
    (fault,) = faults(machine)
    assert "MB are free" in fault


def test_a_journal_that_is_damaged(machine: Machine) -> None:
    path = machine.root / "var/lib/tacada/1/journal.db"
    with opened(path) as (journal, _):
        write(journal, "m1", 60)
    assert faults(machine) == []
    whole = path.read_bytes()
    path.write_bytes(whole[:6000] + b"\xff" * 3000 + whole[9000:])
    (fault,) = faults(machine)
    assert fault.startswith("/var/lib/tacada/1/journal.db: it is damaged")


def test_no_copies(machine: Machine) -> None:
    assert faults(machine, Config(schema=1)) == ["copies: none are made"]
    machine.write("proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n")
    assert faults(machine) == ["copies: /media/stick is not there now"]


@pytest.mark.parametrize(
    ("bits", "says"), [("0", []), ("50005", ["now"]), ("50000", ["since the start"])]
)
def test_a_supply_that_is_too_weak(machine: Machine, bits: str, says: list[str]) -> None:
    machine.write("sys/devices/platform/soc/soc:firmware/get_throttled", f"{bits}\n")
    assert [fault.split("too weak ")[1] for fault in faults(machine)] == says


def test_packages_that_a_pi_needs(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    config = Config(schema=1, backup=CONFIG.backup, panel=PanelConfig(enabled=False))
    assert faults(machine, config) == ["package spidev: is missing"]


def test_another_system_s_card_is_looked_at(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no devices, and those of the machine that looks at it are not its own."""
    machine.write("etc/tacada/1.toml", 'schema = 1\nlanguage = "en"\n')
    machine.write("boot/firmware/config.txt", "")
    for folder in ("dev", "proc", "sys"):
        shutil.rmtree(tmp_path / folder)
    assert main(["doctor", "--root", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "mend: sudo raspi-config nonint do_spi 0, then start anew" in said
    assert "Debian GNU/Linux 12 (bookworm)" in said
    assert said.endswith("1 faults\n")


def tables(folder: Path, **texts: str) -> list[str]:
    """What the doctor says of the other tables, looking at the first."""
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(f"schema = 1\n{text}", "utf-8")

    async def run() -> list[Wording]:
        file = folder / "one.toml"
        on = Examined(load_config(file), file=file)
        return [in_words(one, ENGLISH) async for one in CHECKS["tables"](on)]

    found = asyncio.run(run())
    assert all(bool(one.mend) is (one.state is not State.OK) for one in found)
    return [f"{one.state} {one.what}: {one.says}" for one in found]


def test_two_tables_of_one_machine_share_nothing(tmp_path: Path) -> None:
    other = (
        'table = "2"\njournal = "/var/lib/tacada/2/journal.db"\n[board]\nspi_device = 1\n'
        "[panel.pins]\nplus1 = 4\nplus5 = 14\nend = 15\nfoul = 20\nok = 16\nundo = 21\n"
    )
    assert tables(tmp_path, one="", two=other) == ["ok table two: shares nothing with this one"]


def test_what_two_tables_of_one_machine_both_claim(tmp_path: Path) -> None:
    pad = '[[pads]]\nname = "pad1"\nserial = "usb:0403:6001"\n'
    keypad = '[[keypads]]\nname = "kp"\ndevice = "usb:04d9:1203"\n'
    said = tables(tmp_path, one=pad + keypad, two=pad + keypad, three="contrast = 99\n")
    assert said[0].startswith("look table three: cannot be read: ")
    assert said[1:4] == [
        "FAULT table two: has the name hall/1 too",
        "FAULT table two: has the journal /var/lib/tacada/1/journal.db too",
        "FAULT table two: has GPIO17, header pin 11 too",
    ]
    assert said[-3:] == [
        "FAULT table two: has /dev/spidev0.0 too",
        "FAULT table two: has the receiver usb:0403:6001 too",
        "FAULT table two: has the keypad usb:04d9:1203 too",
    ]
