"""Snooker beyond its sheets: announcements, what outlives a frame, set-ups, offers."""

import pytest

from rules.errors import BadSetup
from rules.frame import SomeOf
from rules.ledger import Ledger
from rules.notices import notices
from rules.record import Record, Setup
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.snooker.entries import Colour, VisitTotal
from rules.snooker.terms import SnookerCarry
from rules.snooker.words import NOTATION
from tests.rules.play import enter, opened

CASES = [
    # where it is taken up, the record, what is announced
    ("", "R", ""),
    ("", "/", ""),
    ("", "=24(reds=12)", ""),
    ("", "FOUL", "foul A 4, choice_foul B"),
    ("", "FOUL(hit=K,free)", "foul A 7, free_ball B, choice_foul B"),
    ("", "FOUL(touch=P,by=B)", "foul B 6"),
    ("", "CONDUCT", "conduct A 1, choice_foul B"),
    ("score=93/0 run=93 reds=2 any_colour=on", "K", "century A 100"),
    ("score=94/0 run=94 reds=2 any_colour=on", "K", "century A 101"),
    ("score=101/0 run=101 reds=2 any_colour=on", "K", ""),
    ("", "=104(reds=2)", "century A 104, snookers_required B 16"),
    # half the reds with blacks: the maximum is still on, and that is said once
    ("score=57/0 run=57 reds=7 any_colour=on", "K", "maximum_on A 64"),
    ("score=57/0 run=57 reds=7 any_colour=on", "P", ""),
    # the next pot leaves the other side short of what is left
    ("score=45/7 reds=3", "/", ""),
    ("score=45/7 reds=3", "R", "frame_ball A"),
    ("score=40/0 reds=2 any_colour=on", "P", "snookers_required B 1"),
    ("score=60/42 reds=0 colours=GNUPK", "G", "frame_ball A"),
    ("score=60/42 reds=0 colours=GNUPK", "[G N]", "frame_ball A, snookers_required B 2"),
    ("score=30/29 reds=0 colours=PK frames=2/2", "/", ""),
    ("score=30/34 reds=0 colours=PK frames=2/2", "/", "match_ball B"),
    # what a foul decides is said at once; what hangs on a free ball once that is chosen or not
    ("score=10/60 reds=3", "FOUL(hit=K)", "foul A 7, snookers_required A 2, choice_foul B"),
    ("score=10/60 reds=3", "FOUL(hit=K,by=B)", "foul B 7"),
    ("score=10/54 reds=3", "FOUL(hit=K)", "foul A 7, choice_foul B"),
    ("score=60/10 reds=5", "FOUL(reds=2)", "foul A 4, choice_foul B"),
    ("score=70/10 reds=5", "FOUL(reds=2)", "foul A 4, snookers_required B 2, choice_foul B"),
    ("score=70/10 reds=5", "FOUL(reds=2,free)", "foul A 4, free_ball B, choice_foul B"),
    ("score=70/10 reds=5", "[FOUL(reds=2,free) PICK(free)]", "foul A 4, free_ball B"),
    # ends
    ("score=50/57 reds=0 colours=K", "K", "respotted_black, choice_draw"),
    ("score=50/44 reds=0 colours=PK", "P", "frame_won A"),
    ("score=50/44 reds=0 colours=PK frames=2/0", "P", "match_won A"),
    ("score=50/44 reds=0 colours=PK", "[P BLACK]", "frame_won A"),
]


def announced(ledger: Ledger, record: str) -> str:
    match = ledger.match
    enter(ledger, record)
    act = ledger.line()[-1].record.act
    assert isinstance(act, tuple)
    said = notices(match, act, ledger.match)
    return ", ".join(
        " ".join(str(part) for part in (one.what, one.side, one.number) if part is not None)
        for one in said
    )


@pytest.mark.parametrize(("at", "record", "said"), CASES)
def test_what_is_announced(at: str, record: str, said: str) -> None:
    assert announced(opened("cbbs", "target=3", at=at), record) == said


def test_a_free_ball_that_is_not_taken_leaves_fouls_to_be_needed() -> None:
    ledger = enter(opened("wpbsa", at="score=70/10 reds=5"), "FOUL(reds=2,free)")
    assert announced(ledger, "PICK(pass)") == "snookers_required B 2"
    enter(ledger, "UNDO")
    assert announced(ledger, "PICK(free)") == ""
    assert announced(ledger, "/") == "snookers_required B 2"


