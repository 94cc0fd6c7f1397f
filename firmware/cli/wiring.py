"""`tacada wiring`: the 40-pin header with the pins of a configuration, as text and SVG; pure."""

from collections.abc import Mapping
from html import escape

from drivers.wiring import HEADER, Chord, Contact, Crosspoint
from firmware.config.config import Config, lamps_of, panel_of
from firmware.i18n import load_language
from firmware.keys.keymap import Keymap
from rules.rulebooks import notation_of

_SPI = {7: "taken", 8: "board CS", 9: "taken", 10: "board DIN", 11: "board CLK"}
"""What SPI0 is for a board of MAX7219; two of its pins are taken and stay unconnected."""

_COLUMNS = 2


def uses_of(config: Config) -> dict[int, str]:
    """What each pin is for, by its BCM number.

    Raises:
        ConfigError: the panel cannot be used.
        WiringError: a pin is none.
    """
    uses: dict[int, str] = {}
    if config.board.enabled and config.board.spi_port == 0:
        uses |= _SPI
    if config.panel.enabled:
        notation = notation_of(config.match.rulebook)
        keymap = Keymap(panel_of(config.panel), notation, config.panel.layout)
        language = load_language(config.language)
        for key, wire in keymap.wiring().items():
            label = language.label(keymap.label(key))
            match wire:
                case Contact(pin, _, active_high, pulled):
                    closes = " to 3.3 V" if active_high else ""
                    uses[pin] = f"key {label}{closes}" + ("" if pulled else ", own resistor")
                case Crosspoint(row, column):
                    uses[row] = _more(uses.get(row), "row", label)
                    uses[column] = _more(uses.get(column), "column", label)
                case Chord():
                    pass
    for name, output in lamps_of(config.signals).items():
        what = name if name == "buzzer" else f"lamp {name}"
        uses[output.pin] = what + ("" if output.active_high else ", lit when low")
    return uses


def _more(before: str | None, kind: str, label: str) -> str:
    return f"{kind} {label}" if before is None else f"{before} {label}"


def _names(place: int, uses: Mapping[int, str]) -> tuple[str, str]:
    """What a header pin is, and what it is used for."""
    there = HEADER[place - 1]
    if isinstance(there, str):
        return there, ""
    return f"GPIO{there}", uses.get(there, "")


def as_text(uses: Mapping[int, str]) -> str:
    """The header as one looks at it with its pin 1 at the top left, a line for two pins."""
    rows = [
        (*_names(place, uses), place, place + 1, *_names(place + 1, uses))
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

_PIN = {"3.3 V": "#c0392b", "5 V": "#c0392b", "ground": "#222222"}


def as_svg(uses: Mapping[int, str], title: str) -> str:
    """The same as a drawing; every pin has its name, so that it can be read without colours."""
    height = _PITCH * (len(HEADER) // _COLUMNS + 2)
    longest = max(len(_shown(place, uses)) for place in range(1, len(HEADER) + 1))
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
        parts += _drawn(place, uses, middle)
    return "\n".join([*parts, "</svg>"]) + "\n"


_PIN_X, _GAP = 13, 31
"""From the middle of the header to a pin and to its label."""


def _shown(place: int, uses: Mapping[int, str]) -> str:
    """The label of a pin: its name nearest to it."""
    name, use = _names(place, uses)
    if not use:
        return name
    return f"{name} – {use}" if place % _COLUMNS == 0 else f"{use} – {name}"


def _drawn(place: int, uses: Mapping[int, str], middle: int) -> list[str]:
    name, use = _names(place, uses)
    row, right = (place - 1) // _COLUMNS, place % _COLUMNS == 0
    way = 1 if right else -1
    x, y = middle + way * _PIN_X, _PITCH * (row + 2) - 8
    text_x, anchor = middle + way * _GAP, "start" if right else "end"
    colour = _PIN.get(name, "#1f6f43" if use else "#ffffff")
    ink = "#ffffff" if colour != "#ffffff" else "#222222"
    square = place == 1  # as on the board itself
    shape = (
        f'<rect x="{x - 10}" y="{y - 10}" width="20" height="20" fill="{colour}" stroke="#222222"/>'
        if square
        else f'<circle cx="{x}" cy="{y}" r="10" fill="{colour}" stroke="#222222"/>'
    )
    weight, shown = ' font-weight="bold"' if use else "", escape(_shown(place, uses))
    return [
        shape,
        f'<text x="{x}" y="{y + 4}" text-anchor="middle" fill="{ink}">{place}</text>',
        f'<text x="{text_x}" y="{y + 4}" text-anchor="{anchor}"{weight}>{shown}</text>',
    ]
