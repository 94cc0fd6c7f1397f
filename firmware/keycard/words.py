"""What keys do, in words: acts in notation and what dialogs write, in the language of a card."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import toml

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

_BALLS = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "N": "brown",
    "U": "blue",
    "P": "pink",
    "K": "black",
}
_POOL = {"S": "solid", "S1": "solid", "T": "striped", "T1": "striped", "M": "money"}

_NUMBERED = {
    "reds": "reds",
    "v": "v",
    "fell": "fell_balls",
    "pins": "pins",
    "inner": "inner",
    "own_pins": "own_pins",
    "own_inner": "own_inner",
    "colours": "colours",
    "red": "red_pin",
    "group": "claimed",
}
"""Slots whose values say little without what they count."""

_OF_A_GROUP = re.compile("[ST][1-9]")

_MEMBERS = ("members", "who")
"""Slots that say who of a pair: `2/1`, `A,2`."""

_ACT = re.compile(r"([A-Z]+)(\d*)(?:\((.*)\))?")


class CardWords:
    """The words of one language."""

    def __init__(self, words: dict[str, str], language: Language) -> None:
        self._words, self._language = words, language

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
                return self.say("new")
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
        """An act in notation."""
        tokens = text.strip("[]").split()
        return " + ".join(self._token(token) for token in tokens)

    def meaning(self, text: str) -> str:
        """What a key does now, as a board is told it: an act, a dialog or what is written there."""
        if text in self._language:
            return self._language.say(text)
        if text.startswith("-") and text[1:].islower():
            return f"– {self.meaning(text[1:])}"  # taken back
        try:
            if text == "ENTER":
                return self.say("enters")
            return self._values("", text) if text.islower() else self.act(text)
        except KeyError:
            return text  # what only this panel writes

    def _token(self, token: str) -> str:
        if token == "/":
            return self.say("visit_over")
        if token == "+R":
            return self.say("more_red")
        match = _ACT.fullmatch(token)
        if match is None:
            return token  # a number is its own word
        head, number, args = match.groups()
        if args == "repeat":
            return self.say(args)
        if head in _BALLS and args is None:
            return self._ball(head)
        if head == "PICK":
            return self._language.word_for("pick", args)[0]
        words = [self.say(head.lower()), number, *self._arguments(head, args or "")]
        return " ".join(word for word in words if word)

    def _arguments(self, head: str, text: str) -> Iterator[str]:
        for arg in filter(None, text.split(",")):
            name, equals, value = arg.rpartition("=")
            if name == "by":
                yield self.say("by", side=value)
            elif arg != "{turn}" and not (arg == "1" and head == "POT"):
                yield self._value("" if not equals else name, value)

    def _puts(self, step: Puts) -> str:
        values = [value for value in step.values if value]
        counted = _NUMBERED.get(step.slot, "")
        if step.slot == "red":
            return self.say(counted)
        listed = ", ".join(self._values(step.slot, value) for value in values)
        if step.slot == "fell" and not all(value.isdecimal() for value in values):
            counted = ""
        return f"{self.say(counted)}: {listed}" if counted else listed

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
        if text in _BALLS and slot in ("ball", ""):
            return self._ball(text)
        if text in _POOL:
            return self.say(_POOL[text])
        if _OF_A_GROUP.fullmatch(text):
            return f"{text[1:]} {self.say(_POOL[text[0]])}"
        if text in ("8off", "8ball"):
            return self.say("eight_off" if text == "8off" else "eight")
        name, equals, value = text.rpartition("=")
        if equals and name == "low":
            return f"{self.say(name)} {self._ball(value)}"
        if equals:
            return f"{self.say(_NUMBERED.get(name, name))} {value}"
        if slot == "kind" and text == "other":
            return self.say("other_foul")
        return text if text in "AB" or text.isdecimal() else self.say(text.lower())

    def _ball(self, letter: str) -> str:
        return self._language.word_for("ball", _BALLS[letter])[0]


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
