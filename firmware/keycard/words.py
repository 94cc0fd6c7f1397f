"""What keys do, in words: acts in notation and what dialogs write, in the language of a card."""

import re
from functools import lru_cache
from pathlib import Path

from msgspec import toml

from firmware.entries.fields import BALLS, pair_text
from firmware.entries.words import EntryWords
from firmware.errors import ConfigError
from firmware.i18n import Language
from firmware.keys.bindings import (
    Adds,
    Asks,
    Digit,
    Done,
    Enters,
    Moves,
    NewMatch,
    Picks,
    Puts,
    Turns,
)
from firmware.keys.panel_words import dialog_key

FOLDER = Path(__file__).parent / "languages"

_POOL = {
    "S": "entry.solid",
    "S1": "entry.solid",
    "T": "entry.striped",
    "T1": "entry.striped",
    "M": "typed.money",
}

_NUMBERED = {
    "reds": "entry.reds",
    "v": "typed.points",
    "fell": "typed.fell_balls",
    "pins": "entry.pins",
    "inner": "entry.inner",
    "own_pins": "entry.own_pins",
    "own_inner": "entry.own_inner",
    "colours": "entry.colours",
    "red": "entry.red_pin",
    "group": "entry.claimed",
}
"""Slots whose values say little without what they count."""

_OF_A_GROUP = re.compile("[ST][1-9]")

_WHOSE, _ORDER = re.compile("[AB](,[AB12])?"), re.compile("[12]/[12]")
_VALUE = re.compile("[a-z0-9_,=]+[A-Z]?|[ST][1-9]?(,[ST][1-9])?|[1-9],M|8[a-z]+")
_COLOURS = "".join(BALLS)[1:]
"""What dialogs write besides acts: who, in which order, marks and numbers, balls that are left."""

_MEMBERS = ("members", "who")
"""Slots that say who of a pair: `2/1`, `A,2`."""


class CardWords:
    """The words of one language."""

    def __init__(self, words: dict[str, str], language: Language) -> None:
        self._words, self._language = words, language
        self._entries = EntryWords(language)

    def say(self, word: str, **places: object) -> str:
        """One word or sentence of the cards, or the word that the board has for a dialog.

        Raises:
            KeyError: there is no such word.
        """
        if word in self._words:
            return self._words[word].format(**places)
        return self._language.say(dialog_key(word))

    def label(self, text: str) -> str:
        """What a key is called."""
        return self._language.label(text)

    def step(self, step: object) -> str:
        """What a key does; nothing where it means to do nothing.

        Raises:
            KeyError: a word for it is missing.
        """
        match step:
            case Enters(text):
                return self.act(text)
            case NewMatch():
                return self._language.say("entry.new")
            case Picks(which) if which in ("A", "B"):
                return self.say("plays", side=which)
            case Picks(which):
                return self.say("nth_choice", n=which)
            case Asks(dialog):
                return self.dialog(dialog)
            case Puts():
                return self._puts(step)
            case Adds(n):
                return self.say("add", n=n)
            case Digit(digit):
                return str(digit)
            case Moves(slot):
                own = f"move_{slot}"
                return self.say(own if own in self._words else "move")
            case Turns(page) if key := dialog_key(page):
                return self._language.label(key) + " …"
            case Turns():
                return self.say("page") + " …"
            case Done():
                return self.say("enters")
        return ""

    def choice(self, kind: str) -> str:
        """What is chosen where a choice of this kind is open."""
        return self._language.word_for("choice", kind)[0]

    def dialog(self, name: str) -> str:
        """What a dialog is for."""
        return self._language.label(dialog_key(name) or name.replace("_", " ")) + " …"

    def act(self, text: str) -> str:
        """An act in notation; what is confirmed, by that."""
        return self.say("ok") if text == "OK" else self._entries.say(text)

    def meaning(self, text: str) -> str:
        """What a key does now, as a board is told it: an act, a dialog or what is written there."""
        if text in self._language:
            return self._language.say(text)
        if text.startswith("-") and not text[1:].isdecimal():
            return f"– {self.meaning(text[1:])}"  # taken back
        if text in ("ENTER", "NEW"):
            return self.say("enters") if text == "ENTER" else self._language.say("entry.new")
        if f"move_{text}" in self._words:
            return self.say(f"move_{text}")
        try:
            return self._written(text) or self.act(text)
        except KeyError:
            return text  # what only this panel writes

    def _written(self, text: str) -> str:
        """What a dialog writes; nothing where it is an act."""
        if _WHOSE.fullmatch(text):
            return text.replace(",", " ")
        if _ORDER.fullmatch(text):
            return pair_text(text)
        if len(text) > 1 and _COLOURS.endswith(text):
            return self._values("colours", text)
        if f"pick.{text}" in self._language and f"entry.{text}" not in self._language:
            return self._values("choice", text)
        return self._values("", text) if text in BALLS or _VALUE.fullmatch(text) else ""

    def _puts(self, step: Puts) -> str:
        values = [value for value in step.values if value]
        counted = _NUMBERED.get(step.slot, "")
        if step.slot == "red":
            return self._language.say(counted)
        listed = ", ".join(self._values(step.slot, value) for value in values)
        if step.slot == "fell" and not all(value.isdecimal() for value in values):
            counted = ""
        return f"{self._language.say(counted)}: {listed}" if counted else listed

    def _values(self, slot: str, text: str) -> str:
        if slot == "colours":
            first, last = (self._ball(text[at]) for at in (0, -1))
            return first if first == last else f"{first} – {last}"
        if slot == "choice":
            return self._language.word_for("pick", text)[0]
        if slot in _MEMBERS:
            return text.replace(",", " ")
        return " + ".join(self._value(slot, one) for one in text.split(","))

    def _value(self, slot: str, text: str) -> str:
        if text in BALLS and slot in ("ball", ""):
            return self._ball(text)
        if text in _POOL:
            return self._language.say(_POOL[text])
        if _OF_A_GROUP.fullmatch(text):
            return f"{text[1:]} {self._language.say(_POOL[text[0]])}"
        name, equals, value = text.rpartition("=")
        if equals and name == "low":
            return f"{self._language.say('entry.low')} {self._ball(value)}"
        if equals:
            return f"{self._language.say(_NUMBERED.get(name) or f'entry.{name}')} {value}"
        if slot == "kind" and text == "other":
            return self._language.say("entry.other_foul")
        return text if text in "AB" or text.isdecimal() else self._entries.argument(text.lower())

    def _ball(self, letter: str) -> str:
        return self._language.word_for("ball", BALLS[letter])[0]


@lru_cache(maxsize=8)
def load_card_words(language: Language) -> CardWords:
    """The words of a language; of `pt-BR` those of `pt` where it has none of its own.

    Raises:
        ConfigError: there are none.
    """
    for name in (language.code, language.code.partition("-")[0]):
        file = FOLDER / f"{name}.toml"
        if file.is_file():
            return CardWords(toml.decode(file.read_bytes(), type=dict[str, str]), language)
    there = ", ".join(sorted(file.stem for file in FOLDER.glob("*.toml")))
    raise ConfigError([f"language: {language.code} has no words for key cards; there are {there}"])
