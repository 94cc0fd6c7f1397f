"""Score sheets as text: the referee's notation, a bug report, a golden match.

A file holds one or more sheets, each a header of `name: value` lines, `id:` first, then the
body. A body line holds acts, or `->` and what is expected at that moment. Grammar and examples
are in docs/notation.md. What was read is printed again unchanged, but for `#` comments and
spaces.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import msgspec
from msgspec import Struct

from rules.entries import Entry
from rules.errors import BadNotation
from rules.notation import Notation, read_token
from rules.position import join_fields, split_fields
from rules.record import (
    Act,
    EditInning,
    Fields,
    Redo,
    Setup,
    Source,
    Splice,
    Undo,
    act_text,
    read_clock,
    read_setup,
)
from rules.sides import Side

_WORD = re.compile(r"\[|\]|[0-9]+x\(|[^\s\[\]]+")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_TIME = re.compile(r"@([0-9]{1,6}):([0-5][0-9])\.([0-9]{3})")
_HEADER = ("id", "rulebook", "format", "A", "B", "first", "at", "cites", "note")


MOST_REPEATED = 10_000
"""No match has more entries; a slip of the pen may."""

DEEPEST = 9
"""So many repetitions may stand in each other."""


class Step(Struct, frozen=True):
    """One act of the body, with what stands before it: time, source, `refuse`."""

    act: Act
    t_ms: int | None = None
    by: Source | None = None
    refused: bool = False


class Repeat(Struct, frozen=True):
    """Steps that come several times in a row: `29x( =0 =0 )`."""

    times: int
    steps: tuple["Step | Repeat", ...]


class Expect(Struct, frozen=True):
    """What must hold at this moment: `-> score=3/0 turn=B`."""

    fields: Fields


Line: TypeAlias = tuple[Step | Repeat, ...] | Expect


class Sheet(Struct, frozen=True):
    """One score sheet.

    `names` are the players of each side as written. `cites` are the catalogue articles that
    the sheet proves.
    """

    id: str
    setup: Setup
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    cites: tuple[str, ...] = ()
    note: str = ""
    body: tuple[Line, ...] = ()

    def steps(self) -> Iterator[Step | Expect]:
        """Body steps one by one, repetitions unrolled."""
        for line in self.body:
            if isinstance(line, Expect):
                yield line
            else:
                yield from _unrolled(line)


def _unrolled(items: Iterable[Step | Repeat]) -> Iterator[Step]:
    for item in items:
        if isinstance(item, Repeat):
            for _ in range(item.times):
                yield from _unrolled(item.steps)
        else:
            yield item


NotationOf: TypeAlias = Callable[[str], Notation]
"""Finds a rulebook's notation by its id; BadNotation where there is no such rulebook."""


def read_sheets(text: str, notation_of: NotationOf, place: str = "sheet") -> tuple[Sheet, ...]:
    """Read all sheets of a file.

    Raises:
        BadNotation: the message names `place`, the line and what is wrong.
    """
    sheets: list[Sheet] = []
    header: dict[str, str] = {}
    body: list[Line] = []
    reader = _Reader(notation_of)
    for number, raw in enumerate(text.splitlines(), 1):
        try:
            line = _COMMENT.sub("", raw).strip()
            name, colon, value = line.partition(":")
            if not line:
                continue
            if colon and name == "id" and header:
                sheets.append(reader.sheet(header, body))
                header, body = {}, []
            if colon and name in _HEADER and not body:
                if name in header:
                    raise BadNotation(f"{name}: is given twice")
                header[name] = value.strip()
            else:
                body.append(reader.line(header, line))
        except BadNotation as error:
            raise BadNotation(f"{place}, line {number}: {error}") from None
    if header or body:
        try:
            sheets.append(reader.sheet(header, body))
        except BadNotation as error:
            raise BadNotation(f"{place}: {error}") from None
    return tuple(sheets)


def read_act(text: str, notation: Notation) -> Act:
    """Read one act: a token, or several in `[ ]` that are one record.

    Raises:
        BadNotation: it cannot be read, or there is more than one act.
    """
    words = _WORD.findall(text)
    act, rest = _act(words, notation)
    if rest:
        raise BadNotation(f"one entry at a time; write [ ] round {text!r} to make it one record")
    return act


