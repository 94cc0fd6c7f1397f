"""The file of a configuration: read and checked, and written whole or not at all."""

import contextlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drivers.phrases import Phrase, within
from firmware.config.config import Config
from firmware.config.problems import config_problems
from firmware.disk import synced
from firmware.errors import ConfigError
from firmware.toml_reader import read_toml

Raw = dict[str, Any]
"""A configuration as it stands in its file."""


def load_config(file: str | Path) -> Config:
    """Read a configuration and check everything in it that can be checked without devices.

    Raises:
        ConfigError: with every problem, each with file, table and key, and a suggestion.
    """
    config = read_toml(file, Config)
    problems = [within(file, problem) for problem in config_problems(config)]
    if problems:
        raise ConfigError(problems)
    return config


def as_toml(raw: Raw) -> str:
    """A configuration as text; tables after plain values, lists of tables last."""
    return "\n".join(_lines(raw, "")) + "\n"


def _lines(table: Raw, place: str) -> Iterator[str]:
    tables = {key: one for key, one in table.items() if isinstance(one, dict)}
    lists = {key: one for key, one in table.items() if _of_tables(one)}
    for key, value in table.items():
        if key not in tables and key not in lists:
            yield f"{_key(key)} = {_value(value)}"
    for key, one in tables.items():
        yield f"\n[{place}{_key(key)}]"
        yield from _lines(one, f"{place}{_key(key)}.")
    for key, several in lists.items():
        for one in several:
            yield f"\n[[{place}{_key(key)}]]"
            yield from _lines(one, f"{place}{_key(key)}.")


def _of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())} }}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else str(value)


def write(file: Path, text: str) -> None:
    """Write a configuration once it is in order; the one before stays beside it.

    Raises:
        ConfigError: it is not in order, or the folder refuses; the file is as it was.
    """
    new = file.with_name(f".{file.name}.new")
    try:
        put(new, text, mode=0o644, like=file.parent)
        try:
            load_config(new)
        except ConfigError as error:
            new.unlink()
            raise ConfigError(_renamed(one, new, file) for one in error.problems) from None
        if file.exists():
            before = file.with_name(f"{file.name}.before")
            put(before, file.read_text("utf-8"), mode=0o644, like=file.parent)
        os.replace(new, file)
        synced(file.parent)
    except OSError as error:
        sudo = Phrase("with_sudo", "{why}; start setup with sudo", why=error.strerror)
        disk = Phrase("the_disk", "{why}; look at the disk", why=error.strerror)
        refused = isinstance(error, PermissionError)
        raise ConfigError([within(file, sudo if refused else disk)]) from None


def _renamed(problem: str, before: Path, now: Path) -> str:
    """A problem of a file that is to have another name."""

    def change(text: str) -> str:
        return text.replace(str(before), str(now))

    return problem.with_each(change) if isinstance(problem, Phrase) else change(problem)


def put(file: Path, text: str, *, mode: int, like: Path) -> None:
    """All of a file, on disk; of the same group as its folder, so that the table may read it."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(handle, "w", encoding="utf-8") as opened:
        os.fchmod(handle, mode)
        with contextlib.suppress(PermissionError):
            os.fchown(handle, -1, like.stat().st_gid)
        opened.write(text)
        opened.flush()
        os.fsync(handle)
