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
from firmware.board.fields import TEXTS, Seen
from firmware.board.fonts import load_font
from firmware.board.gallery import gallery, line_of, told, unsaved, view_of
from firmware.board.layout import Box, Layout, layout_names, load_layout, opposite
from firmware.board.render import HEARD_MS, Drawing, draw, render, render_boot
from firmware.board.screens import REFUSED_MS, direct
from firmware.i18n import Language, language_codes, load_language
from firmware.snapshot import Tell, View
from rules.errors import Code
from rules.sides import Side

PICTURES = Path(__file__).parents[1] / "pictures"
WRITE = os.environ.get("TACADA_WRITE_PICTURES") == "1"

VIEWS = gallery()
BOARD = load_layout("64x16")
SMALL = load_layout("32x8")
BOARDS = {name: load_layout(name) for name in layout_names()}
PT = load_language("pt")
LANGUAGES = [load_language(code) for code in language_codes()]

LETTERS = st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F)
NAMES = st.sampled_from([0, 5, 10, 20]).flatmap(
    lambda n: st.text(LETTERS, min_size=n, max_size=n).map(lambda name: (name,) if name else ())
)
SCORES = st.integers(-99, 999)
MOMENTS = st.integers(0, 10**9)


def shown(view: View, now_ms: int = 0, language: Language = PT, board: Layout = BOARD) -> Picture:
    return render(view, board, language, now_ms)


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
@pytest.mark.parametrize(
    "name", ["equaliser", "held_equaliser", "refused_max", "over", "snooker_last", "snooker_undone"]
)
def test_words_look_as_they_were_approved(name: str, language: Language) -> None:
    check(f"{language.code}/{name}", shown(VIEWS[name], 0, language))


def test_the_boot_picture_names_the_version() -> None:
    check("pt/boot", render_boot(BOARD, PT, "0.1.0"))


@pytest.mark.parametrize("name", VIEWS)
def test_every_screen_of_one_row_looks_as_it_was_approved(name: str) -> None:
    check(f"pt/32x8/{name}", shown(VIEWS[name], 0, PT, SMALL))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize(
    ("name", "now_ms"),
    [
        ("play", 4000),
        ("play_sets", 4000),
        ("play_unsaved", 4000),
        ("equaliser", 2000),
        ("held_equaliser", 6000),
        ("held_unsaved", 4000),
        ("choice_frozen", 4000),
        ("over", 4000),
        ("refused_max", 1500),
    ],
)
def test_the_other_pages_of_one_row_look_as_they_were_approved(
    name: str, now_ms: int, language: Language
) -> None:
    check(f"{language.code}/32x8/{name}_{now_ms}", shown(VIEWS[name], now_ms, language, SMALL))


@pytest.mark.parametrize(
    ("place", "board"),
    [
        ("32x8/snooker_needs_4200", SMALL),
        ("32x8/snooker_needs_6400", SMALL),
        ("32x8/snooker_early_6400", SMALL),
        ("snooker_early_2500", BOARD),
        ("snooker_needs_4200", BOARD),
    ],
)
def test_the_other_pages_of_snooker_look_as_they_were_approved(place: str, board: Layout) -> None:
    """What remains, the snookers needed, and that a concession was early."""
    name, _, now_ms = place.rpartition("/")[2].rpartition("_")
    check(f"pt/{place}", shown(VIEWS[name], int(now_ms), PT, board))


def test_the_boot_picture_of_one_row_has_the_number_of_the_version() -> None:
    check("pt/32x8/boot", render_boot(SMALL, PT, "0.1.0"))


@pytest.mark.parametrize("layout", layout_names())
@pytest.mark.parametrize("name", VIEWS)
@given(now_ms=MOMENTS, language=st.sampled_from(LANGUAGES))
@settings(max_examples=10, deadline=None)
def test_nothing_is_drawn_outside_the_boxes(
    layout: str, name: str, now_ms: int, language: Language
) -> None:
    board = load_layout(layout)
    view = replace(VIEWS[name], heard_ms=None)
    boxes = board.screens[direct(view, now_ms).name].values()
    picture = render(view, board, language, now_ms)
    assert all(any(box.covers(x, y) for box in boxes) for x, y in lit(picture))


@given(
    score=st.tuples(SCORES, SCORES), names=st.tuples(NAMES, NAMES), now_ms=MOMENTS,
    language=st.sampled_from(LANGUAGES),
    base=st.sampled_from(["play", "play_sets", "equaliser", "held_match", "over", "undone"]),
    board=st.sampled_from([BOARD, SMALL]),
)  # fmt: skip
@settings(deadline=None)
def test_names_never_touch_the_digits(
    score: tuple[int, int],
    names: tuple[tuple[str, ...], tuple[str, ...]],
    now_ms: int,
    language: Language,
    *,
    base: str,
    board: Layout,
) -> None:
    view = VIEWS[base]
    assert view.line is not None
    line = replace(view.line, score=score, names=((), ()))
    screen = direct(view, now_ms).name
    boxes = board.screens[screen]
    standing = {key: boxes[key] for key in ("score_a", "score_b") if not boxes[key].page}
    nameless = render(replace(view, line=line), board, language, 0)
    named = render(replace(view, line=replace(line, names=names)), board, language, now_ms)
    if screen == direct(view, 0).name:
        for box in standing.values():
            assert inside(named, box) == inside(nameless, box)
    assert all(any(box.covers(x, y) for box in boxes.values()) for x, y in lit(named))


