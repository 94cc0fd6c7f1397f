"""What the doctor looks at beside the devices themselves: the machine that has them.

Everything is read below a root, so that a card in another machine, or a test, can be looked at.
"""

import importlib.util
import os
import platform
import re
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from pathlib import Path

from drivers.pins import HEADER_CHIPS
from drivers.wiring import Chord, Contact, Crosspoint, place_of
from firmware.board.config import BoardConfig
from firmware.board.layout import load_layout
from firmware.config.config import Config, lamps_of, panel_of
from firmware.doctor.findings import Examined, Finding, State
from firmware.i18n import load_language
from firmware.journal.check import page_fault
from firmware.keys.keymap import Keymap
from firmware.terminal.words import Text, text
from rules.rulebooks import notation_of

USER = "tacada"
"""Who a table runs as."""

LEAST_MB = 200
"""A card with less room than this is full before the season ends."""


async def check_groups(on: Examined) -> AsyncIterator[Finding]:
    """The table's user is in the groups of what it is to use."""
    groups = _groups(on.root)
    if USER in {name for members in groups.values() for name in members}:
        for name in _groups_wanted(on.config):
            if USER not in groups.get(name, ()):
                what, says = text("doctor.group", name=name), text("doctor.not_in_it", user=USER)
                yield Finding(what, State.FAULT, says, text("doctor.mend_group", user=USER))


async def check_nodes(on: Examined) -> AsyncIterator[Finding]:
    """The device nodes that the configuration needs are there, for a group of the table's user."""
    ids = _group_ids(on.root)
    for node, group, mend in _nodes(on):
        what = f"/{node.relative_to(on.root)}"
        if not node.exists():
            yield Finding(what, State.FAULT, text("doctor.not_there"), mend)
            continue
        stat = node.stat()
        names = ids.get(stat.st_gid, (str(stat.st_gid),))
        if stat.st_mode & 0o060 != 0o060 or group not in names:
            mode = f"{stat.st_mode & 0o777:o}"
            says = text("doctor.wrong_group", owner=names[0], mode=mode, group=group)
            yield Finding(what, State.FAULT, says, text("doctor.mend_nodes"))
        else:
            yield Finding(what, State.OK, text("doctor.there", group=group))


def _nodes(on: Examined) -> Iterator[tuple[Path, str, Text]]:
    """What must be there: the node, its group, and what to do where it is missing."""
    dev = on.root / "dev"
    for board in (on.config.board, *on.config.boards):
        if board.enabled:
            for port, device in sorted(_buses(board)):
                yield dev / f"spidev{port}.{device}", "spi", text("doctor.mend_spi")
    if on.config.panel.enabled:
        found = sorted(dev.glob("gpiochip[0-9]*"))
        yield (found[0] if found else dev / "gpiochip0"), "gpio", text("doctor.mend_no_pins")


def _buses(board: BoardConfig) -> set[tuple[int, int]]:
    chains = board.as_chains(load_layout(board.layout))
    return {(chain.spi_port, chain.spi_device) for chain in chains}


def _groups_wanted(config: Config) -> Iterator[str]:
    if config.panel.enabled or lamps_of(config.signals):
        yield "gpio"
    if any(board.enabled for board in (config.board, *config.boards)):
        yield "spi"
    if config.pads:
        yield "dialout"
    if config.keypads:
        yield "input"


def _group_lines(root: Path) -> Iterator[list[str]]:
    for line in _text(root / "etc" / "group").splitlines():
        fields = line.split(":")
        if len(fields) == 4 and fields[2].isdecimal():
            yield fields


def _groups(root: Path) -> dict[str, tuple[str, ...]]:
    return {name: tuple(who.split(",")) for name, _, _, who in _group_lines(root)}


def _group_ids(root: Path) -> dict[int, tuple[str, ...]]:
    ids: dict[int, tuple[str, ...]] = {}
    for name, _, number, _ in _group_lines(root):
        ids[int(number)] = (*ids.get(int(number), ()), name)
    return ids


