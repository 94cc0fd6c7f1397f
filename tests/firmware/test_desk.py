"""What is asked of a table that is not about the match: its board, messages, phones; and matches
that are put away, clocks that are stopped from outside."""

import asyncio
import contextlib
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from drivers.fakes import KeptDisplay
from drivers.ports import Picture
from firmware.app import TableApp
from firmware.board.state import BoardState, read_board, write_board
from firmware.clock import SystemClock
from firmware.commands import PadReply, Reply
from firmware.config.config import Config, MatchConfig, PanelConfig, PhoneConfig
from firmware.devices.phones import CODE_S, TRIES
from firmware.journal.journal import Journal
from firmware.parts import Parts
from firmware.snapshot import Coming
from tests.firmware.rig import Rig, on_table
from tests.firmware.test_commands import ask
from tests.started import started


class App:
    """A whole table with a board that the test looks at."""

    def __init__(
        self, folder: Path, *, phone: bool = True, clock: SystemClock | None = None
    ) -> None:
        config = Config(
            schema=1,
            language="en",
            journal=str(folder / "journal.db"),
            match=MatchConfig("ug", a=("Ana",), b=("Bia",), first="A"),
            panel=PanelConfig(),
            phone=PhoneConfig(enabled=phone),
        )
        self.display = KeptDisplay(64, 16)
        self.app = TableApp(config, Parts(clock or SystemClock(), display=lambda: self.display))

    async def ask(self, name: str, **fields: Any) -> Any:
        payload = json.dumps({"id": uuid.uuid4().hex} | fields).encode()
        return await self.app._ask(name, payload)

    @property
    def picture(self) -> Picture:
        return self.display.pictures[-1]

    def code(self) -> str | None:
        """The code that stands on the board."""
        assert self.app.table is not None
        message = self.app.table.view.message
        return message.text.removeprefix("code ") if message is not None else None

    async def let_in(self) -> PadReply:
        """A phone whose person reads the code on the board."""
        assert (await self.ask("pair")).error is None
        reply = await self.ask("pair", code=self.code())
        assert isinstance(reply, PadReply)
        return reply


def on_app(test: Any, folder: Path, **how: Any) -> None:
    async def run() -> None:
        app = App(folder, **how)
        running = await started(app.app)
        async with asyncio.timeout(20):
            await asyncio.sleep(0.1)
            try:
                await test(app)
            finally:
                app.app.stop()
                await running

    asyncio.run(run())


def test_a_message_stands_on_the_board_until_somebody_presses_a_key() -> None:
    async def test(rig: Rig) -> None:
        read: list[str] = []
        rig.table._on_read = read.append
        rig.table.say("5 min left", for_ms=30_000)
        await ask(rig, "enter", act="+1")
        message = rig.view.message
        assert message is not None, "a score from elsewhere does not take it away"
        assert message.text == "5 min left"
        await rig.press("plus1")
        assert read == ["5 min left"]
        assert rig.view.message is None
        assert rig.score() == "2-0 in 0/0 playing", "the key did what it does"

    on_table(test)


def test_a_message_is_answered_when_shown_and_again_when_read(tmp_path: Path) -> None:
    async def test(app: App) -> None:
        said: list[tuple[str, Reply]] = []
        desk = app.app._desk
        assert desk is not None
        desk._send = lambda name, reply: said.append((name, reply))
        reply = await app.ask("message", text="mesa 4, por favor")
        assert reply.error is None
        assert not said
        assert app.app.table is not None
        app.app.table.heard("panel", "plus1")
        assert said == [("message", Reply(reply.id, 0, read=True))]

    on_app(test, tmp_path)