@given(name=st.sampled_from(sorted(VIEWS)), now_ms=MOMENTS)
def test_same_view_and_moment_same_picture(name: str, now_ms: int) -> None:
    assert shown(VIEWS[name], now_ms) == shown(VIEWS[name], now_ms)


@given(
    name=st.sampled_from(sorted(VIEWS)), now_ms=st.integers(0, 60_000),
    board=st.sampled_from([BOARD, SMALL]), since_ms=st.integers(0, 5000),
)  # fmt: skip
@settings(deadline=None)
def test_nothing_moves_before_the_next_change(
    name: str, now_ms: int, board: Layout, since_ms: int
) -> None:
    view = VIEWS[name]
    if view.told is not None:
        view = replace(view, told=replace(view.told, since_ms=since_ms))
        now_ms += since_ms
    change = draw(view, board, PT, now_ms).until_ms
    last = now_ms + 5000 if change is None else change - 1
    for ms in (last, (now_ms + last) // 2):
        assert shown(view, ms, PT, board) == shown(view, now_ms, PT, board)


@given(
    board=st.sampled_from([BOARD, SMALL]),
    seen=st.lists(
        st.tuples(
            st.sampled_from(sorted(VIEWS)), st.integers(0, 2500),
            st.sampled_from([None, 0, 60, 200]),
            st.sampled_from(LANGUAGES[:2]),
        ),
        min_size=2, max_size=8,
    ),
)  # fmt: skip
@settings(deadline=None)
def test_what_stands_and_is_not_drawn_again_looks_as_if_it_were(
    board: Layout, seen: list[tuple[str, int, int | None, Language]]
) -> None:
    drawing, now_ms = Drawing(board), 400_000
    for name, later_ms, heard_before_ms, language in seen:
        now_ms += later_ms
        heard_ms = None if heard_before_ms is None else now_ms - heard_before_ms
        for view in (VIEWS[name], replace(VIEWS[name], heard_ms=heard_ms)):
            assert drawing.draw(view, language, now_ms) == draw(view, board, language, now_ms)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_state_is_told_apart_without_colour_or_blink(
    language: Language, board: Layout
) -> None:
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
    ]
    if board is not SMALL:
        views.append(replace(alike, line=replace(alike.line, white=Side.B)))
    for now_ms in (0, 500, 1100):
        pictures = [shown(view, now_ms, language, board) for view in views]
        assert len(set(pictures)) == len(views)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize("code", Code)
def test_every_refusal_is_readable_at_once(code: Code, language: Language) -> None:
    view = told(VIEWS["play"], Tell.REFUSED, code)
    assert shown(view, 0, language) == shown(view, 2400, language)
    assert shown(view, 0, language) != shown(VIEWS["play"], 0, language)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize("code", Code)
def test_a_refusal_on_one_row_ends_before_it_gives_way(code: Code, language: Language) -> None:
    view = told(VIEWS["play"], Tell.REFUSED, code)
    pages = TEXTS["reason_line"].pages(Seen(view, language))
    width = load_font("small").width(pages[0][0])
    box = SMALL.screens["refused"]["line"]
    assert box.stand_ms + max(0, width - box.w) * box.step_ms <= REFUSED_MS - 300


IN_PLAY = [name for name in VIEWS if direct(VIEWS[name], 0).name in ("play", "snooker", "pool")]
NO_ROOM = {"clock_match", "clock_both"}
"""Beside match time a note has half the room, and may move; so it may on 64x8."""


@pytest.mark.parametrize("board", [BOARD, SMALL], ids=["64x16", "32x8"])
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize("name", sorted(set(IN_PLAY) - NO_ROOM))
def test_nothing_moves_sideways_in_play(name: str, language: Language, board: Layout) -> None:
    """Pages take turns and seconds pass, at most; players at the table see no running text."""
    view, now_ms = replace(VIEWS[name], heard_ms=None), 0
    while now_ms < 30_000:
        change = draw(view, board, language, now_ms).until_ms
        if change is None:
            return
        assert change % 1000 == 0
        now_ms = change


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_heard_is_a_pixel_of_its_own_for_a_moment(board: Layout) -> None:
    view = VIEWS["play"]
    heard = replace(view, heard_ms=1000)
    with_it, without = (lit(shown(each, 1000, PT, board)) for each in (heard, view))
    assert with_it - without == {board.heard}
    for ms in (999, 1000 + HEARD_MS):
        assert shown(heard, ms, PT, board) == shown(view, ms, PT, board)


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


PLAYED = ["play", "play_sets", "equaliser", "undone", "typed"]


