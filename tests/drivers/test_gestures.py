"""Scripted and generated contacts against the timing table of docs/panels.md, at its end."""

import itertools
import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.errors import WiringError
from drivers.gestures import (
    Event,
    Floating,
    Freed,
    Gestures,
    Heard,
    Ignored,
    KeyMode,
    LongHeld,
    Pressed,
    Stuck,
    Timing,
)

MS = 1_000_000
KEYS = {"RED": KeyMode.PRESS, "TWO": KeyMode.PRESS_AND_HOLD, "OK": KeyMode.PRESS_OR_HOLD}

Edge = tuple[float, str, bool]
"""When in ms, which key, and whether its line became active."""


def play(
    edges: Iterable[Edge], *, until_ms: float, tick_ms: float | None = None
) -> tuple[Gestures, list[Event]]:
    """Feed edges, with a tick every `tick_ms` between them or none but the last."""
    gestures = Gestures(KEYS)
    events: list[Event] = []
    next_tick = tick_ms
    for t_ms, key, active in edges:
        while tick_ms and next_tick is not None and next_tick < t_ms:
            events += gestures.tick(round(next_tick * MS))
            next_tick += tick_ms
        events += gestures.edge(key, active, round(t_ms * MS))
    return gestures, events + gestures.tick(round(until_ms * MS))


def press(key: str, down_ms: float, up_ms: float) -> list[Edge]:
    return [(down_ms, key, True), (up_ms, key, False)]


def presses(events: Iterable[Event]) -> list[Pressed]:
    return [event for event in events if isinstance(event, Pressed)]


def bounce(rng: random.Random, key: str, at_ms: float, longest_ms: float, last: bool) -> list[Edge]:
    """A contact that changes an even number of times for up to `longest_ms`, then stays."""
    times = sorted(rng.uniform(at_ms, at_ms + longest_ms) for _ in range(2 * rng.randrange(5)))
    levels = (index % 2 == 0 for index in range(1, 1 + len(times)))
    edges = [(at_ms, key, last)]
    edges += [(t, key, level == last) for t, level in zip(times, levels, strict=True)]
    return edges


def test_a_clean_press_is_heard_and_acts_after_four_milliseconds() -> None:
    gestures = Gestures(KEYS)
    assert gestures.edge("RED", True, 10 * MS) == []
    assert gestures.deadline_ns() == 14 * MS
    assert gestures.tick(14 * MS - 1) == []
    assert gestures.tick(14 * MS) == [Heard("RED", 10 * MS), Pressed("RED", False, 10 * MS)]
    assert gestures.edge("RED", False, 60 * MS) == []
    assert gestures.tick(85 * MS) == []
    assert gestures.deadline_ns() is None


@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_bouncing_presses_are_a_thousand_events(seed: int) -> None:
    rng = random.Random(seed)
    edges: list[Edge] = []
    first_edges = []
    now_ms = 0.0
    for _ in range(1000):
        down_ms, lasts_ms = now_ms, rng.uniform(30, 200)
        first_edges.append(round(down_ms * MS))
        edges += bounce(rng, "RED", down_ms, 8, last=True)
        edges += bounce(rng, "RED", down_ms + lasts_ms, 8, last=False)
        # The next press follows 100 ms after this one began, or as soon as a finger can.
        now_ms = max(down_ms + 100, down_ms + lasts_ms + 8 + 25) + rng.choice([0, 0, 30])
    _, events = play(edges, until_ms=now_ms + 100)
    assert [event.t_ns for event in presses(events)] == first_edges
    assert not [event for event in events if not isinstance(event, Heard | Pressed)]


def test_spikes_of_a_millisecond_are_nothing() -> None:
    edges = [edge for t in range(0, 5000, 7) for edge in press("RED", t, t + 1)]
    _, events = play(edges, until_ms=6000)
    assert events == []


def test_a_line_that_chatters_before_a_press_does_not_date_it_back() -> None:
    edges = [edge for t in range(0, 5000, 7) for edge in press("RED", t, t + 1)]
    _, events = play([*edges, *press("RED", 5000, 5050)], until_ms=6000)
    (one,) = presses(events)
    assert 5000 - 25 <= one.t_ns / MS <= 5000


