"""What is asked of a table from outside: judged like a press, answered always, done once."""

import asyncio
import json
from typing import Any

import pytest

from firmware.commands import Reply
from tests.firmware.rig import Rig, on_table, settle


async def ask(rig: Rig, name: str, **fields: Any) -> Reply:
    fields = {"id": "c1", "expect_seq": rig.table.play.ledger.seq} | fields
    return await rig.table.ask(name, json.dumps(fields).encode())


def test_an_entry_counts_and_the_answer_has_the_score() -> None:
    async def test(rig: Rig) -> None:
        reply = await ask(rig, "enter", act="+2")
        assert reply == Reply("c1", 1, score=(2, 0), turn=reply.turn)
        assert rig.score() == "2-0 in 0/0 playing"
        assert str(rig.store.records[-1].by) == "mqtt#c1"

    on_table(test)


def test_sent_again_it_acts_once_and_gets_the_same_answer() -> None:
    async def test(rig: Rig) -> None:
        first = await ask(rig, "enter", act="+2", expect_seq=0)
        await ask(rig, "enter", id="c2", act="/")
        again = await ask(rig, "enter", act="+2", expect_seq=0)
        assert again == first
        assert rig.score() == "2-0 in 1/0 playing"

    on_table(test)


def test_the_answer_waits_for_the_disk() -> None:
    async def test(rig: Rig) -> None:
        rig.store.write()
        await settle()
        asked = asyncio.create_task(ask(rig, "enter", act="+1"))
        again = asyncio.create_task(ask(rig, "enter", act="+1", expect_seq=0))
        await settle()
        assert not asked.done()
        assert not again.done()
        rig.store.write()
        assert await asked == await again
        assert len(rig.store.records) == 2

    on_table(test, lambda: Rig(at_once=False))


@pytest.mark.parametrize(
    ("name", "fields", "error", "detail"),
    [
        ("enter", {"act": "+9"}, "over_target", "5"),
        ("enter", {"act": "OK"}, "nothing_to_confirm", ""),
        ("enter", {"act": "UNDO"}, "nothing_to_undo", ""),
        ("enter", {"act": "HELLO"}, "malformed", "carom has no such entry"),
        ("enter", {"act": "+1 +1"}, "malformed", "one entry at a time"),
        ("enter", {"act": "+1", "expect_seq": 7}, "stale", "expected 7"),
        ("enter", {"act": 5}, "malformed", "$.act"),
        ("enter", {"act": "+1", "expect_sec": 0}, "malformed", "expect_sec"),
        ("entre", {"act": "+1"}, "unknown_command", "enter"),
        ("edit", {"side": "A", "inning": 1, "points": 2}, "no_such_inning", ""),
        ("edit", {"side": "C", "inning": 1, "points": 2}, "malformed", "$.side"),
        ("mend", {"format": "traget=3/3"}, "bad_position", "did you mean target?"),
        ("enter", {"act": "+1", "id": "c1\n"}, "malformed", "$.id"),
        ("mend", {"rulebook": "/ug"}, "malformed", "/ug is unknown; there are"),
        ("start", {"rulebook": "xx", "a": ["A"], "b": ["B"]}, "malformed", "xx cannot be played"),
        ("start", {"rulebook": "ug", "a": [], "b": ["B"]}, "malformed", "$.a"),
    ],
)
def test_what_cannot_be_is_answered_with_a_code(
    name: str, fields: dict[str, Any], error: str, detail: str
) -> None:
    async def test(rig: Rig) -> None:
        reply = await ask(rig, name, **fields)
        assert (reply.id, reply.error, reply.seq) == ("c1" * ("id" not in fields), error, 0)
        assert detail in reply.detail
        assert rig.score() == "0-0 in 0/0 playing"

    on_table(test)


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff\xfe", b"[]", b"{}", b"x" * 9000])
def test_what_is_no_command_is_told_so(payload: bytes) -> None:
    async def test(rig: Rig) -> None:
        reply = await rig.table.ask("enter", payload)
        assert reply.error == "malformed"

    on_table(test)


def test_a_preview_shows_the_score_and_changes_nothing() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end end")
        reply = await ask(rig, "edit", side="A", inning=1, points=4, preview=True)
        assert (reply.score, reply.preview, reply.error) == ((4, 0), True, None)
        assert rig.score() == "1-0 in 1/1 playing"
        assert (await ask(rig, "enter", act="UNDO", preview=True)).score == (1, 0)
        reply = await ask(rig, "edit", side="A", inning=1, points=4)
        assert rig.score() == "4-0 in 1/1 playing"

    on_table(test)


def test_a_forgotten_inning_is_inserted_after_a_look() -> None:
    """Design section 3: 7-1, never 8-0."""

    async def test(rig: Rig) -> None:
        await ask(rig, "mend", format="target=50/50")
        for number, act in enumerate(("=3", "=4", "/", "=1")):
            await ask(rig, "enter", id=f"e{number}", act=act)
        assert rig.score() == "3-5 in 2/2 playing"
        wrong = await ask(rig, "enter", id="w", act="[SPLICE(2,1) /]", preview=True)
        assert wrong.error == "edit_shifts_turn"
        right = await ask(rig, "enter", id="r", act="[SPLICE(2,3) / =4]", preview=True)
        assert right.score == (7, 1)
        await ask(rig, "enter", id="r2", act="[SPLICE(2,3) / =4]")
        assert rig.score() == "7-1 in 2/2 playing"

    on_table(test)


def test_a_wrong_set_up_is_mended_in_play() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 plus1")
        reply = await ask(rig, "mend", format="target=30/20")
        assert reply.error is None
        assert rig.view.line is not None
        assert rig.view.line.figures.targets == (30, 20)
        assert rig.score() == "2-0 in 0/0 playing"
        reply = await ask(rig, "mend", id="c3", first="B")
        assert reply.error == "edit_shifts_turn"

    on_table(test)


def test_a_match_is_started_at_a_position() -> None:
    async def test(rig: Rig) -> None:
        reply = await ask(
            rig,
            "start",
            rulebook="uk",
            a=["Ana"],
            b=["Rui", "Zé"],
            first="A",
            at="score=20/12 innings=9/9",
        )
        assert (reply.seq, reply.score) == (0, (20, 12))
        assert rig.score() == "20-12 in 9/9 playing"
        assert rig.view.line is not None
        assert rig.view.line.names == (("Ana",), ("Rui", "Zé"))
        again = await ask(
            rig, "start", rulebook="uk", a=["Ana"], b=["Rui", "Zé"], first="A", expect_seq=0
        )
        assert again == reply

    on_table(test)