_ON_PINS: dict[str, tuple[int, ...]] = {
    "dtparam=i2c_arm": (2, 3),
    "enable_uart": (14, 15),
    "dtoverlay=w1-gpio": (4,),
    "dtoverlay=gpio-ir": (18,),
    "dtoverlay=i2c-rtc": (2, 3),
    "dtoverlay=gpio-shutdown": (3,),
    "dtoverlay=hifiberry": (18, 19, 20, 21),
}
"""Settings of the firmware that take pins, and the pins unless they name others."""


async def check_boot(on: Examined) -> AsyncIterator[Finding]:
    """The settings that the Pi starts with: SPI is on, and no overlay takes a pin of ours."""
    file = next((one for one in (on.root / place for place in _BOOT_FILES) if one.exists()), None)
    if file is None:
        return
    what = f"/{file.relative_to(on.root)}"
    settings = [line.partition("#")[0].strip() for line in _text(file).splitlines()]
    if any(board.enabled for board in (on.config.board, *on.config.boards)):
        spi_on = any(re.match(r"dtparam=(.*,)?spi=on\b", line) for line in settings)
        if spi_on:
            yield Finding(what, State.OK, "dtparam=spi=on")
        else:
            yield Finding(what, State.FAULT, text("doctor.spi_off"), text("doctor.mend_spi"))
    used = pins_used(on.config)
    for line in settings:
        for pin in sorted(_pins_of(line) & used.keys()):
            says = text("doctor.takes", line=line, pin=place_of(pin), use=used[pin])
            mend = text("doctor.mend_takes", use=used[pin])
            yield Finding(what, State.FAULT, says, mend)


_BOOT_FILES = ("boot/firmware/config.txt", "boot/config.txt")


def _pins_of(line: str) -> set[int]:
    """The pins that a setting takes."""
    if re.search(r"=(off|0)$", line):
        return set()
    named = {int(pin) for pin in re.findall(r"gpio_?(?:pin)?=(\d+)", line)}
    for name, pins in _ON_PINS.items():
        if line.startswith(name):
            return named or set(pins)
    return named if line.startswith("dtoverlay=") else set()


def lamp(name: str) -> Text:
    """A lamp or the buzzer by its name in a configuration, which is its name in words too."""
    return text("doctor.buzzer") if name == "buzzer" else text("doctor.lamp", name=name)


def pins_used(config: Config) -> dict[int, Text]:
    """What each pin of the header is for, by its BCM number, but for the bus of a board."""
    used = {output.pin: lamp(name) for name, output in lamps_of(config.signals).items()}
    if config.panel.enabled:
        notation = notation_of(config.match.rulebook)
        keymap = Keymap(panel_of(config.panel), notation, config.panel.layout)
        language = load_language(config.language)
        for key, wire in keymap.wiring().items():
            match wire:
                case Contact(pin):
                    used[pin] = text("doctor.key", label=language.label(keymap.label(key)))
                case Crosspoint(row, column):
                    used |= {row: text("doctor.a_row"), column: text("doctor.a_column")}
                case Chord():
                    pass
    return used


async def check_chip(on: Examined) -> AsyncIterator[Finding]:
    """Which chip is behind the header, and how this kernel numbers its lines."""
    if not on.config.panel.enabled:
        return
    for chip in sorted((on.root / "sys" / "class" / "gpio").glob("gpiochip*")):
        label = _text(chip / "label").strip()
        if label not in HEADER_CHIPS:
            continue
        base = _text(chip / "base").strip()
        says = text("doctor.is", what=label)
        if base not in ("", "0"):
            says = text("doctor.is_based", what=label, n=int(base) + 17)
        yield Finding(text("doctor.header"), State.OK, says)
        return
    if (on.root / "sys" / "class" / "gpio").exists():
        says, mend = text("doctor.no_chip"), text("doctor.mend_no_chip")
        yield Finding(text("doctor.header"), State.LOOK, says, mend)


