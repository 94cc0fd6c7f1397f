"""The pins of this Raspberry Pi: lgpio, or a plain word about why not."""

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

from drivers.errors import DeviceMissing
from drivers.panel import PinFactory
from drivers.phrases import Phrase, no_package

HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chips behind the header: of a Pi 5, a Pi 4, and all before it. Their number
has changed with the kernel (gpiochip4 and gpiochip0 on a Pi 5), their label has not."""


def pi_pins(*, chip: int | None = None, dev: Path = Path("/dev")) -> PinFactory:
    """A gpiozero factory for the header's pins, lgpio and no other.

    Left to itself, gpiozero falls back from a library that is missing or may not open its
    device to one that cannot see edges on this kernel, and the keys stay silent.

    Args:
        chip: the number of the /dev/gpiochip, where its label is not a known one.
        dev: where device files stand.

    Raises:
        DeviceMissing: names what is missing, and what to install or which group to join.
    """
    paths = sorted(dev.glob("gpiochip[0-9]*"))
    if not paths:
        raise DeviceMissing(
            Phrase(
                "no_pins",
                "no {dev}/gpiochip*: this machine has no pins; is it a Raspberry Pi?",
                dev=str(dev),
            )
        )
    lgpio = _import_lgpio()
    if chip is None:
        chip = _header_chip(lgpio, paths)
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - needs lgpio

    try:
        return LGPIOFactory(chip=chip)
    except lgpio.error as error:
        names = ", ".join(path.name for path in paths)
        raise DeviceMissing(
            Phrase(
                "chip_shut",
                "gpiochip{chip} cannot be opened: {why}; there are {names}",
                chip=chip,
                why=str(error),
                names=names,
            )
        ) from error


def _import_lgpio() -> Any:
    """Import lgpio, which makes a named pipe in LG_WD, or else in the working directory.

    It moves the whole process there; this brings it back.
    """
    if "LG_WD" not in os.environ:
        runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        os.environ["LG_WD"] = runtime or tempfile.mkdtemp(prefix="tacada-")
    with contextlib.chdir("."):
        try:
            import lgpio  # noqa: PLC0415 - only where there are pins
        except ImportError as error:
            raise DeviceMissing(no_package("lgpio")) from error
        except OSError as error:
            raise DeviceMissing(
                Phrase(
                    "lgpio_pipe",
                    "lgpio cannot write its pipe into LG_WD={folder}: {why}",
                    folder=os.environ["LG_WD"],
                    why=str(error),
                )
            ) from error
    return lgpio


def _header_chip(lgpio: Any, paths: list[Path]) -> int:
    """The number of the chip behind the header, by its label."""
    found: dict[str, int] = {}
    shut = []
    for path in paths:
        chip = int(path.name.removeprefix("gpiochip"))
        try:
            handle = lgpio.gpiochip_open(chip)
        except lgpio.error:
            shut.append(str(path))
            continue
        _, _, _, label = lgpio.gpio_get_chip_info(handle)
        lgpio.gpiochip_close(handle)
        found[label] = chip
    for label in HEADER_CHIPS:
        if label in found:
            return found[label]
    if shut:
        raise DeviceMissing(
            Phrase(
                "chips_shut",
                "cannot open {names}: join the group (sudo usermod -aG gpio $USER), "
                "then log in again",
                names=", ".join(shut),
            )
        )
    raise DeviceMissing(
        Phrase(
            "no_header",
            "no chip known to be a Pi's header among {names}",
            names=", ".join(sorted(found)),
        )
    )
