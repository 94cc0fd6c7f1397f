"""A key that only wakes, a panel that is locked, a key that turns off."""

import asyncio

from drivers.gestures import Gestures, KeyMode, LongHeld, Pressed
from drivers.ports import Answer, Press
from firmware.board.screens import IDLE_AFTER_MS
from firmware.devices.gate import Gate
from firmware.snapshot import Tell
from tests.firmware.rig import Rig, on_table, settle

MS = 1_000_000


class Door:
    """A gate before a table that is being worked."""

    def __init__(self, rig: Rig) -> None:
        self.rig, self.offs = rig, 0
        self.answers: list[Answer] = []
        self._number = 0
        self.gate = Gate(
            rig.table,
            rig.clock,
            lock="ok",
            off="undo",
            on_off=self._off,
            answer=lambda _, answer: self.answers.append(answer),
        )

    def _off(self) -> None:
        self.offs += 1

    async def press(self, key: str, *, held: bool = False, device: str = "panel") -> None:
        self.rig.clock.ns += 1200 * MS
        self._number += 1
        self.gate.heard(device, key)
        self.gate.pressed(Press(device, self._number, key, held, self.rig.clock.ns))
        await settle()


def test_a_key_held_for_three_seconds_is_long_held_once() -> None:
    for mode in KeyMode:
        gestures = Gestures({"A": mode})
        events = gestures.edge("A", True, 0) + gestures.tick(9000 * MS)
        assert [event for event in events if isinstance(event, LongHeld)] == [LongHeld("A", 0)]
        held = [event.held for event in events if isinstance(event, Pressed)]
        assert (
            held
            == {
                KeyMode.PRESS: [False],
                KeyMode.PRESS_AND_HOLD: [False, True],
                KeyMode.PRESS_OR_HOLD: [True],
            }[mode]
        )
        gestures = Gestures({"A": mode})
        gestures.edge("A", True, 0)
        gestures.edge("A", False, 2900 * MS)
        assert not [one for one in gestures.tick(9000 * MS) if isinstance(one, LongHeld)]


def test_at_an_idle_board_the_first_key_only_wakes() -> None:
    async def test(rig: Rig) -> None:
        door = Door(rig)
        await door.press("plus1")
        await door.press("undo")
        assert rig.view.line is not None
        assert rig.view.line.score == (0, 0)
        seq = rig.view.line.seq
        # An undone match is in play for good; one that has not begun rests.
        rig.table.view = rig.view.__class__(line=None, heard_ms=rig.view.heard_ms)
        rig.clock.ns += IDLE_AFTER_MS * MS
        await door.press("plus1")
        assert rig.view.told is not None
        assert (rig.view.told.tell, rig.view.told.code) == (Tell.IGNORED, "woke")
        assert door.answers == [Answer.REFUSED]
        assert rig.table.play.ledger.seq == seq

    on_table(test)


def test_a_match_in_play_is_never_idle() -> None:
    async def test(rig: Rig) -> None:
        door = Door(rig)
        await door.press("plus1")
        rig.clock.ns += 100 * IDLE_AFTER_MS * MS
        await door.press("plus1")
        assert rig.score() == "2-0 in 0/0 playing"

    on_table(test)


def told(rig: Rig) -> str:
    """What the board tells by the way, by its code."""
    return rig.view.told.code if rig.view.told is not None else ""


def test_a_panel_is_locked_and_unlocked_by_a_long_hold() -> None:
    async def test(rig: Rig) -> None:
        door = Door(rig)
        await door.press("plus1")
        door.gate.long_held("panel", "ok")
        assert list(rig.view.faults) == ["LOCK panel"]
        refused = rig.table.refused
        for key in ("plus1", "undo", "end"):
            await door.press(key)
        assert rig.score() == "1-0 in 0/0 playing"
        assert rig.table.refused == refused + 3
        assert told(rig) == "locked"
        await door.press("plus1", device="pad1")
        assert rig.score() == "2-0 in 0/0 playing", "another device is not locked"
        door.gate.long_held("panel", "undo")
        assert door.offs == 0, "nor turned off by a key of a locked panel"
        await door.press("ok", held=True)
        door.gate.long_held("panel", "ok")
        assert not list(rig.view.faults)
        assert not told(rig), "it is not locked any more"
        await door.press("plus1")
        assert rig.score() == "3-0 in 0/0 playing"

    on_table(test)


def test_a_long_hold_turns_off_and_no_other_key_does() -> None:
    async def test(rig: Rig) -> None:
        door = Door(rig)
        door.gate.long_held("panel", "plus1")
        assert door.offs == 0
        door.gate.long_held("panel", "undo")
        assert door.offs == 1
        door.gate.use(lock="", off="plus1")
        door.gate.long_held("panel", "plus1")
        door.gate.long_held("panel", "undo")
        assert door.offs == 2
        await asyncio.sleep(0)

    on_table(test)
