"""What boards say of pool beside the score: where the cue ball is put, groups, rows of fouls."""

import pytest
from msgspec.structs import replace

from firmware.board.fields import TEXTS
from firmware.board.fields.seen import Seen
from firmware.board.gallery import gallery
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.i18n import load_language
from rules.sides import Pair, Side

VIEWS = gallery()


def said(name: str, field: str) -> list[tuple[str, ...]]:
    return list(TEXTS[field].pages(Seen(VIEWS[name], load_language("en"))))


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("pool_break", ["KI"]),
        ("pool_in_hand", ["BH"]),
        ("pool_groups", ["SO"]),
        ("blackball", ["R"]),
        ("pool_pot_asked", ["1F"]),
        ("pool_two_fouls", ["2F"]),
        ("pool", []),
    ],
)
def test_the_smallest_board_says_it_in_two_letters(name: str, signs: list[str]) -> None:
    assert [form for (form,) in said(name, "pool_sign")] == signs


def test_the_signs_have_their_turn_on_the_smallest_board() -> None:
    layout, language = load_layout("32x8"), load_language("en")
    view = VIEWS["pool_in_hand"]
    assert len({render(view, layout, language, now_ms) for now_ms in range(0, 6000, 500)}) == 2


@pytest.mark.parametrize(
    ("name", "alert"),
    [
        ("pool_pot_asked", "pot?"),
        ("pool_stalemate_due", "stale?"),
        ("straight_racked", "rack 14"),
        ("straight_in_the_way", "15 ct"),
    ],
)
def test_what_must_be_known_before_the_next_shot_is_an_alert(name: str, alert: str) -> None:
    assert any(alert in forms for forms in said(name, "alert"))


def test_extensions_left_are_told_while_the_clock_runs() -> None:
    assert ("ext. 1",) in said("pool_extension", "notes")


@pytest.mark.parametrize(("left", "rows"), [((2, 1), {6, 7}), ((1, 0), {7}), ((0, 1), {6, 7})])
def test_on_one_row_the_block_is_lower_once_no_extension_is_left(
    left: Pair[int], rows: set[int]
) -> None:
    """Beside a running clock there is room for no number, and nothing moves: B is at the table."""
    view = VIEWS["pool_extension"]
    assert view.line is not None
    assert view.line.turn is Side.B
    line = replace(view.line, figures=replace(view.line.figures, extensions=left))
    for now_ms in range(0, 6000, 500):
        picture = render(replace(view, line=line), load_layout("32x8"), load_language("en"), now_ms)
        lit = {y for y in range(5, 8) if picture.rows[y] >> (31 - 18) & 0b11}
        assert lit == rows


def test_where_nobody_counts_extensions_the_block_is_whole() -> None:
    picture = render(VIEWS["clock"], load_layout("32x8"), load_language("en"), 0)
    assert {y for y in range(5, 8) if picture.rows[y] >> (31 - 12) & 1} == {6, 7}
