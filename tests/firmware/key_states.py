"""Every state that keys can lead to, breadth first: what each key does there, and what boards show.

Asks 3 and 31 are about states nobody thought of, so none is left to chance here. States are told
apart by what they are to somebody at the panel: what the match waits for, what is half typed, and
what each key would do now; two positions in which all of that is the same are one state. `python -m
tests.firmware.key_states` goes through all of them, the tests as far as their time allows.
"""

import copy
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

from drivers.ports import Picture
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.i18n import load_language
from firmware.keys.bindings import NewMatch
from firmware.keys.grammar import Cleared, Entered, Grammar, Outcome, Waiting
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap
from firmware.keys.moment import MatchMoment
from firmware.snapshot import View
from firmware.table.guard import decides
from rules.errors import NotAllowed
from rules.ledger import Ledger, after_all
from rules.match import Match, digest
from rules.record import Control, Record
from rules.scoreline import scoreline
from tests.firmware.test_bursts import FORMATS
from tests.firmware.typist import match_of, shipped

Gesture: TypeAlias = tuple[str, bool]
"""A key, and whether it is held."""

EN = load_language("en")
BOARDS = [load_layout(name) for name in ("32x8", "64x16")]
STEP_MS = 1100
MOMENTS = range(0, 16_000, 500)


class Does(NamedTuple):
    """What a gesture would do at once: its kind, and the act in a word."""

    kind: str
    what: str


