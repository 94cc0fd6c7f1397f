"""`tacada doctor`: looks at everything that a configuration names, and says the mend of each fault.

A check is a function that looks at one kind of thing and yields what it found; `CHECKS` is their
list, in the order in which a person would look. Whatever a check raises as `DriverError` or
`FirmwareError` is a fault of it, never the end of the others.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from drivers.errors import DeviceMissing, DriverError
from drivers.keypad import find_keypad
from drivers.pad import find_port
from drivers.probe import Probe, Probed
from drivers.wiring import Contact, Crosspoint, place_of
from firmware.config.config import lamps_of, panel_of
from firmware.doctor.findings import Check, Examined, Finding, State, Wording, missing
from firmware.doctor.machine import (
    check_boot,
    check_chip,
    check_disk,
    check_groups,
    check_nodes,
    check_versions,
    lamp,
)
from firmware.doctor.tables import check_tables
from firmware.errors import FirmwareError
from firmware.i18n import load_language
from firmware.keys.keymap import Keymap
from firmware.terminal.words import TerminalWords, Text, text
from rules.rulebooks import notation_of


async def check_pins(on: Examined) -> AsyncIterator[Finding]:
    """Every key's line: its level, whether it follows its pull, and its last edge."""
    config = on.config
    if not config.panel.enabled:
        return
    notation = notation_of(config.match.rulebook)
    keymap = Keymap(panel_of(config.panel), notation, config.panel.layout)
    language, wires = load_language(config.language), keymap.wiring()
    contacts: dict[Text, Contact] = {
        text("doctor.key", label=language.label(keymap.label(key))): wire
        for key, wire in wires.items()
        if isinstance(wire, Contact)
    }
    columns = {wire.column for wire in wires.values() if isinstance(wire, Crosspoint)}
    for column in sorted(columns):
        contacts[text("doctor.column", n=column)] = Contact(column)
    names = {str(nth): what for nth, what in enumerate(contacts)}
    probe = Probe({name: contacts[what] for name, what in names.items()}, on.pins())
    try:
        await asyncio.sleep(on.watch_s)
        for name, probed in probe.found().items():
            yield _line(names[name], contacts[names[name]], probed, on.watch_s)
    finally:
        probe.close()


def _line(name: Text, contact: Contact, probed: Probed, watched_s: float) -> Finding:
    edges = (
        text("doctor.no_edge", s=round(watched_s))
        if probed.last_edge_s is None
        else text("doctor.edges", n=probed.edges, ago=probed.last_edge_s)
    )
    pull = "doctor.pull_outside" if probed.held_outside else f"doctor.pull_{probed.pull}"
    what = text("doctor.at", name=name, pin=place_of(contact.pin))
    says = text(
        "doctor.line",
        level=text("doctor.high" if probed.high else "doctor.low"),
        pull=text(pull),
        edges=edges,
    )
    if probed.active:
        closed = "3.3 V" if contact.active_high else text("doctor.ground")
        return Finding(what, State.FAULT, says, text("doctor.mend_down", closed=closed))
    if probed.floating:
        return Finding(what, State.FAULT, says, text("doctor.mend_floating"))
    if not contact.pulled and not probed.held_outside:
        return Finding(what, State.FAULT, says, text("doctor.mend_resistor"))
    return Finding(what, State.OK, says)


async def check_lamps(on: Examined) -> AsyncIterator[Finding]:
    """Every lamp's and the buzzer's pin can be had."""
    for name, output in lamps_of(on.config.signals).items():
        what = text("doctor.at", name=lamp(name), pin=place_of(output.pin))
        try:
            Probe({name: Contact(output.pin)}, on.pins()).close()
        except DeviceMissing as error:
            yield missing(what, error)
        else:
            yield Finding(what, State.OK, text("doctor.usable"))


async def check_serial(on: Examined) -> AsyncIterator[Finding]:
    """Every receiver of pads is there, and no console of the system talks on it."""
    for identity in dict.fromkeys(pad.serial for pad in on.config.pads):
        what = text("doctor.receiver", name=identity)
        try:
            path = await asyncio.to_thread(find_port, identity)
        except DeviceMissing as error:
            yield missing(what, error)
            continue
        if console_on(path, on.root):
            says, mend = text("doctor.console", path=path), text("doctor.mend_console")
            yield Finding(what, State.FAULT, says, mend)
        else:
            yield Finding(what, State.OK, text("doctor.is", what=path))


