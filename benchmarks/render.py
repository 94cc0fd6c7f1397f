"""One picture, and until when it stands: of a score new to the board, and of one it has shown."""

import time
from collections.abc import Sequence

from benchmarks import play
from benchmarks.figures import BATCHES, Figure, Series
from firmware.board.layout import load_layout
from firmware.board.render import _place, _stage, draw
from firmware.i18n import load_language
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
    now = time.perf_counter_ns
    for batch in range(BATCHES):
        for _ in range(ROUNDS):
            _stage.cache_clear()
            _place.cache_clear()
            draw(views[0], layout, language, 0)
            for into in (new, again):
                for n, view in enumerate(views[1:], 1):
                    started_ns = now()
                    draw(view, layout, language, n * 700)
                    into[batch].append((now() - started_ns) / 1000)
    return [
        Figure("render: a picture of a new score", Series(new)),
        Figure("render: a picture seen before", Series(again)),
    ]


def _views() -> Sequence[View]:
    sheet = play.real()
    ledger = opened(sheet, rulebook_of)
    views = [View(scoreline(ledger, sheet.names))]
    for n, record in enumerate(play.taps(sheet), 1):
        ledger.append(record)
        views.append(View(scoreline(ledger, sheet.names), heard_ms=n * 700 - 5))
    return views
