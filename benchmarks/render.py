"""One picture: of a score that the board has not shown yet, and of one that it has."""

import time
from collections.abc import Sequence

from benchmarks import play
from benchmarks.figures import BATCHES, Figure, Series
from firmware.i18n import load_language
from firmware.layout import load_layout
from firmware.render import _place, next_change_ms, render
from firmware.snapshot import View
from rules.replay import opened
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import scoreline

ROUNDS = 12


def run() -> list[Figure]:
    """The views of a real match, one after the other, with empty and with filled stores."""
    layout, language = load_layout("64x16"), load_language("en")
    views = _views()
    new: list[list[float]] = [[] for _ in range(BATCHES)]
    again: list[list[float]] = [[] for _ in range(BATCHES)]
    change: list[list[float]] = [[] for _ in range(BATCHES)]
    now = time.perf_counter_ns
    for batch in range(BATCHES):
        for _ in range(ROUNDS):
            _place.cache_clear()
            render(views[0], layout, language, 0)
            for into in (new, again):
                for n, view in enumerate(views[1:], 1):
                    started_ns = now()
                    render(view, layout, language, n * 700)
                    drawn_ns = now()
                    next_change_ms(view, layout, language, n * 700)
                    into[batch].append((drawn_ns - started_ns) / 1000)
                    change[batch].append((now() - drawn_ns) / 1000)
    return [
        Figure("render: a picture of a new score", Series(new)),
        Figure("render: a picture seen before", Series(again)),
        Figure("render: when it changes next", Series(change)),
    ]


def _views() -> Sequence[View]:
    sheet = play.real()
    ledger = opened(sheet, rulebook_of)
    views = [View(scoreline(ledger, sheet.names))]
    for n, record in enumerate(play.taps(sheet), 1):
        ledger.append(record)
        views.append(View(scoreline(ledger, sheet.names), heard_ms=n * 700 - 5))
    return views
