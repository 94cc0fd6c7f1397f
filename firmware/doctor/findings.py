"""What the doctor finds, and what it looks at; the words are those of the club's language."""

from collections.abc import AsyncIterator, Callable
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from drivers.errors import DriverError
from drivers.lines import PinFactory
from drivers.pins import pi_pins
from firmware.config.config import Config
from firmware.terminal.words import TerminalWords, Text

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

    what: Text | str
    state: State
    says: Text | str
    mend: Text | str = ""
    with_mend: bool = False
    """What it says is a sentence that goes on with the mend."""


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


def missing(what: Text | str, error: DriverError) -> Finding:
    """What a driver says it misses; its sentence names the mend too, behind a colon."""
    return Finding(what, State.FAULT, error.args[0], with_mend=True)


class Wording(Struct, frozen=True):
    """A finding as it reads in a language."""

    what: str
    state: State
    says: str
    mend: str


def in_words(finding: Finding, words: TerminalWords) -> Wording:
    """A finding as it reads in a language."""
    what, says, mend = (words.of(one) for one in (finding.what, finding.says, finding.mend))
    if finding.with_mend:
        says, _, mend = says.partition(": ")
    return Wording(what, finding.state, says.strip(), mend)
