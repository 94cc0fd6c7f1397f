"""What users asked of the rules, row by row: corrections of group B, and group C.

The number in a test's name is the row of docs/asked-for.md that it shows.
"""

import pytest

from rules.entries import Scope
from rules.errors import Code, NotAllowed
from rules.frame import Result
from rules.ledger import Ledger
from rules.match import digest
from rules.position import split_fields
from rules.record import Record, Setup, Undo, act_text
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_act
from rules.sides import Side
from rules.standing import Stage
from tests.rules.play import enter

SNOOKER_BOOKS = ["cbbs", "fpb", "wpbsa"]


def begun(rulebook: str, format_: str, at: str = "") -> Ledger:
    """A match between two, A first, at a position."""
    setup = Setup(rulebook, ((1,), (2,)), split_fields(format_), Side.A, split_fields(at))
    return Ledger(Record(0, setup), rulebook_of)


def score(ledger: Ledger) -> tuple[int, int]:
    assert ledger.match.frame is not None
    assert ledger.match.frame.score is not None
    return ledger.match.frame.score


FOULS = [
    "",
    "hit=U",
    "hit=K,reds=1",
    "reds=2",
    "white",
    "free",
    "hit=P,free",
    "reds=1,free",
    "miss",
    "hit=P,miss",
    "miss,free",
    "miss,full",
]


@pytest.mark.parametrize("rulebook", SNOOKER_BOOKS)
@pytest.mark.parametrize("foul", FOULS)
@pytest.mark.parametrize("answer", ["R", "PICK(pass)", "PICK(replay)", "PICK(place)"])
def test_32_every_kind_of_foul_is_taken_back_with_all_that_it_did(
    rulebook: str, foul: str, answer: str
) -> None:
    """The foul, the reds it removed, the free ball or the choice: in steps, and put in again."""
    ledger = begun(rulebook, "target=3", "score=20/8 reds=9")
    notation = ledger.match.game.notation
    digests = [digest(ledger.match)]
    for text in (f"FOUL({foul})" if foul else "FOUL", answer, "/"):
        try:
            ledger.append(Record(ledger.seq + 1, read_act(text, notation)))
        except NotAllowed:
            continue  # an answer that this foul does not give
        digests.append(digest(ledger.match))
    assert len(digests) > 2, "the foul, and at least the end of a visit"
    for before in reversed(digests[:-1]):
        ledger.append(Record(ledger.seq + 1, Undo()))
        assert digest(ledger.match) == before


@pytest.mark.parametrize(
    ("at", "entries", "left"),
    [
        ("", "", 147),
        ("reds=5", "", 67),
        ("reds=5", "R", 66),
        ("reds=0", "", 27),
        ("reds=0 colours=NUPK", "", 22),
        ("reds=0 colours=UPK", "", 18),
        ("reds=0 colours=K", "", 7),
        ("reds=1", "R K", 27),
        ("reds=1", "R", 34),
    ],
)
@pytest.mark.parametrize("rulebook", SNOOKER_BOOKS)
def test_46_points_left_on_the_table(rulebook: str, at: str, entries: str, left: int) -> None:
    """A red with its black for each red, a colour where one is on, and the colours."""
    ledger = enter(begun(rulebook, "target=3", at), entries)
    assert ledger.match.frame is not None
    assert ledger.match.frame.figures().remaining == left


@pytest.mark.parametrize(("on", "colours"), [(5, "UPK"), (6, "PK"), (7, "K")])
@pytest.mark.parametrize("rulebook", SNOOKER_BOOKS)
def test_47_a_foul_costs_at_least_the_ball_on(rulebook: str, on: int, colours: str) -> None:
    """In the final sequence, and where a colour was named after a red."""
    ledger = enter(begun(rulebook, "target=3", f"reds=0 colours={colours}"), "FOUL")
    assert score(ledger) == (0, on)
    ledger = enter(begun(rulebook, "target=3"), f"R FOUL(nom={colours[0]})")
    assert score(ledger) == (1, on)
    assert score(enter(begun(rulebook, "target=3", "reds=0 colours=K"), "FOUL(white)")) == (0, 7)


@pytest.mark.parametrize("rulebook", ["wpbsa", "fpb"])
@pytest.mark.parametrize(
    ("last", "after"), [("K", (47, 40)), ("FOUL", (40, 47)), ("/ K", (40, 47))]
)
def test_48_a_tie_after_the_last_black_brings_the_black_back(
    rulebook: str, last: str, after: tuple[int, int]
) -> None:
    """Level when it is down: it stands again, nobody has won, and seven points or a foul decide."""
    ledger = enter(begun(rulebook, "target=3", "score=33/40 reds=0 colours=K"), "K")
    match = ledger.match
    assert match.ending is None
    assert match.tally == ((0, 0),)
    assert score(ledger) == (40, 40)
    enter(ledger, f"FIRST(A) {last}")
    assert ledger.match.ending is not None
    assert score(ledger) == after
    assert sum(ledger.match.tally[0]) == 1


