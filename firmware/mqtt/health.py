"""How the table does, as the hall is told: its parts, what is unsaved, and how late its loop is."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

from msgspec.structs import replace

from firmware.mqtt.messages import Device, PadStatus, Presence, Status
from firmware.snapshot import View
from rules.rulebooks.shelf import rulebook_of

LAG_EVERY_S = 1.0
"""How often the loop is tried."""

LAG_OVER = 30
"""Over so many tries the worst is told."""


_PART_OF = {"BOARD": "board", "DISK": "journal", "PANEL": "panel"}
"""The parts that are away while these faults stand."""


class Health:
    """Gathers what `status` and `presence` say; `report` is told of each change.

    `parts` are those that the table should have. A part with a fault of its name is away.
    """

    def __init__(
        self,
        version: str,
        boot: int,
        report: Callable[[Status, Presence], None],
        parts: tuple[Device, ...] = (),
    ) -> None:
        self._status = Status(version=version, boot=boot, rulebook="", digest="")
        self._report, self._parts = report, parts

    def seen(self, view: View, refused: int) -> None:
        """What the board shows now, and the presses that were not acted upon."""
        line = view.line
        status = replace(self._status, faults=view.faults, refused=refused)
        if line is not None:
            book = line.rulebook
            status = replace(status, rulebook=book, digest=_digest(book), saved=line.saved)
        self._tell(status)

    def pads(self, pads: tuple[PadStatus, ...]) -> None:
        """How the handheld pads do."""
        self._tell(replace(self._status, pads=pads))

    async def measure(self) -> None:
        """Try the loop for ever: a nap that ends late was kept waiting by something."""
        loop = asyncio.get_running_loop()
        while True:
            worst_s = 0.0
            for _ in range(LAG_OVER):
                due_s = loop.time() + LAG_EVERY_S
                await asyncio.sleep(LAG_EVERY_S)
                worst_s = max(worst_s, loop.time() - due_s)
            self._tell(replace(self._status, lag_ms=round(worst_s * 1000)))

    def _tell(self, status: Status) -> None:
        if status != self._status:
            self._status = status
            self._report(status, self._presence())

    def _presence(self) -> Presence:
        """Who is there now: parts, pads and phones."""
        status = self._status
        away = {_PART_OF.get(fault.partition(" ")[0], "") for fault in status.faults}
        devices = [replace(one, connected=one.kind not in away) for one in self._parts]
        for pad in status.pads:
            at = "" if pad.last_seen_ms is None else _hour(pad.last_seen_ms)
            kind = "phone" if pad.name == "phone" else "pad"
            devices = [one for one in devices if one.name != pad.name]
            devices.append(Device(pad.name, kind, pad.present, at))
        return Presence("table", status.version, True, status.faults, tuple(devices))


@cache
def _digest(rulebook: str) -> str:
    return rulebook_of(rulebook).digest()


def _hour(at_ms: int) -> str:
    """An hour for people, in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%MZ")
