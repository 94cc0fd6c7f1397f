"""Pool: what is announced, what is asked where pots are not entered, the clock, the audit."""

import pytest

from rules.errors import BadSetup, NotAllowed
from rules.ledger import Ledger
from rules.notices import notices
from rules.pool.words import NOTATION
from rules.record import Act
from rules.scoreline import scoreline
from rules.sheet import read_act
from tests.rules.pool_play import begun, enter

LEVEL_1 = "fpb9 race=3/3 detail=1"


def announced(ledger: Ledger, text: str) -> str:
    act: Act = read_act(text, NOTATION)
    assert isinstance(act, tuple)
    before = ledger.match
    enter(ledger, text)
    found = notices(before, act, ledger.match)
    return ", ".join(
        " ".join(str(part) for part in (one.what, one.side, one.number) if part is not None)
        for one in found
    )


@pytest.mark.parametrize(
    ("match", "line", "act", "says"),
    [
        ("fpb9", "", "FOUL", "foul A"),
        ("fpb9", "FOUL /", "FOUL", "foul A, two_fouls A 2"),
        ("fpb9", "FOUL / FOUL /", "FOUL", "foul A, three_fouls A 3, frame_won B"),
        ("fpb9", "FOUL / FOUL", "FOUL(by=A)", "foul A, three_fouls A 3, frame_won B"),
        ("wpa9", "FOUL / FOUL /", "FOUL(unwarned)", "foul A"),
        ("fpb9", "", "CLOCK", "foul A"),
        ("fpb9", "POT(1)", "PUSH(foul)", "foul A"),
        ("fpb9", "POT(1)", "PUSH", "choice_push_out B"),
        ("fpb9", "", "/", ""),
        # racks run in one visit
        ("fpb9", "", "POT(1,M)", "break_and_run A, frame_won A"),
        ("fpb9", "POT(1) POT(7)", "POT(1,M)", "break_and_run A, frame_won A"),
        ("fpb9", "/ POT(8)", "POT(1,M)", "run_out B, frame_won B"),
        ("fpb9", "/ POT(1) / POT(7)", "POT(1,M)", "frame_won A"),
        ("fpb9 at opening=off", "", "POT(1,M)", "frame_won A"),
        ("fpb8", "POT(S1) POT(S6)", "EIGHT", "break_and_run A, frame_won A"),
        ("fpb8", "POT(S1) POT(S6)", "EIGHT(wrongpocket)", "frame_won B"),
        ("bb", "/ POT(S7)", "POT(8ball)", "run_out B, frame_won B"),
        ("fpb9", "", "AWARD(A)", "frame_won A"),
        # the hill
        ("fpb9 race=3/3", "AWARD(A)", "OK", ""),
        ("fpb9 race=3/3", "AWARD(A) OK AWARD(A)", "OK", "hill A"),
        ("fpb9 race=3/3", "AWARD(A) OK AWARD(A) OK AWARD(B)", "OK", ""),
        ("fpb9 race=2/2", "AWARD(A) OK AWARD(B)", "OK", "hill_hill"),
        ("fpb9 race=3/1", "AWARD(A)", "OK", ""),
        ("fpb9 race=3/1", "AWARD(A) OK AWARD(A)", "OK", "hill_hill"),
        ("fpb9 race=2/2 sets_to_win=2", "AWARD(A) OK AWARD(A)", "OK", ""),
        ("fpb9 race=3/3 played=9", "AWARD(A) OK AWARD(A)", "OK", ""),  # nobody needs but one
        ("fpb9 played=3", "AWARD(A) OK AWARD(A)", "OK", ""),
        ("fpb9 race=3/3 alone=on", "AWARD(A) OK AWARD(A)", "OK", ""),
        ("fpb9 race=1/1", "", "POT(1,M)", "break_and_run A, match_won A"),
        # no progress
        ("wpa9", "/", "STALEMATE(warn)", "stalemate_warned 3"),
        ("wpa8", "/ STALEMATE(warn) / / / / /", "/", "stalemate_due"),
        ("bb", "/ STALEMATE(warn) / / / / / /", "FOUL", "foul B"),
        ("wpa141 stalemate_turns=1", "/ STALEMATE(warn) /", "/", "stalemate_due"),
        # 14.1
        ("fpb141", "LEFT(2)", "POT(1)", "rerack A 1"),
        ("fpb141", "LEFT(1)", "LEFT(0)", "rerack A 2"),
        ("fpb141", "LEFT(10)", "LEFT(9)", ""),
        ("fpb141", "LEFT(10) / LEFT(6)", "POT(1)", ""),
        ("fpb141", "LEFT(10) / LEFT(5)", "POT(1)", "high_run B 6"),
        ("fpb141", "LEFT(10) / LEFT(4)", "POT(1)", ""),
        ("fpb141", "LEFT(10) / LEFT(9) / POT(1)", "VISIT(2,miss)", "high_run A 7"),
        ("fpb141", "FOUL / FOUL /", "FOUL", "foul A, three_fouls A 3"),
        ("fpb141", "FOUL /", "VISIT(15,foul)", "foul A, two_fouls A 2"),
        ("wpa141", "", "SHORT", "foul A, choice_opening_short B"),
        ("fpb141", "ADJUST(score=3/0)", "LEFT(1)", "rerack A 1, audit 3"),
        ("fpb141", "ADJUST(score=3/0) LEFT(1)", "LEFT(1)", "rerack A 2"),
    ],
)
def test_what_is_announced(match: str, line: str, act: str, says: str) -> None:
    assert announced(enter(begun(match), line), act) == says


