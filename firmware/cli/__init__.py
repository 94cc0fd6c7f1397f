"""The command line: `tacada` and the commands it has.

Only the module of the command that is called is loaded: a list of matches need not wait for what
drives a board. Whoever asks for help, or calls nothing that there is, is shown them all.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from drivers.errors import DriverError
from firmware.errors import FirmwareError
from rules.errors import RulesError

GROUPS = (
    (
        "firmware.cli.table",
        "add_table",
        "run demo replay check-config keys test-pattern faults pictures",
    ),
    ("firmware.cli.ctl", "add_ctl", "ctl"),
    ("firmware.cli.hall", "add_hall", "hall"),
    ("firmware.cli.hall", "add_web", "web"),
    ("firmware.cli.rules", "add_rules", "rules"),
    (
        "firmware.records.parsers",
        "add_parsers",
        "matches export import print stats archive prune show",
    ),
    ("firmware.cli.club", "add_club", "club"),
    ("firmware.cli.install", "add_hands", "setup wiring doctor pad"),
)
"""Module and function that add commands, and their names."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 for what failed, 2 for a wrong command line."""
    given = sys.argv[1:] if argv is None else argv
    args = command_line(given[0] if given else "").parse_args(given)
    try:
        status: int = args.run(args)
    except (DriverError, FirmwareError, RulesError) as error:
        # Words are read by who has something to say: a table starts without.
        from firmware.terminal.language import tell  # noqa: PLC0415

        tell(error, args)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does.
        sys.stderr.close()
        return 141
    return status


def command_line(called: str = "") -> argparse.ArgumentParser:
    """What reads the command line: with one command alone, or all where it is none of them."""
    parser = argparse.ArgumentParser(
        prog="tacada", description="Electronic scoreboard firmware for billiards tables."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    wanted = [group for group in GROUPS if called in group[2].split()]
    for module, add, _ in wanted or GROUPS:
        getattr(import_module(module), add)(commands)
    return parser
