"""The words of the commands, one file a language; read by a command that speaks, never in a match.

A text is named by its table and key, as `doctor.spi_off`. What a driver or a configuration says of
itself, `drivers.phrases.Phrase`, has its words in the table `errors`.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, toml

from drivers.phrases import Phrase
from firmware.errors import ConfigError
from firmware.spoken import languages_in, no_language, spoken

FOLDER = Path(__file__).parent / "languages"


class Text(Struct, frozen=True):
    """A text by its name, with what stands in its places: numbers, names, other texts."""

    key: str
    filled: tuple[tuple[str, Any], ...] = ()

    @property
    def places(self) -> dict[str, Any]:
        """What stands in its places, by their names."""
        return dict(self.filled)


def text(key: str, /, **places: object) -> Text:
    """A text that is to be said, in whatever language."""
    return Text(key, tuple(places.items()))


class TerminalWords:
    """The words of one language."""

    def __init__(self, code: str, texts: dict[str, dict[str, str]]) -> None:
        self.code = code
        self._texts = {
            f"{table}.{key}": one for table, all_ in texts.items() for key, one in all_.items()
        }

    def say(self, key: str, /, **places: object) -> str:
        """A text with its places filled.

        Raises:
            KeyError: there is no such text.
        """
        return self._texts[key].format(**{name: self.of(one) for name, one in places.items()})

    def of(self, what: object) -> str:
        """Anything as it reads in this language: a text, what a driver said, a number, a name."""
        match what:
            case Text():
                return self.say(what.key, **what.places)
            case Phrase():
                form = self._texts.get(f"errors.{what.code}", what.english)
                return form.format(**{name: self.of(one) for name, one in what.places.items()})
            case float():
                return f"{what:.1f}".replace(".", self.say("general.decimal"))
        return str(what)


@lru_cache(maxsize=8)
def load_terminal_words(code: str) -> TerminalWords:
    """The words of a language.

    Raises:
        ConfigError: there are none, or its file cannot be read.
    """
    known = terminal_languages()
    found = spoken(code, known)
    if found is None:
        raise no_language(code, known)
    file = FOLDER / f"{found}.toml"
    try:
        return TerminalWords(found, toml.decode(file.read_bytes(), type=dict[str, dict[str, str]]))
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError([f"{file}: {error}; install tacada again"]) from None


def terminal_languages() -> tuple[str, ...]:
    """The languages that there are."""
    return languages_in(FOLDER)