class _Reader:
    """Reads header and lines of one sheet; the rulebook decides which words there are."""

    def __init__(self, notation_of: NotationOf) -> None:
        self._notation_of = notation_of

    def sheet(self, header: dict[str, str], body: list[Line]) -> Sheet:
        if "rulebook" not in header:
            raise BadNotation("a sheet needs `rulebook:` in its header")
        self._notation_of(header["rulebook"])
        first = header.get("first")
        if first not in (None, "A", "B"):
            raise BadNotation(f"first: {first} is neither A nor B")
        names = (_names(header.get("A", "")), _names(header.get("B", "")))
        count_a, count_b = (max(1, len(side)) for side in names)
        setup = Setup(
            rulebook=header["rulebook"],
            players=(
                tuple(range(1, count_a + 1)),
                tuple(range(count_a + 1, count_a + count_b + 1)),
            ),
            format=split_fields(header.get("format", "")),
            first=Side(first) if first else None,
            at=split_fields(header.get("at", "")),
        )
        return Sheet(
            id=header.get("id", ""),
            setup=setup,
            names=names,
            cites=tuple(header.get("cites", "").split()),
            note=header.get("note", ""),
            body=tuple(body),
        )

    def line(self, header: dict[str, str], line: str) -> Line:
        if "rulebook" not in header:
            raise BadNotation(f"{line!r}: `rulebook:` comes before the first entry")
        if line.startswith("->"):
            return Expect(split_fields(line[2:]))
        notation = self._notation_of(header["rulebook"])
        words = _WORD.findall(line)
        items, rest = _items(words, notation)
        if rest:
            raise BadNotation(f"{' '.join(rest)!r} is left over")
        return items


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split("/") if name.strip())


def _count(items: Iterable[Step | Repeat]) -> int:
    return sum(item.times * _count(item.steps) if isinstance(item, Repeat) else 1 for item in items)


def _items(
    words: list[str], notation: Notation, depth: int = 0
) -> tuple[tuple[Step | Repeat, ...], list[str]]:
    """Steps and repetitions up to the end, or up to the `)` of the one that they stand in."""
    if depth > DEEPEST:
        raise BadNotation(f"more than {DEEPEST} repetitions stand in each other")
    items: list[Step | Repeat] = []
    while words and words[0] != ")":
        if words[0].endswith("x("):
            inner, rest = _items(words[1:], notation, depth + 1)
            if not inner:
                raise BadNotation(f"{words[0]} … ) repeats nothing")
            times = words[0][:-2]
            if not (times.isdecimal() and times.isascii()):
                raise BadNotation(f"{words[0]}: a repetition looks like 29x( =0 =0 )")
            if len(times) > 5 or int(times) * _count(inner) > MOST_REPEATED:
                raise BadNotation(f"{words[0]} … ) repeats more than {MOST_REPEATED} entries")
            items.append(Repeat(int(times), inner))
            words = rest
        else:
            step, words = _step(words, notation)
            items.append(step)
    if depth:
        if not words:
            raise BadNotation("a repetition lacks its )")
        words = words[1:]
    return tuple(items), words


def _step(words: list[str], notation: Notation) -> tuple[Step, list[str]]:
    step = Step(())
    while words:
        word = words[0]
        if word.startswith("@"):
            step = msgspec.structs.replace(step, t_ms=_time(word))
        elif word.startswith("by:"):
            device, hash_, number = word[3:].partition("#")
            if not (device and hash_ and number):
                raise BadNotation(f"{word}: a source looks like by:pad1#17")
            step = msgspec.structs.replace(step, by=Source(device, number))
        elif word == "refuse":
            step = msgspec.structs.replace(step, refused=True)
        else:
            act, rest = _act(words, notation)
            return msgspec.structs.replace(step, act=act), rest
        words = words[1:]
    raise BadNotation("an entry is missing at the end of the line")


def _time(word: str) -> int:
    match = _TIME.fullmatch(word)
    if match is None:
        raise BadNotation(f"{word}: a time looks like @12:03.250, minutes, seconds, milliseconds")
    minutes, seconds, ms = (int(part) for part in match.groups())
    return (minutes * 60 + seconds) * 1000 + ms


