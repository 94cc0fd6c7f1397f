"""The server of a hall's pages: it shows what it follows and takes nothing from outside but pads.

Every page works by itself, hears what changes over server-sent events, and asks no other server
for anything.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import segno
from aiohttp import web
from msgspec import Meta, Struct

from firmware.clock import Clock
from firmware.commands import END, PadReply
from firmware.hall.follower import Room
from firmware.i18n import language_codes, load_language
from firmware.web.door import Door
from firmware.web.hub import Hub, Key, Look
from firmware.web.limits import Gate, Seats
from firmware.web.names import Names, shown
from firmware.web.pages import STATIC, VERSION, drawer, page, path_of
from firmware.web.silent import Silent

BEAT_S = 2.0
"""How often a page is told that the server lives; after 9 s without, it says so itself."""

BODY_S = 5.0
"""So long the body of a post may take, which is a line."""

WRITE_S = 15.0
"""A reader that takes nothing for so long is let go; its page comes back by itself."""

OF_A_TABLE, OF_ALL = ("table", "overlay", "pad", "log"), ("hall", "tv", "devices")
"""The kinds of pages."""

THEMES = ("dark", "light")

COOKIE = "tacada-pad"
"""What a phone that was let in shows for itself."""

PAD_S = 12 * 3600
"""After so long a phone needs another code, whatever the table says."""

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_MS = 1_000_000


class Site(Struct, frozen=True):
    """How the pages are served.

    `language` is that of who asks for none. `address` is how phones reach this server, for QR
    codes; without it the address that the page was asked by. `known_as` are further names of this
    server. `themes` is a folder of style sheets for overlays.
    """

    language: str = "pt"
    address: str = ""
    known_as: tuple[str, ...] = ()
    themes: Path | None = None


class _Pairing(Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=8)] = ""


class _Pressed(Struct, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=1, le=999_999)]
    key: Annotated[str, Meta(pattern="^[a-z0-9_]{1,16}" + END)]
    held: bool = False
    long: bool = False
    age_ms: Annotated[int, Meta(ge=0, le=999_999)] = 0


_S = TypeVar("_S", _Pairing, _Pressed)
_N = TypeVar("_N")


class Pages:
    """The pages of one room."""

    def __init__(
        self,
        room: Room,
        clock: Clock,
        site: Site,
        *,
        door: Door | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._site, self._room, self._door = site, room, door
        self._gate, self._seats = gate or Gate(clock), Seats()
        self._names = Names(site.address, site.known_as)
        self.silent = Silent(clock)
        self.hub = Hub(room, clock, drawer(room, lambda: clock.now_ns() // _MS))

    def app(self) -> web.Application:
        """The web application; the hub runs as long as it does."""
        app = web.Application(middlewares=[self._guarded], client_max_size=self._gate.most_bytes)
        app.cleanup_ctx.append(self._drawing)
        app.on_shutdown.append(self._closing)
        get = app.router.add_get
        for kind in ("hall", "tv", "devices"):
            get("/" if kind == "hall" else f"/{kind}", self._page)
        for kind in OF_A_TABLE:
            get(f"/{kind}/{{hall}}/{{table}}", self._page)
        for act, handler in (("pair", self._pair), ("press", self._press), ("leave", self._leave)):
            app.router.add_post(f"/pad/{{hall}}/{{table}}/{act}", handler)
        get("/events/{kind}", self._events)
        get("/events/{kind}/{hall}/{table}", self._events)
        get("/qr/{hall}/{table}.svg", self._qr)
        get("/themes/{name}.css", self._theme)
        app.router.add_static("/static/", STATIC)
        return app

    async def _drawing(self, app: web.Application) -> AsyncIterator[None]:
        del app
        drawing = asyncio.create_task(self.hub.run())
        yield
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)

    async def _closing(self, app: web.Application) -> None:
        """Let go of all readers; their pages look for the next server."""
        del app
        self._seats.close()

    @web.middleware
    async def _guarded(
        self,
        request: web.Request,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> web.StreamResponse:
        self.silent.asked(request.transport)
        try:
            self._gate.admit(request)
            self._asked_by_name(request)
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    def _asked_by_name(self, request: web.Request) -> None:
        """Refuse who asks for another server than this one; in the end a person reads it."""
        host = request.headers.get("Host", "")
        if not self._names.hold(host):
            language = load_language(self._language(request.query, request.headers))
            raise web.HTTPMisdirectedRequest(
                text=language.say("page.unknown_host", host=shown(host))
            )

    async def _page(self, request: web.Request) -> web.Response:
        look = self._look(request, request.path.split("/")[1] or "hall")
        theme = request.query.get("theme", "")
        file = theme if theme not in THEMES and self._theme_file(theme) else ""
        parts = {name: part.html for name, part in self.hub.parts(look).items()}
        html = page(look, parts, theme=theme if theme in THEMES else "", theme_file=file)
        return web.Response(
            text=html, content_type="text/html", headers={"Cache-Control": "no-store"}
        )

    async def _events(self, request: web.Request) -> web.StreamResponse:
        look = self._look(request, request.match_info["kind"])
        response = web.StreamResponse(
            headers={
                **HEADERS,
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",
            }
        )
        with self._seats.seat(request.remote or "") as gone:
            await response.prepare(request)
            # Whoever has gone is noticed here.
            with contextlib.suppress(ConnectionError, TimeoutError):
                await self._told(response, look, gone)
        return response

    async def _told(self, response: web.StreamResponse, look: Look, gone: asyncio.Event) -> None:
        """Send what changes to an open page, until that has to go."""
        with self.hub.reading(look) as reader:
            await _write(response, "retry: 1000\n\n")
            while not gone.is_set():
                news = await _unless(gone, reader.next(BEAT_S))
                if news is None:
                    await _send(response, "beat", {})
                elif news[1]:
                    whole = {"version": VERSION, "parts": self.hub.html(look)}
                    await _send(response, "page", whole)
                else:
                    await _send(response, "parts", news[0])

    async def _pair(self, request: web.Request) -> web.Response:
        """A phone wants to be a pad: have a code shown, or let it in by one."""
        asked = await _body(request, _Pairing)
        reply = await self._knock(request).pair(_key(request), asked.code)
        response = _answer(reply)
        if reply.token:
            response.set_cookie(
                COOKIE,
                reply.token,
                max_age=PAD_S,
                path=f"/pad{path_of(_key(request))}",
                httponly=True,
                samesite="Strict",
                secure=request.scheme == "https",
            )
        return response

    async def _press(self, request: web.Request) -> web.Response:
        """A key of a phone that was let in."""
        asked = await _body(request, _Pressed)
        reply = await self._knock(request).press(
            _key(request),
            request.cookies.get(COOKIE, "")[:64],
            number=asked.number,
            name=asked.key,
            held=asked.held,
            long=asked.long,
            age_ms=asked.age_ms,
        )
        return _answer(reply)

    async def _leave(self, request: web.Request) -> web.Response:
        """A phone is done."""
        response = web.Response(status=204)
        response.del_cookie(COOKIE, path=f"/pad{path_of(_key(request))}")
        return response

    def _knock(self, request: web.Request) -> Door:
        key = _key(request)
        if self._door is None or key not in self._room.known:
            raise web.HTTPNotFound
        return self._door

    async def _qr(self, request: web.Request) -> web.Response:
        address = self._site.address or f"{request.scheme}://{request.host}"
        code = segno.make(f"{address.rstrip('/')}/table{path_of(_key(request))}", error="m")
        svg = code.svg_inline(scale=4, border=2)
        svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        return web.Response(text=svg, content_type="image/svg+xml")

    async def _theme(self, request: web.Request) -> web.Response:
        file = self._theme_file(request.match_info["name"])
        if file is None:
            raise web.HTTPNotFound
        return web.Response(text=file.read_text("utf-8"), content_type="text/css")

    def _theme_file(self, name: str) -> Path | None:
        folder = self._site.themes
        if folder is None or not _SLUG.fullmatch(name):
            return None
        file = folder / f"{name}.css"
        return file if file.is_file() else None

    def _look(self, request: web.Request, kind: str) -> Look:
        key = _key(request) if "table" in request.match_info else None
        if kind not in (OF_A_TABLE if key is not None else OF_ALL):
            raise web.HTTPNotFound
        return Look(kind, self._language(request.query, request.headers), key)

    def _language(self, query: Mapping[str, str], headers: Mapping[str, str]) -> str:
        """The language asked for in the address, else by the browser, else the hall's."""
        known = {code.lower(): code for code in language_codes()}
        asked = [query.get("lang", "")[:16].lower()]
        for part in headers.get("Accept-Language", "")[:200].split(","):
            tag = part.split(";")[0].strip().lower()
            asked += [tag, tag.partition("-")[0]]
        return next((known[tag] for tag in asked if tag in known), self._site.language)


