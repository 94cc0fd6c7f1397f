"""Against presses that a finger did not mean: doubled, late, or made on two devices at once.

Pure; times are monotonic nanoseconds of the key's edge. The numbers are the timing table of
docs/panels.md, at its end, from the best documented failures of other boards.
"""

from msgspec import Struct

from rules.match import Match
from rules.record import Act, Undo

_MS = 1_000_000


class GuardTiming(Struct, frozen=True):
    """In milliseconds: how long the same decision is the same press, and how a burst ends."""

    same_press_ms: float = 1000
    """The same key from the same device, or the same decision from another, within this time."""

    burst_gap_ms: float = 600
    """After an end, presses closer together than this are one burst and do nothing."""

    burst_most_ms: float = 5000
    """However long a burst lasts, the guard lifts after this."""


class _Decision(Struct, frozen=True):
    device: str
    key: str
    act: Act
    t_ns: int


class Guard:
    """Remembers the last decision and the last end of one table."""

    def __init__(self, timing: GuardTiming | None = None) -> None:
        self._timing = timing or GuardTiming()
        self._decision: _Decision | None = None
        self._ended_ns: int | None = None
        self._last_ns = 0
        self._bursting = False
        self._now_ns = 0

    def at(self, t_ns: int) -> None:
        """It is so late by now: what was typed before may be entered only now."""
        self._now_ns = max(self._now_ns, t_ns)

    def pressed(self, t_ns: int) -> None:
        """Take in a press, whatever comes of it: one that means nothing goes on with a burst too.

        It comes before `objection` is asked about the same press.
        """
        self.at(t_ns)
        self._bursting = self._in_burst(t_ns)

    def objection(self, device: str, key: str, act: Act, t_ns: int) -> str | None:
        """Why this press is not acted upon, or none.

        `same_press`: it repeats a decision just made. `already_entered`: another device
        made the same decision. `after_end`: it belongs to a burst that something ended.
        """
        if isinstance(act, Undo):
            self._decision = None
            self._ended_ns = None
            self._bursting = False
            return None
        if self._bursting:
            return "after_end"
        last = self._decision
        if last is not None and t_ns - last.t_ns < self._timing.same_press_ms * _MS:
            if (device, key) == (last.device, last.key):
                return "same_press"
            if device != last.device and act == last.act:
                return "already_entered"
        return None

    def taken(
        self,
        device: str,
        key: str,
        act: Act,
        t_ns: int,
        *,
        before: Match,
        after: Match,
        typed: bool = False,
    ) -> None:
        """A press was entered: see whether it decided or ended something.

        `typed`: the key ended a dialog; outside of it the same key means something else.
        """
        if isinstance(act, Undo):
            return
        # Any other key acted upon in between shows that the next press is one of its own.
        entry = isinstance(act, tuple)
        decided = decides(before, after) or (entry and (typed or not scores(before, after)))
        self._decision = _Decision(device, key, act, t_ns) if decided else None
        if after.ending is not None and before.ending is None:
            self._ended_ns = self._last_ns = max(t_ns, self._now_ns)
            self._bursting = True

    def _in_burst(self, t_ns: int) -> bool:
        if self._ended_ns is None:
            return False
        quiet = t_ns - self._last_ns > self._timing.burst_gap_ms * _MS
        long = t_ns - self._ended_ns > self._timing.burst_most_ms * _MS
        self._last_ns = t_ns
        if quiet or long:
            self._ended_ns = None
            return False
        return True


def scores(before: Match, after: Match) -> bool:
    """Whether who is at the table scored or potted, and plays on; its key may follow at once."""
    was, now = before.visit, after.visit
    return was is not None and now is not None and (now.run, now.stroke) > (was.run, was.stroke)


def decides(before: Match, after: Match) -> bool:
    """Whether an entry ended, fouled, confirmed or chose, rather than merely scored."""
    was, now = before.visit, after.visit
    return (
        (was and was.side) != (now and now.side)
        or before.ending != after.ending
        or before.option != after.option
        or before.stage is not after.stage
        or len(before.finished) != len(after.finished)
    )
