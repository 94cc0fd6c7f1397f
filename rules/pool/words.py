"""Pool's words in the sheet notation.

A verb takes what fell, then what else is to be said, in one order: `FOUL(2,M,scratch,by=B)`.
The 8 beside other balls is `8ball`, off the table `8off`: a bare number is a count. A legal shot
that ends the visit is `/`; the shot clock is `CLOCK`; a rack given or conceded is `AWARD(A)`,
`CONCEDE(A,match)` ends the match; the lag winner's choice is `FIRST(A)`, any other `PICK(play)`.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from rules.entries import Entry
from rules.notation import Notation, Token, Words
from rules.pool.entries import (
    Case,
    Deliberate,
    Eight,
    EightFault,
    EightWas,
    Fifteenth,
    Foul,
    Group,
    InTheWay,
    Kind,
    Left,
    Lot,
    Pot,
    Push,
    Safe,
    Short,
    Soft,
    VisitEnd,
    WholeVisit,
    Wrong,
)
from rules.sides import Side

_LOT = re.compile(r"([ST])([1-9][0-9]*)")
_NUMBER = re.compile(r"[0-9]+")
_E = TypeVar("_E", bound=StrEnum)


class _Args:
    """Arguments of a token, taken away one kind after the other."""

    def __init__(self, token: Token) -> None:
        self.token = token
        self.rest = list(token.args)

    def flag(self, word: str) -> bool:
        """Whether the word is there."""
        if word not in self.rest:
            return False
        self.rest.remove(word)
        return True

    def one_of(self, kind: type[_E]) -> _E | None:
        """The first word of an enumeration that is there."""
        for word in self.rest:
            if word in list(kind):
                self.rest.remove(word)
                return kind(word)
        return None

    def number(self) -> int | None:
        """A bare number."""
        for word in self.rest:
            if _NUMBER.fullmatch(word):
                self.rest.remove(word)
                return int(word)
        return None

    def named(self, key: str, kind: type[_E]) -> _E | None:
        """The value of `key=value`."""
        for word in self.rest:
            if word.startswith(f"{key}="):
                value = word[len(key) + 1 :]
                if value not in list(kind):
                    raise self.token.wrong(f"{key} is one of {', '.join(kind)}")
                self.rest.remove(word)
                return kind(value)
        return None

    def lots(self) -> tuple[Lot, ...]:
        """Balls by group, in the order given."""
        found = [(word, match) for word in self.rest if (match := _LOT.fullmatch(word))]
        for word, _ in found:
            self.rest.remove(word)
        lots = tuple(Lot(Group(match[1]), int(match[2])) for _, match in found)
        if len({lot.group for lot in lots}) < len(lots):
            raise self.token.wrong("each group once")
        return lots

    def end(self) -> None:
        """Refuse what nobody took."""
        if self.rest:
            raise self.token.wrong(f"{self.rest[0]} says nothing here, or is said twice")


def _counted_one_way(token: Token, entry: Pot | Wrong | Foul) -> None:
    grouped = entry.lots or (isinstance(entry, Pot | Foul) and entry.eight)
    if grouped and (entry.n is not None or entry.money):
        raise token.wrong("balls are counted by number or by group, not both")


def _pot(args: _Args) -> Pot:
    entry = Pot(args.number(), args.flag("M"), args.lots(), args.one_of(EightWas))
    if entry.eight is EightWas.OFF:
        raise args.token.wrong("an 8 off the table is a foul")
    _counted_one_way(args.token, entry)
    return entry


def _left(args: _Args) -> Left:
    n = args.number()
    if n is None:
        raise args.token.wrong("how many balls are left, as in LEFT(9)")
    return Left(n)


def _wrong(args: _Args) -> Wrong:
    entry = Wrong(args.number(), args.flag("M"), args.lots(), args.flag("keep"))
    _counted_one_way(args.token, entry)
    return entry


def _foul(args: _Args) -> Foul:
    entry = Foul(
        n=args.number(),
        money=args.flag("M"),
        lots=args.lots(),
        eight=args.one_of(EightWas),
        scratch=args.flag("scratch"),
        kind=args.one_of(Kind),
        unwarned=args.flag("unwarned"),
        by=args.named("by", Side),
    )
    _counted_one_way(args.token, entry)
    return entry


def _case(args: _Args) -> Case:
    what = args.one_of(InTheWay)
    if what is None:
        raise args.token.wrong(f"what was in the way: one of {', '.join(InTheWay)}")
    blocked = what is InTheWay.FIFTEENTH and args.flag("blocked")
    if what is not InTheWay.CUE_BALL:
        return Case(what, blocked)
    fifteenth = args.one_of(Fifteenth)
    if fifteenth is None:
        raise args.token.wrong(f"where the 15th ball lies: one of {', '.join(Fifteenth)}")
    return Case(what, fifteenth=fifteenth)


def _times(args: _Args, letter: str) -> int:
    for word in args.rest:
        if re.fullmatch(rf"{letter}[1-9][0-9]*", word):
            args.rest.remove(word)
            return int(word[1:])
    return 0


def _whole_visit(args: _Args) -> WholeVisit:
    left, end = args.number(), args.one_of(VisitEnd)
    if left is None or end is None:
        raise args.token.wrong("balls left and how it ended, as in VISIT(9,k1,miss)")
    return WholeVisit(left, end, _times(args, "k"), _times(args, "d"))


_READERS: dict[str, Callable[[_Args], Entry]] = {
    "POT": _pot,
    "LEFT": _left,
    "SAFE": lambda args: Safe(args.lots()),
    "WRONG": _wrong,
    "FOUL": _foul,
    "SHORT": lambda args: Short(args.flag("scratch")),
    "SOFT": lambda args: Soft(args.number(), args.flag("M")),
    "PUSH": lambda args: Push(args.number(), args.flag("M"), args.flag("foul")),
    "EIGHT": lambda args: Eight(args.lots(), args.one_of(EightFault), args.named("claim", Group)),
    "DELIBERATE": lambda args: Deliberate(),
    "CASE": _case,
    "VISIT": _whole_visit,
}


def read(token: Token) -> Entry | None:
    """The pool entry that a token stands for, or none."""
    reader = _READERS.get(token.head)
    if reader is None:
        return None
    if token.number is not None:
        raise token.wrong(f"numbers stand in brackets, as in {token.head}({token.number})")
    args = _Args(token)
    entry = reader(args)
    args.end()
    return entry


def _word(head: str, *parts: Any) -> Token:
    """The token of those parts that say something."""
    return Token(head, None, tuple(str(part) for part in parts if part not in (None, "", False)))


def _lots(lots: tuple[Lot, ...]) -> list[str]:
    return [f"{lot.group}{lot.n}" for lot in lots]


def _foul_token(entry: Foul) -> Token:
    return _word(
        "FOUL",
        _number(entry.n),
        entry.money and "M",
        *_lots(entry.lots),
        entry.eight,
        entry.scratch and "scratch",
        entry.kind,
        entry.unwarned and "unwarned",
        entry.by and f"by={entry.by}",
    )


def _number(n: int | None) -> str:
    return "" if n is None else str(n)


def write(entry: Entry) -> Token | None:
    """The token of a pool entry, or none."""
    match entry:
        case Pot(n, money, lots, eight):
            return _word("POT", _number(n), money and "M", *_lots(lots), eight)
        case Left(n):
            return _word("LEFT", str(n))
        case Safe(lots):
            return _word("SAFE", *_lots(lots))
        case Wrong(n, money, lots, keep):
            return _word("WRONG", _number(n), money and "M", *_lots(lots), keep and "keep")
        case Foul():
            return _foul_token(entry)
        case Short(scratch):
            return _word("SHORT", scratch and "scratch")
        case Soft(n, money):
            return _word("SOFT", _number(n), money and "M")
        case Push(n, money, foul):
            return _word("PUSH", _number(n), money and "M", foul and "foul")
        case Eight(lots, fault, claim):
            return _word("EIGHT", *_lots(lots), fault, claim and f"claim={claim}")
        case Deliberate():
            return _word("DELIBERATE")
        case Case(what, blocked, fifteenth):
            return _word("CASE", what, blocked and "blocked", fifteenth)
        case WholeVisit(left, end, reracks, cleared):
            again = (reracks and f"k{reracks}", cleared and f"d{cleared}")
            return _word("VISIT", str(left), *(part or "" for part in again), end)
    return None


NOTATION = Notation(Words("pool", read, write))
"""Reads and writes the entries of all pool games."""
