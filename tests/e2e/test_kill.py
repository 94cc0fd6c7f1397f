"""Power cuts in a real match: whatever was shown is there again, to the pixel."""

import asyncio
from pathlib import Path
from typing import Any

from firmware.demo.demo import MATCH
from firmware.demo.presses import presses_of
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap, load_panel
from rules.carom.words import NOTATION
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_sheets
from tests.e2e.process import TableProcess, table_process
from tests.firmware.hall import Listener, listening
from tests.mosquitto import Mosquitto


def keys_of_the_match() -> list[str]:
    (sheet,) = read_sheets(MATCH.read_text("utf-8"), notation_of)
    keymap = Keymap(load_panel(PANELS / "carom-6.toml"), NOTATION)
    return [press.key for press in presses_of(sheet, keymap, rulebook_of)]


class Cut:
    """A match that is cut and taken up again, in one journal, on one broker."""

    def __init__(self, journal: Path, mosquitto: Mosquitto, listener: Listener) -> None:
        self._journal, self._port, self._listener = journal, mosquitto.port, listener

    async def until_published(self, seq: int) -> Any:
        """The state on MQTT once it has this record, without what only time changes."""
        await self._listener.until(
            lambda heard: bool(heard.of("state")) and heard.of("state")[-1]["seq"] == seq
        )
        return self._listener.of("state")[-1]

    async def takes_up(self, shown: Any, published: Any) -> None:
        """A new process shows and publishes the same as the one that was cut."""
        self._listener.heard.clear()
        async with table_process(self._journal, self._port) as table:
            started = await table.answer("started")
            assert started == {key: shown[key] for key in ("seq", "digest")}
            assert await table.look() == shown
            assert await self.until_published(shown["seq"]) == published
            assert await table.stop() == 0
        await self._listener.until(lambda heard: "offline" in heard.of("availability"))

    async def plays(self, keys: list[str], *, stalling: bool = False) -> tuple[Any, Any]:
        """Press keys and be cut; what was shown and published before the cut.

        `stalling` cuts in the middle of the commit of one press more.
        """
        async with table_process(self._journal, self._port) as table:
            await table.answer("started")
            await table.press(keys[:-1] if stalling else keys)
            shown = await table.look()
            published = await self.until_published(shown["seq"])
            if stalling:
                await self._cut_in_commit(table, keys[-1], shown["seq"] + 1)
            await table.kill()
        return shown, published

    async def _cut_in_commit(self, table: TableProcess, key: str, seq: int) -> None:
        await table.stall_at(seq)
        await table.tell(f"press {key}")
        assert await table.answer("stalled") == seq


def test_five_cuts_in_one_match(mosquitto: Mosquitto, tmp_path: Path) -> None:
    keys = keys_of_the_match()
    journal = tmp_path / "journal.db"

    async def run() -> None:
        async with listening(mosquitto) as listener:
            cut = Cut(journal, mosquitto, listener)
            # Before a commit: nothing is under way.
            await cut.takes_up(*await cut.plays(keys[:10]))
            # During one: the row is written, the transaction is not done. It never was.
            await cut.takes_up(*await cut.plays(keys[10:21], stalling=True))
            # After one: what was cut short is entered again, and more.
            await cut.takes_up(*await cut.plays(keys[20:40]))
            # While the end at the target is held.
            held = keys.index("ok")
            shown, published = await cut.plays(keys[40:held])
            assert published["phase"] == "held"
            await cut.takes_up(shown, published)
            # In the equalising inning.
            shown, published = await cut.plays(keys[held : held + 2])
            assert published["phase"] == "equaliser"
            assert published["score"] == [40, 39]
            await cut.takes_up(shown, published)
            _, published = await cut.plays(keys[held + 2 :])
            assert published["phase"] == "over"
            assert published["score"] == [40, 39]
            assert published["figures"]["innings"] == [13, 13]
            assert published["figures"]["averages"] == ["3.076", "3.000"]
            assert [entry["seq"] for entry in listener.of("entry")][-1] == len(keys)

    asyncio.run(run())


def test_the_hall_sees_a_cut(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        async with listening(mosquitto) as listener:
            async with table_process(tmp_path / "journal.db", mosquitto.port) as table:
                await table.answer("started")
                await listener.until(lambda heard: heard.of("availability") == ["online"])
                await table.kill()
            await listener.until(
                lambda heard: heard.of("availability") == ["online", "offline"], within_s=30
            )

    asyncio.run(run())
