"""Handheld pads at a real table: what they ask of it, and what their receivers tell."""

from collections.abc import Sequence
from typing import Protocol

from drivers.pad_protocol import Frame
from firmware.devices.pads import Link, Pads, PadSettings
from firmware.table.table import Table
from rules.record import Source


class Receiver(Link, Protocol):
    """A receiver and where it is."""

    @property
    def identity(self) -> str:
        """As in the configuration."""


class Fault(Protocol):
    """Is told what does not work, as `firmware.supervise.Faults.fault` is."""

    def __call__(self, code: str, *, present: bool) -> None:
        """Something does not work, or works again."""


class TableOfPads:
    """What pads ask of a table: a `Host`."""

    def __init__(self, table: Table, fault: Fault) -> None:
        self._table, self._fault = table, fault

    def entered(self, pad: str, id_: str) -> bool:
        """Whether the match was taken up with a record of this press."""
        return Source(pad, id_) in self._table.play.by

    def fault(self, code: str, *, present: bool) -> None:
        """Something about a pad is wrong, or is no more."""
        self._fault(code, present=present)


class ReceiversHeard:
    """Hands on what receivers hear, and says on the board which of them are not there."""

    def __init__(self, pads: Pads, fault: Fault) -> None:
        self._pads, self._fault = pads, fault
        self._missing: set[str] = set()

    def framed(self, receiver: Link, frame: Frame, t_ns: int) -> None:
        """A pad said something."""
        self._pads.framed(receiver, frame, t_ns)

    def linked(self, receiver: Receiver, reason: str) -> None:
        """A receiver is there (no reason), or is not, and why."""
        (self._missing.add if reason else self._missing.discard)(receiver.identity)
        self._fault("PADS", present=bool(self._missing))
        if not reason:
            self._pads.opened(receiver, receiver.identity)


def last_scorer(pads: Sequence[PadSettings], records: Sequence[Source]) -> str | None:
    """The pad with the role `scorer` that made the last record of a match that was taken up."""
    scorers = {pad.name for pad in pads if pad.role == "scorer"}
    return next((by.device for by in reversed(records) if by.device in scorers), None)
