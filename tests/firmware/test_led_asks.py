"""What users of LED boards have asked for, each tried: group E, and of D what a board shows."""

import asyncio
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from drivers.blocks import BlockOrder
from drivers.fakes import KeptDisplay, Recorder
from drivers.matrix import Matrix
from drivers.ports import Picture
from firmware.board.board import Board
from firmware.board.fields import TEXTS, Seen
from firmware.board.fonts import load_font
from firmware.board.gallery import gallery
from firmware.board.layout import Layout, layout_names, load_layout
from firmware.board.light import Hour, Light
from firmware.board.render import Drawn, draw, render
from firmware.board.screens import REFUSED_MS, SCREENS, direct
from firmware.clock import SystemClock
from firmware.i18n import Language, language_codes, load_language
from firmware.snapshot import Tell, Told, View
from firmware.text_keys import FAULTS
from rules.clock import ClockState, Countdown
from rules.scoreline import Scoreline
from tests.drivers.soak import LEVEL, soak

VIEWS = gallery()
PT = load_language("pt")
BOARDS = [load_layout(name) for name in layout_names()]
LANGUAGES = [load_language(code) for code in language_codes()]
EN = load_language("en")

SIZES = pytest.mark.parametrize("board", BOARDS, ids=layout_names())


def line_of(name: str) -> Scoreline:
    line = VIEWS[name].line
    assert line is not None
    return line


@pytest.mark.parametrize(
    "name", ["O'Sullivan", "Grünwald", "Muñoz", "Gonçalves", "Šebek", "조명우"]
)
def test_76_every_name_is_shown_or_written_in_latin(name: str) -> None:
    """Every letter takes its room: a name with one less is drawn otherwise."""
    small = load_font("small")
    shorter = name[:-1]
    assert small.draw(name) != small.draw(shorter)
    assert small.width(name) > small.width(shorter)


@SIZES
@given(name=st.sampled_from(sorted(VIEWS)), now_ms=st.integers(0, 30_000))
@settings(deadline=None, max_examples=60)
def test_77_a_board_behind_the_table_shows_the_same_with_its_sides_swapped(
    board: Layout, name: str, now_ms: int
) -> None:
    """Swapped twice it is the board in front; scores stand at the other end."""
    view = VIEWS[name]
    if view.line is None or view.line.score is None or direct(view, now_ms).name != "play":
        return
    a, b = view.line.score
    mirrored = replace(view, line=replace(view.line, score=(b, a)))
    behind = render(view, board, EN, now_ms, swapped=True)
    ahead = render(mirrored, board, EN, now_ms)
    for key in ("score_a", "score_b"):
        box = board.screens["play"][key]
        right = board.width - box.x - box.w
        rows = slice(box.y, box.y + box.h)
        mask = (1 << box.w) - 1
        assert [row >> right & mask for row in behind.rows[rows]] == [
            row >> right & mask for row in ahead.rows[rows]
        ]


@SIZES
def test_78_what_is_absent_changes_nothing(board: Layout) -> None:
    """A line that lacks what other games have is drawn like one that never had it."""
    bare = View(line=line_of("play"))
    explicit = replace(bare, calls=(), keys=(), typed=None, message=None, ask=None, rulebooks=())
    for now_ms in range(0, 12_000, 500):
        assert render(bare, board, EN, now_ms) == render(explicit, board, EN, now_ms)


@SIZES
def test_79_the_last_three_entries_stand_for_five_seconds(board: Layout) -> None:
    asked = Told(Tell.REFUSED, "nothing_to_confirm", since_ms=0)
    view = replace(VIEWS["play"], told=asked)
    assert direct(view, REFUSED_MS).until_ms == REFUSED_MS + 5000
    assert render(view, board, EN, REFUSED_MS) != render(VIEWS["play"], board, EN, REFUSED_MS)
    assert direct(view, REFUSED_MS + 5000).name == "play"


