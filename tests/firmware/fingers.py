"""Which keys enter an act: found by trying them, as somebody who has lost the card would."""

import copy
from collections.abc import Iterator
from typing import NamedTuple

from firmware.keys.grammar import Entered, Grammar, Outcome, Waiting
from firmware.keys.keymap import Keymap
from firmware.keys.moment import MatchMoment
from rules.ledger import Ledger
from rules.record import Act

MOST = 6
"""An act that takes more presses is none that anybody would enter in play."""

EVERY_MS = 1500
"""From press to press: further apart than any guard."""


class Tap(NamedTuple):
    """A press: which key, and whether it is held; without a key nothing is pressed for a while."""

    key: str = ""
    held: bool = False


WAIT = Tap()


def keys_for(keymap: Keymap, ledger: Ledger, act: Act, before: Tap = WAIT) -> list[Tap]:
    """The fewest presses that enter this act now; `before` is the press before it.

    Raises:
        LookupError: this panel cannot.
    """
    start = Grammar(keymap)
    start._last = (before.key, before.held)
    for entered, taps in _entered(start, ledger, MOST):
        if entered == act:
            return taps
    raise LookupError(f"{keymap.layout.name} cannot enter {act!r}")


def acts_within(keymap: Keymap, ledger: Ledger, presses: int) -> list[Act]:
    """All that so many presses can enter now."""
    return [act for act, _ in _entered(Grammar(keymap), ledger, presses)]


def _entered(start: Grammar, ledger: Ledger, presses: int) -> Iterator[tuple[Act, list[Tap]]]:
    """Each act and the presses that enter it, those of few presses first."""
    moment, keymap = MatchMoment(ledger.match, ledger), start._keymap
    keys = list(keymap.layout.keys)
    holds = [Tap(key, held=True) for key in keys if key not in keymap.adding]
    gestures = [*(Tap(key) for key in keys), WAIT, *holds]
    tried: list[tuple[Grammar, list[Tap]]] = [(start, [])]
    seen: set[str] = set()
    for _ in range(presses):
        further = []
        for grammar, taps in tried:
            for tap in gestures:
                now = copy.copy(grammar)
                match _done(now, moment, tap, len(taps)):
                    case Entered(entered, again=False):
                        yield entered, [*taps, tap]
                    case Waiting() if (half := _shape(now)) not in seen:
                        seen.add(half)
                        further.append((now, [*taps, tap]))
        tried = further


def _done(grammar: Grammar, moment: MatchMoment, tap: Tap, nth: int) -> Outcome | None:
    """What a press does, or what comes of waiting: two seconds, no dialog's own patience."""
    now_ms = EVERY_MS * (nth + 1)
    if tap == WAIT:
        return grammar.tick(moment, now_ms + EVERY_MS)
    return grammar.press(moment, tap.key, tap.held, now_ms)


def _shape(grammar: Grammar) -> str:
    """What tells one half typed act from another."""
    half = grammar._half
    assert half is not None
    return repr((half.form.name, dict(half.slots), half.page))
