"""Snooker's words in the sheet notation.

One form for each meaning: who plays is `FIRST(A)`, a choice `PICK(play)`, `(free)`, `(pass)`,
`(replay)`, `(place)`; a frame given for a persistent miss or bad conduct is an `AWARD` to the
other side, `AWARD(B,aggravated)`, `AWARD(B,forfeit)`; time wasted is `CLOCK`. An offence against
conduct alone is `CONDUCT(B)`, `CONDUCT(B,grave)`; on top of a foul it is a mark of `FOUL`.
"""

from rules.entries import Entry
from rules.notation import Notation, Token, Words
from rules.sides import Side
from rules.snooker.entries import (
    AddRed,
    Ball,
    Claim,
    Colour,
    Concerned,
    Foul,
    FreeBall,
    How,
    LastBlack,
    Mark,
    Pot,
    Reds,
    Touching,
    VisitTotal,
)

_NEEDS_MISS = (Mark.FULL, Mark.FORCE)
_GIVE_A_VALUE = (Mark.SEVEN, Mark.SUCC, Mark.NODECL)


def _ball(token: Token, text: str) -> Ball:
    if text not in list(Ball):
        raise token.wrong(f"{text or 'nothing'} is no ball; balls are {' '.join(Ball)}")
    return Ball(text)


def _colour(token: Token, text: str) -> Colour:
    if text not in list(Colour):
        raise token.wrong(f"{text or 'nothing'} is no colour; colours are {' '.join(Colour)}")
    return Colour(text)


def _count(token: Token, text: str) -> int:
    if not (text.isdecimal() and text.isascii()) or int(text) == 0:
        raise token.wrong(f"{text or 'nothing'} is no number of reds")
    return int(text)


def _reds(token: Token) -> Reds:
    if token.args:
        raise token.wrong("reds stand without arguments, as in R2")
    if token.number == 0:
        raise token.wrong("at least one red, as in R or R2")
    return Reds(1 if token.number is None else token.number)


def _no_number(token: Token) -> None:
    if token.number is not None:
        raise token.wrong(f"{token.head} takes no number")


def _free_ball(token: Token) -> FreeBall:
    _no_number(token)
    nominated = None
    args = list(token.args)
    if args and args[0] != "missed" and "=" not in args[0]:
        nominated = _ball(token, args.pop(0))
    if not args:
        return FreeBall(nominated)
    if args == ["missed"]:
        return FreeBall(nominated, potted=False)
    key, _, fell = args[0].partition("=")
    if len(args) > 1 or key not in ("with", "only"):
        raise token.wrong("the ball named, then one of missed, with=…, only=…")
    if fell.startswith("R"):
        reds = 1 if fell == "R" else _count(token, fell[1:])
        return FreeBall(nominated, potted=key == "with", reds=reds)
    return FreeBall(nominated, potted=key == "with", colour=_colour(token, fell))


def _foul(token: Token) -> Foul:
    _no_number(token)
    balls: list[Concerned] = []
    marks: list[Mark] = []
    given: dict[str, str] = {}
    for arg in token.args:
        key, equals, value = arg.partition("=")
        if equals and key in list(How):
            balls.append(Concerned(How(key), _ball(token, value)))
        elif equals and key in ("nom", "hide", "reds", "v", "by") and key not in given:
            given[key] = value
        elif not equals and arg in list(Mark) and arg not in marks:
            marks.append(Mark(arg))
        else:
            raise token.wrong(f"{arg} says nothing of a foul here, or is said twice")
    if Mark.MISS not in marks and any(mark in marks for mark in _NEEDS_MISS):
        raise token.wrong("full and force go with miss")
    if given.get("by", "A") not in ("A", "B"):
        raise token.wrong("by is A or B")
    if given.get("v", "4") not in ("4", "5", "6", "7"):
        raise token.wrong("v is 4 to 7")
    if "v" in given and (balls or given.keys() & {"nom", "hide"} or {*marks} & {*_GIVE_A_VALUE}):
        raise token.wrong("v stands in the place of all that gives the value")
    return Foul(
        nominated=_colour(token, given["nom"]) if "nom" in given else None,
        balls=tuple(balls),
        hidden=_ball(token, given["hide"]) if "hide" in given else None,
        reds=_count(token, given["reds"]) if "reds" in given else 0,
        marks=tuple(mark for mark in Mark if mark in marks),
        by=Side(given["by"]) if "by" in given else None,
        value=int(given["v"]) if "v" in given else None,
    )


