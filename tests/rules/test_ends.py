"""How a set or match ends: who reached what, in which inning, under which terms (ask 54)."""

import pytest

from rules.ledger import Ledger
from tests.rules.play import enter, opened, played, score

# How many innings each side has played before the one that reaches the target.
BEFORE = {1: "", 2: "=0 =0", 3: "=0 =1 =1 =0"}

# rulebook and format, who reaches it, in which of his innings -> what is held then
TARGET = [
    ("3c", "A", 1, "equaliser"),
    ("3c", "A", 2, "equaliser"),
    ("3c", "A", 3, "equaliser"),
    ("3c", "B", 1, "B wins"),
    ("3c", "B", 2, "B wins"),
    ("3c eq_first_inning_only=on", "A", 1, "equaliser"),
    ("3c eq_first_inning_only=on", "A", 2, "A wins"),
    ("3c eq_first_inning_only=on", "B", 1, "B wins"),
    ("3c eq_causes=time", "A", 1, "A wins"),
    ("3c eq_causes=-", "A", 3, "A wins"),
    ("3c draw=shootout", "A", 2, "equaliser"),
    ("3c limit=2", "A", 2, "equaliser"),
    ("3c limit=2", "B", 2, "B wins"),
    ("ug", "A", 1, "equaliser"),
    ("ug", "A", 3, "equaliser"),
    ("ug", "B", 1, "B wins"),
    ("uk", "A", 1, "A wins"),
    ("uk", "A", 2, "A wins"),
    ("uk", "B", 1, "B wins"),
    ("uk limit=2", "A", 2, "A wins"),
    ("u18", "A", 1, "equaliser"),
    ("u18", "B", 2, "B wins"),
    ("s15 sets=1", "A", 1, "A wins"),
    ("s15 sets=1", "B", 1, "B wins"),
    ("s15f sets=1", "A", 1, "equaliser"),
    ("s15f sets=1", "A", 2, "A wins"),
    ("s15f sets=1", "B", 1, "B wins"),
]


def held(ledger: Ledger) -> str:
    """What is held: who wins, a draw, or what is due."""
    ending, result = ledger.match.ending, ledger.match.result
    assert ending is not None
    if result is not None:
        return f"{result.winner} wins" if result.winner else "draw"
    return ending.then


def begun(setting: str) -> Ledger:
    rulebook, _, format_ = setting.partition(" ")
    return opened(rulebook, f"target=9/9 {format_}")


@pytest.mark.parametrize(("setting", "who", "inning", "end"), TARGET)
def test_the_target_is_reached(setting: str, who: str, inning: int, end: str) -> None:
    ledger = enter(begun(setting), BEFORE[inning])
    if who == "B":
        enter(ledger, "=0")
    assert ledger.match.frame is not None
    assert ledger.match.frame.score is not None
    enter(ledger, f"+{9 - ledger.match.frame.score[0 if who == 'A' else 1]}")
    assert held(ledger) == end
    assert ledger.match.visit is not None
    assert ledger.match.visit.side == who  # nobody has moved on


@pytest.mark.parametrize(
    ("setting", "line", "end"),
    [
        # the opener is one inning ahead and leads: the other side may answer
        ("3c", "=5 =3 +2", "equaliser"),
        ("3c", "=5 =3 =2", "equaliser"),
        ("3c", "=5 =3 +1 FOUL", "equaliser"),
        # level, behind, the innings equal, or no stroke yet: it is over
        ("3c", "=1 =3 +2", "draw"),
        ("3c", "=1 =5 +2", "B wins"),
        ("3c", "=5 =3", "A wins"),
        ("3c", "=3 =5", "B wins"),
        ("3c", "=5 =3 =0 +1", "A wins"),
        ("3c", "", "draw"),
        ("3c", "/", "draw"),
        ("3c", "=1", "equaliser"),
        # the terms grant none at time
        ("ug", "=5 =3 +2", "A wins"),
        ("uk", "=5 =3 +2", "A wins"),
        ("3c eq_first_inning_only=on", "=5 =3 +2", "A wins"),
        ("3c eq_first_inning_only=on", "+2", "equaliser"),
        ("u18", "=3 =3", "shootout"),
        # points against one's own target
        ("3c compare=ratio", "=5 =3 +2", "equaliser"),
    ],
)
def test_time_is_up(setting: str, line: str, end: str) -> None:
    assert held(enter(begun(setting), f"{line} TIMEUP")) == end


