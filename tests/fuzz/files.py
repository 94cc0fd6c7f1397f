"""Files that people write: configuration, boards, panels."""

import contextlib
import itertools
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from firmware.app import TableApp
from firmware.board.gallery import gallery
from firmware.board.layout import LAYOUTS, load_layout
from firmware.board.render import render
from firmware.config.file import load_config
from firmware.errors import ConfigError
from firmware.i18n import load_language
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap, load_panel
from firmware.parts import Parts
from rules.rulebooks import notation_of
from tests.firmware.rig import HandClock
from tests.fuzz.sheets import NOTATION
from tests.fuzz.target import Judge, Target, clear


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
                    return clear(str(error), re.escape(str(file)), r"[\w./-]+: ")
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

TOML = (
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
                return clear(str(error), re.escape(str(folder)))
            for view in _VIEWS:
                render(view, layout, _ENGLISH, 12_345)
            return ""

        yield judge


def _board_seeds() -> tuple[bytes, ...]:
    return tuple(
        b"".join(b"#file %b\n%b" % (f.name.encode(), f.read_bytes()) for f in sorted(one.iterdir()))
        for one in sorted(LAYOUTS.iterdir())
    )


CONFIG = Target("config", _of_file("1.toml", _configured), _CONFIG_SEEDS, TOML, 10)
BOARDS = Target("boards", _boards, _board_seeds(), TOML, 200)
PANEL_FILES = Target(
    "panels",
    _of_file("panel.toml", _panel),
    tuple(file.read_bytes() for file in sorted(PANELS.glob("carom-*.toml"))),
    (*TOML, *NOTATION),
    5,
)
