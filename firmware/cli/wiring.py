"""`tacada wiring`: the 40-pin header with the pins of a configuration, as text and SVG; pure."""

from collections.abc import Mapping
from html import escape

from drivers.wiring import GROUND, HEADER, Chord, Contact, Crosspoint
from firmware.config.config import Config, lamps_of, panel_of
from firmware.doctor.machine import lamp
from firmware.i18n import load_language
from firmware.keys.keymap import Keymap
from firmware.terminal.words import TerminalWords, text
from rules.rulebooks import notation_of

_SPI = {
    7: text("wiring.unused"),
    8: text("wiring.board", line="CS"),
    9: text("wiring.unused"),
    10: text("wiring.board", line="DIN"),
    11: text("wiring.board", line="CLK"),
}
"""What SPI0 is for a board of MAX7219; two of its pins are taken and stay unconnected."""

_COLUMNS = 2


def uses_of(config: Config, words: TerminalWords) -> dict[int, str]:
    """What each pin is for, by its BCM number.

    Raises:
        ConfigError: the panel cannot be used.
        WiringError: a pin is none.
    """
    uses: dict[int, str] = {}
    if config.board.enabled and config.board.spi_port == 0:
        uses |= {pin: words.of(use) for pin, use in _SPI.items()}
    if config.panel.enabled:
        notation = notation_of(config.match.rulebook)
        keymap = Keymap(panel_of(config.panel), notation, config.panel.layout)
        language = load_language(config.language)
        for key, wire in keymap.wiring().items():
            label = language.label(keymap.label(key))
            match wire:
                case Contact(pin, _, active_high, pulled):
                    closes = "wiring.key_high" if active_high else "wiring.key"
                    own = "" if pulled else words.say("wiring.own_resistor")
                    uses[pin] = words.say(closes, label=label) + own
                case Crosspoint(row, column):
                    uses[row] = _more(uses.get(row), words.say("wiring.row"), label)
                    uses[column] = _more(uses.get(column), words.say("wiring.column"), label)
                case Chord():
                    pass
    for name, output in lamps_of(config.signals).items():
        what = words.of(lamp(name))
        uses[output.pin] = what + ("" if output.active_high else words.say("wiring.when_low"))
    return uses


def _more(before: str | None, kind: str, label: str) -> str:
    return f"{kind} {label}" if before is None else f"{before} {label}"


def _names(place: int, uses: Mapping[int, str], words: TerminalWords) -> tuple[str, str]:
    """What a header pin is, and what it is used for."""
    there = HEADER[place - 1]
    if isinstance(there, str):
        return words.of(there), ""
    return f"GPIO{there}", uses.get(there, "")


def as_text(uses: Mapping[int, str], words: TerminalWords) -> str:
    """The header as one looks at it with its pin 1 at the top left, a line for two pins."""
    rows = [
        (*_names(place, uses, words), place, place + 1, *_names(place + 1, uses, words))
        for place in range(1, len(HEADER), _COLUMNS)
    ]
    left = max(len(use) for _, use, *_ in rows)
    lines = [
        f"{use:>{left}}  {name:>6}  {odd:>2} {even:>2}  {other:<6}  {other_use}".rstrip()
        for name, use, odd, even, other, other_use in rows
    ]
    return "\n".join(lines) + "\n"


_PITCH, _HALF = 26, 310
_SIGN = 9.6
"""Room for a sign of a label, of the widest capitals of a common bold font of 12."""

_PIN = {"3.3 V": "#c0392b", "5 V": "#c0392b", GROUND: "#222222"}


def as_svg(uses: Mapping[int, str], title: str, words: TerminalWords) -> str:
    """The same as a drawing; every pin has its name, so that it can be read without colours."""
    height = _PITCH * (len(HEADER) // _COLUMNS + 2)
    longest = max(len(_shown(place, uses, words)) for place in range(1, len(HEADER) + 1))
    middle = max(_HALF, round(_GAP + _SIGN * longest) + 10)
    width = 2 * middle
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{middle}" y="18" text-anchor="middle">{escape(title)}</text>',
    ]
    for place in range(1, len(HEADER) + 1):
        parts += _drawn(place, uses, middle, words)
    return "\n".join([*parts, "</svg>"]) + "\n"


_PIN_X, _GAP = 13, 31
"""From the middle of the header to a pin and to its label."""


def _shown(place: int, uses: Mapping[int, str], words: TerminalWords) -> str:
    """The label of a pin: its name nearest to it."""
    name, use = _names(place, uses, words)
    if not use:
        return name
    return f"{name} – {use}" if place % _COLUMNS == 0 else f"{use} – {name}"


def _drawn(place: int, uses: Mapping[int, str], middle: int, words: TerminalWords) -> list[str]:
    use = _names(place, uses, words)[1]
    row, right = (place - 1) // _COLUMNS, place % _COLUMNS == 0
    way = 1 if right else -1
    x, y = middle + way * _PIN_X, _PITCH * (row + 2) - 8
    text_x, anchor = middle + way * _GAP, "start" if right else "end"
    there = HEADER[place - 1]
    free = "#1f6f43" if use else "#ffffff"
    colour = _PIN[there] if isinstance(there, str) else free
    ink = "#ffffff" if colour != "#ffffff" else "#222222"
    square = place == 1  # as on the board itself
    shape = (
        f'<rect x="{x - 10}" y="{y - 10}" width="20" height="20" fill="{colour}" stroke="#222222"/>'
        if square
        else f'<circle cx="{x}" cy="{y}" r="10" fill="{colour}" stroke="#222222"/>'
    )
    weight, shown = ' font-weight="bold"' if use else "", escape(_shown(place, uses, words))
    return [
        shape,
        f'<text x="{x}" y="{y + 4}" text-anchor="middle" fill="{ink}">{place}</text>',
        f'<text x="{text_x}" y="{y + 4}" text-anchor="{anchor}"{weight}>{shown}</text>',
    ]
