"""The scoreline: what displays and subscribers read, without knowing rules."""

from typing import Any

import msgspec
import pytest

from rules.ledger import Ledger
from rules.scoreline import SCHEMA, Scoreline, scoreline
from rules.sides import Side
from tests.rules.play import enter, opened, played

NAMES = (("Anna",), ("Bert",))


def line(ledger: Ledger) -> Scoreline:
    return scoreline(ledger, NAMES, "m1")


def sent(ledger: Ledger) -> dict[str, Any]:
    """What goes out over the wire."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(line(ledger)))
    return decoded


def test_it_survives_the_wire() -> None:
    for text, rulebook in (("=3 +1", "3c"), ("+15 OK =2 =15", "s15"), ("+40 OK +40 OK", "u18")):
        before = line(played(text, rulebook))
        after = msgspec.json.decode(msgspec.json.encode(before), type=Scoreline)
        assert after == before


def test_a_match_in_play() -> None:
    found = sent(played("=3 +1 +1"))
    assert found["schema"] == SCHEMA
    assert (found["match"], found["seq"], found["rulebook"]) == ("m1", 3, "3c")
    assert found["names"] == [["Anna"], ["Bert"]]
    assert (found["phase"], found["turn"], found["run"]) == ("playing", "B", 2)
    assert found["score"] == [3, 2]
    assert (found["opener"], found["white"]) == ("A", "A")
    assert found["figures"]["targets"] == [50, 50]
    assert found["figures"]["to_go"] == [47, 48]
    assert found["figures"]["averages"] == ["3.000", "2.000"]
    assert found["figures"]["high_runs"] == [3, 2]


def test_what_a_game_has_not_is_absent() -> None:
    found = sent(played("=3"))
    for absent in ("option", "ending", "frame_result", "result", "shootout", "history", "saved"):
        assert absent not in found
    for absent in ("goal", "innings_limit", "timeouts", "phase"):
        assert absent not in found["figures"]
    assert sent(played("=3", format_="limit=9"))["figures"]["innings_limit"] == 9
    assert sent(played("=3", "ug"))["figures"]["timeouts"] == [2, 2]
    assert sent(played("+50 OK"))["figures"]["goal"] == 50


def test_before_anyone_plays_there_is_neither_turn_nor_score() -> None:
    found = sent(opened(first=None))
    assert found["phase"] == "first"
    assert not {"turn", "score", "opener", "white", "undo", "last"} & set(found)
    assert found["option"] == {"kind": "first", "choices": ["A", "B"], "chooser": None}
    assert sent(enter(opened(first=None), "LAG(B)"))["option"]["chooser"] == "B"


@pytest.mark.parametrize(
    ("setting", "text", "cause", "then", "side"),
    [
        ("3c", "+50", "target", "equaliser", "B"),
        ("3c", "=0 +50", "target", "match_over", "B"),
        ("3c", "+50 OK +50", "equalised", "match_over", None),
        ("3c", "+50 OK =49", "equaliser_failed", "match_over", "A"),
        ("3c", "=3 TIMEUP", "time", "equaliser", "B"),
        ("3c", "=3 =1 TIMEUP", "time", "match_over", "A"),
        ("3c limit=1", "=3 =4", "innings", "match_over", "B"),
        ("3c limit=1", "=3 =3", "innings", "match_over", None),
        ("3c", "=3 CONDUCT(A,grave)", "grave", "match_over", "B"),
        ("3c", "CONDUCT PICK(as_is) / CONDUCT", "disciplinary", "match_over", "B"),
        ("3c", "CONCEDE(B,match)", "concession", "match_over", "A"),
        ("3c", "AWARD(B,absence)", "absence", "match_over", "B"),
        ("3c", "DQ(A,B)", "disqualified", "match_over", None),
        ("u18", "+40 OK +40", "equalised", "shootout", "A"),
        ("u18 limit=1", "=3 =3", "innings", "shootout", "A"),
        ("u18", "+40 OK +40 OK SHOOT(1) SHOOT(2)", "shootout", "match_over", "B"),
        ("s15", "+15", "target", "next_frame", "B"),
        ("s15 set_start=winner", "=0 +15", "target", "next_frame", "B"),
        ("s15 set_start=loser", "=0 +15", "target", "next_frame", "A"),
        ("s15 set_start=lag", "+15", "target", "first", None),
        ("s15 sets=1", "+15", "target", "match_over", "A"),
        ("s15", "=3 TIMEUP", "time", "next_frame", "B"),
        ("s15f", "+15", "target", "equaliser", "B"),
        ("s15f", "+15 OK +15", "equalised", "decision", None),
        ("s15f", "+15 OK +15 OK AWARD(A)", "decision", "next_frame", "B"),
    ],
)
def test_a_held_end_says_why_and_what_ok_will_do(
    setting: str, text: str, cause: str, then: str, side: str | None
) -> None:
    rulebook, _, format_ = setting.partition(" ")
    ledger = played(text, rulebook, format_)
    found = sent(ledger)
    assert found["phase"] == "held"
    assert found["ending"] == {"cause": cause, "then": then, "side": side}
    enter(ledger, "OK")
    after = line(ledger)
    assert after.ending is None
    if then == "match_over":
        assert after.phase == "over"
        assert after.turn is None
        assert after.result is not None
        assert (after.result.reason, after.result.winner) == (cause, side)
    elif side is not None:
        assert after.turn == side
    else:
        assert after.option is not None


def test_an_end_is_booked_before_it_is_confirmed() -> None:
    found = line(played("=4 +15", "s15"))
    assert found.tally == {"sets": (0, 1)}
    assert found.to_win == {"sets": (3, 3)}
    assert found.frame_result is not None
    assert found.frame_result.winner is Side.B
    assert found.result is None
    assert found.score == (4, 15)


def test_nothing_is_booked_while_an_answer_is_due() -> None:
    found = line(played("+15", "s15f"))
    assert found.frame_result is None
    assert found.tally == {"sets": (0, 0)}
    assert found.turn is Side.A


def test_the_score_of_a_finished_match_stays() -> None:
    found = line(played("=20 +50 OK"))
    assert (found.phase, found.score) == ("over", (20, 50))
    assert found.figures.averages == ("20.000", "50.000")
    assert found.figures.to_go == (30, 0)


def test_white_is_who_opened_the_match_in_every_set() -> None:
    ledger = opened("s15", first=Side.B)
    enter(ledger, "+15 OK")
    assert (line(ledger).opener, line(ledger).white) == (Side.A, Side.B)


def test_own_targets_stand_beside_each_side() -> None:
    """Ask 57."""
    found = sent(played("=10 =6", format_="target=50/30"))
    assert found["figures"]["targets"] == [50, 30]
    assert found["figures"]["to_go"] == [40, 24]


def test_in_the_equalising_inning_what_ties_is_to_go() -> None:
    ledger = played("=20 =6 +5 TIMEUP OK +3", format_="target=50/30")
    assert line(ledger).figures.goal == 15
    assert line(ledger).figures.to_go == (25, 6)


def test_a_shoot_out_leaves_score_and_averages_alone() -> None:
    """Ask 63."""
    ledger = played("+40 OK +40 OK SHOOT(2)", "u18")
    assert line(ledger).shootout == ((2,), ())
    assert line(ledger).turn is Side.B
    enter(ledger, "SHOOT(3) OK")
    found = line(ledger)
    assert found.shootout == ((2,), (3,))
    assert found.score == (40, 40)
    assert found.figures.averages == ("40.000", "40.000")
    assert found.figures.high_runs == (40, 40)


def test_the_last_three_entries_and_what_undo_takes_back() -> None:
    ledger = played("=3 =1 +2 [+1 /]")
    assert [(said.entry, said.side) for said in line(ledger).last] == [
        ("[+1 /]", "A"),
        ("+2", "A"),
        ("=1", "B"),
    ]
    assert line(ledger).undo == "[+1 /]"
    enter(ledger, "UNDO")
    assert [said.entry for said in line(ledger).last] == ["+2", "=1", "=3"]
    assert line(ledger).undo == "+2"
    enter(ledger, "EDIT(A1=5)")
    assert line(ledger).undo == "EDIT(A1=5)"


def test_offences_are_counted_where_nobody_plays_too() -> None:
    assert line(enter(opened(first=None), "CONDUCT(A)")).conduct == (1, 0)
    assert line(played("+40 OK +40 OK CONDUCT", "u18")).conduct == (1, 0)
    assert line(played("+15 CONDUCT(A)", "s15")).conduct == (1, 0)
    assert line(played("+15 CONDUCT(A) OK", "s15")).conduct == (1, 0)
