"""Countdowns that are no shot clock: warm-up, interval, time-out, a player who is late."""

import pytest

from firmware.board.layout import load_layout
from firmware.board.render import draw, render
from firmware.board.screens import direct
from firmware.devices.signals import Signal, Signals
from firmware.i18n import language_codes, load_language
from firmware.setup.match_menu import MINUTES
from firmware.snapshot import Counting, View
from rules.scoreline import scoreline
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.setup.test_match_menu import WORDS, choose

LAYOUTS = [load_layout(name) for name in ("64x16", "64x8", "32x8")]
PT = load_language("pt")
NOW_MS = 500_000


def counting(what: str, left_ms: int) -> View:
    line = scoreline(new_play().ledger, (("Ana",), ("Bia",)))
    return View(line=line, counting=Counting(what, NOW_MS + left_ms))


@pytest.mark.parametrize("what", MINUTES)
def test_a_countdown_is_started_with_four_keys_and_rings_at_zero(what: str) -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end")
        seq, nth = rig.table.play.ledger.seq, list(MINUTES).index(what)
        await choose(rig, WORDS.countdown, "+" * nth + "o" + "o")
        running = rig.view.counting
        assert running is not None
        assert running.what == what
        now_ms = rig.clock.ns // 1_000_000
        assert running.until_ms == now_ms + MINUTES[what] * 60_000
        assert direct(rig.view, now_ms).name == "pause"
        signals, told = Signals(), len(rig.views)
        assert Signal.TIME not in signals.seen(rig.view, now_ms).lamps
        rig.clock.ns += MINUTES[what] * 60_000_000_000
        rig.tap("undo!")  # any press wakes the owner of this hand-made clock
        await settle()
        assert len(rig.views) > told
        over = signals.seen(View(line=rig.view.line, counting=running), running.until_ms)
        assert Signal.TIME in over.lamps
        assert over.beeps
        assert not signals.seen(View(counting=running), running.until_ms + 50).beeps, "once"
        assert rig.table.play.ledger.match.result is None, "it decides nothing"
        assert rig.table.play.ledger.seq >= seq

    on_table(test)


def test_what_is_entered_ends_it() -> None:
    async def test(rig: Rig) -> None:
        await choose(rig, WORDS.countdown, "oo")
        assert rig.view.counting is not None
        await rig.press("plus1")
        assert rig.table.view.counting is None
        assert rig.score() == "1-0 in 0/0 playing"

    on_table(test)


@pytest.mark.parametrize("code", language_codes())
def test_at_zero_it_says_what_comes_next_in_every_language(code: str) -> None:
    language = load_language(code)
    for what in MINUTES:
        running, over = counting(what, 1), counting(what, 0)
        for layout in LAYOUTS:
            # A board of one row says score and line by turns.
            before = {render(running, layout, language, NOW_MS - ms) for ms in range(0, 6000, 500)}
            after = {render(over, layout, language, NOW_MS + ms) for ms in range(0, 6000, 500)}
            assert after - before, what
        assert language.forms(f"pause.{what}") != language.forms(f"pause.{what}_over")


def test_all_boards_change_on_the_same_second() -> None:
    """Ask 69: what is left changes on boards of other sizes in the same millisecond."""
    view = counting("interval", 65_300)
    for layout in LAYOUTS:
        drawn_ms, flips = NOW_MS, set[int]()
        while drawn_ms < NOW_MS + 4000:
            drawn = draw(view, layout, PT, drawn_ms)
            assert drawn.until_ms is not None
            drawn_ms = drawn.until_ms
            flips.add(drawn_ms - NOW_MS)
        assert {300, 1300, 2300, 3300} <= flips
    before, after = (draw(view, LAYOUTS[0], PT, NOW_MS + ms).picture for ms in (299, 300))
    assert before != after
