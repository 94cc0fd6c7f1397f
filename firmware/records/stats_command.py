"""`tacada stats`: what players have made, as tables, JSON or a plot."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

import msgspec

from drivers.phrases import Phrase, name_must_end, within
from firmware.club.player import discipline_of
from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.records.statistics import (
    Appearance,
    Period,
    appearances,
    by_discipline,
    moving,
    periods,
    points_of,
    totals,
)
from firmware.records.stats_tables import (
    discipline_name,
    names_in,
    print_groups,
    print_matches,
    print_totals,
)
from firmware.records.words import Words, load_words
from firmware.terminal.language import language_of

if TYPE_CHECKING:
    from firmware.records.details import Detail

_DAY_MS = 86_400_000


def stats(args: argparse.Namespace) -> int:
    """Print the statistics that were asked for, and what they are from.

    Raises:
        JournalError: what is asked for is told of one player alone, or there is nothing to draw.
        ClubError: there is nobody of that name.
    """
    _check(args)
    args.language = language_of(args)
    words = load_words(args.language)
    with closing(Journal.read(args.journal)) as journal:
        players = journal.players()
        lines = _chosen(journal, args)
        if args.player is None:
            _all_players(lines, players, words, args)
            return 0
        details = _details(journal, lines) if args.details else []
    groups = _grouped(lines, args, players)
    if args.plot is not None:
        from firmware.records.plots import plot_averages  # noqa: PLC0415

        games = {
            discipline_name(game, args.language): mine
            for game, mine in by_discipline(lines).items()
        }
        plot_averages(games, args.player, words, args.plot, args.moving)
    if args.json:
        _print_json(_as_json(lines, groups, details, args))
        return 0
    print_matches(lines, players, words, args.moving)
    print_totals(lines, words, args.language)
    if args.by is not None:
        print()
        rows = [
            (name, game, mine)
            for name, all_ in groups.items()
            for game, mine in by_discipline(all_).items()
        ]
        print_groups(words.grouped_by(args.by), rows, words, args.language)
    if args.points is not None:
        print(f"{args.points}: {_worth(lines, args)}")
    if details:
        from firmware.records.detail_tables import print_details  # noqa: PLC0415

        print()
        print_details([line.match for line in lines], details, words)
    return 0


def _check(args: argparse.Namespace) -> None:
    asked = ("against", "by", "details", "plot", "points")
    for name in asked if args.player is None else ():
        if getattr(args, name):
            raise JournalError(
                Phrase(
                    "needs_player",
                    "--{option} needs a player: tacada stats NAME --{option} …",
                    option=name,
                )
            )
    if args.plot is not None and args.plot.suffix not in (".png", ".svg"):
        raise JournalError(within(args.plot, name_must_end(".png", ".svg")))


def _details(journal: Journal, lines: Sequence[Appearance]) -> "list[Detail]":
    # Matches are played again: with all games loaded, which no other figure needs.
    from firmware.records.details import detail  # noqa: PLC0415
    from firmware.records.kept import kept  # noqa: PLC0415

    return [detail(kept(journal, line.match), line.side) for line in lines]


def _as_json(
    lines: Sequence[Appearance],
    groups: Mapping[str, Sequence[Appearance]],
    details: "Sequence[Detail]",
    args: argparse.Namespace,
) -> dict[str, object]:
    together = sum(details[1:], details[0]) if details else None
    return {
        "totals": totals(lines),
        "by": {name: totals(mine) for name, mine in groups.items()},
        "matches": lines,
        "details": details,
        "details_together": together,
        "shot_s": "-" if together is None else together.shot_s,
        "visit_s": "-" if together is None else together.visit_s,
        "moving": [(line.match, text) for line, text in moving(lines, args.moving)],
    }


def _grouped(
    lines: Sequence[Appearance], args: argparse.Namespace, players: Mapping[int, str]
) -> dict[str, list[Appearance]]:
    """The appearances put together by a period, by discipline or by opponent."""
    by: str | None = args.by
    if by is None:
        return {}
    if by in list(Period):
        return periods(lines, Period(by))
    found: dict[str, list[Appearance]] = {}
    for line in lines:
        name = (
            discipline_name(discipline_of(line.rulebook), args.language)
            if by == "discipline"
            else names_in(line.opponents, players)
        )
        found.setdefault(name, []).append(line)
    return found


def _all_players(
    lines: Iterable[Appearance],
    players: Mapping[int, str],
    words: Words,
    args: argparse.Namespace,
) -> None:
    """A line a player and discipline, the best general average first."""
    by_player: dict[str, list[Appearance]] = {}
    for line in lines:
        by_player.setdefault(names_in(line.members, players), []).append(line)
    rows = [
        (name, game, mine)
        for name, all_ in by_player.items()
        for game, mine in by_discipline(all_).items()
    ]

    def worst(row: tuple[str, str, list[Appearance]]) -> tuple[str, float, int, str]:
        name, game, mine = row
        total = totals(mine)
        return game, -total.points / max(1, total.innings), -total.won, name

    rows.sort(key=worst)
    if args.json:
        told = [
            {"player": name, "discipline": game, "totals": totals(mine)}
            for name, game, mine in rows
        ]
        _print_json(told)
        return
    print_groups(words.player, rows, words, args.language)


def _print_json(content: object) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(content), indent=1).decode() + "\n")


def _worth(lines: Iterable[Appearance], args: argparse.Namespace) -> Decimal:
    """What the matches are worth.

    Raises:
        JournalError: the system asks for a target that a match has not, or no average was given.
    """
    try:
        return points_of(lines, args.points, args.set_average)
    except (ValueError, InvalidOperation) as error:
        raise JournalError(within(f"--points {args.points}", str(error))) from None


def _chosen(journal: Journal, args: argparse.Namespace) -> list[Appearance]:
    """The appearances of the player, or of all, that the arguments leave."""
    mine = None if args.player is None else _person(journal, args.player)
    theirs = None if args.against is None else _person(journal, args.against)
    since, until = _ms(args.since), _ms(args.until)
    played = appearances
    if args.practice:
        # Sessions are played again: with all games loaded.
        from firmware.records.practice import sessions  # noqa: PLC0415

        played = sessions
    found = [
        line
        for line in played(journal, player=mine, rulebooks=args.rulebook)
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
