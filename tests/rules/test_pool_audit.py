"""The audit of 14.1: no alarm in any play, and one at the next re-rack for any wrong point."""

from random import Random

import pytest

from rules.entries import Adjust, Entry, First, Lag, Pick, Stalemate, Void
from rules.errors import NotAllowed
from rules.figures import Figures
from rules.frame import Notice
from rules.ledger import Ledger
from rules.notices import notices
from rules.pool.entries import (
    Foul,
    Left,
    Pot,
    Safe,
    Short,
    VisitEnd,
    WholeVisit,
)
from rules.position import split_fields
from rules.record import Record, Setup
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Side

BOOKS = ("fpb141", "wpa141")
WALKS = 150


def opened(rulebook: str, format_: str = "") -> Ledger:
    """The log of a long game that A opens."""
    fields = split_fields(f"target=1000/1000 {format_}".strip())
    return Ledger(Record(0, Setup(rulebook, ((1,), (2,)), fields, Side.A)), rulebook_of)


def enter(ledger: Ledger, entry: Entry) -> tuple[Notice, ...]:
    """One record, and what is announced."""
    before = ledger.match
    ledger.append(Record(ledger.seq + 1, (entry,)))
    return notices(before, (entry,), ledger.match)


def figures(ledger: Ledger) -> Figures:
    """The numbers on the board."""
    assert ledger.match.frame is not None
    return ledger.match.frame.figures()


def an_act(random: Random, ledger: Ledger) -> Entry:
    """Something of a game: mostly balls, and all that takes balls off the table otherwise."""
    side = random.choice(tuple(Side))
    left = figures(ledger).left or 0
    option = ledger.match.option
    if option is not None and option.kind == "first":
        return random.choice((Lag(winner=side), First(side)))
    if option is not None:
        return Pick(random.choice(option.choices))
    common: tuple[Entry, ...] = (
        Pot(1),
        Pot(random.randint(1, 3)),
        Left(random.randint(0, max(left - 1, 0))),
        Foul(),
        Foul(scratch=True),
        Safe(),
        WholeVisit(random.randint(2, 15), random.choice(list(VisitEnd)[:4]), random.randint(0, 2)),
        WholeVisit(random.randint(2, 15), VisitEnd.FOUL, cleared=1),
    )
    rare = (Foul(by=side), Short(), Stalemate(), Void("keep"))
    return random.choice(rare) if random.random() < 0.2 else random.choice(common)


def walked(random: Random, ledger: Ledger, steps: int) -> None:
    """So many acts, those left out that do not fit."""
    for _ in range(steps):
        try:
            enter(ledger, an_act(random, ledger))
        except NotAllowed:
            continue
        assert figures(ledger).audit is None


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("format_", ["", "after_third=pass_turn"])
def test_no_play_raises_the_alarm(rulebook: str, format_: str) -> None:
    reracks = 0
    for walk in range(WALKS):
        ledger = opened(rulebook, format_)
        walked(Random(walk), ledger, 80)
        reracks += figures(ledger).reracks or 0
    assert reracks > WALKS * 5


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("wrong", [1, -1, 14])
def test_a_wrong_point_is_told_at_the_next_re_rack_and_only_then(rulebook: str, wrong: int) -> None:
    told = 0
    for walk in range(WALKS):
        random = Random(walk)
        ledger = opened(rulebook)
        walked(random, ledger, random.randint(1, 40))
        if ledger.match.option is not None:
            continue
        frame = ledger.match.frame
        assert frame is not None
        assert frame.score is not None
        a, b = frame.score
        score = f"{a + wrong}/{b}" if random.random() < 0.5 else f"{a}/{b + wrong}"
        enter(ledger, Adjust((("score", score),), "slip"))
        while (figures(ledger).left or 0) > 2:
            assert figures(ledger).audit is None
            enter(ledger, Pot(1))
        assert figures(ledger).audit is None
        said = enter(ledger, Pot(1))
        assert figures(ledger).audit == wrong
        assert [one.number for one in said if one.what == "audit"] == [wrong]
        told += 1
    assert told > WALKS // 2


@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_referees_last_word_ends_the_alarm(rulebook: str) -> None:
    for score in ("14/0", "15/0"):
        ledger = opened(rulebook)
        enter(ledger, Adjust((("score", "1/0"),), "slip"))
        enter(ledger, Left(1))
        assert figures(ledger).audit == 1
        enter(ledger, Adjust((("score", score),), "looked_at"))
        assert figures(ledger).audit is None
        enter(ledger, Left(1))
        assert figures(ledger).audit is None
