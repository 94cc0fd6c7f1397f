"""How bright a board is, and that a live match never grows dark."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.gallery import gallery
from firmware.board.light import DIM_AFTER_MS, Hour, Light
from firmware.board.screens import IDLE_AFTER_MS, in_play
from firmware.snapshot import View

VIEWS = gallery()
HOUR_MS = 3_600_000
NIGHT = Light(idle=0, schedule=(Hour("22:00", 2), Hour("08:30", 9)))
LIVE = sorted(name for name, view in VIEWS.items() if in_play(view))


@pytest.mark.parametrize(
    ("hour", "level"), [(0, 2), (8, 2), (8.5, 9), (12, 9), (21.99, 9), (22, 2), (23.9, 2)]
)
def test_the_schedule_goes_round_the_clock(hour: float, level: int) -> None:
    over = replace(VIEWS["over"], heard_ms=0)
    assert NIGHT.level(over, 4, 1000, round(hour * HOUR_MS)) == level


def test_without_an_hour_a_board_is_as_bright_as_it_is_set() -> None:
    assert NIGHT.level(VIEWS["over"], 4, 0, None) == 4
    assert Light().level(VIEWS["over"], 4, 0, 12 * HOUR_MS) == 4


@given(name=st.sampled_from(LIVE), now_ms=st.integers(0, 10**9), hour=st.integers(0, 86_399_999))
def test_a_live_match_is_never_dimmed(name: str, now_ms: int, hour: int) -> None:
    assert NIGHT.level(VIEWS[name], 4, now_ms, hour) >= 4


def test_a_match_over_midnight_is_dimmed_once_its_end_is_acknowledged() -> None:
    held, over = VIEWS["held_match"], VIEWS["over"]
    for hour in (21, 22, 0, 3):
        assert NIGHT.level(held, 7, 10**6, hour * HOUR_MS) >= 7
    assert NIGHT.level(replace(over, heard_ms=10**6), 7, 10**6, 0) == 2


def test_an_idle_board_is_dim_and_wakes_at_the_first_key() -> None:
    light = Light(idle=1)
    assert light.level(View(), 6, 0, None) == 1
    assert light.level(View(heard_ms=5000), 6, 5000, None) == 6
    assert light.level(View(heard_ms=5000), 6, 5000 + DIM_AFTER_MS, None) == 1
    over = replace(VIEWS["over"], heard_ms=0)
    assert light.level(over, 6, IDLE_AFTER_MS - 1, None) == 6
    assert light.level(over, 6, IDLE_AFTER_MS, None) == 1


@pytest.mark.parametrize("at", ["24:00", "7:30", "noon", "12:60", ""])
def test_an_hour_that_is_none_is_named(at: str) -> None:
    (problem,) = Light(schedule=(Hour(at, 3),)).problems()
    assert problem == f"light.schedule.at = {at!r}: must be an hour, as 18:30"
    assert not list(NIGHT.problems())
