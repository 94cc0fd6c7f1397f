"""`tacada club`: the club list, its doubles, and names that are to go."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware.club.csv_file import as_csv, read_csv
from firmware.club.player import DISCIPLINES, Handicap, Listed, Player, cleaned, read_handicap
from firmware.errors import ClubError
from firmware.journal.journal import Journal
from firmware.journal.played import match_of_both, played


def list_(args: argparse.Namespace) -> int:
    """Print the players, with what is known of each."""
    with closing(Journal.read(args.journal)) as journal:
        players, doubles = journal.club.players(), journal.club.doubles()
    for player in players:
        others = [f"#{double}" for double, same_as in doubles.items() if same_as == player.number]
        print("  ".join((f"#{player.number}", *_said(player), *others)))
    return 0


def _said(player: Player) -> Iterator[str]:
    yield player.name
    for mark, text in (("short", player.short), ("spoken", player.spoken)):
        if text:
            yield f"{mark} {text}"
    for discipline in DISCIPLINES:
        if discipline in player.handicaps:
            yield f"{discipline} {player.handicaps[discipline]}"


def export(args: argparse.Namespace) -> int:
    """Write the list as CSV."""
    with closing(Journal.read(args.journal)) as journal:
        text = as_csv(journal.club.players())
    if args.file is None:
        sys.stdout.write(text)
    else:
        args.file.write_text(text, "utf-8")
    return 0


def import_(args: argparse.Namespace) -> int:
    """Take a CSV list in."""
    try:
        text = args.file.read_text("utf-8")
    except OSError as error:
        raise ClubError(f"{args.file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ClubError(f"{args.file}: is not UTF-8; save it as CSV UTF-8") from None
    listed = read_csv(text, str(args.file))
    with _written(args.journal) as journal:
        added, changed = journal.club.take_in(listed)
    print(f"{added} new players, {changed} changed, {len(listed) - added - changed} as they were")
    return 0


def set_(args: argparse.Namespace) -> int:
    """Add a player, or say more of one."""
    handicaps = dict(_handicap(text) for text in args.handicap)
    listed = Listed(cleaned(args.name), args.short, args.spoken, handicaps)
    with _written(args.journal) as journal:
        journal.club.take_in([listed])
        player = journal.club.player(listed.name)
    print("  ".join((f"#{player.number}", *_said(player))))
    return 0


def _handicap(text: str) -> tuple[str, Handicap | None]:
    """A discipline and a handicap, as `three_cushions=25`; nothing after the sign takes it away."""
    discipline, equals, value = text.partition("=")
    if not equals or discipline not in DISCIPLINES:
        there = ", ".join(DISCIPLINES)
        raise ClubError(f"--handicap {text}: as three_cushions=25; there are {there}")
    return discipline, read_handicap(value) if value else None


def rename(args: argparse.Namespace) -> int:
    """Give a player another name."""
    with _written(args.journal) as journal:
        if args.name.startswith("#") and played(journal, args.name):
            number = int(args.name[1:])
            journal.club.written_down(number, cleaned(args.new))
        else:
            number = journal.club.rename(args.name, args.new)
        _wiped(journal, args.name)
    print(f"#{number} is {args.new}")
    return 0


def merge(args: argparse.Namespace) -> int:
    """Two names are one player."""
    with _written(args.journal) as journal:
        numbers = journal.club.number(args.double), journal.club.number(args.into)
        match = match_of_both(journal, *numbers)
        if match is not None:
            both = f"{args.double} and {args.into}"
            raise ClubError(f"{both} both play in match {match}: they are two players")
        double, same_as = journal.club.merge(args.double, args.into)
        _wiped(journal, args.double)
    print(f"#{double} is #{same_as}, {args.into}; `tacada club part '#{double}' NAME` undoes it")
    return 0


def part(args: argparse.Namespace) -> int:
    """A double is a player of his own after all."""
    if not (args.number.startswith("#") and args.number[1:].isdecimal()):
        raise ClubError(f"{args.number}: name the double by its number, as '#9'")
    with _written(args.journal) as journal:
        journal.club.part(int(args.number[1:]), args.name)
    print(f"{args.number} is {args.name}")
    return 0


def remove(args: argparse.Namespace) -> int:
    """Take a player's names out."""
    with _written(args.journal) as journal:
        number = journal.club.remove(args.name)
        _wiped(journal, args.name)
    print(f"{args.name} is #{number} from now on; no match was touched")
    return 0


def _wiped(journal: Journal, name: str) -> None:
    """See that a name is gone, and say where it may still stand."""
    if not journal.club.wipe():
        print(f"tacada: {journal.path}-wal holds the name until the table stops", file=sys.stderr)
    for file in _copies(journal.path):
        if name.encode() in file.read_bytes():
            print(f"tacada: {file} holds the name still", file=sys.stderr)


def _copies(path: Path) -> list[Path]:
    """Older files that were set aside beside the journal."""
    own = {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    return sorted(
        file
        for file in path.parent.glob(f"{path.name}*")
        if file.name not in own and file.is_file()
    )


@contextmanager
def _written(path: Path) -> Iterator[Journal]:
    """The journal, made where there is none, to be written beside a table that may have it open."""
    journal, damage = Journal.open(path)
    if damage is not None:
        print(f"the journal was damaged: {damage}", file=sys.stderr)
    with closing(journal):
        yield journal


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "list": list_,
    "export": export,
    "import": import_,
    "set": set_,
    "rename": rename,
    "merge": merge,
    "part": part,
    "remove": remove,
}