def test_release_chatter_after_two_seconds_is_one_event() -> None:
    chatter = [edge for t in range(2000, 2060, 12) for edge in press("RED", t + 5, t + 12)]
    edges: list[Edge] = [(0, "RED", True), (2000, "RED", False), *chatter]
    _, events = play(edges, until_ms=3000)
    assert events == [Heard("RED", 0), Pressed("RED", False, 0)]


def test_the_same_key_again_too_soon_is_told_and_does_not_count() -> None:
    edges = press("RED", 0, 20) + press("RED", 60, 90) + press("RED", 120, 150)
    _, events = play(edges, until_ms=500)
    assert [type(event) for event in events] == [Heard, Pressed, Ignored, Heard, Pressed]
    assert events[2] == Ignored("RED", "too_soon", 60 * MS)


def test_two_different_keys_at_once_both_count() -> None:
    edges: list[Edge] = [
        (0, "RED", True),
        (1, "TWO", True),
        (50, "RED", False),
        (51, "TWO", False),
    ]
    _, events = play(edges, until_ms=500)
    assert [(event.key, event.held) for event in presses(events)] == [
        ("RED", False),
        ("TWO", False),
    ]


def test_a_hold_adds_to_a_key_that_acts_on_the_press() -> None:
    _, events = play(press("TWO", 0, 700), until_ms=1000)
    assert events == [Heard("TWO", 0), Pressed("TWO", False, 0), Pressed("TWO", True, 0)]
    _, events = play(press("TWO", 0, 599), until_ms=1000)
    assert events == [Heard("TWO", 0), Pressed("TWO", False, 0)]


def test_a_key_with_a_hold_meaning_acts_on_release_or_as_held() -> None:
    _, events = play(press("OK", 0, 599), until_ms=1000)
    assert events == [Heard("OK", 0), Pressed("OK", False, 0)]
    _, events = play(press("OK", 0, 2000), until_ms=3000)
    assert events == [Heard("OK", 0), Pressed("OK", True, 0)]


def test_a_key_with_a_hold_meaning_is_heard_before_it_acts() -> None:
    gestures = Gestures(KEYS)
    gestures.edge("OK", True, 0)
    assert gestures.tick(4 * MS) == [Heard("OK", 0)]
    assert gestures.tick(599 * MS) == []
    assert gestures.tick(600 * MS) == [Pressed("OK", True, 0)]


def test_a_break_in_a_hold_is_bridged() -> None:
    edges = press("OK", 0, 590) + press("OK", 610, 900)
    _, events = play(edges, until_ms=2000)
    assert events == [Heard("OK", 0), Pressed("OK", True, 0)]


def test_a_key_that_is_down_for_ten_seconds_is_stuck_until_it_comes_up() -> None:
    gestures, events = play([(0, "RED", True)], until_ms=60_000)
    assert events == [
        Heard("RED", 0),
        Pressed("RED", False, 0),
        LongHeld("RED", 0),
        Stuck("RED", 10_000 * MS),
    ]
    assert gestures.stuck() == ("RED",)
    assert gestures.deadline_ns() is None
    assert gestures.edge("RED", False, 61_000 * MS) == []
    assert gestures.tick(61_025 * MS) == [Freed("RED", 61_000 * MS)]
    assert gestures.stuck() == ()
    gestures.edge("RED", True, 62_000 * MS)
    assert len(presses(gestures.tick(62_004 * MS))) == 1


def test_a_key_that_is_down_at_the_start_is_no_press() -> None:
    gestures = Gestures(KEYS)
    assert gestures.down_at_start("OK", 0) == [Stuck("OK", 0)]
    assert gestures.down() == ("OK",)
    assert gestures.tick(20_000 * MS) == []
    events = gestures.edge("OK", False, 20_001 * MS) + gestures.tick(20_100 * MS)
    assert events == [Freed("OK", 20_001 * MS)]


def test_edges_that_overtake_each_other_keep_the_clock_going_forward() -> None:
    gestures = Gestures(KEYS)
    gestures.tick(100 * MS)
    gestures.edge("RED", True, 99 * MS)
    assert gestures.deadline_ns() == 104 * MS
    assert gestures.edge("RED", True, 101 * MS) == []
    assert gestures.deadline_ns() == 104 * MS


def test_times_that_cannot_be_are_refused() -> None:
    with pytest.raises(WiringError, match="idle_ms"):
        Timing(idle_ms=0)
    with pytest.raises(WiringError, match="hold_ms"):
        Timing(hold_ms=20_000)