def time_text(t_ms: int) -> str:
    """A match time as `@12:03.250`."""
    seconds, ms = divmod(t_ms, 1000)
    return f"@{seconds // 60}:{seconds % 60:02}.{ms:03}"


def _act(words: list[str], notation: Notation) -> tuple[Act, list[str]]:
    if not words:
        raise BadNotation("an entry is missing")
    if words[0] != "[":
        return _single(words[0], notation), words[1:]
    inside, rest = _brackets(words)
    if inside and inside[0].startswith("SPLICE("):
        return _splice(inside, notation), rest
    if not inside:
        raise BadNotation("[ ] holds nothing")
    return tuple(notation.entry(word) for word in inside), rest


def _brackets(words: list[str]) -> tuple[list[str], list[str]]:
    depth = 0
    for place, word in enumerate(words):
        depth += (word == "[") - (word == "]")
        if depth == 0:
            return words[1:place], words[place + 1 :]
    raise BadNotation("a [ lacks its ]")


def _single(word: str, notation: Notation) -> Act:
    token = read_token(word)
    match token.head:
        case "UNDO" | "REDO":
            token.bare()
            return Undo() if token.head == "UNDO" else Redo()
        case "EDIT":
            return _edit(word)
        case "SPLICE":
            return _splice([word], notation)
    return read_clock(token) or (notation.entry(word),)


def _edit(word: str) -> EditInning:
    match = re.fullmatch(r"EDIT\(([AB])([1-9][0-9]{0,5})=([0-9]{1,6})\)", word)
    if match is None:
        raise BadNotation(f"{word}: an edit looks like EDIT(A2=6), side, inning and points")
    return EditInning(Side(match[1]), int(match[2]), int(match[3]))


def _splice(words: list[str], notation: Notation) -> Splice:
    match = re.fullmatch(r"SPLICE\(([0-9]{1,6}),(-?[0-9]{1,6})(,shift)?\)", words[0])
    if match is None:
        raise BadNotation(f"{words[0]}: a splice looks like [SPLICE(3,4) / =4]")
    rest = words[1:]
    setup = None
    if rest and rest[0].startswith("SETUP("):
        setup = read_setup(read_token(rest[0]).args)
        rest = rest[1:]
    records: list[tuple[Entry, ...]] = []
    while rest:
        act, rest = _act(rest, notation)
        if not isinstance(act, tuple):
            raise BadNotation("a splice holds entries only")
        records.append(act)
    return Splice(int(match[1]), int(match[2]), tuple(records), setup, match[3] is not None)


def print_sheets(sheets: Iterable[Sheet], notation_of: NotationOf) -> str:
    """The text that `read_sheets` reads."""
    return "\n".join(print_sheet(sheet, notation_of(sheet.setup.rulebook)) for sheet in sheets)


def print_sheet(sheet: Sheet, notation: Notation) -> str:
    """One sheet as text, ending with a newline."""
    setup = sheet.setup
    header = {
        "id": sheet.id,
        "rulebook": setup.rulebook,
        "format": join_fields(setup.format),
        "A": " / ".join(sheet.names[0]),
        "B": " / ".join(sheet.names[1]),
        "first": setup.first or "",
        "at": join_fields(setup.at),
        "cites": " ".join(sheet.cites),
        "note": sheet.note,
    }
    lines = [f"{name}: {value}" for name, value in header.items() if value]
    for line in sheet.body:
        if isinstance(line, Expect):
            lines.append(f"-> {join_fields(line.fields)}")
        else:
            lines.append(" ".join(_item_text(item, notation) for item in line))
    return "\n".join(lines) + "\n"


def _item_text(item: Step | Repeat, notation: Notation) -> str:
    if isinstance(item, Repeat):
        inner = " ".join(_item_text(step, notation) for step in item.steps)
        return f"{item.times}x( {inner} )"
    return step_text(item, notation)


def step_text(step: Step, notation: Notation) -> str:
    """One step with what stands before it."""
    words = []
    if step.t_ms is not None:
        words.append(time_text(step.t_ms))
    if step.by is not None:
        words.append(f"by:{step.by}")
    if step.refused:
        words.append("refuse")
    return " ".join([*words, act_text(step.act, notation)])
