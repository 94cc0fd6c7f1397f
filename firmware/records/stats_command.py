"""`tacada stats`: what players have made, as tables, JSON or a plot."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation

import msgspec

from firmware.errors import JournalError
from firmware.journal import Journal
from firmware.records.exports import hour
from firmware.records.kept import kept
from firmware.records.statistics import (
    Appearance,
    Detail,
    Totals,
    appearances,
    detail,
    points_of,
    totals,
)
from firmware.records.words import Words, load_words

_DAY_MS = 86_400_000


def stats(args: argparse.Namespace) -> int:
    """Print the statistics that were asked for, and what they are from."""
    words = load_words(args.language)
    with closing(Journal.read(args.journal)) as journal:
        players = journal.players()
        lines = _chosen(journal, args)
        if args.player is None:
            _print_all(lines, players, words, args)
            return 0
        details = [_detail(journal, line) for line in lines] if args.details else []
    if args.plot is not None:
        from firmware.records.plots import plot_averages  # noqa: PLC0415

        plot_averages(lines, args.player, words, args.plot)
    if args.json:
        content = {"totals": totals(lines), "matches": lines, "details": details}
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(content), indent=1).decode())
        sys.stdout.write("\n")
        return 0
    _print_matches(lines, players, words)
    _print_totals(totals(lines), words)
    if args.points is not None:
        print(f"{args.points}: {_worth(lines, args)}")
    for line, counted in zip(lines, details, strict=False):
        print(f"\n{line.match}: " + ", ".join(_pairs(counted)))
    return 0


def _worth(lines: Iterable[Appearance], args: argparse.Namespace) -> Decimal:
    """What the matches are worth.

    Raises:
        JournalError: the system asks for a target that a match has not, or no average was given.
    """
    try:
        return points_of(lines, args.points, args.set_average)
    except (ValueError, InvalidOperation) as error:
        raise JournalError(f"--points {args.points}: {error}") from None


def _chosen(journal: Journal, args: argparse.Namespace) -> list[Appearance]:
    """The appearances of the player, or of all, that the arguments leave."""
    mine = None if args.player is None else _person(journal, args.player)
    theirs = None if args.against is None else _person(journal, args.against)
    since, until = _ms(args.since), _ms(args.until)
    found = [
        line
        for line in appearances(journal, player=mine, rulebooks=args.rulebook)
        if (theirs is None or theirs in line.opponents)
        and (since is None or line.started_ms >= since)
        and (until is None or line.started_ms < until + _DAY_MS)
    ]
    return found[-args.last :] if args.last else found


def _ms(day: date | None) -> int | None:
    if day is None:
        return None
    return round((datetime(day.year, day.month, day.day, tzinfo=UTC)).timestamp() * 1000)


def _person(journal: Journal, who: str) -> int:
    """The number of a player, by name or as `#7`.

    Raises:
        ClubError: there is nobody of that name; names that are alike are told.
    """
    if who.startswith("#") and who[1:].isdecimal():
        return journal.club.doubles().get(int(who[1:]), int(who[1:]))
    return journal.club.number(who)


def _detail(journal: Journal, line: Appearance) -> Detail:
    return detail(kept(journal, line.match), line.side)


def _print_all(
    lines: Iterable[Appearance],
    players: Mapping[int, str],
    words: Words,
    args: argparse.Namespace,
) -> None:
    """A line a player, the best general average first."""
    by_player: dict[str, list[Appearance]] = {}
    for line in lines:
        by_player.setdefault(_names(line.members, players), []).append(line)
    rows = [(name, totals(mine)) for name, mine in by_player.items()]
    rows.sort(key=lambda row: (-(row[1].points / max(1, row[1].innings)), -row[1].won, row[0]))
    if args.json:
        content = msgspec.json.encode([{"player": name, "totals": total} for name, total in rows])
        sys.stdout.write(msgspec.json.format(content, indent=1).decode() + "\n")
        return
    head = (words.player, words.matches, words.won, words.lost, words.general_average)
    _table(
        (*head, words.best_average, words.high_run),
        [
            (
                name,
                str(total.matches),
                str(total.won),
                str(total.lost),
                total.general_average,
                total.best_average,
                str(total.high_run or "-"),
            )
            for name, total in rows
        ],
    )


def _print_matches(lines: Sequence[Appearance], players: Mapping[int, str], words: Words) -> None:
    """The evidence: every match that was counted."""
    rows = []
    for line in lines:
        score = line.units if line.units is not None and sum(line.units) > 1 else None
        pair = score or (line.points, line.against)
        rows.append(
            (
                hour(line.started_ms)[:10],
                line.match,
                line.rulebook,
                _names(line.opponents, players),
                "-" if pair[0] is None else f"{pair[0]}-{pair[1]}",
                str(line.innings or "-"),
                line.average,
                str(line.high_run or "-"),
            )
        )
    head = (words.day, words.record, words.rulebook, words.player, words.score, words.innings)
    _table((*head, words.average, words.high_run), rows)


def _print_totals(total: Totals, words: Words) -> None:
    print()
    for name, text in (
        (words.matches, f"{total.matches} ({words.won} {total.won}, {words.lost} {total.lost})"),
        (words.points, f"{total.points}"),
        (words.innings, f"{total.innings}"),
        (words.general_average, total.general_average),
        (words.best_average, total.best_average),
        (words.high_run, f"{total.high_run or '-'}"),
    ):
        print(f"{name}: {text}")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns of text, as wide as what stands in them."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for row in (head, *rows):
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def _pairs(counted: Detail) -> Iterable[str]:
    for name in counted.__struct_fields__:
        yield f"{name} {getattr(counted, name) if getattr(counted, name) is not None else '-'}"


def _names(numbers: Sequence[int], players: Mapping[int, str]) -> str:
    return " + ".join(players.get(number, f"#{number}") for number in numbers)
