"""The director: which screen the board shows, by an ordered table of which the first fits."""

from collections.abc import Callable
from typing import NamedTuple

from firmware.snapshot import Number, Question, Tell, View
from rules.errors import Code

REFUSED_MS = 2500
NOTE_MS = 1500
IGNORED_MS = 1200
LAST_MS = 5000
"""How long an answer to a press stands."""

IDLE_AFTER_MS = 300_000
"""A match that is over, or has not begun, gives way to the idle screen after so long a rest."""

TOLD_MS = {
    Tell.REFUSED: REFUSED_MS,
    Tell.IGNORED: IGNORED_MS,
    Tell.UNDONE: NOTE_MS,
    Tell.EDITED: NOTE_MS,
}


class Screen(NamedTuple):
    """A screen: when it is shown, and the fields without which it would say too little.

    `timed`: clocks may run behind it, and then stand on it.
    """

    name: str
    applies: Callable[[View, int], bool]
    needs: tuple[str, ...] = ()
    timed: bool = True


class Shot(NamedTuple):
    """What the director chose: a screen's name, and the moment until which it stands.

    `until_ms` is on the monotonic clock; none until the view changes.
    """

    name: str
    until_ms: int | None = None


_SCORES = ("score_a", "score_b", "unsaved")
_MARKERS = ("at_a", "at_b")
_PLAY = (*_SCORES, *_MARKERS, "player", "run", "alert", "fault")
_NO_FRAME = ("first", "drawn", "equaliser", "held", "shootout", "over")
ANSWERS = ("refused", "note", "last")
"""The screens that answer a press."""


def _told(*tells: Tell) -> Callable[[View, int], bool]:
    return lambda view, now_ms: (
        view.told is not None
        and view.told.tell in tells
        and 0 <= now_ms - view.told.since_ms < TOLD_MS[view.told.tell]
        and (view.line is not None or view.told.tell is Tell.REFUSED)
    )


def _last(view: View, now_ms: int) -> bool:
    """An OK that has nothing to confirm asks for the last entries: every panel has that key."""
    told = view.told
    if told is None or view.line is None:
        return False
    asked = told.tell is Tell.REFUSED and told.code == Code.NOTHING_TO_CONFIRM
    return asked and REFUSED_MS <= now_ms - told.since_ms < REFUSED_MS + LAST_MS


def _phase(*phases: str) -> Callable[[View, int], bool]:
    return lambda view, _: view.line is not None and view.line.phase in phases


def _family(family: str) -> Callable[[View, int], bool]:
    return lambda view, _: view.line is not None and view.line.family == family


def _choices(least: int, most: int) -> Callable[[View, int], bool]:
    def applies(view: View, _: int) -> bool:
        option = view.line.option if view.line is not None else None
        return option is not None and least <= len(option.choices) <= most

    return applies


def in_play(view: View) -> bool:
    """Whether a match has begun and its end has not been acknowledged."""
    line = view.line
    return line is not None and line.phase != "over" and line.seq > 0


def resting(view: View, now_ms: int) -> bool:
    """Whether no match is in play and nobody has pressed a key for long."""
    if view.line is None:
        return True
    if in_play(view):
        return False
    return view.heard_ms is not None and now_ms - view.heard_ms >= IDLE_AFTER_MS


def confirmed(view: View) -> bool:
    """Whether the last entry is the OK of an end: nothing has been entered since."""
    line = view.line
    return line is not None and bool(line.last) and line.last[0].entry == "OK"


def _next_frame(view: View, _: int) -> bool:
    """A frame that nothing was entered in, after one that ended; UNDO still leads back to it."""
    line = view.line
    if line is None or line.phase in _NO_FRAME or line.option is not None:
        return False
    shot = line.clock.shot if line.clock is not None else None
    begun = shot is not None and (shot.running or (shot.left_ms or 0) < shot.length_ms)
    return confirmed(view) and not begun


def _message(view: View, now_ms: int) -> bool:
    message = view.message
    return message is not None and message.since_ms <= now_ms < message.until_ms


