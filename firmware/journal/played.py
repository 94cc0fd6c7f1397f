"""Who played, by the set-ups of the matches."""

import re
from collections.abc import Iterator

from firmware.journal.journal import Journal
from rules.sides import Pair

_SIDES = re.compile(r"[(,]A=([\d+]+)(?:,B=([\d+]+))?")


_RULEBOOK = re.compile(r"\(rulebook=(\w+)")


def rulebook_in(setup: str) -> str:
    """The rulebook in the text of a set-up, empty where there is none."""
    found = _RULEBOOK.search(setup)
    return "" if found is None else found[1]


def sides_of(setup: str) -> Pair[tuple[int, ...]]:
    """The numbers of the players in the text of a set-up; empty where there are none."""
    found = _SIDES.search(setup)
    if found is None:
        return (), ()
    a, b = (
        tuple(int(number) for number in (part or "").split("+") if number)
        for part in found.groups()
    )
    return a, b


def played(journal: Journal, number: str) -> bool:
    """Whether `#7` is a number that a match knows."""
    wanted = number.removeprefix("#")
    return wanted.isdecimal() and any(int(wanted) in who for _, who in _players(journal))


def match_of_both(journal: Journal, a: int, b: int) -> str | None:
    """A match in which both play, or none."""
    doubles = journal.club.doubles()
    for id_, numbers in _players(journal):
        if {a, b} <= {doubles.get(number, number) for number in numbers}:
            return id_
    return None


def _players(journal: Journal) -> Iterator[tuple[str, tuple[int, ...]]]:
    for id_, _, _, _, setup, summary in journal.listing():
        mended = sides_of(summary) if "SETUP(" in summary else ((), ())
        yield id_, tuple(number for a, b in (sides_of(setup), mended) for number in (*a, *b))
