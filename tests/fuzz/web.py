"""Requests to the pages."""

import asyncio
import contextlib
import re
from collections.abc import Iterator

from tests.fuzz.target import Judge, Target
from tests.hall.test_server import Hall


@contextlib.contextmanager
def _web() -> Iterator[Judge]:
    from aiohttp.test_utils import TestServer

    async def asked(server: TestServer, hall: Hall, data: bytes) -> str:
        hall.clock.ns += 60 * 10**9
        status = await _status(server, data)
        assert status is None or status < 500, status
        async with asyncio.timeout(PATIENCE_S):
            while await _status(server, b"GET /tv HTTP/1.1\r\nHost: a\r\n\r\n") != 200:
                pass
        return "" if status is not None and status < 400 else f"status {status}"

    async def began() -> tuple[TestServer, Hall]:
        hall = Hall()
        server = TestServer(hall.pages.app())
        await server.start_server()
        hall.say("1")
        return server, hall

    with contextlib.closing(asyncio.new_event_loop()) as loop:
        server, hall = loop.run_until_complete(began())
        yield lambda data: loop.run_until_complete(asked(server, hall, data))
        loop.run_until_complete(server.close())


PATIENCE_S = 60
"""A server that does not answer for so long hangs, however busy the machine is."""

ANSWER_S = 1.0
"""A server that has not answered by then waits for the rest of the request."""


async def _status(server: object, data: bytes) -> int | None:
    """The status of the first answer; none where there is none, as the request is not whole."""
    port = getattr(server, "port", None)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        async with asyncio.timeout(ANSWER_S):
            line = await reader.readline()
    except (ConnectionError, TimeoutError):
        return None
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", line)
    return int(found[1]) if found else None


_OURS = (
    b"Host: a\r\nOrigin: http://a\r\nSec-Fetch-Site: same-origin\r\n"
    b"Content-Type: application/json\r\n"
)


def _post(path: bytes, body: bytes) -> bytes:
    return b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (path, _OURS, len(body), body)


_WEB_SEEDS = (
    b"GET / HTTP/1.1\r\nHost: a\r\nAccept-Language: pt-BR, en;q=0.5\r\n\r\n",
    b"GET /table/clube/1?lang=en&theme=dark HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /overlay/clube/1?theme=red HTTP/1.1\r\nHost: a\r\nCookie: tacada-pad=x\r\n\r\n",
    b"GET /events/table/clube/1 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /qr/clube/1.svg HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /static/style.css HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\n\r\n",
    _post(b"/pad/clube/1/pair", b'{"code": "1234"}'),
    _post(b"/pad/clube/1/press", b'{"number": 1, "key": "plus1", "held": false, "age_ms": 3}'),
)

_HTTP = (
    *(b"GET", b"POST", b"PUT", b"HTTP/1.0", b"HTTP/9.9", b"%00", b"%2e%2e/", b"/../../etc/passwd"),
    *(
        b"Content-Length: 99999999\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked\r\n",
    ),
    *(
        b"\r\n\r\n",
        b"Expect: 100-continue\r\n",
        b"Origin: http://b\r\n",
        b"?lang=",
        b"X: " + b"y" * 9000,
    ),
    *(
        b"Sec-Fetch-Site: cross-site\r\n",
        b"Range: bytes=9-1\r\n",
        b"/themes/a.css",
        b"Upgrade: websocket\r\n",
    ),
)

REQUESTS = Target("web", _web, _WEB_SEEDS, _HTTP, 3)