def held(ledger: Ledger) -> str:
    ending = ledger.match.ending
    return ending.cause if ending is not None else ""


def test_without_pots_the_third_foul_is_asked_about() -> None:
    """A pot that nobody entered would have cleared the counter."""
    ledger = enter(begun(LEVEL_1), "FOUL / FOUL / FOUL")
    option = ledger.match.option
    assert option is not None
    assert (option.kind, option.chooser) == ("third_foul", None)
    with pytest.raises(NotAllowed, match="choice_pending"):
        enter(ledger, "POT")
    assert held(enter(ledger, "PICK(in_a_row)")) == "three_fouls"
    enter(ledger, "UNDO PICK(potted)")
    line = scoreline(ledger, ((), ()))
    assert line.figures.fouls == (1, 0)
    assert line.turn == "B"
    assert line.figures.cue == "any"


@pytest.mark.parametrize(
    ("match", "line", "ends"),
    [
        (LEVEL_1, "FOUL / FOUL / POT FOUL", ""),  # the pot was entered
        (LEVEL_1, "FOUL / FOUL / [POT FOUL]", ""),
        ("fpb9 detail=1", "2x( FOUL(by=B) ) BREAKER(B) FOUL", "three_fouls"),  # on the break
        ("fpb9 detail=1", "2x( FOUL(by=B) ) BREAKER(B) SHORT", "three_fouls"),
        ("fpb9 detail=1", "FOUL(by=B) FOUL(by=B) / PUSH(foul)", "three_fouls"),
        ("fpb9 detail=1", "FOUL / FOUL FOUL(by=A)", "three_fouls"),
        ("wpa9 detail=1", "FOUL / FOUL / FOUL(unwarned)", ""),
        ("fpb9", "FOUL / FOUL / FOUL", "three_fouls"),
    ],
)
def test_where_there_can_be_no_doubt_nothing_is_asked(match: str, line: str, ends: str) -> None:
    ledger = enter(begun(match), line)
    assert ledger.match.option is None
    assert held(ledger) == ends


def test_where_pots_are_not_entered_no_table_is_shown() -> None:
    for book in ("fpb9", "fpb8", "bb"):
        figures = scoreline(begun(f"{book} detail=1"), ((), ())).figures
        assert (figures.left, figures.lots, figures.group_left) == (None, None, None)


def test_the_groups_and_what_is_left_of_them() -> None:
    figures = scoreline(enter(begun("fpb8"), "POT(S1,T1) POT(T2)"), ((), ())).figures
    assert figures.groups == ("stripes", "solids")
    assert figures.group_left == (4, 6)
    assert figures.lots == (6, 4)


def test_innings_averages_and_high_runs_of_all_games() -> None:
    ledger = enter(begun("fpb141 target=20/20 sets_to_win=2"), "LEFT(1) / POT(3) / POT(6) OK")
    figures = scoreline(ledger, ((), ())).figures
    assert figures.high_runs == (14, 3)
    assert figures.averages == ("10.00", "3.00")
    assert (figures.innings, figures.total_innings) == ((0, 0), (2, 1))
    assert figures.total_points == (20, 3)
    figures = scoreline(enter(ledger, "POT(15)"), ((), ())).figures
    assert figures.high_runs == (14, 15)  # B opens, and the run in play counts
    assert figures.to_go == (20, 5)


def test_a_flag_of_the_audit_is_answered_by_the_score() -> None:
    ledger = enter(begun("fpb141"), "ADJUST(score=0/2) LEFT(1)")
    assert scoreline(ledger, ((), ())).figures.audit == 2
    enter(ledger, "ADJUST(left=13)")  # two balls more have gone than were entered
    assert scoreline(ledger, ((), ())).figures.audit is None
    enter(ledger, "UNDO ADJUST(score=14/2,why=counted)")  # he has counted: it is right as it is
    assert scoreline(ledger, ((), ())).figures.audit is None
    assert scoreline(enter(ledger, "LEFT(1)"), ((), ())).figures.audit is None


