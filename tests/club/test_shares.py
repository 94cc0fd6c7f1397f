"""Handicaps of two players as a set-up has them."""

import pytest

from firmware.club.player import DISCIPLINES, Handicap, Player, read_handicap
from firmware.club.shares import Shares, shares
from firmware.errors import ClubError
from rules.match import new_match
from rules.record import Fields, Setup
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Side


def player(**handicaps: str) -> Player:
    return Player(1, "Ana", handicaps={n: read_handicap(text) for n, text in handicaps.items()})


def test_every_rulebook_belongs_to_one_discipline() -> None:
    books = [book for books in DISCIPLINES.values() for book in books]
    assert sorted(books) == sorted(RULEBOOKS)


@pytest.mark.parametrize(
    ("rulebook", "a", "b", "format_", "at"),
    [
        ("ug", "40", "25", (("target", "40/25"),), ()),
        ("ug", "40", None, (("target", "40/40"),), ()),
        ("3c", None, "28", (("target", "50/28"),), ()),
        ("wpbsa", "start 7", "start -14", (), (("handicap", "21/0"),)),
        ("wpbsa", None, "start 20", (), (("handicap", "0/20"),)),
        ("wpa9", "9", "5", (("race", "9/5"),), ()),
        ("fpb8", "start 0", "start 2", (), (("racks", "0/2"),)),
        ("fpb141", "start 30", None, (), (("score", "30/0"),)),
        ("fpb141", "100", "60", (("target", "100/60"),), ()),
        ("wpbsa", "5", "3", (), ()),
        ("ug", "start 5", None, (), ()),
        ("wpa9", None, None, (), ()),
    ],
)
def test_what_two_handicaps_make_of_a_match(
    rulebook: str, a: str | None, b: str | None, format_: Fields, at: Fields
) -> None:
    name = next(name for name, books in DISCIPLINES.items() if rulebook in books)
    pair = [player(**({name: text} if text else {})) for text in (a, b)]
    given = shares(rulebook, pair[0], pair[1])
    assert given == Shares(format_, at)
    setup = Setup(rulebook, format=given.format, first=Side.A, at=given.at)
    new_match(setup, rulebook_of(rulebook))


def test_points_given_in_snooker_stand_at_every_frame() -> None:
    given = shares("fpb", player(snooker="+14"), player())
    match = new_match(Setup("fpb", first=Side.A, at=given.at), rulebook_of("fpb"))
    assert match.frame is not None
    assert match.frame.score == (14, 0)


def test_of_nobody_nothing_is_known() -> None:
    assert shares("ug", None, None) == Shares()
    assert shares("wpa9", None, player(nine_ball="5")) == Shares((("race", "9/5"),))


@pytest.mark.parametrize("text", ["25", "start 14", "start -7", "start 0"])
def test_a_handicap_as_text(text: str) -> None:
    assert str(read_handicap(text)) == text


def test_short_for_a_start() -> None:
    assert read_handicap("+14") == Handicap(None, 14) == read_handicap("start +14")


@pytest.mark.parametrize("text", ["", "0", "12345", "25.5", "x", "start", "start x", "٢٥"])
def test_what_is_no_handicap(text: str) -> None:
    with pytest.raises(ClubError, match="is no handicap"):
        read_handicap(text)
