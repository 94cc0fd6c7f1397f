"""What a box of a layout can show: each field reads one thing off the view, as text or light.

A text is pages that take turns; a page is forms of one text from long to short, of which the
longest that fits is shown. A field with no page, or not lit, is absent: its box stays dark.
"""

from collections.abc import Callable

from firmware.board.fields import clocks, games, hall, small, words
from firmware.board.fields.seen import Pages, Seen, Text, in_levels, tally
from rules.sides import Side

__all__ = ["CONDITIONS", "SHAPES", "TEXTS", "Pages", "Seen", "Text", "next_tick_ms"]

TEXTS: dict[str, Text] = {**words.TEXTS, **hall.TEXTS, **games.TEXTS, **clocks.TEXTS, **small.TEXTS}
"""The fields of text."""


def _turn(place: Side) -> Callable[[Seen], bool]:
    return lambda seen: seen.view.line is not None and seen.line.turn is seen.at(place)


def _white(place: Side) -> Callable[[Seen], bool]:
    """Who plays white; whose break it is, where no cue ball is a side's own."""
    return lambda seen: (
        seen.view.line is not None and (seen.line.white or seen.line.opener) is seen.at(place)
    )


def _unsaved(seen: Seen) -> bool:
    return seen.view.line is not None and not seen.line.saved


def _extends(place: Side) -> Callable[[Seen], bool]:
    """Whether this side is at the table and can still have more time, or nobody counts that."""

    def shown(seen: Seen) -> bool:
        line, side = seen.view.line, seen.at(place)
        if line is None or line.turn is not side:
            return False
        left = line.figures.extensions
        return left is None or left[side.place] > 0

    return shown


SHAPES: dict[str, Callable[[Seen], bool]] = {
    "at_a": _turn(Side.A),
    "at_b": _turn(Side.B),
    "extends_a": _extends(Side.A),
    "extends_b": _extends(Side.B),
    "white_a": _white(Side.A),
    "white_b": _white(Side.B),
    "unsaved": _unsaved,
    "fault": lambda seen: bool(seen.view.faults),
    "line": lambda _: True,
    **clocks.SHAPES,
}
"""The fields that are lit or not."""


def _one_digit_tally(seen: Seen) -> bool:
    """Whether frames or sets stand beside points, and in one digit each."""
    line = seen.view.line
    if line is None or line.score is None or not in_levels(line):
        return False
    won = tally(seen)
    return won is not None and max(won) < 10


CONDITIONS: dict[str, Callable[[Seen], bool]] = {
    "shot": clocks.shot_shown,
    "time": clocks.match_shown,
    "timed": clocks.any_shown,
    "warns": clocks.warns,
    "alert": games.alerted,
    "tally": _one_digit_tally,
    "chosen": hall.has_chosen,
    "digits": lambda seen: seen.view.typed is not None and bool(seen.view.typed.number),
    "hour": lambda seen: bool(hall.hour_of(seen)),
}
"""When a box stands, besides its screen. Before a name `no_` turns it round."""


def next_tick_ms(seen: Seen, screen: str) -> int | None:
    """The moment at which a clock, the hour or an age on a screen changes next, if ever."""
    line = seen.view.line
    moments = [clocks.next_tick_ms(seen)]
    if screen in ("idle", "rest"):
        moments.append(hall.next_minute_ms(seen))
    if screen == "stale":
        moments.append(hall.next_age_ms(seen))
    counting = seen.view.counting
    if counting is not None:
        if counting.left_s(seen.now_ms) > 0:
            moments.append(seen.now_ms + 1 + (counting.until_ms - seen.now_ms - 1) % 1000)
    elif screen == "pause" and line is not None:
        moments.append(seen.now_ms + 1000 - (seen.match_ms - line.t_ms) % 1000)
    return min((moment for moment in moments if moment is not None), default=None)
