"""Commands for whoever wires a table: `tacada setup`, `wiring`, `doctor`, `pad`."""

import argparse
import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from drivers.phrases import Phrase, within
from firmware.config.file import load_config
from firmware.config.places import DEFAULT_FILE
from firmware.errors import FirmwareError
from firmware.terminal.language import add_language, words_of
from firmware.terminal.words import TerminalWords


def add_hands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands of this module."""
    setup = commands.add_parser("setup", help="ask for what a table needs to know, and write it")
    setup.add_argument("--config", type=Path, default=DEFAULT_FILE, help="default: %(default)s")
    add_language(setup)
    setup.set_defaults(run=_setup)
    wiring = commands.add_parser("wiring", help="draw the header with every pin that is used")
    wiring.add_argument("--config", type=Path, default=DEFAULT_FILE, help="default: %(default)s")
    wiring.add_argument("--svg", type=Path, metavar="FILE", help="write a drawing instead")
    add_language(wiring)
    wiring.set_defaults(run=_wiring)
    doctor = commands.add_parser("doctor", help="look at every device, and say the mend of faults")
    doctor.add_argument(
        "--config", type=Path, help=f"default: {DEFAULT_FILE}, the card's with --root"
    )
    doctor.add_argument(
        "--watch", type=float, default=3, metavar="S", help="watch the pins so long"
    )
    doctor.add_argument(
        "--root", type=Path, default=Path("/"), help="look at a card that is mounted there"
    )
    doctor.add_argument("check", nargs="*", help="only these checks")
    add_language(doctor)
    doctor.set_defaults(run=_doctor)
    _pad_parser(commands)


def add_card(keys: argparse.ArgumentParser) -> None:
    """Let `tacada keys` print a card, for the table's panel or for any layout and game."""
    keys.add_argument(
        "--card",
        type=Path,
        metavar="FILE",
        help="write a key card: .svg, .pdf, or a folder for one card a discipline",
    )
    keys.add_argument("--layout", help="of the card; default: the table's")
    keys.add_argument("--rulebook", help="of the card; default: the table's")
    keys.add_argument("--language", help="of the card; default: the table's")


def _pad_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    pad = commands.add_parser("pad", help="be a handheld pad in this terminal")
    pad.add_argument("--name", default="pad1", help="default: %(default)s")
    pad.add_argument("--layout", default="carom-6", help="its keys; default: %(default)s")
    what = pad.add_mutually_exclusive_group(required=True)
    what.add_argument("--link", type=Path, metavar="PATH", help="make a port that a table opens")
    what.add_argument("--serial", metavar="PORT", help="speak through this port: path, usb:…")
    what.add_argument("--keys", metavar="LAYOUT", help="print KEYS for the reference pad")
    what.add_argument("--check", metavar="TEXT", help="print a line with its check")
    pad.add_argument("--baud", type=int, default=115_200, help="default: %(default)s")
    add_language(pad)
    pad.set_defaults(run=_pad)


def _setup(args: argparse.Namespace) -> int:
    from drivers.pins import pi_pins  # noqa: PLC0415 # other commands start without drivers
    from firmware.cli.answers import AtTerminal  # noqa: PLC0415
    from firmware.cli.guide import Hardware, set_up  # noqa: PLC0415
    from firmware.doctor.doctor import answers  # noqa: PLC0415
    from firmware.hardware import open_board  # noqa: PLC0415

    async def asked() -> bool:
        person = AtTerminal()
        hardware = Hardware(partial(open_board, plain=True), pi_pins, answers)
        return await set_up(args.config, person, hardware, language=args.language, usual=usual)

    usual = words_of(args).code
    return 0 if asyncio.run(asked()) else 1


def _wiring(args: argparse.Namespace) -> int:
    from firmware.cli.wiring import as_svg, as_text, uses_of  # noqa: PLC0415 # only here

    config = load_config(args.config)
    words = words_of(args)
    uses = uses_of(config, words)
    if args.svg is None:
        print(as_text(uses, words), end="")
        return 0
    title = f"tacada {config.hall}/{config.table}: {config.panel.layout}"
    try:
        args.svg.write_text(as_svg(uses, title, words), "utf-8")
    except OSError as error:
        raise FirmwareError(f"{args.svg}: {error.strerror}") from None
    return 0


def _doctor(args: argparse.Namespace) -> int:
    from firmware.doctor import doctor, findings  # noqa: PLC0415 # other commands start without drivers

    unknown = [name for name in args.check if name not in doctor.CHECKS]
    if unknown:
        raise FirmwareError(
            Phrase(
                "no_check",
                "there is no check {unknown}; there are {known}",
                unknown=", ".join(unknown),
                known=", ".join(doctor.CHECKS),
            )
        )
    file = args.config = args.config or args.root / DEFAULT_FILE.relative_to("/")
    words = words_of(args)
    on = findings.Examined(load_config(file), watch_s=args.watch, root=args.root, file=file)
    usual = tuple(doctor.CHECKS) if args.root == Path("/") else doctor.OF_A_CARD
    return asyncio.run(_examine(on, args.check or usual, words))


async def _examine(on: Any, checks: tuple[str, ...], words: TerminalWords) -> int:
    from firmware.doctor import doctor, findings  # noqa: PLC0415

    faults = 0
    async for name, finding in doctor.examined(on, checks):
        print(doctor.as_text(name, findings.in_words(finding, words), words), flush=True)
        faults += finding.state is findings.State.FAULT
    print(words.say("doctor.faults", n=faults) if faults else words.say("doctor.in_order"))
    return 1 if faults else 0


def _pad(args: argparse.Namespace) -> int:
    from drivers.pad_protocol import crc  # noqa: PLC0415 # other commands start without drivers
    from firmware.cli import pad  # noqa: PLC0415

    if args.check is not None:
        if not (args.check.isascii() and args.check.isprintable()):
            why = Phrase("ascii", "a line is printable ASCII")
            raise FirmwareError(within(repr(args.check), why))
        print(args.check, crc(args.check.encode()))
        return 0
    if args.keys is not None:
        print(pad.keys_text(args.keys))
        return 0
    if args.link is not None:
        port = pad.linked_port(args.link)
    else:
        port = pad.serial_port(args.serial, args.baud)
    asyncio.run(pad.run_pad(args.name, args.layout, port, words_of(args)))
    return 0
