"""Statistics as tables on a terminal."""

from collections.abc import Mapping, Sequence

from firmware.records.hours import hour
from firmware.records.statistics import Appearance, by_discipline, moving, totals
from firmware.records.words import Words
from firmware.setup.words import load_setup_words
from rules.sides import Pair


def print_matches(
    lines: Sequence[Appearance], players: Mapping[int, str], words: Words, last: int
) -> None:
    """The evidence: every match that was counted, and after it the average of the last few."""
    after = {line.match: text for line, text in moving(lines, last)}
    rows = []
    for line in lines:
        score = line.units if line.units is not None and sum(line.units) > 1 else None
        pair = score or (line.points, line.against)
        rows.append(
            (
                hour(line.started_ms)[:10],
                line.match,
                line.rulebook,
                names_in(line.opponents, players),
                _score(pair),
                str(line.innings or "-"),
                line.average,
                str(line.high_run or "-"),
                after.get(line.match, "-"),
            )
        )
    head = (words.day, words.match, words.rulebook, words.player, words.score, words.innings)
    print_table(
        (*head, words.average, words.high_run, words.of_the_last.format(n=last)),
        rows,
    )


def _score(pair: Pair[int | None]) -> str:
    """Both sides', or what one made alone."""
    return "-".join(str(one) for one in pair if one is not None) or "-"


_SHARED = {
    "balkline_47_2": "47/2",
    "balkline_47_1": "47/1",
    "balkline_71_2": "71/2",
    "nine_ball": "9-ball",
    "ten_ball": "10-ball",
    "eight_ball": "8-ball",
    "straight_pool": "14.1",
}
"""Disciplines that all languages call the same."""


def discipline_name(discipline: str, code: str) -> str:
    """What a discipline is called in a language."""
    forms: tuple[str, ...] = getattr(load_setup_words(code), discipline, ())
    return forms[0] if forms else _SHARED.get(discipline, discipline)


def print_totals(lines: Sequence[Appearance], words: Words, code: str) -> None:
    """All together; where several disciplines were played each has its averages for itself."""
    by_game = by_discipline(lines)
    for game, mine in by_game.items():
        total = totals(mine)
        print()
        if len(by_game) > 1:
            print(discipline_name(game, code))
        decided = f" ({words.won} {total.won}, {words.lost} {total.lost})"
        alone = not any(line.opponents for line in mine)
        print(f"{words.matches}: {total.matches}{'' if alone else decided}")
        if total.innings:
            print(f"{words.points}: {total.points}")
            print(f"{words.innings}: {total.innings}")
            print(f"{words.general_average}: {total.general_average}")
            print(f"{words.best_average}: {total.best_average}")
        if total.high_run:
            print(f"{words.high_run}: {total.high_run}")


def print_groups(
    head: str, groups: Sequence[tuple[str, str, Sequence[Appearance]]], words: Words, code: str
) -> None:
    """A line a group of a name, a discipline and its appearances, in the order given."""
    rows = []
    several = len({game for _, game, _ in groups}) > 1
    for name, game, mine in groups:
        total = totals(mine)
        figures = (total.matches, total.won, total.lost)
        averages = (total.general_average, total.best_average, str(total.high_run or "-"))
        names = (name, discipline_name(game, code)) if several else (name,)
        rows.append((*names, *map(str, figures), *averages))
    heads = (head, words.game) if several else (head,)
    columns = (*heads, words.matches, words.won, words.lost, words.general_average)
    print_table((*columns, words.best_average, words.high_run), rows)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns of text, as wide as what stands in them."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for row in (head, *rows):
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def names_in(numbers: Sequence[int], players: Mapping[int, str]) -> str:
    """The names of a side; who has none is his number."""
    return " + ".join(players.get(number, f"#{number}") for number in numbers)
