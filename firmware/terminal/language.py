"""Which language a command speaks: the one it is told, else the club's, else the user's.

The club's is that of the table's configuration, also where that cannot be used otherwise; the
user's is that of the environment (POSIX, "Internationalization Variables").
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from firmware.config.places import DEFAULT_FILE
from firmware.errors import ConfigError
from firmware.spoken import DEFAULT, spoken
from firmware.terminal.words import TerminalWords, load_terminal_words, terminal_languages

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set says it."""


def add_language(parser: argparse.ArgumentParser, of: str = "of what is said here") -> None:
    """Let a command be told its language."""
    parser.add_argument("--language", metavar="CODE", help=f"{of}; default: the table's")


def words_of(args: argparse.Namespace) -> TerminalWords:
    """The words of a command that was called so.

    Raises:
        ConfigError: there is no such language, or its words cannot be read.
    """
    return load_terminal_words(language_of(args))


def language_of(args: argparse.Namespace) -> str:
    """The language of a command: told, its configuration's, the first table's, or the user's."""
    told: str | None = getattr(args, "language", None)
    named = getattr(args, "config", None) or DEFAULT_FILE
    return told or language_in(named) or user_s(os.environ) or DEFAULT


def language_in(file: Path) -> str | None:
    """The language of a table by its configuration, whatever else may be wrong with that."""
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    told = raw.get("language", DEFAULT)
    return told if isinstance(told, str) and spoken(told, terminal_languages()) else None


def user_s(environment: Mapping[str, str]) -> str | None:
    """The language of the user by the environment, where we speak it: `pt_BR.UTF-8` is `pt-BR`."""
    locale = next(filter(None, (environment.get(name) for name in _VARIABLES)), "")
    code = locale.partition(".")[0].partition("@")[0].replace("_", "-")
    return spoken(code, terminal_languages())


def tell(error: Exception, args: argparse.Namespace) -> None:
    """Say in the language of a command why it failed; in English where its words are at fault."""
    try:
        words: TerminalWords | None = words_of(args)
    except ConfigError:
        words = None
    said = error.args if len(error.args) == 1 else (str(error),)
    for one in error.problems if isinstance(error, ConfigError) else said:
        for line in (words.of(one) if words else str(one)).splitlines():
            print(f"tacada: {line}", file=sys.stderr)
