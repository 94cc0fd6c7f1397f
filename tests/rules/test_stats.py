"""Averages as the federations print them: cut, or rounded half up where they do so."""

import pytest

from rules.carom.entries import Felled, RedBall
from rules.carom.pins import worth
from rules.carom.terms import PinsTerms
from rules.rulebooks.shelf import RULEBOOKS
from rules.stats import (
    POINTS_SYSTEMS,
    average,
    best_runs,
    general_average,
    is_above,
    ranking_points,
)
from tests.rules.play import opened, played

# Points and innings of public result sheets, the average cut, and rounded half up.
PRINTED = [
    ("F01", 37, 39, 3, "0.948", "0.949"),
    ("F02", 30, 14, 3, "2.142", "2.143"),
    ("F03", 30, 26, 3, "1.153", "1.154"),
    ("F04", 25, 18, 3, "1.388", "1.389"),
    ("F05", 50, 27, 3, "1.851", "1.852"),
    ("F06", 200, 72, 3, "2.777", "2.778"),
    ("F07", 280, 108, 3, "2.592", "2.593"),
    ("F08", 267, 110, 3, "2.427", "2.427"),
    ("F09", 40, 13, 3, "3.076", "3.077"),
    ("F10", 50, 32, 3, "1.562", "1.563"),
    ("F11", 47, 31, 3, "1.516", "1.516"),
    ("F12", 37, 16, 3, "2.312", "2.313"),
    ("F13", 45, 17, 3, "2.647", "2.647"),
    ("F14", 40, 7, 3, "5.714", "5.714"),
    ("F15", 2000, 109, 2, "18.34", "18.35"),
    ("F16", 1907, 113, 2, "16.87", "16.88"),
    ("F17", 1246, 148, 2, "8.41", "8.42"),
    ("F18", 400, 15, 2, "26.66", "26.67"),
    ("F19", 21, 24, 2, "0.87", "0.88"),
]


@pytest.mark.parametrize(
    ("points", "innings", "decimals", "cut", "rounded"),
    [pytest.param(*figures, id=name) for name, *figures in PRINTED],
)
def test_an_average_is_cut_or_rounded(
    points: int, innings: int, decimals: int, cut: str, rounded: str
) -> None:
    assert average(points, innings, decimals) == cut
    assert average(points, innings, decimals, half_up=True) == rounded


@pytest.mark.parametrize("half_up", [False, True])
def test_without_an_inning_there_is_no_average(half_up: bool) -> None:
    assert average(0, 0, 3, half_up=half_up) == "-"
    assert average(5, 0, 3, half_up=half_up) == "-"


@pytest.mark.parametrize(
    ("points", "innings", "decimals", "printed"),
    [
        (0, 5, 3, "0.000"),
        (7, 1, 0, "7"),
        (1, 1000, 3, "0.001"),
        (1, 1001, 3, "0.000"),
        (-3, 2, 3, "-1.500"),
        (-1, 5000, 3, "0.000"),
    ],
)
def test_an_average_fills_its_decimals(
    points: int, innings: int, decimals: int, printed: str
) -> None:
    assert average(points, innings, decimals) == printed


@pytest.mark.parametrize(
    ("line", "format_", "printed"),
    [
        ("", "", ("-", "-")),
        ("+1", "", ("1.000", "-")),
        ("=2", "", ("2.000", "-")),
        ("=2 =1 =0", "", ("1.000", "1.000")),
        ("=2 =1 +1", "", ("1.500", "1.000")),
        ("=2 =1 =0 =1 =0", "avg_mode=half_up", ("0.667", "1.000")),
        ("=2 =1 =0 =1 =0", "avg_dec=2", ("0.66", "1.00")),
        ("TIMEUP", "", ("-", "-")),
    ],
)
def test_averages_of_a_match(line: str, format_: str, printed: tuple[str, str]) -> None:
    frame = played(line, format_=format_).match.frame
    assert frame is not None
    assert frame.figures().averages == printed


def test_a_match_lost_before_its_first_stroke_has_no_average() -> None:
    frame = played("AWARD(A,absence) OK").match.frame
    assert frame is not None
    assert frame.figures().averages == ("-", "-")


def test_averages_run_over_all_sets_of_a_match() -> None:
    frame = played("=5 =1 +10 OK =3", "s15").match.frame
    assert frame is not None
    figures = frame.figures()
    assert (figures.total_points, figures.total_innings) == ((15, 4), (2, 2))
    assert figures.averages == ("7.500", "2.000")


