"""What events agree on beside a rulebook: all of so many played, and one player alone."""

import pytest

from rules.errors import BadSetup
from rules.ledger import Ledger
from rules.match import digest
from rules.record import Record, Setup
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.scoreline import scoreline
from rules.sides import Side
from rules.standing import Stage
from rules.tally import ENDLESS
from tests.rules.play import enter, opened


def over(ledger: Ledger) -> str:
    """How a match ended: tally, and who won."""
    match = ledger.match
    assert match.stage is Stage.OVER
    assert match.result is not None
    return f"{match.tally[0][0]}-{match.tally[0][1]} {match.result.winner or 'draw'}"


def test_all_racks_are_played_and_level_is_a_draw() -> None:
    ledger = opened("fpb9", "played=4 detail=1")
    enter(ledger, "AWARD(A) OK AWARD(B) OK AWARD(B) OK AWARD(A) OK")
    assert over(ledger) == "2-2 draw"


def test_who_has_won_more_wins_whoever_won_the_last() -> None:
    entries = "AWARD(B) OK AWARD(B) OK AWARD(A) OK"
    assert over(enter(opened("fpb9", "played=3 detail=1"), entries)) == "1-2 B"


def test_a_match_goes_on_when_it_is_decided_until_all_are_played() -> None:
    ledger = enter(opened("wpbsa", "played=3"), "AWARD(A,forfeit) OK AWARD(A,forfeit)")
    line = scoreline(ledger, ((), ()))
    assert (line.phase, line.result, line.tally["frames"]) == ("held", None, (2, 0))
    assert over(enter(ledger, "OK AWARD(B,forfeit) OK")) == "2-1 A"


def test_a_drawn_set_is_one_of_those_played() -> None:
    ledger = enter(opened("3c", "target=1/1 played=2"), "=1 OK =1 OK")
    assert (len(ledger.match.finished), ledger.match.tally[0]) == (1, (0, 0))
    assert ledger.match.actor is Side.B
    assert over(enter(ledger, "=0 =1 OK")) == "1-0 A"


def test_a_match_is_not_taken_up_with_nothing_left_to_play() -> None:
    assert opened("fpb9", "played=4", at="racks=1/2").match.tally[0] == (1, 2)
    with pytest.raises(BadSetup, match="racks=2/2: of 4 some are still to be played"):
        opened("fpb9", "played=4", at="racks=2/2")


def test_conceding_gives_the_winner_what_was_left_to_play() -> None:
    ledger = enter(opened("fpb9", "played=5 detail=1"), "AWARD(B) OK CONCEDE(B,match) OK")
    assert ledger.match.result is not None
    assert ledger.match.result.winner is Side.A
    assert sum(ledger.match.tally[0]) <= 5


def test_what_is_played_and_who_is_alone_stand_in_the_scoreline() -> None:
    line = scoreline(opened("fpb9", "played=7"), (("Ana",), ("Bia",)))
    assert (line.played, line.alone) == (7, False)
    alone = Ledger(Record(0, Setup("sr", ((1,), ()), (("alone", "on"),))), rulebook_of)
    assert scoreline(alone, (("Ana",), ())).alone


@pytest.mark.parametrize("format_", ["played=-1", "played=100", "played=x", "played=3 alone=on"])
def test_what_cannot_be_agreed_is_refused(format_: str) -> None:
    with pytest.raises(BadSetup, match="played"):
        opened("fpb9", format_)


ALONE = {
    "sr": ("target=none/none", "+1 +1 / +1 +1 +1 / / +1", (6, 3)),
    "ug": ("target=none/none", "=4 =0 =7", (11, 7)),
    "fpb141": ("target=999/999", "POT(1) POT(1) / POT(1) SAFE POT(1)", (4, 2)),
    "wpbsa": ("", "R K R / R K", (17, 9)),
}


@pytest.mark.parametrize("rulebook", ALONE)
def test_alone_the_turn_stays_and_nothing_ends(rulebook: str) -> None:
    format_, entries, (points, high) = ALONE[rulebook]
    ledger = opened(rulebook, f"alone=on {format_}")
    start = digest(ledger.match)
    enter(ledger, entries)
    match = ledger.match
    assert match.frame is not None
    assert match.frame.score is not None
    assert match.frame.score[0] == points
    assert match.actor is Side.A
    figures = match.frame.figures()
    if figures.high_runs is not None:
        assert max(figures.high_runs[0], match.visit.run if match.visit else 0) == high
    for _ in range(ledger.seq):
        enter(ledger, "UNDO")
    assert digest(ledger.match) == start


@pytest.mark.parametrize("rulebook", ["fpb9", "wpa8", "wpbsa"])
def test_alone_frame_follows_frame_and_a_breaks_each(rulebook: str) -> None:
    ledger = opened(rulebook, "alone=on")
    for number in range(1, 4):
        enter(ledger, "AWARD(A,forfeit) OK" if rulebook == "wpbsa" else "AWARD(A) OK")
        match = ledger.match
        assert match.frame is not None
        assert (match.tally[0], match.frame.opener) == ((number, 0), Side.A)
        assert match.result is None
    assert ledger.match.levels[0].to_win == (ENDLESS, ENDLESS)


def test_nobody_needs_to_be_there_to_practise_against() -> None:
    setup = Setup("sr", ((1,), ()), (("alone", "on"),))
    assert Ledger(Record(0, setup), rulebook_of).match.actor is Side.A
    with pytest.raises(BadSetup, match="needs a player"):
        Ledger(Record(0, Setup("sr", ((1,), ()))), rulebook_of)


def test_no_rulebook_has_a_parameter_of_the_event() -> None:
    for book in RULEBOOKS.values():
        assert not {"played", "alone"} & set(book.cites)
