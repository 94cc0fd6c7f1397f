"""Whole tables and displays in a room, each with a connection of its own to a real broker."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import msgspec

from drivers.broker import HALL_QUEUE_LENGTH, BrokerConfig, MqttBroker
from drivers.fakes import KeptDisplay
from drivers.ports import Message, Picture
from firmware.app import TableApp
from firmware.board.config import BoardConfig
from firmware.board.layout import load_layout
from firmware.board.render import Drawn
from firmware.clock import SystemClock
from firmware.commands import Reply
from firmware.config.config import (
    BrokerSettings,
    Config,
    MatchConfig,
    PanelConfig,
    PhoneConfig,
)
from firmware.hall.board import HallBoard
from firmware.hall.follow import Follow, farewell, topics_of
from firmware.hall.follower import Room, TableNow
from firmware.hardware import RETURN, mqtt_broker
from firmware.i18n import load_language
from firmware.mqtt.messages import Presence, Topics
from firmware.parts import Parts
from firmware.snapshot import View
from rules.scoreline import Scoreline
from tests.hall.contract import check
from tests.started import started


class WholeTable:
    """A table with its journal and no hands: it is played by what is asked of it."""

    def __init__(
        self, folder: Path, broker: BrokerSettings, name: str = "1", hall: str = "clube"
    ) -> None:
        self.config = Config(
            schema=1,
            hall=hall,
            table=name,
            language="en",
            journal=str(folder / f"{hall}-{name}.db"),
            match=MatchConfig(
                "ug", format="target=999/999", a=(f"{hall}{name}A",), b=(f"{name}B",), first="A"
            ),
            board=BoardConfig(enabled=False),
            panel=PanelConfig(enabled=False),
            broker=broker,
            phone=PhoneConfig(enabled=True),
        )
        self.board = KeptDisplay(64, 16)
        self.app = TableApp(
            self.config,
            Parts(SystemClock(), display=lambda: self.board, broker=mqtt_broker(self.config)),
        )
        self.truth: list[tuple[float, int]] = []
        """When each record was on disk, and its number."""
        self._asked = 0

    @property
    def seq(self) -> int:
        """The last record that is on disk."""
        return self.truth[-1][1] if self.truth else -1

    async def enter(self, act: str) -> Reply:
        assert self.app.table is not None
        self._asked += 1
        ask = {"id": f"t{self._asked}", "expect_seq": self.app.table.play.ledger.seq, "act": act}
        reply = await self.app.table.ask("enter", msgspec.json.encode(ask))
        assert reply.error is None, reply
        self.truth.append((time.monotonic(), reply.seq))
        return reply

    async def play(self, *, every_s: float) -> None:
        """Go on for ever: a point, a point, the other side."""
        while True:
            for act in ("+1", "+1", "/"):
                await self.enter(act)
                await asyncio.sleep(every_s)


@contextlib.asynccontextmanager
async def table(
    folder: Path, broker: int | BrokerSettings, name: str = "1", hall: str = "clube"
) -> AsyncIterator[WholeTable]:
    """A table for as long as the context lasts; it says goodbye where the network lets it."""
    if isinstance(broker, int):
        broker = BrokerSettings(host="127.0.0.1", port=broker)
    whole = WholeTable(folder, broker, name, hall)
    running = await started(whole.app)
    whole.truth.append((time.monotonic(), 0))
    try:
        yield whole
    finally:
        whole.app.stop()
        await running


def true(whole: WholeTable, at: float, line: Scoreline, *, grace_s: float = 9.5) -> None:
    """What was shown as live at a moment was true, or had been less than nine seconds before."""
    assert line.names[0] == whole.config.match.a, "another table's score"
    known = [seq for when, seq in whole.truth if when <= at + 0.5]
    ended = [when for when, seq in whole.truth if seq == line.seq + 1]
    assert line.seq <= known[-1] + 1, "a score that was not there yet"
    assert not ended or at - ended[0] < grace_s, "a score that is long gone, shown as live"


class Wall(HallBoard):
    """A hall's LED board that writes down every picture, with what it was drawn from."""

    def __init__(self, port: int, name: str, hall: str = "clube", only: Sequence[str] = ()) -> None:
        self.showed: list[tuple[float, View, Picture]] = []
        self.display = KeptDisplay(64, 16)

        def broker(will: Message, topics: Sequence[str]) -> MqttBroker:
            where = BrokerConfig("127.0.0.1", name, port=port, queue_length=HALL_QUEUE_LENGTH)
            return MqttBroker(where, will=will, subscriptions=topics, backoff=RETURN)

        super().__init__(
            broker,
            halls=(hall,),
            name=name,
            only=only,
            layout=load_layout("64x16"),
            language=load_language("en"),
            clock=SystemClock(),
        )

    def _drawn(self, view: View, now_ms: int) -> Drawn:
        drawn = super()._drawn(view, now_ms)
        self.showed.append((time.monotonic(), view, drawn.picture))
        return drawn

    async def until(self, met: Callable[[View], bool], within_s: float = 8) -> float:
        """Wait until the picture on the board is of such a view; in how many seconds."""
        began = time.monotonic()
        async with asyncio.timeout(within_s):
            while True:
                pictures = self.display.pictures
                _, view, picture = self.showed[-1] if self.showed else (0, View(), None)
                if pictures and picture is not None and pictures[-1] == picture and met(view):
                    return time.monotonic() - began
                await asyncio.sleep(0.02)

    async def right(self, whole: WholeTable, within_s: float = 8) -> float:
        """Wait until the board shows a table as it is, and as live."""
        return await self.until(lambda view: live_at(view, whole.seq), within_s)

    def states(self, since: int) -> set[int]:
        """The records that were shown after so many pictures."""
        return {view.line.seq for _, view, _ in self.showed[since:] if view.line is not None}

    def never_wrong(self, whole: WholeTable) -> None:
        """Whatever was shown as live was true, or had been less than nine seconds before."""
        for at, view, _ in self.showed:
            if view.line is not None and view.stale_since_ms is None:
                true(whole, at, view.line)


