"""Who may ask the server for what: no other site's posts, no floods, nothing oversized."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Iterator

from aiohttp import web

from firmware.clock import Clock

MOST_BYTES = 2048
"""No body that anybody sends in earnest is longer."""

REQUESTS_PER_S = 20.0
REQUESTS_AT_ONCE = 200
"""Of one address; a room of phones behind one router is one address."""

POSTS_PER_S = 8.0
POSTS_AT_ONCE = 30
"""A person who taps as fast as he can stays below."""

MOST_ADDRESSES = 5000
"""Addresses that are remembered; the one not seen for longest goes first."""

MOST_SEATS = 1000
"""Open pages at a time."""

_S = 1_000_000_000


class Bucket:
    """So many at once, and so many a second after that."""

    def __init__(self, at_once: float, per_s: float, now_ns: int) -> None:
        self._most, self._per_s = at_once, per_s
        self._left, self._then_ns = at_once, now_ns

    def take(self, now_ns: int) -> bool:
        """Take one, if there is one."""
        self._left = min(self._most, self._left + (now_ns - self._then_ns) / _S * self._per_s)
        self._then_ns = now_ns
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Gate:
    """Judges every request before anything else does."""

    most_bytes = MOST_BYTES

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._addresses: OrderedDict[str, tuple[Bucket, Bucket]] = OrderedDict()

    def admit(self, request: web.Request) -> None:
        """Let a request in.

        Raises:
            HTTPTooManyRequests: its address asks too often.
            HTTPForbidden: a post that does not come from our own pages.
            HTTPUnsupportedMediaType: a post that no script of ours makes.
            HTTPRequestEntityTooLarge: its body.
        """
        now_ns = self._clock.now_ns()
        requests, posts = self._buckets(request.remote or "", now_ns)
        if not requests.take(now_ns):
            raise web.HTTPTooManyRequests(headers={"Retry-After": "1"})
        if request.method in ("GET", "HEAD"):
            return
        if not posts.take(now_ns):
            raise web.HTTPTooManyRequests(headers={"Retry-After": "1"})
        if not _from_us(request):
            raise web.HTTPForbidden(text="not from one of our pages")
        if not _is_json(request):
            raise web.HTTPUnsupportedMediaType
        if request.content_length is None or request.content_length > MOST_BYTES:
            raise web.HTTPRequestEntityTooLarge(MOST_BYTES, request.content_length or 0)

    def _buckets(self, address: str, now_ns: int) -> tuple[Bucket, Bucket]:
        if address not in self._addresses:
            self._addresses[address] = (
                Bucket(REQUESTS_AT_ONCE, REQUESTS_PER_S, now_ns),
                Bucket(POSTS_AT_ONCE, POSTS_PER_S, now_ns),
            )
            if len(self._addresses) > MOST_ADDRESSES:
                self._addresses.popitem(last=False)
        self._addresses.move_to_end(address)
        return self._addresses[address]


class Seats:
    """The places for open pages. One address may have all of them, until another wants one.

    A hall behind one router or proxy is one address, so that none has a limit of its own. But where
    all places are taken, whose address has most gives up the one that came last: those that have
    been there for long, as televisions, stay.
    """

    def __init__(self) -> None:
        self._closed = False
        self._taken: dict[str, list[asyncio.Event]] = {}

    @contextlib.contextmanager
    def seat(self, address: str) -> Iterator[asyncio.Event]:
        """A place for an open page; it has to go once the event is set.

        Raises:
            HTTPServiceUnavailable: there is none, or the server closes.
        """
        if self._closed or not self._room_for(address):
            raise web.HTTPServiceUnavailable(text="too many open pages")
        gone = asyncio.Event()
        self._taken.setdefault(address, []).append(gone)
        try:
            yield gone
        finally:
            if not gone.is_set():
                self._leave(address, gone)

    def close(self) -> None:
        """Let all go; nobody comes any more."""
        self._closed = True
        for address, those in list(self._taken.items()):
            for gone in those[:]:
                self._leave(address, gone)

    def _room_for(self, address: str) -> bool:
        if sum(map(len, self._taken.values())) < MOST_SEATS:
            return True
        greediest = max(self._taken, key=lambda one: len(self._taken[one]))
        if len(self._taken[greediest]) <= len(self._taken.get(address, ())) + 1:
            return False
        self._leave(greediest, self._taken[greediest][-1])
        return True

    def _leave(self, address: str, gone: asyncio.Event) -> None:
        gone.set()
        self._taken[address].remove(gone)
        if not self._taken[address]:
            del self._taken[address]


def _is_json(request: web.Request) -> bool:
    """By the header's own text: aiohttp reads it as mail is read, which nested brackets exhaust."""
    kind, _, _ = request.headers.get("Content-Type", "").partition(";")
    return kind.strip().lower() == "application/json"


def _from_us(request: web.Request) -> bool:
    """Whether a browser says that the request was made by one of our own pages.

    Every browser names the origin of a post; what names none is no page, and is not let in either.
    """
    origin = request.headers.get("Origin", "")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return origin in (f"http://{request.host}", f"https://{request.host}") and site == "same-origin"