NAMED = (
    "play", "play_sets", "snooker", "snooker_needs", "pool", "straight", "equaliser", "held_match",
    "over", "clock", "clock_warning", "clock_both", "clock_equaliser", "clock_held", "clock_typed",
    "pool_shot_clock", "pool_extension", "timeout", "interval", "stale", "undone", "typed",
)  # fmt: skip
"""Every kind of screen that has scores, without a clock and while one runs."""


@SIZES
@pytest.mark.parametrize("language", LANGUAGES, ids=language_codes())
@pytest.mark.parametrize("letters", [5, 10, 20])
def test_80_names_and_three_digits_never_meet(
    letters: int, language: Language, board: Layout
) -> None:
    """Boxes never overlap (checked at load), and a name never lights a pixel of a score's box."""
    name = ("W" * letters,)
    for base in NAMED:
        line = line_of(base)
        score = (888, -88) if line.score is not None else None
        named = replace(VIEWS[base], line=replace(line, score=score, names=(name, name)))
        nameless = replace(named, line=replace(line, score=score, names=(("A",), ("B",))))
        screen = direct(named, 0).name
        for box in board.screens[screen].values():
            if box.field in ("score_a", "score_b") and not box.page and not box.when:
                pictures = [
                    render(view, board, language, now_ms)
                    for view, now_ms in itertools.product((named, nameless), (0, 3000, 7000))
                ]
                right = board.width - box.x - box.w
                mask = (1 << box.w) - 1
                shown = {
                    tuple(row >> right & mask for row in picture.rows[box.y : box.y + box.h])
                    for picture in pictures
                }
                assert len(shown) == 1


def test_83_a_match_over_midnight_is_not_dimmed_before_its_end_is_acknowledged() -> None:
    night = Light(idle=0, schedule=(Hour("08:00", 8), Hour("22:00", 1)))
    for hour in (21, 23, 0, 5):
        assert night.level(VIEWS["play"], 8, 0, hour * 3_600_000) == 8
        assert night.level(VIEWS["held_match"], 8, 0, hour * 3_600_000) == 8
    assert night.level(replace(VIEWS["over"], heard_ms=0), 8, 1000, 0) == 1


@SIZES
def test_84_all_states_differ_in_black_and_white(board: Layout) -> None:
    """One picture of each screen, from the same match, in one colour and at one moment."""
    shown = {}
    for screen in SCREENS:
        name = next(
            name for name in VIEWS if direct(VIEWS[name], 0).name == screen.name and name != "pool"
        )
        if screen.name == "pool":
            name = "straight"
        shown[screen.name] = render(VIEWS[name], board, EN, 0)
    # Boards of one row answer a choice of two and of more alike: with a question mark first.
    together = {frozenset(names) for names in _alike(shown)}
    assert together <= {frozenset({"choice", "choices"})}


def _alike(shown: dict[str, Picture]) -> list[set[str]]:
    by_picture: dict[Picture, set[str]] = {}
    for name, picture in shown.items():
        by_picture.setdefault(picture, set()).add(name)
    return [names for names in by_picture.values() if len(names) > 1]


@SIZES
@pytest.mark.parametrize("language", LANGUAGES, ids=language_codes())
@pytest.mark.parametrize("code", FAULTS)
def test_85_a_fault_on_the_board_is_a_code_and_a_line_of_help(
    code: str, language: Language, board: Layout
) -> None:
    """Idle the code stands there, and by turns what to do."""
    said = Seen(View(faults=(code.upper(),)), language)
    field = next(
        box.field for box in board.screens["idle"].values() if box.field in ("idle", "board_line")
    )
    texts = [forms[0] for forms in TEXTS[field].pages(said)]
    assert any(code.upper() in text for text in texts)
    assert language.say(f"fault.{code}", text="") in texts


def test_87_what_noise_does_in_an_hour_is_gone_within_a_second() -> None:
    """For 72 hours: python -m tests.drivers.soak."""
    seen = soak(1, columns=12, rows=2, seed=87)
    assert seen.refreshes >= 4500
    assert seen.faults > 100
    assert seen.longest_s <= 1
    assert seen.brightest == LEVEL


def test_88_a_block_of_a_hundred_and_twenty_that_goes_dark_comes_back() -> None:
    assert soak(0.1, columns=60, rows=2, seed=88).longest_s <= 1