def test_brightness_language_and_view_are_obeyed_and_kept_over_a_restart(tmp_path: Path) -> None:
    """Ask 122: what was set survives."""

    async def first(app: App) -> None:
        assert (await app.ask("brightness", level=11)).error is None
        await asyncio.sleep(0.2)
        assert app.display.dimmed == [4, 11], "never dim while the match is being made"
        assert (await app.ask("language", language="es")).error is None
        assert (await app.ask("language", language="xx")).error == "malformed"
        assert (await app.ask("view", view="dark")).error is None
        await asyncio.sleep(0.2)
        assert not any(app.picture.rows)

    async def again(app: App) -> None:
        assert app.display.dimmed == [11]
        assert app.app._boards.language.code == "es"
        assert not any(app.picture.rows)
        assert (await app.ask("view", view="pattern")).error is None
        await asyncio.sleep(0.2)
        assert any(app.picture.rows)
        await app.ask("enter", act="+1", expect_seq=0)
        reply = await app.ask("view", view="dark")
        assert reply.error == "in_play", "a board that is dark in play says nothing true"
        await asyncio.sleep(0.2)
        assert any(app.picture.rows)

    on_app(first, tmp_path)
    on_app(again, tmp_path)


NEXT = {"a": ["Eddy Merckx"], "b": ["Dani Sánchez"], "at": "21:30"}


def test_who_plays_next_stands_on_the_idle_board_until_a_match_begins(tmp_path: Path) -> None:
    """Kept over a restart; the match in play when it was told is not the one that takes it away."""

    def coming(app: App) -> Coming | None:
        return app.app._boards._state.coming

    async def first(app: App) -> None:
        assert (await app.ask("enter", act="+1", expect_seq=0)).error is None
        assert (await app.ask("next", **NEXT)).error is None
        assert (await app.ask("enter", act="+1", expect_seq=1)).error is None
        assert coming(app) == Coming((("Eddy Merckx",), ("Dani Sánchez",)), "21:30")

    async def again(app: App) -> None:
        assert coming(app) is not None
        assert (await app.ask("abandon", expect_seq=2)).error is None
        assert coming(app) is not None
        assert (await app.ask("enter", act="+1", expect_seq=0)).error is None
        assert coming(app) is None
        assert (await app.ask("next", **NEXT)).error is None
        assert (await app.ask("next")).error is None
        assert coming(app) is None

    on_app(first, tmp_path)
    on_app(again, tmp_path)


def test_what_cannot_be_read_of_the_board_is_as_if_it_had_not_been(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    write_board(file, BoardState(brightness=3))
    assert read_board(file) == BoardState(brightness=3)
    file.write_bytes(b'{"brightness": "x')
    assert read_board(file) == BoardState()
    assert read_board(tmp_path / "none" / "board.json") == BoardState()
    write_board(tmp_path / "none" / "board.json", BoardState())  # logged, no more


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("message", {"text": ""}),
        ("message", {"text": "x" * 101}),
        ("brightness", {"level": 16}),
        ("view", {"view": "off"}),
        ("next", {"a": ["Ana"]}),
        ("next", {"at": "21:30"}),
        ("next", NEXT | {"at": "24:00"}),
        ("press", {"token": "", "number": 0, "key": "plus1"}),
        ("press", {"token": "", "number": 1, "key": "../x"}),
        ("pair", {"code": "123456789"}),
        ("message", {"text": "x", "expect_seq": 3}),
    ],
)
def test_what_is_no_command_is_answered_so(
    tmp_path: Path, name: str, fields: dict[str, Any]
) -> None:
    async def test(app: App) -> None:
        assert (await app.ask(name, **fields)).error == "malformed"

    on_app(test, tmp_path)


def test_a_match_is_put_away_and_the_next_one_is_there() -> None:
    async def test(rig: Rig) -> None:
        await ask(rig, "enter", id="c1", act="+2")
        before = rig.table.play
        stale = await ask(rig, "abandon", id="c2", expect_seq=0)
        assert stale.error == "stale"
        reply = await ask(rig, "abandon", id="c3")
        assert (reply.error, reply.seq, reply.score) == (None, 0, (0, 0))
        assert rig.table.play is not before
        await ask(rig, "enter", id="c4", act="+1")
        again = await ask(rig, "abandon", id="c3", expect_seq=1)
        assert again == reply, "sent again it acts once"
        assert rig.score() == "1-0 in 0/0 playing"

    on_table(test)


def running(rig: Rig) -> bool:
    return rig.table.play.ledger.clock.running


