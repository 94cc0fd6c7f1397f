"""Tokens of the sheet notation, and the words that all games share.

A token is a word, a sign or letter with a number, either with `(arguments)` or without:
`OK`, `/`, `+3`, `R2`, `FOUL(hit=K,free)`. Families add words, never another shape. Whoever
reads a token and writes it again gets the same text. The grammar is in docs/notation.md.
"""

import re
from collections.abc import Callable

from msgspec import Struct

from rules.entries import (
    Adjust,
    Award,
    Breaker,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Entry,
    Extension,
    First,
    Interval,
    Lag,
    Ok,
    Pick,
    Scope,
    Shootout,
    ShotClock,
    Stalemate,
    Timeout,
    TimeUp,
    Void,
)
from rules.errors import BadNotation
from rules.sides import Side

_TOKEN = re.compile(r"(/|[+=]|\+?[A-Z][A-Z_]*)([0-9]+)?(?:\(([^()\[\]#\s]*)\))?")
_TOO_LONG = re.compile(r"[0-9]{19}")
"""Longer than any that the journal can hold. Players who were numbered without it have twelve."""


class Token(Struct, frozen=True):
    """One token taken apart: `FOUL(hit=K,free)` is head `FOUL`, args `("hit=K", "free")`."""

    head: str
    number: int | None = None
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        number = "" if self.number is None else str(self.number)
        return self.head + number + (f"({','.join(self.args)})" if self.args else "")

    def wrong(self, mend: str) -> BadNotation:
        """The error that says what this token should have been."""
        return BadNotation(f"{self}: {mend}")

    def bare(self) -> None:
        """Refuse arguments and number.

        Raises:
            BadNotation: there are some.
        """
        if self.args or self.number is not None:
            raise self.wrong(f"{self.head} stands alone")

    def side(self, place: int = 0) -> Side:
        """The argument at `place` as a side.

        Raises:
            BadNotation: it is missing or neither A nor B.
        """
        if place < len(self.args) and self.args[place] in ("A", "B"):
            return Side(self.args[place])
        raise self.wrong(f"a side is needed, as in {self.head}(A)")

    def words(self, *known: str, start: int = 0) -> tuple[str, ...]:
        """The arguments from `start` on, each of which must be one of `known`."""
        for word in self.args[start:]:
            if word not in known:
                raise self.wrong(f"{word} is none of {', '.join(known) or 'nothing'}")
        return self.args[start:]

    def at_most(self, n: int) -> None:
        """Refuse more than `n` arguments."""
        if len(self.args) > n:
            raise self.wrong(f"no more than {n} arguments")


def read_token(text: str) -> Token:
    """Take a token apart.

    Raises:
        BadNotation: the text has not the shape of a token.
    """
    if _TOO_LONG.search(text):
        raise BadNotation(f"{text!r} has a number that is too long")
    match = _TOKEN.fullmatch(text)
    if match is None or match[3] == "":
        raise BadNotation(f"{text!r} is no token; one looks like +3, OK or FOUL(hit=K,free)")
    args = tuple(match[3].split(",")) if match[3] else ()
    if "" in args:
        raise BadNotation(f"{text!r} has an empty argument")
    return Token(match[1], int(match[2]) if match[2] else None, args)


Reader = Callable[[Token], Entry | None]
Writer = Callable[[Entry], Token | None]


class Words(Struct, frozen=True):
    """A family's own words: `read` and `write` answer none for what is not theirs."""

    family: str
    read: Reader
    write: Writer


class Notation(Struct, frozen=True):
    """The entries of one family as text: its own words and the shared ones."""

    words: Words

    def entry(self, text: str) -> Entry:
        """Read one entry.

        Raises:
            BadNotation: no such word in this game, or wrong arguments.
        """
        token = read_token(text)
        entry = self.words.read(token) or read_shared(token)
        if entry is None:
            raise BadNotation(f"{text}: {self.words.family} has no such entry")
        return entry

    def text(self, entry: Entry) -> str:
        """Write one entry, as `entry` reads it."""
        token = self.words.write(entry) or write_shared(entry)
        if token is None:
            raise BadNotation(f"{entry!r} is no entry of {self.words.family}")
        return str(token)


def _lag(token: Token) -> Lag:
    match token.args:
        case ("A" | "B" as side,):
            return Lag(Side(side))
        case ("repeat",):
            return Lag()
        case ("pocket", *sides) if sides in (["A"], ["B"], ["A", "B"]):
            return Lag(pocketed=tuple(Side(side) for side in sides))
    raise token.wrong("LAG(A), LAG(repeat), LAG(pocket,A) or LAG(pocket,A,B)")


def _first(token: Token) -> First:
    token.at_most(2)
    if len(token.args) < 2:
        return First(token.side())
    member = token.args[1]
    if not (member.isdecimal() and member.isascii() and int(member)):
        raise token.wrong("which member of the side, as in FIRST(A,2)")
    return First(token.side(), int(member))


def _concede(token: Token) -> Concede:
    token.at_most(2)
    scopes = token.words("match", start=1)
    return Concede(token.side(), Scope.MATCH if scopes else Scope.FRAME)


def _disqualify(token: Token) -> Disqualify:
    match token.args:
        case ("A" | "B" as side,):
            return Disqualify((Side(side),))
        case ("A", "B"):
            return Disqualify((Side.A, Side.B))
    raise token.wrong("DQ(A), DQ(B) or DQ(A,B)")


