"""Lamps and buzzer say what the board says, and the board says all of it too."""

import pytest
from msgspec.structs import replace

from drivers.ports import Picture
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.board.screens import IGNORED_MS, REFUSED_MS
from firmware.devices.signals import BEEPS, HEARD_MS, Signal, Signals
from firmware.i18n import load_language
from firmware.snapshot import Tell, Told, Typed, View
from rules.clock import Call, What
from rules.record import WhichClock
from tests.firmware.rig import new_play

NOW_MS = 50_000
REST = View(line=new_play().line())
SHOT = WhichClock.SHOT
SHOWN = {
    Signal.HEARD: replace(REST, heard_ms=NOW_MS),
    Signal.REFUSED: replace(REST, told=Told(Tell.REFUSED, "not_here", since_ms=NOW_MS)),
    Signal.CONFIRM: replace(REST, typed=Typed("concede", "CONCEDE", ("OK", "+5"))),
}


def picture(view: View, layout: str) -> Picture:
    return render(view, load_layout(layout), load_language("en"), NOW_MS)


def test_at_rest_nothing_is_lit() -> None:
    assert Signals().seen(REST, NOW_MS).lamps == {}


@pytest.mark.parametrize("signal", SHOWN)
def test_a_signal_is_lit_and_beeps_once(signal: Signal) -> None:
    signals = Signals()
    first = signals.seen(SHOWN[signal], NOW_MS)
    assert set(first.lamps) == {signal}
    assert first.beeps == BEEPS[signal]
    again = signals.seen(SHOWN[signal], NOW_MS + 1)
    assert set(again.lamps) == {signal}
    assert again.beeps == ()


@pytest.mark.parametrize("layout", ["64x16", "32x8"])
@pytest.mark.parametrize("signal", SHOWN)
def test_a_quiet_hall_sees_it_on_the_board(signal: Signal, layout: str) -> None:
    assert picture(SHOWN[signal], layout) != picture(REST, layout)


def test_lamps_go_out_with_what_the_board_shows() -> None:
    lamps = Signals().seen(SHOWN[Signal.HEARD], NOW_MS + 20).lamps
    assert lamps == {Signal.HEARD: HEARD_MS - 20}
    assert Signals().seen(SHOWN[Signal.HEARD], NOW_MS + HEARD_MS).lamps == {}
    lamps = Signals().seen(SHOWN[Signal.REFUSED], NOW_MS).lamps
    assert lamps == {Signal.REFUSED: REFUSED_MS}
    ignored = replace(REST, told=Told(Tell.IGNORED, "too_soon", since_ms=NOW_MS))
    assert Signals().seen(ignored, NOW_MS).lamps == {Signal.REFUSED: IGNORED_MS}


def test_what_was_undone_is_no_refusal() -> None:
    undone = replace(REST, told=Told(Tell.UNDONE, "undone", "+1", NOW_MS))
    assert Signals().seen(undone, NOW_MS).lamps == {}


def test_an_end_waits_for_its_confirmation() -> None:
    line = replace(new_play().line(), phase="held")
    playing = Signals().seen(replace(REST, line=line), NOW_MS)
    assert (playing.lamps, playing.beeps) == ({Signal.CONFIRM: None}, ())


def test_a_clock_warns_and_runs_out_each_once() -> None:
    signals = Signals()
    warned = replace(REST, calls=(Call(SHOT, What.WARNING),))
    out = replace(REST, calls=(Call(SHOT, What.TIME),))
    assert signals.seen(warned, NOW_MS).beeps == BEEPS[Signal.WARNING]
    assert signals.seen(warned, NOW_MS + 10).beeps == ()
    playing = signals.seen(out, NOW_MS + 20)
    assert (playing.lamps, playing.beeps) == ({Signal.TIME: None}, BEEPS[Signal.TIME])
    assert signals.seen(REST, NOW_MS + 30).lamps == {}
    assert signals.seen(warned, NOW_MS + 40).beeps == BEEPS[Signal.WARNING], "another shot"


def test_a_refusal_is_louder_than_the_press_that_made_it() -> None:
    both = replace(SHOWN[Signal.REFUSED], heard_ms=NOW_MS)
    assert Signals().seen(both, NOW_MS).beeps == BEEPS[Signal.REFUSED]
