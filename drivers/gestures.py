"""From the edges of bouncing contacts to presses and holds; pure, its time is passed in.

The timing is the table of docs/panels.md, at its end. Rules of this file:

- No clock is read here. Every edge and tick brings its own monotonic time in nanoseconds, and
  whatever fell due in between is worked off first, in the order in which it fell due. A late
  tick therefore yields the same events, with the same times, as one in time.
- A key is let go only once its line has been idle for `idle_ms` without a break. Until then all
  chatter belongs to the press that went before, however long that was.
- What is pressed is either acted upon or told as ignored; only spikes too short to be a finger
  are dropped without a word.
- A line that is active more often than fingers and bouncing contacts can make it is floating: a
  wire is loose. It is named, and does nothing until it has been quiet.
"""

from collections import deque
from collections.abc import Mapping
from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import fields

from drivers.errors import WiringError

_NS_PER_MS = 1_000_000
_LONG_AGO = -(10**18)

FLOATING_TIMES = 40
"""A line that is active so many times within a second, each time long enough for a press, floats.
A finger makes ten, twenty if every contact breaks once; a wire that picks up the mains 50 or 60."""

FLOATING_NS = 1000 * _NS_PER_MS
"""The second within which they are counted, and for which a floating line must then be quiet."""


class KeyMode(Enum):
    """When a key acts."""

    PRESS = auto()
    """On the press; holding it means nothing."""

    PRESS_AND_HOLD = auto()
    """On the press, and once more as held: the hold may only add to what the press did."""

    PRESS_OR_HOLD = auto()
    """On the release, or as held, never both."""


class Timing(Struct, frozen=True):
    """The times that tell a finger from a bouncing contact, all in milliseconds.

    Raises:
        WiringError: a time is not above zero, or they do not rise in the order in which
            a press passes through them.
    """

    confirm_ms: float = 4
    """How long a line must be active without a break to count as pressed."""

    idle_ms: float = 25
    """How long it must be idle without a break to count as let go."""

    same_key_ms: float = 100
    """From one accepted press of a key to the next of the same key, first edge to first edge."""

    hold_ms: float = 600
    """From the first edge to the hold."""

    long_ms: float = 3000
    """From the first edge until a key is held for so long that no entry is meant; never before the
    hold."""

    stuck_ms: float = 10_000
    """From the first edge until a key counts as stuck."""

    def __post_init__(self) -> None:
        for one in fields(self):
            if getattr(self, one.name) <= 0:
                raise WiringError(f"{one.name} must be above 0")
        if not self.confirm_ms < self.hold_ms < self.stuck_ms:
            raise WiringError("confirm_ms, hold_ms and stuck_ms must rise in this order")
        if not self.long_ms < self.stuck_ms:
            raise WiringError("long_ms must be below stuck_ms")


class Heard(Struct, frozen=True):
    """A press was accepted. `t_ns` is its first edge, as in the `Pressed` that follows."""

    key: str
    t_ns: int


class Pressed(Struct, frozen=True):
    """A press is complete. `t_ns` is its first edge, for a hold and a release as well."""

    key: str
    held: bool
    t_ns: int


class LongHeld(Struct, frozen=True):
    """A key is still down, long after its hold. `t_ns` is its first edge."""

    key: str
    t_ns: int


class Ignored(Struct, frozen=True):
    """A real press that is not acted upon; `why` is `too_soon`."""

    key: str
    why: str
    t_ns: int


class Stuck(Struct, frozen=True):
    """A key is down for longer than any hold, or was down at the start; `t_ns` is when told."""

    key: str
    t_ns: int


class Floating(Struct, frozen=True):
    """A line changes all by itself; `t_ns` is when told."""

    key: str
    t_ns: int


class Freed(Struct, frozen=True):
    """A stuck or floating key works again; `t_ns` is the last edge before it did."""

    key: str
    t_ns: int


Event: TypeAlias = Heard | Pressed | LongHeld | Ignored | Stuck | Floating | Freed


