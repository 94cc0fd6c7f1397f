"""Every frame that a physics program played and its own judge judged, played by our rules.

What the sheets hold and where they are from is told in docs/simulated-games.md.
"""

import gzip
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from rules.replay import Replay, replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Expect, Sheet, read_sheets

FILE = Path(__file__).parent.parent / "simulated" / "snooker.sheet.gz"
PAGE = Path(__file__).parent.parent.parent / "docs" / "simulated-games.md"

ANYTHING = {"score", "turn", "chooser", "on", "cue", "reds", "remaining", "frame", "refused"}
DEPARTS = {
    "S1": set(),  # it raises an error once the last black is down; its verdict was made before
    "S2": {"frame"},  # level after the last black: over, and nobody has won
    "S3": {"remaining"},  # of several colours down with a foul not all come back
    "S4": set(),  # it raises an error when pink and black fall together; a foul of seven
    "div": ANYTHING,  # the table is another than ours since S3
}
"""What the other judge does otherwise, by code, and in what a stroke may differ by it."""


class Difference(Struct, frozen=True):
    """Where a stroke came out otherwise: its number, in what, and the codes it carries."""

    stroke: int
    what: str
    codes: frozenset[str]


@cache
def frames() -> tuple[Sheet, ...]:
    text = gzip.decompress(FILE.read_bytes()).decode()
    return read_sheets(text, notation_of, FILE.name)


@cache
def played() -> dict[str, Replay]:
    return {sheet.id: replay(sheet, rulebook_of) for sheet in frames()}


def is_clean(sheet: Sheet) -> bool:
    return "clean" in sheet.note.split()


def strokes(sheet: Sheet) -> int:
    return sum(isinstance(line, Expect) for line in sheet.body)


def codes(sheet: Sheet) -> tuple[tuple[int, str], ...]:
    """The strokes that carry a code, and which."""
    found = (word.partition(":") for word in sheet.note.split() if ":" in word)
    return tuple((int(stroke), code) for stroke, _, code in found)


@cache
def differences(sheet: Sheet) -> tuple[Difference, ...]:
    """A stroke is one entry and one line of what must hold after it."""
    found = []
    for note in played()[sheet.id].notes:
        step, what = re.match(r"step (\d+): (\w+)", note).groups()  # type: ignore[union-attr]
        stroke = (int(step) + 1) // 2
        marks = frozenset(code for number, code in codes(sheet) if number == stroke)
        found.append(Difference(stroke, what, marks))
    return tuple(found)


def test_each_stroke_is_judged() -> None:
    for sheet in frames():
        assert len(tuple(sheet.steps())) == 2 * strokes(sheet)


def test_on_clean_frames_nothing_differs() -> None:
    clean = [sheet for sheet in frames() if is_clean(sheet)]
    assert len(clean) > len(frames()) * 0.8
    for sheet in clean:
        assert {code for _, code in codes(sheet)} <= {"S1", "S3"}  # S3 where it was mended at once
        assert played()[sheet.id].notes == ()


@pytest.mark.parametrize(
    "sheet", [one for one in frames() if not is_clean(one)], ids=lambda s: s.id
)
def test_elsewhere_only_at_a_stroke_with_a_code_and_in_what_the_code_says(sheet: Sheet) -> None:
    for one in differences(sheet):
        assert one.what in set[str]().union(*(DEPARTS[code] for code in one.codes)), one


def test_a_frame_level_after_the_last_black_is_to_be_drawn() -> None:
    level = [sheet for sheet in frames() if {"S2"} == {code for _, code in codes(sheet)} - {"S1"}]
    assert len(level) > 10
    for sheet in level:
        line = played()[sheet.id].scoreline()
        assert line.option is not None
        assert line.option.kind == "draw"
        assert line.score is not None
        assert line.score[0] == line.score[1]


def test_the_page_tells_the_counts() -> None:
    marked: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    differing: Counter[str] = Counter()
    for sheet in frames():
        marked.update(code for _, code in codes(sheet))
        inside.update({code for _, code in codes(sheet)})
        differing.update(
            code
            for stroke, code in codes(sheet)
            if any(one.stroke == stroke and one.what in DEPARTS[code] for one in differences(sheet))
        )
    page = PAGE.read_text("utf-8").split("\n## Snooker\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (S\d|div) \|.*\| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    told = {code: (int(a), int(b), int(c)) for code, a, b, c in rows}
    assert told == {code: (marked[code], inside[code], differing[code]) for code in DEPARTS}
    totals = dict(re.findall(r"^\| ([a-z][a-z ]+) \| (\d+) \|$", page, re.MULTILINE))
    assert {what: int(count) for what, count in totals.items()} == {
        "frames": len(frames()),
        "clean frames": sum(map(is_clean, frames())),
        "strokes": sum(map(strokes, frames())),
        "strokes of clean frames": sum(strokes(one) for one in frames() if is_clean(one)),
        "frames with a difference": sum(bool(differences(one)) for one in frames()),
        "strokes with a difference": sum(
            len({one.stroke for one in differences(sheet)}) for sheet in frames()
        ),
    }
