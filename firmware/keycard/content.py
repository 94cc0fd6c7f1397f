"""What stands on a key card: each key in play, and what follows after it; pure."""

import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from firmware.keycard.words import CardWords
from firmware.keys.bindings import Asks, Digit, Enters, Inert, Puts, Step
from firmware.keys.dialogs import MAIN, Form
from firmware.keys.keymap import Keymap
from firmware.keys.moment import FIRST, HELD, OVER, PLAY, RACK, SHOOTOUT, MatchMoment
from firmware.keys.panel_words import HELD_SIGN
from rules.entries import Award, Concede, Disqualify, Scope
from rules.errors import BadSetup, NotAllowed
from rules.ledger import after_all
from rules.match import Match, new_match
from rules.position import split_fields
from rules.record import Act, Control, Fields, Setup
from rules.rulebook import Rulebook
from rules.sides import Side
from rules.standing import Stage

STARTS = {
    "carom": ("", "score=0/1"),
    "snooker": ("", "reds=1", "reds=0 colours=YGNUPK", "reds=0 colours=K score=50/57"),
    "pool": ("", "opening=off", "opening=off left=2", "fouls=2/0", "opening=off push=on"),
}
"""Positions to look from for what a discipline knows, beside the first one."""

WALKS, STEPS = 30, 25


class CardKey(Struct, frozen=True):
    """One key: its label, what it does in play, and what it does held or held on."""

    label: str
    press: str
    hold: str = ""


class Section(Struct, frozen=True):
    """What keys do at another moment: a title, who opens it, and each key with its meaning."""

    title: str
    opened_by: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]


class Card(Struct, frozen=True):
    """A whole card, still without a place for anything."""

    title: str
    subtitle: str
    keys: tuple[CardKey, ...]
    sections: tuple[Section, ...]


def card(
    keymap: Keymap, rulebook: Rulebook, name: str, words: CardWords, format_: Fields = ()
) -> Card:
    """The card of a layout in a discipline, which is called `name`, and as its match is agreed."""
    return _Reader(keymap, rulebook, words, format_).read(name)


class Known(NamedTuple):
    """What a discipline knows of a layout: bindings that it accepts at some time, and contexts."""

    granted: frozenset[str]
    contexts: frozenset[str]


class _Reader:
    """Reads a keymap as a person would who wants to know what it can do in one discipline."""

    def __init__(
        self, keymap: Keymap, rulebook: Rulebook, words: CardWords, format_: Fields
    ) -> None:
        self._keymap, self._words = keymap, words
        self._granted, self._contexts = known(keymap, rulebook, format_)
        self._play = RACK if RACK in self._contexts else PLAY
        self._openers: dict[str, list[str]] = {}

    def read(self, name: str) -> Card:
        """All of it."""
        keys = tuple(self._key(key) for key in self._keymap.layout.keys)
        layers = [
            section
            for layer in (FIRST, *self._choices(), HELD, SHOOTOUT, OVER)
            if (section := self._layer(layer)) is not None
        ]
        return Card(
            title=name,
            subtitle=(
                f"{self._keymap.layout.name} – {self._words.say('title')} – "
                f"{HELD_SIGN} {self._words.say('hold')} – {self._long()}"
            ),
            keys=keys,
            sections=(*self._dialogs(), *layers),
        )

    def _long(self) -> str:
        """What OK does when it is held for seconds, on every panel."""
        key = next(key for key in self._keymap.layout.keys if key in self._keymap.ok_keys)
        return f"{self._label(key)} {self._words.say('long')}"

    def _choices(self) -> list[str]:
        """The layers of choices, but of those that this discipline never asks for."""
        layers = [layer for layer in self._keymap.layers if layer.startswith("choice")]
        return [layer for layer in layers if layer in self._contexts]

    def _key(self, key: str) -> CardKey:
        label = self._label(key)
        press = self._said(label, self._keymap.steps(self._play, key, held=False))
        held = self._keymap.layers.get(self._play, {}).get((key, True))
        held = held or self._keymap.layers[PLAY].get((key, True), ())
        hold = self._said(f"{HELD_SIGN} {label}", held)
        if hold and key in self._keymap.adding and not hold.startswith("+"):
            hold = f"+ {hold}"
        return CardKey(label, press or "–", hold)

    def _said(self, label: str, steps: Iterable[Step]) -> str:
        """What of several steps this discipline knows, by turns."""
        said: dict[str, None] = {}
        texts = [step.text for step in steps if isinstance(step, Enters)]
        for step in steps:
            if isinstance(step, Enters) and _same_ball(step.text, texts):
                continue
            if self._known(step):
                if isinstance(step, Asks):
                    self._open(step.dialog, label)
                said[self._words.step(step)] = None
        return ", ".join(filter(None, said))

    def _open(self, dialog: str, label: str) -> None:
        by = self._openers.setdefault(dialog, [])
        if label not in by:
            by.append(label)

    def _known(self, step: Step) -> bool:
        match step:
            case Enters(text, acts):
                return isinstance(acts[0], Control) or text in self._granted
            case Asks(dialog):
                return self._known_form(self._keymap.forms[dialog], frozenset())
        return not isinstance(step, Inert)

    def _known_form(self, form: Form, seen: frozenset[str]) -> bool:
        """Whether anything can come of a dialog, or of one that it opens."""
        if f"ask {form.name}" in self._granted:
            return True
        for step in form.all_steps():
            if isinstance(step, Enters) and self._known(step):
                return True
            if isinstance(step, Asks) and step.dialog not in seen:
                other = self._keymap.forms[step.dialog]
                if self._known_form(other, seen | {form.name}):
                    return True
        return False

    def _dialogs(self) -> Iterator[Section]:
        """Every dialog that something opens; reading one finds others."""
        done: set[str] = set()
        while waiting := [name for name in self._openers if name not in done]:
            name = waiting[0]
            done.add(name)
            yield self._section(self._keymap.forms[name])

    def _section(self, form: Form) -> Section:
        rows: list[tuple[str, str]] = []
        digits = [key for (key, _), (step, *_) in form.pages[MAIN].items() if _is_digit(step)]
        if digits:
            rows.append((self._labels(digits), self._words.say("digits")))
        title = self._words.dialog(form.name).removesuffix(" …")
        for page, bindings in form.pages.items():
            before = "" if page == MAIN else "… "
            for (key, held), steps in bindings.items():
                label = before + self._labelled(key, held=held)
                said = "" if _is_digit(steps[0]) else self._said(f"{title} {label}", steps)
                if said and _also_enters(form, steps[0]):
                    said = f"{said}, {self._words.say('enters')}"
                if said:
                    rows.append((label, _without(said, title)))
        if form.other == "enter":
            rows.append(("", self._words.say("wait_s", n=f"{form.timeout_ms / 1000:g}")))
        return Section(title, tuple(self._openers[form.name]), tuple(rows))

    def _labels(self, keys: list[str]) -> str:
        return f"{self._label(keys[0])} … {self._label(keys[-1])}"

    def _label(self, key: str) -> str:
        return self._words.label(self._keymap.label(key))

    def _labelled(self, key: str, *, held: bool) -> str:
        label = self._label(key)
        return f"{HELD_SIGN} {label}" if held else label

    def _layer(self, layer: str) -> Section | None:
        rows = []
        for (key, held), steps in self._keymap.layers.get(layer, {}).items():
            label = self._labelled(key, held=held)
            if said := self._said(label, steps):
                rows.append((label, said))
        kind, _, which = layer.partition(".")
        title = self._words.choice(which) if which else self._words.say(f"layer_{kind}")
        return Section(title, (), tuple(rows)) if rows and kind in self._contexts else None


