"""The club list as CSV, in and out: one row a player, one column a discipline.

A spreadsheet keeps every cell as it is: nothing begins like a formula, and a start is `start 14`,
which no program reads as fourteen.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from drivers.phrases import Phrase, within
from firmware.club.player import (
    DISCIPLINES,
    Handicap,
    Listed,
    Player,
    cleaned,
    folded,
    read_handicap,
)
from firmware.errors import ClubError, ConfigError
from firmware.toml_reader import did_you_mean

COLUMNS = ("name", "short", "spoken", *DISCIPLINES)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(players: Iterable[Player]) -> str:
    """The list, with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for player in players:
        handicaps = (str(player.handicaps.get(name, "")) for name in DISCIPLINES)
        writer.writerow(map(plain, (player.name, player.short, player.spoken, *handicaps)))
    return text.getvalue()


def plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def read_csv(text: str, place: str) -> tuple[Listed, ...]:
    """The players of a list; commas, semicolons or tabs part the cells.

    A column that is not there says nothing; an empty cell says that there is nothing.

    Raises:
        ConfigError: all that is wrong, each with `place` and line.
    """
    text = text.removeprefix("\ufeff")
    head_line = text.partition("\n")[0]
    delimiter = max(",;\t", key=head_line.count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    head = [cell.strip().lower() for cell in next(rows, [])]
    problems: list[str] = [_at_line(place, 1, problem) for problem in _head_problems(head)]
    found: dict[str, tuple[int, Listed]] = {}
    for row in () if problems else rows:
        if not any(cell.strip() for cell in row):
            continue
        try:
            one = _listed(head, row)
            before = found.setdefault(folded(one.name), (rows.line_num, one))
            if before[1] is not one:
                raise ClubError(
                    Phrase(
                        "in_line",
                        "{name} stands in line {line} already",
                        name=one.name,
                        line=before[0],
                    )
                )
        except ClubError as error:
            problems.append(_at_line(place, rows.line_num, error.args[0]))
    if problems:
        raise ConfigError(problems)
    return tuple(one for _, one in found.values())


def _at_line(place: str, line: int, why: str) -> Phrase:
    return Phrase("at_line", "{place}, line {line}: {why}", place=place, line=line, why=why)


def _head_problems(head: Sequence[str]) -> Iterable[str]:
    if "name" not in head:
        columns = ", ".join(COLUMNS)
        yield Phrase("no_name", "no column `name`; the columns are {columns}", columns=columns)
    for cell in head:
        if cell not in COLUMNS:
            hint = did_you_mean(cell, COLUMNS) or f" ({', '.join(COLUMNS)})"
            yield Phrase("no_column", "no column `{cell}` is known{hint}", cell=cell, hint=hint)
        elif head.count(cell) > 1:
            yield Phrase("column_twice", "column `{cell}` is there more than once", cell=cell)


def _listed(head: Sequence[str], row: Sequence[str]) -> Listed:
    """One player.

    Raises:
        ClubError: a cell that cannot be.
    """
    if len(row) > len(head):
        raise ClubError(
            Phrase(
                "cells", "{cells} cells under {columns} columns", cells=len(row), columns=len(head)
            )
        )
    cells = [cell.strip() for cell in row] + [""] * (len(head) - len(row))
    given = {name: _unquoted(cell) for name, cell in zip(head, cells, strict=True)}
    return Listed(
        name=cleaned(given["name"]),
        short=_other_name(given, "short"),
        spoken=_other_name(given, "spoken"),
        handicaps={name: _handicap(name, given[name]) for name in DISCIPLINES if name in given},
    )


def _unquoted(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def _other_name(given: dict[str, str], column: str) -> str | None:
    text = given.get(column)
    return cleaned(text) if text else text


def _handicap(column: str, text: str) -> Handicap | None:
    try:
        return read_handicap(text) if text else None
    except ClubError as error:
        raise ClubError(within(column, error.args[0])) from None
