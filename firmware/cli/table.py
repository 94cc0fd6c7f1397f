"""The commands of a table, the demo and score sheets: `tacada run`, `replay`, `check-config` …"""

import argparse
import asyncio
import faulthandler
import logging
import sys
from pathlib import Path

import msgspec

from drivers.phrases import Phrase, within
from firmware.cli.install import add_card
from firmware.config.config import setup_of
from firmware.config.file import load_config
from firmware.config.places import DEFAULT_FILE
from firmware.errors import FirmwareError
from firmware.records.final_line import final_line
from firmware.table.matches import unsaid
from firmware.terminal.language import add_language, language_of, words_of
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_sheets


def add_table(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands to a command line."""
    run = commands.add_parser("run", help="run the table")
    run.add_argument("--config", type=Path, default=DEFAULT_FILE, help="default: %(default)s")
    run.set_defaults(run=_run)
    demo = commands.add_parser("demo", help="play a real match on an emulated board")
    demo.add_argument(
        "--for",
        dest="seconds",
        type=_seconds,
        metavar="N",
        help="play the whole match in N seconds and end",
    )
    demo.add_argument("--broker", metavar="HOST[:PORT]", help="use this MQTT broker")
    add_language(demo)
    demo.set_defaults(run=_demo)
    play = commands.add_parser("replay", help="play a score sheet and say how it ends")
    play.add_argument("sheet", type=Path, help="a .sheet file")
    play.add_argument("--json", action="store_true", help="print the scoreline as MQTT carries it")
    add_language(play)
    play.set_defaults(run=_replay)
    check = commands.add_parser("check-config", help="check a configuration and all it names")
    check.add_argument("config", metavar="file", type=Path, nargs="?", default=DEFAULT_FILE)
    add_language(check)
    check.set_defaults(run=_check_config)
    keys = commands.add_parser("keys", help="say what each pressed key sends, or print a key card")
    add_card(keys)
    pattern = commands.add_parser("test-pattern", help="number the blocks of the board")
    pattern.add_argument("--terminal", action="store_true", help="show it here instead")
    pattern.add_argument(
        "--plain", action="store_true", help="count along the chain, to read off its order"
    )
    faults = commands.add_parser("faults", help="say what a code on the board means, and the mend")
    faults.add_argument("code", nargs="?", help="as DISK; without it all of them")
    add_language(faults)
    faults.set_defaults(run=_faults)
    pictures = commands.add_parser("pictures", help="draw every screen of every board as PNG")
    pictures.add_argument("--out", type=Path, required=True, metavar="DIR")
    add_language(pictures)
    pictures.set_defaults(run=_pictures)
    for parser_, run_ in ((keys, _keys), (pattern, _test_pattern)):
        parser_.add_argument("--config", type=Path, default=DEFAULT_FILE)
        parser_.set_defaults(run=run_)


def _seconds(text: str) -> float:
    value = float(text)
    if not 2 <= value <= 3600:
        raise argparse.ArgumentTypeError("from 2 to 3600 seconds")
    return value


def _run(args: argparse.Namespace) -> int:
    # Other commands start without drivers.
    from firmware.app import TableApp, run_until_signalled  # noqa: PLC0415
    from firmware.hardware import pi_parts  # noqa: PLC0415

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    # A table that hangs is ended by its watchdog, and says in the log where it hung.
    faulthandler.enable()
    config = load_config(args.config)
    asyncio.run(run_until_signalled(TableApp(config, pi_parts(config))))
    return 0


def _demo(args: argparse.Namespace) -> int:
    from firmware.demo.demo import run_demo  # noqa: PLC0415 # other commands start without drivers

    logging.basicConfig(level=logging.ERROR, format="%(levelname)s %(name)s: %(message)s")
    words = words_of(args)
    return asyncio.run(run_demo(seconds=args.seconds, broker=args.broker, words=words))


def _replay(args: argparse.Namespace) -> int:
    try:
        text = args.sheet.read_text("utf-8")
    except OSError as error:
        raise FirmwareError(f"{args.sheet}: {error.strerror}") from None
    except UnicodeDecodeError:
        why = Phrase("sheet_utf8", "is not UTF-8 text")
        raise FirmwareError(within(args.sheet, why)) from None
    words, failed = words_of(args), False
    for sheet in read_sheets(text, notation_of, str(args.sheet)):
        played = replay(sheet, rulebook_of)
        line = played.scoreline()
        if args.json:
            sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        else:
            print(f"{sheet.id}: {final_line(line, words)}")
        for note in played.notes:
            print(f"{sheet.id}: {note}", file=sys.stderr)
        failed = failed or bool(played.notes)
    return 1 if failed else 0


def _keys(args: argparse.Namespace) -> int:
    if args.card is not None:
        from firmware.keycard.command import write_cards  # noqa: PLC0415

        return write_cards(args)
    from firmware.cli.tryout import print_keys  # noqa: PLC0415 # other commands start without drivers

    asyncio.run(print_keys(load_config(args.config), words_of(args)))
    return 0


def _test_pattern(args: argparse.Namespace) -> int:
    from firmware.cli.tryout import show_pattern  # noqa: PLC0415 # other commands start without drivers

    asyncio.run(show_pattern(load_config(args.config), on_terminal=args.terminal, plain=args.plain))
    return 0


def _faults(args: argparse.Namespace) -> int:
    from firmware.i18n import load_language  # noqa: PLC0415 # other commands do without
    from firmware.text_keys import FAULTS  # noqa: PLC0415 # other commands do without

    language = load_language(language_of(args))
    codes = FAULTS if args.code is None else (args.code.split()[0].lower(),)
    if not set(codes) <= set(FAULTS):
        there = ", ".join(code.upper() for code in FAULTS)
        raise FirmwareError(
            within(args.code, Phrase("no_fault", "no such code; there are {names}", names=there))
        )
    for code in codes:
        print(f"{code.upper():8} {language.say(f'fault.{code}', text='…')}")
    return 0


def _pictures(args: argparse.Namespace) -> int:
    from importlib.metadata import version  # noqa: PLC0415

    from firmware.board.contact_sheets import write_sheets  # noqa: PLC0415 # other commands start without Pillow

    try:
        written = write_sheets(args.out, version("tacada"))
    except OSError as error:
        raise FirmwareError(f"{args.out}: {error.strerror}") from None
    print(words_of(args).say("check.sheets", n=len(written), folder=args.out))
    return 0


def _check_config(args: argparse.Namespace) -> int:
    words, config = words_of(args), load_config(args.config)
    table, rulebook = f"{config.hall}/{config.table}", config.match.rulebook
    print(words.say("check.in_order", file=args.config, table=table, rulebook=rulebook))
    for told in unsaid(setup_of(config.match, ((1,), (2,)))):
        print(words.of(within(args.config, within("match.format", told))))
    return 0