STEPS = st.lists(
    st.tuples(st.floats(0.1, 400), st.sampled_from(sorted(KEYS)), st.booleans()), max_size=60
)


@settings(deadline=None)
@given(STEPS)
def test_late_ticks_change_nothing(steps: list[tuple[float, str, bool]]) -> None:
    edges: list[Edge] = []
    now_ms = 0.0
    for gap_ms, key, active in steps:
        now_ms += gap_ms
        edges.append((now_ms, key, active))
    end_ms = now_ms + 20_000
    _, late = play(edges, until_ms=end_ms)
    _, in_time = play(edges, until_ms=end_ms, tick_ms=1)
    assert late == in_time


@settings(deadline=None)
@given(STEPS)
def test_every_press_is_heard_once_and_never_both_tap_and_hold(
    steps: list[tuple[float, str, bool]],
) -> None:
    edges: list[Edge] = []
    now_ms = 0.0
    for gap_ms, key, active in steps:
        now_ms += gap_ms
        edges.append((now_ms, key, active))
    edges += [(now_ms + 100 + index, key, False) for index, key in enumerate(KEYS)]
    _, events = play(edges, until_ms=now_ms + 30_000)
    heard = [(event.key, event.t_ns) for event in events if isinstance(event, Heard)]
    assert len(heard) == len(set(heard))
    for key, mode in KEYS.items():
        acted = [(event.t_ns, event.held) for event in presses(events) if event.key == key]
        assert len(acted) == len(set(acted))
        assert {t for t, _ in acted} == {t for name, t in heard if name == key}
        if mode is not KeyMode.PRESS_AND_HOLD:
            assert len({t for t, _ in acted}) == len(acted)
        firsts = sorted({t for t, _ in acted})
        assert all(later - sooner >= 100 * MS for sooner, later in itertools.pairwise(firsts))


@pytest.mark.parametrize("hertz", [50, 60])
def test_a_wire_that_picks_up_the_mains_is_named_and_does_nothing_until_it_is_quiet(
    hertz: int,
) -> None:
    half_ms = 500 / hertz
    edges: list[Edge] = [(n * half_ms, "RED", n % 2 == 0) for n in range(20 * hertz)]
    last_ms = edges[-1][0]
    gestures, events = play(edges, until_ms=last_ms + 900)
    assert len(presses(events)) <= 1, "the first time it cannot be told from a finger"
    (told,) = [event for event in events if isinstance(event, Floating)]
    assert told.t_ns < 1000 * MS
    assert gestures.stuck() == ("RED",)
    freed = gestures.tick(round((last_ms + 1000) * MS))
    assert freed == [Freed("RED", round(last_ms * MS))]
    gestures.edge("RED", True, round((last_ms + 2000) * MS))
    assert len(presses(gestures.tick(round((last_ms + 2010) * MS)))) == 1


def test_a_floating_line_that_stays_down_is_stuck() -> None:
    edges: list[Edge] = [(n * 10, "OK", n % 2 == 0) for n in range(101)]
    _, events = play(edges, until_ms=3000)
    assert [type(event) for event in events if not isinstance(event, Heard | Pressed)] == [
        Floating,
        Stuck,
    ]


def test_the_fastest_finger_on_the_worst_contact_is_no_floating_wire() -> None:
    rng = random.Random(9)
    edges: list[Edge] = []
    for at_ms in range(0, 10_000, 100):
        # The contact breaks once in the middle of each press, for long enough to be seen.
        edges += bounce(rng, "RED", at_ms, 8, last=True)
        edges += [(at_ms + 20, "RED", False), (at_ms + 24, "RED", True)]
        edges += bounce(rng, "RED", at_ms + 45, 8, last=False)
    _, events = play(edges, until_ms=11_000)
    assert len(presses(events)) == 100
    assert not [event for event in events if isinstance(event, Floating)]


def test_a_short_press_after_a_long_rest_counts_too() -> None:
    _, events = play([*press("RED", 0, 20), *press("RED", 5020, 5040)], until_ms=6000)
    assert [event.t_ns for event in presses(events)] == [0, 5020 * MS]


def test_a_spike_every_tenth_of_a_second_for_ten_minutes_is_nothing() -> None:
    edges = [edge for t in range(0, 600_000, 100) for edge in press("RED", t, t + 1)]
    _, events = play(edges, until_ms=601_000)
    assert events == []
