"""A rack, frame or set that a wrong entry won, taken back from the middle of the next one.

Row 35 of docs/asked-for.md: the whole table comes back, to the second of the clock.
"""

import pytest
from msgspec.structs import replace

from rules.clock import Countdown
from rules.match import digest
from rules.scoreline import Scoreline
from tests.firmware.rig import Rig, new_play, on_table

NEITHER_RECORD_NOR_TIME = {"seq": 0, "t_ms": 0, "clock": None}
"""The number and time of the last record, and the clock, which is looked at by itself."""


def line_of(rig: Rig) -> Scoreline:
    """All that any display can know of the match."""
    assert rig.view.line is not None
    return rig.view.line


def shot_of(rig: Rig) -> Countdown:
    """The shot clock on the board."""
    clock = line_of(rig).clock
    assert clock is not None
    assert clock.shot is not None
    return clock.shot


async def undone_to(rig: Rig, seq: int) -> int:
    """Press UNDO until the line of records is as long again; how often that took."""
    undo = min(rig.keymap.undo_keys)
    for pressed in range(1, 12):
        await rig.press(undo)
        if len(rig.table.play.ledger.line()) == seq:
            return pressed
    raise AssertionError("UNDO does not lead back")


POOL = ("pool-12", "wpa9", "race=3/3 clock=35 ext_per_rack=1 timeouts=2", "ok! time end")
SNOOKER = ("snooker-16", "wpbsa", "target=3 clock=25", "menu red yellow")
CAROM = ("carom-12", "s15", "target=15/15 sets=2 clock=40 to=2/2", "clock")


@pytest.mark.parametrize(
    ("game", "played", "mistake", "next_one"),
    [
        (POOL, "foul ok end", "money ok", "pot foul ok time! end"),
        (POOL, "pot pot foul ok end", "money ok", "end foul ok end pot"),
        (SNOOKER, "red black foul ok end", "menu yellow red ok", "red black end foul ok end"),
        (CAROM, "plus5 end plus1 end", "plus10", "plus5 end plus1 plus1"),
    ],
)
def test_35_undo_leads_back_over_an_end_to_the_very_table(
    game: tuple[str, str, str, str], played: str, mistake: str, next_one: str
) -> None:
    panel, rulebook, format_, clock = game

    async def test(rig: Rig) -> None:
        ledger = rig.table.play.ledger
        await rig.press(played)
        await rig.press(clock)
        rig.clock.ns += 14_000_000_000
        before, stood, table = line_of(rig), digest(ledger.match), ledger.match
        number, opener = len(ledger.line()), before.opener
        await rig.press(mistake)
        assert rig.score_phase() == "held"
        left_ms = shot_of(rig).left(ledger.t_ms)
        assert 0 < left_ms < shot_of(rig).length_ms
        await rig.press("ok")
        assert line_of(rig).opener is not opener, "the break alternates"
        assert sum(line_of(rig).tally[next(iter(before.tally))]) == 1
        await rig.press(next_one)
        rig.clock.ns += 60_000_000_000
        entered = len(ledger.line()) - number
        assert entered >= 5
        assert await undone_to(rig, number) == entered, "each entry is one UNDO"
        assert digest(ledger.match) == stood
        assert ledger.match == table, "position, fouls, extensions, who opened, who is up"
        now = line_of(rig)
        assert replace(now, **NEITHER_RECORD_NOR_TIME) == replace(before, **NEITHER_RECORD_NOR_TIME)
        shot = shot_of(rig)
        assert not shot.running
        assert shot.left(ledger.t_ms) == left_ms, "what was left as the wrong key was pressed"
        await rig.press("ok")
        assert digest(ledger.match) == stood, "nothing is held any more"

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))
