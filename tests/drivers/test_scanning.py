"""Keypads of rows and columns: what is down, what only looks so."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.errors import DeviceMissing, WiringError
from drivers.fakes import Finger, Keypad, Listener
from drivers.gestures import KeyMode, Timing
from drivers.panel import Panel
from drivers.scanning import Point, Scanner, corners
from drivers.wiring import Contact, Crosspoint, Wiring, check_wiring

ROWS, COLUMNS = (5, 6, 13, 19), (12, 16, 20, 21)
WIRING: Wiring = {
    f"k{4 * r + c}": Crosspoint(row, column)
    for (r, row), (c, column) in product(enumerate(ROWS), enumerate(COLUMNS))
} | {"k15": Crosspoint(19, 21, KeyMode.PRESS_OR_HOLD)}
SLOW = Timing(hold_ms=5_000)


def ghosted(pressed: frozenset[Point]) -> frozenset[Point]:
    """What a keypad without diodes connects: every row and column that hang together."""
    closed = set(pressed)
    while True:
        more = {
            (row, column)
            for row, other in closed
            for other_row, other_column in closed
            for column in [other_column]
            if (other_row, other) in closed and (row, other_column) not in closed
        }
        if not more:
            return frozenset(closed)
        closed |= more


POINTS = st.tuples(st.integers(0, 3), st.integers(0, 3))


def test_one_key_after_the_other() -> None:
    scanner = Scanner()
    assert scanner.look(frozenset({(0, 0)})).down == {(0, 0)}
    assert scanner.look(frozenset({(0, 0), (1, 1)})).down == {(0, 0), (1, 1)}
    assert scanner.look(frozenset({(1, 1)})).down == {(1, 1)}


def test_the_fourth_corner_is_refused_and_so_is_the_key_that_made_it() -> None:
    scanner = Scanner()
    scanner.look(frozenset({(0, 0), (0, 1)}))
    four = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
    seen = scanner.look(four)
    assert seen.down == {(0, 0), (0, 1)}
    assert seen.ghosts == {(1, 0), (1, 1)}
    assert scanner.look(four).ghosts == frozenset(), "told once"
    # The rectangle is gone, but what was refused is no press until it was let go.
    assert scanner.look(frozenset({(1, 0)})).down == frozenset()
    scanner.look(frozenset())
    assert scanner.look(frozenset({(1, 0)})).down == {(1, 0)}


@settings(deadline=None)
@given(st.lists(st.tuples(POINTS, st.booleans()), max_size=40))
def test_no_key_is_down_that_nobody_pressed(moves: list[tuple[Point, bool]]) -> None:
    scanner, pressed = Scanner(), frozenset[Point]()
    for point, down in moves:
        pressed = pressed | {point} if down else pressed - {point}
        before = scanner.look(ghosted(pressed)).down
        assert not before - pressed - corners(ghosted(pressed))
        if not corners(ghosted(pressed)):
            assert before <= pressed


@settings(deadline=None)
@given(st.lists(POINTS, max_size=40))
def test_with_at_most_two_keys_down_each_press_counts(presses: list[Point]) -> None:
    scanner, last = Scanner(), None
    for point in presses:
        scanner.look(frozenset({point} if last is None else {last, point}))
        assert point in scanner.look(frozenset({point})).down
        last = point


def at_keypad(
    test: Callable[[Keypad, Listener, Panel], Awaitable[None]],
    wiring: Wiring = WIRING,
    timing: Timing = SLOW,
) -> None:
    async def run() -> None:
        keypad, listener = Keypad(wiring), Listener()
        panel = Panel("panel", wiring, listener, factory=keypad.factory, timing=timing)
        try:
            await test(keypad, listener, panel)
            assert keypad.shorts == 0, "a high row was connected with a low one"
        finally:
            panel.close()

    asyncio.run(run())


def test_each_key_of_a_keypad_is_heard_as_itself() -> None:
    async def test(keypad: Keypad, listener: Listener, panel: Panel) -> None:
        finger = Finger(keypad.factory, WIRING)
        await finger.play(WIRING)
        await listener.until(2 * len(WIRING))
        assert [press.key for press in listener.presses] == list(WIRING)
        assert {call[0] for call in listener.calls} == {"heard", "pressed"}

    at_keypad(test)


def test_two_keys_at_once_both_count_even_in_one_column() -> None:
    async def test(keypad: Keypad, listener: Listener, panel: Panel) -> None:
        for pair in (("k0", "k4"), ("k1", "k2"), ("k3", "k9")):
            before = len(listener.presses)
            for key in pair:
                keypad.down(key)
            await listener.until(len(listener.calls) + 4)
            for key in pair:
                keypad.up(key)
            await asyncio.sleep(0.12)
            assert sorted(press.key for press in listener.presses[before:]) == sorted(pair)

    at_keypad(test)


def test_a_ghost_is_refused_by_name_and_nothing_acts() -> None:
    async def test(keypad: Keypad, listener: Listener, panel: Panel) -> None:
        keypad.down("k0")
        keypad.down("k1")
        await listener.until(4)
        keypad.down("k4")
        await listener.until(6)
        await asyncio.sleep(0.05)
        told = {call[2] for call in listener.calls if call[0] == "ignored"}
        assert told == {"k4", "k5"}
        assert {call[3] for call in listener.calls if call[0] == "ignored"} == {"ghost"}
        assert sorted(press.key for press in listener.presses) == ["k0", "k1"]
        for key in ("k0", "k1", "k4"):
            keypad.up(key)
        await asyncio.sleep(0.15)
        await Finger(keypad.factory, WIRING).press("k4")
        assert [press.key for press in listener.presses][2:] == ["k4"]

    at_keypad(test)


def test_a_key_is_held_on_a_keypad() -> None:
    async def test(keypad: Keypad, listener: Listener, panel: Panel) -> None:
        keypad.down("k15")
        await listener.until(2)
        assert listener.presses[0].held

    at_keypad(test, timing=Timing(hold_ms=60))


def test_a_key_that_is_down_at_the_start_is_named_by_row_and_column() -> None:
    async def run() -> None:
        keypad, listener = Keypad(WIRING), Listener()
        keypad.down("k6")
        panel = Panel("panel", WIRING, listener, factory=keypad.factory)
        await listener.until(1)
        where = "row GPIO6, header pin 31; column GPIO20, header pin 38"
        assert listener.calls == [("stuck", "panel", "k6", where)]
        keypad.up("k6")
        panel.close()

    asyncio.run(run())


@pytest.mark.parametrize("seed", range(2))
def test_taps_that_bounce_count_once_each(seed: int) -> None:
    async def test(keypad: Keypad, listener: Listener, panel: Panel) -> None:
        rng = random.Random(seed)
        keys: list[str] = []
        for _ in range(30):
            keys.append(rng.choice([key for key in WIRING if key not in keys[-1:]]))
            for _ in range(rng.randrange(4)):
                keypad.down(keys[-1])
                await asyncio.sleep(rng.uniform(0, 0.002))
                keypad.up(keys[-1])
                await asyncio.sleep(rng.uniform(0, 0.001))
            keypad.down(keys[-1])
            await listener.until(len(keys) * 2 - 1)
            await asyncio.sleep(0.02)
            keypad.up(keys[-1])
            await asyncio.sleep(0.05)
        assert [press.key for press in listener.presses] == keys

    # What bounces for 2 ms is no press of a tenth of a second, however busy the machine is.
    at_keypad(test, timing=Timing(confirm_ms=100, hold_ms=5_000))


def test_keys_of_both_kinds_on_one_panel() -> None:
    wiring = {**WIRING, "own": Contact(17, active_high=True)}

    async def test(keypad: Keypad, listener: Listener, panel: Panel) -> None:
        await Finger(keypad.factory, wiring).play(["k3", "own", "k12"])
        await listener.until(6)
        assert [press.key for press in listener.presses] == ["k3", "own", "k12"]

    at_keypad(test, wiring)


def test_a_pin_of_a_keypad_that_is_taken_is_named_and_all_are_let_go() -> None:
    async def run() -> None:
        keypad, listener = Keypad(WIRING), Listener()
        other = Panel("other", {"X": Contact(20)}, listener, factory=keypad.factory)
        wiring = {**WIRING, "own": Contact(17)}
        with pytest.raises(DeviceMissing, match=r"GPIO20 \(column 20\)"):
            Panel("panel", wiring, listener, factory=keypad.factory)
        other.close()
        Panel("panel", wiring, listener, factory=keypad.factory).close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("wiring", "words"),
    [
        ({"A": Crosspoint(5, 12), "B": Crosspoint(5, 12)}, "B: row GPIO5, column GPIO12 is A"),
        ({"A": Crosspoint(5, 12), "B": Crosspoint(12, 5)}, "B: GPIO12 is a column of A"),
        ({"A": Crosspoint(5, 12), "B": Contact(5)}, "B: GPIO5 is a row of A"),
        ({"B": Contact(5), "A": Crosspoint(5, 12)}, "A: GPIO5 is the pin of B"),
        ({"A": Crosspoint(8, 12)}, "A: GPIO8 belongs to the display"),
    ],
)
def test_a_keypad_that_cannot_be_is_named(wiring: Wiring, words: str) -> None:
    with pytest.raises(WiringError, match=words):
        check_wiring(wiring, spi=True)
