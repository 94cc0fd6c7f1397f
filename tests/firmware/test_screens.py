"""Which screen comes when, and for how long."""

import pytest
from msgspec.structs import replace

from firmware.screens import IGNORED_MS, NOTE_MS, REFUSED_MS, Shot, direct
from firmware.snapshot import Tell, View
from tests.firmware.gallery import gallery, told, view_of

VIEWS = gallery()


@pytest.mark.parametrize(
    ("name", "screen"),
    [
        ("idle", "idle"),
        ("first", "first"),
        ("play", "play"),
        ("play_sets", "play_sets"),
        ("play_unsaved", "play"),
        ("equaliser", "equaliser"),
        ("choice_frozen", "choice"),
        ("choice_placing", "choice"),
        ("choices", "choices"),
        ("drawn_set", "choice"),
        ("held_equaliser", "held"),
        ("held_next_set", "held"),
        ("held_match", "held"),
        ("held_decision", "held"),
        ("shootout", "shootout"),
        ("shootout_won", "held"),
        ("over", "over"),
        ("over_both_out", "over"),
        ("refused_max", "refused"),
        ("ignored", "note"),
        ("undone", "note"),
        ("edited", "note"),
    ],
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
