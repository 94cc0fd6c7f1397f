"""Which screen comes when, and for how long."""

import pytest
from msgspec.structs import replace

from firmware.board.gallery import gallery, told, view_of
from firmware.board.screens import (
    IDLE_AFTER_MS,
    IGNORED_MS,
    LAST_MS,
    NOTE_MS,
    REFUSED_MS,
    SCREENS,
    Shot,
    direct,
)
from firmware.snapshot import Tell, View

VIEWS = gallery()


SHOWN = {
    "refused": ("refused_max", "refused_ok", "refused_unsaved", "clock_refused"),
    "note": ("ignored", "undone", "edited", "clock_undone", "snooker_undone"),
    "last": ("last", "snooker_last", "pool_last"),
    "question": ("question", "question_chosen"),
    "number": ("number",),
    "message_idle": ("message_idle",),
    "idle": ("idle", "idle_fault", "idle_club", "idle_soon", "waiting"),
    "stale": ("stale", "stale_offline"),
    "typed": (
        "typed", "clock_typed", "snooker_visit_typed", "snooker_frame_typed", "snooker_early_typed",
    ),
    "message": ("message",),
    "pause": ("timeout", "interval"),
    "held": (
        "held_equaliser", "held_unsaved", "held_next_set", "held_match", "held_draw",
        "held_decision", "held_shootout", "shootout_won", "snooker_held", "pool_held",
        "clock_held", "snooker_early",
    ),
    "over": ("over", "over_draw", "over_both_out", "snooker_over"),
    "shootout": ("shootout", "shootout_half"),
    "first": ("first", "first_lag", "snooker_draw", "snooker_pairs_draw"),
    "choice": (
        "choice_frozen", "choice_placing", "drawn_set", "pool_third_foul", "straight_opening",
        "snooker_visits_foul",
    ),
    "choices": ("snooker_options", "pool_options"),
    "next": ("next_set", "snooker_next", "pool_next", "clock_next"),
    "equaliser": ("equaliser", "equaliser_unsaved", "clock_equaliser", "carom_answer_inside"),
    "snooker": (
        "snooker", "snooker_frames", "snooker_hundreds", "snooker_in_order", "snooker_needs",
        "snooker_free_ball", "snooker_respotted", "snooker_reds", "snooker_pairs", "snooker_warned",
        "snooker_handicap", "snooker_touching", "snooker_stalemate", "snooker_visits",
    ),
    "pool": (
        "pool", "pool_break", "pool_push_out", "pool_two_fouls", "pool_in_hand", "pool_groups",
        "pool_shot_clock", "pool_extension", "pool_pot_asked", "pool_stalemate",
        "pool_stalemate_due", "straight", "straight_low", "straight_audit", "straight_racked",
        "straight_in_the_way", "blackball", "blackball_free_shot",
    ),
    "play": (
        "play", "play_other_side", "play_low", "play_hundreds", "play_handicap", "play_to_go",
        "play_fault", "play_unsaved", "play_heard", "play_sets", "carom_last_runs",
        "carom_to_go", "carom_inside", "carom_must_exit", "carom_on_spots", "carom_break_due",
        "carom_pins", "clock", "clock_warning", "clock_time_up", "clock_stopped", "clock_match",
        "clock_both",
    ),
}  # fmt: skip
"""Which screen shows which state: every screen, and every view of the gallery."""


def test_the_table_has_every_screen_and_every_state() -> None:
    assert list(SHOWN) == [screen.name for screen in SCREENS]
    assert sorted(name for names in SHOWN.values() for name in names) == sorted(VIEWS)


@pytest.mark.parametrize(
    ("name", "screen"), [(name, screen) for screen, names in SHOWN.items() for name in names]
)
def test_each_moment_has_its_screen(name: str, screen: str) -> None:
    assert direct(VIEWS[name], 0).name == screen


@pytest.mark.parametrize(
    ("tell", "lasts_ms"),
    [
        (Tell.REFUSED, REFUSED_MS),
        (Tell.IGNORED, IGNORED_MS),
        (Tell.UNDONE, NOTE_MS),
        (Tell.EDITED, NOTE_MS),
    ],
)
def test_an_answer_stands_for_its_time_and_gives_way(tell: Tell, lasts_ms: int) -> None:
    view = told(view_of("=4"), tell, "ok_pending")
    assert direct(view, 0).until_ms == lasts_ms
    assert direct(view, lasts_ms - 1).name != "play"
    assert direct(view, lasts_ms) == Shot("play")


def test_a_refusal_comes_before_what_is_held() -> None:
    assert direct(told(VIEWS["held_match"], Tell.REFUSED, "ok_pending"), 100).name == "refused"


def test_without_a_match_nothing_else_is_shown() -> None:
    assert direct(replace(View(), told=VIEWS["ignored"].told), 0).name == "idle"


def test_a_match_that_is_over_rests_once_nobody_presses_a_key() -> None:
    over = replace(VIEWS["over"], heard_ms=1000)
    assert direct(over, 2000) == Shot("over", 1000 + IDLE_AFTER_MS)
    assert direct(over, 1000 + IDLE_AFTER_MS).name == "idle"
    woken = replace(over, heard_ms=1000 + 2 * IDLE_AFTER_MS)
    assert direct(woken, 1001 + 2 * IDLE_AFTER_MS).name == "over"


@pytest.mark.parametrize("name", ["play", "held_match", "choice_frozen", "timeout", "snooker"])
def test_a_match_in_play_never_rests(name: str) -> None:
    assert direct(replace(VIEWS[name], heard_ms=0), 10**9).name != "idle"


def test_a_message_comes_and_goes_at_its_moments() -> None:
    assert direct(VIEWS["message"], 0) == Shot("message", 60_000)
    assert direct(VIEWS["message"], 60_000) == Shot("play")


def test_a_time_out_ends_with_the_clock() -> None:
    line, clock = VIEWS["timeout"].line, VIEWS["clock"].line
    assert line is not None
    assert clock is not None
    assert direct(View(line=replace(line, clock=clock.clock)), 0).name == "play"


def test_an_ok_that_has_nothing_to_confirm_shows_the_last_entries() -> None:
    """Ask 79: what was entered is looked up at the table, on every panel that has an OK."""
    view = told(VIEWS["play"], Tell.REFUSED, "nothing_to_confirm")
    assert direct(view, 0) == Shot("refused", REFUSED_MS)
    assert direct(view, REFUSED_MS) == Shot("last", REFUSED_MS + LAST_MS)
    assert direct(view, REFUSED_MS + LAST_MS) == Shot("play")
    other = told(VIEWS["play"], Tell.REFUSED, "bad_count")
    assert direct(other, REFUSED_MS) == Shot("play")