@pytest.mark.parametrize(
    ("rulebook", "format_"),
    [("ug", "target=30/30"), ("3c", "target=30/30"), ("nl", "target=30/30")],
)
def test_50_three_cushions_is_one_point_a_stroke_counts_innings_and_pots_nothing(
    rulebook: str, format_: str
) -> None:
    ledger = enter(begun(rulebook, format_), "+1 +1 / +1 / / /")
    assert score(ledger) == (2, 1)
    assert ledger.match.frame is not None
    assert ledger.match.frame.figures().innings == (2, 2)
    offered = {offer.kind.__name__ for offer in ledger.match.legal()}
    assert not offered & {"Pot", "Pots", "Potted"}


@pytest.mark.parametrize("rulebook", ["wpa8", "fpb8", "bb"])
def test_59_no_foul_decides_a_rack_by_itself_and_the_referee_s_reason_does(rulebook: str) -> None:
    """A rack is given by hand, booked, held and can be taken back; a plain foul gives none."""
    ledger = begun(rulebook, "race=3/3")
    enter(ledger, "FOUL(scratch)")
    assert ledger.match.ending is None
    assert ledger.match.tally[0] == (0, 0)
    ledger = enter(begun(rulebook, "race=3/3"), "AWARD(B)")
    assert ledger.match.ending is not None
    assert ledger.match.tally[0] == (0, 1)
    ledger.append(Record(ledger.seq + 1, Undo()))
    assert ledger.match.tally[0] == (0, 0)


def test_52_the_third_foul_in_a_row_of_14_1_costs_sixteen_once_by_wpa() -> None:
    """20, 19, 18, then 2 and the balls racked for the same player; the row begins anew."""
    ledger = begun("wpa141", "target=100/100", "score=20/10 opening=off left=9")
    scores, fouls = [], []
    for _ in range(4):
        enter(ledger, "FOUL")
        frame = ledger.match.frame
        assert frame is not None
        scores.append(score(ledger)[0])
        fouls.append(frame.figures().fouls)
        if len(scores) == 3:
            assert (frame.figures().phase, frame.figures().left) == ("break", 15)
            assert ledger.match.actor is Side.A, "who fouled breaks"
            enter(ledger, "/")
        enter(ledger, "/")
    assert scores == [19, 18, 2, 1]
    assert fouls == [(1, 0), (2, 0), (0, 0), (1, 0)]


@pytest.mark.parametrize("between", ["POT(1) /", "SAFE", "POT(1) SAFE"])
def test_52_what_is_no_foul_begins_the_row_anew(between: str) -> None:
    ledger = begun("wpa141", "target=100/100", "score=20/10 opening=off left=12")
    enter(ledger, f"FOUL / FOUL / {between} / FOUL")
    lost = 20 - score(ledger)[0] + between.count("POT")
    assert lost == 3, "three times one point, no sixteen"


def test_52_a_foul_at_the_break_is_none_of_the_row() -> None:
    ledger = begun("wpa141", "target=100/100")
    enter(ledger, "SHORT PICK(accept) / FOUL / FOUL")
    assert score(ledger)[0] == -4, "two for the break, one for each foul after it"
    frame = ledger.match.frame
    assert frame is not None
    assert frame.figures().fouls == (2, 0)


def test_53_fouls_at_the_break_cost_two_each_time_and_the_same_player_breaks_again() -> None:
    """Five in a row: two points each, no row of fouls, the other one chooses each time."""
    ledger = begun("wpa141", "target=100/100")
    for nth in range(1, 6):
        enter(ledger, "SHORT")
        assert score(ledger) == (-2 * nth, 0)
        assert ledger.match.option is not None
        assert ledger.match.option.chooser is Side.B
        assert "rebreak" in ledger.match.option.choices
        enter(ledger, "PICK(rebreak)")
        frame = ledger.match.frame
        assert frame is not None
        assert ledger.match.actor is Side.A
        assert (frame.figures().phase, frame.figures().fouls) == ("break", (0, 0))
    enter(ledger, "SHORT PICK(accept)")
    assert score(ledger) == (-12, 0)
    assert ledger.match.actor is Side.B


