"""The devices of a day, each of which can be taken away: board, panel, disk, broker, stick."""

import asyncio
import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.errors import BrokerLost, DeviceLost, DeviceMissing
from drivers.ports import Message, Picture, Session
from firmware.journal.journal import Journal
from firmware.journal.schema import Row
from firmware.journal.worker import JournalWorker


class Devices:
    """What is there now; `down` names what is not."""

    def __init__(self, stick: Path) -> None:
        self.down: set[str] = set()
        self.pins = MockFactory()
        self.board = Board(self)
        self.retained: dict[str, bytes] = {}
        self.replies: asyncio.Queue[Any] = asyncio.Queue()
        self.session: _Session | None = None
        self.published: Counter[str] = Counter()
        self.stick = stick
        self._on_their_way: set[asyncio.Future[Any]] = set()

    def display(self) -> "Board":
        if "board" in self.down:
            raise DeviceMissing("/dev/spidev0.0: there is none")
        return self.board

    def factory(self) -> MockFactory:
        if "panel" in self.down:
            raise DeviceMissing("/dev/gpiochip0: there is none")
        return self.pins

    def forget_presses(self) -> None:
        """A mock pin remembers every change of its state for ever."""
        for pin in self.pins.pins.values():
            pin.clear_states()

    def take(self, what: str) -> None:
        """Take something away."""
        self.down.add(what)
        if what == "broker" and self.session is not None:
            self.session.cut()
        if what == "stick":
            self.stick.rename(self.stick.with_name("pulled"))

    def give_back(self, what: str) -> None:
        self.down.discard(what)
        if what == "stick":
            self.stick.with_name("pulled").rename(self.stick)

    def broker(self, will: Message, topics: Sequence[str]) -> "_Broker":
        del topics
        return _Broker(self, will)

    @contextlib.contextmanager
    def failing_disk(self) -> Iterator[None]:
        """The journal's disk refuses while it is taken away."""
        append, call, commit = Journal._append, JournalWorker.call, JournalWorker.commit

        def refused(journal: Journal, row: Row) -> int:
            if "disk" in self.down:
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR
                raise error
            return append(journal, row)

        def counted(way: Callable[..., "asyncio.Future[Any]"]) -> Callable[..., Any]:
            def asked(*args: Any, **more: Any) -> "asyncio.Future[Any]":
                future = way(*args, **more)
                self._on_their_way.add(future)
                future.add_done_callback(self._on_their_way.discard)
                return future

            return asked

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Journal, "_append", refused)
            patch.setattr(JournalWorker, "call", counted(call))
            patch.setattr(JournalWorker, "commit", counted(commit))
            yield

    def writing(self) -> bool:
        """Whether a disk that works has something to do."""
        return bool(self._on_their_way) and "disk" not in self.down

    def forget(self) -> None:
        """A table has ended: nobody waits for its disk any more."""
        self._on_their_way.clear()


class Board:
    """A display that keeps its last picture."""

    width, height = 64, 16

    def __init__(self, devices: Devices) -> None:
        self._devices = devices
        self.picture = Picture.blank(self.width, self.height)
        self.shown = 0

    def _there(self) -> None:
        if "board" in self._devices.down:
            raise DeviceLost("/dev/spidev0.0: is gone")

    async def show(self, picture: Picture) -> None:
        self._there()
        self.picture = picture
        self.shown += 1

    async def refresh(self) -> None:
        self._there()

    async def dim(self, contrast: int) -> None:
        del contrast

    async def close(self, *, blank: bool) -> None:
        del blank


class _Session:
    """A connection to a broker that keeps what is retained, and hears replies."""

    def __init__(self, devices: Devices) -> None:
        self._devices = devices
        self._arriving: asyncio.Queue[Message | None] = asyncio.Queue()
        self._broken = False

    def cut(self) -> None:
        self._broken = True
        self._arriving.put_nowait(None)

    def ask(self, topic: str, **fields: Any) -> None:
        self._arriving.put_nowait(Message(topic, json.dumps(fields).encode(), qos=1))

    async def publish(self, message: Message) -> None:
        if self._broken:
            raise BrokerLost("the connection is gone")
        name = message.topic.rpartition("/")[2]
        self._devices.published[name] += 1
        if message.retained:
            self._devices.retained[name] = message.payload

    async def messages(self) -> AsyncIterator[Message]:
        while (message := await self._arriving.get()) is not None:
            yield message
        raise BrokerLost("the connection is gone")


class _Broker:
    def __init__(self, devices: Devices, will: Message) -> None:
        self._devices, self._will = devices, will

    async def serve(self, use: Callable[[Session], Awaitable[None]]) -> None:
        while True:
            if "broker" in self._devices.down:
                await asyncio.sleep(1)
                continue
            session = self._devices.session = _Session(self._devices)
            good = False
            try:
                await use(session)
                good = True
            except* BrokerLost:
                self._devices.retained["availability"] = self._will.payload
            finally:
                self._devices.session = None
            if good:
                return
