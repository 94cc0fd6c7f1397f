"""A key that was pressed twice in haste, where its first press closed a dialog or scored nothing.

Asks 11 and 12: one act, and one UNDO leads to before the first press. Outside of its dialog the
same key means something else, and that must not be what a nervous finger enters.
"""

import pytest

from rules.match import digest
from tests.firmware.rig import Rig, new_play, on_table, settle

CASES = [
    ("pool-4", ("wpa9", "race=3/3 clock=35"), "", "ok! a b"),
    ("pool-6", ("wpa9", "race=3/3"), "", "foul b"),
    ("pool-4", ("wpa9", "race=3/3"), "", "b!"),
    ("pool-12", ("wpa9", "race=3/3"), "end", "foul ok"),
    ("snooker-totals-12", ("fpb", "target=3 reds=1"), "", "ok menu end"),
    ("snooker-totals-12", ("fpb", "target=3 reds=1"), "", "menu pink red ok"),
    ("snooker-16", ("wpbsa", "target=3"), "red black", "menu end"),
    ("carom-6", ("ug", "target=5/5"), "plus1", "end"),
]


@pytest.mark.parametrize("gap_ms", [110, 400, 950])
@pytest.mark.parametrize(("panel", "match", "before", "keys"), CASES)
def test_a_doubled_key_is_one_act_and_one_undo(
    panel: str, match: tuple[str, str], before: str, keys: str, gap_ms: int
) -> None:
    async def test(rig: Rig) -> None:
        ledger = rig.table.play.ledger
        await rig.press(before)
        stood = digest(ledger.match)
        await rig.press(keys)
        once, seq = digest(ledger.match), ledger.seq
        assert once != stood
        rig.tap(keys.rsplit(maxsplit=1)[-1], after_ms=gap_ms)
        await settle()
        assert (digest(ledger.match), ledger.seq) == (once, seq)
        assert (rig.view.typed, rig.view.ask) == (None, None)
        assert rig.view.told is not None
        await rig.press("undo")
        assert digest(ledger.match) == stood

    on_table(test, lambda: Rig(new_play(*match), panel=panel))


def test_a_key_that_closed_a_dialog_acts_again_after_a_second() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok! a b")
        rig.tap("b", after_ms=1050)
        await settle()
        assert rig.table.play.ledger.match.ending is not None

    on_table(test, lambda: Rig(new_play("wpa9", "race=3/3 clock=35"), panel="pool-4"))


@pytest.mark.parametrize(
    ("panel", "match", "key"),
    [
        ("pool-12", ("wpa9", "race=3/3"), "pot"),
        ("pool-16", ("wpa10", "race=3/3"), "pot"),
        ("pool-12", ("fpb141", "target=100/100"), "pot"),
        ("carom-6", ("ug", "target=30/30"), "plus1"),
    ],
)
def test_a_key_that_scores_or_pots_counts_as_often_as_it_is_pressed(
    panel: str, match: tuple[str, str], key: str
) -> None:
    async def test(rig: Rig) -> None:
        for nth in range(3):
            rig.tap(key, after_ms=250)
            await settle()
            assert rig.table.play.ledger.seq == nth + 1

    on_table(test, lambda: Rig(new_play(*match), panel=panel))


def test_fast_taps_to_the_target_and_on_by_two_hands_charge_nobody() -> None:
    """Ask 1: taps each 180 ms over the target on panel and pad, then OK, doubled as well."""

    async def test(rig: Rig) -> None:
        rig.clock.ns += 1_100_000_000
        for _ in range(5):
            rig.tap("plus1", after_ms=180)
            await settle()
        assert rig.score() == "5-0 in 1/0 held"
        for nth, after_ms in enumerate((3, *(180,) * 7)):
            rig.tap(("plus1", "end")[nth % 2], after_ms=after_ms, device=("panel", "pad1")[nth % 2])
            await settle()
        assert rig.score() == "5-0 in 1/0 held"
        for after_ms in (700, 3, 180, 180):
            rig.tap("ok", after_ms=after_ms)
            await settle()
        assert rig.score() == "5-0 in 1/0 equaliser", "the answer is open, no inning is charged"
        await rig.press("plus5")
        assert rig.view.line is not None
        assert rig.view.line.ending is not None
        assert rig.view.line.ending.cause == "equalised"

    on_table(test, lambda: Rig(new_play("ug", "target=5/5")))
