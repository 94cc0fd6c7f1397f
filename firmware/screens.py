"""The director: which screen the board shows, by an ordered table of which the first fits."""

from collections.abc import Callable
from typing import NamedTuple

from firmware.snapshot import Tell, View

REFUSED_MS = 2500
NOTE_MS = 1500
IGNORED_MS = 1200
"""How long an answer to a press stands."""

TOLD_MS = {
    Tell.REFUSED: REFUSED_MS,
    Tell.IGNORED: IGNORED_MS,
    Tell.UNDONE: NOTE_MS,
    Tell.EDITED: NOTE_MS,
}


class Screen(NamedTuple):
    """A screen: when it is shown, and the fields without which it would say too little."""

    name: str
    applies: Callable[[View, int], bool]
    needs: tuple[str, ...] = ()


class Shot(NamedTuple):
    """What the director chose: a screen's name, and the moment until which it stands.

    `until_ms` is on the monotonic clock; none until the view changes.
    """

    name: str
    until_ms: int | None = None


_SCORES = ("score_a", "score_b", "unsaved")
_MARKERS = ("at_a", "at_b")


def _told(*tells: Tell) -> Callable[[View, int], bool]:
    return lambda view, now_ms: (
        view.told is not None
        and view.told.tell in tells
        and 0 <= now_ms - view.told.since_ms < TOLD_MS[view.told.tell]
    )


def _phase(*phases: str) -> Callable[[View, int], bool]:
    return lambda view, _: view.line is not None and view.line.phase in phases


def _choices(least: int, most: int) -> Callable[[View, int], bool]:
    def applies(view: View, _: int) -> bool:
        option = view.line.option if view.line is not None else None
        return option is not None and least <= len(option.choices) <= most

    return applies


def _in_sets(view: View, _: int) -> bool:
    return view.line is not None and any(level[0] > 1 for level in view.line.to_win.values())


SCREENS: tuple[Screen, ...] = (
    Screen("idle", lambda view, _: view.line is None, ("board_name", "idle")),
    Screen("refused", _told(Tell.REFUSED), ("refused_sign", "reason_1", "reason_2", "unsaved")),
    Screen(
        "note",
        _told(Tell.IGNORED, Tell.UNDONE, Tell.EDITED),
        (*_SCORES, "told_title", "told_text"),
    ),
    Screen(
        "typed", lambda view, _: view.typed is not None, (*_SCORES, "typed_title", "typed_text")
    ),
    Screen("held", _phase("held"), (*_SCORES, "held_cause", "held_then")),
    Screen("over", _phase("over"), (*_SCORES, "over_title", "over")),
    Screen(
        "shootout",
        _phase("shootout"),
        ("round_a", "round_b", "match_score", *_MARKERS, "shootout", "unsaved"),
    ),
    Screen("first", _phase("first"), ("choice", "option_1", "option_2", "unsaved")),
    Screen("choice", _choices(1, 2), (*_SCORES, "choice", "option_1", "option_2")),
    Screen("choices", _choices(3, 99), (*_SCORES, "choice", "options")),
    Screen("equaliser", _phase("equaliser"), (*_SCORES, *_MARKERS, "equaliser", "goal")),
    Screen("play_sets", _in_sets, (*_SCORES, *_MARKERS, "player", "run", "innings", "sets")),
    Screen("play", lambda *_: True, (*_SCORES, *_MARKERS, "player", "run", "innings")),
)
"""The table. The first screen that applies is shown; the last always does."""

BOOT = Screen("boot", lambda *_: False, ("board_name", "version"))
"""Shown before there is a table to see; nobody has to choose it."""


def direct(view: View, now_ms: int) -> Shot:
    """Which screen now, and for how long."""
    name = next(screen.name for screen in SCREENS if screen.applies(view, now_ms))
    told = view.told
    if told is None or name not in ("refused", "note"):
        return Shot(name)
    return Shot(name, told.since_ms + TOLD_MS[told.tell])
