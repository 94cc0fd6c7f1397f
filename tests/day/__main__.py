"""A match day of a whole table in a few minutes: python -m tests.day [--hours 24] [--seed 1].

Every game is played, and then once more, by pressing keys at random, undo among them, while
something fails every few minutes: board, panel, disk, broker, stick, or the whole table. Each half
hour, and at the end, what is on the board, on MQTT and in the journal must be what a plain replay
of the records makes; nothing may grow once each game was played.
"""

import argparse
import asyncio
import contextlib
import gc
import logging
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from drivers.fakes import Finger
from firmware.app import TableApp
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.config.config import BackupConfig, BrokerSettings, Config, MatchConfig
from firmware.journal.journal import Journal
from firmware.keys.keybook import KeyBook, shipped_or_own
from firmware.parts import Parts
from firmware.records.kept import all_kept
from firmware.records.sheets import sheet_of
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sheet import print_sheets, read_sheets
from tests.day.devices import Devices
from tests.day.hours import Hours, skipped

FAULT_EVERY_S = 240.0
ROUND_S = 1800.0
TIMES = 2
"""So often each game is played: what it needs at all is in memory after the first time."""

PARTS = ("board", "panel", "disk", "broker", "stick", "table")
PANEL = "carom-6"
TOPIC = "tacada/day/1/command"


_TOLD = {"target": "60/60", "foul_pts": "2", "ball_own": "6", "ball_other": "2"}
"""What an event must say of a game where no text does."""


def _unverified(rulebook: str) -> Collection[str]:
    return RULEBOOKS[rulebook].unverified


class Day:
    """A table, whoever plays at it, and what goes wrong."""

    def __init__(self, folder: Path, hours: Hours, chance: random.Random) -> None:
        self.folder, self.hours, self.chance = folder, hours, chance
        stick = Path(tempfile.mkdtemp(prefix="tacada-day-", dir="/dev/shm")) / "stick"
        stick.mkdir()
        self.devices = Devices(stick)
        self.journal = folder / "journal.db"
        self.config = Config(
            schema=1,
            hall="day",
            table="1",
            journal=str(self.journal),
            match=MatchConfig(a=("Ana",), b=("Bia",), first="A"),
            broker=BrokerSettings(host="day"),
            backup=BackupConfig(folder=str(stick), keep=3),
        )
        self._keys = KeyBook(shipped_or_own(PANEL), PANEL, "ug", {})
        self.app: TableApp | None = None
        self.running: asyncio.Task[None] | None = None
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.saved: dict[str, int] = {}
        """By match, the last record that the board showed as saved."""
        self.wrong: list[str] = []
        self.memory: list[int] = []
        self.blocks: list[int] = []
        """What Python has allocated: it grows with whatever is kept and not needed."""
        self.tasks: list[int] = []
        self.calm = False

    async def run(self, hours: float) -> None:
        table = asyncio.create_task(self._supervised())
        await asyncio.sleep(2)
        games = list(RULEBOOKS) * TIMES
        others = [asyncio.create_task(self._plays()), asyncio.create_task(self._fails())]
        each_s = hours * 3600 / len(games)
        began_s = self.hours.s
        rounds = round(hours * 3600 / ROUND_S)
        game = 0
        for number in range(1, rounds + 1):
            while self.hours.s < began_s + number * ROUND_S:
                if self.hours.s >= began_s + game * each_s and game < len(games):
                    game += await self._begin(games[game])
                await asyncio.sleep(20)
            await self._looked_at()
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self.app_now().stop()
        self.ending = True
        await table

    ending = False

    def app_now(self) -> TableApp:
        assert self.app is not None
        return self.app

    async def _supervised(self) -> None:
        """As systemd does: a table that ends is started again."""
        while not self.ending:
            self.app = TableApp(
                self.config,
                Parts(
                    clock=self.hours,
                    display=self.devices.display,
                    pins=self.devices.factory,
                    broker=self.devices.broker,
                ),
            )
            self.app.watch(self._viewed)
            self.counts["starts"] += 1
            self.running = asyncio.create_task(self.app.run())
            done = await asyncio.gather(self.running, return_exceptions=True)
            self.devices.forget()
            for error in done:
                if isinstance(error, BaseException):
                    self.counts[f"ended by {type(error).__name__}"] += 1
            await asyncio.sleep(0.5)

    def _viewed(self, view: Any) -> None:
        line = view.line
        if line is not None and line.saved:
            self.saved[line.match] = max(line.seq, self.saved.get(line.match, 0))

    async def _plays(self) -> None:
        """Presses by chance, at the pace of people."""
        while True:
            await asyncio.sleep(self.chance.choice((0.3, 0.8, 1.5, 3, 5, 9)))
            table = self.app_now().table
            if self.calm or table is None:
                continue
            book = table.play.ledger.match.setup.rulebook
            keymap = self._keys.keymap(book)
            keys = list(keymap.layout.keys)
            if self.chance.random() < 0.06:
                self._ask("enter", act="UNDO")
                self.counts["undo by command"] += 1
                continue
            key = "undo" if self.chance.random() < 0.05 else self.chance.choice(keys)
            finger = Finger(self.devices.pins, keymap.wiring())
            await finger.press(key, 700 if self.chance.random() < 0.15 else 60)
            self.devices.forget_presses()
            self.counts["presses"] += 1

    def _ask(self, name: str, **fields: Any) -> bool:
        session, table = self.devices.session, self.app_now().table
        if session is None or table is None:
            return False
        self.counts["commands"] += 1
        seq = table.play.ledger.seq
        session.ask(f"{TOPIC}/{name}", id=f"d{self.counts['commands']}", expect_seq=seq, **fields)
        return True

    async def _begin(self, rulebook: str) -> bool:
        """Have a match of this game begin; whether one is played now."""
        table = self.app_now().table
        told = {name: value for name, value in _TOLD.items() if name in _unverified(rulebook)}
        format_ = " ".join(f"{name}={value}" for name, value in told.items())
        if table is None or not self._ask(
            "start", rulebook=rulebook, a=["Ana"], b=["Bia"], format=format_
        ):
            return False
        await asyncio.sleep(5)
        now = self.app_now().table
        began = now is not None and now.play.ledger.match.setup.rulebook == rulebook
        self.counts["games begun"] += began
        return began

    async def _fails(self) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / FAULT_EVERY_S))
            what = self.chance.choice(PARTS)
            if self.calm or what in self.devices.down:
                continue
            self.faults[what] += 1
            if what == "table":
                assert self.running is not None
                self.running.cancel()
                continue
            self.devices.take(what)
            await asyncio.sleep(self.chance.uniform(0.2, 90))
            self.devices.give_back(what)

    async def _looked_at(self) -> None:
        """Nobody touches it for a moment, and all is compared."""
        self.calm = True
        await asyncio.sleep(130)
        self.calm = False
        table = self.app_now().table
        assert table is not None
        view, ledger = table.view, table.play.ledger
        line = view.line
        if line is None or not line.saved:
            self.wrong.append(f"{self.hours.s:.0f} s: at rest, and not saved")
            return
        state = msgspec.json.decode(self.devices.retained["state"])
        if (state["match"], state["seq"], state.get("score")) != (
            line.match,
            line.seq,
            list(line.score) if line.score is not None else None,
        ):
            self.wrong.append(f"{self.hours.s:.0f} s: MQTT says {state}, the board {line}")
        now_ms = self.hours.now_ns() // 1_000_000
        layout = load_layout(self.config.board.layout)
        language = self.app_now()._boards.language
        pages = {render(view, layout, language, now_ms + ms) for ms in range(-2000, 30_000, 50)}
        if self.devices.board.picture not in pages:
            self.wrong.append(f"{self.hours.s:.0f} s: a wrong picture")
        with contextlib.closing(Journal.read(self.journal)) as journal:
            records = journal.records(line.match)
        if len(records) - 1 != ledger.seq:
            self.wrong.append(f"{line.match}: {len(records) - 1} on disk, {ledger.seq} played")
        gc.collect()
        self.memory.append(_resident_kb())
        self.blocks.append(sys.getallocatedblocks())
        self.tasks.append(len(asyncio.all_tasks()))
        self.counts["looked at"] += 1
        print(
            f"{self.hours.s / 3600:5.1f} h: {line.match} at {line.seq}, {self.counts['presses']} "
            f"presses, {self.faults.total()} faults, {self.memory[-1] / 1000:.1f} MB, "
            f"{self.blocks[-1]} blocks, {self.tasks[-1]} tasks, {threading.active_count()} threads",
            flush=True,
        )


