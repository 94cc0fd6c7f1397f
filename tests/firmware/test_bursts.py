"""Late and doubled presses after an end, on every panel that comes with the firmware.

The best documented failure of scoreboards: the point that decides is keyed, the finger goes on, and
what it presses is taken for the next thing. Here every end is reached by keys, and bursts of every
length and pace do nothing, while a press after a true pause and UNDO do what they always do.
"""

import random
from itertools import cycle, product

import pytest

from firmware.keys.keybook import PANELS
from firmware.table.guard import GuardTiming
from rules.match import digest
from tests.firmware.rig import Rig, new_play, on_table, settle

GAPS_MS = (50, 180, 400, 599)
BURSTS_MS = (200, 1000, 4000)
FORMATS = {
    "carom": [("ug", "target=2/2"), ("s15", "target=1/1"), ("3c", "target=3/3 limit=2")],
    "snooker": [("cbbs", "target=1 reds=1"), ("wpbsa", "target=1"), ("fpb", "target=1 reds=1")],
    "pool": [("wpa9", "race=1/1"), ("fpb8", "race=1/1"), ("wpa141", "target=15/15")],
}
CASES = [
    pytest.param(path.stem, book, format_, id=f"{path.stem} {book}")
    for path in sorted(PANELS.glob("*.toml"))
    for book, format_ in FORMATS[path.stem.partition("-")[0]]
]
PAUSE_MS = 1200
"""Nothing that is pressed so far apart is taken for one press."""

STEPS, LONG = 6000, 40


class Hand:
    """Somebody at a panel who knows its keys by heart."""

    def __init__(self, rig: Rig, seed: str) -> None:
        self.rig, self.chance = rig, random.Random(seed)
        layout = rig.keymap.layout
        self.undo = next(iter(sorted(rig.keymap.undo_keys)))
        self.keys = [key for key in layout.keys if key not in rig.keymap.undo_keys]
        self.since: list[str] = []
        """The keys since the last record."""

    @property
    def seq(self) -> int:
        return self.rig.table.play.ledger.seq

    @property
    def held(self) -> bool:
        return self.rig.table.play.ledger.match.ending is not None

    async def press(self, key: str, after_ms: int = PAUSE_MS) -> bool:
        """Press a key; whether something was entered."""
        before = self.seq
        self.rig.clock.ns += after_ms * 1_000_000
        self.rig.tap(key)
        await settle()
        return self.seq != before

    async def play_to_an_end(self) -> list[str]:
        """Press keys by chance until something is held; the keys of the record that did it."""
        keys: list[str] = []
        for _ in range(STEPS):
            key = self.chance.choice(self.keys) + self.chance.choice(("", "", "!"))
            # A dialog that nobody goes on with would wait for its time.
            if self.rig.view.typed is None:
                keys = []
            elif len(keys) > LONG:  # a number past all that could be entered: UNDO clears it
                await self.press(self.undo)
                keys = []
            keys.append(key)
            if await self.press(key):
                if self.held:
                    return keys
                keys = []
        raise AssertionError("no end was reached")

    async def burst(self, gap_ms: int, burst_ms: int) -> None:
        """Every key but UNDO by turns, one after each gap."""
        keys = cycle(self.chance.sample(self.keys, len(self.keys)))
        before, refused = self.seq, self.rig.table.refused
        count = max(1, burst_ms // gap_ms)
        for nth in range(count):
            key = next(keys)
            assert not await self.press(key, gap_ms), (key, nth, gap_ms, burst_ms)
            assert self.rig.view.typed is None, key
        assert (self.seq, self.held) == (before, True)
        assert self.rig.table.refused - refused == count, "none is swallowed"


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_no_burst_acts_after_an_end_and_a_true_pause_does(
    panel: str, rulebook: str, format_: str
) -> None:
    async def test(rig: Rig) -> None:
        hand = Hand(rig, f"{panel} {rulebook}")
        ending = await hand.play_to_an_end()
        ledger = rig.table.play.ledger
        end = digest(ledger.match)  # a clock that was started runs on
        for gap_ms, burst_ms in product(GAPS_MS, BURSTS_MS):
            await hand.burst(gap_ms, burst_ms)
            # UNDO acts in the middle of a burst, and at once.
            assert await hand.press(hand.undo, gap_ms)
            assert not hand.held
            for key in ending:
                await hand.press(key)
            assert digest(ledger.match) == end
        await hand.burst(180, 1300)
        assert await confirms(hand, round(GuardTiming().burst_gap_ms) + 50)
        assert not (hand.held and digest(ledger.match) == end)

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_the_guard_lifts_after_five_seconds_of_presses(
    panel: str, rulebook: str, format_: str
) -> None:
    async def test(rig: Rig) -> None:
        hand = Hand(rig, f"{panel} {rulebook}")
        await hand.play_to_an_end()
        await hand.burst(100, 4900)
        assert await confirms(hand, 200)

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


async def confirms(hand: Hand, after_ms: int) -> bool:
    """Whether OK, pressed or held as this panel has it, is entered."""
    (key, *_) = sorted(hand.rig.keymap.ok_keys)
    steps = hand.rig.keymap.steps("held", key, held=True)
    return await hand.press(f"{key}!" if steps else key, after_ms)