def test_a_clock_is_stopped_and_goes_on_from_outside() -> None:
    """Ask 7: clock control from outside; it is answered as on a panel."""

    async def test(rig: Rig) -> None:
        assert (await ask(rig, "pause")).error == "not_here", "it stands already"
        await ask(rig, "enter", id="c3", act="START")
        assert running(rig)
        await ask(rig, "pause", id="c4")
        assert not running(rig)
        await ask(rig, "resume", id="c5")
        assert running(rig)
        await ask(rig, "pause", id="c6", which="shot")
        assert not running(rig)

    on_table(test)


def test_a_phone_is_a_pad_behind_a_code_that_the_board_shows(tmp_path: Path) -> None:
    """Ask 17: every press is answered with the score that it made, once that is on disk."""

    async def test(app: App) -> None:
        reply = await app.let_in()
        assert reply.error is None
        assert [key.label for key in reply.keys][:2] == ["+1", "+5"] or reply.keys
        assert app.code() is None, "the code is off the board"

        async def press(number: int, key: str, held: bool = False) -> PadReply:
            got = await app.ask("press", token=reply.token, number=number, key=key, held=held)
            assert isinstance(got, PadReply)
            return got

        one = await press(1, "plus1")
        assert (one.answer, one.text) == ("A", "1-0 A +1")
        again = await press(1, "plus1")
        assert (again.answer, again.text) == ("A", "1-0 A +1"), "sent again it acts once"
        assert app.app.table is not None
        assert app.app.table.play.ledger.seq == 1
        refused = await press(2, "ok")
        assert (refused.answer, "confirm" in refused.text) == ("R", True)
        assert (await press(3, "undo")).text == "0-0 A undone +1"
        late = await app.ask("press", token=reply.token, number=4, key="plus1", age_ms=1600)
        assert late.answer == "R"

    on_app(test, tmp_path)


def test_a_wrong_code_lets_nobody_in_and_three_are_too_many(tmp_path: Path) -> None:
    async def test(app: App) -> None:
        await app.ask("pair")
        code = app.code()
        wrong = "0000" if code != "0000" else "0001"
        errors = [(await app.ask("pair", code=wrong)).error for _ in range(TRIES)]
        assert errors == ["wrong"] * TRIES
        assert (await app.ask("pair", code=code)).error == "void"
        assert (await app.ask("pair")).error == "slow", "the board is not flooded with codes"

    on_app(test, tmp_path)


def test_a_code_runs_out(tmp_path: Path) -> None:
    async def test(app: App) -> None:
        await app.ask("pair")
        code = app.code()
        phones = app.app._devices.phones
        assert phones is not None
        assert phones._code is not None
        phones._code.until_ns -= CODE_S * 1_000_000_000
        assert (await app.ask("pair", code=code)).error == "void"

    on_app(test, tmp_path)


def test_the_next_phone_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    async def test(app: App) -> None:
        first = await app.let_in()
        phones = app.app._devices.phones
        assert phones is not None
        phones._shown_ns = None
        second = await app.let_in()
        assert first.token != second.token
        old = await app.ask("press", token=first.token, number=1, key="plus1")
        assert old.error == "full"
        new = await app.ask("press", token=second.token, number=1, key="plus1")
        assert new.answer == "A"
        assert (await app.ask("press", token="x", number=1, key="plus1")).error == "void"

    on_app(test, tmp_path)


def test_a_table_that_wants_no_phones_lets_none_in(tmp_path: Path) -> None:
    async def test(app: App) -> None:
        assert (await app.ask("pair")).error == "no_phones"
        assert (await app.ask("press", token="", number=1, key="plus1")).error == "no_phones"

    on_app(test, tmp_path, phone=False)


def test_to_look_at_a_match_writes_nobody_into_the_club_list(tmp_path: Path) -> None:
    start = {"rulebook": "ug", "a": ["Zoe"], "b": ["Yan"], "first": "B", "expect_seq": 0}

    async def test(app: App) -> None:
        seen = await app.ask("start", **start, preview=True)
        assert (seen.error, seen.preview, seen.turn) == (None, True, "B")
        assert players() == {"Ana", "Bia"}
        assert (await app.ask("start", **start)).error is None
        assert players() == {"Ana", "Bia", "Zoe", "Yan"}

    def players() -> set[str]:
        with contextlib.closing(Journal.read(tmp_path / "journal.db")) as journal:
            return set(journal.players().values())

    on_app(test, tmp_path)
