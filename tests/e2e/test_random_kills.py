"""Kills at random moments: what was shown or answered is there again, nothing twice.

Each time the table comes back it is compared with one that was never killed: the same digest, the
same picture, the same message.
"""

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiomqtt

from firmware.journal.journal import Journal
from tests.e2e.process import TableProcess, table_process
from tests.e2e.test_kill import keys_of_the_match
from tests.firmware.hall import Listener, listening
from tests.mosquitto import Mosquitto

SEED = 20241130
KILLS = 20
BY_COMMAND = 5
"""So many of them fall between the commit of a command and its answer."""


async def until_started(table: TableProcess, listener: Listener) -> int:
    """Take up where the journal stands; its seq."""
    started = await table.answer("started")
    await published(listener, started["seq"])
    return int(started["seq"])


async def published(listener: Listener, seq: int) -> Any:
    """The state on MQTT once it has this record, but for the time of the day's presses."""
    await listener.until(
        lambda heard: bool(heard.of("state")) and heard.of("state")[-1]["seq"] == seq
    )
    return {key: value for key, value in listener.of("state")[-1].items() if key != "t_ms"}


async def seen(table: TableProcess, listener: Listener) -> tuple[Any, Any]:
    """Digest and picture of a table at rest, and its message."""
    look = await table.look()
    return look, await published(listener, look["seq"])


def test_twenty_kills_in_one_match(mosquitto: Mosquitto, tmp_path: Path) -> None:
    keys = keys_of_the_match()
    chance = random.Random(SEED)
    moments = sorted(chance.sample(range(1, len(keys) - 1), KILLS - BY_COMMAND))

    async def run() -> None:
        journal = tmp_path / "journal.db"
        async with listening(mosquitto) as listener:
            entered = 0
            back: list[tuple[Any, Any]] = []
            for moment in [*moments, len(keys)]:
                listener.heard.clear()
                async with table_process(journal, mosquitto.port) as table:
                    seq = await until_started(table, listener)
                    assert seq >= entered, "what was shown is there again"
                    back.append(await seen(table, listener))
                    await press_until(table, keys[seq:], moment - seq, chance)
                    last = listener.of("state")[-1]
                    entered = max(seq, *(line["seq"] for line in listener.of("state")))
                    await table.kill()
        assert seqs_in(journal) == list(range(len(keys) + 1))
        assert last["score"] == [40, 39]
        assert last["phase"] == "over"
        assert len(back) == len(moments) + 1
        assert back == await never_killed(tmp_path, mosquitto, keys, back)

    asyncio.run(run())


async def never_killed(
    folder: Path, mosquitto: Mosquitto, keys: list[str], back: list[tuple[Any, Any]]
) -> list[tuple[Any, Any]]:
    """The same match without a cut, seen where the other one came back."""
    states: list[tuple[Any, Any]] = []
    async with (
        listening(mosquitto) as listener,
        table_process(folder / "whole.db", mosquitto.port) as table,
    ):
        at = await until_started(table, listener)
        for look, _ in back:
            if look["seq"] > at:
                await table.press(keys[at : look["seq"]])
                at = look["seq"]
            states.append(await seen(table, listener))
        await table.stop()
    return states


async def press_until(
    table: TableProcess, keys: list[str], count: int, chance: random.Random
) -> None:
    """Press some keys and be at a random moment of the last one's way to disk."""
    if count <= 0:
        return
    if count > 1:
        await table.press(keys[: count - 1])
    await table.tell(f"press {keys[count - 1]}")
    if count == len(keys):
        await table.answer("pressed")
    else:
        await asyncio.sleep(chance.uniform(0, 0.06))


def shows(seq: int) -> Callable[[Listener], bool]:
    """Whether a state with this record was heard."""
    return lambda heard: any(line["seq"] == seq for line in heard.of("state"))


def seqs_in(journal: Path) -> list[int]:
    """The records of the match on disk."""
    opened, damage = Journal.open(journal)
    assert damage is None
    row = opened.unfinished()
    assert row is not None
    records = opened.records(row.id)
    opened.close()
    return [record.seq for record in records]


def test_a_command_that_was_cut_off_acts_once(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Five times: killed after the commit and before the answer, then sent again."""

    async def run() -> None:
        journal = tmp_path / "journal.db"
        topic = "tacada/test/1/command/enter"
        back: list[tuple[Any, Any]] = []
        async with listening(mosquitto) as listener:
            for number in range(BY_COMMAND):
                command = json.dumps({"id": f"c{number}", "expect_seq": number, "act": "+1"})
                async with table_process(journal, mosquitto.port) as table:
                    listener.heard.clear()
                    assert await until_started(table, listener) == number
                    async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
                        await client.publish(topic, command, qos=1)
                        await listener.until(shows(number + 1))
                    await table.kill()
                async with table_process(journal, mosquitto.port) as table:
                    listener.heard.clear()
                    assert await until_started(table, listener) == number + 1
                    async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
                        await client.publish(topic, command, qos=1)
                        await listener.until(lambda heard: len(heard.of("enter")) == 2)
                    reply = listener.of("enter")[-1]
                    assert reply["id"] == f"c{number}"
                    assert reply["seq"] == number + 1
                    assert reply["score"] == [number + 1, 0]
                    back.append(await seen(table, listener))
                    await table.kill()
        assert back == await never_killed(tmp_path, mosquitto, ["plus1"] * BY_COMMAND, back)

    asyncio.run(run())
