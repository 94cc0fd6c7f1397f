"""The panel on mock pins, with the real loop and the real gpiozero between."""

import asyncio
import threading
import time

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.errors import DeviceMissing, WiringError
from drivers.fakes import Finger, Listener
from drivers.gestures import KeyMode, Timing
from drivers.panel import Panel
from drivers.wiring import Contact, check_wiring

WIRING = {
    "RED": Contact(17),
    "OK": Contact(27, KeyMode.PRESS_OR_HOLD),
    "TWO": Contact(22, active_high=True),
}
SLOW = Timing(hold_ms=5_000)
"""So that a tap is none the less a tap on a machine that has much else to do."""


def test_presses_arrive_in_order_numbered_from_one() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        panel = Panel("panel", WIRING, listener, factory=factory, timing=SLOW)
        finger = Finger(factory, WIRING)
        before_ns = time.monotonic_ns()
        await finger.play(["RED", "TWO", "OK"])
        await listener.until(6)
        panel.close()
        assert listener.calls == [
            (what, "panel", key) for key in ("RED", "TWO", "OK") for what in ("heard", "pressed")
        ]
        assert [press.number for press in listener.presses] == [1, 2, 3]
        times = [before_ns, *(press.t_ns for press in listener.presses), time.monotonic_ns()]
        assert times == sorted(times)

    asyncio.run(scene())


def test_a_hold_is_told_while_the_key_is_down() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        timing = Timing(hold_ms=50)
        panel = Panel("panel", WIRING, listener, factory=factory, timing=timing)
        Finger(factory, WIRING).down("OK")
        await listener.until(2)
        panel.close()
        assert listener.presses[0].held

    asyncio.run(scene())


def test_a_spike_is_no_press() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        panel = Panel("panel", WIRING, listener, factory=factory, timing=Timing(confirm_ms=50))
        finger = Finger(factory, WIRING)
        finger.down("RED")
        finger.up("RED")
        await asyncio.sleep(0.1)
        panel.close()
        assert listener.calls == []

    asyncio.run(scene())


def test_a_lost_release_does_not_make_a_hold_of_a_tap() -> None:
    class DeafPin(MockFactory().pin_class):  # type: ignore[misc] # gpiozero has no types
        """A pin whose rising edge nobody reports."""

        def drive_high(self) -> None:
            self._change_state(True)

    async def scene() -> None:
        factory, listener = MockFactory(pin_class=DeafPin), Listener()
        timing = Timing(hold_ms=400)
        panel = Panel("panel", WIRING, listener, factory=factory, timing=timing)
        finger = Finger(factory, WIRING)
        finger.down("OK")
        await listener.until(1)
        finger.up("OK")
        await listener.until(2)
        panel.close()
        assert [press.held for press in listener.presses] == [False]

    asyncio.run(scene())


def test_a_press_that_was_let_go_while_the_loop_was_late_counts() -> None:
    """Its release is on its way when the line is looked at: it was down for long enough."""

    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        panel = Panel("panel", WIRING, listener, factory=factory, timing=SLOW)
        finger, loop = Finger(factory, WIRING), asyncio.get_running_loop()
        finger.down("RED")
        await asyncio.sleep(0)  # the edge is told, and the press is to be confirmed in 4 ms
        loop.call_soon(time.sleep, 0.02)
        loop.call_later(0.001, finger.up, "RED")  # as late as the rest, just before it is judged
        await listener.until(2)
        panel.close()
        assert listener.calls == [("heard", "panel", "RED"), ("pressed", "panel", "RED")]

    asyncio.run(scene())


def test_edges_come_from_another_thread() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        panel = Panel("panel", WIRING, listener, factory=factory, timing=SLOW)
        told_in: list[int] = []
        listener.heard = lambda *_: told_in.append(threading.get_ident())  # type: ignore[method-assign]
        finger = Finger(factory, WIRING)
        await asyncio.to_thread(finger.down, "RED")
        await listener.until(1)
        panel.close()
        assert told_in == [threading.get_ident()]

    asyncio.run(scene())


def test_a_key_that_is_down_at_the_start_is_named_until_it_comes_up() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        # A mock pin goes to its pull when that is set, so the press can only come after.
        pin = factory.pin(17)
        pin._set_pull = lambda _: pin.drive_low()
        panel = Panel("panel", WIRING, listener, factory=factory, timing=SLOW)
        assert listener.calls == []
        await listener.until(1)
        assert listener.calls == [("stuck", "panel", "RED", "GPIO17, header pin 11")]
        assert list(panel.stuck) == ["RED: GPIO17, header pin 11"]
        pin.drive_high()
        await listener.until(2)
        assert listener.calls[1:] == [("freed", "panel", "RED")]
        assert not panel.stuck
        panel.close()

    asyncio.run(scene())


def test_nothing_is_told_after_the_end_and_pins_are_free_again() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        timing = Timing(confirm_ms=0.001)
        panel = Panel("panel", WIRING, listener, factory=factory, timing=timing)
        finger = Finger(factory, WIRING)
        # Both edges are on their way to the loop, and make a press once they are there.
        finger.down("RED")
        finger.up("RED")
        panel.close()
        await asyncio.sleep(0.02)
        assert listener.calls == []
        Panel("panel", WIRING, listener, factory=factory).close()

    asyncio.run(scene())


def test_an_edge_after_the_loop_has_gone_harms_nobody() -> None:
    factory, listener = MockFactory(), Listener()

    async def scene() -> Panel:
        return Panel("panel", WIRING, listener, factory=factory)

    panel = asyncio.run(scene())
    Finger(factory, WIRING).down("RED")
    for each in panel._lines:
        each.close()


def test_a_pin_that_is_taken_is_named_and_the_others_are_let_go() -> None:
    async def scene() -> None:
        factory, listener = MockFactory(), Listener()
        other = Panel("other", {"X": Contact(27)}, listener, factory=factory)
        with pytest.raises(DeviceMissing, match=r"GPIO27 \(key OK\)"):
            Panel("panel", WIRING, listener, factory=factory)
        other.close()
        Panel("panel", WIRING, listener, factory=factory).close()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("wiring", "spi", "words"),
    [
        ({"A": Contact(17), "B": Contact(17)}, False, "B: GPIO17 is the pin of A"),
        ({"A": Contact(10)}, True, "A: GPIO10 belongs to the display"),
        ({"A": Contact(28)}, False, "A: GPIO28"),
        ({"A": Contact(0)}, False, "A: GPIO0"),
        ({"A": Contact(3, active_high=True)}, False, "A: GPIO3 is pulled up"),
    ],
)
def test_a_wiring_that_cannot_be_is_named(
    wiring: dict[str, Contact], spi: bool, words: str
) -> None:
    with pytest.raises(WiringError, match=words):
        check_wiring(wiring, spi=spi)


def test_all_faults_of_a_wiring_are_named_at_once() -> None:
    with pytest.raises(WiringError, match=r"A: GPIO7 .*; B: GPIO40 "):
        check_wiring({"A": Contact(7), "B": Contact(40)}, spi=True)


def test_pins_of_spi_are_free_without_a_display_on_it() -> None:
    check_wiring({"A": Contact(10), "B": Contact(3)}, spi=False)
