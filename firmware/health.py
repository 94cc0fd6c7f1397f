"""How the table does, as the hall is told: its parts, what is unsaved, and how late its loop is."""

import asyncio
from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from firmware.messages import PadStatus, Status
from firmware.snapshot import View
from rules.rulebooks.shelf import rulebook_of

LAG_EVERY_S = 1.0
"""How often the loop is tried."""

LAG_OVER = 30
"""Over so many tries the worst is told."""


class Health:
    """Gathers what `status` says; `report` is told of each change."""

    def __init__(self, version: str, boot: int, report: Callable[[Status], None]) -> None:
        self._status = Status(version=version, boot=boot, rulebook="", digest="")
        self._report = report

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
            self._report(status)


@cache
def _digest(rulebook: str) -> str:
    return rulebook_of(rulebook).digest()
