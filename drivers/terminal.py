"""A terminal as a scoreboard: pictures in half blocks, and keys that press mock pins."""

import asyncio
import codecs
import contextlib
import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TextIO

from msgspec import Struct

from drivers.errors import DeviceLost, DeviceMissing
from drivers.fakes import Finger
from drivers.phrases import Phrase
from drivers.ports import Picture

_HALVES = " ▄▀█"
"""By twice the upper pixel plus the lower one."""

# ECMA-48 and DEC private modes, understood by every terminal of today and the Linux console.
_OPEN = "\x1b[?25l\x1b[?7l\x1b[2J"  # hide the cursor, cut long lines off, clear
_CLOSE = "\x1b[?7h\x1b[?25h"
_ERASE_LINE = "\x1b[2K"
_ERASE_BELOW = "\x1b[J"


def half_blocks(picture: Picture) -> list[str]:
    """The picture as lines of text, each two pixels high; a missing last row is dark."""
    rows = [*picture.rows, 0] if picture.height % 2 else list(picture.rows)
    places = range(picture.width - 1, -1, -1)
    return [
        "".join(_HALVES[(upper >> x & 1) * 2 + (lower >> x & 1)] for x in places)
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


class TerminalDisplay:
    """A display in the upper left corner of a terminal, with lines of text under it.

    A thread of its own writes, as a terminal that someone has stopped (Ctrl-S) takes nothing
    for as long as he likes. It always writes the newest picture and leaves out what another one
    has overtaken.

    Args:
        stream: where to write; its encoding must have half blocks.
        width: pixels, one column of text each.
        height: pixels, two to a line of text.

    Raises:
        DeviceMissing: the terminal has no half blocks.
    """

    def __init__(self, width: int, height: int, stream: TextIO = sys.stdout) -> None:
        self._width, self._height, self._stream = width, height, stream
        try:
            _HALVES.encode(stream.encoding or "utf-8")
        except UnicodeEncodeError as error:
            raise DeviceMissing(
                Phrase(
                    "no_utf8",
                    "the terminal's character set has no half blocks: set a UTF-8 locale, "
                    "such as LANG=C.UTF-8",
                )
            ) from error
        self._fd = stream.fileno()
        stream.flush()
        self._news = threading.Condition()
        self._picture = half_blocks(Picture.blank(width, height))
        self._caption: list[str] = []
        self._stale = True
        """Whether there is something to write."""
        self._drawn: list[str] | None = None
        """The lines that stand on the screen, none if unknown."""
        self._closing = False
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._write_all, name="terminal", daemon=True)
        self._thread.start()

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self._width

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self._height

    async def show(self, picture: Picture) -> None:
        """Show this picture as soon as the terminal takes it."""
        picture.check_size(self._width, self._height)
        lines = half_blocks(picture)
        with self._changing():
            self._picture = lines

    def caption(self, lines: Sequence[str]) -> None:
        """Put these lines under the picture. What cannot be printed becomes a blank.

        Raises:
            DeviceLost: the terminal is gone.
        """
        clean = ["".join(c if c.isprintable() else " " for c in line) for line in lines]
        with self._changing():
            self._caption = clean

    async def refresh(self) -> None:
        """Draw all lines anew, over whatever another program wrote there."""
        with self._changing():
            self._drawn = None

    async def dim(self, contrast: int) -> None:
        """A terminal is as bright as its window."""
        del contrast

    async def close(self, *, blank: bool) -> None:
        """Give the terminal back, cleared or with the picture standing.

        A stopped terminal is waited for no longer than a second.
        """
        with self._news:
            if blank:
                self._picture, self._caption, self._drawn = [], [], None
            self._closing = self._stale = True
            self._news.notify()
        await asyncio.to_thread(self._thread.join, 1)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the writer off while its work is changed, then wake it."""
        if self._error:
            raise DeviceLost(f"terminal: {self._error}") from self._error
        with self._news:
            yield
            self._stale = True
            self._news.notify()

    def _write_all(self) -> None:
        """The writer's thread."""
        try:
            self._put(_OPEN)
            closing = False
            while not closing:
                with self._news:
                    self._news.wait_for(lambda: self._stale)
                    self._stale, closing = False, self._closing
                    lines, drawn = [*self._picture, *self._caption], self._drawn
                    self._drawn = lines
                self._put(_difference(drawn, lines))
            self._put(_place(len(lines)) + _CLOSE)
        except OSError as error:
            self._error = error

    def _put(self, text: str) -> None:
        """Write past the stream's buffer: its lock must not be held while a terminal stands
        still, or the interpreter could not end."""
        data = text.encode(self._stream.encoding or "utf-8", "replace")
        while data:
            select.select([], [self._fd], [])
            data = data[os.write(self._fd, data) :]


