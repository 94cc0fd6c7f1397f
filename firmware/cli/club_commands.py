"""`tacada club`: the club list, its doubles, and names that are to go."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from drivers.phrases import Phrase, within
from firmware.club.csv_file import as_csv, read_csv
from firmware.club.player import DISCIPLINES, Handicap, Listed, Player, cleaned, read_handicap
from firmware.errors import ClubError
from firmware.journal.journal import Journal
from firmware.journal.played import match_of_both, played
from firmware.terminal.language import words_of
from firmware.terminal.words import TerminalWords


def list_(args: argparse.Namespace) -> int:
    """Print the players, with what is known of each."""
    with closing(Journal.read(args.journal)) as journal:
        players, doubles = journal.club.players(), journal.club.doubles()
    words = words_of(args)
    for player in players:
        others = [f"#{double}" for double, same_as in doubles.items() if same_as == player.number]
        print("  ".join((f"#{player.number}", *_said(player, words), *others)))
    return 0


def _said(player: Player, words: TerminalWords) -> Iterator[str]:
    yield player.name
    if player.short:
        yield words.say("club.short", name=player.short)
    if player.spoken:
        yield words.say("club.spoken", name=player.spoken)
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
        why = Phrase("csv_utf8", "is not UTF-8; save it as CSV UTF-8")
        raise ClubError(within(args.file, why)) from None
    listed = read_csv(text, str(args.file))
    with _written(args) as journal:
        added, changed = journal.club.take_in(listed)
    left = len(listed) - added - changed
    print(words_of(args).say("club.taken_in", added=added, changed=changed, left=left))
    return 0


def set_(args: argparse.Namespace) -> int:
    """Add a player, or say more of one."""
    handicaps = dict(_handicap(text) for text in args.handicap)
    listed = Listed(cleaned(args.name), args.short, args.spoken, handicaps)
    with _written(args) as journal:
        journal.club.take_in([listed])
        player = journal.club.player(listed.name)
    print("  ".join((f"#{player.number}", *_said(player, words_of(args)))))
    return 0


def _handicap(text: str) -> tuple[str, Handicap | None]:
    """A discipline and a handicap, as `three_cushions=25`; nothing after the sign takes it away."""
    discipline, equals, value = text.partition("=")
    if not equals or discipline not in DISCIPLINES:
        there = ", ".join(DISCIPLINES)
        why = Phrase("handicap_as", "as three_cushions=25; there are {names}", names=there)
        raise ClubError(within(f"--handicap {text}", why))
    return discipline, read_handicap(value) if value else None


def rename(args: argparse.Namespace) -> int:
    """Give a player another name."""
    with _written(args) as journal:
        if args.name.startswith("#") and played(journal, args.name):
            number = int(args.name[1:])
            journal.club.written_down(number, cleaned(args.new))
        else:
            number = journal.club.rename(args.name, args.new)
        _wiped(journal, args.name, words_of(args))
    _is(args, f"#{number}", args.new)
    return 0


def merge(args: argparse.Namespace) -> int:
    """Two names are one player."""
    with _written(args) as journal:
        numbers = journal.club.number(args.double), journal.club.number(args.into)
        match = match_of_both(journal, *numbers)
        if match is not None:
            raise ClubError(
                Phrase(
                    "both_play",
                    "{one} and {other} both play in match {match}: they are two players",
                    one=args.double,
                    other=args.into,
                    match=match,
                )
            )
        double, same_as = journal.club.merge(args.double, args.into)
        _wiped(journal, args.double, words_of(args))
    words = words_of(args)
    print(words.say("club.merged", double=double, same_as=same_as, name=args.into))
    return 0


def part(args: argparse.Namespace) -> int:
    """A double is a player of his own after all."""
    if not (args.number.startswith("#") and args.number[1:].isdecimal()):
        why = Phrase("double_number", "name the double by its number, as '#9'")
        raise ClubError(within(args.number, why))
    with _written(args) as journal:
        journal.club.part(int(args.number[1:]), args.name)
    _is(args, args.number, args.name)
    return 0


def remove(args: argparse.Namespace) -> int:
    """Take a player's names out."""
    with _written(args) as journal:
        number = journal.club.remove(args.name)
        _wiped(journal, args.name, words_of(args))
    print(words_of(args).say("club.removed", name=args.name, n=number))
    return 0


def _is(args: argparse.Namespace, number: str, name: str) -> None:
    print(words_of(args).say("club.is", number=number, name=name))


def _wiped(journal: Journal, name: str, words: TerminalWords) -> None:
    """See that a name is gone, and say where it may still stand."""
    if not journal.club.wipe():
        print(words.say("club.in_wal", file=f"{journal.path}-wal"), file=sys.stderr)
    for file in _copies(journal.path):
        if name.encode() in file.read_bytes():
            print(words.say("club.in_copy", file=file), file=sys.stderr)


def _copies(path: Path) -> list[Path]:
    """Older files that were set aside beside the journal."""
    own = {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    return sorted(
        file
        for file in path.parent.glob(f"{path.name}*")
        if file.name not in own and file.is_file()
    )


@contextmanager
def _written(args: argparse.Namespace) -> Iterator[Journal]:
    """The journal, made where there is none, to be written beside a table that may have it open."""
    journal, damage = Journal.open(args.journal)
    if damage is not None:
        print(words_of(args).say("records.damaged", why=damage), file=sys.stderr)
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