def _resident_kb() -> int:
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * 4


def _replayed(day: Day) -> tuple[int, int]:
    """Every match, played again from its sheet as text; matches and records."""
    matches = entries = 0
    with contextlib.closing(Journal.open(day.journal, thorough=True)[0]) as journal:
        assert not journal.damages(), journal.damages()
        for kept in all_kept(journal):
            text = print_sheets([sheet_of(kept)], notation_of)
            (sheet,) = read_sheets(text, notation_of)
            again = replay(sheet, rulebook_of)
            matches, entries = matches + 1, entries + len(kept.records)
            if again.notes:
                day.wrong.append(f"{kept.row.id}: {again.notes[0]}")
            if again.ledger.digest() != kept.ledger.digest():
                day.wrong.append(f"{kept.row.id}: a plain replay ends otherwise")
            if len(kept.records) - 1 < day.saved.get(kept.row.id, 0):
                day.wrong.append(f"{kept.row.id}: shown as saved, and lost")
    return matches, entries


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.day", description=__doc__)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tacada-day-") as name, skipped() as (hours, runner):
        day = Day(Path(name), hours, random.Random(args.seed))
        hours.disk = day.devices.writing
        try:
            with day.devices.failing_disk():
                runner.run(day.run(args.hours))
        finally:
            shutil.rmtree(day.devices.stick.parent)
        matches, entries = _replayed(day)
    early, late = day.memory[len(day.memory) // TIMES], day.memory[-1]
    if late > early * 1.1 + 4000:
        day.wrong.append(f"memory: {early} kB when each game was played, {late} kB at the end")
    kept, keeps = day.blocks[len(day.blocks) // TIMES], day.blocks[-1]
    if keeps > kept * 1.05:
        day.wrong.append(f"blocks: {kept} when each game was played, {keeps} at the end")
    if day.counts["games begun"] < len(RULEBOOKS) * TIMES:
        day.wrong.append(f"{day.counts['games begun']} games begun, of {len(RULEBOOKS) * TIMES}")
    if max(day.tasks) - min(day.tasks) > 3:
        day.wrong.append(f"tasks: from {min(day.tasks)} to {max(day.tasks)}")
    took_s = time.monotonic() - began
    print(f"{args.hours:.0f} h in {took_s:.0f} s; {matches} matches, {entries} records")
    print(
        f"faults: {dict(day.faults)}; {dict(day.counts)}; published: {dict(day.devices.published)}"
    )
    print(
        f"memory: {early / 1000:.1f} MB when each game was played, {late / 1000:.1f} MB at the end"
    )
    print(f"wrong: {len(day.wrong)}" + "".join(f"\n  {one}" for one in day.wrong))
    return 1 if day.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
