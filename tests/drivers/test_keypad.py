"""USB keypads: events as the kernel makes them, and keypads that come and go."""

import asyncio
import sys
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.errors import DeviceMissing, WiringError
from drivers.fakes import Listener
from drivers.gestures import KeyMode, Timing
from drivers.keycodes import (
    EV_KEY,
    EV_SYN,
    NUMBER_PAD,
    SYN_DROPPED,
    SYN_REPORT,
    Change,
    KeyEvents,
    code_number,
)
from drivers.keypad import KeypadLines, find_keypad
from drivers.panel import Keys
from tests.drivers.fake_evdev import Bus, Plugged

CODES = {"one": 79, "two": 80, "enter": 96}
MODES = {"one": KeyMode.PRESS, "two": KeyMode.PRESS, "enter": KeyMode.PRESS_OR_HOLD}


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Bus:
    """An evdev that finds what the test plugs in."""
    bus = Bus()
    monkeypatch.setitem(sys.modules, "evdev", bus)
    monkeypatch.setattr("drivers.plugged.LOOK_EVERY_S", 0.01)
    return bus


def test_repeats_of_a_held_key_are_none_of_ours() -> None:
    events = KeyEvents()
    said = [events.event(EV_KEY, 79, value) for value in (1, 2, 2, 2, 0)]
    assert said == [Change(79, True), None, None, None, Change(79, False)]


def test_after_lost_events_the_state_is_read_anew() -> None:
    events = KeyEvents()
    events.event(EV_KEY, 79, 1)
    assert events.event(EV_SYN, SYN_DROPPED, 0) is None
    assert events.event(EV_KEY, 80, 1) is None, "old, up to the next report"
    assert not events.lost(EV_KEY, 80)
    assert events.lost(EV_SYN, SYN_REPORT)
    assert events.now([96]) == [Change(79, False), Change(96, True)]
    assert events.event(EV_KEY, 96, 0) == Change(96, False)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(78, 81), st.integers(0, 2)), max_size=50))
def test_a_key_goes_down_and_up_by_turns_whatever_comes(said: list[tuple[int, int, int]]) -> None:
    events = KeyEvents()
    down: set[int] = set()
    for kind, code, value in said:
        change = events.event(kind, code, value)
        if change is not None:
            assert change.down == (change.code not in down)
            (down.add if change.down else down.discard)(change.code)
    assert events.down == down


def test_keys_of_a_number_pad_have_names() -> None:
    assert (code_number("enter"), code_number(79), code_number("7")) == (96, 79, 71)
    assert len(set(NUMBER_PAD.values())) == len(NUMBER_PAD)
    with pytest.raises(WiringError, match="'entre' is no key of a number pad"):
        code_number("entre")


