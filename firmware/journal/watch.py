"""Looking through the whole journal while it is in use: a start has no time for its history."""

import asyncio
import logging
import sqlite3
from pathlib import Path

from firmware.journal.check import page_fault
from firmware.supervise import Faults

_log = logging.getLogger(__name__)

FIRST_S = 60
"""After a start the table has better things to do."""

EVERY_S = 24 * 3600

JOURNAL_FAULT = "JOURNAL"


def suspicion(path: Path) -> Path:
    """The file whose presence has the next start read all of the journal, and mend it."""
    return path.with_name(f"{path.name}.suspect")


async def watched(path: Path, faults: Faults) -> None:
    """Look now and then, in a thread of its own; what is found is mended at the next start."""
    wait_s: float = FIRST_S
    while True:
        await asyncio.sleep(wait_s)
        wait_s = EVERY_S
        try:
            why = await asyncio.to_thread(page_fault, path)
        except sqlite3.Error as error:
            _log.warning("%s: could not be looked through: %s", path, error)
            continue
        if why is not None:
            _log.error("%s: %s; start the table again, and it sets the file aside", path, why)
            faults.fault(JOURNAL_FAULT, present=True)
            try:
                suspicion(path).touch()
            except OSError as error:
                _log.error("%s: the next start will not look: %s", suspicion(path), error)