def _timeout(token: Token) -> Timeout:
    token.at_most(1)
    return Timeout(token.side() if token.args else None)


def _interval(token: Token) -> Interval:
    token.at_most(2)
    return Interval(token.side(), bool(token.words("granted", start=1)))


def _shootout(token: Token) -> Shootout:
    match token.args:
        case ("A" | "B" as side,):
            return Shootout(winner=Side(side))
        case (points,) if points.isdecimal() and points.isascii():
            return Shootout(points=int(points))
    raise token.wrong("SHOOT(2) for points or SHOOT(A) for the winner")


def _conduct(token: Token) -> Conduct:
    match token.args:
        case ():
            return Conduct()
        case ("grave",):
            return Conduct(grave=True)
        case ("A" | "B" as side,):
            return Conduct(Side(side))
        case ("A" | "B" as side, "grave"):
            return Conduct(Side(side), grave=True)
    raise token.wrong("CONDUCT, CONDUCT(B) or CONDUCT(A,grave)")


def _award(token: Token) -> Award:
    token.at_most(2)
    return Award(token.side(), token.args[1] if len(token.args) == 2 else "")


def _adjust(token: Token) -> Adjust:
    pairs: list[tuple[str, str]] = []
    for arg in token.args:
        key, equals, value = arg.partition("=")
        if not (key and equals and value):
            raise token.wrong(f"{arg} is no field=value")
        if key in dict(pairs):
            raise token.wrong(f"{key} is given twice")
        pairs.append((key, value))
    why = dict(pairs).get("why", "")
    changes = tuple(pair for pair in pairs if pair[0] != "why")
    if not changes:
        raise token.wrong("at least one field=value")
    return Adjust(changes, why)


def _one_word(token: Token, *known: str) -> str:
    token.at_most(1)
    return "".join(token.words(*known))


def _pick(token: Token) -> Pick:
    if len(token.args) != 1:
        raise token.wrong("the choice, as in PICK(place)")
    return Pick(token.args[0])


def _side_only(make: Callable[[Side], Entry]) -> Callable[[Token], Entry]:
    def read(token: Token) -> Entry:
        token.at_most(1)
        return make(token.side())

    return read


def _bare(entry: Entry) -> Callable[[Token], Entry]:
    def read(token: Token) -> Entry:
        token.bare()
        return entry

    return read


_SHARED: dict[str, Callable[[Token], Entry]] = {
    "/": _bare(EndVisit()),
    "OK": _bare(Ok()),
    "CLOCK": _bare(ShotClock()),
    "TIMEUP": _bare(TimeUp()),
    "LAG": _lag,
    "FIRST": _first,
    "BREAKER": _side_only(Breaker),
    "EXT": _side_only(Extension),
    "PICK": _pick,
    "AWARD": _award,
    "CONCEDE": _concede,
    "DQ": _disqualify,
    "VOID": lambda token: Void(_one_word(token, "keep", "restart")),
    "STALEMATE": lambda token: Stalemate(_one_word(token, "warn", "clear")),
    "TIMEOUT": _timeout,
    "INTERVAL": _interval,
    "SHOOT": _shootout,
    "CONDUCT": _conduct,
    "ADJUST": _adjust,
}


def read_shared(token: Token) -> Entry | None:
    """The shared entry that a token stands for, or none.

    Raises:
        BadNotation: the word is shared, its arguments are wrong.
    """
    read = _SHARED.get(token.head)
    if read is None:
        return None
    if token.number is not None:
        raise token.wrong(f"{token.head} takes no number")
    return read(token)


def write_shared(entry: Entry) -> Token | None:
    """The token of a shared entry, or none for a family's."""
    match entry:
        case EndVisit():
            return Token("/")
        case Ok():
            return Token("OK")
        case ShotClock():
            return Token("CLOCK")
        case TimeUp():
            return Token("TIMEUP")
        case Lag(winner, pocketed):
            return _word("LAG", winner or ("repeat" if not pocketed else "pocket"), *pocketed)
        case First(side, member):
            return _word("FIRST", side, "" if member is None else str(member))
        case Breaker(side):
            return _word("BREAKER", side)
        case Extension(side):
            return _word("EXT", side)
        case Pick(choice):
            return _word("PICK", choice)
        case Award(side, why):
            return _word("AWARD", side, why)
        case Concede(side, scope):
            return _word("CONCEDE", side, "match" if scope is Scope.MATCH else "")
        case Disqualify(sides):
            return _word("DQ", *sides)
        case Void(how):
            return _word("VOID", how)
        case Stalemate(step):
            return _word("STALEMATE", step)
        case Timeout(who):
            return _word("TIMEOUT", who or "")
        case Interval(side, granted):
            return _word("INTERVAL", side, "granted" if granted else "")
        case Shootout(points, winner):
            return _word("SHOOT", winner or str(points))
        case Conduct(who, grave):
            return _word("CONDUCT", who or "", "grave" if grave else "")
        case Adjust(changes, why):
            given = [f"{key}={value}" for key, value in changes]
            return _word("ADJUST", *given, f"why={why}" if why else "")
    return None


def _word(head: str, *args: str) -> Token:
    return Token(head, None, tuple(str(arg) for arg in args if arg))
