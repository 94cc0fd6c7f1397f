"""How the keys of a panel are wired to a Raspberry Pi; pure.

Pins are BCM numbers. The 40-pin header is that of every Pi since the B+ (Raspberry Pi
documentation, "GPIO and the 40-pin header").
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from drivers.errors import WiringError
from drivers.gestures import KeyMode
from drivers.phrases import Phrase, joined

GROUND = Phrase("ground", "ground")
"""The other pole of every supply."""

HEADER: tuple[int | str, ...] = (
    *("3.3 V", "5 V", 2, "5 V", 3, GROUND, 4, 14, GROUND, 15),
    *(17, 18, 27, GROUND, 22, 23, "3.3 V", 24, 10, GROUND),
    *(9, 25, 11, 8, GROUND, 7, 0, 1, 5, GROUND),
    *(6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21),
)
"""What is on header pins 1 to 40: a BCM number, a supply or ground."""

SPI_PINS = frozenset(range(7, 12))
"""BCM numbers of SPI0. Claiming one as a button stops the display until the next boot."""

PULLED_UP_PINS = frozenset({2, 3})
"""BCM numbers of I2C1, with resistors to 3.3 V on the board."""

UART_PINS = frozenset({14, 15})
"""BCM numbers of the serial port of the header."""

PIN_NAME = re.compile(r"(?:GPIO|BCM)(\d{1,2})|(?:J8:|BOARD|PIN)(\d{1,2})", re.IGNORECASE)
"""`GPIO17`, or the place on the header: `J8:11`, `BOARD11`, `PIN11`."""

USB_IDENTITY = "usb:[0-9a-f]{4}:[0-9a-f]{4}(:[^:]+)?"
"""`usb:0403:6001`, or with the serial number of one of several alike `usb:0403:6001:A6008isP`."""


class Contact(Struct, frozen=True):
    """A key with a pin of its own, and when it acts."""

    pin: int
    """BCM number, 2 to 27. 0 and 1 belong to the memory chip of an add-on board."""

    mode: KeyMode = KeyMode.PRESS
    active_high: bool = False
    """False: closes to ground, pulled up. True: closes to 3.3 V, pulled down."""

    pulled: bool = True
    """By the resistor inside the Pi; else there must be one outside."""


class Crosspoint(Struct, frozen=True):
    """A key of a scanned keypad: it connects a row to a column, both BCM numbers."""

    row: int
    column: int
    mode: KeyMode = KeyMode.PRESS


class Chord(Struct, frozen=True):
    """Two keys pressed at once, which then count as this one and not as themselves."""

    keys: tuple[str, str]
    mode: KeyMode = KeyMode.PRESS


class Output(Struct, frozen=True):
    """How a lamp or buzzer is wired. `active_high`: lit by 3.3 V at the pin, else by ground."""

    pin: int
    active_high: bool = True


Wire: TypeAlias = Contact | Crosspoint | Chord

Wiring: TypeAlias = Mapping[str, Wire]
"""The wire of each key, by the key's name."""


def pin_number(pin: int | str) -> int:
    """The BCM number of a pin: the number itself, or a name as `GPIO17` or `J8:11`.

    Raises:
        WiringError: no such pin, or one with power or ground.
    """
    if isinstance(pin, int):
        return pin
    match = PIN_NAME.fullmatch(pin)
    if match is None:
        raise WiringError(
            Phrase("no_pin", "{pin} is no pin, which looks like 17, GPIO17 or J8:11", pin=repr(pin))
        )
    if match[1]:
        return int(match[1])
    place = int(match[2])
    if not 1 <= place <= len(HEADER):
        said = Phrase("no_place", "{pin}: header pin {place} is not there", pin=pin, place=place)
        raise WiringError(said)
    there = HEADER[place - 1]
    if isinstance(there, str):
        raise WiringError(
            Phrase(
                "supply_pin",
                "{pin}: header pin {place} is {supply}",
                pin=pin,
                place=place,
                supply=there,
            )
        )
    return there


