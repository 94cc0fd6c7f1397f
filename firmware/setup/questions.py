"""Questions that four keys answer: less, more, OK and back. Pure, no clock."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from firmware.setup.words import Forms
from firmware.snapshot import Number, Question

T = TypeVar("T")
"""What may come of an answer; none where another question follows."""

FASTER = ((4, 5), (8, 25), (16, 100))
"""After so many equal presses a number goes in such steps."""

TENS = 10
"""A number's step by OK or BACK held."""

MOST = 999


class Role(StrEnum):
    """What a key of the panel does here."""

    LESS = "less"
    MORE = "more"
    OK = "ok"
    BACK = "back"
    TEN_MORE = "ten_more"
    TEN_LESS = "ten_less"


class Choice(Struct, Generic[T]):
    """A question whose answers are listed; `at` is the one that OK takes."""

    title: Forms
    choices: Sequence[Forms]
    taken: Callable[[int], T | None]
    at: int = 0

    def turn(self, step: int) -> None:
        """Another answer."""
        self.at = (self.at + (step > 0) - (step < 0)) % len(self.choices)

    def ok(self) -> T | None:
        """Take this answer."""
        return self.taken(self.at)

    def shown(self) -> Question:
        """As the board shows it."""
        return Question(self.title, tuple(self.choices), self.at)


class Amount(Struct, Generic[T]):
    """A question for a number.

    `leads`: another number is asked after it, so that the last digit that it can have takes it.
    """

    title: Forms
    taken: Callable[[int], T | None]
    at: int
    least: int = 1
    most: int = MOST
    by: int = 1
    leads: bool = False
    typed: str = ""
    """Digits that were typed: they stand in the place of what was there."""

    def turn(self, step: int) -> None:
        """A number so much larger or smaller; beyond the last the first comes again."""
        self.typed = ""
        step *= self.by
        span = self.most - self.least + 1
        self.at = (self.at + step - self.least) % span + self.least

    def type(self, digit: int) -> None:
        """A digit at the end of what was typed; one that makes the number too large is left out."""
        typed = f"{self.typed}{digit}".lstrip("0") or "0"
        if int(typed) <= self.most:
            self.typed, self.at = typed, int(typed)

    @property
    def is_full(self) -> bool:
        """Whether no digit can follow those that were typed."""
        return self.at >= self.least and bool(self.typed) and 10 * self.at > self.most

    def erase(self) -> bool:
        """The last digit is gone; whether there was one."""
        if not self.typed:
            return False
        self.typed = self.typed[:-1]
        self.at = int(self.typed or "0")
        return True

    def ok(self) -> T | None:
        """Take this answer; one that is too small is asked for again."""
        if self.at < self.least:
            self.at, self.typed = self.least, ""
            return None
        return self.taken(self.at)

    def shown(self) -> Number:
        """As the board shows it."""
        return Number(self.title, str(self.at), self.least, self.most)


class Asking(Generic[T]):
    """Questions one after the other; BACK asks the one before again."""

    def __init__(self, first: "Choice[T] | Amount[T]") -> None:
        self._asked: list[Choice[T] | Amount[T]] = [first]
        self._run, self._turned = 0, Role.OK

    @property
    def ask(self) -> Question | Number:
        """What the board shows."""
        return self._asked[-1].shown()

    def then(self, question: "Choice[T] | Amount[T]") -> None:
        """Ask this next."""
        self._asked.append(question)

    def type(self, digit: int) -> bool:
        """A digit of the number that is asked for; whether that took it, and the next is asked."""
        now = self._asked[-1]
        if not isinstance(now, Amount):
            return False
        now.type(digit)
        self._turned = Role.OK
        if now.leads and now.is_full:
            now.ok()
        return now is not self._asked[-1]

    def press(self, role: Role) -> T | None:
        """One press, and what comes of it.

        Raises:
            IndexError: BACK at the first question.
        """
        now = self._asked[-1]
        self._run = self._run + 1 if role is self._turned else 1
        self._turned = role
        match role:
            case Role.TEN_MORE | Role.TEN_LESS if isinstance(now, Amount):
                now.turn(TENS if role is Role.TEN_MORE else -TENS)
            case Role.OK | Role.TEN_MORE:
                return now.ok()
            case Role.BACK | Role.TEN_LESS:
                if isinstance(now, Amount) and now.erase():
                    return None
                if len(self._asked) == 1:
                    raise IndexError("nothing was asked before")
                self._asked.pop()
            case _:
                steps = [step for after, step in FASTER if self._run > after]
                step = steps[-1] if steps and isinstance(now, Amount) else 1
                now.turn(step if role is Role.MORE else -step)
        return None