def test_fouls_put_in_with_their_price_are_no_slip() -> None:
    ledger = enter(begun("fpb141"), "POT(4) ADJUST(fouls=2/0,score=2/0) FOUL LEFT(1)")
    line = scoreline(ledger, ((), ()))
    assert line.score == (-11 + 14, 0)  # 4 balls less 15, then the 14 of the new rack
    assert line.figures.audit is None


def shot_clock(ledger: Ledger, at_s: float) -> float:
    clock = ledger.clock.shot
    assert clock is not None
    return clock.left(round(at_s * 1000)) / 1000


def test_an_extension_adds_to_the_shot_clock_and_a_time_out_does_not() -> None:
    ledger = begun("wpa9 clock=35")
    enter(ledger, "@0:00.000 TIMEOUT(A) @0:01.000 START")
    assert shot_clock(ledger, 1) == 35
    enter(ledger, "@0:11.000 EXT(A)")
    assert shot_clock(ledger, 11) == 50
    with pytest.raises(NotAllowed, match="no_extension_left"):
        enter(ledger, "EXT(A)")


def test_every_shot_has_its_own_time() -> None:
    """A pot in a rack brings no points, and yet another shot comes next."""
    ledger = enter(begun("wpa9 clock=35 at opening=off"), "@0:01.000 START @0:20.000 POT(1)")
    assert shot_clock(ledger, 20) == 35
    enter(ledger, "@0:21.000 START @0:30.000 FOUL(by=B)")
    assert shot_clock(ledger, 30) == 26


def test_the_shot_after_the_break_may_have_more() -> None:
    ledger = enter(begun("wpa9 clock=35"), "@0:01.000 START @0:20.000 POT(1)")
    assert shot_clock(ledger, 20) == 60
    assert shot_clock(enter(ledger, "@0:21.000 START @0:40.000 POT(1)"), 40) == 35
    assert shot_clock(enter(begun("fpb9 clock=35"), "/"), 0) == 35


def test_extensions_come_back_with_the_rack() -> None:
    ledger = enter(begun("wpa141"), "EXT(A) LEFT(1) EXT(A)")
    assert scoreline(ledger, ((), ())).figures.extensions == (0, 1)


@pytest.mark.parametrize(
    ("match", "says"),
    [
        ("fpb9 best_of=4", "best_of is an odd number"),
        ("fpb9 race=0/3", "race is 1 or more"),
        ("fpb9 order=lag", "order is one of alternate, winner, loser"),
        ("fpb9 set_order=winner", "set_order is one of"),
        ("fpb9 detail=3", "detail is 1 or 2"),
        ("fpb9 fouls_limit=1", "fouls_limit is 2 or more"),
        ("fpb8 short_break=-", "short_break is one choice or several"),
        ("fpb8 eight_break_foul=loss+spot_kitchen", "eight_break_foul is one choice"),
        ("fpb141 target=0/5", "target is 1 or more"),
        ("fpb141 spot_first=any", "spot_first is one of centre, head"),
        ("fpb9 at opening=off left=10", "left"),
        ("fpb9 at score=3/0", "score"),
        ("fpb9 at push=on", "push"),
        ("fpb8 at opening=off groups=S/S", "groups"),
        ("bb at opening=off cue=kitchen", "cue"),
        ("fpb141 at opening=off left=1", "left"),
        ("fpb141 at opening=off fouls=1/0 streak=2+1/-", "streak"),
        ("fpb141 at score=100/0", "score"),
    ],
)
def test_a_match_that_cannot_be_is_refused_with_the_setting(match: str, says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        begun(match)


def test_the_8_with_a_foul_on_the_break_may_lose_the_rack() -> None:
    """X-15: selectable until the federation confirms how its text is meant."""
    ledger = enter(begun("fpb8 eight_break_foul=loss"), "FOUL(8ball)")
    assert held(ledger) == "eight_foul"
    assert ledger.match.tally[0] == (0, 1)


def test_the_wrong_side_breaks_and_the_schedule_stays() -> None:
    ledger = enter(begun("fpb9"), "FOUL(by=B) BREAKER(B) POT(1,M) OK")
    assert ledger.match.frame is not None
    assert ledger.match.frame.opener == "B"  # rack 2 was B's break all along
    assert ledger.match.tally[0] == (0, 1)


def test_a_bare_pot_is_one_ball_of_the_own_group() -> None:
    for book in ("fpb8", "wpa8", "bb"):
        ledger = enter(begun(f"{book} at opening=off groups=S/T solids=1"), "POT")
        assert scoreline(ledger, ((), ())).figures.group_left == (0, 7)
        with pytest.raises(NotAllowed, match="too_many_balls"):
            enter(ledger, "POT")
