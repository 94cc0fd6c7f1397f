"""Letters as text art: every text is drawn, and no letter of it is ever left out.

A font file has its height and the gap between letters in pixels, then the glyphs, each under
`= ` and its character. All letters are capitals. A character that a font lacks is shown by its
letters without accents, and what has none by a box.
"""

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from firmware.errors import ConfigError

FONTS = Path(__file__).parent / "fonts"
"""The fonts that come with the firmware."""

_OTHERWISE = {
    "ß": "ẞ",
    "ẞ": "SS",
    "Æ": "AE",
    "Œ": "OE",
    "Ø": "O",
    "Ł": "L",
    "Đ": "D",
    "Ð": "D",
    "Þ": "TH",
    "Ħ": "H",
    "ı": "I",
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
    "−": "-",
    "⁄": "/",
}
"""Letters and signs that decompose into nothing simpler."""


class Strip(NamedTuple):
    """Drawn pixels: `rows` top first, the leftmost pixel the highest of `width` bits."""

    width: int
    rows: tuple[int, ...]


class Font:
    """Glyphs of one height, in pixels, with a gap between them."""

    def __init__(self, name: str, height: int, gap: int, glyphs: dict[str, Strip]) -> None:
        self.name = name
        self.height = height
        self.gap = gap
        self._glyphs = glyphs
        self._box = _box(height)
        self._drawn = lru_cache(maxsize=2048)(self._draw)

    def __contains__(self, char: str) -> bool:
        return char in self._glyphs

    def width(self, text: str) -> int:
        """How many pixels wide a text is."""
        return self._drawn(text).width

    def draw(self, text: str) -> Strip:
        """A text as pixels."""
        return self._drawn(text)

    def _draw(self, text: str) -> Strip:
        width, rows = 0, [0] * self.height
        for glyph in self._spelled(text):
            step = glyph.width + (self.gap if width else 0)
            width += step
            rows = [row << step | more for row, more in zip(rows, glyph.rows, strict=True)]
        return Strip(width, tuple(rows))

    def _spelled(self, text: str) -> list[Strip]:
        """The glyphs of a text; an accent alone belongs to the letter before it."""
        glyphs: list[Strip] = []
        for char in unicodedata.normalize("NFC", text):
            if not (glyphs and unicodedata.combining(char)):
                glyphs += self._glyphs_of(char) or [self._box]
        return glyphs

    def _glyphs_of(self, char: str) -> list[Strip]:
        """The glyphs that stand for one character; none where it has no letters here."""
        if char in self._glyphs:
            return [self._glyphs[char]]
        if char.isspace():
            return self._glyphs_of(" ") if char != " " else []
        for simpler in (
            _OTHERWISE.get(char, char),
            char.upper(),
            "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)),
        ):
            if simpler != char:
                found = [glyph for c in simpler for glyph in self._glyphs_of(c)]
                if found:
                    return found
        return []


def _box(height: int) -> Strip:
    """What stands for a character that cannot be drawn."""
    width = max(3, height // 2)
    edge = (1 << width) - 1
    side = 1 << (width - 1) | 1
    return Strip(width, (edge, *[side] * (height - 2), edge))


@lru_cache(maxsize=64)
def load_font(name: str) -> Font:
    """The font with this name.

    Raises:
        ConfigError: there is none, or its file is wrong; with every problem found.
    """
    path = FONTS / f"{name}.txt"
    if not path.is_file():
        known = ", ".join(font_names())
        raise ConfigError([f"{path}: there is no font {name}; there are {known}"])
    return read_font(name, path.read_text("utf-8"))


def font_names() -> tuple[str, ...]:
    """The fonts that there are."""
    return tuple(sorted(path.stem for path in FONTS.glob("*.txt")))


def read_font(name: str, text: str) -> Font:
    """The font that a file's text describes.

    Raises:
        ConfigError: with every problem found.
    """
    sizes = {"height": 0, "gap": 1}
    art: dict[str, list[str]] = {}
    char = ""
    for line in text.splitlines():
        if line.startswith("= "):
            word = line[2:]
            char = chr(int(word[2:], 16)) if word.startswith("U+") else word
            art[char] = []
        elif char and line:
            art[char].append(line)
        elif line and not line.startswith(";"):
            key, _, value = line.partition(" ")
            sizes[key] = int(value)
    height = sizes["height"]
    problems = [
        f"fonts/{name}.txt: {char}: needs {height} rows of # and . of one width"
        for char, rows in art.items()
        if len(rows) != height
        or len({len(row) for row in rows}) != 1
        or set("".join(rows)) - {*"#."}
    ]
    if problems or not art:
        raise ConfigError(problems or [f"fonts/{name}.txt: has no glyphs"])
    glyphs = {char: _strip(rows) for char, rows in art.items()}
    return Font(name, height, sizes["gap"], glyphs)


def _strip(rows: list[str]) -> Strip:
    table = str.maketrans("#.", "10")
    return Strip(len(rows[0]), tuple(int(row.translate(table), 2) for row in rows))