REASONS = ["eight_foul", "eight_early", "concession", "forfeit", "opponent_left"]


@pytest.mark.parametrize("rulebook", ["wpa8", "fpb8", "bb", "wpa9", "wpa10"])
@pytest.mark.parametrize("reason", REASONS)
def test_59_a_rack_is_given_with_its_reason_and_taken_back(rulebook: str, reason: str) -> None:
    """After a foul the referee gives the rack to B and says why: one rack, held, one UNDO."""
    ledger = enter(begun(rulebook, "race=3/3"), "/ FOUL")
    before, act = ledger.digest(), f"AWARD(B,{reason})"
    enter(ledger, act)
    match = ledger.match
    assert match.tally[0] == (0, 1)
    assert match.ending is not None
    assert match.ending.cause == reason
    assert match.frame is not None
    assert match.frame.result == Result(Side.B, reason)
    assert ledger.undoes is not None
    assert act_text(ledger.undoes, match.game.notation) == act
    ledger.append(Record(ledger.seq + 1, Undo()))
    assert ledger.digest() == before
    enter(ledger, f"{act} OK")
    assert (ledger.match.tally[0], ledger.match.stage) == ((0, 1), Stage.FRAME)


@pytest.mark.parametrize("rulebook", ["fpb8", "wpa9"])
def test_59_who_is_absent_loses_the_match_and_no_rack_was_played(rulebook: str) -> None:
    ledger = enter(begun(rulebook, "race=3/3"), "AWARD(B,absence)")
    assert ledger.match.result == Result(Side.B, "absence", Scope.MATCH)
    assert ledger.match.tally[0] == (0, 0)
    ledger.append(Record(ledger.seq + 1, Undo()))
    assert ledger.match.result is None


@pytest.mark.parametrize("rulebook", ["fpb9", "wpa9"])
def test_60_the_nine_with_a_foul_does_not_end_the_rack(rulebook: str) -> None:
    ledger = enter(begun(rulebook, "race=3/3"), "POT(1) FOUL(1,M)")
    assert ledger.match.ending is None
    assert ledger.match.tally[0] == (0, 0)
    assert ledger.match.actor is Side.B
    assert enter(ledger, "POT(1,M)").match.ending is not None
    assert ledger.match.tally[0] == (0, 1)


def left(ledger: Ledger) -> tuple[object, object]:
    """Extensions and time-outs that each side has left."""
    assert ledger.match.frame is not None
    figures = ledger.match.frame.figures()
    return figures.extensions, figures.timeouts


def take_back(ledger: Ledger, count: int) -> Ledger:
    """So many records."""
    for _ in range(count):
        ledger.append(Record(ledger.seq + 1, Undo()))
    return ledger


def test_67_an_extension_is_a_rack_s_and_a_time_out_the_match_s_in_pool() -> None:
    """Each is counted down, refused when it is used up, and given back by UNDO, over a rack too."""
    ledger = enter(begun("wpa9", "race=3/3 clock=35 ext_per_rack=1 timeouts=1"), "TIMEOUT(A)")
    assert left(ledger) == ((1, 1), (0, 1))
    assert left(enter(ledger, "/ EXT(B)")) == ((1, 0), (0, 1))
    with pytest.raises(NotAllowed) as refused:
        enter(ledger, "EXT(B)")
    assert refused.value.code is Code.NO_EXTENSION_LEFT
    assert left(enter(ledger, "AWARD(B) OK")) == ((1, 1), (0, 1)), "the next rack"
    with pytest.raises(NotAllowed) as refused:
        enter(ledger, "TIMEOUT(A)")
    assert refused.value.code is Code.NO_TIMEOUT_LEFT
    assert left(take_back(ledger, 2)) == ((1, 0), (0, 1)), "back in the rack that it was used in"
    assert left(take_back(ledger, 1)) == ((1, 1), (0, 1))
    assert left(take_back(ledger, 2)) == ((1, 1), (1, 1))


@pytest.mark.parametrize(("per", "in_the_next"), [("set", (1, 1)), ("match", (0, 1))])
def test_67_a_time_out_of_carom_is_a_set_s_or_the_match_s(
    per: str, in_the_next: tuple[int, int]
) -> None:
    ledger = begun("s15", f"target=5/5 sets=2 clock=40 to=1/1 to_per={per}")
    assert left(enter(ledger, "TIMEOUT"))[1] == (0, 1)
    assert left(enter(ledger, "+5 OK"))[1] == in_the_next
    assert left(take_back(ledger, 2))[1] == (0, 1)
    assert left(take_back(ledger, 1))[1] == (1, 1)
