"""Letters as text art: every text is drawn, and no letter of it is ever left out.

A font file has its height and the gap between letters in pixels, then the glyphs, each under
`= ` and its character. All letters are capitals. A letter that a font lacks is put together of a
lower letter and its mark, as far as the font is high enough for both. What has no such letter is
written in Latin ones (by anyascii), and what has none of these is a box.
"""

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from anyascii import anyascii

from firmware.errors import ConfigError

FONTS = Path(__file__).parents[1] / "fonts"
"""The fonts that come with the firmware."""

_OTHERWISE = {
    "ß": "ẞ",
    "ẞ": "SS",
    "Æ": "AE",
    "Œ": "OE",
    "Ø": "O",
    "Ð": "Đ",
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


_LOOKS_LIKE = dict(
    zip(
        "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТУХІЈЅГҐПФ",
        "ABEZHIKMNOPTYXABEKMHOPCTYXIJSΓΓΠΦ",
        strict=True,
    )
)
"""Capitals of Greek and Cyrillic that are drawn as others."""

_ABOVE = {
    "\u0300": ("#..", (".#...", "..#..")),  # grave
    "\u0301": ("..#", ("...#.", "..#..")),  # acute
    "\u0302": (".#.", ("..#..", ".#.#.")),  # circumflex
    "\u0303": ("###", (".##.#", "#.##.")),  # tilde
    "\u0304": ("###", (".....", ".###.")),  # macron
    "\u0306": ("##.", (".#.#.", "..#..")),  # breve
    "\u0307": (".#.", (".....", "..#..")),  # dot
    "\u0308": ("#.#", (".....", ".#.#.")),  # diaeresis
    "\u030a": (".#.", ("..##.", "..##.")),  # ring
    "\u030b": (".##", ("..#.#", ".#.#.")),  # double acute
    "\u030c": ("#.#", (".#.#.", "..#..")),  # caron
}
"""Marks above a letter: for a font of six rows, and for one of seven."""

_BELOW = {
    "\u0327": (".#.", ("..#..", ".#...")),  # cedilla
    "\u0328": ("..#", ("...#.", "....#")),  # ogonek
    "\u0326": ("#..", ("..#..", "..#..")),  # comma
}
"""Marks below a letter, likewise."""

_BITS = str.maketrans("#.", "10")

SMALL, WORDS = 6, 7
"""Heights of the fonts of text."""


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
        self._drawn = lru_cache(maxsize=512)(self._draw)

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
        for same in (char, char.upper()):
            if same in self._glyphs:
                return [self._glyphs[same]]
        if char.isspace():
            return self._glyphs_of(" ") if char != " " else []
        marked = self._marked(char.upper())
        if marked is not None:
            return [marked]
        bare = (c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
        for simpler in (
            _OTHERWISE.get(char, char),
            char.upper(),
            _LOOKS_LIKE.get(char, char),
            "".join(bare),
            anyascii(char),
        ):
            if simpler != char:
                found = [glyph for c in simpler for glyph in self._glyphs_of(c)]
                if found:
                    return found
        return []

    def _marked(self, char: str) -> Strip | None:
        """A letter with one mark, put together; none where that cannot be."""
        parts = unicodedata.normalize("NFD", char)
        if len(parts) != 2 or self.height not in (SMALL, WORDS):
            return None
        base = self._glyphs.get(_LOOKS_LIKE.get(parts[0], parts[0]))
        marks = _ABOVE.get(parts[1]) or _BELOW.get(parts[1])
        if base is None or marks is None:
            return None
        small, words = marks
        mark = [small] if self.height == SMALL else list(words)
        above = parts[1] in _ABOVE
        # Above the mark has a dark row under it; in words there is room for one below too.
        rows = self._low(parts[0], base, 4 if self.height == SMALL or above else 5)
        lines = [_centred(line, base.width) for line in mark]
        gap = [0] * (self.height - len(rows) - len(lines))
        if above:
            return Strip(base.width, (*lines, *gap, *rows))
        return Strip(base.width, (*gap, *rows, *lines))

    def _low(self, letter: str, glyph: Strip, height: int) -> list[int]:
        """The rows of a letter under or over a mark: as drawn with another one, else squashed."""
        drawn = (unicodedata.normalize("NFC", letter + mark) for mark in _ABOVE)
        under = next((self._glyphs[char] for char in drawn if char in self._glyphs), None)
        if under is not None and height == 4 and under.width == glyph.width:
            return list(under.rows[-height:])
        return _squashed(glyph, height)


def _centred(line: str, width: int) -> int:
    """A line of a mark over or under a letter of this width."""
    if len(line) > width:
        line = line[(len(line) - width) // 2 :][:width]
    return int(line.translate(_BITS), 2) << (width - len(line)) // 2


def _squashed(glyph: Strip, height: int) -> list[int]:
    """The lit rows of a letter in fewer of them: rows that are as their neighbour go first."""
    rows = list(glyph.rows)
    while rows and not rows[0]:
        rows.pop(0)
    while len(rows) > height:
        twin = next((n for n in range(1, len(rows)) if rows[n] == rows[n - 1]), 1)
        rows.pop(twin)
    return rows


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
    return Strip(len(rows[0]), tuple(int(row.translate(_BITS), 2) for row in rows))
