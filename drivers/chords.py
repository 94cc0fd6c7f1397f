"""Two keys at once that count as one; pure, its time is passed in.

Only keys that a chord names are concerned. Such a key acts once nothing can make a chord of it any
more: its partner did not follow in time, or it was let go before.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from drivers.gestures import Event, Heard, Pressed

CHORD_MS = 80
"""How long after the first key of a chord the second may follow, first edge to first edge."""

_WINDOW_NS = CHORD_MS * 1_000_000


class _Waiting(Struct):
    """A key of a chord that went down and acts only if its partner does not follow."""

    t_ns: int
    pressed: list[Pressed]


class Chords:
    """Makes chords of what the keys of a panel say.

    Args:
        chords: the two keys of each chord, by the chord's name.
    """

    def __init__(self, chords: Mapping[str, tuple[str, str]]) -> None:
        self._chords = {frozenset(keys): name for name, keys in chords.items()}
        self._members = frozenset(key for keys in chords.values() for key in keys)
        self._waiting: dict[str, _Waiting] = {}
        self._spent: dict[str, int] = {}
        """Keys whose press became a chord, with its first edge: nothing more comes of it."""

    def feed(self, events: Iterable[Event], now_ns: int) -> list[Event]:
        """What is to be told of these events, and of what waited until now."""
        told: list[Event] = []
        for event in events:
            if isinstance(event, Heard) and event.key in self._members:
                told += self.due(event.t_ns)
                told += self._heard(event)
            elif isinstance(event, Pressed) and event.key in self._members:
                if self._spent.get(event.key) == event.t_ns:
                    continue
                waiting = self._waiting.get(event.key)
                if waiting is not None and waiting.t_ns == event.t_ns:
                    waiting.pressed.append(event)
                else:
                    told.append(event)
            else:
                told.append(event)
        return told + self.due(now_ns)

    def _heard(self, event: Heard) -> list[Event]:
        for other, waiting in self._waiting.items():
            name = self._chords.get(frozenset((event.key, other)))
            if name is not None:
                del self._waiting[other]
                self._spent |= {other: waiting.t_ns, event.key: event.t_ns}
                return [event, Pressed(name, held=False, t_ns=waiting.t_ns)]
        self._waiting[event.key] = _Waiting(event.t_ns, [])
        return [event]

    def due(self, now_ns: int) -> list[Event]:
        """What acts by itself since its partner did not follow."""
        told: list[Event] = []
        for key, waiting in list(self._waiting.items()):
            if now_ns - waiting.t_ns >= _WINDOW_NS:
                told += waiting.pressed
                del self._waiting[key]
        return told

    def deadline_ns(self) -> int | None:
        """When `due` is next; none while nothing waits."""
        return min((one.t_ns + _WINDOW_NS for one in self._waiting.values()), default=None)
