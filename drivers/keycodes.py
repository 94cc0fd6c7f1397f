"""The keys of a USB keypad as the kernel's input events say them; pure.

Names and numbers are those of linux/input-event-codes.h. Repeats that the kernel makes of a held
key are none of ours, and after events were lost (`SYN_DROPPED`) the state is read anew.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from drivers.errors import WiringError
from drivers.phrases import Phrase

EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
RELEASED, PRESSED, REPEATED = 0, 1, 2

NUMBER_PAD: Mapping[str, int] = {
    "esc": 1,
    "backspace": 14,
    "tab": 15,
    "num": 69,
    "times": 55,
    "7": 71,
    "8": 72,
    "9": 73,
    "minus": 74,
    "4": 75,
    "5": 76,
    "6": 77,
    "plus": 78,
    "1": 79,
    "2": 80,
    "3": 81,
    "0": 82,
    "dot": 83,
    "enter": 96,
    "divide": 98,
    "equal": 117,
}
"""The keys of a number pad by the names that layouts give them (`code = "plus"`)."""


def code_number(code: int | str) -> int:
    """The kernel's number of a key: the number itself, or the name of a number pad's key.

    Raises:
        WiringError: no key of a number pad has that name.
    """
    if isinstance(code, int):
        return code
    if code not in NUMBER_PAD:
        raise WiringError(
            Phrase(
                "no_code",
                "{code} is no key of a number pad; there are {names}",
                code=repr(code),
                names=", ".join(NUMBER_PAD),
            )
        )
    return NUMBER_PAD[code]


class Change(Struct, frozen=True):
    """A key went down or up."""

    code: int
    down: bool


class KeyEvents:
    """Follows one keypad from event to event."""

    def __init__(self) -> None:
        self._down: set[int] = set()
        self._lost = False

    @property
    def down(self) -> frozenset[int]:
        """The codes of the keys that are down."""
        return frozenset(self._down)

    def event(self, kind: int, code: int, value: int) -> Change | None:
        """One event of the kernel; none if no key changed.

        After `SYN_DROPPED` everything up to the next report is old: see `lost`.
        """
        if kind == EV_SYN and code == SYN_DROPPED:
            self._lost = True
        if (
            kind != EV_KEY
            or self._lost
            or value == REPEATED
            or (value == PRESSED) == (code in self._down)
        ):
            return None
        (self._down.add if value == PRESSED else self._down.discard)(code)
        return Change(code, value == PRESSED)

    def lost(self, kind: int, code: int) -> bool:
        """Whether this event ends a gap, so that the state is to be read anew with `now`."""
        if self._lost and kind == EV_SYN and code == SYN_REPORT:
            self._lost = False
            return True
        return False

    def now(self, down: Iterable[int]) -> list[Change]:
        """What has changed where these keys are down now."""
        now = set(down)
        changes = [Change(code, down=False) for code in sorted(self._down - now)]
        changes += [Change(code, down=True) for code in sorted(now - self._down)]
        self._down = now
        return changes
