"""What is fed with bad input, and what must come of it: taken, or refused in plain words.

A target opens as a judge: it is given bytes, and says with what words they were refused, nothing
where they were taken. Whatever else comes out of it is a fault, and so are words that name neither
the place nor what is wrong.
"""

import asyncio
import contextlib
import itertools
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from drivers.pad_protocol import LONGEST_LINE, BadFrame, Lines, crc, read_frame
from drivers.ports import Answer
from firmware.app import Parts, TableApp
from firmware.commands import COMMANDS, MALFORMED, UNKNOWN
from firmware.config_file import load_config
from firmware.errors import ConfigError
from firmware.gallery import gallery
from firmware.i18n import load_language
from firmware.keybook import PANELS
from firmware.keymap import Keymap, load_panel
from firmware.layout import LAYOUTS, load_layout
from firmware.render import render
from rules.errors import BadNotation, BadSetup, Code
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import print_sheets, read_sheets
from tests.firmware.pad_rig import Desk
from tests.firmware.rig import HandClock, Rig, settle
from tests.firmware.test_journal_damage import WRITTEN, check, filled
from tests.hall.test_server import Hall

ROOT = Path(__file__).parents[2]

Judge: TypeAlias = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Target:
    """One reader of what comes from outside.

    `cost` is about how many milliseconds an example takes.
    """

    name: str
    open: Callable[[], AbstractContextManager[Judge]]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()
    cost: int = 1


class Unclear(AssertionError):
    """A refusal that helps nobody."""


def _clear(text: str, *places: str) -> str:
    """The words of a refusal, if they name a place and say something of it in lines for people."""
    for line in text.splitlines() or [""]:
        if not any(re.match(place, line) for place in places):
            raise Unclear(f"names no place: {line!r}")
        if len(line.split()) < 3 or len(line) > 1000:
            raise Unclear(f"says too little or too much: {line!r}")
        if "Traceback" in line or re.search(r"\b(NoneType|KeyError|object at 0x)", line):
            raise Unclear(f"is for programmers: {line!r}")
    return text


# --- Sheets ---


