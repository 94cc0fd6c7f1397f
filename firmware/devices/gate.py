"""Between every key and the table: a key that only wakes, a locked panel, a key that turns off.

Whoever presses is told what became of it, here as everywhere.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from drivers.ports import Answer, Press
from firmware.board.screens import resting
from firmware.clock import Clock
from firmware.snapshot import View

_log = logging.getLogger(__name__)

_MS = 1_000_000

WOKE, LOCKED = "woke", "locked"


class Behind(Protocol):
    """The table, as the gate needs it."""

    @property
    def view(self) -> View:
        """What the board shows."""

    def heard(self, device: str, key: str) -> None:
        """A key went down."""

    def pressed(self, press: Press) -> None:
        """A press to be judged."""

    def long_held(self, device: str, key: str) -> None:
        """A key held so long that more is meant than its hold."""

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that is not acted upon."""

    def stuck(self, device: str, key: str, where: str) -> None:
        """A key that is down for too long."""

    def floating(self, device: str, key: str, where: str) -> None:
        """A key whose line changes all by itself."""

    def freed(self, device: str, key: str) -> None:
        """Such a key works again."""

    def fault(self, code: str, *, present: bool) -> None:
        """Something stands on the board as not in order."""

    def retract(self, code: str) -> None:
        """What was told by this code holds no more."""


class Gate:
    """A `KeyListener` before the table's.

    `lock` and `off` are the keys that, held for `Timing.long_ms`, lock or unlock their device, and
    turn the table off; none where empty. `on_off` turns off. `answer` is told of presses that do
    not reach the table.
    """

    def __init__(
        self,
        table: Behind,
        clock: Clock,
        *,
        lock: str,
        off: str,
        on_off: Callable[[], None],
        answer: Callable[[Press, Answer], None],
    ) -> None:
        self._table, self._clock = table, clock
        self._lock, self._off, self._on_off, self._answer = lock, off, on_off, answer
        self._waking: set[tuple[str, str]] = set()
        self._locked: set[str] = set()

    def use(self, lock: str, off: str) -> None:
        """The same keys by their names in another game."""
        self._lock, self._off = lock, off

    def heard(self, device: str, key: str) -> None:
        """A key went down: at an idle board it only wakes."""
        if resting(self._table.view, self._clock.now_ns() // _MS):
            self._waking.add((device, key))
        else:
            self._waking.discard((device, key))
        if device not in self._locked:
            self._table.heard(device, key)

    def pressed(self, press: Press) -> None:
        """A press for the table, unless its device is locked or it has woken the board."""
        if press.device in self._locked:
            self._refuse(press, LOCKED)
        elif (press.device, press.key) in self._waking:
            self._refuse(press, WOKE)
        else:
            self._table.pressed(press)

    def _refuse(self, press: Press, why: str) -> None:
        self._table.ignored(press.device, press.key, why)
        self._answer(press, Answer.REFUSED)

    def long_held(self, device: str, key: str) -> None:
        """A key is held for so long that it is no entry any more."""
        if key == self._lock:
            self._locked ^= {device}
            _log.warning("%s is %s", device, "locked" if device in self._locked else "unlocked")
            self._table.fault(f"LOCK {device}", present=device in self._locked)
            # The same hold, on its way, was told that it meets a lock.
            self._table.retract(LOCKED)
        elif key == self._off and device not in self._locked:
            _log.warning("turned off by key %s of %s", key, device)
            self._on_off()
        elif device not in self._locked:
            self._table.long_held(device, key)

    def ignored(self, device: str, key: str, why: str) -> None:
        """A press that the device itself left out."""
        self._table.ignored(device, key, why)

    def stuck(self, device: str, key: str, where: str) -> None:
        """A key that is down for too long."""
        self._table.stuck(device, key, where)

    def floating(self, device: str, key: str, where: str) -> None:
        """A key whose line changes all by itself."""
        self._table.floating(device, key, where)

    def freed(self, device: str, key: str) -> None:
        """Such a key works again."""
        self._table.freed(device, key)
