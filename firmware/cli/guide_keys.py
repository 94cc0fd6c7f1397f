"""The pins that `tacada setup` listens to while a volunteer presses one key after the other."""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterator

from drivers.errors import DriverError
from drivers.lines import PinFactory
from drivers.probe import Probe
from drivers.wiring import SPI_PINS, Contact

LOOK_S = 0.02
"""How often the pins are looked at while a key is waited for."""


def is_down(probe: Probe) -> bool:
    """Whether the key at a pin is down, as far as its wire can be trusted."""
    return any(line.active and not line.floating for line in probe.found().values())


async def pressed_pin(
    probes: dict[int, Probe], taken: Collection[int], another_s: Callable[[int], None]
) -> int:
    """The pin of the key that is pressed and let go; `another_s` is told one that is `taken`."""
    held: int | None = None
    while True:
        await asyncio.sleep(LOOK_S)
        active = [pin for pin, probe in probes.items() if is_down(probe)]
        if held is None:
            held = next(iter(active), None)
        elif held not in active:
            if held not in taken:
                return held
            another_s(held)
            held = None


@contextlib.contextmanager
def watched(factory: PinFactory, *, spi: bool) -> Iterator[dict[int, Probe]]:
    """Every pin that can be a key's, and is nobody else's.

    Raises:
        DriverError: none can be had.
    """
    probes: dict[int, Probe] = {}
    refused: DriverError | None = None
    try:
        for pin in range(2, 28):
            if spi and pin in SPI_PINS:
                continue
            try:
                probes[pin] = Probe({str(pin): Contact(pin)}, factory)
            except DriverError as error:
                refused = error
        if refused is not None and not probes:
            raise refused
        yield probes
    finally:
        for probe in probes.values():
            probe.close()
