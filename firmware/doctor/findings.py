"""What the doctor finds, and what it looks at."""

from collections.abc import AsyncIterator, Callable
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from drivers.errors import DriverError
from drivers.lines import PinFactory
from drivers.pins import pi_pins
from firmware.config.config import Config

WATCH_S = 3.0
"""How long the pins are watched for edges."""


class State(StrEnum):
    """How a thing does."""

    OK = "ok"
    LOOK = "look"
    """It may be meant so: a person should look."""
    FAULT = "FAULT"


class Finding(Struct, frozen=True):
    """One thing: what it is, how it does, what was seen, and what to do about it."""

    what: str
    state: State
    says: str
    mend: str = ""


class Examined(Struct, frozen=True):
    """What a check looks at: the configuration, and the machine as far as a test may bring another.

    `watch_s` is how long pins are watched. `root` is where /proc and /run stand. `file` is the
    configuration's, where it has one: other tables of this machine have theirs beside it.
    """

    config: Config
    pins: Callable[[], PinFactory] = pi_pins
    watch_s: float = WATCH_S
    root: Path = Path("/")
    file: Path | None = None


Check: TypeAlias = Callable[[Examined], AsyncIterator[Finding]]


def missing(what: str, error: DriverError) -> Finding:
    """What a driver says it misses; its message names the mend too."""
    says, _, mend = str(error).partition(": ")
    return Finding(what, State.FAULT, says, mend)
