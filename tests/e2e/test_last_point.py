"""Killed the moment the last point is on the disk, before anybody can have been told: ask 45.

The test looks into the journal as a stranger and kills -9 as the record appears. The table that is
started again shows the end, held as it was, and goes on from there.
"""

import asyncio
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import aiomqtt
import pytest

from tests.e2e.process import TableProcess, table_process
from tests.e2e.table_process import GAME
from tests.firmware.hall import listening
from tests.mosquitto import Mosquitto

BLACK_LEFT = "ADJUST(score=50/20,reds=0,colours=K)"


class Last(NamedTuple):
    """A game, the keys to its last point, and how it stands then and after OK.

    `at` is entered first, by command. `won` is the tally, level by level, of side A.
    """

    game: str
    keys: str
    score: list[int] | None
    won: list[int]
    then: str
    at: str = ""


CASES = {
    "set of carom": Last("s15|target=5/5 sets=2|carom-6", "plus5", [5, 0], [1], "playing"),
    "match of carom": Last("s15|target=5/5 sets=1|carom-6", "plus5", [5, 0], [1], "over"),
    "rack of pool": Last("wpa9|race=3/3|pool-12", "money ok", None, [1, 0], "break"),
    "set of pool": Last("wpa9|race=1/1 sets_to_win=2|pool-12", "money ok", None, [1, 1], "break"),
    "match of 14.1": Last("wpa141|target=3/3|pool-12", "pot pot pot", [3, 0], [1], "over"),
    "frame": Last("wpbsa|target=3|snooker-16", "black", [57, 20], [1], "playing", BLACK_LEFT),
    "match of snooker": Last(
        "wpbsa|target=1|snooker-16", "black", [57, 20], [1], "over", BLACK_LEFT
    ),
}


def acts_in(journal: Path) -> list[str]:
    """The acts on the disk, as somebody reads them who is not the table."""
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as looked:
        return [act for (act,) in looked.execute("SELECT act FROM records ORDER BY seq")]


async def killed_on_disk(table: TableProcess, journal: Path, key: str, count: int) -> None:
    """Press a key and kill as soon as so many records are on the disk."""
    await table.tell(f"press {key}")
    until = time.monotonic() + 8
    while len(acts_in(journal)) < count:
        assert time.monotonic() < until, "the last point never came to the disk"
        await asyncio.sleep(0)
    await table.kill()


async def put(port: int, act: str) -> None:
    """Enter by command, and wait until it is answered."""
    async with aiomqtt.Client("127.0.0.1", port=port) as client:
        await client.subscribe("tacada/test/1/reply/#", qos=1)
        asked = json.dumps({"id": "at", "expect_seq": 0, "act": act})
        await client.publish("tacada/test/1/command/enter", asked, qos=1)
        async with asyncio.timeout(8):
            await anext(aiter(client.messages))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_killed_with_the_last_point_on_the_disk_it_shows_the_end(
    mosquitto: Mosquitto, tmp_path: Path, case: Last
) -> None:
    journal, more = tmp_path / "journal.db", {GAME: case.game}
    *keys, last = case.keys.split()

    async def run() -> None:
        async with (
            listening(mosquitto) as listener,
            table_process(journal, mosquitto.port, more=more) as table,
        ):
            await table.answer("started")
            if case.at:
                await listener.until(lambda heard: bool(heard.of("beat")))
                await put(mosquitto.port, case.at)
            if keys:
                await table.press(keys)
            count = 1 + bool(case.at) + (len(keys) + 1 if last != "ok" else 1)
            await killed_on_disk(table, journal, last, count)
        on_disk = acts_in(journal)
        async with (
            listening(mosquitto) as listener,
            table_process(journal, mosquitto.port, more=more) as table,
        ):
            assert (await table.answer("started"))["seq"] == len(on_disk) - 1
            await listener.until(
                lambda heard: (
                    bool(heard.of("state")) and heard.of("state")[-1]["seq"] == len(on_disk) - 1
                )
            )
            held = listener.of("state")[-1]
            assert held["phase"] == "held"
            assert held.get("score") == case.score
            assert [won for won, _ in held["tally"].values()] == case.won
            look = await table.look()
            assert look["saved"]
            await table.press(["ok"])
            await listener.until(lambda heard: heard.of("state")[-1]["phase"] == case.then)
            assert await table.stop() == 0
        assert acts_in(journal)[: len(on_disk)] == on_disk

    asyncio.run(run())
