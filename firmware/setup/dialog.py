"""Setting up the next match with four keys: less, more, OK and back. Pure, no clock.

Every question has an answer ready, so that OK alone goes on: the last set-up again takes one OK, a
usual match about ten presses.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from firmware.setup.words import Forms, SetupWords
from firmware.snapshot import Number, Question
from rules.errors import RulesError
from rules.match import new_match
from rules.position import field_names
from rules.record import Fields, Setup
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side

RECENT = 10
"""So many earlier set-ups are offered."""

FASTER_AFTER, FASTER = 4, 5
"""After so many equal presses a number goes in steps of five."""

MOST = 999

MOST_WORTH = 99
"""The most points of one thing that falls."""


class Role(StrEnum):
    """What a key of the panel does here."""

    LESS = "less"
    MORE = "more"
    OK = "ok"
    BACK = "back"


class Preset(Struct, frozen=True):
    """A match as it can be set up: all that a start needs, players by name."""

    rulebook: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    format: Fields = ()
    first: Side | None = None
    at: Fields = ()


class Leave(Struct, frozen=True):
    """Nobody wants a match now."""


Outcome = Preset | Leave | None


@dataclass(slots=True)
class _Choice:
    """A question whose answers are listed; `at` is the one that OK takes."""

    title: Forms
    choices: Sequence[Forms]
    taken: Callable[[int], Outcome]
    at: int = 0

    def turn(self, step: int) -> None:
        self.at = (self.at + (step > 0) - (step < 0)) % len(self.choices)

    def ok(self) -> Outcome:
        return self.taken(self.at)

    def shown(self) -> Question:
        return Question(self.title, tuple(self.choices), self.at)


@dataclass(slots=True)
class _Amount:
    """A question for a number."""

    title: Forms
    taken: Callable[[int], Outcome]
    at: int
    least: int = 1
    most: int = MOST

    def turn(self, step: int) -> None:
        span = self.most - self.least + 1
        self.at = (self.at + step - self.least) % span + self.least

    def ok(self) -> Outcome:
        return self.taken(self.at)

    def shown(self) -> Number:
        return Number(self.title, str(self.at), self.least, self.most)


@dataclass(slots=True)
class _Draft:
    """What has been answered so far."""

    rulebook: str = ""
    format: dict[str, str] = field(default_factory=dict)
    at: dict[str, str] = field(default_factory=dict)
    a: tuple[str, ...] = ("A",)
    b: tuple[str, ...] = ("B",)


class _Goal(Struct, frozen=True):
    """A number to ask for: the parameter, whose it is (none for both sides' one), and the usual."""

    name: str
    place: int | None
    title: Forms
    usual: int
    most: int
    least: int = 1


_FORM: dict[int | None, int] = {None: 0, 0: 1, 1: 2}
"""Which text a goal makes of the answer: one number, both sides', or the second of a pair."""


class SetupDialog:
    """The questions of one set-up.

    Args:
        words: in which it asks.
        recent: earlier set-ups, the last one first.
        players: names of the club, those who played last first.
    """

    def __init__(self, words: SetupWords, recent: Sequence[Preset], players: Sequence[str]) -> None:
        self._words, self._recent = words, list(recent[:RECENT])
        self._players = players
        self._draft = _Draft()
        self._run = 0
        self._asked: list[_Choice | _Amount] = [self._again()]

    @property
    def ask(self) -> Question | Number:
        """What the board shows."""
        return self._asked[-1].shown()

    def press(self, role: Role) -> Outcome:
        """One press; the set-up that is wished, or that nobody wishes one."""
        now = self._asked[-1]
        self._run = self._run + 1 if role in (Role.LESS, Role.MORE) else 0
        match role:
            case Role.OK:
                return now.ok()
            case Role.BACK:
                if len(self._asked) == 1:
                    return Leave()
                self._asked.pop()
            case _:
                faster = isinstance(now, _Amount) and self._run > FASTER_AFTER
                now.turn((FASTER if faster else 1) * (1 if role is Role.MORE else -1))
        return None

    def _then(self, question: _Choice | _Amount) -> None:
        self._asked.append(question)

    def _again(self) -> _Choice:
        """The last set-ups, another one, or none."""
        words = self._words
        choices = [*(self._said(preset) for preset in self._recent), words.new, words.leave]

        def taken(at: int) -> Outcome:
            if at < len(self._recent):
                return self._recent[at]
            if at > len(self._recent):
                return Leave()
            self._families()
            return None

        return _Choice(words.again, choices, taken)

    def _said(self, preset: Preset) -> Forms:
        """A set-up in a line: what, to how many, who."""
        goal = next((value for name, value in preset.format if name in _GOALS), "")
        sides = (preset.a, preset.b)
        who = " - ".join(" + ".join(names) for names in sides)
        names = self._words.named(preset.rulebook)
        short = " - ".join(
            "+".join(name.split()[-1] for name in side) for side in (preset.a, preset.b)
        )
        return (
            f"{names[0]} {goal} {who}".replace("  ", " "),
            f"{names[-1]} {goal} {short}".replace("  ", " "),
            f"{names[-1]} {goal}".strip(),
        )

    def _families(self) -> None:
        words = self._words
        families = list(dict.fromkeys(family_of(book) for book in PLAYABLE))
        last = self._recent[0].rulebook if self._recent else PLAYABLE[0]
        at = families.index(family_of(last))
        choices = [getattr(words, family) for family in families]
        self._then(_Choice(words.family, choices, lambda at: self._books(families[at]), at))

    def _books(self, family: str) -> None:
        books = [book for book in PLAYABLE if family_of(book) == family]
        used = [preset.rulebook for preset in self._recent if preset.rulebook in books]
        at = books.index(used[0]) if used else 0
        choices = [self._words.named(book) for book in books]
        self._then(_Choice(self._words.rulebook, choices, lambda at: self._chosen(books[at]), at))

    def _chosen(self, rulebook: str) -> None:
        self._draft = _Draft(rulebook)
        self._goal(_goals(rulebook, self._words), 0)

    def _goal(self, goals: Sequence[_Goal], nth: int) -> None:
        """How far the match goes, question by question; then what the event must say."""
        if nth == len(goals):
            self._late()
            return
        goal = goals[nth]
        start = goal.usual
        if goal.place == 1:  # B's begins as A's was answered
            start = int(self._draft.format[goal.name].partition("/")[0])

        def taken(n: int) -> None:
            told = self._draft.format.get(goal.name, "")
            text = (str(n), f"{n}/{n}", f"{told.partition('/')[0]}/{n}")[_FORM[goal.place]]
            self._draft.format[goal.name] = text
            self._goal(goals, nth + 1)

        self._then(_Amount(goal.title, taken, start, least=goal.least, most=goal.most))

    def _late(self) -> None:
        """Where no text says what a late stroke costs, the event does; then who plays."""
        book, words = RULEBOOKS[self._draft.rulebook], self._words
        if LATE not in book.unsaid(tuple(self._draft.format.items())):
            self._who("a")
            return

        def taken(at: int) -> None:
            self._draft.format[LATE] = ("off", "on")[at]
            self._who("a")

        self._then(_Choice(words.late, (words.late_as_is, words.late_start), taken))

    def _who(self, side: str) -> None:
        words = self._words
        anonymous = side.upper()
        names = [anonymous, *(one for one in self._players if (one,) != self._draft.a)]
        last = self._recent[0] if self._recent else None
        at = 0
        if last is not None:
            before = (last.a if side == "a" else last.b)[0]
            at = names.index(before) if before in names else 0

        def taken(at: int) -> None:
            setattr(self._draft, side, (names[at],))
            if side == "a":
                self._who("b")
            else:
                self._start()

        title = words.player_a if side == "a" else words.player_b
        self._then(_Choice(title, [(name, name[:8]) for name in names], taken, at))

    def _start(self) -> None:
        """Who plays first, which is the last question; or points given before that."""
        words, draft = self._words, self._draft
        choices = [(" + ".join(draft.a), "A"), (" + ".join(draft.b), "B"), words.lag]
        given = self._given()
        if given:
            choices.append(words.handicap)

        def taken(at: int) -> Outcome:
            if at == len(choices) - 1 and given:
                self._give(given)
                return None
            return self._preset((Side.A, Side.B, None)[at])

        self._then(_Choice(words.first, choices, taken))

    def _given(self) -> str:
        """The field of the position that a handicap at the start goes to."""
        family = family_of(self._draft.rulebook)
        rotation = "race" in field_names(type(RULEBOOKS[self._draft.rulebook].terms))
        return "racks" if rotation else "score" if family in ("snooker", "pool") else ""

    def _give(self, name: str) -> None:
        def of_b(b: int) -> None:
            a = self._draft.at.get(name, "0/0").partition("/")[0]
            self._draft.at[name] = f"{a}/{b}"
            self._start()

        def of_a(a: int) -> None:
            self._draft.at[name] = f"{a}/0"
            self._then(_Amount(self._words.given_b, of_b, 0, least=0, most=199))

        self._then(_Amount(self._words.given_a, of_a, 0, least=0, most=199))

    def _preset(self, first: Side | None) -> Preset:
        draft = self._draft
        at = tuple((name, value) for name, value in draft.at.items() if value != "0/0")
        return Preset(draft.rulebook, draft.a, draft.b, tuple(draft.format.items()), first, at)


_GOALS = ("target", "race")

_WORTH = {"foul_pts": "foul_points", "ball_own": "red_by_own", "ball_other": "red_by_other"}
"""What an event says of the pins where no text does, and the question for it."""

LATE = "clock_opts"
"""What an event says of a late stroke."""


def _goals(rulebook: str, words: SetupWords) -> tuple[_Goal, ...]:
    """The numbers of a match: what it goes to, and what the event must say of it."""
    terms = RULEBOOKS[rulebook].terms
    return (
        *_ends(rulebook, words),
        *(
            _Goal(name, None, getattr(words, word), getattr(terms, name), MOST_WORTH, least=0)
            for name, word in _WORTH.items()
            if name in RULEBOOKS[rulebook].unverified
        ),
    )


def _ends(rulebook: str, words: SetupWords) -> tuple[_Goal, ...]:
    """What a rulebook's match goes to: points, frames or racks, where they are not open."""
    terms = RULEBOOKS[rulebook].terms
    for name, of_a, of_b, most in (
        ("race", words.racks_a, words.racks_b, 99),
        ("target", words.points_a, words.points_b, MOST),
    ):
        value = getattr(terms, name, None)
        if isinstance(value, int):
            return (_Goal(name, None, words.frames, value, 35),)
        if isinstance(value, tuple) and value[0] is not None:
            return (_Goal(name, 0, of_a, value[0], most), _Goal(name, 1, of_b, value[1], most))
    return ()


def _playable() -> tuple[str, ...]:
    """The rulebooks that need nothing more to be told than what is asked here."""
    found = []
    for id_, book in RULEBOOKS.items():
        told = tuple((name, "9") for name in _WORTH if name in book.unverified)
        goals = (("target", "9/9"),) if "target" in book.unverified else ()
        try:
            new_match(Setup(id_, format=(*goals, *told), first=Side.A), book)
        except RulesError:
            continue
        found.append(id_)
    return tuple(found)


PLAYABLE = _playable()
"""What can be chosen."""
