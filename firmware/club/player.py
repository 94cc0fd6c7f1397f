"""A player of the club: names, and handicap for each discipline."""

import re
import unicodedata

from msgspec import Struct

from drivers.phrases import Phrase, within
from firmware.errors import ClubError

MOST_LETTERS = 60
"""Of a name, short or spoken too."""

DISCIPLINES = {
    "straight_rail": ("sr",),
    "balkline_47_2": ("472",),
    "balkline_47_1": ("471",),
    "balkline_71_2": ("712",),
    "one_cushion": ("1c",),
    "three_cushions": ("3c", "ug", "uk", "u18", "s15", "s15f", "nl"),
    "five_pins": ("p5",),
    "nine_pins": ("p9",),
    "snooker": ("cbbs", "fpb", "wpbsa"),
    "six_reds": ("6red",),
    "nine_ball": ("fpb9", "wpa9"),
    "ten_ball": ("wpa10",),
    "eight_ball": ("fpb8", "wpa8"),
    "straight_pool": ("fpb141", "wpa141"),
    "blackball": ("bb",),
}
"""What a player has one handicap for, and the rulebooks that play it."""

_DISCIPLINE = {book: name for name, books in DISCIPLINES.items() for book in books}


def discipline_of(rulebook: str) -> str:
    """What a rulebook plays, as in `DISCIPLINES`; one that is not there is its own."""
    return _DISCIPLINE.get(rulebook, rulebook)


_ANONYMOUS = re.compile(r".?|[AB][2-9]")
"""Who plays as A or B, or as partner of one, is nobody of the club."""


class Handicap(Struct, frozen=True):
    """What a player plays with: a goal of his own, or points or racks at the start.

    As text `25` is the goal: points to make, or racks to win. `start 14` and `start -7` are the
    start: who has more of it than the other is given the difference.
    """

    goal: int | None = None
    start: int = 0

    def __str__(self) -> str:
        return f"start {self.start}" if self.goal is None else str(self.goal)


def read_handicap(text: str) -> Handicap:
    """The handicap that a text stands for; `+14` is short for `start 14`.

    Raises:
        ClubError: it is none.
    """
    goal = re.fullmatch(r"[1-9]\d{0,3}", text, re.ASCII)
    if goal is not None:
        return Handicap(int(text))
    start = re.fullmatch(r"start ([+-]?\d{1,3})|([+-]\d{1,3})", text, re.ASCII)
    if start is not None:
        return Handicap(None, int(start[1] or start[2]))
    raise ClubError(
        Phrase(
            "no_handicap",
            "{text} is no handicap: 25 is an own goal, `start 14` is given at the start",
            text=repr(text),
        )
    )


class Player(Struct, frozen=True):
    """A player: his number in the journal, his name, and what else is known of him.

    `short` is the name for a narrow board, `spoken` the one that a speaker reads out; empty where
    the name itself will do. `handicaps` are by discipline, as in `DISCIPLINES`.
    """

    number: int
    name: str
    short: str = ""
    spoken: str = ""
    handicaps: dict[str, Handicap] = {}

    @property
    def forms(self) -> tuple[str, ...]:
        """The name from long to short."""
        return (self.name, self.short) if self.short else (self.name,)

    def handicap(self, rulebook: str) -> Handicap | None:
        """His handicap in what a rulebook plays, or none."""
        return self.handicaps.get(discipline_of(rulebook))


class Listed(Struct, frozen=True):
    """What a list, a file or a command, says of a player; none is not said, and stays as it is."""

    name: str
    short: str | None = None
    spoken: str | None = None
    handicaps: dict[str, Handicap | None] = {}

    def over(self, player: Player) -> Player:
        """The player with what is said of him."""
        given = {name: handicap for name, handicap in self.handicaps.items() if handicap}
        others = {
            name: handicap
            for name, handicap in player.handicaps.items()
            if name not in self.handicaps
        }
        return Player(
            player.number,
            self.name,
            player.short if self.short is None else self.short,
            player.spoken if self.spoken is None else self.spoken,
            others | given,
        )


def cleaned(name: str) -> str:
    """A name as it is written down: composed letters, single spaces.

    Raises:
        ClubError: nothing, too long, or with signs that part names in a score sheet.
    """
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not text:
        raise ClubError(Phrase("nameless", "a name is missing"))
    if len(text) > MOST_LETTERS:
        long = Phrase(
            "letters", "has {n} letters; {most} are the most", n=len(text), most=MOST_LETTERS
        )
        raise ClubError(within(f"{text[:20]}…", long))
    comment = any(word.startswith("#") for word in text.split())
    if "/" in text or comment or not text.isprintable():
        signs = Phrase("signs", "a name has no / in it and no # before it; sheets use these")
        raise ClubError(within(repr(text), signs))
    return text


def folded(name: str) -> str:
    """What two spellings of one name have in common: case, spaces and composition do not count."""
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


def is_anonymous(name: str) -> bool:
    """Whether it is a side, A or B, and nobody's name."""
    return _ANONYMOUS.fullmatch(name) is not None