@given(
    score=st.tuples(st.integers(-99, 999), st.integers(-99, 999)),
    now_ms=MOMENTS,
    base=st.sampled_from(PLAYED),
)
@settings(deadline=None)
def test_scores_on_one_row_stand_whole_while_somebody_plays(
    score: tuple[int, int], now_ms: int, base: str
) -> None:
    view = VIEWS[base]
    assert view.line is not None
    picture = shown(replace(view, line=replace(view.line, score=score)), now_ms, PT, SMALL)
    boxes = SMALL.screens[direct(view, now_ms).name]
    for key, points in (("score_a", score[0]), ("score_b", score[1])):
        fonts = (load_font(name) for name in boxes[key].fonts)
        strip = next(font.draw(str(points)) for font in fonts if font.width(str(points)) <= 11)
        left = 11 - strip.width - (11 - strip.width) // 2
        assert inside(picture, boxes[key]) == [row << left for row in strip.rows]


def touching(board: Layout, name: str, page: int) -> list[tuple[str, str]]:
    """Lights above or under a number without a dark row between them."""
    boxes = {key: box for key, box in board.screens[name].items() if box.page in (0, page)}
    return [
        (key, other)
        for key, box in boxes.items()
        for other, light in boxes.items()
        if light.pattern and not box.pattern
        if not any(opposite(condition) in light.when for condition in box.when)
        if box.x < light.x + light.w and light.x < box.x + box.w
        if box.y <= light.y + light.h and light.y <= box.y + box.h
    ]


@pytest.mark.parametrize("name", ["play", "snooker", "pool", "equaliser"])
@pytest.mark.parametrize("page", [1, 2, 3])
def test_no_light_touches_a_number_on_one_row(name: str, page: int) -> None:
    assert not touching(SMALL, name, page)


@pytest.mark.parametrize("points", [1000, -100])
def test_a_score_too_long_for_one_row_is_dashes_and_never_cut(points: int) -> None:
    view = VIEWS["play"]
    assert view.line is not None
    views = [replace(view, line=replace(view.line, score=(n, 8))) for n in (points, 12345)]
    assert shown(views[0], 0, PT, SMALL) == shown(views[1], 9000, PT, SMALL)


def test_runs_of_one_row_are_whole_or_said_to_be_longer() -> None:
    view = VIEWS["play"]
    assert view.line is not None
    views = [replace(view, line=replace(view.line, run=run)) for run in (0, *range(1, 100), 100)]
    assert len({shown(each, 0, PT, SMALL) for each in views}) == len(views)
    longer = replace(view, line=replace(view.line, run=147))
    assert shown(longer, 0, PT, SMALL) == shown(views[-1], 0, PT, SMALL)


def test_a_side_without_a_name_is_called_by_its_letter() -> None:
    assert shown(View(line=line_of("=4", names=((), ())))) == shown(
        View(line=line_of("=4", names=(("A",), ("B",))))
    )


def test_a_code_of_the_panel_is_said_in_general_words() -> None:
    shown(told(VIEWS["play"], Tell.REFUSED, "of_another_kind"))
    shown(told(VIEWS["play"], Tell.IGNORED, "of_another_kind"))


@pytest.mark.parametrize("name", layout_names())
def test_four_digits_are_whole_or_not_there(name: str) -> None:
    """Straight rail to 2000: no 200 for a goal of 2000, no 124 for a run of 1240."""
    equaliser = view_of("=1999 =3 +1 OK +1240", "sr", "target=2000/2000")
    for box in BOARDS[name].screens["equaliser"].values():
        if box.field in ("run", "goal", "chase"):
            for forms in TEXTS[box.field].pages(Seen(equaliser, PT)):
                room = box.room
                fits = [f for f in forms if any(load_font(n).width(f) <= room for n in box.fonts)]
                assert fits, (box.field, forms)
    pages = TEXTS["equaliser"].pages(Seen(equaliser, PT))
    assert tuple(forms[0] for forms in pages)[1:2] == ("meta 2000",)


@pytest.mark.parametrize(
    ("tokens", "rulebook", "format_", "field", "said"),
    [
        ("=3 =4 =2 =5 =6 =1 =12 =0 =10 =3 =14 =2", "sr", "", "notes", "…2 6 12 10 14"),
        ("=3 =4", "3c", "", "notes", "meta 50"),
        ("=3 =4", "3c", "target=50/30", "player", "meta 50"),
        ("+45", "sr", "target=50/50", "player", "faltam 5"),
        ("+45", "3c", "target=50/50", "player", None),
        ("+47", "3c", "target=50/50", "player", "faltam 3"),
        ("+47", "3c", "target=50/50", "run_brief", "-3"),
        ("+3 OK +1(in) +1(stay)", "472", "target=3/3", "equaliser", "obrigado a sair"),
    ],
)
def test_what_carom_says_beside_the_score(
    tokens: str, rulebook: str, format_: str, field: str, said: str | None
) -> None:
    pages = [forms[0] for forms in TEXTS[field].pages(Seen(view_of(tokens, rulebook, format_), PT))]
    if said is None:
        assert not any(page.startswith("faltam") for page in pages)
    else:
        assert said in pages
