"""What every open page shows, kept up to date: rendered once for all who look at the same.

A page is made of parts. When a table changes, the parts that now read otherwise go to whoever
shows them; a slow reader gets the latest of each part and nothing in between.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from firmware.clock import Clock
from firmware.hall.follower import Room, TableNow
from firmware.i18n import Language, load_language
from firmware.web.cards import Card, card

Key = tuple[str, str]

BATCH_S = 0.04
"""Changes of so long a time go out together."""

DEVICES_MS = 1000
"""How often the ages on the page of devices are counted on."""

_MS = 1_000_000


def part_name(key: Key) -> str:
    """What the place of a table on a page is called."""
    return f"t-{key[0]}-{key[1]}"


class Look(NamedTuple):
    """What a page shows: its kind, its language, and of one table which."""

    kind: str
    language: str
    key: Key | None = None


class Drawn(NamedTuple):
    """A part of a page, and when it will read otherwise by itself."""

    html: str
    due_ms: int | None = None


class Reader:
    """Somebody who looks at a page: what he has not been sent yet."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._parts: dict[str, str] = {}
        self._whole = True
        self._news = asyncio.Event()
        self._news.set()

    def told(self, parts: dict[str, str], *, whole: bool) -> None:
        """Parts have changed; `whole`: other parts are there than before."""
        self._parts.update(parts)
        self._whole = self._whole or whole
        self._news.set()

    async def next(self, within_s: float) -> tuple[dict[str, str], bool] | None:
        """What has changed, and whether that is the whole page; none if nothing did in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._news.wait()
        if not self._news.is_set():
            return None
        self._news.clear()
        parts, whole = self._parts, self._whole
        self._parts, self._whole = {}, False
        return parts, whole


class Hub:
    """Draws the pages that somebody looks at.

    `draw` makes a part of a page: of a kind, in a language, for a card; or for the room as a
    whole, for none.
    """

    def __init__(
        self, room: Room, clock: Clock, draw: Callable[[str, Language, Card | None], str]
    ) -> None:
        self._room, self._clock, self._draw = room, clock, draw
        self._readers: dict[Look, list[Reader]] = {}
        self._shown: dict[Look, dict[str, Drawn]] = {}
        self._dirty: set[Key] = set()
        self._all_dirty = True
        self._several = False
        self._news = asyncio.Event()

    @property
    def readers(self) -> int:
        """How many look."""
        return sum(map(len, self._readers.values()))

    def news(self, key: Key | None) -> None:
        """Something was told about a table, or for none about all."""
        if key is None:
            self._all_dirty = True
        else:
            self._dirty.add(key)
        self._news.set()

    @contextlib.contextmanager
    def reading(self, look: Look) -> Iterator[Reader]:
        """Somebody opens a page and looks until the context is left."""
        reader = Reader(look)
        if look not in self._readers:
            self._readers[look], self._shown[look] = [], self.parts(look)
        self._readers[look].append(reader)
        reader.told(self.html(look), whole=True)
        self._news.set()  # it may have to be drawn again by itself
        try:
            yield reader
        finally:
            self._readers[look].remove(reader)
            if not self._readers[look]:
                del self._readers[look], self._shown[look]

    def html(self, look: Look) -> dict[str, str]:
        """The parts of a page that is looked at, as they were sent last."""
        return {name: part.html for name, part in self._shown[look].items()}

    def parts(self, look: Look) -> dict[str, Drawn]:
        """All parts of a page as they are now."""
        return dict(self._fresh(look, {}, set()))

    async def run(self) -> None:
        """Keep all pages up to date until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._wait_s()):
                    await self._news.wait()
            self._news.clear()
            self._update()
            await asyncio.sleep(BATCH_S)

    def _wait_s(self) -> float | None:
        """Until something reads otherwise by itself."""
        dues = [
            part.due_ms
            for parts in self._shown.values()
            for part in parts.values()
            if part.due_ms is not None
        ]
        return max(0, min(dues) - self._now_ms()) / 1000 if dues else None

    def _update(self) -> None:
        """Draw again what may read otherwise, and tell whoever looks at it."""
        dirty, self._dirty = self._dirty, set()
        several = self._room.several
        everything = self._all_dirty or several != self._several
        self._all_dirty, self._several = False, several
        for look, shown in self._shown.items():
            parts = dict(self._fresh(look, {} if everything else shown, dirty))
            whole = parts.keys() != shown.keys()
            changed = {
                name: part.html
                for name, part in parts.items()
                if whole or shown[name].html != part.html
            }
            self._shown[look] = parts
            if changed or whole:
                for reader in self._readers[look]:
                    reader.told(changed, whole=whole)

    def _fresh(
        self, look: Look, shown: dict[str, Drawn], dirty: set[Key]
    ) -> Iterator[tuple[str, Drawn]]:
        """The parts of a page; those that cannot have changed are what was shown."""
        now_ms = self._now_ms()
        language = load_language(look.language)

        def stands(name: str) -> bool:
            due_ms = shown[name].due_ms if name in shown else 0
            return due_ms is None or due_ms > now_ms

        if look.key is None:
            old = stands("room") and not (dirty and look.kind == "devices")
            due_ms = now_ms + DEVICES_MS if look.kind == "devices" else None
            yield (
                "room",
                shown["room"] if old else Drawn(self._draw(look.kind, language, None), due_ms),
            )
        if look.kind == "devices":
            return
        for key in self._room.known if look.key is None else (look.key,):
            name = part_name(key)
            if key not in dirty and stands(name):
                yield name, shown[name]
                continue
            table = self._room.table(key, now_ms) or TableNow(*key)
            if table.shows or look.key is not None:
                one = card(table, language, now_ms, several=self._room.several)
                yield name, Drawn(self._draw(look.kind, language, one), one.due_ms)

    def _now_ms(self) -> int:
        return self._clock.now_ns() // _MS
