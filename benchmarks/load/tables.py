"""Tables in a process of their own: `… PORT FIRST COUNT SECONDS SPEED OUT`.

Each has its own connection, rules and publisher, and plays sheets of real matches one after the
other; its journal is in memory, since one machine's disk is not that of two hundred. Writes what
was entered and when, and how late this process itself was.
"""

import asyncio
import itertools
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from drivers.broker import BrokerConfig, MqttBroker
from firmware.clock import SystemClock
from firmware.commands import Reply
from firmware.hardware import RETURN
from firmware.mqtt.messages import Topics
from firmware.mqtt.publisher import Publisher
from firmware.snapshot import Committed
from rules.errors import NotAllowed
from rules.notices import notices
from rules.record import Record, record_text
from rules.replay import opened
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.scoreline import scoreline
from rules.sheet import Expect, Sheet, read_sheets

HALL = "load"

ENTRY_S = 20.0
"""Between two entries of a match at its real speed, in the mean: a stroke, a visit."""

CONNECT_S = 120.0
"""How long all tables may take to be connected, before anybody plays."""

SHEETS = Path(__file__).parents[2] / "tests" / "sheets"

_MS = 1_000_000


def sheets() -> list[Sheet]:
    """Real matches of every game."""
    found = []
    for name in ("matches", "snooker-matches", "pool-matches"):
        text = (SHEETS / f"{name}.sheet").read_text("utf-8")
        found += [s for s in read_sheets(text, notation_of) if s.setup.rulebook in RULEBOOKS]
    return found


class LoadTable:
    """One table, which goes on for ever."""

    def __init__(self, port: int, name: str, matches: Sequence[Sheet], speed: float) -> None:
        self.name, self._matches, self._speed = name, matches, speed
        self._chance = random.Random(name)
        self.entered: list[tuple[str, int, int]] = []
        """Match, record and the moment at which it was made, in nanoseconds."""
        self.late_ms: list[float] = []
        self._records: dict[str, list[Record]] = {}
        topics = Topics(HALL, name)
        config = BrokerConfig("127.0.0.1", f"load-{name}", port=port, timeout_s=30)
        self.broker = MqttBroker(
            config, will=topics.will(), subscriptions=[topics.commands], backoff=RETURN
        )
        self.publisher = Publisher(
            self.broker,
            topics,
            clock=SystemClock(),
            boot=1,
            ask=self._ask,
            older=self._older,
            advance=lambda *_: None,
        )

    async def play(self, until: float) -> None:
        """Play until a moment of the monotonic clock."""
        pause_s = ENTRY_S / self._speed
        due = time.monotonic() + self._chance.random() * pause_s
        for number in itertools.count():
            sheet = self._matches[self._chance.randrange(len(self._matches))]
            for _ in self._match(sheet, f"{self.name}-{number}"):
                due += self._chance.uniform(0.5, 1.5) * pause_s
                if due >= until:
                    return
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                self.late_ms.append(max(0.0, time.monotonic() - due) * 1000)

    def _match(self, sheet: Sheet, match_id: str) -> Iterator[None]:
        """A match, an entry at a time: due, then made."""
        ledger = opened(sheet, rulebook_of)
        names = ((f"{self.name} A",), (f"{self.name} B",))
        notation = ledger.match.game.notation
        zero_ns = time.monotonic_ns()
        setup = ledger.line()[0].record
        self._records = {match_id: [setup]}
        self.publisher.opened(match_id, notation, zero_ns)
        line = scoreline(ledger, names, match_id)
        self._made(match_id, Committed(line, setup, record_text(setup, notation)))
        for step in sheet.steps():
            if isinstance(step, Expect):
                continue
            yield
            before = ledger.match
            t_ms = (time.monotonic_ns() - zero_ns) // _MS
            record = Record(ledger.seq + 1, step.act, t_ms=t_ms)
            try:
                ledger.append(record)
            except NotAllowed:
                continue  # a sheet may hold what is to be refused
            said = notices(before, step.act, ledger.match) if isinstance(step.act, tuple) else ()
            line = scoreline(ledger, names, match_id)
            text = record_text(record, notation)
            self._made(match_id, Committed(line, record, text, said))

    def _made(self, match_id: str, committed: Committed) -> None:
        record = committed.record
        if record.seq:
            self._records[match_id].append(record)
        self.entered.append((match_id, record.seq, time.monotonic_ns()))
        self.publisher.committed(committed)

    async def _ask(self, name: str, payload: bytes) -> Reply:
        del name, payload
        return Reply("", 0, error="load")

    async def _older(self, match: str, after: int) -> Sequence[Record]:
        return [record for record in self._records.get(match, ()) if record.seq > after]


async def main(port: int, first: int, count: int, seconds: float, speed: float) -> dict[str, Any]:
    matches = sheets()
    tables = [LoadTable(port, str(first + n), matches, speed) for n in range(count)]
    publishing = [asyncio.create_task(table.publisher.run()) for table in tables]
    async with asyncio.timeout(CONNECT_S):
        for table in tables:
            while not table.broker.connected:  # noqa: ASYNC110 # there is nothing to be woken by
                await asyncio.sleep(0.05)
    cpu_s, began = time.process_time(), time.monotonic()
    await asyncio.gather(*(table.play(began + seconds) for table in tables))
    took_s = time.monotonic() - began
    cpu = (time.process_time() - cpu_s) / took_s
    await asyncio.sleep(3)  # what is on its way arrives
    for table in tables:
        table.publisher.stop()
    await asyncio.wait(publishing, timeout=10)
    return {
        "entered": {table.name: table.entered for table in tables},
        "late_ms": [late for table in tables for late in table.late_ms],
        "cpu": cpu,
    }


if __name__ == "__main__":
    numbers = [float(word) for word in sys.argv[1:6]]
    found = asyncio.run(main(int(numbers[0]), int(numbers[1]), int(numbers[2]), *numbers[3:]))
    Path(sys.argv[6]).write_text(json.dumps(found))
