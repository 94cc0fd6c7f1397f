"""Visits counted from the entries are those that the rules count, sheet by sheet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.journal.matches import began
from firmware.records.kept import Kept
from firmware.records.visits import VisitRow, strokes_of, visits
from rules.entries import Adjust
from rules.frame import Frame
from rules.replay import replay
from rules.rulebooks import family_of, notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_sheets
from rules.sides import Pair, Side

SHEETS = Path(__file__).parents[1] / "sheets"
FILES = ("carom", "matches", "pool", "pool-audit", "pool-matches", "snooker", "snooker-frames")

NO_VISIT = {"audit:void-kept"}
"""The run is broken off by a game that is played on from elsewhere: no inning by the rules."""


def played(file: str) -> Iterator[Kept]:
    """The matches of a file that nobody put right by hand, from their beginning."""
    for sheet in read_sheets((SHEETS / f"{file}.sheet").read_text("utf-8"), notation_of):
        result = replay(sheet, rulebook_of)
        acts = [record.act for record in result.records]
        adjusted = any(
            isinstance(one, Adjust) for act in acts if isinstance(act, tuple) for one in act
        )
        if not (result.notes or sheet.setup.at or adjusted or sheet.id in NO_VISIT):
            row = began(sheet.id, rulebook_of(sheet.setup.rulebook), 0)
            yield Kept(row, tuple(result.records), sheet.names, result.ledger)


def of_sides(rows: list[VisitRow]) -> Pair[list[VisitRow]]:
    return [row for row in rows if row.side is Side.A], [row for row in rows if row.side is Side.B]


@pytest.mark.parametrize("file", FILES)
def test_innings_runs_breaks_and_scores_are_those_of_the_rules(file: str) -> None:
    seen = 0
    for match in played(file):
        rows, figures, id_ = visits(match), match.line().figures, match.row.id
        sides = of_sides(list(rows))
        innings = figures.total_innings or figures.innings
        if innings is not None:
            assert tuple(sum(row.over for row in mine) for mine in sides) == innings, id_
            best = tuple(max((row.points for row in mine), default=0) for mine in sides)
            assert figures.high_runs in (None, best), id_
        for number, frame in enumerate(match.frames(), 1):
            check_frame(match, number, frame)
            seen += 1
    assert seen > 5


def check_frame(match: Kept, number: int, frame: Frame) -> None:
    score = [0, 0]
    for stroke in strokes_of(match):
        if stroke.frame == number:
            score[stroke.side.place] += stroke.points - stroke.lost
            score[stroke.side.other.place] += stroke.given
    assert frame.score in (None, tuple(score)), match.row.id
    if family_of(match.ledger.match.setup.rulebook) == "snooker":
        rows = [row for row in visits(match) if row.frame == number]
        breaks = tuple(
            tuple(row.points for row in mine if row.points >= 50) for mine in of_sides(rows)
        )
        assert frame.figures().breaks in (None, breaks), match.row.id


def one(text: str) -> tuple[VisitRow, ...]:
    (sheet,) = read_sheets(text, notation_of)
    result = replay(sheet, rulebook_of)
    assert not result.notes
    row = began("t", rulebook_of(sheet.setup.rulebook), 0)
    return visits(Kept(row, tuple(result.records), sheet.names, result.ledger))


def test_pots_fouls_and_safeties_of_14_1() -> None:
    rows = one("id: t\nrulebook: wpa141\nfirst: A\nSAFE / 3x( POT(1) ) SAFE POT(2) FOUL /\n")
    told = [(row.side, row.points, row.lost, row.pots, row.safeties, row.fouls) for row in rows]
    assert told == [
        ("A", 0, 0, 0, 1, 0),
        ("B", 0, 0, 0, 0, 0),
        ("A", 3, 0, 3, 1, 0),
        ("B", 2, 1, 1, 0, 1),
        ("A", 0, 0, 0, 0, 0),
    ]


def test_a_visit_entered_as_a_whole_keeps_its_foul_apart() -> None:
    first, _ = one("id: t\nrulebook: wpa141\nfirst: A\nVISIT(9,foul) /\n")
    assert (first.points, first.lost, first.fouls, first.shots) == (6, 1, 1, None)


def test_an_edit_is_marked_and_not_timed() -> None:
    head, before = "id: t\nrulebook: ug\nfirst: A\n", "@0:10.000 +1 @0:20.000 / @0:30.000 =2"
    mine, theirs = one(f"{head}{before}\n")
    assert (mine.took_ms, theirs.took_ms) == (20_000, 10_000)
    mine, theirs = one(f"{head}{before} @0:40.000 EDIT(A1=4)\n")
    assert (mine.points, mine.edited, mine.took_ms) == (4, True, None)
    assert (theirs.points, theirs.edited, theirs.took_ms) == (2, False, None)


def test_a_warning_of_a_stalemate_takes_nothing_away() -> None:
    head = "id: t\nrulebook: wpbsa\nformat: target=1\nfirst: A\n"
    assert [row.points for row in one(f"{head}R K STALEMATE(warn) R K /\n")] == [16]
    assert one(f"{head}R K / STALEMATE(warn) STALEMATE\n") == ()
