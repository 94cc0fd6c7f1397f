"""The line protocol between handheld pads and a table, on the table's side (docs/pad-protocol.md).

Pure: bytes in, frames out, and answers as bytes. One line a frame, printable, its last word the
CRC of all before it. A line that is not exactly a frame is none: nothing is guessed from it.
"""

import binascii
import re
import unicodedata
from typing import TypeAlias

from msgspec import Struct

from drivers.ports import Answer

LONGEST_LINE = 80
"""Bytes of a line without its end. What is longer is noise."""

LONGEST_TEXT = 32
"""Signs of what a pad is told to show."""

LATE_MS = 1500
"""A press older than this when it arrives does not act: whoever made it was told so by his pad."""

WINDOW = 8
"""How far a press may be ahead of the last known one. Beyond it the pad says hello first."""

HELLO_MS = 5000
"""How often a pad says that it is there while nothing is pressed."""

PAD_NAME = r"^[a-z0-9_-]{1,12}$(?!\n)"

_BATTERY = r"(-|100|[1-9]?[0-9])"
_PAD, _SESSION = r"([a-z0-9_-]{1,12})", r"([0-9a-z]{4})"
_KEY_FRAME = re.compile(
    rf"K {_PAD} {_SESSION}\.([1-9][0-9]{{0,5}}) ([a-z0-9_]{{1,16}}) (press|hold|long) "
    rf"(0|[1-9][0-9]{{0,5}}) {_BATTERY}"
)
_HELLO = re.compile(rf"H {_PAD} {_SESSION}\.(0|[1-9][0-9]{{0,5}}) {_BATTERY}")


class KeyFrame(Struct, frozen=True):
    """A press: `number` counts from 1 in a `session`, which is another one each time a pad starts.

    `held`: the key is held, and for so `long` that no entry is meant. `age_ms` is how long before
    the frame was sent the key went down, or the long hold was one. `battery` is in percent, none
    where it is not known.
    """

    pad: str
    session: str
    number: int
    key: str
    held: bool
    age_ms: int
    battery: int | None
    long: bool = False

    @property
    def id(self) -> str:
        """The press's name: the same each time it is sent."""
        return f"{self.session}.{self.number}"


class Hello(Struct, frozen=True):
    """A pad is there, and done with its presses up to `number`."""

    pad: str
    session: str
    number: int
    battery: int | None


Frame: TypeAlias = KeyFrame | Hello


class BadFrame(ValueError):
    """A line that is no frame."""


def crc(text: bytes) -> str:
    """The check of a line: CRC-16 with polynomial 1021 and start FFFF, four hexadecimal digits.

    `123456789` has 29B1 (CRC-16/IBM-3740 of the RevEng catalogue). It finds every change of up to
    three bits and every one that spans no more than sixteen.
    """
    return f"{binascii.crc_hqx(text, 0xFFFF):04X}"


def read_frame(line: bytes) -> Frame:
    """Read a line, without its end.

    Raises:
        BadFrame: it is not exactly a frame with its check.
    """
    body, _, check = line.rpartition(b" ")
    if len(line) > LONGEST_LINE or check != crc(body).encode():
        raise BadFrame("the check does not fit")
    text = body.decode("ascii", "replace")
    if match := _KEY_FRAME.fullmatch(text):
        pad, session, number, key, gesture, age_ms, battery = match.groups()
        held, long, percent = gesture != "press", gesture == "long", _percent(battery)
        return KeyFrame(pad, session, int(number), key, held, int(age_ms), percent, long)
    if match := _HELLO.fullmatch(text):
        return Hello(match[1], match[2], int(match[3]), _percent(match[4]))
    raise BadFrame("no frame of a pad")


def _percent(text: str) -> int | None:
    return None if text == "-" else int(text)


class Lines:
    """Cuts what arrives into lines; what is too long for one is thrown away up to its end."""

    def __init__(self) -> None:
        self._rest = b""
        self._noise = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without their ends and without empty ones."""
        *ended, rest = (self._rest + data).split(b"\n")
        lines = [line.removesuffix(b"\r") for line in ended]
        if self._noise and lines:
            lines[0], self._noise = b"", False
        if len(rest) > LONGEST_LINE + 1:
            rest, self._noise = b"", True
        self._rest = rest
        return [line for line in lines if line]


def answer_line(answer: Answer, pad: str, id_: str, text: str) -> bytes:
    """The line that says what became of a press: an answer is its first letter."""
    return _line(f"{answer} {pad} {id_} {plain(text)}")


def tell_line(pad: str, text: str) -> bytes:
    """The line that a pad is to show although nothing was pressed."""
    return _line(f"T {pad} {plain(text)}")


def ask_line(pad: str) -> bytes:
    """The line that asks a pad to say hello."""
    return _line(f"Q {pad}")


def _line(text: str) -> bytes:
    body = text.encode("ascii")
    # An empty line first: what a disturbance left half said is not part of ours.
    return b"\n" + body + b" " + crc(body).encode() + b"\n"


_TYPOGRAPHY = str.maketrans({"–": "-", "—": "-", "−": "-", "×": "x", "’": "'", "…": ".", "←": "<"})


def plain(text: str) -> str:
    """A text in the signs that every pad can show: letters lose their accents, none is dropped."""
    parts = unicodedata.normalize("NFKD", text.translate(_TYPOGRAPHY))
    bare = "".join(sign for sign in parts if not unicodedata.combining(sign))
    signs = "".join(sign if " " < sign <= "~" else "?" if sign > "~" else " " for sign in bare)
    return " ".join(signs.split())[:LONGEST_TEXT].strip() or "-"
