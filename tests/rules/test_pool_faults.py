"""Faults that are known from other pool boards; single cases stand in pool-faults.sheet."""

from collections.abc import Iterator
from random import Random

import pytest

from rules.entries import (
    Award,
    Concede,
    EndVisit,
    Entry,
    Ok,
    Pick,
    Shootout,
    Stalemate,
    Void,
)
from rules.errors import Code, NotAllowed
from rules.frame import Notice
from rules.ledger import Ledger
from rules.notices import notices
from rules.pool.entries import Foul, Pot, Push, Short
from rules.position import split_fields
from rules.record import Record, Setup
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.sheet import Step, read_sheets
from rules.sides import Side

BOOKS = ("fpb9", "wpa9", "wpa10", "fpb8", "wpa8", "bb")


def opened(rulebook: str, format_: str = "", first: Side = Side.A, at: str = "") -> Ledger:
    """The log of a match that has just been set up."""
    setup = Setup(rulebook, ((1,), (2,)), split_fields(format_), first, split_fields(at))
    return Ledger(Record(0, setup), rulebook_of)


def enter(ledger: Ledger, *entries: Entry) -> Ledger:
    """One record each."""
    for entry in entries:
        ledger.append(Record(ledger.seq + 1, (entry,)))
    return ledger


def announced(ledger: Ledger, text: str) -> Iterator[Notice]:
    """What is announced while the acts of a line are entered."""
    rulebook = ledger.match.setup.rulebook
    sheet = read_sheets(f"id: test\nrulebook: {rulebook}\n{text}\n", notation_of)[0]
    for step in sheet.steps():
        assert isinstance(step, Step)
        assert isinstance(step.act, tuple)
        before = ledger.match
        enter(ledger, *step.act)
        yield from notices(before, step.act, ledger.match)


@pytest.mark.parametrize("rulebook", ["fpb141", "wpa141", "fpb9", "wpa9", "wpa10"])
def test_the_warning_at_two_fouls_comes_once_and_again_only_for_another_row(rulebook: str) -> None:
    ledger = opened(rulebook, at="opening=off left=9")
    found = list(announced(ledger, "FOUL / FOUL / / / FOUL / FOUL / SAFE"))
    assert [one for one in found if one.what == "two_fouls"] == [Notice("two_fouls", Side.A, 2)] * 2


@pytest.mark.parametrize("rulebook", ["fpb141", "wpa141", "fpb9", "wpa9", "wpa10"])
def test_the_third_foul_is_told_as_such_and_not_as_a_second(rulebook: str) -> None:
    ledger = opened(rulebook, at="opening=off left=9 fouls=2/0")
    found = [one.what for one in announced(ledger, "FOUL")]
    assert found.count("three_fouls") == 1
    assert "two_fouls" not in found


def next_breaker(order: str, winner: Side, due: Side) -> Side:
    """Who breaks the next rack, told apart from the rules' own way."""
    return {"alternate": due.other, "winner": winner, "loser": winner.other}[order]


def first_of_a_set(format_: dict[str, str], winner: Side, due: Side, first: Side) -> Side:
    """Who breaks first in the next set."""
    if format_["set_order"] == "continue":
        return next_breaker(format_["order"], winner, due)
    return winner if format_["order"] == "winner" else first.other


def a_rack(random: Random, ledger: Ledger, winner: Side) -> None:
    """A rack, perhaps played twice or broken anew, up to its held end."""
    if random.random() < 0.3:
        enter(ledger, EndVisit(), random.choice((Void(), Stalemate())))
    if ledger.match.setup.rulebook == "fpb8" and random.random() < 0.3:
        enter(ledger, Short(), Pick("rebreak_self"), EndVisit())
    enter(ledger, random.choice((Award(winner), Concede(winner.other))))


def test_the_break_marker_is_right_over_a_thousand_random_matches() -> None:
    random = Random(62)
    racks = 0
    for _ in range(1000):
        format_ = {
            "race": f"{random.randint(1, 4)}/{random.randint(1, 4)}",
            "sets_to_win": str(random.randint(1, 2)),
            "order": random.choice(("alternate", "winner", "loser")),
            "set_order": random.choice(("alternate", "continue")),
        }
        first = due = random.choice(tuple(Side))
        text = " ".join(f"{key}={value}" for key, value in format_.items())
        ledger = opened(random.choice(BOOKS), text, first)
        while True:
            line = scoreline(ledger, ((), ()))
            assert (line.opener, line.turn) == (due, due), text
            winner = random.choice(tuple(Side))
            a_rack(random, ledger, winner)
            racks += 1
            sets = line.tally["sets"]
            enter(ledger, Ok())
            if ledger.match.result is not None:
                break
            if scoreline(ledger, ((), ())).tally["sets"] != sets:
                first = due = first_of_a_set(format_, winner, due, first)
            else:
                due = next_breaker(format_["order"], winner, due)
    assert racks > 3000


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_shoot_out_never_alters_the_racks(rulebook: str) -> None:
    for innings in ([Shootout(winner=Side.B)], [Shootout(points=n) for n in (2, 2, 1, 1, 3, 0)]):
        ledger = opened(rulebook, "race=2/2 shootout=on")
        enter(ledger, Award(Side.A), Ok(), Award(Side.B), Ok())
        for entry in innings:
            assert scoreline(ledger, ((), ())).tally["racks"] == (1, 1)
            enter(ledger, entry)
        enter(ledger, Ok())
        line = scoreline(ledger, ((), ()))
        assert line.tally["racks"] == (1, 1)
        assert line.result is not None
        assert line.result.winner is Side.B


@pytest.mark.parametrize("rulebook", BOOKS)
def test_what_comes_out_of_order_is_refused_in_words_and_changes_nothing(rulebook: str) -> None:
    ledger = opened(rulebook, "race=3/3")
    enter(ledger, Award(Side.A))
    for entry in (Pot(1), EndVisit(), Foul(), Short(), Push(), Award(Side.B), Pick("play")):
        before = ledger.match
        with pytest.raises(NotAllowed) as refused:
            enter(ledger, entry)
        assert refused.value.code is Code.OK_PENDING
        assert Code.OK_PENDING in str(refused.value)
        assert ledger.match is before
    enter(ledger, Ok())
    assert scoreline(ledger, ((), ())).tally["racks"] == (1, 0)