def place_of(pin: int) -> str:
    """A pin as a person finds it: BCM number and place on the header."""
    if pin not in HEADER:
        return f"GPIO{pin}"
    place = HEADER.index(pin) + 1
    return Phrase("place", "GPIO{pin}, header pin {place}", pin=pin, place=place)


def where(wire: Wire) -> str:
    """Where a person finds a key's wires."""
    match wire:
        case Contact(pin):
            return place_of(pin)
        case Crosspoint(row, column):
            return Phrase(
                "crosspoint",
                "row {row}; column {column}",
                row=place_of(row),
                column=place_of(column),
            )
        case Chord(keys):
            return " + ".join(keys)


def check_wiring(wiring: Wiring, *, spi: bool) -> None:
    """See whether a Pi can have these wires; `spi` says that SPI0 drives a display.

    Raises:
        WiringError: it cannot; names the key and the pin of every fault.
    """
    faults = [*_each(wiring, spi=spi), *_shared(wiring)]
    if faults:
        raise WiringError(joined("; ", faults), faults=faults)


def _pins(wire: Wire) -> tuple[int, ...]:
    match wire:
        case Contact(pin):
            return (pin,)
        case Crosspoint(row, column):
            return (row, column)
        case Chord():
            return ()


def _taken(key: str, pin: int, use: str, other: str) -> Phrase:
    places = {"key": key, "pin": pin, "other": other}
    match use:
        case "pin":
            return Phrase("pin_of", "{key}: GPIO{pin} is the pin of {other} already", **places)
        case "row":
            return Phrase("row_of", "{key}: GPIO{pin} is a row of {other} already", **places)
    return Phrase("column_of", "{key}: GPIO{pin} is a column of {other} already", **places)


def _each(wiring: Wiring, *, spi: bool) -> Iterator[str]:
    told: set[int] = set()
    for key, wire in wiring.items():
        for pin in _pins(wire):
            if pin in told and isinstance(wire, Crosspoint):
                continue
            told.add(pin)
            if not 2 <= pin <= 27:
                yield Phrase(
                    "not_for_keys",
                    "{key}: GPIO{pin} is not a pin for buttons, which are GPIO2 to GPIO27",
                    key=key,
                    pin=pin,
                )
            elif spi and pin in SPI_PINS:
                yield Phrase(
                    "of_display",
                    "{key}: GPIO{pin} belongs to the display (SPI uses GPIO7 to GPIO11)",
                    key=key,
                    pin=pin,
                )
            elif isinstance(wire, Contact) and wire.active_high and pin in PULLED_UP_PINS:
                yield Phrase(
                    "pulled_up",
                    "{key}: GPIO{pin} is pulled up on the board and cannot be active high",
                    key=key,
                    pin=pin,
                )
        if isinstance(wire, Chord):
            yield from (
                Phrase("no_wires", "{key}: {one} is no key with wires of its own", key=key, one=one)
                for one in wire.keys
                if isinstance(wiring.get(one), Chord | None)
            )


def _shared(wiring: Wiring) -> Iterator[str]:
    """Pins and crosspoints that two keys have."""
    taken: dict[int, tuple[str, str]] = {}
    crossed: dict[tuple[int, int], str] = {}
    for key, wire in wiring.items():
        uses: list[tuple[int, str]] = []
        match wire:
            case Contact(pin):
                uses = [(pin, "pin")]
            case Crosspoint(row, column):
                uses = [(row, "row"), (column, "column")]
                if (row, column) in crossed:
                    other = crossed[row, column]
                    yield Phrase(
                        "crossed",
                        "{key}: row GPIO{row}, column GPIO{column} is {other} already",
                        key=key,
                        row=row,
                        column=column,
                        other=other,
                    )
                crossed.setdefault((row, column), key)
        for pin, use in uses:
            other_use, other = taken.setdefault(pin, (use, key))
            if other != key and (use == "pin" or other_use != use):
                yield _taken(key, pin, other_use, other)