@pytest.mark.parametrize(
    ("format_", "line", "end"),
    [
        ("limit=1", "=3 =2", "A wins"),
        ("limit=1", "=3 =4", "B wins"),
        ("limit=1", "=3 =3", "draw"),
        ("limit=2", "=3 =4 =2 =0", "A wins"),
        ("limit=1", "=3 +1 FOUL", "A wins"),
        ("limit=1 draw=shootout", "=3 =3", "shootout"),
        ("limit=1 target=50/30", "=10 =6", "draw"),
        ("limit=1 target=50/30", "=10 =7", "B wins"),
        ("limit=1 target=none/none", "=60 =70", "B wins"),
    ],
)
def test_the_innings_are_used_up(format_: str, line: str, end: str) -> None:
    """Both have had as many: nobody is answered."""
    ledger = opened("3c", format_)
    *before, last = line.split()
    for token in before:
        enter(ledger, token)
        assert ledger.match.ending is None
    assert held(enter(ledger, last)) == end


@pytest.mark.parametrize(
    ("format_", "line", "goal"),
    [
        ("target=9/9", "+9", 9),
        ("target=9/9", "=5 =3 +2 TIMEUP", 7),
        # handicap, the target reached: the other side needs its own
        ("target=9/5", "+9", 5),
        ("target=5/9", "=1 =8 +4", 9),
        # handicap, time up: the least score of no worse a ratio
        ("target=50/30", "=20 =6 +5 TIMEUP", 15),
        ("target=50/30", "=20 =6 +7 TIMEUP", 17),
        ("target=30/50", "=10 =6 +1 TIMEUP", 19),
        ("target=none/none", "=60 =70 =15 TIMEUP", 75),
    ],
)
def test_what_ties(format_: str, line: str, goal: int) -> None:
    ledger = played(f"{line} OK", format_=format_)
    frame = ledger.match.frame
    assert frame is not None
    assert frame.figures().goal == goal
    assert frame.score is not None
    needed = goal - frame.score[1]
    assert held(enter(ledger, f"+{needed}")) == "draw"
    assert held(enter(ledger, f"UNDO ={needed - 1}")) == "A wins"
    enter(ledger, "UNDO")
    with pytest.raises(ValueError, match="over_target"):
        enter(ledger, f"+{needed + 1}")


def test_an_answer_ends_with_the_first_miss_foul_or_clock() -> None:
    for end in ("/", "FOUL", "FOUL(off)", "=0", "CLOCK", "CONDUCT"):
        ledger = played(f"+9 OK +3 {end}", "ug", "target=9/9")
        assert held(ledger) == "A wins"
        assert score(ledger).startswith("9-3 in 1/1")


def test_averages_times_thirty_equal_innings_and_draws_in_thirty() -> None:
    """Ask 55: a target of thirty times the average, at most thirty innings, draws possible."""
    club = "target=9/15 limit=30 eq_causes=target"
    assert held(played("=2 =3 =7", format_=club)) == "equaliser"
    assert held(played("=2 =3 =7 OK =12", format_=club)) == "draw"
    thirty = "29x( =0 =0 ) =3"
    assert held(played(f"{thirty} =5", format_=club)) == "draw"
    assert held(played(f"{thirty} =4", format_=club)) == "A wins"
    assert held(played(f"{thirty} =6", format_=club)) == "B wins"
    assert score(played(f"{thirty} =5 OK", format_=club)) == "3-5 in 30/30, -"


def test_a_forgotten_empty_inning_makes_the_innings_equal_again() -> None:
    """Ask 28: totals, average, high run and the equal innings are all judged anew."""
    ledger = played("=2 =3 =4 =1 +1", format_="target=9/9")
    enter(ledger, "[SPLICE(3,2,shift) /]")
    assert score(ledger) == "3-8 in 3/2, B"
    frame = ledger.match.frame
    assert frame is not None
    figures = frame.figures()
    assert figures.averages == ("1.000", "2.666")
    assert figures.high_runs == (2, 4)
    assert held(enter(ledger, "+1")) == "B wins"
    # as it stood before, A led 7-4 with an inning more, and B may answer
    assert held(enter(ledger, "UNDO UNDO +2")) == "equaliser"


def test_a_set_is_won_by_its_own_target_and_the_last_by_the_last_ones() -> None:
    ledger = played("+9 OK +9 OK", "s15", "target=9/9 sets=2 final=5")
    frame = ledger.match.frame
    assert frame is not None
    assert frame.figures().targets == (5, 5)
    assert held(enter(ledger, "+5")) == "A wins"
    assert ledger.match.tally == ((2, 1),)