def _paused(view: View, _: int) -> bool:
    """A time-out or interval was called and nothing came after it, or something is counted."""
    line = view.line
    if view.counting is not None:
        return line is not None
    if line is None or line.phase in ("held", "over") or not line.last:
        return False
    shot = line.clock.shot if line.clock is not None else None
    called = line.last[0].entry.startswith(("TIMEOUT", "INTERVAL"))
    return called and not (shot is not None and shot.running)


SCREENS: tuple[Screen, ...] = (
    Screen("refused", _told(Tell.REFUSED), ("refused_sign", "reason_1", "reason_2", "unsaved")),
    Screen(
        "note",
        _told(Tell.IGNORED, Tell.UNDONE, Tell.EDITED),
        (*_SCORES, "told_title", "told_text"),
    ),
    Screen("last", _last, ("last_1", "last_2", "last_3", "undo")),
    Screen(
        "question",
        lambda view, _: isinstance(view.ask, Question),
        ("ask_title", "choice_1", "choice_2"),
    ),
    Screen("number", lambda view, _: isinstance(view.ask, Number), ("ask_title", "number")),
    Screen(
        "message_idle",
        lambda view, now_ms: _message(view, now_ms) and resting(view, now_ms),
        ("message",),
        timed=False,
    ),
    Screen("idle", resting, ("club", "hour", "idle"), timed=False),
    Screen(
        "stale",
        lambda view, _: view.stale_since_ms is not None,
        ("score_a", "score_b", "last_known", "age"),
        timed=False,
    ),
    Screen(
        "typed", lambda view, _: view.typed is not None, (*_SCORES, "typed_title", "typed_text")
    ),
    Screen("message", _message, (*_SCORES, "message")),
    Screen("pause", _paused, (*_SCORES, "pause_title", "pause_time", "pause_left")),
    Screen("held", _phase("held"), (*_SCORES, "held_cause", "held_then")),
    Screen("over", _phase("over"), (*_SCORES, "over_title", "over"), timed=False),
    Screen(
        "shootout",
        _phase("shootout"),
        ("round_a", "round_b", "match_score", *_MARKERS, "shootout", "unsaved"),
        timed=False,
    ),
    Screen("first", _phase("first"), ("choice", "option_1", "option_2", "unsaved")),
    Screen("choice", _choices(1, 2), (*_SCORES, "choice", "option_1", "option_2")),
    Screen("choices", _choices(3, 99), (*_SCORES, "choice", "options")),
    Screen("next", _next_frame, (*_SCORES, *_MARKERS, "player", "undo_end", "alert", "fault")),
    Screen("equaliser", _phase("equaliser"), (*_SCORES, *_MARKERS, "equaliser", "run", "goal")),
    Screen("snooker", _family("snooker"), (*_PLAY, "ball_on", "sets")),
    Screen("pool", _family("pool"), (*_PLAY, "left")),
    Screen("play", lambda *_: True, (*_PLAY, "innings", "sets")),
)
"""The table. The first screen that applies is shown; the last always does."""

BOOT = Screen("boot", lambda *_: False, ("board_name", "version"), timed=False)
"""Shown before there is a table to see; nobody has to choose it."""


def direct(view: View, now_ms: int) -> Shot:
    """Which screen now, and for how long."""
    name = next(screen.name for screen in SCREENS if screen.applies(view, now_ms))
    return Shot(name, min(_ends(view, name, now_ms), default=None))


def _ends(view: View, name: str, now_ms: int) -> list[int]:
    """The moments at which another screen may apply, with the view as it is."""
    moments = []
    told, message = view.told, view.message
    if told is not None and name in ANSWERS:
        stands_ms = REFUSED_MS + LAST_MS if name == "last" else TOLD_MS[told.tell]
        moments.append(told.since_ms + stands_ms)
    if message is not None:
        moments += [message.since_ms, message.until_ms]
    if view.line is not None and view.heard_ms is not None and not in_play(view):
        moments.append(view.heard_ms + IDLE_AFTER_MS)
    return [moment for moment in moments if moment > now_ms]
