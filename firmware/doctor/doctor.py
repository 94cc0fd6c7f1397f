"""`tacada doctor`: looks at everything that a configuration names, and says the mend of each fault.

A check is a function that looks at one kind of thing and yields what it found; `CHECKS` is their
list, in the order in which a person would look. Whatever a check raises as `DriverError` or
`FirmwareError` is a fault of it, never the end of the others.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from drivers.errors import DeviceMissing, DriverError, WiringError
from drivers.keypad import find_keypad
from drivers.pad import find_port
from drivers.probe import Probe, Probed
from drivers.wiring import Contact, Crosspoint, place_of
from firmware.config.config import lamps_of, panel_of
from firmware.doctor.findings import Check, Examined, Finding, State, missing
from firmware.doctor.machine import (
    check_boot,
    check_chip,
    check_disk,
    check_groups,
    check_nodes,
    check_versions,
)
from firmware.doctor.tables import check_tables
from firmware.errors import FirmwareError
from firmware.i18n import load_language
from firmware.keys.keymap import Keymap
from rules.rulebooks import notation_of


async def check_pins(on: Examined) -> AsyncIterator[Finding]:
    """Every key's line: its level, whether it follows its pull, and its last edge."""
    config = on.config
    if not config.panel.enabled:
        return
    notation = notation_of(config.match.rulebook)
    keymap = Keymap(panel_of(config.panel), notation, config.panel.layout)
    language, wires = load_language(config.language), keymap.wiring()
    contacts = {
        f"key {language.label(keymap.label(key))}": wire
        for key, wire in wires.items()
        if isinstance(wire, Contact)
    }
    columns = {wire.column for wire in wires.values() if isinstance(wire, Crosspoint)}
    contacts |= {f"keypad column {column}": Contact(column) for column in sorted(columns)}
    probe = Probe(contacts, on.pins())
    try:
        await asyncio.sleep(on.watch_s)
        for name, probed in probe.found().items():
            yield _line(name, contacts[name], probed, on.watch_s)
    finally:
        probe.close()


def _line(name: str, contact: Contact, probed: Probed, watched_s: float) -> Finding:
    edge = (
        f"no edge in {watched_s:.0f} s"
        if probed.last_edge_s is None
        else f"{probed.edges} edges, the last {probed.last_edge_s:.1f} s ago"
    )
    pull = "pulled from outside" if probed.held_outside else f"pulled {probed.pull} inside"
    level = "high" if probed.high else "low"
    what = f"{name}, {place_of(contact.pin)}"
    says = f"{level}, {pull}, {edge}"
    if probed.active:
        closed = "3.3 V" if contact.active_high else "ground"
        return Finding(
            what,
            State.FAULT,
            says,
            f"it is down: let the key go; else its wire touches {closed}, or the key opens when "
            "it is pressed and active_high is the wrong way round",
        )
    if probed.floating:
        mend = "the wire picks up noise: see that both ends are fast; shorten or shield it"
        return Finding(what, State.FAULT, says, mend)
    if not contact.pulled and not probed.held_outside:
        mend = 'no resistor outside holds it: add one, or take pull = "outside" away'
        return Finding(what, State.FAULT, says, mend)
    return Finding(what, State.OK, says)


async def check_lamps(on: Examined) -> AsyncIterator[Finding]:
    """Every lamp's and the buzzer's pin can be had."""
    for name, output in lamps_of(on.config.signals).items():
        what = f"{name}, {place_of(output.pin)}"
        try:
            Probe({name: Contact(output.pin)}, on.pins()).close()
        except DeviceMissing as error:
            yield missing(what, error)
        else:
            yield Finding(what, State.OK, "can be used")


async def check_serial(on: Examined) -> AsyncIterator[Finding]:
    """Every receiver of pads is there, and no console of the system talks on it."""
    for identity in dict.fromkeys(pad.serial for pad in on.config.pads):
        try:
            path = await asyncio.to_thread(find_port, identity)
        except DeviceMissing as error:
            yield missing(f"receiver {identity}", error)
            continue
        if console_on(path, on.root):
            yield Finding(
                f"receiver {identity}",
                State.FAULT,
                f"{path} is the console of the system, which talks in between",
                "sudo raspi-config nonint do_serial_cons 1, then start anew",
            )
        else:
            yield Finding(f"receiver {identity}", State.OK, f"is {path}")


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
        what = f"keypad {keypad.name}"
        try:
            device = await asyncio.to_thread(find_keypad, keypad.device)
        except DeviceMissing as error:
            yield missing(what, error)
            continue
        yield Finding(what, State.OK, f"is {device.path}, {device.name}")
        device.close()


REACH_S = 3.0
"""How long a broker may take to answer."""

WEAK_DBM = -70
"""A radio link weaker than this loses packets in a full hall."""


async def check_network(on: Examined) -> AsyncIterator[Finding]:
    """The hour is set from the network, the radio is strong and awake, the broker answers."""
    synced = (on.root / "run" / "systemd" / "timesync" / "synchronized").exists()
    yield Finding(
        "the hour",
        State.OK if synced else State.LOOK,
        "is set from the network" if synced else "has not been set since the start",
        ""
        if synced
        else "order and clocks do not need it; dates of matches do: look at timedatectl",
    )
    for name, dbm in _radios(on.root).items():
        weak = dbm < WEAK_DBM
        mend = "move the access point, or lay a cable" if weak else ""
        state = State.LOOK if weak else State.OK
        yield Finding(f"radio {name}", state, f"hears the access point at {dbm} dBm", mend)
        if await _saves_power(name):
            yield Finding(
                f"radio {name}",
                State.FAULT,
                "saves power, and drops packets for it",
                f"sudo iw {name} set power_save off, and for good as in docs/install.md",
            )
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
    what = f"broker {host}:{port}"
    if await answers(host, port):
        return Finding(what, State.OK, "answers")
    mend = "start it, or set broker.host; the match is played without it"
    return Finding(what, State.LOOK, "does not answer", mend)


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
        except (DriverError, FirmwareError, WiringError) as error:
            yield name, missing(name, DriverError(str(error)))


def as_text(name: str, finding: Finding) -> str:
    """A finding as a person reads it: the state in words, the mend on a line of its own."""
    text = f"{finding.state:<5}  {name}: {finding.what}: {finding.says}"
    return f"{text}\n       mend: {finding.mend}" if finding.mend else text
