"""Every game of three cushions that a physics program played and judged, played by our rules.

What the sheets hold and where they are from is told in docs/simulated-games.md.
"""

import gzip
import re
from collections import Counter
from functools import cache
from pathlib import Path

from msgspec import Struct

from rules.replay import Replay, replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Expect, Sheet, read_sheets
from rules.sides import Side
from rules.standing import Stage
from tests.rules.play import enter

FILE = Path(__file__).parent.parent / "simulated" / "three_cushion.sheet.gz"
PAGE = Path(__file__).parent.parent.parent / "docs" / "simulated-games.md"

DEPARTS = {
    "C1": {"score", "turn"},  # the opening stroke need not hit the red ball first
    "C2": {"winner"},  # the target ends it, nobody is answered
}
"""What the other judge does otherwise, by code, and in what a stroke may differ by it."""


class Difference(Struct, frozen=True):
    """Where a stroke came out otherwise: its number and in what."""

    stroke: int
    what: str


@cache
def games() -> tuple[Sheet, ...]:
    text = gzip.decompress(FILE.read_bytes()).decode()
    return read_sheets(text, notation_of, FILE.name)


@cache
def played(sheet: Sheet) -> Replay:
    return replay(sheet, rulebook_of)


def is_clean(sheet: Sheet) -> bool:
    return "clean" in sheet.note.split()


def strokes(sheet: Sheet) -> int:
    return sum(isinstance(line, Expect) for line in sheet.body)


def codes(sheet: Sheet) -> dict[int, str]:
    """The strokes that carry a code, and which."""
    found = (word.partition(":") for word in sheet.note.split() if ":" in word)
    return {int(stroke): code for stroke, _, code in found}


@cache
def differences(sheet: Sheet) -> tuple[Difference, ...]:
    """A stroke is one entry and one line of what must hold after it.

    Once the opening stroke was judged otherwise the two play different games: what comes after it
    is not compared.
    """
    last = next((stroke for stroke, code in codes(sheet).items() if code == "C1"), strokes(sheet))
    found = []
    for note in played(sheet).notes:
        step, what = re.match(r"step (\d+): (\w+)", note).groups()  # type: ignore[union-attr]
        if (int(step) + 1) // 2 <= last:
            found.append(Difference((int(step) + 1) // 2, what))
    return tuple(found)


def test_each_stroke_is_judged() -> None:
    for sheet in games():
        assert len(tuple(sheet.steps())) == 2 * strokes(sheet)


def test_on_clean_games_nothing_differs_but_the_equalising_inning() -> None:
    clean = [sheet for sheet in games() if is_clean(sheet)]
    assert len(clean) > len(games()) * 0.9
    for sheet in clean:
        assert set(codes(sheet).values()) <= {"C2"}
        assert {one.what for one in differences(sheet)} <= {"winner"}
        assert {one.stroke for one in differences(sheet)} == set(codes(sheet))


def test_elsewhere_only_at_a_stroke_with_a_code_and_in_what_the_code_says() -> None:
    for sheet in games():
        for one in differences(sheet):
            assert one.what in DEPARTS[codes(sheet)[one.stroke]], (sheet.id, one)


def test_where_the_other_judge_ends_it_the_second_player_has_his_answer() -> None:
    """The game goes on from there: one point short loses, the same number of points draws."""
    unanswered = [sheet for sheet in games() if set(codes(sheet).values()) == {"C2"}]
    assert len(unanswered) > 40
    for sheet in unanswered:
        ledger = enter(replay(sheet, rulebook_of).ledger, "OK")
        frame = ledger.match.frame
        assert frame is not None
        assert frame.score is not None
        assert frame.visit.side is Side.B
        assert frame.figures().goal == frame.score[0]
        needed = frame.score[0] - frame.score[1]
        enter(ledger, f"={needed - 1} OK")
        assert ledger.match.result is not None
        assert (ledger.match.stage, ledger.match.result.winner) == (Stage.OVER, Side.A)
        enter(ledger, f"UNDO UNDO +{needed} OK")
        assert ledger.match.result is not None
        assert (ledger.match.stage, ledger.match.result.winner) == (Stage.OVER, None)


def test_the_page_tells_the_counts() -> None:
    marked = Counter(code for sheet in games() for code in codes(sheet).values())
    differing = Counter(
        codes(sheet)[stroke]
        for sheet in games()
        for stroke in {one.stroke for one in differences(sheet)}
    )
    page = PAGE.read_text("utf-8").split("\n## Three cushions\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (C\d) \|.*\| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    told = {code: (int(a), int(b)) for code, a, b in rows}
    assert told == {code: (marked[code], differing[code]) for code in DEPARTS}
    totals = dict(re.findall(r"^\| ([a-z][a-z ]+) \| (\d+) \|$", page, re.MULTILINE))
    assert {what: int(count) for what, count in totals.items()} == {
        "games": len(games()),
        "clean games": sum(map(is_clean, games())),
        "strokes": sum(map(strokes, games())),
        "strokes of clean games": sum(strokes(one) for one in games() if is_clean(one)),
        "games with a difference": sum(bool(differences(one)) for one in games()),
        "strokes with a difference": sum(
            len({one.stroke for one in differences(sheet)}) for sheet in games()
        ),
    }