def _without(said: str, title: str) -> str:
    """A meaning without what the title of its section says already."""
    rest = said.removeprefix(f"{title}: ").removeprefix(f"{title} ")
    return said if rest == "…" else rest


def _same_ball(text: str, others: list[str]) -> bool:
    """Whether a free ball is the key's ball, which is told already."""
    return text.startswith("FB(") and text[3:-1] in others


def _also_enters(form: Form, step: Step) -> bool:
    """Whether a key writes and enters, where others only write."""
    writes = [one for one in form.all_steps() if isinstance(one, Puts)]
    return isinstance(step, Puts) and step.done and not all(one.done for one in writes)


def _is_digit(step: Step) -> bool:
    return isinstance(step, Digit)


def _acts_of(form: Form) -> list[Act]:
    """What can be typed in a dialog with a key or two: enough to see whether it is of any use."""
    acts: dict[str, Act] = {}
    for slots in form.completions({}):
        for side in Side:
            for act in form.acts(slots, side):
                acts[repr(act)] = act
    return list(acts.values())


def _wishes(keymap: Keymap) -> dict[str, list[Act]]:
    """What the card asks of a discipline: each act of a key, and any act of each dialog."""
    tables = [*keymap.layers.values()]
    for form in keymap.forms.values():
        tables += form.pages.values()
    steps = [step for bindings in tables for each in bindings.values() for step in each]
    wishes: dict[str, list[Act]] = {
        step.text: [act for act in step.acts if not isinstance(act, Control)]
        for step in steps
        if isinstance(step, Enters)
    }
    return wishes | {f"ask {name}": _acts_of(form) for name, form in keymap.forms.items()}


def known(keymap: Keymap, rulebook: Rulebook, format_: Fields = ()) -> Known:
    """What of a layout some match of a discipline grants, and what it ever waits for.

    Looked for in matches played by chance, always the same ones.
    """
    pending, granted, contexts = _wishes(keymap), set[str](), {OVER}
    for match in _matches(rulebook, format_, STARTS[keymap.notation.words.family]):
        moment = MatchMoment(match)
        contexts |= {moment.context, moment.context.partition(".")[0]}
        for name, acts in list(pending.items()):
            if any(not moment.would(act).refused for act in acts):
                granted.add(name)
                del pending[name]
    return Known(frozenset(granted), frozenset(contexts))


def _matches(rulebook: Rulebook, format_: Fields, starts: Iterable[str]) -> Iterator[Match]:
    """Moments of matches in a discipline: what people come to, soon and late."""
    chance = random.Random(rulebook.id)
    needs = {name: "2/2" if name == "target" else "2" for name in rulebook.unverified}
    agreed = tuple((needs | dict(format_)).items())
    for _ in range(WALKS):
        for position in starts:
            match = _start(rulebook, agreed, split_fields(position), chance.choice([*Side, None]))
            for _ in range(STEPS):
                if match is None or match.stage is Stage.OVER:
                    break
                yield match
                match = _gone_on(match, chance)


def _start(rulebook: Rulebook, format_: Fields, at: Fields, first: Side | None) -> Match | None:
    try:
        return new_match(Setup(rulebook.id, format=format_, first=first, at=at), rulebook)
    except BadSetup:
        return None  # a position that this discipline does not know


def _gone_on(match: Match, chance: random.Random) -> Match:
    """After one of the entries that are offered; seldom one that ends the match."""
    entries = [entry for offer in match.legal() for entry in offer.at_bounds()]
    usual = [entry for entry in entries if not _ends(entry)]
    for entry in chance.sample(usual, len(usual)):
        try:
            return after_all(match, (entry,))
        except NotAllowed:
            continue
    return match


def _ends(entry: object) -> bool:
    match entry:
        case Disqualify() | Award(why="absence") | Concede(scope=Scope.MATCH):
            return True
    return False
