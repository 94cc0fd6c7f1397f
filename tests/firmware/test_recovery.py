"""Recovery drills: an interrupted match goes on as it stood, and somebody counts the presses."""

import asyncio
from typing import Any

import msgspec
import pytest

from rules.match import Match
from rules.position import join_fields
from rules.sides import Side
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.rules.play import enter
from tests.setup.test_match_menu import WORDS, choose, item, menu

PRESS_S = 0.8
"""What a press takes somebody who reads the board before each."""

MATCHES = {
    "snooker deep in a frame": (
        "cbbs",
        "target=5",
        "CONCEDE(B) OK CONCEDE(A) OK R K R U / FOUL(hit=U) R G",
    ),
    "eight-ball at 3-2": ("fpb8", "race=7/7", "AWARD(A) OK " * 3 + "AWARD(B) OK AWARD(B) OK"),
    "14.1 in the second rack": ("wpa141", "target=100/100", "POT(1) " * 14 + "/ FOUL POT(1)"),
    "carom at 18-11": ("ug", "target=40/40", "=5 =3 =0 =8 =13 =0"),
    "carom in the second set": ("s15", "target=15/15", "=15 OK =4 =0 =7 =2"),
}


def standing(match: Match) -> tuple[Any, ...]:
    """What a person would write down of a match before the power goes."""
    frame = match.frame
    assert frame is not None
    return match.tally, frame.score, frame.figures(), match.actor


def note(match: Match) -> tuple[str, Side]:
    """A match as the position of one command, and who plays first in the frame that goes on."""
    frame = match.frame
    assert frame is not None
    levels = zip(match.levels, match.tally, strict=True)
    counted = [(level.name, f"{won[0]}/{won[1]}") for level, won in levels if any(won)]
    return join_fields((*counted, *frame.position())), frame.opener


@pytest.mark.parametrize("which", MATCHES)
def test_one_command_puts_a_whole_match_back(which: str) -> None:
    """Ask 40: what took two minutes elsewhere."""
    rulebook, format_, entries = MATCHES[which]
    lost = enter(new_play(rulebook, format_).ledger, entries).match
    at, first = note(lost)

    async def test(rig: Rig) -> None:
        asked = {
            "id": "drill",
            "expect_seq": rig.table.play.ledger.seq,
            "rulebook": rulebook,
            "format": format_,
            "a": ["Ana"],
            "b": ["Bia"],
            "first": first,
            "at": at,
        }
        answering = asyncio.create_task(rig.table.ask("start", msgspec.json.encode(asked)))
        await settle()
        assert (await answering).error is None
        back = rig.table.play.ledger.match
        assert (back.tally, back.actor) == (lost.tally, lost.actor)
        assert back.frame is not None
        assert lost.frame is not None
        assert back.frame.position() == lost.frame.position()
        assert back.frame.score == lost.frame.score

    on_table(test)


def test_a_panel_alone_puts_a_score_back_within_a_minute() -> None:
    """No network, another table: the same set-up again, then the score; counted press by press."""

    async def test(rig: Rig) -> None:
        await rig.press("end plus5 ok ok!")  # over by now: A has passed, B has won in one
        presses = 2
        await rig.press("ok")
        await settle()
        presses += await choose(rig, WORDS.mend_score, "++o" + "+o" + "o" + "o")
        line = rig.view.line
        assert line is not None
        assert line.score == (2, 1)
        assert presses <= 12
        assert presses * PRESS_S < 60

    on_table(test)


def test_numbers_grow_faster_so_that_no_score_takes_a_minute() -> None:
    async def test(rig: Rig) -> None:
        await menu(rig, "")
        await choose_target(rig, 147)

    on_table(test, lambda: Rig(new_play("3c", "target=200/200")))


async def choose_target(rig: Rig, score: int) -> None:
    """Count the presses to a number from 0, as somebody does who does not know the way."""
    await rig.press(["plus5" if key == "+" else "ok" for key in item(rig, WORDS.mend_score)])
    presses = 0
    while (now := int(rig.view.ask.digits)) != score:  # type: ignore[union-attr]
        await rig.press("plus5" if now < score else "plus1")
        presses += 1
        assert presses <= 30
    assert presses * PRESS_S < 30
