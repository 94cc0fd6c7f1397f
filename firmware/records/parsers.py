"""The commands that read the journal, as the command line knows them."""

import argparse
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from firmware.config.places import DEFAULT_JOURNAL
from firmware.terminal.language import add_language
from rules.stats import POINTS_SYSTEMS

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_parsers(commands: Commands) -> None:
    """Add the commands to a command line."""
    listing = commands.add_parser("matches", help="list the matches of the journal")
    listing.add_argument("--last", type=int, metavar="N", help="only the last N")
    listing.set_defaults(run=_later("matches", "firmware.records.listing"))
    parsers = (
        listing,
        *_in_and_out(commands),
        _printed(commands),
        _stats(commands),
        *_archives(commands),
        _show(commands),
    )
    for parser in parsers:
        parser.add_argument("--journal", type=Path, default=Path(DEFAULT_JOURNAL))
        add_language(parser)


def _in_and_out(commands: Commands) -> tuple[argparse.ArgumentParser, ...]:
    export = commands.add_parser("export", help="matches as score sheets, JSON or CSV")
    export.add_argument("match", nargs="*", help="ids as `tacada matches` lists them; all if none")
    export.add_argument("--as", dest="form", choices=["sheet", "json", "csv"], default="sheet")
    export.add_argument(
        "--rows", choices=["visit", "frame"], default="visit", help="of the CSV; %(default)s"
    )
    export.add_argument("--plain", action="store_true", help="sheets without times and devices")
    export.add_argument("--out", type=Path, help="a file; default: standard output")
    export.set_defaults(run=_later("export"))
    bring = commands.add_parser("import", help="write score sheets into the journal")
    bring.add_argument("sheet", type=Path, help="a .sheet file, of one match or several")
    bring.add_argument("--on", type=_day, metavar="YYYY-MM-DD", help="played on; default: now")
    bring.add_argument("--take-up", action="store_true", help="go on with it at the next start")
    bring.set_defaults(run=_later("import_"))
    return export, bring


def _printed(commands: Commands) -> argparse.ArgumentParser:
    printed = commands.add_parser("print", help="a score sheet as PDF or HTML, to be signed")
    printed.add_argument("match")
    printed.add_argument("out", type=Path, help="a file that ends in .pdf or .html")
    printed.set_defaults(run=_later("print_"))
    return printed


def _stats(commands: Commands) -> argparse.ArgumentParser:
    stats = commands.add_parser("stats", help="what a player has made, with the matches it is from")
    stats.add_argument("player", nargs="?", help="a name, or '#' and a number; all players if none")
    stats.add_argument("--against", metavar="NAME", help="only matches of these two")
    stats.add_argument("--rulebook", action="append", default=[], help="may be given several times")
    stats.add_argument("--last", type=int, metavar="N", help="only the last N matches")
    stats.add_argument("--since", type=_day, metavar="YYYY-MM-DD")
    stats.add_argument("--until", type=_day, metavar="YYYY-MM-DD")
    stats.add_argument("--by", choices=["day", "month", "season", "discipline", "opponent"])
    stats.add_argument(
        "--moving", type=int, default=10, metavar="N", help="averages of the last N; %(default)s"
    )
    stats.add_argument("--details", action="store_true", help="pots, fouls, breaks, time")
    stats.add_argument(
        "--practice", action="store_true", help="practice alone, which no other figure counts"
    )
    stats.add_argument("--points", choices=POINTS_SYSTEMS, help="what the matches are worth")
    stats.add_argument("--set-average", default="", metavar="N", help="with --points: for a bonus")
    stats.add_argument("--plot", type=Path, help="averages over time, a file .png or .svg")
    stats.add_argument("--json", action="store_true")
    stats.set_defaults(run=_later("stats", "firmware.records.stats_command"))
    return stats


def _archives(commands: Commands) -> tuple[argparse.ArgumentParser, ...]:
    archive = commands.add_parser("archive", help="copy finished matches to another journal")
    archive.add_argument("to", type=Path, help="a new file")
    archive.add_argument("--before", type=_day, required=True, metavar="YYYY-MM-DD")
    archive.set_defaults(run=_later("archive", "firmware.records.archive_commands"))
    prune = commands.add_parser("prune", help="take out what an archive has; the table must rest")
    prune.add_argument("archive", type=Path)
    prune.set_defaults(run=_later("prune", "firmware.records.archive_commands"))
    return archive, prune


def _show(commands: Commands) -> argparse.ArgumentParser:
    show = commands.add_parser("show", help="a match as the board showed it at any moment")
    show.add_argument("match")
    show.add_argument("--at", type=int, metavar="SEQ", help="after this record; default: the last")
    show.add_argument("--png", type=Path, help="draw the board into this file")
    show.add_argument("--layout", default="64x16")
    show.set_defaults(run=_later("show"))
    return show


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no day; write it as 2026-03-01") from None


def _later(
    name: str, module: str = "firmware.records.commands"
) -> Callable[[argparse.Namespace], int]:
    """A command whose module is loaded when it is called: a table has no use for it."""

    def run(args: argparse.Namespace) -> int:
        command: Callable[[argparse.Namespace], int] = getattr(import_module(module), name)
        return command(args)

    return run
