"""What the board shows: text pictures of every screen, and what holds for all of them.

TACADA_WRITE_PICTURES=1 writes the pictures instead of comparing them.
"""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from drivers.ports import Picture
from firmware.fonts import load_font
from firmware.i18n import Language, language_codes, load_language
from firmware.layout import LAYOUTS, Box, load_layout
from firmware.render import HEARD_MS, next_change_ms, render, render_boot
from firmware.screens import direct
from firmware.snapshot import Tell, View
from rules.errors import Code
from rules.sides import Side
from tests.firmware.gallery import gallery, line_of, told, unsaved, view_of

PICTURES = Path(__file__).parents[1] / "pictures"
WRITE = os.environ.get("TACADA_WRITE_PICTURES") == "1"

VIEWS = gallery()
BOARD = load_layout("64x16")
PT = load_language("pt")
LANGUAGES = [load_language(code) for code in language_codes()]

LETTERS = st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F)
NAMES = st.sampled_from([0, 5, 10, 20]).flatmap(
    lambda n: st.text(LETTERS, min_size=n, max_size=n).map(lambda name: (name,) if name else ())
)
SCORES = st.integers(-99, 999)
MOMENTS = st.integers(0, 10**9)


def shown(view: View, now_ms: int = 0, language: Language = PT) -> Picture:
    return render(view, BOARD, language, now_ms)


def lit(picture: Picture) -> set[tuple[int, int]]:
    return {
        (x, y) for x in range(picture.width) for y in range(picture.height) if picture.lit(x, y)
    }


def inside(picture: Picture, box: Box) -> list[int]:
    mask = (1 << box.w) - 1
    right = picture.width - box.x - box.w
    return [row >> right & mask for row in picture.rows[box.y : box.y + box.h]]


def check(name: str, picture: Picture) -> None:
    path = PICTURES / f"{name}.txt"
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture.text(), "utf-8")
    assert path.is_file(), f"{path} is missing: write it with TACADA_WRITE_PICTURES=1 and look"
    assert picture.text() == path.read_text("utf-8")


@pytest.mark.parametrize("name", VIEWS)
def test_every_screen_looks_as_it_was_approved(name: str) -> None:
    check(f"pt/{name}", shown(VIEWS[name]))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize("name", ["equaliser", "held_equaliser", "refused_max", "over"])
def test_words_look_as_they_were_approved(name: str, language: Language) -> None:
    check(f"{language.code}/{name}", shown(VIEWS[name], 0, language))


def test_the_boot_picture_names_the_version() -> None:
    check("pt/boot", render_boot(BOARD, PT, "0.1.0"))


@pytest.mark.parametrize("layout", sorted(path.stem for path in LAYOUTS.glob("*.toml")))
@pytest.mark.parametrize("name", VIEWS)
@given(now_ms=MOMENTS, language=st.sampled_from(LANGUAGES))
@settings(max_examples=10, deadline=None)
def test_nothing_is_drawn_outside_the_boxes(
    layout: str, name: str, now_ms: int, language: Language
) -> None:
    board = load_layout(layout)
    boxes = board.screens[direct(VIEWS[name], now_ms).name].values()
    picture = render(replace(VIEWS[name], heard_ms=None), board, language, now_ms)
    assert all(any(box.covers(x, y) for box in boxes) for x, y in lit(picture))


@given(
    score=st.tuples(SCORES, SCORES), names=st.tuples(NAMES, NAMES), now_ms=MOMENTS,
    language=st.sampled_from(LANGUAGES),
    base=st.sampled_from(["play", "play_sets", "equaliser", "held_match", "over", "undone"]),
)  # fmt: skip
@settings(deadline=None)
def test_names_never_touch_the_digits(
    score: tuple[int, int],
    names: tuple[tuple[str, ...], tuple[str, ...]],
    now_ms: int,
    language: Language,
    base: str,
) -> None:
    view = VIEWS[base]
    assert view.line is not None
    line = replace(view.line, score=score, names=((), ()))
    screen = direct(view, now_ms).name
    boxes = BOARD.screens[screen]
    nameless = render(replace(view, line=line), BOARD, language, 0)
    named = render(replace(view, line=replace(line, names=names)), BOARD, language, now_ms)
    if screen == direct(view, 0).name:
        for key in ("score_a", "score_b"):
            assert inside(named, boxes[key]) == inside(nameless, boxes[key])
    assert all(any(box.covers(x, y) for box in boxes.values()) for x, y in lit(named))


