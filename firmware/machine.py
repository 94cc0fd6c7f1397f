"""What a table asks of its machine, and may not do itself: set the clock, switch off."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime

from firmware.clock import Clock
from firmware.i18n import Language
from firmware.setup.hour import Hour
from firmware.setup.words import load_setup_words
from firmware.systemd import Systemd

_log = logging.getLogger(__name__)

CLOCK_S = 3.0
"""So long it may take until the machine's clock is set."""

OFF_S = 2.0
"""How long the board says that it goes off, before it does."""

TOLD_MS, GOING_MS = 5_000, 60_000
"""How long the board says what came of it, and that it goes off: until it does."""


class Machine:
    """The machine that a table runs on.

    `say` puts a text on the board, for so many milliseconds, in the `language` that it speaks.
    `stop` ends the table in good order.
    """

    def __init__(
        self,
        systemd: Systemd,
        clock: Clock,
        *,
        language: Callable[[], Language],
        say: Callable[[str, int], None],
        stop: Callable[[], None],
    ) -> None:
        self._systemd, self._clock = systemd, clock
        self._language, self._say, self._stop = language, say, stop

    @property
    def sets_clock(self) -> bool:
        """Whether there is a unit that may set the clock."""
        return self._systemd.sets_clock

    def hour(self) -> Hour:
        """What the clock says, in the time of the place."""
        now = datetime.fromtimestamp(self._clock.wall_ms() / 1000, UTC).astimezone()
        return Hour(now.year, now.month, now.day, now.hour, now.minute)

    def set_hour(self, hour: Hour) -> None:
        """Have the clock set, and say what came of it."""
        asked = self._systemd.set_clock(hour.text())
        asyncio.get_running_loop().call_later(CLOCK_S if asked else 0, self._told, asked)

    def _told(self, asked: bool) -> None:
        words = load_setup_words(self._language().code)
        done = asked and not self._systemd.clock_is_asked()
        if not done:
            _log.warning("nothing here sets the clock: systemctl enable --now tacada-time@N.path")
        self._say((words.clock_set if done else words.clock_not_set)[-1], TOLD_MS)

    def turn_off(self) -> None:
        """Say so on the board, then end in good order, and the machine too where that is wished."""
        self._say(self._language().say("board.off"), GOING_MS)
        asyncio.get_running_loop().call_later(OFF_S, self._off)

    def _off(self) -> None:
        if not self._systemd.power_off():
            _log.warning("nothing here turns the machine off; the table ends")
        self._stop()
