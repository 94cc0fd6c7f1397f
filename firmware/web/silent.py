"""Connections that ask for nothing: each takes a file of the process, of which there is an end."""

import asyncio
import resource
from collections.abc import Iterable
from weakref import WeakKeyDictionary, WeakSet

from aiohttp.web import RequestHandler

from firmware.clock import Clock

SILENT_S = 10.0
"""What has not asked for anything by then is closed; a browser asks at once."""

MOST_SILENT = 256
"""Of more at a time those that have been silent for longest are closed first."""

LOOK_S = 1.0

MOST_FILES = 8192
"""Files that the process may have open, where the machine lets it."""

_NS = 1_000_000_000


class Silent:
    """Knows which connections have asked for something, and closes those that do not."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked: WeakSet[asyncio.BaseTransport] = WeakSet()
        self._since_ns: WeakKeyDictionary[asyncio.BaseTransport, int] = WeakKeyDictionary()

    def asked(self, transport: asyncio.BaseTransport | None) -> None:
        """A whole request has come over this connection."""
        if transport is not None:
            self._asked.add(transport)
            self._since_ns.pop(transport, None)

    def look(self, connections: Iterable[RequestHandler]) -> int:
        """Close what has been silent for too long, or is too much; how many those were."""
        now_ns = self._clock.now_ns()
        silent: list[tuple[int, RequestHandler]] = []
        for connection in connections:
            transport = connection.transport
            if transport is not None and transport not in self._asked:
                silent.append((self._since_ns.setdefault(transport, now_ns), connection))
        silent.sort(key=lambda one: one[0])
        closed = 0
        for number, (since_ns, connection) in enumerate(silent):
            many = len(silent) - number > MOST_SILENT
            if many or now_ns - since_ns >= SILENT_S * _NS:
                connection.force_close()
                closed += 1
        return closed


def files_raised() -> None:
    """Let the process have more files open than the usual 1,024, where that may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