class Desk:
    """A keypad's keys at work, and what was told of it."""

    def __init__(self, identity: str = "usb:04d9:1203", timing: Timing | None = None) -> None:
        self.links: list[str] = []
        self.listener = Listener()
        self._news = asyncio.Event()
        self.lines = KeypadLines(identity, CODES, self._linked)
        self.keys = Keys("numpad", MODES, (self.lines,), self.listener, where=str, timing=timing)
        self.task = asyncio.create_task(self.lines.run())

    def _linked(self, identity: str, reason: str) -> None:
        self.links.append(reason)
        self._news.set()

    async def until(self, met: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not met():
                self._news.clear()
                await self._news.wait()


def at_keypad(test: Callable[[Desk], Awaitable[None]], timing: Timing | None = None) -> None:
    async def run() -> None:
        desk = Desk(timing=timing or Timing(hold_ms=5000))
        try:
            await test(desk)
        finally:
            desk.keys.close()
            desk.task.cancel()
            await asyncio.gather(desk.task, return_exceptions=True)

    asyncio.run(run())


async def tap(keypad: Plugged, code: int) -> None:
    keypad.key(code, 1)
    await asyncio.sleep(0.02)
    keypad.key(code, 0)
    await asyncio.sleep(0.09)


def test_keys_are_pressed_and_others_are_not_ours(bus: Bus) -> None:
    keypad = bus.plug()

    async def test(desk: Desk) -> None:
        await desk.until(lambda: desk.links == [""])
        assert keypad.grabbed, "what is typed goes nowhere else"
        for code in (79, 69, 80, 96, 79):
            await tap(keypad, code)
        await desk.listener.until(8)
        assert [press.key for press in desk.listener.presses] == ["one", "two", "enter", "one"]
        assert [press.number for press in desk.listener.presses] == [1, 2, 3, 4]

    at_keypad(test)
    assert not keypad.grabbed


def test_a_key_is_held(bus: Bus) -> None:
    keypad = bus.plug()

    async def test(desk: Desk) -> None:
        await desk.until(lambda: desk.links == [""])
        keypad.key(96, 1)
        for _ in range(3):
            keypad.say(EV_KEY, 96, 2)
        await desk.listener.until(2)
        assert [press.held for press in desk.listener.presses] == [True]

    at_keypad(test, Timing(hold_ms=60))


def test_a_keypad_that_is_pulled_out_lets_go_of_its_keys_and_comes_back(bus: Bus) -> None:
    async def test(desk: Desk) -> None:
        await desk.until(lambda: len(desk.links) == 1)
        assert desk.links[0].startswith(
            "usb:04d9:1203 is not plugged in: plug it in; input devices there: none"
        )
        for nth in range(20):
            keypad = bus.plug()
            await desk.until(lambda: desk.links[-1] == "")
            keypad.key(96, 1)
            await desk.listener.until(3 * nth + 1)
            bus.unplug(keypad)
            await desk.until(lambda: desk.links[-1] != "")
            keypad = bus.plug()
            await desk.until(lambda: desk.links[-1] == "")
            await asyncio.sleep(0.1)
            await tap(keypad, 79)
            await desk.listener.until(3 * nth + 3)
            bus.unplug(keypad)
            await desk.until(lambda: desk.links[-1] != "")
        # The key that was down when it was pulled out was heard, and entered nothing.
        assert [press.key for press in desk.listener.presses] == ["one"] * 20

    at_keypad(test)


def test_lost_events_do_not_leave_a_key_down(bus: Bus) -> None:
    keypad = bus.plug()

    async def test(desk: Desk) -> None:
        await desk.until(lambda: desk.links == [""])
        keypad.key(79, 1)
        await desk.listener.until(2)
        keypad.down.clear()
        keypad.say(EV_SYN, SYN_DROPPED, 0)
        keypad.say(EV_SYN, SYN_REPORT, 0)
        await asyncio.sleep(0.05)
        assert desk.lines.active() == frozenset()
        await asyncio.sleep(0.06)
        await tap(keypad, 79)
        await desk.listener.until(4)

    at_keypad(test)


def test_of_several_devices_of_one_plug_the_number_pad_is_taken(bus: Bus) -> None:
    bus.plug(keys=(113, 114, 115), name="Volume")
    pad = bus.plug()
    device = find_keypad("usb:04d9:1203")
    assert device.path == pad.path
    device.close()


@pytest.mark.parametrize(
    ("identity", "words"),
    [
        (
            "usb:04d9:9999",
            r"is not plugged in: plug it in; input devices there: usb:04d9:1203:K7 \(Number Pad\)",
        ),
        ("/dev/input/event9", "is the keypad plugged in"),
        ("/dev/input/event1", "usermod -aG input"),
    ],
)
def test_a_keypad_that_cannot_be_had_is_named_with_the_mend(
    bus: Bus, identity: str, words: str
) -> None:
    bus.plug(uniq="K7")
    bus.shut.add(bus.plug(uniq="K8").path)
    with pytest.raises(DeviceMissing, match=words):
        find_keypad(identity)
    find_keypad("usb:04d9:1203:K7").close()


def test_a_keypad_that_another_program_has_is_named(bus: Bus) -> None:
    keypad = bus.plug()
    keypad.grabbed = True

    async def test(desk: Desk) -> None:
        await desk.until(lambda: len(desk.links) == 1)
        assert "is taken by another program" in desk.links[0]
        keypad.grabbed = False
        await desk.until(lambda: desk.links[-1] == "")

    at_keypad(test)


def test_without_evdev_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    with pytest.raises(DeviceMissing, match="sudo apt install python3-evdev"):
        find_keypad("usb:04d9:1203")