class State(NamedTuple):
    """A match, what is half typed, and the acts that led there."""

    match: Match
    grammar: Grammar
    now_ms: int
    acts: tuple[object, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def moment(self) -> MatchMoment:
        return MatchMoment(self.match)

    def pressed(self, gesture: Gesture) -> "tuple[Outcome, State | None]":
        """What a gesture comes to, and the state after it; none if nothing was entered or typed."""
        key, held = gesture
        grammar, now_ms = copy.copy(self.grammar), self.now_ms + STEP_MS
        keys = (*self.keys, key + "!" * held)
        outcome = grammar.press(self.moment, key, held, now_ms)
        match outcome:
            case Entered(act, _, again) if isinstance(act, tuple):
                try:
                    after = after_all(self.match, act)
                except NotAllowed:
                    return outcome, None
                state = State(after, grammar, now_ms, (*self.acts, act), keys)
                return state.pressed(gesture) if again else (outcome, state)
            case Waiting() | Cleared():
                return outcome, State(self.match, grammar, now_ms, self.acts, keys)
        return outcome, None


def _own(match: Match, of: Match) -> int:
    """The score of who is at the table in `of`."""
    visit, score = of.visit, match.frame.score if match.frame is not None else None
    return score[visit.side.place] if visit is not None and score is not None else 0


def does(state: State, gesture: Gesture) -> Does:
    """What a gesture would do now."""
    outcome, after = state.pressed(gesture)
    match outcome:
        case Entered(act, dialog):
            if isinstance(act, Control):
                return Does("control", type(act).__name__)
            if after is None:
                return Does("nothing", "")
            words = " ".join(type(entry).__name__ for entry in act) + dialog
            if _own(state.match, state.match) < _own(after.match, state.match):
                return Does("scores", words)
            return Does("ends" if decides(state.match, after.match) else "goes on", words)
        case Waiting() if after is not None:
            typed = after.grammar.typed(after.moment)
            return Does("types", typed.dialog if typed is not None else "")
        case Cleared():
            return Does("clears", "")
        case NewMatch():
            return Does("begins anew", "")
    return Does("nothing", "")


class Seen(NamedTuple):
    """A state, and what each gesture does in it."""

    state: State
    kinds: dict[Gesture, Does]


def sort_of(seen: Seen) -> tuple[object, ...]:
    """What a state is to somebody at the panel."""
    match, typed = seen.state.match, seen.state.grammar.typed(seen.state.moment)
    option, ending = match.option, match.ending
    return (
        seen.state.moment.context,
        None if option is None else (option.kind, option.choices),
        None if ending is None else (ending.cause, ending.then),
        None if typed is None else (typed.dialog, typed.refused, len(typed.number)),
        tuple(seen.kinds.values()),
    )


class Search:
    """The states of one panel in one match."""

    def __init__(self, panel: str, rulebook: str, format_: str) -> None:
        self.keymap: Keymap = shipped(panel)
        self.gestures = list(product(self.keymap.layout.keys, (False, True)))
        self._rulebook, self._format = rulebook, format_
        self.sorts = 0

    def _look(self, state: State) -> Seen:
        return Seen(state, {gesture: does(state, gesture) for gesture in self.gestures})

    def edges(self, most_sorts: int, most_s: float = 1e9) -> Iterator[tuple[Seen, Gesture, Seen]]:
        """Every step from one sort of state to another, until there are no more or too many."""
        ledger = match_of(self._rulebook, self._format, first=None)
        start = self._look(State(ledger.match, Grammar(self.keymap), 10_000))
        sorts, waiting = {sort_of(start)}, deque([start])
        self.sorts, until = 1, time.monotonic() + most_s
        while waiting:
            seen = waiting.popleft()
            if time.monotonic() > until:
                return
            for gesture in self.gestures:
                after = seen.state.pressed(gesture)[1]
                if after is None:
                    continue
                next_ = self._look(after)
                yield seen, gesture, next_
                sort = sort_of(next_)
                if sort not in sorts and len(sorts) < most_sorts:
                    sorts.add(sort)
                    self.sorts += 1
                    waiting.append(next_)

    def pictures(self, state: State) -> list[set[Picture]]:
        """What small and large boards show of it, with all its pages."""
        ledger: Ledger = match_of(self._rulebook, self._format, first=None)
        for act in state.acts:
            assert isinstance(act, tuple)
            ledger.append(Record(ledger.seq + 1, act))
        assert digest(ledger.match) == digest(state.match)
        view = View(
            line=scoreline(ledger, (("Ana",), ("Bia",))),
            keys=state.grammar.labels(state.moment),
            typed=state.grammar.typed(state.moment),
        )
        return [{render(view, board, EN, ms) for ms in MOMENTS} for board in BOARDS]

    def misread(self, before: Seen, after: Seen) -> list[str]:
        """Keys that turn from scoring to ending, or back, and no board shows it."""
        turned = [
            gesture
            for gesture in self.gestures
            if {before.kinds[gesture].kind, after.kinds[gesture].kind} == {"scores", "ends"}
        ]
        if not turned:
            return []
        looks = zip(BOARDS, self.pictures(before.state), self.pictures(after.state), strict=True)
        alike = [f"{board.width}x{board.height}" for board, was, is_ in looks if was == is_]
        if alike:
            return [f"{gesture} unseen on {alike} after {after.state.keys}" for gesture in turned]
        if before.state.grammar.typing:
            return []  # what was typed is gone from the board, and keys are what stands on them
        named = {label for label, _ in after.state.grammar.labels(after.state.moment)}
        return [
            f"{gesture} unnamed after {after.state.keys}"
            for gesture in turned
            if (before.kinds[gesture].kind, after.kinds[gesture].kind) == ("scores", "ends")
            and before.kinds[gesture].what != after.kinds[gesture].what
            and self.keymap.label(gesture[0]) not in named
        ]

    def stuck(self, seen: Seen) -> list[str]:
        """Why somebody could not get on from a state, or not out of it without loss."""
        state, undo = seen.state, min(self.keymap.undo_keys)
        found = []
        kinds = {does.kind for does in seen.kinds.values()}
        if kinds <= {"nothing", "control"}:
            found.append(f"no way on after {state.keys}")
        if state.grammar.typing:
            outcome, after = state.pressed((undo, False))
            left = isinstance(outcome, Cleared) and after is not None and not after.grammar.typing
            if not left or after is None or after.match is not state.match:
                found.append(f"UNDO does not leave what is typed after {state.keys}")
        return found


def faults(search: Search, most_sorts: int, most_s: float = 1e9) -> Iterator[str]:
    """All that is wrong with the states of a panel."""
    for before, _, after in search.edges(most_sorts, most_s):
        yield from search.misread(before, after)
        yield from search.stuck(after)


def cases() -> Iterator[tuple[str, str, str]]:
    """Every panel with matches that are near their ends from the start."""
    for path in sorted(PANELS.glob("*.toml")):
        for book, format_ in FORMATS[path.stem.partition("-")[0]]:
            yield path.stem, book, format_


def main(say: Callable[[str], object] = print) -> int:
    """Go through everything; the number of faults."""
    wrong = 0
    for panel, book, format_ in cases():
        search, begun = Search(panel, book, format_), time.monotonic()
        found = list(faults(search, 1_000_000, float(sys.argv[1]) if sys.argv[1:] else 60))
        wrong += len(found)
        say(f"{panel} {book}: {search.sorts} states in {time.monotonic() - begun:.1f} s")
        for fault in dict.fromkeys(found):
            say(f"  {fault}")
    return wrong


if __name__ == "__main__":
    sys.exit(main() != 0)
