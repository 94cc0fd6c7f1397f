"""A table in a room, with mock pins and a display that keeps its pictures."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from drivers.errors import DeviceMissing
from drivers.fakes import Finger, KeptDisplay
from drivers.gestures import Timing
from drivers.ports import Display
from firmware.app import TableApp
from firmware.clock import SystemClock
from firmware.config.config import Config, MatchConfig, PanelConfig, panel_of
from firmware.hardware import mqtt_broker
from firmware.journal.journal import Journal
from firmware.keys.keymap import Keymap
from firmware.parts import Parts
from firmware.snapshot import View
from firmware.systemd import Systemd
from rules.carom.words import NOTATION
from rules.record import record_text


class Room:
    """A table in a room: its devices, and what its board was told."""

    def __init__(
        self,
        folder: Path,
        panel: PanelConfig = PanelConfig(),  # noqa: B008 # never changes
        timing: Timing | None = None,
        more: dict[str, Any] | None = None,
        second: Callable[[], Display] | None = None,
        **missing: int,
    ) -> None:
        self.config = Config(
            schema=1,
            journal=str(folder / "journal.db"),
            panel=panel,
            **{
                "match": MatchConfig(rulebook="ug", format="target=3/3", first="A"),
                **(more or {}),
            },
        )
        self.display, self.pins = KeptDisplay(64, 16), MockFactory()
        self._missing = missing
        self.app = TableApp(
            self.config,
            Parts(
                clock=SystemClock(),
                display=lambda: self._opened("display", self.display),
                pins=lambda: self._opened("pins", self.pins),
                timing=timing,
                systemd=Systemd({"RUNTIME_DIRECTORY": str(folder)}),
                more=() if second is None else (second,),
                broker=mqtt_broker(self.config) if self.config.broker.host else None,
            ),
        )
        self.views: list[View] = []
        self._news = asyncio.Event()
        self.app.watch(self._viewed)
        self.finger = Finger(self.pins, Keymap(panel_of(self.config.panel), NOTATION).wiring())

    def _opened(self, what: str, device: Any) -> Any:
        if self._missing.get(what, 0):
            self._missing[what] -= 1
            raise DeviceMissing(f"no {what}")
        return device

    def _viewed(self, view: View) -> None:
        self.views.append(view)
        self._news.set()

    async def until(self, met: Callable[[View], bool]) -> View:
        """Wait for a view that meets a condition."""
        async with asyncio.timeout(10):
            while not (self.views and met(self.views[-1])):
                self._news.clear()
                await self._news.wait()
        return self.views[-1]


def in_room(
    room: Callable[[], Room], test: Callable[[Room, "asyncio.Task[None]"], Awaitable[None]]
) -> None:
    async def run() -> None:
        built = room()
        table = asyncio.create_task(built.app.run())
        try:
            await test(built, table)
        finally:
            built.app.stop()
            await asyncio.gather(table, return_exceptions=True)

    asyncio.run(run())


def score(view: View) -> tuple[int, int]:
    return (view.line.score or (0, 0)) if view.line is not None else (-1, -1)


def journal_words(folder: Path) -> dict[str, list[str]]:
    """What the journal holds: each match's acts."""
    journal, damage = Journal.open(folder / "journal.db")
    assert damage is None
    acts = {
        match.id: [record_text(record, NOTATION) for record in journal.records(match.id)[1:]]
        for match in journal.matches()
    }
    journal.close()
    return acts
