"""Looking at input lines: how they stand, whether they follow their pull, how often they change."""

import time
from collections.abc import Mapping
from typing import Any

from gpiozero.exc import PinFixedPull
from msgspec import Struct, field

from drivers.errors import DeviceMissing
from drivers.lines import PinFactory, claim_input
from drivers.wiring import Contact

FLOATING_EDGES = 20
"""So many edges in a second are no finger's."""


class Probed(Struct, frozen=True):
    """One line: its level, whether that means a key that is down, and its pull.

    `held_outside`: with the other pull it stays as it is, so something outside holds it.
    `last_edge_s` is how long ago it last changed, none if it has not.
    """

    high: bool
    active: bool
    pull: str
    held_outside: bool
    edges: int
    last_edge_s: float | None
    floating: bool


class _Line(Struct):
    device: Any
    contact: Contact
    held_outside: bool
    since_s: float
    edges: list[float] = field(default_factory=list)


class Probe:
    """Some lines that are being watched, from when it is made until it is closed.

    Raises:
        DeviceMissing: a pin cannot be claimed.
    """

    def __init__(self, contacts: Mapping[str, Contact], factory: PinFactory) -> None:
        self._lines: dict[str, _Line] = {}
        try:
            for name, contact in contacts.items():
                device = claim_input(name, contact, factory)
                held = _held(device, contact)
                line = _Line(device, contact, held, time.monotonic())
                self._lines[name] = line
                device.when_activated = device.when_deactivated = _noted(line)
        except DeviceMissing:
            self.close()
            raise

    def found(self) -> dict[str, Probed]:
        """What has been seen of each line by now."""
        return {name: _found(line) for name, line in self._lines.items()}

    def close(self) -> None:
        """Let go of the pins."""
        for line in self._lines.values():
            line.device.close()


def _noted(line: _Line) -> Any:
    # On the pin library's thread, which an exception would end: a list takes anything.
    return lambda: line.edges.append(time.monotonic())


def _held(device: Any, contact: Contact) -> bool:
    """Whether a line stands as it does whatever the pull inside says."""
    pin = device.pin
    before, pull = pin.state, pin.pull
    try:
        pin.pull = "down" if before else "up"
        held = bool(pin.state == before)
        pin.pull = pull if contact.pulled else "floating"
    except PinFixedPull:
        return True
    return held


def _found(line: _Line) -> Probed:
    now_s = time.monotonic()
    edges = list(line.edges)
    watched_s = max(now_s - line.since_s, 0.001)
    return Probed(
        high=bool(line.device.pin.state),
        active=bool(line.device.is_active),
        pull="down" if line.contact.active_high else "up",
        held_outside=line.held_outside,
        edges=len(edges),
        last_edge_s=now_s - edges[-1] if edges else None,
        floating=len(edges) / watched_s >= FLOATING_EDGES,
    )