class _Phase(Enum):
    READY = auto()
    """Let go; the next unbroken activity is a press."""

    DOWN = auto()
    """Accepted, and a release or a hold may still act."""

    SPENT = auto()
    """Accepted or ignored, and nothing more will come of it but the release."""

    STUCK = auto()

    FLOATING = auto()


class _Key(Struct):
    """One contact: its line, and how far the present press has come."""

    name: str
    mode: KeyMode
    phase: _Phase = _Phase.READY
    active: bool = False
    changed_ns: int = _LONG_AGO
    """When the line last changed."""

    first_ns: int = _LONG_AGO
    """The first edge of the present press."""

    accepted_ns: int | None = None
    """The first edge of the last accepted press."""

    long_told: bool = True
    """Whether it was told, or need not be, that the present press is a long one."""

    times: deque[int] = field(default_factory=lambda: deque(maxlen=FLOATING_TIMES))
    """When it was last active for long enough to be a press."""

    def floats(self, active: bool, now_ns: int, confirm_ns: int) -> bool:
        """Take in a change of the line; whether it is active too often."""
        if active or now_ns - self.changed_ns < confirm_ns:
            return False
        self.times.append(now_ns)
        return len(self.times) == FLOATING_TIMES and now_ns - self.times[0] <= FLOATING_NS