def console_on(path: str, root: Path = Path("/")) -> bool:
    """Whether the kernel has its console on this port."""
    try:
        line = (root / "proc" / "cmdline").read_text("utf-8")
    except OSError:
        return False
    consoles = (word.removeprefix("console=").partition(",")[0] for word in line.split())
    names = {Path(path).name, Path(path).resolve().name}
    return any(console in names for console in consoles)


async def check_keypads(on: Examined) -> AsyncIterator[Finding]:
    """Every USB keypad is there and can be opened."""
    for keypad in on.config.keypads:
        what = text("doctor.keypad", name=keypad.name)
        try:
            device = await asyncio.to_thread(find_keypad, keypad.device)
        except DeviceMissing as error:
            yield missing(what, error)
            continue
        yield Finding(what, State.OK, text("doctor.is", what=f"{device.path}, {device.name}"))
        device.close()


REACH_S = 3.0
"""How long a broker may take to answer."""

WEAK_DBM = -70
"""A radio link weaker than this loses packets in a full hall."""


async def check_network(on: Examined) -> AsyncIterator[Finding]:
    """The hour is set from the network, the radio is strong and awake, the broker answers."""
    synced = (on.root / "run" / "systemd" / "timesync" / "synchronized").exists()
    hour = text("doctor.hour")
    if synced:
        yield Finding(hour, State.OK, text("doctor.hour_set"))
    else:
        yield Finding(hour, State.LOOK, text("doctor.hour_unset"), text("doctor.mend_hour"))
    for name, dbm in _radios(on.root).items():
        radio, hears = text("doctor.radio", name=name), text("doctor.hears", n=dbm)
        if dbm < WEAK_DBM:
            yield Finding(radio, State.LOOK, hears, text("doctor.mend_weak"))
        else:
            yield Finding(radio, State.OK, hears)
        if await _saves_power(name):
            mend = text("doctor.mend_power", name=name)
            yield Finding(radio, State.FAULT, text("doctor.saves_power"), mend)
    broker = on.config.broker
    if broker.host and not broker.host.startswith("/"):
        yield await _reached(broker.host, broker.port)


def _radios(root: Path) -> dict[str, int]:
    """The wireless interfaces and how strongly each hears its access point, in dBm."""
    try:
        lines = (root / "proc" / "net" / "wireless").read_text("utf-8").splitlines()[2:]
    except OSError:
        return {}
    words = [line.split() for line in lines if ":" in line]
    return {line[0].rstrip(":"): round(float(line[3].rstrip("."))) for line in words}


async def _saves_power(interface: str) -> bool:
    """Whether a radio sleeps between packets; what `iw` does not tell is taken as no."""
    try:
        process = await asyncio.create_subprocess_exec(
            *("iw", "dev", interface, "get", "power_save"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return False
    out, _ = await process.communicate()
    return b"power save: on" in out.lower()


async def _reached(host: str, port: int) -> Finding:
    what = text("doctor.broker", name=f"{host}:{port}")
    if await answers(host, port):
        return Finding(what, State.OK, text("doctor.answers"))
    return Finding(what, State.LOOK, text("doctor.silent"), text("doctor.mend_broker"))


async def answers(host: str, port: int) -> bool:
    """Whether somebody listens there."""
    try:
        async with asyncio.timeout(REACH_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


CHECKS: dict[str, Check] = {
    "pins": check_pins,
    "lamps": check_lamps,
    "receivers": check_serial,
    "keypads": check_keypads,
    "network": check_network,
    "groups": check_groups,
    "nodes": check_nodes,
    "boot": check_boot,
    "chip": check_chip,
    "disk": check_disk,
    "versions": check_versions,
    "tables": check_tables,
}
"""All checks by their names. Others are added here."""

OF_A_CARD = ("groups", "boot", "disk", "versions", "tables")
"""Those that look at nothing but files: a card in another machine has no devices of its own."""


async def examined(
    on: Examined, checks: Iterable[str] = tuple(CHECKS)
) -> AsyncIterator[tuple[str, Finding]]:
    """What the checks find, each with the check's name."""
    for name in checks:
        try:
            async for finding in CHECKS[name](on):
                yield name, finding
        except (DriverError, FirmwareError) as error:
            yield name, missing(name, DriverError(error.args[0]))


def as_text(name: str, one: Wording, words: TerminalWords) -> str:
    """A finding as a person reads it: the state in words, the mend on a line of its own."""
    wide = max(len(words.say(f"doctor.{state.name.lower()}")) for state in State)
    state = words.say(f"doctor.{one.state.name.lower()}")
    line = f"{state:<{wide}}  {name}: {one.what}: {one.says}"
    return f"{line}\n{'':{wide}}  {words.say('doctor.mend')}: {one.mend}" if one.mend else line