def _total(token: Token) -> VisitTotal:
    if token.number is None:
        raise token.wrong("a number is needed, as in =24")
    token.at_most(1)
    key, equals, value = "".join(token.args).partition("=")
    if not key:
        return VisitTotal(token.number)
    if key == "cleared" and not equals:
        return VisitTotal(token.number, cleared=True)
    if key == "low":
        return VisitTotal(token.number, low=_colour(token, value))
    if key == "reds" and value == "0":  # said by number: no red, so the yellow is the lowest
        return VisitTotal(token.number, low=Colour.YELLOW)
    if key == "reds":
        return VisitTotal(token.number, reds=_count(token, value))
    raise token.wrong("what is left is one of reds=4, low=G, cleared")


def _touching(token: Token) -> Touching:
    _no_number(token)
    token.at_most(1)
    return Touching(on=not token.words("off"))


def _bare(token: Token, entry: Entry) -> Entry:
    token.bare()
    return entry


def read(token: Token) -> Entry | None:
    """The snooker entry that a token stands for, or none."""
    match token.head:
        case "R":
            return _reds(token)
        case "+R":
            return _bare(token, AddRed())
        case "Y" | "G" | "N" | "U" | "P" | "K" as letter:
            return _bare(token, Pot(Colour(letter)))
        case "FB":
            return _free_ball(token)
        case "FOUL":
            return _foul(token)
        case "=":
            return _total(token)
        case "CLAIM":
            return _bare(token, Claim())
        case "BLACK":
            return _bare(token, LastBlack())
        case "TOUCHING":
            return _touching(token)
    return None


def _free_ball_args(entry: FreeBall) -> tuple[str, ...]:
    reds = "" if entry.reds == 0 else f"R{entry.reds}" if entry.reds > 1 else "R"
    fell = reds or entry.colour or ""
    word = "with" if entry.potted else "only"
    rest = f"{word}={fell}" if fell else "" if entry.potted else "missed"
    return tuple(part for part in (entry.nominated or "", rest) if part)


def _foul_args(entry: Foul) -> tuple[str, ...]:
    args = [f"nom={entry.nominated}"] if entry.nominated else []
    args += [f"{one.how}={one.ball}" for one in entry.balls]
    args += [f"hide={entry.hidden}"] if entry.hidden else []
    args += [f"reds={entry.reds}"] if entry.reds else []
    args += [f"v={entry.value}"] if entry.value is not None else []
    args += [str(mark) for mark in Mark if mark in entry.marks]
    args += [f"by={entry.by}"] if entry.by else []
    return tuple(args)


def _left(entry: VisitTotal) -> tuple[str, ...]:
    if entry.cleared:
        return ("cleared",)
    if entry.low is not None:
        return (f"low={entry.low}",)
    return () if entry.reds is None else (f"reds={entry.reds}",)


def write(entry: Entry) -> Token | None:
    """The token of a snooker entry, or none."""
    match entry:
        case Reds(n):
            return Token("R", None if n == 1 else n)
        case AddRed():
            return Token("+R")
        case Pot(colour):
            return Token(colour)
        case FreeBall():
            return Token("FB", None, _free_ball_args(entry))
        case Foul():
            return Token("FOUL", None, _foul_args(entry))
        case VisitTotal(n):
            return Token("=", n, _left(entry))
        case Claim():
            return Token("CLAIM")
        case LastBlack():
            return Token("BLACK")
        case Touching(on):
            return Token("TOUCHING", None, () if on else ("off",))
    return None


NOTATION = Notation(Words("snooker", read, write))
"""Reads and writes the entries of all snooker games."""
