"""What the board says, in the languages of its files, each complete or refused at load.

A text is one string, or a list of them from long to short: the board shows the longest that
fits. `{name}` is the name of whom it concerns, `{side}` his side of the board, other places in
`{ }` are numbers or words that `KEYS` names.
"""

import string
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from firmware.errors import ConfigError
from firmware.keys.panel_words import HELD_SIGN
from firmware.spoken import DEFAULT, languages_in, no_language, spoken
from firmware.text_keys import KEYS
from firmware.toml_reader import did_you_mean, read_toml

LANGUAGES = Path(__file__).parent / "languages"
"""The languages that come with the firmware."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """A language file: its code, its name in itself, and tables of texts."""

    code: str
    name: str
    texts: dict[str, dict[str, str | list[str]]]


class Language:
    """One language: every text of `KEYS`."""

    def __init__(self, code: str, name: str, texts: dict[str, tuple[str, ...]]) -> None:
        self.code = code
        self.name = name
        self._texts = texts

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def forms(self, key: str, **values: object) -> tuple[str, ...]:
        """A text from long to short, with its places filled."""
        forms = self._texts[key]
        return tuple(form.format(**values) for form in forms) if values else forms

    def say(self, key: str, **values: object) -> str:
        """A text in its longest form, with its places filled."""
        return self.forms(key, **values)[0]

    def label(self, text: str) -> str:
        """What a key or a dialog is called: a text of this language, or what its panel says."""
        word = text.removeprefix(HELD_SIGN)
        held = text[: len(text) - len(word)]
        return held + (self.say(word) if word in self else word)

    def key_called(self, name: str) -> str:
        """A key by its name in a panel's file, as it is called where a language has a word."""
        return self.say(f"key.{name}") if f"key.{name}" in self else name

    def word_for(self, group: str, code: str, **values: object) -> tuple[str, ...]:
        """The text of a code; one that no language has yet is shown as it is."""
        key = f"{group}.{code}"
        return self.forms(key, **values) if key in self else (code.replace("_", " "),)


def number(n: int) -> str:
    """A number as people read it, with a minus sign and no hyphen."""
    return str(n).replace("-", "−")


@lru_cache(maxsize=16)
def load_language(code: str = DEFAULT) -> Language:
    """The language with this code.

    Raises:
        ConfigError: there is none, or a text is missing, unknown or names an unknown place;
            with every problem found.
    """
    known = language_codes()
    found = spoken(code, known)
    if found is None:
        raise no_language(code, known)
    return read_language(LANGUAGES / f"{found}.toml")


def language_codes() -> tuple[str, ...]:
    """The languages that there are."""
    return languages_in(LANGUAGES)


def read_language(path: Path) -> Language:
    """The language of a file.

    Raises:
        ConfigError: with every problem found.
    """
    file = read_toml(path, _File)
    texts = {
        f"{group}.{key}": (text,) if isinstance(text, str) else tuple(text)
        for group, table in file.texts.items()
        for key, text in table.items()
    }
    problems = [f"texts.{key}: is missing" for key in KEYS if key not in texts]
    for key, forms in texts.items():
        if key not in KEYS:
            problems.append(f"texts.{key}: unknown{did_you_mean(key, KEYS)}")
            continue
        problems += [
            f"texts.{key}: {{{place}}} is no place of it{did_you_mean(place, KEYS[key])}"
            for form in forms
            for place in _places(form)
            if place not in KEYS[key]
        ]
        if not all(forms):
            problems.append(f"texts.{key}: is empty")
    if problems:
        raise ConfigError([f"{path}: {problem}" for problem in problems])
    return Language(file.code, file.name, texts)


def _places(text: str) -> list[str]:
    """The names in `{ }` of a text; an unclosed one is a place of its own."""
    try:
        return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return [text]
