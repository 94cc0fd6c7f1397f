"""The terminal display and keyboard on a real pseudo-terminal."""

import asyncio
import io
import os
import pty
import re
import select
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.errors import DeviceLost, DeviceMissing, WiringError
from drivers.fakes import Finger, Listener
from drivers.gestures import KeyMode, Timing
from drivers.panel import Panel
from drivers.ports import Display, Picture
from drivers.terminal import Keyboard, Stroke, TerminalDisplay, half_blocks, taps_and_holds
from drivers.wiring import Contact

BALL = Picture.from_text(".##.\n####\n####\n.##.\n#..#\n")


@contextmanager
def a_terminal() -> Iterator[tuple[int, TextIO]]:
    """The far end of a pseudo-terminal and the stream that a program would have."""
    far, near = pty.openpty()
    with _stream(near) as stream:
        try:
            yield far, stream
        finally:
            os.close(far)


def _stream(fd: int) -> TextIO:
    return io.TextIOWrapper(io.FileIO(fd, "r+"), encoding="utf-8", write_through=True)


class Screen:
    """As much of a terminal as the display uses."""

    CODES = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")

    def __init__(self, far: int) -> None:
        self._far = far
        self.lines = [""] * 24
        self.modes: dict[str, bool] = {}
        self.read = ""
        self._row = 0

    def catch_up(self, until: str, timeout_s: float = 10) -> None:
        """Read until a text has come."""
        data = b""
        deadline = time.monotonic() + timeout_s
        while until not in data.decode("utf-8", "replace"):
            assert select.select([self._far], [], [], deadline - time.monotonic())[0], until
            data += os.read(self._far, 4096)
        self.read = data.decode()
        self._take(self.read)

    def _take(self, text: str) -> None:
        at = 0
        for code in self.CODES.finditer(text):
            self._print(text[at : code.start()])
            at = code.end()
            private, numbers, what = code.groups()
            if private:
                self.modes[numbers] = what == "h"
            elif what == "H":
                self._row = int(numbers.split(";")[0]) - 1
            elif what == "K":
                self.lines[self._row] = ""
            elif what == "J":
                self.lines[self._row :] = [""] * (24 - self._row)
        self._print(text[at:])

    def _print(self, text: str) -> None:
        self.lines[self._row] += text


def test_two_pixels_make_a_character() -> None:
    assert half_blocks(BALL) == ["▄██▄", "▀██▀", "▀  ▀"]


def test_the_picture_stands_in_the_corner_with_its_caption_below() -> None:
    async def scene(far: int, stream: TextIO) -> None:
        screen = Screen(far)
        display = TerminalDisplay(4, 5, stream)
        port: Display = display
        assert (port.width, port.height) == (4, 5)
        await display.show(BALL)
        display.caption(["r red", "q \x1b[31mquit"])
        screen.catch_up("quit")
        assert screen.lines[:6] == ["▄██▄", "▀██▀", "▀  ▀", "r red", "q  [31mquit", ""]
        assert screen.modes == {"25": False, "7": False}
        await display.close(blank=False)
        screen.catch_up("\x1b[?25h")
        assert screen.modes == {"25": True, "7": True}
        assert screen.lines[0] == "▄██▄"

    with a_terminal() as (far, stream):
        asyncio.run(scene(far, stream))


def test_only_changed_lines_are_written_and_refresh_writes_all() -> None:
    async def scene(far: int, stream: TextIO) -> None:
        screen = Screen(far)
        display = TerminalDisplay(4, 5, stream)
        await display.show(BALL)
        display.caption(["one", "two"])
        screen.catch_up("two")
        display.caption(["ONE"])
        screen.catch_up("ONE\x1b[5;1H\x1b[2K")
        assert screen.read == "\x1b[4;1H\x1b[2KONE\x1b[5;1H\x1b[2K"
        assert screen.lines[3:5] == ["ONE", ""]
        screen.lines = ["rubbish"] * 24
        await display.refresh()
        screen.catch_up("ONE")
        assert screen.lines[:4] == [*half_blocks(BALL), "ONE"]
        await display.close(blank=True)
        screen.catch_up("\x1b[?25h")
        assert not any(screen.lines)

    with a_terminal() as (far, stream):
        asyncio.run(scene(far, stream))


def test_a_stopped_terminal_holds_nobody_up_and_gets_the_newest_picture() -> None:
    pictures = [Picture(64, 16, (n,) * 16) for n in range(2000)]

    async def scene(far: int, stream: TextIO) -> None:
        screen = Screen(far)
        display = TerminalDisplay(64, 16, stream)
        screen.catch_up("\x1b[2J")
        termios.tcflow(stream.fileno(), termios.TCOOFF)
        for picture in pictures:
            await display.show(picture)
        display.caption(["last"])
        termios.tcflow(stream.fileno(), termios.TCOON)
        screen.catch_up("last")
        assert screen.lines[:8] == half_blocks(pictures[-1])
        assert len(screen.read) < 10_000
        await display.close(blank=True)

    with a_terminal() as (far, stream):
        asyncio.run(scene(far, stream))


def test_closing_a_stopped_terminal_waits_no_longer_than_a_second() -> None:
    async def scene(stream: TextIO) -> None:
        termios.tcflow(stream.fileno(), termios.TCOOFF)
        display = TerminalDisplay(4, 5, stream)
        async with asyncio.timeout(5):
            await display.close(blank=True)
        termios.tcflow(stream.fileno(), termios.TCOON)
        await asyncio.to_thread(display._thread.join, 5)

    with a_terminal() as (_, stream):
        asyncio.run(scene(stream))