def test_a_match_taken_up_late_divides_by_the_innings_before() -> None:
    frame = opened(at="score=37/36 innings=20/20").match.frame
    assert frame is not None
    assert frame.figures().averages == ("1.850", "1.800")


@pytest.mark.parametrize(
    ("system", "won", "share", "above", "points"),
    [
        pytest.param("belgian", False, (33, 38), False, "8", id="F20 floor"),
        pytest.param("percent", False, (33, 38), False, "8.68", id="F20 two decimals"),
        pytest.param("belgian", True, (38, 38), False, "10", id="the winner of ten"),
        pytest.param(
            "belgian", None, (30, 30), False, "10", id="a draw is ten each where both made it"
        ),
        pytest.param("percent", True, (38, 38), False, "10.00", id="the winner by percent"),
        pytest.param("boxtel", True, (21, 21), False, "10", id="F21 no bonus"),
        pytest.param("boxtel", True, (21, 21), True, "12", id="above, won"),
        pytest.param("boxtel", None, (21, 21), True, "12", id="above, drawn"),
        pytest.param("boxtel", None, (21, 21), False, "10", id="drawn"),
        pytest.param("boxtel", False, (33, 38), False, "8", id="lost"),
        pytest.param("boxtel", False, (33, 38), True, "9", id="above, lost"),
        pytest.param("match", True, (0, 0), False, "2", id="match points"),
        pytest.param("match", None, (0, 0), True, "1", id="of a draw"),
        pytest.param("match", False, (0, 0), False, "0", id="of a loss"),
    ],
)
def test_what_a_match_is_worth(
    system: str, won: bool | None, share: tuple[int, int], above: bool, points: str
) -> None:
    assert ranking_points(POINTS_SYSTEMS[system], won, share, above=above) == points


def test_a_share_needs_a_target() -> None:
    with pytest.raises(ValueError, match="needs the side's target"):
        ranking_points(POINTS_SYSTEMS["percent"], False, (33, 0))


@pytest.mark.parametrize(
    ("points", "innings", "wanted", "above"),
    [
        (21, 24, "0.87", False),  # F21: 0.875 is cut to 0.87
        (22, 25, "0.87", True),
        (21, 24, "0.86", True),
        (21, 24, "0.875", False),
        (7, 8, "0.9", False),
        (0, 0, "0.00", False),
    ],
)
def test_an_average_is_above_the_one_that_was_set(
    points: int, innings: int, wanted: str, above: bool
) -> None:
    assert is_above(points, innings, wanted) is above


def test_a_general_average_is_of_all_points_by_all_innings() -> None:
    assert general_average([(40, 13), (28, 10)], 3) == "2.956"
    assert general_average([(1, 2), (1, 1)], 3) == "0.666"
    assert general_average([(1, 2), (1, 1)], 3, half_up=True) == "0.667"
    assert general_average([], 3) == "-"


def test_best_runs_are_the_highest_innings() -> None:
    assert best_runs([0, 4, 26, 9, 4], 3) == (26, 9, 4)
    assert best_runs([0, 0], 3) == ()


def of_pins(id_: str) -> PinsTerms:
    terms = RULEBOOKS[id_].terms
    assert isinstance(terms, PinsTerms)
    return terms


@pytest.mark.parametrize(
    ("id_", "felled", "points"),
    [
        ("p5", Felled(4, red=True), 12),  # F22
        ("p5", Felled(red=True), 8),  # F23
        ("p5", Felled(3, red=True, ball=RedBall.OTHER), 13),  # F24
        ("p5", Felled(red=True, ball=RedBall.OWN), 12),  # F25
        ("p5", Felled(2, ball=RedBall.OTHER), 7),  # F26
        ("p9", Felled(4, 4, red=True), 50),  # F27
        ("p9", Felled(4, 4, red=True, cushion=True), 100),  # F28
        ("p9", Felled(red=True), 30),  # F29
        ("p9", Felled(red=True, cushion=True), 60),  # F30
        ("p9", Felled(ball=RedBall.OWN), 6),  # F31
        ("p9", Felled(4, 4, red=True, ball=RedBall.OTHER, cushion=True), 112),  # F32
        ("p9", Felled(0, 1, red=True), 18),
        ("p9", Felled(1), 2),
        ("p5", Felled(), 0),
    ],
)
def test_what_a_stroke_of_the_pins_is_worth(id_: str, felled: Felled, points: int) -> None:
    assert worth(of_pins(id_), felled) == points
