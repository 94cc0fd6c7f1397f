"""Times taken where one module calls another, by wrapping what is called.

The product knows nothing of it. Both the table and its floor run under the same wrappers, whose
cost (well below a microsecond each) is thus in both.
"""

import contextlib
import functools
import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import firmware.journal.worker
from drivers.broker import _MqttSession
from drivers.gestures import Gestures, Heard, Timing
from drivers.matrix import Matrix
from firmware.board.board import Board
from firmware.board.render import Drawing
from firmware.journal.journal import Journal
from firmware.journal.worker import JournalWorker
from firmware.keys.hands import Hands
from firmware.table.table import Table

EDGE, ACCEPTED = "edge confirmed", "accepted"
LISTENER, OWNER, MEANING, JUDGED = "listener", "owner", "meaning", "judged"
ENCODED, THREAD, COMMITTED, LOOP = "encoded", "thread", "committed", "loop"
VIEW, DRAWING, DRAWN, SHOWING, BYTE, SHOWN = "view", "drawing", "drawn", "showing", "byte", "shown"
PUBLISHING = "publishing"

Seam = tuple[Any, str, str | None, str | None]
"""Where it is, its name, and the marks before and after the call."""

SEAMS: Sequence[Seam] = (
    (Table, "pressed", LISTENER, None),
    (Table, "_take", OWNER, None),
    (Hands, "press", None, MEANING),
    (JournalWorker, "commit", JUDGED, None),
    (firmware.journal.worker, "encoded", None, ENCODED),
    (Journal, "write", THREAD, COMMITTED),
    (firmware.journal.worker, "_resolve", LOOP, None),
    (Board, "show", VIEW, None),
    (Drawing, "draw", DRAWING, DRAWN),
    (Matrix, "show", SHOWING, SHOWN),
    (_MqttSession, "publish", PUBLISHING, None),
)

CONFIRM_NS = round(Timing().confirm_ms * 1_000_000)


class Marks:
    """What was passed since the last press, in order; may be noted from any thread."""

    def __init__(self) -> None:
        self._passed: list[tuple[str, int]] = []

    def clear(self) -> None:
        """A new press begins."""
        self._passed = []

    def note(self, mark: str, t_ns: int | None = None) -> None:
        """A mark is passed now, or was at `t_ns` on the monotonic clock."""
        self._passed.append((mark, time.monotonic_ns() if t_ns is None else t_ns))

    def times_ns(self, route: Sequence[str]) -> list[int] | None:
        """When each mark of a route was passed, each after the one before; none if not yet all.

        Of the bytes of a picture the last one counts.
        """
        times: list[int] = []
        passed = iter(self._passed.copy())
        for mark in route:
            last: int | None = None
            for name, t_ns in passed:
                if name == mark:
                    last = t_ns
                    if mark != BYTE:
                        break
                elif mark == BYTE and name == SHOWN:
                    break
            else:
                return None
            if last is None:
                return None
            times.append(last)
        return times

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Note the marks of all seams while in the block."""
        with contextlib.ExitStack() as stack:
            for seam in SEAMS:
                stack.enter_context(self._wrapped(*seam))
            stack.enter_context(self._acceptance())
            yield

    @contextlib.contextmanager
    def _acceptance(self) -> Iterator[None]:
        """The moment in which the gestures accept a press, and when it was due."""
        tick = Gestures.tick

        def noted(gestures: Gestures, now_ns: int) -> Any:
            events = tick(gestures, now_ns)
            for event in events:
                if isinstance(event, Heard):
                    self.note(EDGE, event.t_ns + CONFIRM_NS)
                    self.note(ACCEPTED)
            return events

        with _replaced(Gestures, "tick", noted):
            yield

    def _wrapped(
        self, owner: Any, name: str, before: str | None, after: str | None
    ) -> contextlib.AbstractContextManager[None]:
        called = getattr(owner, name)

        @functools.wraps(called)
        def noted(*args: Any, **kwargs: Any) -> Any:
            if before is not None:
                self.note(before)
            result = called(*args, **kwargs)
            if after is not None:
                self.note(after)
            return result

        @functools.wraps(called)
        async def noted_async(*args: Any, **kwargs: Any) -> Any:
            if before is not None:
                self.note(before)
            result = await called(*args, **kwargs)
            if after is not None:
                self.note(after)
            return result

        wrapper = noted_async if inspect.iscoroutinefunction(called) else noted
        return _replaced(owner, name, wrapper)


@contextlib.contextmanager
def _replaced(owner: Any, name: str, by: Callable[..., Any]) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, by)
    try:
        yield
    finally:
        setattr(owner, name, before)
