"""What a lamp or the buzzer says, the board says too: a quiet hall misses nothing."""

import pytest
from msgspec.structs import replace

from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.devices.signals import BEEPS, HEARD_MS, Signal, Signals
from firmware.i18n import language_codes, load_language
from firmware.snapshot import Counting, Tell, Told, Typed, View
from rules.clock import Call
from rules.record import WhichClock
from rules.scoreline import scoreline
from tests.firmware.rig import new_play
from tests.rules.play import enter

LAYOUTS = {name: load_layout(name) for name in ("64x16", "64x8", "32x8")}
NOW_MS = 60_000
LINE = scoreline(enter(new_play("ug", "target=40/40").ledger, "START"), (("Ana",), ("Bia",)))
QUIET = View(line=LINE, heard_ms=NOW_MS - 10_000)


def clock_view(left_ms: int) -> View:
    """A running shot clock with so much left, and what it calls."""
    clock = LINE.clock
    assert clock is not None
    assert clock.shot is not None
    shot = replace(clock.shot, running=True, until_ms=NOW_MS + left_ms, left_ms=None)
    view = replace(QUIET, line=replace(LINE, clock=replace(clock, shot=shot)))
    what = shot.call(NOW_MS)
    return replace(view, calls=(Call(WhichClock.SHOT, what),) if what is not None else ())


TWINS: dict[Signal, list[tuple[View, View]]] = {
    Signal.HEARD: [(QUIET, replace(QUIET, heard_ms=NOW_MS - 1))],
    Signal.REFUSED: [
        (QUIET, replace(QUIET, told=Told(tell, code, "", NOW_MS)))
        for tell, code in ((Tell.REFUSED, "over_target"), (Tell.IGNORED, "too_soon"))
    ],
    Signal.CONFIRM: [
        (QUIET, replace(QUIET, typed=Typed("menu", "MENU", until_ms=NOW_MS + 9000))),
    ],
    Signal.WARNING: [(clock_view(20_000), clock_view(5_000))],
    Signal.TIME: [
        (clock_view(5_000), clock_view(0)),
        (
            replace(QUIET, counting=Counting("interval", NOW_MS + 5000)),
            replace(QUIET, counting=Counting("interval", NOW_MS)),
        ),
    ],
}
"""For each signal views without and with it."""


def test_every_signal_has_a_twin_and_lights_its_lamp() -> None:
    assert set(TWINS) == set(Signal) == set(BEEPS)
    for signal, pairs in TWINS.items():
        for before, after in pairs:
            assert signal not in Signals().seen(before, NOW_MS).lamps
            assert signal in Signals().seen(after, NOW_MS).lamps


@pytest.mark.parametrize("board", LAYOUTS)
@pytest.mark.parametrize("signal", list(Signal))
def test_the_board_looks_otherwise_wherever_a_lamp_is_lit(signal: Signal, board: str) -> None:
    for code in language_codes():
        language, layout = load_language(code), LAYOUTS[board]
        for before, after in TWINS[signal]:
            moments = range(NOW_MS, NOW_MS + (HEARD_MS - 20 if signal is Signal.HEARD else 100), 50)
            seen = [render(v, layout, language, ms) for ms in moments for v in (before, after)]
            assert seen[::2] != seen[1::2], code
