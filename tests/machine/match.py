"""The match that is played on the computer, followed from outside by way of its broker."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import aiomqtt

from rules.ledger import Ledger
from rules.record import Record, Setup
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline
from rules.sheet import read_act
from rules.sides import Side

BASE = "tacada/test/1"

wrong: list[str] = []
"""What was lost or shown wrong."""

ACTS = ("+1", "+1", "/", "+1", "/", "/", "+1", "+1", "+1", "UNDO", "/")


class Match:
    """What was entered, and what the table confirmed: shown in a state, or answered."""

    def __init__(self) -> None:
        setup = Setup("ug", first=Side.A, format=(("target", "999/999"),))
        self._ledger = Ledger(Record(0, setup), rulebook_of)
        self._expected: list[Any] = [self._score()]
        self.confirmed = self.seq = 0
        self.entered = self.cuts = self.boots = 0
        self._boot = 0

    async def plays(self, port: int, count: int) -> None:
        """Send entries one after the other, each once the one before is answered."""
        async with reached(port) as client:
            await client.subscribe(f"{BASE}/reply/enter", qos=1)
            await client.subscribe(f"{BASE}/state", qos=1)
            heard = client.messages
            for _ in range(count):
                seq = self.seq
                act = ACTS[seq % len(ACTS)]
                self._know(seq + 1, act)
                command = {"id": f"m{seq}", "expect_seq": seq, "act": act}
                await client.publish(f"{BASE}/command/enter", json.dumps(command), qos=1)
                self.entered += 1
                while self.seq == seq:
                    self._hear(await anext(heard), seq)

    def _hear(self, message: aiomqtt.Message, seq: int) -> None:
        content = json.loads(message.payload)
        if str(message.topic).endswith("state"):
            self._check(content)
            self.confirmed = max(self.confirmed, content["seq"])
        elif content["id"] == f"m{seq}":
            if content.get("error"):
                wrong.append(f"record {seq + 1} was refused: {content}")
                raise AssertionError(content)
            self.seq = content["seq"]
            self.confirmed = max(self.confirmed, self.seq)

    async def resumed(self, port: int, *, within_s: float = 600) -> None:
        """The table is live again, with all that it had confirmed."""
        async with asyncio.timeout(within_s):
            while True:
                with contextlib.suppress(aiomqtt.MqttError):
                    await self._live(port)
                    return
                await asyncio.sleep(0.2)

    async def _live(self, port: int) -> None:
        async with reached(port) as client:
            await client.subscribe(f"{BASE}/+", qos=1)
            state: dict[str, Any] | None = None
            async for message in client.messages:
                name = str(message.topic).rpartition("/")[2]
                if name == "state":
                    state = json.loads(message.payload)
                if name != "beat" or state is None:
                    continue
                beat = json.loads(message.payload)
                if beat["boot"] != self._boot and beat["seq"] == state["seq"]:
                    self._boot = beat["boot"]
                    self.boots += 1
                    break
        assert state is not None
        if state["seq"] < self.confirmed:
            wrong.append(f"start {self.boots}: at {state['seq']}, had confirmed {self.confirmed}")
        self._check(state)
        self.seq = self.confirmed = state["seq"]

    async def offline(self, port: int) -> None:
        async with asyncio.timeout(10), reached(port) as client:
            await client.subscribe(f"{BASE}/availability", qos=1)
            async for message in client.messages:
                if message.payload == b"offline":
                    return

    async def faults(self, port: int, *, until: frozenset[str]) -> None:
        """Wait until the table says that these parts fail and no others."""
        async with asyncio.timeout(600), reached(port) as client:
            await client.subscribe(f"{BASE}/status", qos=1)
            async for message in client.messages:
                if frozenset(json.loads(message.payload).get("faults", ())) == until:
                    return

    def _know(self, seq: int, act: str) -> None:
        """What the score must be once this record is there."""
        if seq == len(self._expected):
            self._ledger.append(Record(seq, read_act(act, self._ledger.match.game.notation)))
            self._expected.append(self._score())

    def _score(self) -> Any:
        line = scoreline(self._ledger, (("A",), ("B",)))
        return {"score": list(line.score or ()), "turn": line.turn, "innings": line.figures.innings}

    def _check(self, state: dict[str, Any]) -> None:
        shown = {
            "score": state["score"],
            "turn": state["turn"],
            "innings": tuple(state["figures"]["innings"]),
        }
        if shown != self._expected[state["seq"]]:
            wrong.append(f"record {state['seq']}: {shown}, not {self._expected[state['seq']]}")


@contextlib.asynccontextmanager
async def reached(port: int) -> AsyncIterator[aiomqtt.Client]:
    """The computer's broker, as the hall reaches it."""
    async with aiomqtt.Client("127.0.0.1", port=port, timeout=5, keepalive=5) as client:
        yield client