async def check_disk(on: Examined) -> AsyncIterator[Finding]:
    """The journal's disk can be written, has room, and the journal is whole; so have copies one."""
    journal = on.root / on.config.journal.lstrip("/")
    folder = journal.parent
    what = on.config.journal
    if not folder.is_dir():
        mend = f"sudo install -d -o {USER} -g {USER} -m 700 {Path(what).parent}"
        yield Finding(what, State.FAULT, text("doctor.no_folder"), mend)
        return
    mount, options = _mounted(on.root, Path(what).parent)
    if "ro" in options:
        says, remount = text("doctor.read_only", mount=mount), text("doctor.mend_ro", mount=mount)
        yield Finding(what, State.FAULT, says, remount)
    room = os.statvfs(folder)
    free_mb = room.f_bavail * room.f_frsize // 1_000_000
    if free_mb < LEAST_MB:
        says = text("doctor.full", free=free_mb, least=LEAST_MB)
        yield Finding(what, State.FAULT, says, text("doctor.mend_full"))
    else:
        yield Finding(what, State.OK, text("doctor.room", free=free_mb // 1000))
    if journal.exists():
        why = page_fault(journal)
        if why is not None:
            yield Finding(what, State.FAULT, why, text("doctor.mend_journal"))
    yield _copies(on)


def _copies(on: Examined) -> Finding:
    """Whether there is a medium for copies now, which is another disk than the journal's."""
    told, copies = on.config.backup.folder, text("doctor.copies")
    if not told:
        return Finding(copies, State.LOOK, text("doctor.no_copies"), text("doctor.mend_copies"))
    folder = on.root / told.lstrip("/")
    disk, _ = _mounted(on.root, Path(told))
    if folder.is_dir() and disk != _mounted(on.root, Path(on.config.journal))[0]:
        return Finding(copies, State.OK, text("doctor.copied", folder=told))
    says = text("doctor.no_stick", folder=told)
    return Finding(copies, State.LOOK, says, text("doctor.mend_stick"))


def _mounted(root: Path, folder: Path) -> tuple[str, tuple[str, ...]]:
    """Where the file system of a folder is mounted, and how."""
    best: str = "/"
    options: tuple[str, ...] = ("rw",)
    for line in _text(root / "proc" / "mounts").splitlines():
        fields = line.split()
        if len(fields) > 3 and folder.is_relative_to(fields[1]) and len(fields[1]) >= len(best):
            best, options = fields[1], tuple(fields[3].split(","))
    return best, options


async def check_versions(on: Examined) -> AsyncIterator[Finding]:
    """What runs here, and what of it is missing; whether the supply holds."""
    system = re.search(r'(?m)^PRETTY_NAME="?([^"\n]*)', _text(on.root / "etc" / "os-release"))
    kernel = _text(on.root / "proc" / "sys" / "kernel" / "osrelease").strip()
    model = _text(on.root / "proc" / "device-tree" / "model").strip("\0\n ")
    parts = [f"tacada {version('tacada')}", f"Python {platform.python_version()}"]
    parts += [one for one in (kernel, system[1] if system else "", model) if one]
    versions = text("doctor.versions")
    yield Finding(versions, State.OK, ", ".join(parts))
    if platform.machine().startswith("armv"):
        says = text("doctor.bits", machine=platform.machine())
        yield Finding(versions, State.FAULT, says, text("doctor.mend_bits"))
    if "Raspberry Pi" in model:
        for name, wanted in _packages(on.config).items():
            if wanted and importlib.util.find_spec(name) is None:
                mend = f"sudo apt-get install python3-{name}"
                what = text("doctor.package", name=name)
                yield Finding(what, State.FAULT, text("doctor.lacking"), mend)
    for finding in _supply(on.root):
        yield finding


def _packages(config: Config) -> dict[str, bool]:
    """Debian's own Python packages, and whether this configuration needs them."""
    return {
        "lgpio": config.panel.enabled or bool(lamps_of(config.signals)),
        "spidev": any(board.enabled for board in (config.board, *config.boards)),
        "evdev": bool(config.keypads),
    }


def _supply(root: Path) -> Iterator[Finding]:
    """Under-voltage, as the Pi's firmware has seen it (raspberrypi.com, `get_throttled`)."""
    told = _text(root / "sys/devices/platform/soc/soc:firmware/get_throttled").strip()
    if not re.fullmatch(r"[0-9a-fA-F]+", told):
        return
    bits = int(told, 16)
    supply, mend = text("doctor.supply"), text("doctor.mend_supply")
    if bits & 1:
        yield Finding(supply, State.FAULT, text("doctor.weak_now"), mend)
    elif bits & 1 << 16:
        yield Finding(supply, State.FAULT, text("doctor.weak_before"), mend)
    else:
        yield Finding(supply, State.OK, text("doctor.holds"))


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
