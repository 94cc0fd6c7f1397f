"""Five days of a display, in simulated time, with everything going wrong now and then."""

import random
from collections import deque

import msgspec
import pytest
from msgspec.structs import replace

from firmware.hall.follower import Room, TableNow
from firmware.mqtt.messages import Beat
from rules.scoreline import Scoreline
from tests.hall.scenes import scene

DAYS = 5
STEP_MS = 1000
BEAT_MS = 3000
"""Rarer than tables beat, which makes it harder."""

STALE_MS = 9000
KEY = ("clube", "1")


class World:
    """A table, a broker that keeps what is retained, a network, and a display behind all that."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 0
        self.room = Room()
        self.line: Scoreline = scene("ug", "Ana", "Bia", score=(0, 0), seq=0, match="m0")
        self.boot, self.started_ms = 1, 0
        self.truth: deque[tuple[int, tuple[str, int]]] = deque(maxlen=50)
        """When a score was reached, and which: match and record."""
        self.retained: dict[str, bytes] = {}
        self.kept: dict[str, bytes] = {}
        """What the broker has on its disk: older than what it holds, if it is killed."""
        self.down: dict[str, int] = {}
        """Until when the table, the broker, its way to the table or to the display is gone."""
        self.subscribed = False
        self.said_seq: tuple[str, int] | None = None
        self.beaten_ms = 0
        self._note()

    def up(self, *parts: str) -> bool:
        return all(self.down.get(part, 0) <= self.now_ms for part in parts)

    def _note(self) -> None:
        self.truth.append((self.now_ms, (self.line.match, self.line.seq)))

    def step(self) -> None:
        self.now_ms += STEP_MS
        self._fail()
        self._play()
        self._speak()
        self._listen()

    def _fail(self) -> None:
        chance = self.chance
        for part in ("table", "broker", "table_way", "display_way"):
            if self.up(part) and chance.random() < 1 / 1800:
                was_up = self.up("table", "broker", "table_way")
                self.down[part] = self.now_ms + round(10 ** chance.uniform(2.7, 6.0))
                if part == "broker":
                    # With a memory of its own, of some time ago, or without any.
                    self.retained = dict(self.kept) if chance.random() < 0.5 else {}
                elif part == "table":
                    self.boot += 1
                if part not in {"broker", "display_way"} and was_up and chance.random() < 0.8:
                    self._publish("availability", b"offline", retain=True)
        if chance.random() < 1 / 600:
            self.kept = dict(self.retained)

    def _play(self) -> None:
        if not self.up("table") or self.chance.random() > 1 / 20:
            return
        if self.chance.random() < 1 / 80:
            number = int(self.line.match[1:]) + 1
            self.line = replace(self.line, match=f"m{number}", seq=0, score=(0, 0))
        else:
            a, b = self.line.score or (0, 0)
            self.line = replace(self.line, seq=self.line.seq + 1, score=(a + 1, b))
        self._note()

    def _speak(self) -> None:
        """What a table does: all that is retained on a new connection, then what is new."""
        if not self.up("table", "broker", "table_way"):
            self.said_seq = None
            return
        news = (self.line.match, self.line.seq)
        if self.said_seq is None:
            self._publish("availability", b"online", retain=True)
        if self.said_seq != news:
            self._publish("state", msgspec.json.encode(self.line), retain=True)
            self.said_seq = news
        elif self.now_ms - self.beaten_ms < BEAT_MS:
            return
        beat = Beat(self.boot, self.line.seq, self.now_ms, self.line.match)
        self._publish("beat", msgspec.json.encode(beat), retain=False)
        self.beaten_ms = self.now_ms

    def _publish(self, what: str, payload: bytes, *, retain: bool) -> None:
        if retain:
            self.retained[what] = payload
        if self.subscribed and self.up("display_way", "broker"):
            self.room.heard(f"tacada/clube/1/{what}", payload, self.now_ms)

    def _listen(self) -> None:
        connected = self.up("broker", "display_way")
        if connected and not self.subscribed:
            self.room.subscribed()
            for what, payload in self.retained.items():
                self.room.heard(f"tacada/clube/1/{what}", payload, self.now_ms)
        elif not connected and self.subscribed:
            self.room.lost()
        self.subscribed = connected

    def recent(self) -> list[tuple[str, int]]:
        """The score, and those that it was within the time for which a beat counts."""
        found: list[tuple[str, int]] = []
        later_ms = self.now_ms
        for since_ms, score in reversed(self.truth):
            if found and later_ms <= self.now_ms - STALE_MS - STEP_MS:
                break
            found.append(score)
            later_ms = since_ms
        return found

    @property
    def shown(self) -> TableNow | None:
        return self.room.table(KEY, self.now_ms)


@pytest.mark.parametrize("seed", range(2))
def test_no_freeze_goes_unnoticed_in_five_days(seed: int) -> None:
    """Ask 95: whatever is shown as live was true within nine seconds, and what works is live."""
    world = World(seed)
    live_s = well_s = 0
    well_since: int | None = None
    for _ in range(DAYS * 86_400_000 // STEP_MS):
        world.step()
        shown = world.shown
        well = world.up("table", "broker", "table_way", "display_way")
        well_since = (well_since or world.now_ms) if well else None
        if shown is not None and shown.live and shown.line is not None:
            live_s += 1
            said = (shown.line.match, shown.line.seq)
            assert said in world.recent(), f"a score of long ago is shown as live at {world.now_ms}"
        if well_since is not None and world.now_ms - well_since >= 2 * BEAT_MS:
            well_s += 1
            assert shown is not None
            assert shown.live, f"everything works, and the display doubts it at {world.now_ms}"
            assert shown.line == world.line
    assert live_s > 86_400
    assert well_s > 86_400