def test_a_second_miss_is_warned_of_when_the_stroke_is_asked_for_again() -> None:
    ledger = enter(opened("wpbsa"), "FOUL(miss,full) PICK(replay)")
    assert announced(ledger, "FOUL(miss)") == "foul A 4, choice_foul B"
    assert announced(ledger, "PICK(replay)") == "miss_warning A"
    assert announced(ledger, "FOUL(miss)") == "foul A 4, frame_won B"


def test_breaks_are_kept_over_the_frames_of_a_match() -> None:
    ledger = opened("cbbs", "target=4", at="high_breaks=40/110")
    enter(ledger, "R K R K / =57(reds=4) CONCEDE(A) OK")
    carry = ledger.match.carry
    assert isinstance(carry, SnookerCarry)
    assert (carry.high_breaks, carry.fifties, carry.centuries) == ((40, 110), (0, 1), (0, 0))
    enter(ledger, "=0 15x( R K ) Y G N U P BLACK OK =112 AWARD(B) OK")
    carry = ledger.match.carry
    assert isinstance(carry, SnookerCarry)
    assert (carry.high_breaks, carry.fifties, carry.centuries) == ((147, 110), (0, 1), (2, 0))
    assert scoreline(ledger, (("Ana",), ("Rui",))).figures.high_runs == (147, 110)


def test_a_frame_that_is_played_again_leaves_no_break() -> None:
    ledger = enter(opened("cbbs", "target=3"), "8x( R K ) / VOID CONCEDE(A) OK")
    carry = ledger.match.carry
    assert isinstance(carry, SnookerCarry)
    assert carry.high_breaks == (0, 0)
    assert carry.fifties == (0, 0)


def test_figures_say_what_is_known_and_leave_out_the_rest() -> None:
    figures = scoreline(opened("cbbs", "target=3 reds=6", at="handicap=7/0"), ((), ())).figures
    assert figures.handicap == (7, 0)
    assert figures.colours == ("yellow", "green", "brown", "blue", "pink", "black")
    assert (figures.ball_on, figures.reds, figures.remaining, figures.maximum) == ("red", 6, 75, 75)
    assert figures.maximum_break == 75
    assert figures.cue == "hand"
    assert not figures.respotted
    ledger = enter(opened("cbbs"), "TOUCHING")
    assert scoreline(ledger, ((), ())).figures.touching
    enter(ledger, "/")
    assert not scoreline(ledger, ((), ())).figures.touching
    unknown = scoreline(enter(opened("cbbs"), "=9"), ((), ())).figures
    assert (unknown.reds, unknown.colours, unknown.remaining) == (None, None, None)


@pytest.mark.parametrize(
    ("format_", "told"),
    [
        ("reds=16", "reds is 1 to 15"),
        ("reds=0", "reds is 1 to 15"),
        ("target=0", "target is 1 to 99"),
        ("agg_fail=1", "agg_fail is 2 to 99"),
    ],
)
def test_a_format_that_cannot_be_is_refused(format_: str, told: str) -> None:
    with pytest.raises(BadSetup, match=told):
        opened("cbbs", format_)


def test_where_the_rules_know_single_players_pairs_must_be_agreed_on() -> None:
    pairs = ((1, 3), (2, 4))
    with pytest.raises(BadSetup, match="players: one a side; pairs=on in the format"):
        Ledger(Record(0, Setup("fpb", pairs)), rulebook_of)
    Ledger(Record(0, Setup("fpb", pairs, (("pairs", "on"),))), rulebook_of)


def test_no_reds_left_are_read_as_the_yellow_the_lowest() -> None:
    (entry,) = enter(opened("cbbs"), "=42(reds=0)").line()[-1].record.act  # type: ignore[misc] # an act
    assert entry == VisitTotal(42, low=Colour.YELLOW)
    assert NOTATION.text(entry) == "=42(low=Y)"


@pytest.mark.parametrize(
    "at",
    [
        "reds=16",
        "colours=YK reds=0",
        "colours=-",
        "reds=2 colours=PK",
        "free=on any_colour=on",
        "tie=black",
        "score=3/2 reds=0 colours=K tie=draw",
        "score=-1/0",
        "run=156",
        "breaks=0/-",
    ],
)
def test_a_position_that_cannot_be_in_play_is_refused(at: str) -> None:
    with pytest.raises(BadSetup, match="at: "):
        opened("cbbs", "", at=at)


def test_values_that_need_another_stand_with_it() -> None:
    bound = SomeOf((1, 2, 3), needs=((3, 1),), must=(2, 3))
    assert bound.bounds() == ((2,), (1, 3), (2, 1), (2, 1, 3))
    assert all(value in bound for value in bound.bounds())
    for wrong in ((), (1,), (3,), (2, 2), (2, 4), "2"):
        assert wrong not in bound
