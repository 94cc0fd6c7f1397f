"""Connections that ask for nothing: each takes a file of the process."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Iterator

import pytest
from aiohttp import web

from firmware.clock import SystemClock
from firmware.mqtt.messages import Topics
from firmware.web import limits, run, server, silent
from firmware.web.limits import Seats
from firmware.web.run import HallWeb
from firmware.web.server import Site
from tests.ports import free_port

PAGE = b"GET /tv HTTP/1.1\r\nHost: a\r\n\r\n"
STREAM = b"GET /events/tv HTTP/1.1\r\nHost: a\r\n\r\n"


class Nowhere:
    """A broker that is not there."""

    async def serve(self, use: object) -> None:
        del use
        await asyncio.Event().wait()


class Visitors:
    """Connections to the pages at a port, each of which is closed in the end."""

    def __init__(self, port: int) -> None:
        self.port, self._writers = port, list[asyncio.StreamWriter]()

    async def come(self, request: bytes = b"", of: str = "127.0.0.1") -> asyncio.StreamReader:
        """Connect from an address, and ask for something."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(of, 0))
        self._writers.append(writer)
        writer.write(request)
        return reader

    async def answered(self, request: bytes, of: str = "127.0.0.1") -> asyncio.StreamReader:
        """Connect, ask for something, and be answered with 200."""
        reader = await self.come(request, of)
        async with asyncio.timeout(10):
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        return reader

    async def go(self) -> None:
        for writer in self._writers:
            writer.close()
        closing = [writer.wait_closed() for writer in self._writers]
        await asyncio.gather(*closing, return_exceptions=True)


@contextlib.asynccontextmanager
async def pages() -> AsyncIterator[Visitors]:
    web = HallWeb(Nowhere(), Topics("clube", "web"), SystemClock(), Site())
    visitors = Visitors(free_port())
    running = asyncio.create_task(web.run("127.0.0.1", visitors.port, asyncio.Event()))
    try:
        async with asyncio.timeout(10):
            while True:
                with contextlib.suppress(ConnectionError):
                    await visitors.answered(PAGE)
                    break
                await asyncio.sleep(0.02)
        yield visitors
    finally:
        await visitors.go()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def closed(reader: asyncio.StreamReader) -> bool:
    """Whether the server has closed a connection by now."""
    try:
        async with asyncio.timeout(0.01):
            return await reader.read(1) == b""
    except TimeoutError:
        return False


@pytest.fixture
def few_files() -> Iterator[None]:
    """A process that may have 400 files open: both ends of each connection are in it."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_who_asks_is_answered_though_others_hold_all_that_there_is(
    few_files: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silent, "MOST_FILES", 400)
    monkeypatch.setattr(silent, "MOST_SILENT", 20)
    monkeypatch.setattr(run, "LOOK_S", 0.05)

    async def test() -> None:
        async with pages() as visitors:
            stream = await visitors.answered(STREAM)
            idle: list[asyncio.StreamReader] = []
            for _ in range(12):
                idle += [await visitors.come() for _ in range(20)]
                await asyncio.sleep(0.2)
            await visitors.answered(PAGE)
            assert [await closed(one) for one in (idle[0], idle[-1])] == [True, False]
            assert not stream.at_eof()

    asyncio.run(test())


def test_what_has_not_asked_after_a_while_is_closed_and_a_stream_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(silent, "SILENT_S", 0.5)
    monkeypatch.setattr(run, "LOOK_S", 0.05)

    async def test() -> None:
        async with pages() as visitors:
            stream = await visitors.answered(STREAM)
            idle, half = await visitors.come(), await visitors.come(PAGE[:-2])
            async with asyncio.timeout(10):
                assert await idle.read() == await half.read() == b""
                while b"event: beat" not in await stream.readline():
                    assert not stream.at_eof()

    asyncio.run(test())


def test_a_post_whose_body_never_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BODY_S", 0.2)
    head = (
        b"POST /pad/clube/1/pair HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\n"
        b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
    )

    async def test() -> None:
        async with pages() as visitors:
            reader = await visitors.come(head)
            async with asyncio.timeout(10):
                assert b"408" in await reader.readline()

    asyncio.run(test())


def test_no_address_keeps_others_out_by_all_the_places_that_it_has_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page that came last from where most are gives its place to another's."""
    monkeypatch.setattr(limits, "MOST_SEATS", 4)
    seats = Seats()
    with contextlib.ExitStack() as stack:
        proxy = [stack.enter_context(seats.seat("proxy")) for _ in range(4)]
        with pytest.raises(web.HTTPServiceUnavailable), seats.seat("proxy"):
            pass
        phone = stack.enter_context(seats.seat("phone"))
        assert [one.is_set() for one in proxy] == [False, False, False, True]
        stack.enter_context(seats.seat("phone"))
        assert [one.is_set() for one in proxy] == [False, False, True, True]
        with pytest.raises(web.HTTPServiceUnavailable), seats.seat("phone"):
            pass
        stack.enter_context(seats.seat("desk"))
        assert sum(one.is_set() for one in (*proxy, phone)) == 3, "whoever has most gives one"
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(seats.seat("proxy"))


def test_when_the_server_closes_all_go_and_nobody_comes() -> None:
    seats = Seats()
    with seats.seat("a") as gone:
        seats.close()
        assert gone.is_set()
        with pytest.raises(web.HTTPServiceUnavailable), seats.seat("b"):
            pass


def test_a_page_from_elsewhere_is_served_though_one_address_has_all_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_SEATS", 3)

    async def test() -> None:
        async with pages() as visitors:
            greedy = [await visitors.answered(STREAM) for _ in range(3)]
            refused = await visitors.come(STREAM)
            async with asyncio.timeout(10):
                assert b"503" in await refused.readline()
            other = await visitors.answered(STREAM, of="127.0.0.2")
            async with asyncio.timeout(10):
                assert await greedy[-1].readuntil(b"\r\n0\r\n"), "its stream ends"
                while b"event: page" not in await other.readline():
                    assert not other.at_eof()
                while b"event: beat" not in await greedy[0].readline():
                    assert not greedy[0].at_eof()

    asyncio.run(test())
