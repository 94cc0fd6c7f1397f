"""What can be put right in the match on the table, question by question; pure.

OK held for three seconds opens it on any panel. Nothing is changed before the board has shown the
score that it makes and somebody has said yes.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from firmware.i18n import language_codes
from firmware.keys.moment import MatchMoment
from firmware.setup.clocks import CLOCKS, ask_clocks, time_acts
from firmware.setup.preset import Leave
from firmware.setup.questions import MOST, Amount, Asking, Choice, Role
from firmware.setup.score import ask_score, position
from firmware.setup.words import Forms, SetupWords
from firmware.snapshot import Number, Question
from rules.entries import Adjust, EndVisit, First
from rules.errors import Code
from rules.ledger import Ledger, Node
from rules.record import Act, EditInning, Setup, Splice
from rules.sides import Pair, Side

REASONS = ("keyed", "missed", "off", "referee")
"""Why a score is set by hand, as the log keeps it."""

_MOST_MINUTES = 99


class Mend(Struct, frozen=True):
    """An act that puts something right."""

    act: Act


class Denied(Struct, frozen=True):
    """What was answered cannot be, and why; it is asked on."""

    code: str
    detail: str = ""


class Rename(Struct, frozen=True):
    """Other players for the sides, by name."""

    a: tuple[str, ...]
    b: tuple[str, ...]


class Another(Struct, frozen=True):
    """This match is over for now: the next one is asked for."""


class LastEntries(Struct, frozen=True):
    """The last entries are to be shown."""


class Count(Struct, frozen=True):
    """A countdown begins: what for, and how long."""

    what: str
    minutes: int


class Speak(Struct, frozen=True):
    """The board is to speak another language, by its code."""

    code: str


MINUTES = {"warm_up": 5, "interval": 5, "timeout": 5, "lateness": 15}
"""Countdowns, and the minutes that are asked first.

