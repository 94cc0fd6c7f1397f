"""Which of the languages that something is written in serves somebody who asks for another.

A country that has no file of its own speaks the language's own: pt-PT is pt, de-AT is de.
"""

from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, toml

from drivers.phrases import Phrase
from firmware.errors import ConfigError
from firmware.toml_reader import did_you_mean

S = TypeVar("S", bound=Struct)

DEFAULT = "pt"
"""Of a table that is told no other."""


def spoken(code: str, written: Collection[str]) -> str | None:
    """The language to take for `code`, if there is one."""
    return next((name for name in (code, code.partition("-")[0]) if name in written), None)


def no_language(code: str, known: Collection[str]) -> ConfigError:
    """Nothing is written in a language; those that there are."""
    return ConfigError(
        [
            Phrase(
                "no_language",
                "language {language}: there are {names}{hint}",
                language=code,
                names=", ".join(known),
                hint=did_you_mean(code, known),
            )
        ]
    )


def languages_in(folder: Path) -> tuple[str, ...]:
    """The languages that have a file there."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def words_in(folder: Path, code: str, kind: type[S]) -> S:
    """The words of a language, from its file there.

    Raises:
        ConfigError: there is none.
    """
    known = languages_in(folder)
    found = spoken(code, known)
    if found is None:
        raise no_language(code, known)
    return toml.decode((folder / f"{found}.toml").read_bytes(), type=kind)