class Gestures:
    """The keys of one panel.

    Args:
        keys: the name and mode of each key.
        timing: the times to judge by.
    """

    def __init__(self, keys: Mapping[str, KeyMode], timing: Timing | None = None) -> None:
        timing = timing or Timing()
        self._keys = {name: _Key(name, mode) for name, mode in keys.items()}
        self._confirm_ns = round(timing.confirm_ms * _NS_PER_MS)
        self._idle_ns = round(timing.idle_ms * _NS_PER_MS)
        self._same_key_ns = round(timing.same_key_ms * _NS_PER_MS)
        self._hold_ns = round(timing.hold_ms * _NS_PER_MS)
        self._long_ns = round(max(timing.long_ms, timing.hold_ms) * _NS_PER_MS)
        self._stuck_ns = round(timing.stuck_ms * _NS_PER_MS)
        self._now_ns = 0

    def down_at_start(self, name: str, t_ns: int) -> list[Event]:
        """Tell of a line that was active before the first edge: nobody saw it go down."""
        key = self._keys[name]
        key.active, key.changed_ns, key.phase = True, t_ns, _Phase.STUCK
        return [Stuck(name, t_ns)]

    def edge(self, name: str, active: bool, t_ns: int) -> list[Event]:
        """The line of a key changed; what fell due until then and what the edge brings.

        An edge to the level that the line already has is no edge. One that is older than the
        last edge or tick (the threads that report them may overtake each other) counts as
        having happened just then.

        Raises:
            KeyError: there is no such key.
        """
        key = self._keys[name]
        events = self.tick(t_ns)
        if active == key.active:
            return events
        if active and key.phase is _Phase.READY and self._begins(key):
            key.first_ns = self._now_ns
        if key.floats(active, self._now_ns, self._confirm_ns) and key.phase is not _Phase.FLOATING:
            key.phase, key.long_told = _Phase.FLOATING, True
            events.append(Floating(name, self._now_ns))
        key.active, key.changed_ns = active, self._now_ns
        return events

    def drop(self, name: str) -> None:
        """Nothing more comes of the present press: its device has gone, not the finger."""
        key = self._keys[name]
        if key.phase is _Phase.DOWN:
            key.phase = _Phase.SPENT
        key.long_told = True

    def tick(self, now_ns: int) -> list[Event]:
        """What fell due until `now_ns`, in the order in which it did."""
        events: list[Event] = []
        while (due := self._next()) is not None and due[0] <= now_ns:
            self._now_ns = max(self._now_ns, due[0])
            events += self._fall_due(due[1])
        self._now_ns = max(self._now_ns, now_ns)
        return events

    def deadline_ns(self) -> int | None:
        """When `tick` is due next if no edge comes before; none while all keys rest."""
        due = self._next()
        return None if due is None else due[0]

    def down(self) -> tuple[str, ...]:
        """The keys whose line is active."""
        return tuple(key.name for key in self._keys.values() if key.active)

    def stuck(self) -> tuple[str, ...]:
        """The keys that do not work: those that count as stuck, and floating ones."""
        faulty = (_Phase.STUCK, _Phase.FLOATING)
        return tuple(key.name for key in self._keys.values() if key.phase in faulty)

    def _begins(self, key: _Key) -> bool:
        """Whether an edge now is the first of its press, and not a bounce of one just before.

        What bounces does so soon after the first edge. A line that never stops chattering must
        not date a press back to where the chatter began.
        """
        return self._now_ns - key.first_ns >= self._idle_ns

    def _next(self) -> tuple[int, _Key] | None:
        dues = [(due, key) for key in self._keys.values() if (due := self._due(key)) is not None]
        return min(dues, key=lambda item: item[0], default=None)

    def _due(self, key: _Key) -> int | None:
        """When something happens to this key by itself."""
        if key.phase is _Phase.READY:
            return key.changed_ns + self._confirm_ns if key.active else None
        if key.phase is _Phase.FLOATING:
            return key.changed_ns + FLOATING_NS
        dues = [] if key.active else [key.changed_ns + self._idle_ns]
        if key.phase is not _Phase.STUCK:
            dues.append(key.first_ns + self._stuck_ns)
        if not key.long_told and key.active:
            dues.append(max(key.first_ns + self._long_ns, key.changed_ns))
        if key.phase is _Phase.DOWN and key.active:
            # A contact that breaks for a moment just then is held once it has closed again.
            dues.append(max(key.first_ns + self._hold_ns, key.changed_ns))
        return min(dues, default=None)

    def _fall_due(self, key: _Key) -> list[Event]:
        if key.phase is _Phase.READY:
            return self._accept(key)
        if key.phase is _Phase.FLOATING:
            return self._quiet(key)
        if not key.active and key.changed_ns + self._idle_ns <= self._now_ns:
            return self._let_go(key)
        if key.first_ns + self._stuck_ns <= self._now_ns:
            key.phase = _Phase.STUCK
            return [Stuck(key.name, self._now_ns)]
        if not key.long_told and key.phase is not _Phase.DOWN:
            key.long_told = True
            return [LongHeld(key.name, key.first_ns)]
        key.phase = _Phase.SPENT
        return [Pressed(key.name, held=True, t_ns=key.first_ns)]

    def _accept(self, key: _Key) -> list[Event]:
        if key.accepted_ns is not None and key.first_ns - key.accepted_ns < self._same_key_ns:
            key.phase = _Phase.SPENT
            return [Ignored(key.name, "too_soon", key.first_ns)]
        key.accepted_ns, key.long_told = key.first_ns, False
        key.phase = _Phase.SPENT if key.mode is KeyMode.PRESS else _Phase.DOWN
        heard = Heard(key.name, key.first_ns)
        if key.mode is KeyMode.PRESS_OR_HOLD:
            return [heard]
        return [heard, Pressed(key.name, held=False, t_ns=key.first_ns)]

    def _quiet(self, key: _Key) -> list[Event]:
        """A floating line has stood still for long enough."""
        key.times.clear()
        key.phase = _Phase.STUCK if key.active else _Phase.READY
        if key.active:
            return [Stuck(key.name, self._now_ns)]
        return [Freed(key.name, key.changed_ns)]

    def _let_go(self, key: _Key) -> list[Event]:
        phase, key.phase, key.long_told = key.phase, _Phase.READY, True
        if phase is _Phase.STUCK:
            return [Freed(key.name, key.changed_ns)]
        if phase is _Phase.DOWN and key.mode is KeyMode.PRESS_OR_HOLD:
            return [Pressed(key.name, held=False, t_ns=key.first_ns)]
        return []
