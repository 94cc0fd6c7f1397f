"""`tacada club` as the command line knows it."""

import argparse
from pathlib import Path

from firmware.config.places import DEFAULT_JOURNAL
from firmware.terminal.language import add_language


def add_club(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to a command line."""
    club = commands.add_parser("club", help="the club list: names, handicaps, doubles, privacy")
    what = club.add_subparsers(required=True, metavar="WHAT", dest="what")
    what.add_parser("list", help="all players, with number, short and spoken name, handicaps")
    export = what.add_parser("export", help="the list as CSV")
    export.add_argument("file", type=Path, nargs="?", help="default: standard output")
    import_ = what.add_parser("import", help="take in a CSV list; who is not on it stays")
    import_.add_argument("file", type=Path)
    set_ = what.add_parser("set", help="add a player, or say more of one")
    set_.add_argument("name")
    set_.add_argument("--short", help="the name for a narrow board")
    set_.add_argument("--spoken", help="the name as a speaker reads it out")
    set_.add_argument(
        "--handicap",
        action="append",
        default=[],
        metavar="DISCIPLINE=N",
        help="three_cushions=25 an own goal, snooker=+14 given at the start; may be repeated",
    )
    rename = what.add_parser("rename", help="another name, everywhere; no record is touched")
    rename.add_argument("name", help="or '#' and a number")
    rename.add_argument("new")
    merge = what.add_parser("merge", help="two names are one player")
    merge.add_argument("double", help="the name that goes")
    merge.add_argument("into", help="the name that stays")
    part = what.add_parser("part", help="a double is a player of his own after all")
    part.add_argument("number", help="of the double, as '#9'")
    part.add_argument("name")
    remove = what.add_parser("remove", help="take a name out everywhere; matches keep the number")
    remove.add_argument("name")
    for parser in (export, import_, set_, rename, merge, part, remove, what.choices["list"]):
        parser.add_argument("--journal", type=Path, default=Path(DEFAULT_JOURNAL))
        add_language(parser)
        parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    # A table has no use for these.
    from firmware.cli.club_commands import COMMANDS  # noqa: PLC0415

    return COMMANDS[args.what](args)
