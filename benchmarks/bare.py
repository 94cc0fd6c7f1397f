"""The floor of a start: the libraries that a table needs, and one picture. Nothing of ours."""

import asyncio  # noqa: F401
import sqlite3  # noqa: F401
import tomllib  # noqa: F401

import aiomqtt  # noqa: F401
import gpiozero  # noqa: F401
import msgspec  # noqa: F401
from gpiozero.pins.mock import MockFactory  # noqa: F401
from luma.led_matrix.device import max7219

from benchmarks.wire import Wire


def main() -> None:
    wire = Wire()
    device = max7219(wire, width=64, height=16, block_orientation=-90)
    for digit in range(8):
        device.data([digit + 1, 0x55] * 16)
    device.persist = True
    with open("/proc/self/status", encoding="ascii") as status:
        most_kib = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
    print(wire.last_ns, most_kib)


if __name__ == "__main__":
    main()