WPA's regulations give a time-out five minutes (14), and who is late fifteen before he has lost. At
UMB's championships the break at half of the distance is five minutes, at CEB's four. CBBS, FPB and
WPBSA's Section 3 have no figure, and nobody has one for warming up: there the event says.
"""

MenuOutcome: TypeAlias = Mend | Denied | Rename | Another | LastEntries | Count | Speak | Leave
_Choice: TypeAlias = Choice[MenuOutcome]
_Amount: TypeAlias = Amount[MenuOutcome]


class MatchMenu:
    """The questions about one match.

    Args:
        words: in which it asks.
        ledger: the match's log.
        names: who plays, by side.
        players: names of the club.
    """

    def __init__(
        self,
        words: SetupWords,
        ledger: Ledger,
        names: Pair[tuple[str, ...]],
        players: Sequence[str],
    ) -> None:
        self._words, self._ledger, self._names = words, ledger, names
        self._players = players
        self._asking: Asking[MenuOutcome] = Asking(self._menu())

    @property
    def ask(self) -> Question | Number:
        """What the board shows."""
        return self._asking.ask

    def type(self, digit: int) -> bool:
        """A digit of the number that is asked for; whether that took it, and the next is asked."""
        return self._asking.type(digit)

    def press(self, role: Role) -> MenuOutcome | None:
        """One press, and what comes of it."""
        try:
            return self._asking.press(role)
        except IndexError:
            return Leave()

    def _menu(self) -> _Choice:
        words, match = self._words, self._ledger.match
        items: list[tuple[Forms, Callable[[], MenuOutcome | None]]] = [
            (words.last_entries, LastEntries)
        ]
        if self._ledger.seq == 0 and self._setup.first is not None:
            # No entry is the last: likeliest is a match that goes on from elsewhere.
            items = [(words.take_up, self._take_up)]
        frame = match.frame
        if frame is not None and frame.score is not None:
            items.append((words.mend_score, self._score))
            if frame.figures().innings is not None:
                items += [(words.mend_inning, self._inning), (words.mend_empty, self._empty)]
        items += [(words.mend_names, self._who), (words.mend_sides, self._swapped)]
        if self._goal() is not None:
            items.append((words.mend_goal, self._goals))
        items.append((words.mend_first, self._first))
        if self._ledger.clock.match is not None:
            items.append((words.match_time, self._time))
        items += [(words.clocks, self._clocks), (words.countdown, self._count)]
        items.append((words.language, self._language))
        items += [(words.abandon, Another), (words.leave, Leave)]
        return _Choice(words.menu, [forms for forms, _ in items], lambda at: items[at][1]())

    def _then(self, question: _Choice | _Amount) -> None:
        self._asking.then(question)

    def _score(self) -> None:
        """Both scores, then why."""
        frame = self._ledger.match.frame
        assert frame is not None
        now = frame.score
        assert now is not None
        words = self._words

        def of_a(a: int) -> None:
            self._then(_Amount(words.has_b, lambda b: self._why((a, b)), now[1], least=-MOST))

        self._then(_Amount(words.has_a, of_a, now[0], least=-MOST, leads=True))

    def _take_up(self) -> None:
        """The score at which a match goes on that was broken off elsewhere."""
        setup = self._setup

        def done(at: dict[str, str]) -> MenuOutcome | None:
            begun = replace(setup, at=position(at, setup.first))
            return self._proposed(Splice(0, 0, setup=begun, shift=True))

        ask_score(self._words, self._ledger.match, self._then, done)

    def _why(self, score: Pair[int]) -> None:
        words = self._words
        choices = [getattr(words, f"why_{reason}") for reason in REASONS]

        def taken(at: int) -> MenuOutcome | None:
            changes = (("score", f"{score[0]}/{score[1]}"),)
            return self._proposed((Adjust(changes, REASONS[at]),))

        self._then(_Choice(words.why, choices, taken))

    def _inning(self) -> None:
        """A finished inning of the running frame made other points."""

        def of(side: Side, inning: int) -> None:
            def taken(points: int) -> MenuOutcome | None:
                return self._proposed(EditInning(side, inning, points))

            self._then(_Amount(self._words.its_points, taken, 0, least=0))

        self._which_inning(of, finished=True)

    def _empty(self) -> None:
        """An inning that nobody entered: an empty one is put in before the one that is named."""

        def of(side: Side, inning: int) -> MenuOutcome | None:
            number = _beginning(self._ledger.line(), side, inning)
            return self._proposed(Splice(number, number - 1, ((EndVisit(),),), shift=True))

        self._which_inning(of, finished=False)

    def _which_inning(
        self, of: Callable[[Side, int], MenuOutcome | None], *, finished: bool
    ) -> None:
        """Whose inning and which: a finished one, whose points are asked next, or the one after.

        Most mistakes are found soon, so that the last one stands ready.
        """

        def taken(side: Side) -> MenuOutcome | None:
            frame = self._ledger.match.frame
            assert frame is not None
            innings = frame.figures().innings
            assert innings is not None
            last = innings[side.place]
            if finished and last == 0:
                return Denied(Code.NO_SUCH_INNING)
            most = last if finished else last + 1
            title = self._words.which_inning
            self._then(_Amount(title, partial(of, side), max(last, 1), most=most, leads=finished))
            return None

        self._side(self._words.which_side, taken)

    def _side(self, title: Forms, taken: Callable[[Side], MenuOutcome | None]) -> None:
        """A question for a side, by the names of those who play."""
        sides = tuple(Side)
        choices = [(" + ".join(self._names[side.place]) or side.value, side) for side in sides]
        self._then(_Choice(title, choices, lambda at: taken(sides[at])))

    def _who(self) -> None:
        """Other players, one after the other; partners in the order in which they take turns."""
        words = self._words
        titles = ((words.player_a, words.partner_a), (words.player_b, words.partner_b))
        seats = [
            (side, member)
            for side in Side
            for member in range(max(1, len(self._names[side.place])))
        ]
        told: Pair[list[str]] = ([], [])

        def ask(nth: int) -> MenuOutcome | None:
            if nth == len(seats):
                return Rename(tuple(told[0]), tuple(told[1]))
            side, member = seats[nth]
            before = [name for names in told for name in names]
            now = (self._names[side.place] or (side.value,))[member]
            names = list(dict.fromkeys([now, *self._players]))
            names = [name for name in names if name not in before] or [now]

            def taken(at: int) -> MenuOutcome | None:
                del told[side.place][member:]
                told[side.place].append(names[at])
                return ask(nth + 1)

            title = titles[side.place][min(member, 1)]
            self._then(_Choice(title, [(name,) for name in names], taken))
            return None

        ask(0)

    def _swapped(self) -> MenuOutcome:
        """The players have each other's side."""
        return Rename(self._names[1], self._names[0])

    def _goal(self) -> tuple[str, int | Pair[int]] | None:
        """The parameter that the match goes to, and what it is now; none where that is open."""
        match = self._ledger.match
        if match.contest.played:
            return "played", match.contest.played
        for name in ("race", "target"):
            now = getattr(match.terms, name, None)
            if isinstance(now, int) or (isinstance(now, tuple) and None not in now):
                return name, now
        return None

    def _goals(self) -> None:
        found = self._goal()
        assert found is not None
        name, now = found
        words = self._words
        if isinstance(now, int):
            self._then(_Amount(words.mend_goal, lambda n: self._format({name: f"{n}"}), now))
            return
        titles = (
            (words.racks_a, words.racks_b) if name == "race" else (words.points_a, words.points_b)
        )

        def of_a(a: int) -> None:
            question = _Amount(titles[1], lambda b: self._format({name: f"{a}/{b}"}), now[1])
            self._then(question)

        self._then(_Amount(titles[0], of_a, now[0], leads=True))

    def _format(self, changes: dict[str, str]) -> MenuOutcome | None:
        setup = self._setup
        format_ = tuple((dict(setup.format) | changes).items())
        return self._proposed(Splice(0, 0, setup=replace(setup, format=format_)))

    def _clocks(self) -> None:
        """What the clocks are set to."""
        terms = self._ledger.match.terms
        now = {name: getattr(terms, name) for name in CLOCKS}
        ask_clocks(self._words, now, self._then, self._format)

    def _time(self) -> None:
        """Match time starts, stops or goes on."""
        time = self._ledger.clock.match
        assert time is not None
        acts = time_acts(self._words, time)
        choices = [forms for forms, _ in acts]
        self._then(_Choice(self._words.match_time, choices, lambda at: Mend(acts[at][1])))

    def _first(self) -> None:
        """Who really began: by the set-up, or by the entry that said so."""

        def taken(side: Side) -> MenuOutcome | None:
            if self._setup.first is not None:
                setup = replace(self._setup, first=side)
                return self._proposed(Splice(0, 0, setup=setup, shift=True))
            line = self._ledger.line()
            number = next((node.number for node in line if _says_first(node)), None)
            if number is None:
                return self._proposed((First(side),))
            return self._proposed(Splice(number, number, ((First(side),),), shift=True))

        self._side(self._words.mend_first, taken)

    def _count(self) -> None:
        """A countdown that is no shot clock, and its minutes."""
        words, kinds = self._words, tuple(MINUTES)

        def taken(at: int) -> None:
            kind = kinds[at]
            question = _Amount(
                words.minutes, lambda n: Count(kind, n), MINUTES[kind], most=_MOST_MINUTES
            )
            self._then(question)

        self._then(_Choice(words.countdown, [getattr(words, kind) for kind in kinds], taken))

    def _language(self) -> None:
        """Another language, each by its code: who wants it need not read the one that is shown."""
        codes = language_codes()
        choices = [(code.upper(),) for code in codes]
        self._then(_Choice(self._words.language, choices, lambda at: Speak(codes[at])))

    @property
    def _setup(self) -> Setup:
        setup = self._ledger.line()[0].record.act
        assert isinstance(setup, Setup)
        return setup

    def _proposed(self, act: Act) -> MenuOutcome | None:
        """Show what an act would make, and ask; what would be refused is so before it is asked."""
        would = MatchMoment(self._ledger.match, self._ledger).would(act)
        if would.refused:
            return Denied(would.refused, would.detail)
        text = f"{would.score[0]}-{would.score[1]}" if would.score is not None else "OK"
        text = f"{text} {would.turn}" if would.turn is not None else text
        title = tuple(form.format(text=text) for form in self._words.becomes)
        outcomes: tuple[MenuOutcome, ...] = (Mend(act), Leave())
        choices = (self._words.yes, self._words.no)
        self._then(_Choice(title, choices, lambda at: outcomes[at]))
        return None


def _says_first(node: Node) -> bool:
    act = node.record.act
    return isinstance(act, tuple) and any(isinstance(entry, First) for entry in act)


def _beginning(line: Sequence[Node], side: Side, inning: int) -> int:
    """The number of the record with which a side's inning of the running frame begins.

    One past the last record where it has not begun.
    """
    opened = len(line[-1].match.finished)
    for node in line[1:]:
        before = node.parent.match if node.parent is not None else None
        if before is None or before.frame is None or len(before.finished) != opened:
            continue
        innings = before.frame.figures().innings
        visit = before.visit
        if visit is None or innings is None or visit.side is not side:
            continue
        if innings[side.place] == inning - 1:
            return node.number
    return len(line)