async def show_on(display: Display) -> None:
    while True:
        await display.show(BALL)
        await display.refresh()
        await asyncio.sleep(0.001)


def test_a_terminal_that_has_gone_is_lost() -> None:
    async def scene() -> None:
        far, near = pty.openpty()
        with _stream(near) as stream:
            display = TerminalDisplay(4, 5, stream)
            Screen(far).catch_up("\x1b[2J")
            os.close(far)
            with pytest.raises(DeviceLost, match="terminal"):
                await show_on(display)
            await display.close(blank=True)

    asyncio.run(asyncio.wait_for(scene(), 10))


def test_what_cannot_be_shown_is_refused() -> None:
    with a_terminal() as (_, stream):
        assert isinstance(stream, io.TextIOWrapper)
        display = TerminalDisplay(4, 5, stream)
        with pytest.raises(WiringError, match="8x8"):
            asyncio.run(display.show(Picture.blank(8, 8)))
        asyncio.run(display.close(blank=True))
        stream.reconfigure(encoding="ascii")
        with pytest.raises(DeviceMissing, match="UTF-8"):
            TerminalDisplay(4, 5, stream)


WIRING = {"RED": Contact(17), "OK": Contact(27, KeyMode.PRESS_OR_HOLD), "É": Contact(22)}


def test_a_character_taps_and_its_capital_holds() -> None:
    assert taps_and_holds({"r": "RED", "é": "É", " ": "OK"}) == {
        "r": Stroke("RED", 30),
        "R": Stroke("RED", 700),
        "é": Stroke("É", 30),
        "É": Stroke("É", 700),
        " ": Stroke("OK", 30),
    }
    assert taps_and_holds({"a": "X", "A": "Y"}) == {"a": Stroke("X"), "A": Stroke("Y")}


def test_typed_characters_go_the_way_of_real_keys() -> None:
    async def scene(far: int, stream: TextIO) -> None:
        factory, listener, others = MockFactory(), Listener(), list[str]()
        timing = Timing(hold_ms=1_000)
        panel = Panel("panel", WIRING, listener, factory=factory, timing=timing)
        strokes = {"r": Stroke("RED"), "é": Stroke("É"), "K": Stroke("OK", 1_300)}
        finger = Finger(factory, WIRING)
        before = termios.tcgetattr(stream.fileno())
        keyboard = Keyboard(strokes, finger, stream, other=others.append)
        accented = "é".encode()
        os.write(far, b"Krq" + accented[:1])
        await listener.until(3)
        os.write(far, accented[1:] + b"r")
        await listener.until(8)
        keyboard.close()
        keyboard.close()
        panel.close()
        assert [(press.key, press.held) for press in listener.presses] == [
            ("RED", False),
            ("É", False),
            ("RED", False),
            ("OK", True),
        ]
        assert others == ["q"]
        assert termios.tcgetattr(stream.fileno()) == before

    with a_terminal() as (far, stream):
        asyncio.run(scene(far, stream))


def test_the_same_key_typed_fast_counts_each_time_up_to_a_backlog() -> None:
    async def scene(far: int, stream: TextIO) -> None:
        factory, listener = MockFactory(), Listener()
        panel = Panel("panel", WIRING, listener, factory=factory)
        keyboard = Keyboard({"r": Stroke("RED")}, Finger(factory, WIRING), stream)
        os.write(far, b"r" * 100)
        await listener.until(2 * Keyboard.BACKLOG)
        await asyncio.sleep(0.15)
        keyboard.close()
        panel.close()
        assert len(listener.presses) == Keyboard.BACKLOG
        assert not [call for call in listener.calls if call[0] == "ignored"]

    with a_terminal() as (far, stream):
        asyncio.run(scene(far, stream))


def test_no_key_stays_down_when_the_keyboard_is_closed() -> None:
    async def scene(far: int, stream: TextIO) -> None:
        factory, listener = MockFactory(), Listener()
        panel = Panel("panel", WIRING, listener, factory=factory)
        strokes = {"r": Stroke("RED", 60_000)}
        keyboard = Keyboard(strokes, Finger(factory, WIRING), stream)
        os.write(far, b"r")
        await listener.until(2)
        keyboard.close()
        await asyncio.sleep(0)
        assert factory.pin(17).state
        panel.close()

    with a_terminal() as (far, stream):
        asyncio.run(scene(far, stream))


def test_a_keyboard_that_has_gone_is_told_once() -> None:
    async def scene() -> None:
        far, near = pty.openpty()
        ended = asyncio.Event()
        with _stream(near) as stream:
            keyboard = Keyboard({}, Finger(MockFactory(), {}), stream, ended=ended.set)
            os.close(far)
            await asyncio.wait_for(ended.wait(), 10)
            keyboard.close()

    asyncio.run(scene())


def test_a_pipe_is_no_keyboard() -> None:
    async def scene(stream: TextIO) -> None:
        with pytest.raises(DeviceMissing, match="no terminal"):
            Keyboard({}, Finger(MockFactory(), {}), stream)

    reading, writing = os.pipe()
    with open(reading) as stream, open(writing, "w"):
        asyncio.run(scene(stream))
