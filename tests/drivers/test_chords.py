"""Two keys at once that a layout makes one."""

import asyncio

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.chords import CHORD_MS, Chords
from drivers.errors import WiringError
from drivers.fakes import Finger, Listener
from drivers.gestures import Event, Gestures, Heard, KeyMode, Pressed, Timing
from drivers.panel import Panel
from drivers.wiring import Chord, Contact, Wiring, check_wiring

MS = 1_000_000
MODES = {"A": KeyMode.PRESS, "B": KeyMode.PRESS_OR_HOLD, "C": KeyMode.PRESS}


def play(*edges: tuple[int, str, bool], until_ms: int = 2000) -> list[Event]:
    """Feed edges, with a tick every millisecond."""
    gestures, chords = Gestures(MODES), Chords({"AB": ("A", "B")})
    events: list[Event] = []
    for now_ms in range(until_ms):
        for at_ms, key, active in edges:
            if at_ms == now_ms:
                events += chords.feed(gestures.edge(key, active, now_ms * MS), now_ms * MS)
        events += chords.feed(gestures.tick(now_ms * MS), now_ms * MS)
    return events


def pressed(events: list[Event]) -> list[tuple[str, bool, int]]:
    return [
        (event.key, event.held, event.t_ns // MS) for event in events if isinstance(event, Pressed)
    ]


@pytest.mark.parametrize("gap_ms", [0, 1, 40, CHORD_MS - 5])
@pytest.mark.parametrize("first", ["A", "B"])
def test_both_together_are_the_chord_alone(first: str, gap_ms: int) -> None:
    second = {"A": "B", "B": "A"}[first]
    events = play(
        (10, first, True), (10 + gap_ms, second, True), (300, first, False), (310, second, False)
    )
    assert pressed(events) == [("AB", False, 10)]
    assert sorted(event.key for event in events if isinstance(event, Heard)) == ["A", "B"]


def test_held_together_they_are_still_the_chord_alone() -> None:
    events = play((10, "A", True), (20, "B", True), (1500, "A", False), (1500, "B", False))
    assert pressed(events) == [("AB", False, 10)]


def test_apart_each_counts_with_its_own_time() -> None:
    events = play((10, "A", True), (50, "A", False), (100, "B", True), (160, "B", False))
    assert pressed(events) == [("A", False, 10), ("B", False, 100)]


def test_a_member_acts_once_its_partner_can_follow_no_more() -> None:
    gestures, chords = Gestures(MODES), Chords({"AB": ("A", "B")})
    chords.feed(gestures.edge("A", True, 0), 0)
    assert chords.feed(gestures.tick(4 * MS), 4 * MS) == [Heard("A", 0)]
    assert chords.deadline_ns() == CHORD_MS * MS
    assert chords.due(CHORD_MS * MS - 1) == []
    assert chords.due(CHORD_MS * MS) == [Pressed("A", False, 0)]
    assert chords.deadline_ns() is None


def test_a_hold_of_a_member_is_a_hold() -> None:
    events = play((10, "B", True), (900, "B", False))
    assert pressed(events) == [("B", True, 10)]


def test_keys_without_a_chord_do_not_wait() -> None:
    gestures, chords = Gestures(MODES), Chords({"AB": ("A", "B")})
    gestures.edge("C", True, 0)
    events = chords.feed(gestures.tick(4 * MS), 4 * MS)
    assert events == [Heard("C", 0), Pressed("C", False, 0)]


def test_a_chord_of_pins() -> None:
    wiring: Wiring = {"A": Contact(17), "B": Contact(27), "AB": Chord(("A", "B"))}

    async def run() -> None:
        factory, listener = MockFactory(), Listener()
        timing = Timing(hold_ms=5000)
        panel = Panel("panel", wiring, listener, factory=factory, timing=timing)
        finger = Finger(factory, wiring)
        finger.down("AB")
        await listener.until(3)
        finger.up("AB")
        await asyncio.sleep(0.15)
        await finger.press("A", 200)
        await listener.until(5)
        assert [press.key for press in listener.presses] == ["AB", "A"]
        panel.close()

    asyncio.run(run())


def test_a_chord_of_keys_that_are_none_is_refused() -> None:
    with pytest.raises(WiringError, match="AB: X is no key with wires of its own"):
        check_wiring({"A": Contact(17), "AB": Chord(("A", "X"))}, spi=False)
