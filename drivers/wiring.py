"""How the keys of a panel are wired to a Raspberry Pi; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from drivers.errors import WiringError
from drivers.gestures import KeyMode

SPI_PINS = frozenset(range(7, 12))
"""BCM numbers of SPI0. Claiming one as a button stops the display until the next boot."""

PULLED_UP_PINS = frozenset({2, 3})
"""BCM numbers of I2C1, with resistors to 3.3 V on the board."""

USB_IDENTITY = "usb:[0-9a-f]{4}:[0-9a-f]{4}(:[^:]+)?"
"""`usb:0403:6001`, or with the serial number of one of several alike `usb:0403:6001:A6008isP`."""


@dataclass(frozen=True, slots=True)
class Contact:
    """How one key is wired and when it acts."""

    pin: int
    """BCM number, 2 to 27. 0 and 1 belong to the memory chip of an add-on board."""

    mode: KeyMode = KeyMode.PRESS
    active_high: bool = False
    """False: closes to ground, pulled up inside the Pi. True: closes to 3.3 V, pulled down."""


Wiring: TypeAlias = Mapping[str, Contact]
"""The contact of each key, by the key's name."""


def check_wiring(wiring: Wiring, *, spi: bool) -> None:
    """See whether a Pi can have these contacts; `spi` says that SPI0 drives a display.

    Raises:
        WiringError: it cannot; names the key and the pin of every fault.
    """
    faults = []
    taken: dict[int, str] = {}
    for key, contact in wiring.items():
        pin = contact.pin
        if not 2 <= pin <= 27:
            faults.append(f"{key}: GPIO{pin} is not a pin for buttons, which are GPIO2 to GPIO27")
        elif spi and pin in SPI_PINS:
            faults.append(f"{key}: GPIO{pin} belongs to the display (SPI uses GPIO7 to GPIO11)")
        elif contact.active_high and pin in PULLED_UP_PINS:
            faults.append(f"{key}: GPIO{pin} is pulled up on the board and cannot be active high")
        if pin in taken:
            faults.append(f"{key}: GPIO{pin} is the pin of {taken[pin]} already")
        taken.setdefault(pin, key)
    if faults:
        raise WiringError("; ".join(faults))
