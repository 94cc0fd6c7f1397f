"""What lamps and a buzzer say of the board's view; pure, its time is passed in.

Each signal has a twin on the board, so that a quiet hall needs no buzzer and a table without lamps
misses nothing: heard, the pixel; refused, the text that says why; confirm, the screen that waits
for OK; warning and time, the clock.
"""

from enum import StrEnum

from msgspec import Struct

from firmware.board.screens import TOLD_MS
from firmware.snapshot import Counting, Tell, View
from rules.clock import Call, What


class Signal(StrEnum):
    """What a lamp or the buzzer can say."""

    HEARD = "heard"
    """A key was pressed; nothing is decided yet."""
    REFUSED = "refused"
    """A press was not acted upon."""
    CONFIRM = "confirm"
    """Something waits: an end for its OK, an act that is half typed for its next key."""
    WARNING = "warning"
    """A clock warns."""
    TIME = "time"
    """A clock has run out."""


HEARD_MS = 120
"""As long as the board's pixel."""

BEEPS: dict[Signal, tuple[int, ...]] = {
    Signal.HEARD: (20,),
    Signal.REFUSED: (60, 60, 60),
    Signal.CONFIRM: (),
    Signal.WARNING: (200,),
    Signal.TIME: (800,),
}
"""On, off, on … in milliseconds. A lamp says what lasts: nothing beeps for as long as something is
awaited."""


class Playing(Struct, frozen=True):
    """What to do now: which lamps are lit and for how long, and what the buzzer begins with.

    Milliseconds; none is until something else is to be played.
    """

    lamps: dict[Signal, int | None]
    beeps: tuple[int, ...] = ()


class Signals:
    """Follows the views of one board."""

    def __init__(self) -> None:
        self._heard_ms: int | None = None
        self._counted: Counting | None = None
        self._told_ms: int | None = None
        self._calls: frozenset[Call] = frozenset()

    def seen(self, view: View, now_ms: int) -> Playing:
        """What a view makes lamps and buzzer do."""
        lamps: dict[Signal, int | None] = {}
        new: list[Signal] = []
        if view.heard_ms is not None and (left := view.heard_ms + HEARD_MS - now_ms) > 0:
            lamps[Signal.HEARD] = left
            if view.heard_ms != self._heard_ms:
                new.append(Signal.HEARD)
        self._heard_ms = view.heard_ms
        told = view.told
        if told is not None and told.tell in (Tell.REFUSED, Tell.IGNORED):
            if (left := told.since_ms + TOLD_MS[told.tell] - now_ms) > 0:
                lamps[Signal.REFUSED] = left
                if told.since_ms != self._told_ms:
                    new.append(Signal.REFUSED)
            self._told_ms = told.since_ms
        if view.typed is not None or (view.line is not None and view.line.phase == "held"):
            lamps[Signal.CONFIRM] = None
        calls = frozenset(view.calls)
        for signal, what in ((Signal.WARNING, What.WARNING), (Signal.TIME, What.TIME)):
            if any(call.what is what for call in calls):
                lamps[signal] = None
            if any(call.what is what for call in calls - self._calls):
                new.append(signal)
        self._calls = calls
        if view.counting is not None and view.counting.left_s(now_ms) == 0:
            lamps[Signal.TIME] = None
            if self._counted != view.counting:
                new.append(Signal.TIME)
            self._counted = view.counting
        return Playing(lamps, BEEPS[new[-1]] if new else ())
