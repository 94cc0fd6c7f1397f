"""Carom's words in the sheet notation."""

from rules.carom.entries import Balls, Foul, Frozen, Pins, PinsTo, Points, Run, Zone, ZoneCall
from rules.entries import Entry
from rules.notation import Notation, Token, Words


def _one_of(token: Token, known: type[Balls] | type[ZoneCall] | type[PinsTo]) -> str:
    token.at_most(1)
    return token.words(*known)[0]


def _number(token: Token) -> int:
    if token.number is None:
        raise token.wrong(f"a number is needed, as in {token.head}3")
    return token.number


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
        case Foul(off_table):
            return Token("FOUL", None, ("off",) if off_table else ())
        case Frozen():
            return Token("FROZEN")
        case Zone(call):
            return Token("ZONE", None, (call,))
    return None


NOTATION = Notation(Words("carom", read, write))
"""Reads and writes the entries of all carom games."""
