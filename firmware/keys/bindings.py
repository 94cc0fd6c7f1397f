"""What stands behind a key in a panel file: an act in sheet notation, or a word of the panel's own.

Acts begin with a capital or a sign, words of the panel with a small letter. `docs/panels.md` lists
both; this module reads them.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from rules.errors import BadNotation
from rules.notation import Notation
from rules.record import Act
from rules.sheet import read_act
from rules.sides import Pair, Side

NUMBER = "n"
"""The slot that digits fill."""

TURN = "turn"
"""The slot that is always filled: the side at the table."""

_SLOT = re.compile(r"\{(\w+)(!|-|\|[^{}]*)?\}")
_ARGUMENTS = re.compile(r"\(([^()]*)\)")
_NAME = re.compile("[a-z_]+")
_PUTS = re.compile(r"([a-z_]+): *(.*?)( *; *done)?")


class Enters(Struct, frozen=True):
    """An act, entered at once; `acts` are what it is with A and with B at the table."""

    text: str
    acts: Pair[Act]

    def act(self, turn: Side | None) -> Act:
        """The act with this side at the table."""
        return self.acts[turn.place if turn is not None else 0]


class NewMatch(Struct, frozen=True):
    """A key's wish for the next match, with the same set-up: `NEW`."""


class Asks(Struct, frozen=True):
    """Opens a dialog, in which some keys count as pressed already: `ask foul yellow`.

    `keys` are their names, and whether they are held, written `ask total one!`.
    """

    dialog: str
    keys: tuple[tuple[str, bool], ...] = ()


class Picks(Struct, frozen=True):
    """Picks of the choices that are open: `pick A`, `pick B` or `pick 3`."""

    which: str


class Inert(Struct, frozen=True):
    """Means nothing here, and is meant to: `none`."""


class Puts(Struct, frozen=True):
    """Puts a value into a slot, with each press the next one: `miss: miss | miss,full |`.

    `done` enters the dialog with it: `by: A; done`.
    """

    slot: str
    values: tuple[str, ...]
    done: bool = False

    def after(self, value: str) -> str:
        """The value after this one; the first where there is none yet."""
        if value not in self.values:
            return self.values[0]
        return self.values[(self.values.index(value) + 1) % len(self.values)]


class Digit(Struct, frozen=True):
    """Writes a digit behind the number."""

    digit: int


class Adds(Struct, frozen=True):
    """Adds to the number: `add 5`."""

    n: int


class Moves(Struct, frozen=True):
    """Moves the number into a slot and begins it anew, or back if there is none: `move given`."""

    slot: str


class Turns(Struct, frozen=True):
    """Turns to another page of the dialog, for one press: `page rare`."""

    page: str


class Done(Struct, frozen=True):
    """Enters what is typed: `done`."""


Step: TypeAlias = (
    Enters | NewMatch | Asks | Picks | Inert | Puts | Digit | Adds | Moves | Turns | Done
)
"""What one key does at one moment."""


def read_step(text: str, notation: Notation, *, in_dialog: bool) -> Step:
    """Read what stands behind a key.

    Raises:
        BadNotation: no act of this game and no word of the panel's.
    """
    word, _, rest = text.partition(" ")
    match word:
        case "none" if not rest:
            return Inert()
        case "ask" if rest:
            dialog, *keys = rest.split()
            return Asks(dialog, tuple((key.removesuffix("!"), key.endswith("!")) for key in keys))
    step = _of_a_dialog(text, word, rest) if in_dialog else _of_a_layer(text, word, rest)
    if step is not None:
        return step
    if text[:1].islower():
        known = (
            "ask, none, done, add, move, page and slot: value"
            if in_dialog
            else "ask, none and pick"
        )
        raise BadNotation(f"{text!r} is no word of a panel here; there are {known}")
    a, b = (read_act(text.replace(f"{{{TURN}}}", side), notation) for side in Side)
    return Enters(text, (a, b))


def _of_a_layer(text: str, word: str, rest: str) -> Step | None:
    if text == "NEW":
        return NewMatch()
    if word == "pick" and re.fullmatch("[AB]|[1-9]", rest):
        return Picks(rest)
    return None


def _of_a_dialog(text: str, word: str, rest: str) -> Step | None:
    if text == "done":
        return Done()
    if word == "add" and rest.isdecimal() and int(rest):
        return Adds(int(rest))
    if word == "page" and rest:
        return Turns(rest)
    if word == "move" and _NAME.fullmatch(rest):
        return Moves(rest)
    match = _PUTS.fullmatch(text)
    if match is None:
        return None
    values = tuple(value.strip() for value in match[2].split("|"))
    if not any(values):
        raise BadNotation(f"{text!r} puts nothing into the slot {match[1]}")
    return Puts(match[1], values, done=match[3] is not None)


class Template(Struct, frozen=True):
    """An act with slots: `FOUL(hit={ball},{free})`. An argument whose slot is empty is left out.

    `{n!}` must be filled, else this is no act; `{v-}` must be empty; `{v|4}` is 4 where empty.
    """

    text: str

    def slots(self) -> frozenset[str]:
        """The slots that keys fill."""
        return frozenset(_names(self.text)) - {TURN}

    def without(self) -> frozenset[str]:
        """The slots that must be empty."""
        return frozenset(name for name, how in _SLOT.findall(self.text) if how == "-")

    def filled(self, slots: Mapping[str, str], turn: Side | None) -> str:
        """The text with the slots filled, as far as they are.

        Raises:
            BadNotation: a slot is empty that must not be, or filled that must be empty.
        """
        values = {**slots, TURN: turn.value if turn is not None else ""}
        for name, how in _SLOT.findall(self.text):
            if how in ("!", "-") and bool(values.get(name)) is not (how == "!"):
                raise BadNotation(f"{self.text}: {name} is {'missing' if how == '!' else 'filled'}")
            if how[:1] == "|" and not values.get(name):
                values[name] = how[1:]
        inside = _ARGUMENTS.sub(lambda match: _arguments(match[1], values), self.text)
        return _put_in(inside, values)

    def read(self, slots: Mapping[str, str], turn: Side | None, notation: Notation) -> Act:
        """The act that it is by now.

        Raises:
            BadNotation: it is none yet.
        """
        return read_act(self.filled(slots, turn), notation)


def _names(text: str) -> list[str]:
    return [name for name, _ in _SLOT.findall(text)]


def _put_in(text: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda match: values.get(match[1], ""), text)


def _arguments(text: str, values: Mapping[str, str]) -> str:
    given = [
        _put_in(argument, values)
        for argument in text.split(",")
        if all(values.get(slot) for slot in _names(argument))
    ]
    return f"({','.join(given)})" if given else ""