async def _unless(gone: asyncio.Event, waiting: Awaitable[_N | None]) -> _N | None:
    """What is waited for, or none once the page has to go."""
    news = asyncio.ensure_future(waiting)
    going = asyncio.create_task(gone.wait())
    try:
        await asyncio.wait([news, going], return_when=asyncio.FIRST_COMPLETED)
        return news.result() if news.done() else None
    finally:
        for task in (news, going):
            task.cancel()
        await asyncio.gather(news, going, return_exceptions=True)


async def _body(request: web.Request, kind: type[_S]) -> _S:
    try:
        async with asyncio.timeout(BODY_S):
            body = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise web.HTTPBadRequest from None


def _answer(reply: PadReply) -> web.Response:
    """An answer for a phone: all but the token, which no script of the page needs."""
    body = msgspec.json.encode(msgspec.structs.replace(reply, token=""))
    return web.Response(body=body, content_type="application/json")


def _key(request: web.Request) -> Key:
    hall, table = request.match_info["hall"], request.match_info["table"]
    if not (_SLUG.fullmatch(hall) and _SLUG.fullmatch(table)):
        raise web.HTTPNotFound
    return hall, table


async def _send(response: web.StreamResponse, event: str, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    await _write(response, f"event: {event}\ndata: {text}\n\n")


async def _write(response: web.StreamResponse, text: str) -> None:
    async with asyncio.timeout(WRITE_S):
        await response.write(text.encode())
