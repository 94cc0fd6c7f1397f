"""Setting up the next match with four keys: less, more, OK and back. Pure, no clock.

Every question has an answer ready, so that OK alone goes on: the last set-up again takes one OK, a
usual match about ten presses.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from firmware.club.shares import Shares
from firmware.setup.clocks import CLOCKS, ask_clocks
from firmware.setup.formats import PLAYABLE, has_race, plays_in_pairs, said
from firmware.setup.hour import Hour, ask_hour
from firmware.setup.preset import Leave, Preset
from firmware.setup.questions import Amount, Asking, Choice, Role
from firmware.setup.score import ask_given, ask_score, position
from firmware.setup.shape import ask_shape
from firmware.setup.words import Forms, SetupWords
from firmware.snapshot import Number, Question
from rules.errors import RulesError
from rules.match import Match, new_match
from rules.record import Setup
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side

RECENT = 10
"""So many earlier set-ups are offered."""


Wish: TypeAlias = Preset | Leave | Hour
Outcome: TypeAlias = Wish | None
_Choice: TypeAlias = Choice[Wish]
_Amount: TypeAlias = Amount[Wish]

Handicaps: TypeAlias = Callable[[str, str, str], Shares]
"""What the handicaps of two players, by name, make of a match by a rulebook."""


class _Draft(Struct):
    """What has been answered so far."""

    rulebook: str = ""
    format: dict[str, str] = field(default_factory=dict)
    at: dict[str, str] = field(default_factory=dict)
    a: tuple[str, ...] = ("A",)
    b: tuple[str, ...] = ("B",)


class SetupDialog:
    """The questions of one set-up.

    Args:
        words: in which it asks.
        recent: earlier set-ups, the last one first.
        players: names of the club, those who played last first.
        handicaps: what those of two of them make of a match.
        hour: what the clock says, where it can be set.
    """

    def __init__(
        self,
        words: SetupWords,
        recent: Sequence[Preset],
        players: Sequence[str],
        handicaps: Handicaps | None = None,
        hour: Hour | None = None,
    ) -> None:
        self._words, self._recent, self._hour = words, list(recent[:RECENT]), hour
        self._players, self._handicaps = players, handicaps
        self._draft = _Draft()
        self._asking: Asking[Wish] = Asking(self._again())

    @property
    def ask(self) -> Question | Number:
        """What the board shows."""
        return self._asking.ask

    def type(self, digit: int) -> bool:
        """A digit of the number that is asked for; whether that took it, and the next is asked."""
        return self._asking.type(digit)

    def press(self, role: Role) -> Outcome:
        """One press; the set-up that is wished, or that nobody wishes one."""
        try:
            return self._asking.press(role)
        except IndexError:
            return Leave()

    def _then(self, question: "_Choice | _Amount") -> None:
        self._asking.then(question)

    def _of_hour(self, question: Amount[Hour]) -> None:
        # The same question, where more than an hour may come of others.
        self._then(
            Amount(question.title, question.taken, question.at, question.least, question.most)
        )

    def _again(self) -> _Choice:
        """The last set-up, another one, those before it, or none; or the hour, if it can be set."""
        words, hour = self._words, self._hour
        ways: list[tuple[Forms, Callable[[], Outcome]]] = [
            (said(words, p.rulebook, p.format, (p.a, p.b)), partial(_same, p)) for p in self._recent
        ]
        ways.insert(1, (words.new, self._games))
        ways.append((words.leave, Leave))
        if hour is not None:
            ways.append((words.clock, lambda: ask_hour(words, hour, self._of_hour)))
        return _Choice(words.again, [forms for forms, _ in ways], lambda at: ways[at][1]())

    def _games(self) -> None:
        """Rules that were played here, the last ones first; then all there are, by their game."""
        words = self._words
        used = dict.fromkeys(p.rulebook for p in self._recent if p.rulebook in PLAYABLE)
        families = dict.fromkeys(map(family_of, PLAYABLE))
        ways = [(words.named(book), partial(self._chosen, book)) for book in used]
        ways += [(getattr(words, one), partial(self._books, one)) for one in families]
        self._then(_Choice(words.family, [forms for forms, _ in ways], lambda at: ways[at][1]()))

    def _books(self, family: str) -> None:
        books = [book for book in PLAYABLE if family_of(book) == family]
        choices = [self._words.named(book) for book in books]
        self._then(_Choice(self._words.rulebook, choices, lambda at: self._chosen(books[at])))

    def _chosen(self, rulebook: str) -> None:
        """How it was played here the last time stands ready."""
        presets = [preset for preset in self._recent if preset.rulebook == rulebook]
        last = dict(presets[0].format) if presets else {}

        def shaped(format_: dict[str, str]) -> None:
            kept = () if "alone" in format_ else _KEPT
            own = {name: last[name] for name in kept if name in last}
            self._draft = _Draft(rulebook, own | format_)
            self._who("a")

        ask_shape(self._words, rulebook, last, self._then, shaped)

    def _who(self, side: str) -> None:
        words = self._words
        anonymous = side.upper()
        names = [anonymous, *(one for one in self._players if (one,) != self._draft.a)]
        last = self._recent[0] if self._recent else None
        at = 0
        if last is not None:
            before = (last.a if side == "a" else last.b)[0]
            at = names.index(before) if before in names else 0

        def taken(at: int) -> Outcome:
            setattr(self._draft, side, (names[at],))
            if "alone" in self._draft.format:
                self._draft.b = ()
                return self._preset(None)
            if side == "a":
                self._who("b")
            else:
                self._shares()
            return None

        title = words.player_a if side == "a" else words.player_b
        self._then(_Choice(title, [(name, name[:8]) for name in names], taken, at))

    def _shares(self) -> None:
        """What the club's handicaps of the two make of it, if they have any; then who begins."""
        draft, words = self._draft, self._words
        if self._handicaps is None or "played" in draft.format:
            self._start()
            return
        found = self._handicaps(draft.rulebook, draft.a[0], draft.b[0])
        told = dict(found.format) | dict(found.at)
        if not told:
            self._start()
            return

        def taken(at: int) -> None:
            if at == 0:
                draft.format |= dict(found.format)
                draft.at |= dict(found.at)
            self._start()

        text = " ".join(value for value in told.values())
        self._then(_Choice(words.club_handicap, [(text,), words.level], taken))

    def _start(self) -> None:
        """Who plays first, which is the last question; or points given before that."""
        words, draft = self._words, self._draft
        choices = [(" + ".join(draft.a), "A"), (" + ".join(draft.b), "B"), words.lag]
        given = self._given()
        asks: list[Callable[[], None]] = [self._take_up, self._clocks]
        if plays_in_pairs(draft.rulebook):
            choices.append(words.pairs)
            asks.append(lambda: self._partner(Side.A))
        choices += [words.take_up, words.clocks]
        if given:
            choices.append(words.handicap)
            asks.append(lambda: self._give(given))
        if has_race(draft.rulebook):
            few = draft.format.get(DETAIL, TURNS_ONLY) == TURNS_ONLY
            choices.append(words.every_ball if few else words.turns_only)
            asks.append(lambda: self._enter(EVERY_BALL if few else TURNS_ONLY))

        def taken(at: int) -> Outcome:
            if at < len(_FIRST):
                return self._preset(_FIRST[at])
            asks[at - len(_FIRST)]()
            return None

        self._then(_Choice(words.first, choices, taken))

    def _partner(self, side: Side) -> None:
        """Who plays with the one that is named, after him in the order; A's first, then B's."""
        draft, words = self._draft, self._words
        name = side.lower()
        own: str = getattr(draft, name)[0]
        taken_by = {own, *(draft.b if side is Side.A else draft.a)}
        names = [f"{side}2", *(one for one in self._players if one not in taken_by)]

        def taken(at: int) -> None:
            setattr(draft, name, (own, names[at]))
            if side is Side.A:
                self._partner(Side.B)
            else:
                self._start()

        title = words.partner_a if side is Side.A else words.partner_b
        self._then(_Choice(title, [(one, one[:8]) for one in names], taken))

    def _clocks(self) -> None:
        """What the clocks are set to, where it is not as usual."""
        draft = self._draft
        usual = RULEBOOKS[draft.rulebook].terms
        now = {name: int(draft.format.get(name, getattr(usual, name))) for name in CLOCKS}

        def done(told: dict[str, str]) -> None:
            for name, n in told.items():
                draft.format.pop(name, None)
                if int(n) != getattr(usual, name):
                    draft.format[name] = n
            self._start()

        ask_clocks(self._words, now, self._then, done)

    def _enter(self, detail: str) -> None:
        self._draft.format[DETAIL] = detail
        self._start()

    def _given(self) -> str:
        """The field of the position that a handicap goes to: in snooker one of every frame."""
        match family_of(self._draft.rulebook):
            case "snooker":
                return "handicap"
            case "pool":
                return "racks" if has_race(self._draft.rulebook) else "score"
        return ""

    def _give(self, name: str) -> None:
        def done(given: str) -> None:
            self._draft.at[name] = given
            self._start()

        ask_given(self._words, self._then, done)

    def _take_up(self) -> None:
        """The score at which a match goes on that was broken off.

        One that cannot be is asked for again.
        """
        given = dict(self._draft.at)

        def done(at: dict[str, str]) -> None:
            self._draft.at = given | at
            if any(_begun(self._preset(side)) is not None for side in Side):
                self._start()
            else:
                self._draft.at = given
                self._take_up()

        match = _begun(replace(self._preset(Side.A), at=()))
        assert match is not None, "as a match that begins at nothing it was set up"
        ask_score(self._words, match, self._then, done)

    def _preset(self, first: Side | None) -> Preset:
        draft = self._draft
        at = position(draft.at, first)
        format_ = dict(draft.format)
        if has_race(draft.rulebook):
            format_.setdefault(DETAIL, TURNS_ONLY)
        return Preset(draft.rulebook, draft.a, draft.b, tuple(format_.items()), first, at)


DETAIL, TURNS_ONLY, EVERY_BALL = "detail", "1", "2"
"""Whether in racks every pocketed ball is entered, or only what changes turn, counters or rack.

The latter is usual: a board that is told of few balls must not say how many are left.
"""

_KEPT = ("limit", DETAIL, *CLOCKS)
"""What is as it was the last time, though it is not asked for each match."""

_FIRST = (Side.A, Side.B, None)
"""Who begins, in the order of the choices; none where the table is to ask."""


def _same(preset: Preset) -> Outcome:
    return preset


def _begun(preset: Preset) -> Match | None:
    """A match as it would begin; none where it cannot."""
    setup = Setup(preset.rulebook, format=preset.format, first=preset.first, at=preset.at)
    try:
        return new_match(setup, RULEBOOKS[preset.rulebook])
    except RulesError:
        return None