@contextlib.contextmanager
def _sheets() -> Iterator[Judge]:
    def judge(data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        try:
            sheets = read_sheets(text, notation_of)
        except BadNotation as error:
            return _clear(str(error), r"sheet(, line \d+)?: ")
        for sheet in sheets:
            try:
                played = replay(sheet, rulebook_of)
            except BadSetup as error:
                return _clear(f"setup: {error}", "setup: ")
            for note in played.notes:
                _clear(note, r"step \d+: ")
        printed = print_sheets(sheets, notation_of)
        assert read_sheets(printed, notation_of) == sheets, "printed and read it is another"
        return ""

    yield judge


def _sheet_seeds() -> tuple[bytes, ...]:
    """Some whole sheets of every family, short ones."""
    files = [ROOT / "firmware/sheets/ca-16.sheet", *sorted((ROOT / "tests/sheets").glob("*.sheet"))]
    found: list[bytes] = []
    for file in files:
        parts = re.split(r"(?m)^(?=id:)", file.read_text("utf-8"))
        short = [part for part in parts if part.startswith("id:") and len(part) < 1200]
        found += [part.encode() for part in short[:: max(1, len(short) // 6)]]
    return tuple(found)


_NOTATION = (
    *(b"+1", b"+3", b"/", b"=4", b"OK", b"UNDO", b"REDO", b"R", b"R2", b"K", b"FOUL", b"FOUL(4)"),
    *(b"[SPLICE(0,9) / =4]", b"EDIT(A2=6)", b"PICK(play)", b"CONCEDE(A)", b"ADJUST(score=1/2)"),
    *(
        b"29x( =0 )",
        b"9x( 9x( +1 ) )",
        b"9999999x( +1 )",
        b"refuse",
        b"@12:03.250",
        b"by:pad1#17",
        b"FIRST(B)",
    ),
    *(b"-> score=3/0", b"rulebook: 3c", b"format: target=0/0", b"at: score=9/9", b"TIMEUP"),
)


# --- Files that people write: configuration, boards, panels ---


def _of_file(
    name: str, use: Callable[[Path], object]
) -> Callable[[], AbstractContextManager[Judge]]:
    """A judge that writes what it is given to a file, and has it read."""

    @contextlib.contextmanager
    def opened() -> Iterator[Judge]:
        with tempfile.TemporaryDirectory(prefix="tacada-fuzz-") as folder:
            file = Path(folder) / name

            def judge(data: bytes) -> str:
                file.write_bytes(data)
                try:
                    use(file)
                except ConfigError as error:
                    # What names a folder or a file of its own may stand for the place too.
                    return _clear(str(error), re.escape(str(file)), r"[\w./-]+: ")
                return ""

            yield judge

    return opened


def _configured(file: Path) -> None:
    config = load_config(file)
    TableApp(config, Parts(clock=HandClock()))


_VIEWS = tuple(itertools.islice(gallery().values(), 0, None, 7))
_ENGLISH = load_language("en")


def _panel(file: Path) -> None:
    Keymap(load_panel(file), notation_of("ug"), file.name).wiring()


_CONFIG_SEEDS = (
    b"schema = 1\n",
    b"""schema = 1
hall = "clube"
table = "3"
language = "pt"
journal = "/var/lib/tacada/1/journal.db"
club = "Clube"
[match]
rulebook = "ug"
format = "target=30/25 limit=40"
a = ["Ana Prado"]
b = ["Rui Melo"]
first = "A"
[board]
layout = "64x16"
contrast = 5
[[boards]]
layout = "32x8"
spi_device = 1
[panel]
layout = "carom-6"
pins = { ok = 16 }
lock = "ok"
off = "end"
games = { pool = "pool-6" }
[[pads]]
name = "pad1"
serial = "usb:0403:6001"
role = "open"
[[keypads]]
name = "pad2"
device = "usb:04d9:1203"
codes = { ok = "esc" }
[phone]
enabled = true
[signals]
heard = { pin = 12 }
buzzer = { pin = "GPIO13", active_high = false }
[broker]
host = "broker.local"
port = 1883
username = "u"
password_file = "/etc/secret"
tls = true
home_assistant = "homeassistant"
[backup]
folder = "/media/stick"
keep = 3
hours = 1
""",
    b"""schema = 1
[match]
rulebook = "wpbsa"
[panel]
layout = "snooker-12"
rows = [5, 6, 13, 19]
columns = [16, 20, 21]
[board]
layout = "64x16"
max_ma = 2000
[[board.chains]]
width = 32
height = 16
orientation = 90
from_right = true
serpentine = true
[[board.chains]]
x = 32
width = 32
height = 16
spi_device = 1
""",
)

_TOML = (
    *(b"true", b"1.5", b"-1", b'""', b"[]", b"{}", b'"pool-6"', b'"32x8"', b"[match]", b"[[pads]]"),
    *(b"[board]", b"[panel.pins]", b"nan", b"inf", b"2026-01-01", b'"""', b"#", b"= ", b'"GPIO99"'),
    *(b"[1, 2", b'"\\u0000"', b"plus1 = 9\n", b'layout = "."\n', b'layout = "../x.toml"\n'),
    *(b'rulebook = "bb"\n', b'format = "target=0"\n', b'format = "target=9x"\n'),
)


@contextlib.contextmanager
def _boards() -> Iterator[Judge]:
    """The files of a board one after the other, each begun by a line with its name."""
    with tempfile.TemporaryDirectory(prefix="tacada-fuzz-") as base:

        def judge(data: bytes) -> str:
            folder = Path(base) / "board"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for part in data.split(b"#file ")[1:]:
                name, _, content = part.partition(b"\n")
                if re.fullmatch(rb"[a-z]+\.toml", name):
                    (folder / name.decode()).write_bytes(content)
            load_layout.cache_clear()
            try:
                layout = load_layout(str(folder))
            except ConfigError as error:
                return _clear(str(error), re.escape(str(folder)))
            for view in _VIEWS:
                render(view, layout, _ENGLISH, 12_345)
            return ""

        yield judge


def _board_seeds() -> tuple[bytes, ...]:
    return tuple(
        b"".join(b"#file %b\n%b" % (f.name.encode(), f.read_bytes()) for f in sorted(one.iterdir()))
        for one in sorted(LAYOUTS.iterdir())
    )


# --- Journals ---


@contextlib.contextmanager
def _journals() -> Iterator[Judge]:
    with tempfile.TemporaryDirectory(prefix="tacada-fuzz-") as folder:

        def judge(data: bytes) -> str:
            place = Path(folder) / "journal"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            path = place / "journal.db"
            path.write_bytes(data)
            damage = check(path, WRITTEN)
            if damage is None:
                return ""
            return _clear(f"{damage.aside}: {damage.why}", r"/.+journal")

        yield judge


def _journal_seeds() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory(prefix="tacada-fuzz-") as folder:
        path = Path(folder) / "journal.db"
        filled(path)
        return (path.read_bytes(),)


# --- MQTT commands: the name, a line's end, the payload ---

_CODES = {*map(str, Code), MALFORMED, UNKNOWN, "stale", "no_disk"}


@contextlib.contextmanager
def _commands() -> Iterator[Judge]:
    async def asked(data: bytes) -> str:
        rig = Rig()
        owner = asyncio.create_task(rig.table.run())
        try:
            await settle()
            await rig.press("plus1 end plus1")
            name, _, payload = data.partition(b"\n")
            before = rig.table.play.ledger.digest()
            reply = await rig.table.ask(name.decode("utf-8", "replace"), payload)
            error = getattr(reply, "error", None)
            if error is None:
                return ""
            assert error in _CODES, error
            assert rig.table.play.ledger.digest() == before, "refused, and yet it changed"
            if error in (MALFORMED, UNKNOWN):
                _clear(f"{error}: {getattr(reply, 'detail', '')}", f"{error}: ")
            assert not owner.done()
            return str(error)
        finally:
            owner.cancel()
            await asyncio.gather(owner, return_exceptions=True)

    with contextlib.closing(asyncio.new_event_loop()) as loop:
        yield lambda data: loop.run_until_complete(asked(data))


_COMMAND_SEEDS = tuple(
    text.encode()
    for text in (
        'enter\n{"id": "c1", "expect_seq": 3, "act": "+1"}',
        'enter\n{"id": "c1", "expect_seq": 3, "act": "[SPLICE(1,1) / =4]", "preview": true}',
        'edit\n{"id": "c2", "expect_seq": 3, "side": "A", "inning": 1, "points": 3}',
        'mend\n{"id": "c3", "expect_seq": 3, "rulebook": "ug", "format": "target=9/9"}',
        'start\n{"id": "c4", "expect_seq": 3, "rulebook": "wpa9", "a": ["A"], "b": ["B", "C"]}',
        'start\n{"id": "c5", "expect_seq": 3, "rulebook": "ug", "a": ["A"], "b": ["B"],'
        ' "format": "target=5/5", "at": "score=2/1 innings=7/7", "first": "A"}',
        'abandon\n{"id": "c6", "expect_seq": 3}',
        'pause\n{"id": "c7", "expect_seq": 3, "which": "match"}',
        'resume\n{"id": "c8", "expect_seq": 3}',
    )
)


# --- What arrives from pads ---


@contextlib.contextmanager
def _pads() -> Iterator[Judge]:
    def judge(data: bytes) -> str:
        desk, refused = Desk(), 0
        for line in Lines().feed(data + b"\n"):
            body, _, _ = line.rpartition(b" ")
            # As it came; and as if its check had been right, lest all be refused for that.
            for one in (line, body + b" " + crc(body).encode()):
                try:
                    frame = read_frame(one)
                except BadFrame as error:
                    refused += bool(_clear(str(error), ""))
                    continue
                assert len(one) <= LONGEST_LINE
                desk.pads.framed(desk.line, frame, desk.clock.now_ns())
                for press in desk.presses[-1:]:
                    desk.pads.answered(press, Answer.ACCEPTED, "1-0 A")
                desk.wait(0.1)
        return "no frame of a pad" if refused else ""

    yield judge


def _framed(*bodies: bytes) -> bytes:
    return b"".join(body + b" " + crc(body).encode() + b"\n" for body in bodies)


_PAD_SEEDS = (
    _framed(b"H pad1 aaaa.0 80", b"K pad1 aaaa.1 plus1 press 12 80"),
    _framed(b"H pad1 aaaa.7 -", b"K pad1 aaaa.8 end press 0 -", b"K pad1 aaaa.8 end press 400 -"),
    _framed(b"K pad1 zz9z.1 ok hold 0 100", b"K pad2 aaaa.3 plus1 press 999999 5"),
)


# --- Requests to the pages ---


@contextlib.contextmanager
def _web() -> Iterator[Judge]:
    from aiohttp.test_utils import TestServer

    async def asked(server: TestServer, hall: Hall, data: bytes) -> str:
        hall.clock.ns += 60 * 10**9
        status = await _status(server, data)
        assert status is None or status < 500, status
        async with asyncio.timeout(5):
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

TARGETS = {
    one.name: one
    for one in (
        Target("sheets", _sheets, _sheet_seeds(), _NOTATION, 10),
        Target("config", _of_file("1.toml", _configured), _CONFIG_SEEDS, _TOML, 10),
        Target("boards", _boards, _board_seeds(), _TOML, 200),
        Target(
            "panels",
            _of_file("panel.toml", _panel),
            tuple(file.read_bytes() for file in sorted(PANELS.glob("carom-*.toml"))),
            (*_TOML, *_NOTATION),
            5,
        ),
        Target("journals", _journals, _journal_seeds(), (b"\x00\x00\x00\x01", b"SQLite"), 60),
        Target(
            "commands",
            _commands,
            _COMMAND_SEEDS,
            (*(name.encode() for name in COMMANDS), *_NOTATION, b'"preview": true', b"null"),
            50,
        ),
        Target("pads", _pads, _PAD_SEEDS, (b"H ", b"K ", b"pad1", b"aaaa.2", b"hold", b"100"), 1),
        Target("web", _web, _WEB_SEEDS, _HTTP, 3),
    )
}
"""All readers by their names."""
