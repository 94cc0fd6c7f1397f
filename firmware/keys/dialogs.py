"""Dialogs of a panel, read and ready: an act with slots that keys fill, or a menu of further keys.

A dialog is a form in the sense of paper: `Template` is the line with gaps, each key writes into
one, and what is written is judged by the match before anybody signs it.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from firmware.keys.bindings import NUMBER, Adds, Digit, Moves, Puts, Step, Template
from firmware.keys.moment import Moment, Would
from rules.errors import BadNotation
from rules.notation import Notation
from rules.record import Act
from rules.sides import Side

Gesture: TypeAlias = tuple[str, bool]
"""A key, and whether it is held."""

Bindings: TypeAlias = Mapping[Gesture, tuple[Step, ...]]
"""What keys do. Where there are several steps, the first that the match would accept."""

Slots: TypeAlias = Mapping[str, str]
"""What is written into a form so far."""

INCOMPLETE = "incomplete"
"""Why a form is not entered that says too little to be an act."""

MAIN = ""
"""The page that a dialog opens with."""


def steps_of(bindings: Bindings, key: str, *, held: bool) -> tuple[Step, ...]:
    """What a key does; a held key that has no hold does what its press does."""
    return (bindings.get((key, True), ()) if held else ()) or bindings.get((key, False), ())


class Form(Struct, frozen=True):
    """One dialog.

    `templates` are tried in order; a menu has none. `when` says when it is opened at all,
    `other` what a key does that it does not name, `full` what a number does that no digit could
    follow, `hint` what is told when it opens.
    """

    name: str
    label: str
    templates: tuple[Template, ...]
    pages: Mapping[str, Bindings]
    notation: Notation
    most: int
    when: Literal["always", "again", "first", "ends"]
    other: Literal["refuse", "drop", "enter"]
    full: Literal["wait", "enter"]
    hint: str
    timeout_ms: int

    def steps(self, page: str, key: str, *, held: bool) -> tuple[Step, ...]:
        """What a key does on a page."""
        return steps_of(self.pages[page], key, held=held)

    def all_steps(self) -> Iterator[Step]:
        """What its keys do, on all pages."""
        for bindings in self.pages.values():
            for steps in bindings.values():
                yield from steps

    def acts(self, slots: Slots, turn: Side | None) -> tuple[Act, ...]:
        """The acts that it is by now, the usual one first; none while it says too little."""
        acts = []
        for template in self.templates:
            try:
                acts.append(template.read(slots, turn, self.notation))
            except BadNotation:
                continue
        return tuple(acts)

    def best(self, moment: Moment, slots: Slots) -> tuple[Act | None, Would]:
        """The act that the match would accept, or the usual one with the reason why not."""
        tried = [(act, moment.would(act)) for act in self.acts(slots, moment.turn)]
        accepted = (pair for pair in tried if not pair[1].refused)
        return next(accepted, tried[0] if tried else (None, Would(INCOMPLETE)))

    def written(self, slots: Slots, step: Step) -> Slots | None:
        """What is written after a key; none if the number would grow too large."""
        number = int(slots.get(NUMBER) or 0)
        match step:
            case Puts(slot):
                return {**slots, slot: step.after(slots.get(slot, ""))}
            case Digit(digit):
                number = 10 * number + digit
            case Adds(n):
                number += n
            case Moves(slot) if number:
                other = int(slots.get(slot) or 0)
                return {**slots, NUMBER: "", slot: str(other + number)}
            case Moves(slot):
                return {**slots, NUMBER: slots.get(slot, ""), slot: ""}
            case _:
                return slots
        return {**slots, NUMBER: str(number)} if number <= self.most else None

    def is_full(self, slots: Slots) -> bool:
        """Whether the number has all the digits that it can have."""
        return 10 * int(slots.get(NUMBER) or 0) > self.most

    def completions(self, slots: Slots) -> Iterator[Slots]:
        """What it could say after one more key; then the same with every other gap filled too."""
        first: dict[str, str] = {}
        ways: list[Slots] = [slots]
        for step in self.all_steps():
            match step:
                case Puts(slot, values):
                    ways += [{**slots, slot: value} for value in values]
                    first.setdefault(slot, next(value for value in values if value))
                case Digit() | Adds():
                    written = self.written(slots, step)
                    ways += [] if written is None else [written]
                    first.setdefault(NUMBER, "1")
                case Moves(slot):
                    ways += [self.written(slots, step) or slots]
                    first.setdefault(slot, "1")
        yield from ways
        for way in ways:
            yield {**first, **{slot: value for slot, value in way.items() if value}}

    def prospect(self, moment: Moment, slots: Slots) -> Would:
        """What the match says to the best that can become of it; a menu is asked key by key."""
        refused: Would | None = None
        tried: set[Act] = set()
        for way in self.completions(slots):
            for act in self.acts(way, moment.turn):
                if act in tried:
                    continue
                tried.add(act)
                would = moment.would(act)
                if not would.refused:
                    return would
                refused = refused or would
        return refused or Would(INCOMPLETE)
