"""What is written down of a match: the set-up, and one record for each act of one person.

A record holds one or more entries, all or none, or one control. Controls are not facts of the
game: they change the log.
"""

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from rules.entries import Entry
from rules.errors import BadNotation
from rules.notation import Notation, Token
from rules.sides import Pair, Side

Fields: TypeAlias = tuple[tuple[str, str], ...]
"""Fields of a value as text, see `rules.position`."""


class Setup(Struct, frozen=True):
    """Record 0: which match this is.

    `players` are numbers, the members of each side in playing order; names stand elsewhere.
    `format` changes the rulebook's parameters for this match, `first` is who plays first where
    that is known, `at` is the position at which the match is taken up.
    """

    rulebook: str
    players: Pair[tuple[int, ...]] = ((1,), (2,))
    format: Fields = ()
    first: Side | None = None
    at: Fields = ()


class Control(Struct, frozen=True, tag=True):
    """The base of what a record holds in the place of entries."""


class Undo(Control, frozen=True, tag="undo"):
    """Takes back the last record that is no clock's and no undo: `UNDO`."""


class Redo(Control, frozen=True, tag="redo"):
    """Takes back the last undo: `REDO`."""


class Splice(Control, frozen=True, tag="splice"):
    """Puts other records in the place of numbers `first` to `last` of the line in force.

    `last = first - 1` inserts before `first`; no `records` deletes. Number 0 is the set-up,
    which only `setup` may replace. `shift` allows later records to fall to the other side.
    Written `[SPLICE(3,4) / =4]`, each token one record, `[ ]` round the entries of one.
    """

    first: int
    last: int
    records: tuple[tuple[Entry, ...], ...] = ()
    setup: Setup | None = None
    shift: bool = False


class EditInning(Control, frozen=True, tag="edit_inning"):
    """The points of a finished inning of the running frame were others: `EDIT(A2=6)`.

    It becomes the splice that says so.
    """

    side: Side
    inning: int
    points: int


class WhichClock(StrEnum):
    """The clocks of a match."""

    SHOT = "shot"
    MATCH = "match"
    """Match time."""


class ClockAct(Control, frozen=True):
    """The base of what the referee does to a clock: no step of the game, and none of undo."""

    which: WhichClock = WhichClock.SHOT


class ClockStart(ClockAct, frozen=True, tag="clock_start"):
    """A clock runs, with its full time: `START`, `START(match)`."""


class ClockPause(ClockAct, frozen=True, tag="clock_pause"):
    """A clock stands still: `PAUSE`, `PAUSE(match)`.

    `PAUSE(restart)` is the program's own: it had ended, and all clocks that ran stand still.
    """

    restart: bool = False


class ClockResume(ClockAct, frozen=True, tag="clock_resume"):
    """A clock goes on with what it has left: `RESUME`, `RESUME(match)`."""


Act: TypeAlias = tuple[Entry, ...] | Control
"""What a record holds."""


class Source(Struct, frozen=True):
    """Who entered a record: a device and its own number of the act, unique in a match."""

    device: str
    number: str

    def __str__(self) -> str:
        return f"{self.device}#{self.number}"


class Record(Struct, frozen=True):
    """One act of one person.

    `seq` counts from 0, the set-up. `t_ms` is monotonic time since the match began, of the
    key's edge; `at_ms` is wall time in milliseconds since 1970 (UTC), and `synced` says
    whether that clock had been set by then. Order and durations come from `t_ms` alone.
    """

    seq: int
    act: Act | Setup
    t_ms: int = 0
    at_ms: int = 0
    synced: bool = False
    by: Source = Source("sheet", "0")


def act_text(act: Act, notation: Notation) -> str:
    """An act in sheet notation: a token, or `[ … ]` round several."""
    match act:
        case Undo():
            return "UNDO"
        case Redo():
            return "REDO"
        case EditInning(side, inning, points):
            return f"EDIT({side}{inning}={points})"
        case Splice():
            return _splice_text(act, notation)
        case ClockAct():
            return str(_clock_token(act))
        case tuple():
            return _bracketed([notation.text(entry) for entry in act])
    raise BadNotation(f"no text form for {act!r}")


def record_text(record: Record, notation: Notation) -> str:
    """What a record holds, in sheet notation; the set-up as `SETUP(…)`."""
    if isinstance(record.act, Setup):
        return setup_text(record.act)
    return act_text(record.act, notation)


def _clock_token(act: ClockAct) -> Token:
    restart = isinstance(act, ClockPause) and act.restart
    which = "match" if act.which is WhichClock.MATCH else ""
    return Token(_CLOCK_HEADS[type(act)], None, ("restart",) if restart else (which,) * bool(which))


def read_clock(token: Token) -> ClockAct | None:
    """The control of a clock that a token stands for, or none.

    Raises:
        BadNotation: the word is a clock's, its arguments are wrong.
    """
    kind = next((kind for kind, head in _CLOCK_HEADS.items() if head == token.head), None)
    if kind is None:
        return None
    match token.number, token.args:
        case None, ():
            return kind()
        case None, ("match",):
            return kind(WhichClock.MATCH)
        case None, ("restart",) if kind is ClockPause:
            return ClockPause(restart=True)
    raise token.wrong(f"{token.head} or {token.head}(match)")


_CLOCK_HEADS: dict[type[ClockAct], str] = {
    ClockStart: "START",
    ClockPause: "PAUSE",
    ClockResume: "RESUME",
}


def _bracketed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"[{' '.join(words)}]"


def _splice_text(splice: Splice, notation: Notation) -> str:
    args = f"{splice.first},{splice.last}" + (",shift" if splice.shift else "")
    words = [f"SPLICE({args})"]
    if splice.setup is not None:
        words.append(setup_text(splice.setup))
    words += [act_text(group, notation) for group in splice.records]
    return f"[{' '.join(words)}]"


def setup_text(setup: Setup) -> str:
    """A set-up as one token: `SETUP(rulebook=3c,A=1,B=2,first=A,format.target=3/3)`.

    A side without players is left out: B where A practises alone.
    """
    args = [f"rulebook={setup.rulebook}"]
    args += [
        f"{side}={'+'.join(str(number) for number in setup.players[side.place])}"
        for side in Side
        if setup.players[side.place]
    ]
    if setup.first is not None:
        args.append(f"first={setup.first}")
    args += [f"format.{key}={value}" for key, value in setup.format]
    args += [f"at.{key}={value}" for key, value in setup.at]
    return f"SETUP({','.join(args)})"


def read_setup(args: tuple[str, ...]) -> Setup:
    """Read the arguments that `setup_text` wrote.

    Raises:
        BadNotation: an argument that a set-up has not.
    """
    given: dict[str, str] = {}
    fields: dict[str, list[tuple[str, str]]] = {"format": [], "at": []}
    for arg in args:
        key, equals, value = arg.partition("=")
        group, dot, name = key.partition(".")
        if equals and value and dot and group in fields:
            fields[group].append((name, value))
        elif equals and value and key in ("rulebook", "A", "B", "first"):
            given[key] = value
        else:
            raise BadNotation(f"SETUP: {arg!r} is nothing of a set-up")
    try:
        players = (_numbers(given["A"]), _numbers(given["B"]) if "B" in given else ())
        first = Side(given["first"]) if "first" in given else None
        return Setup(
            given["rulebook"], players, tuple(fields["format"]), first, tuple(fields["at"])
        )
    except (KeyError, ValueError) as error:
        raise BadNotation(f"SETUP({','.join(args)}): {error} is missing or wrong") from None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("+"))
