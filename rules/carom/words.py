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

_COUNTS = ("pins", "inner", "own_pins", "own_inner")
_FLAGS = ("red", "own_red", "cushion", "given", "foul")


def _one_of(token: Token, known: type[Balls] | type[ZoneCall]) -> str:
    token.at_most(1)
    return token.words(*known)[0]


def _number(token: Token) -> int:
    if token.number is None:
        raise token.wrong(f"a number is needed, as in {token.head}3")
    return token.number


def _pins(token: Token) -> Pins:
    to, given = PinsTo.STRIKER, 0
    for arg in token.args:
        name, equals, value = arg.partition("=")
        if equals and name == "given" and _is_count(value) and not given:
            given = int(value)
        elif not equals and name in (PinsTo.GIVEN, PinsTo.FOUL) and to is PinsTo.STRIKER:
            to = PinsTo(name)
        else:
            raise token.wrong(f"{arg} is none of given, foul and given=2, each once")
    return Pins(_number(token), to, given)


def _pins_token(entry: Pins) -> Token:
    args = (
        *((f"given={entry.given}",) * bool(entry.given)),
        *((entry.to,) * (entry.to is not PinsTo.STRIKER)),
    )
    return Token("P", entry.n, args)


def _is_count(value: str) -> bool:
    return value.isascii() and value.isdecimal()


def _felled(token: Token) -> Felled:
    if token.number is not None:
        raise token.wrong("what fell stands in round brackets, as in FELL(pins=3,red)")
    counts = dict.fromkeys(_COUNTS, 0)
    words: set[str] = set()
    ball: RedBall | None = None
    for arg in token.args:
        name, equals, value = arg.partition("=")
        if name in words:
            raise token.wrong(f"{name} is given twice")
        words.add(name)
        if equals and name in counts and _is_count(value):
            counts[name] = int(value)
        elif equals and name == "ball" and value in tuple(RedBall):
            ball = RedBall(value)
        elif equals or name not in _FLAGS:
            raise token.wrong(
                f"{arg} is none of pins=3, inner=2, red, ball=own, cushion, given, foul, "
                "own_pins=1, own_inner=1, own_red"
            )
    if {"given", "foul"} <= words:
        raise token.wrong("either given or foul")
    to = PinsTo.GIVEN if "given" in words else PinsTo.FOUL if "foul" in words else PinsTo.STRIKER
    return Felled(
        **counts,
        red="red" in words,
        ball=ball,
        cushion="cushion" in words,
        to=to,
        own_red="own_red" in words,
    )


def _felled_token(entry: Felled) -> Token:
    given = {name: getattr(entry, name) for name in (*_COUNTS, "red", "own_red", "cushion")}
    args = (
        *_said("pins", "inner", "red", **given),
        *((f"ball={entry.ball}",) if entry.ball else ()),
        *_said("cushion", **given),
        *((entry.to,) * (entry.to is not PinsTo.STRIKER)),
        *_said("own_pins", "own_inner", "own_red", **given),
    )
    return Token("FELL", None, args)


def _said(*names: str, **given: int | bool) -> tuple[str, ...]:
    """Of these the words of those that are not nought: `pins=3`, `red`."""
    return tuple(
        name if given[name] is True else f"{name}={given[name]}" for name in names if given[name]
    )


def read(token: Token) -> Entry | None:
    """The carom entry that a token stands for, or none."""
    match token.head:
        case "+":
            return Points(_number(token), Balls(_one_of(token, Balls)) if token.args else None)
        case "=":
            token.at_most(0)
            return Run(_number(token))
        case "P":
            return _pins(token)
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
        case Pins():
            return _pins_token(entry)
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
