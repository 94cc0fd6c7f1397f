"""`tacada pad`: the reference pad in a terminal, and what a maker of pads wants to know."""

import asyncio
import contextlib
import os
import pty
import signal
import string
import time
import tty
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from serial import Serial

from drivers.errors import DeviceMissing
from drivers.gestures import KeyMode
from drivers.pad import find_port
from drivers.pad_reference.pad import Pad
from drivers.phrases import Phrase, not_opened
from drivers.terminal import Keyboard, Stroke, taps_and_holds
from firmware.i18n import load_language
from firmware.keys.keybook import shipped_or_own
from firmware.keys.panel_layout import PanelLayout, key_modes
from firmware.terminal.words import TerminalWords

STEP_S = 0.01
"""How often the pad looks at its wire and its clock."""

HELD_MS, LONG_MS = 600, 3000
"""A stroke of the keyboard that lasts so long is a hold, or asks about the match."""

MENU = "3"
"""The key of the keyboard for it."""

_MODES = {KeyMode.PRESS: "PRESS", KeyMode.PRESS_AND_HOLD: "ADD", KeyMode.PRESS_OR_HOLD: "HOLD"}


def keys_text(layout_name: str) -> str:
    """KEYS and LONG of the reference pad's keys.py for a layout; the pins are the maker's.

    Raises:
        ConfigError: there is no such layout.
    """
    modes = key_modes(shipped_or_own(layout_name))
    lines = [
        f'    "{key}": ({pin}, {_MODES[mode]}),' for pin, (key, mode) in enumerate(modes.items(), 2)
    ]
    long = ", ".join(f'"{key}"' for key in ok_keys(shipped_or_own(layout_name)))
    return "\n".join(["KEYS = {", *lines, "}", "", f"LONG = ({long},)"])


def ok_keys(layout: PanelLayout) -> tuple[str, ...]:
    """The keys that enter OK, pressed or held: for three seconds they ask about the match."""
    confirming = (
        name.partition(".")[0]
        for layer in ("play", "held")
        for name, text in layout.layers.get(layer, {}).items()
        if "OK" in ((text,) if isinstance(text, str) else text)
    )
    return tuple(dict.fromkeys(confirming))


def letters(layout: PanelLayout) -> dict[str, str]:
    """A letter of the keyboard for each key: one of its name where that is free."""
    found: dict[str, str] = {}
    for key in layout.keys:
        wanted = [sign for sign in key if sign in string.ascii_lowercase]
        free = (sign for sign in [*wanted, *string.ascii_lowercase] if sign not in found)
        if (sign := next(free, None)) is not None:
            found[sign] = key
    return found


class _Presses:
    """Presses keys of a pad by their mode, as its own program would."""

    def __init__(self, pad: Pad, modes: Mapping[str, KeyMode]) -> None:
        self._pad, self._modes = pad, modes

    async def press(self, key: str, ms: float) -> None:
        """Press a key for some milliseconds."""
        mode, held = self._modes[key], ms >= HELD_MS
        if mode is not KeyMode.PRESS_OR_HOLD or not held:
            self._pad.press(key, False, _now_ms())
        if held and mode is not KeyMode.PRESS:
            self._pad.press(key, True, _now_ms())
        if ms >= LONG_MS:
            self._pad.long(key, _now_ms())


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


async def run_pad(
    name: str,
    layout_name: str,
    port: contextlib.AbstractContextManager[int],
    words: TerminalWords,
    say: Callable[[str], None] = partial(print, flush=True),  # noqa: B008 # never changes
) -> None:
    """Be a pad until Ctrl-C; `port` is the file of a serial port, open and not blocking.

    Raises:
        ConfigError: there is no such layout.
        DeviceMissing: there is no port or no keyboard.
    """
    layout = shipped_or_own(layout_name)
    pad = Pad(name, os.urandom(2).hex())
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    of_letters = letters(layout)
    with port as fd:
        presses = _Presses(pad, key_modes(layout))
        strokes = taps_and_holds(of_letters)
        strokes[MENU] = Stroke(ok_keys(layout)[0], LONG_MS)
        keyboard = Keyboard(strokes, presses, ended=ended.set)
        language = load_language(words.code)
        named = (
            f"{sign} {language.label(layout.keys[key].label)}" for sign, key in of_letters.items()
        )
        say(words.say("tryout.pad_keys", keys=" · ".join(named), menu=MENU))
        try:
            await _served(pad, fd, ended, say)
        finally:
            keyboard.close()


async def _served(pad: Pad, fd: int, ended: asyncio.Event, say: Callable[[str], None]) -> None:
    """Carry what the pad says and hears, and say what it shows."""
    shown = ("", "")
    while not ended.is_set():
        with contextlib.suppress(BlockingIOError):
            pad.received(os.read(fd, 4096), _now_ms())
        if line := pad.due(_now_ms()):
            # Nobody may be reading: then it is lost, as on the air.
            with contextlib.suppress(BlockingIOError):
                os.write(fd, line)
        if shown != (pad.mark, pad.text):
            shown = (pad.mark, pad.text)
            say(" ".join(shown))
        await asyncio.sleep(STEP_S)


@contextlib.contextmanager
def serial_port(identity: str, baud: int) -> Iterator[int]:
    """A real port, for a receiver at its other end.

    Raises:
        DeviceMissing: it is not there or cannot be opened.
    """
    path = find_port(identity)
    try:
        port = Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
    except OSError as error:
        raise DeviceMissing(not_opened(path, error)) from error
    with port:
        yield port.fileno()


@contextlib.contextmanager
def linked_port(link: Path) -> Iterator[int]:
    """A port made here, which a table finds at `link` while the pad is on.

    Raises:
        DeviceMissing: something else stands there.
    """
    far, near = pty.openpty()
    tty.setraw(near)
    os.set_blocking(far, False)
    try:
        if link.is_symlink():
            link.unlink()
        link.symlink_to(os.ttyname(near))
    except OSError as error:
        os.close(far)
        os.close(near)
        raise DeviceMissing(
            Phrase(
                "no_link",
                "{path} cannot be made a port: {why}",
                path=str(link),
                why=error.strerror,
            )
        ) from error
    try:
        yield far
    finally:
        link.unlink(missing_ok=True)
        os.close(far)
        os.close(near)