def test_90_and_92_nothing_is_brighter_than_set_from_the_first_transfer_on() -> None:
    recorder = Recorder()
    matrix = Matrix(recorder, width=192, height=8, contrast=3, order=BlockOrder(from_right=True))

    async def play() -> None:
        await matrix.show(Picture.blank(192, 8))
        for _ in range(20):
            await matrix.refresh()
        await matrix.close(blank=True)

    asyncio.run(play())
    levels = [sent[1] for sent in recorder.sent if sent[0] == 0x0A]
    assert max(levels) <= 3
    assert not any(sent[0] == 0x0F and sent[1] for sent in recorder.sent)


def test_91_a_board_that_stops_is_dark_and_one_that_starts_shows_its_first_picture() -> None:
    async def play() -> list[Picture]:
        display = KeptDisplay(64, 16)
        first = Picture(64, 16, (1,) * 16)
        board = Board(display, lambda *_: Drawn(first), SystemClock())
        task = asyncio.create_task(board.run(first))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await display.close(blank=True)
        assert display.closed == "blank"
        return display.pictures

    assert len(asyncio.run(play())) == 1


@SIZES
@pytest.mark.parametrize("shot_ms", [40_000, 33_333, 10_001])
def test_69_both_clocks_change_in_the_same_picture(shot_ms: int, board: Layout) -> None:
    clock = ClockState(
        Countdown(40_000, running=True, until_ms=shot_ms, warn_ms=10_000),
        Countdown(2_700_000, running=True, until_ms=95_777),
    )
    view = View(line=replace(line_of("play"), clock=clock))
    seconds = clock.seconds(0)
    now_ms = 0
    while now_ms < 9_000:
        change = draw(view, board, EN, now_ms).until_ms
        assert change is not None
        later = clock.seconds(change)
        if later[0] != seconds[0]:
            assert later[1] != seconds[1]
        seconds, now_ms = later, change


@SIZES
@pytest.mark.parametrize("screen", [screen.name for screen in SCREENS if screen.timed])
def test_74_a_clock_that_runs_is_seen_on_every_screen(screen: str, board: Layout) -> None:
    """A second more on the clock is another picture, at any time of any page."""
    name = next(name for name in VIEWS if direct(VIEWS[name], 0).name == screen)
    view = (
        VIEWS[name] if VIEWS[name].line is not None else replace(VIEWS["play"], ask=VIEWS[name].ask)
    )
    assert view.line is not None
    for now_ms in range(0, 9_000, 700):
        left = 33_000
        shown = []
        for more in (0, 1000):
            until = now_ms + left + more
            clock = ClockState(Countdown(60_000, running=True, until_ms=until))
            timed = replace(view, line=replace(view.line, clock=clock))
            if direct(timed, now_ms).name == screen:
                shown.append(render(timed, board, EN, now_ms))
        assert len(shown) in (0, 2)
        assert len(set(shown)) == len(shown)


@SIZES
def test_75_the_time_to_the_next_match_beside_the_last_result(board: Layout) -> None:
    """Idle: the last result, who plays next, and in how many minutes; each minute says so anew."""
    view = VIEWS["idle_soon"]
    zero_ms = view.hall.hour_zero_ms
    assert zero_ms is not None
    cycle = range(0, 60_000, 250)

    def said(view: View) -> set[Picture]:
        return {render(view, board, PT, now_ms) for now_ms in cycle}

    later = replace(view, hall=replace(view.hall, hour_zero_ms=zero_ms + 60_000))
    for hall in (
        replace(view.hall, last=()),
        replace(view.hall, coming=None),
        replace(view.hall, hour_zero_ms=zero_ms + 60_000),
    ):
        assert said(replace(view, hall=hall)) != said(view)
    texts = [forms[0] for forms in TEXTS["idle"].pages(Seen(view, PT))]
    assert texts[-1] == "começa em 12\u00a0min"
    assert TEXTS["idle"].pages(Seen(later, PT))[-1][0] == "começa em 11\u00a0min"