def live_at(view: View, seq: int) -> bool:
    """Whether a board shows this record, and as live."""
    return view.line is not None and view.line.seq == seq and view.stale_since_ms is None


@contextlib.asynccontextmanager
async def wall(
    port: int, name: str = "wall", hall: str = "clube", only: Sequence[str] = ()
) -> AsyncIterator[Wall]:
    """A hall's LED board for as long as the context lasts."""
    board = Wall(port, name, hall, only)
    running = asyncio.create_task(board.run(board.display))
    try:
        yield board
    finally:
        board.stop()
        await asyncio.wait([running], timeout=2)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


class Heard(Room):
    """A room that keeps what is said to it, each message once, to hold it against the contract."""

    def __init__(self) -> None:
        super().__init__()
        self.said: set[tuple[str, bytes]] = set()

    def heard(self, topic: str, payload: bytes, now_ms: int) -> tuple[str, str] | None:
        key = super().heard(topic, payload, now_ms)
        if key is not None:
            self.said.add((topic, payload))
        return key


class Display:
    """A display that writes down everything it ever showed of a table, and when."""

    def __init__(self, port: int, name: str, halls: tuple[str, ...] = ("clube",)) -> None:
        self.room = Heard()
        self._clock = SystemClock()
        self.showed: list[tuple[float, tuple[str, str], TableNow]] = []
        self.entries: list[tuple[str, str, int]] = []
        self._news = asyncio.Event()
        topics, here = Topics("displays", name), Presence("board", "0", connected=True)
        self._follow = Follow(
            MqttBroker(
                BrokerConfig(
                    "127.0.0.1", f"display-{name}", port=port, queue_length=HALL_QUEUE_LENGTH
                ),
                will=farewell(topics, here),
                subscriptions=topics_of(halls),
                backoff=RETURN,
            ),
            self.room,
            self._clock,
            topics=topics,
            presence=here,
            on_news=self._heard,
        )

    def now(self, table: str, hall: str = "clube") -> TableNow | None:
        return self.room.table((hall, table), self._clock.now_ns() // 1_000_000)

    def _heard(self, key: tuple[str, str] | None) -> None:
        for one in (key,) if key is not None else self.room.known:
            shown = self.now(one[1], one[0])
            if shown is not None:
                self.showed.append((time.monotonic(), one, shown))
        self._news.set()

    async def until(self, met: Callable[[], bool], within_s: float = 8) -> float:
        """Wait until what is shown meets a condition; gives how long that took, in seconds."""
        began = time.monotonic()
        async with asyncio.timeout(within_s):
            while not met():
                self._news.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await self._news.wait()
        return time.monotonic() - began

    async def right(self, whole: WholeTable, within_s: float = 8) -> float:
        """Wait until a table is shown as it is, and as live."""

        def met() -> bool:
            shown = self.now(whole.config.table, whole.config.hall)
            return (
                shown is not None
                and shown.live
                and shown.line is not None
                and shown.line.seq == whole.seq
            )

        return await self.until(met, within_s)

    def never_wrong(self, whole: WholeTable) -> None:
        """Whatever was shown as live was true, or had been less than nine seconds before."""
        of_table = (whole.config.hall, whole.config.table)
        for at, key, shown in self.showed:
            if key == of_table and shown.live and shown.line is not None:
                true(whole, at, shown.line)


@contextlib.asynccontextmanager
async def display(
    port: int, name: str = "tv", halls: tuple[str, ...] = ("clube",)
) -> AsyncIterator[Display]:
    """A display for as long as the context lasts; all that it heard must keep to the contract."""
    shown = Display(port, name, halls)
    following = asyncio.create_task(shown._follow.run())
    try:
        yield shown
    finally:
        shown._follow.stop()
        await asyncio.wait([following], timeout=1)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    for topic, payload in shown.room.said:
        check(topic, payload)
