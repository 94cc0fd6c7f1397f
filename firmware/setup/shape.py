"""Questions for what decides a match: how far it goes, what the event must say. Pure, no clock."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias, TypeVar

from firmware.setup.formats import LATE, Goal, counts_frames, goals, open_goal, worths
from firmware.setup.questions import Amount, Choice
from firmware.setup.words import Forms, SetupWords
from rules.contest import MOST as PLAYED
from rules.rulebooks.shelf import RULEBOOKS

T = TypeVar("T")

Format: TypeAlias = dict[str, str]
"""The parameters of a match that are told, by name."""

_FORM: dict[int | None, int] = {None: 0, 0: 1, 1: 2}
"""Which text a goal makes of the answer: one number, both sides', or the second of a pair."""


def ask_shape(
    words: SetupWords,
    rulebook: str,
    last: Format,
    then: Callable[[Choice[T] | Amount[T]], None],
    done: Callable[[Format], T | None],
) -> None:
    """Ask what decides a match: a race, so many of which more wins, or nothing at all.

    `last` is how it was the last time, which stands ready. `then` asks a question, `done` is given
    the format.
    """
    _Shape(words, rulebook, last, then, done).ask()


class _Shape(Generic[T]):
    def __init__(
        self,
        words: SetupWords,
        rulebook: str,
        last: Format,
        then: Callable[[Choice[T] | Amount[T]], None],
        done: Callable[[Format], T | None],
    ) -> None:
        self._words, self._rulebook, self._last = words, rulebook, last
        self._then, self._done = then, done
        self._goals, self._worths = goals(rulebook, words), worths(rulebook, words)

    def ask(self) -> None:
        words = self._words
        ways: list[tuple[Forms, Callable[[], T | None]]] = [
            (words.race_to, lambda: self._goal({}, self._goals))
        ]
        if counts_frames(self._rulebook):
            ways += [(words.best_of, self._best_of), (words.all_played, self._all_played)]
        ways.append((words.alone, self._alone))
        choices = [forms for forms, _ in ways]
        usual = 2 if "played" in self._last else len(ways) - 1 if "alone" in self._last else 0
        self._then(Choice(words.shape, choices, lambda at: ways[at][1](), usual))

    def _best_of(self) -> None:
        goal = self._goals[0]

        def taken(n: int) -> T | None:
            to_win = n // 2 + 1
            text = str(to_win) if goal.place is None else f"{to_win}/{to_win}"
            return self._late({goal.name: text})

        self._then(Amount(self._words.best_of, taken, 2 * goal.usual - 1, most=2 * 35 - 1, by=2))

    def _all_played(self) -> None:
        usual = int(self._last.get("played", 2 * self._goals[0].usual - 1))

        def taken(n: int) -> T | None:
            return self._goal({"played": str(n)}, self._worths)

        self._then(Amount(self._words.all_played, taken, usual, most=PLAYED))

    def _alone(self) -> T | None:
        """No goal, no opponent, nobody to begin but who is there."""
        return self._goal({"alone": "on"} | open_goal(self._rulebook), self._worths)

    def _goal(self, told: Format, asked: Sequence[Goal]) -> T | None:
        """How far the match goes, question by question."""
        if not asked:
            return self._late(told)
        goal, *rest = asked
        of_a = told.get(goal.name, "").partition("/")[0]

        def taken(n: int) -> T | None:
            text = (str(n), f"{n}/{n}", f"{of_a}/{n}")[_FORM[goal.place]]
            return self._goal(told | {goal.name: text}, rest)

        # B's begins as A's was answered.
        start = int(of_a) if goal.place == 1 else self._usual(goal)
        most, leads = goal.most, bool(rest)
        self._then(Amount(goal.title, taken, start, least=goal.least, most=most, leads=leads))
        return None

    def _usual(self, goal: Goal) -> int:
        """What it was the last time, if there is a number to it; else what the rulebook has."""
        before = self._last.get(goal.name, "").partition("/")[0]
        ready = before.isdecimal() and goal.least <= int(before) <= goal.most
        return int(before) if ready and "alone" not in self._last else goal.usual

    def _late(self, told: Format) -> T | None:
        """Where no text says what a late stroke costs, the event does."""
        words = self._words
        if LATE not in RULEBOOKS[self._rulebook].unsaid(tuple(told.items())):
            return self._done(told)

        def taken(at: int) -> T | None:
            return self._done(told | {LATE: ("off", "on")[at]})

        before = int(self._last.get(LATE) == "on")
        self._then(Choice(words.late, (words.late_as_is, words.late_start), taken, before))
        return None
