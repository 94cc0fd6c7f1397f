"""Averages as the federations print them: cut, or rounded half up where they do so."""

import pytest

from rules.stats import average
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