def _difference(drawn: Sequence[str] | None, lines: Sequence[str]) -> str:
    """What turns one screen into the other; all of it if the first is unknown."""
    if drawn is None:
        return "".join(_line(row, text) for row, text in enumerate(lines)) + (
            "" if lines else _place(0) + _ERASE_BELOW
        )
    rows = range(max(len(drawn), len(lines)))
    old, new = ([*each, *[""] * (len(rows) - len(each))] for each in (drawn, lines))
    return "".join(_line(row, new[row]) for row in rows if new[row] != old[row])


def _line(row: int, text: str) -> str:
    return _place(row) + _ERASE_LINE + text


def _place(row: int) -> str:
    """Move to the start of a row, counted from 0."""
    return f"\x1b[{row + 1};1H"


class Stroke(Struct, frozen=True):
    """What a character of the keyboard does: press this key of the panel for some milliseconds."""

    key: str
    ms: float = Finger.TAP_MS


def taps_and_holds(keys: Mapping[str, str]) -> dict[str, Stroke]:
    """Strokes for a keyboard: each character taps its key, its capital holds it."""
    taps = {character: Stroke(key) for character, key in keys.items()}
    holds = {
        character.upper(): Stroke(key, Finger.HOLD_MS)
        for character, key in keys.items()
        if character.upper() not in keys
    }
    return taps | holds


class Presser(Protocol):
    """What presses keys: a `Finger` on mock pins, or a pad."""

    async def press(self, key: str, ms: float) -> None:
        """Press a key for some milliseconds."""


class Keyboard:
    """The keys of a terminal, pressed on mock pins so that they take the way of real ones.

    It is opened and closed on a running event loop. The terminal gives single characters
    without echo until `close`; Ctrl-C still interrupts.

    Args:
        strokes: what each character presses.
        finger: presses it.
        stream: the terminal to read.
        other: told of every other character.
        ended: called once when the terminal is gone.

    Raises:
        DeviceMissing: the stream is no terminal.
    """

    BACKLOG = 8
    """Presses of one key that may wait for their turn. More come from a key that was left lying
    on the keyboard, and must not go on for minutes after it."""

    def __init__(
        self,
        strokes: Mapping[str, Stroke],
        finger: Presser,
        stream: TextIO = sys.stdin,
        *,
        other: Callable[[str], None] = lambda _: None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._strokes, self._finger = strokes, finger
        self._other, self._ended = other, ended
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pressing: dict[asyncio.Task[None], str] = {}
        self._loop = asyncio.get_running_loop()
        try:
            self._fd = stream.fileno()
            self._before = termios.tcgetattr(self._fd)
        except (OSError, termios.error) as error:
            raise DeviceMissing(
                Phrase("no_keyboard", "the keyboard is no terminal: {why}", why=str(error))
            ) from error
        tty.setcbreak(self._fd)
        self._open = True
        self._loop.add_reader(self._fd, self._read)

    def close(self) -> None:
        """Let go of all keys and give the terminal back as it was."""
        if not self._open:
            return
        self._stop_reading()
        for task in self._pressing:
            task.cancel()
        # Fails only for a terminal that is gone, which needs nothing back.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def _stop_reading(self) -> None:
        self._open = False
        self._loop.remove_reader(self._fd)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 1024)
        except OSError:
            data = b""
        if not data:
            self._stop_reading()
            self._ended()
        for character in self._decoder.decode(data):
            if stroke := self._strokes.get(character):
                self._press(stroke)
            else:
                self._other(character)

    def _press(self, stroke: Stroke) -> None:
        if list(self._pressing.values()).count(stroke.key) < self.BACKLOG:
            task = self._loop.create_task(self._finger.press(stroke.key, stroke.ms))
            self._pressing[task] = stroke.key
            task.add_done_callback(self._pressing.pop)
