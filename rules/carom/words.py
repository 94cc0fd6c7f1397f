"""Carom's words in the sheet notation."""

from rules.carom.entries import (
    Balls,
    Felled,
    Foul,
    Frozen,
    Pins,
    PinsTo,
    Points,
    RedBall,
    Run,
    Zone,
    ZoneCall,
)
from rules.entries import Entry
from rules.notation import Notation, Token, Words


def _one_of(token: Token, known: type[Balls] | type[ZoneCall] | type[PinsTo]) -> str:
    token.at_most(1)
    return token.words(*known)[0]


def _number(token: Token) -> int:
    if token.number is None:
        raise token.wrong(f"a number is needed, as in {token.head}3")
    return token.number


def _felled(token: Token) -> Felled:
    if token.number is not None:
        raise token.wrong("what fell stands in round brackets, as in FELL(pins=3,red)")
    counts = {"pins": 0, "inner": 0}
    words: set[str] = set()
    ball: RedBall | None = None
    for arg in token.args:
        name, equals, value = arg.partition("=")
        if name in words:
            raise token.wrong(f"{name} is given twice")
        words.add(name)
        if equals and name in counts and value.isascii() and value.isdecimal():
            counts[name] = int(value)
        elif equals and name == "ball" and value in tuple(RedBall):
            ball = RedBall(value)
        elif equals or name not in ("red", "cushion", "given", "foul"):
            raise token.wrong(
                f"{arg} is none of pins=3, inner=2, red, ball=own, cushion, given, foul"
            )
    if {"given", "foul"} <= words:
        raise token.wrong("either given or foul")
    to = PinsTo.GIVEN if "given" in words else PinsTo.FOUL if "foul" in words else PinsTo.STRIKER
    red, cushion = "red" in words, "cushion" in words
    return Felled(counts["pins"], counts["inner"], red, ball, cushion, to)


def _felled_token(entry: Felled) -> Token:
    args = (
        *((f"pins={entry.pins}",) * bool(entry.pins)),
        *((f"inner={entry.inner}",) * bool(entry.inner)),
        *(("red",) * entry.red),
        *((f"ball={entry.ball}",) if entry.ball else ()),
        *(("cushion",) * entry.cushion),
        *((entry.to,) * (entry.to is not PinsTo.STRIKER)),
    )
    return Token("FELL", None, args)


def read(token: Token) -> Entry | None:
    """The carom entry that a token stands for, or none."""
    match token.head:
        case "+":
            return Points(_number(token), Balls(_one_of(token, Balls)) if token.args else None)
        case "=":
            token.at_most(0)
            return Run(_number(token))
        case "P":
            to = PinsTo(_one_of(token, PinsTo)) if token.args else PinsTo.STRIKER
            return Pins(_number(token), to)
        case "FELL":
            return _felled(token)
        case "FOUL" if token.number is None:
            token.at_most(1)
            return Foul(bool(token.words("off")))
        case "FROZEN":
            token.bare()
            return Frozen()
        case "ZONE" if token.args and token.number is None:
            return Zone(ZoneCall(_one_of(token, ZoneCall)))
    return None


def write(entry: Entry) -> Token | None:
    """The token of a carom entry, or none."""
    match entry:
        case Points(n, balls):
            return Token("+", n, (balls,) if balls else ())
        case Run(n):
            return Token("=", n)
        case Pins(n, to):
            return Token("P", n, () if to is PinsTo.STRIKER else (to,))
        case Felled():
            return _felled_token(entry)
        case Foul(off_table):
            return Token("FOUL", None, ("off",) if off_table else ())
        case Frozen():
            return Token("FROZEN")
        case Zone(call):
            return Token("ZONE", None, (call,))
    return None


NOTATION = Notation(Words("carom", read, write))
"""Reads and writes the entries of all carom games."""