@given(name=st.sampled_from(sorted(VIEWS)), now_ms=MOMENTS)
def test_same_view_and_moment_same_picture(name: str, now_ms: int) -> None:
    assert shown(VIEWS[name], now_ms) == shown(VIEWS[name], now_ms)


@given(name=st.sampled_from(sorted(VIEWS)), now_ms=st.integers(0, 60_000))
@settings(deadline=None)
def test_nothing_moves_before_the_next_change(name: str, now_ms: int) -> None:
    view = VIEWS[name]
    change = next_change_ms(view, BOARD, PT, now_ms)
    last = now_ms + 5000 if change is None else change - 1
    assert shown(view, now_ms) == shown(view, last) == shown(view, (now_ms + last) // 2)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_state_is_told_apart_without_colour_or_blink(language: Language) -> None:
    play = view_of("=30 =22 =18 =25 +1")
    equaliser = VIEWS["equaliser"]
    assert equaliser.line is not None
    alike = replace(play, line=replace(equaliser.line, phase="playing"))
    assert alike.line is not None
    views = [
        alike,
        equaliser,
        replace(alike, line=replace(alike.line, phase="held", ending=None)),
        unsaved(alike),
        replace(alike, faults=("MQTT",)),
        told(alike, Tell.REFUSED, "bad_count"),
        told(alike, Tell.IGNORED, "no_key"),
        told(alike, Tell.UNDONE, "undone"),
        replace(alike, line=replace(alike.line, turn=Side.A)),
        replace(alike, line=replace(alike.line, white=Side.B)),
    ]
    for now_ms in (0, 500, 1100):
        pictures = [shown(view, now_ms, language) for view in views]
        assert len(set(pictures)) == len(views)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize("code", Code)
def test_every_refusal_is_readable_at_once(code: Code, language: Language) -> None:
    view = told(VIEWS["play"], Tell.REFUSED, code)
    assert shown(view, 0, language) == shown(view, 2400, language)
    assert shown(view, 0, language) != shown(VIEWS["play"], 0, language)


@pytest.mark.parametrize("name", [name for name in VIEWS if name.startswith("play")])
def test_nothing_moves_sideways_in_play(name: str) -> None:
    """Pages take turns, at most; players at the table see no running text."""
    view = VIEWS[name]
    assert view.line is not None
    if view.line.saved:
        change = next_change_ms(view, BOARD, PT, HEARD_MS)
        assert change is None or change % 2000 == 0


def test_heard_is_a_pixel_of_its_own_for_a_moment() -> None:
    view = VIEWS["play"]
    heard = replace(view, heard_ms=1000)
    assert lit(shown(heard, 1000)) - lit(shown(view, 1000)) == {BOARD.heard}
    assert shown(heard, 1000 + HEARD_MS) == shown(view, 1000 + HEARD_MS)
    assert shown(heard, 999) == shown(view, 999)


@pytest.mark.parametrize("score", [(1234, 8), (-123, 8), (9999, 8)])
def test_a_score_of_four_signs_is_shown_whole(score: tuple[int, int]) -> None:
    view = VIEWS["play"]
    assert view.line is not None
    picture = shown(replace(view, line=replace(view.line, score=score)))
    small = load_font("small").draw(str(score[0]))
    rows = inside(picture, BOARD.screens["play"]["score_a"])
    assert [bin(row).count("1") for row in rows if row] == [
        bin(row).count("1") for row in small.rows if row
    ]


def test_a_side_without_a_name_is_called_by_its_letter() -> None:
    assert shown(View(line=line_of("=4", names=((), ())))) == shown(
        View(line=line_of("=4", names=(("A",), ("B",))))
    )


def test_a_code_of_the_panel_is_said_in_general_words() -> None:
    shown(told(VIEWS["play"], Tell.REFUSED, "of_another_kind"))
    shown(told(VIEWS["play"], Tell.IGNORED, "of_another_kind"))
