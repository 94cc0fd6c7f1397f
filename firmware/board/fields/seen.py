"""What a field reads, and how it says it: pages that take turns, each in forms long to short."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from firmware.i18n import Language
from firmware.snapshot import Told, View
from rules.clock import ClockState
from rules.figures import Figures
from rules.scoreline import Scoreline
from rules.sides import Pair, Side

Pages: TypeAlias = tuple[tuple[str, ...], ...]
Forms: TypeAlias = tuple[str, ...]


class Seen(NamedTuple):
    """What a field reads: the view, the language to say it in, and the monotonic time.

    `swapped` is a board that is looked at from behind the table: B stands at its left.
    """

    view: View
    language: Language
    now_ms: int = 0
    swapped: bool = False

    @property
    def line(self) -> Scoreline:
        """The match; screens without one have no field that asks."""
        assert self.view.line is not None
        return self.view.line

    @property
    def figures(self) -> Figures:
        """The numbers of the frame."""
        return self.line.figures

    @property
    def told(self) -> Told:
        """The answer to a press that is being shown."""
        assert self.view.told is not None
        return self.view.told

    @property
    def clock(self) -> ClockState:
        """The clocks of the match."""
        line = self.view.line
        return ClockState() if line is None or line.clock is None else line.clock

    @property
    def match_ms(self) -> int:
        """Match time now, which the deadlines of the clocks are told in."""
        return self.now_ms - self.view.zero_ms

    def at(self, place: Side) -> Side:
        """Who stands at the left of the board (`Side.A`) or at its right."""
        return place.other if self.swapped else place

    def pair(self, pair: Pair[int]) -> str:
        """Two numbers as the board has its sides."""
        a, b = reversed(pair) if self.swapped else pair
        return f"{a}-{b}"

    def sign(self, side: Side) -> str:
        """A side by its place on the board."""
        return f"←{side}" if self.at(Side.A) is side else f"{side}→"

    def say(self, key: str, **values: object) -> Forms:
        """The forms of a text."""
        return self.language.forms(key, **values)

    def word(self, group: str, code: str) -> Forms:
        """The forms of a code."""
        return self.language.word_for(group, code)


class Text(NamedTuple):
    """A field of text; `widest` are texts that its box must hold where it does not scroll.

    `says` are the fields that it stands for, where there is no room for each of them.
    """

    pages: Callable[[Seen], Pages]
    widest: Callable[[Language], Pages] = lambda _: ()
    says: tuple[str, ...] = ()


def texts(*pages: str) -> Callable[[Language], Pages]:
    """The same widest texts in every language."""
    return lambda _: tuple((page,) for page in pages)


def name_of(line: Scoreline, side: Side, member: int | None = None) -> Forms:
    """A side's name, long and short; one of a pair where `member` says which, from 1."""
    names = line.names[side.place]
    if member is not None and len(names) >= member:
        names = names[member - 1 : member]
    return _forms(names) or (side.value,)


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...]) -> Forms:
    whole = " + ".join(name for name in names if name.strip())
    last = " + ".join(name.split()[-1] for name in names if name.strip())
    return tuple(dict.fromkeys(form for form in (whole, last) if form))


@lru_cache(maxsize=256)
def cut(forms: Forms) -> Forms:
    """The forms of a name, and its beginnings: where people play, a name stands still."""
    last = forms[-1]
    return (*forms, *(f"{last[:n].strip(' +')}." for n in range(len(last) - 1, 1, -1)))


def about(seen: Seen, group: str, code: str, side: Side | None) -> Forms:
    """A text about a side: with its name, or where that does not fit with its sign."""
    if side is None:
        values = [{"name": "", "side": ""}]
    else:
        values = [{"name": name, "side": seen.sign(side)} for name in name_of(seen.line, side)]
    forms = [form for each in values for form in seen.language.word_for(group, code, **each)]
    kept = dict.fromkeys(form.rstrip(" ,") for form in forms)
    return tuple(sorted(kept, key=len, reverse=True))


def faults(seen: Seen) -> Pages:
    """What does not work, by its code, and in turn with it what to do."""
    found: list[Forms] = []
    for fault in seen.view.faults:
        code, _, detail = fault.partition(" ")
        found.append(seen.say("board.fault", codes=fault))
        key = f"fault.{code.lower()}"
        if key in seen.language:
            found.append(seen.say(key, text=seen.language.key_called(detail)))
    return tuple(found)


def marked(seen: Seen, *pages: Forms, words: bool = True) -> Pages:
    """Pages of a title, and after them in words that the score is not saved, what is broken."""
    found = list(dict.fromkeys(pages))
    if not seen.line.saved:
        found.append(seen.say("board.unsaved"))
    if words:
        found += faults(seen)
    return tuple(found)


def in_levels(line: Scoreline) -> bool:
    """Whether more than one frame, rack or set is needed."""
    return any(max(level) > 1 for level in line.to_win.values())


def tally(seen: Seen, place: int = 0) -> Pair[int] | None:
    """What was won: of the first level the frames, racks or sets, of the second what they make."""
    levels = list(seen.line.tally.values())
    return levels[place] if place < len(levels) else None


def tallies(seen: Seen, first: int = 0) -> Pages:
    """What was won, a page a level, from the `first` level on."""
    return tuple(
        seen.say(f"tally.{name}", n=seen.pair(won))
        for name, won in list(seen.line.tally.items())[first:]
        if max(seen.line.to_win.get(name, (1, 1))) > 1
    )


def to_go(line: Scoreline) -> int | None:
    """The points that whoever is at the table still needs."""
    left = line.figures.to_go
    return None if left is None or line.turn is None else left[line.turn.place]
