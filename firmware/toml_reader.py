"""Reading TOML into typed values, with as many problems found at once as can be."""

import difflib
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from drivers.pad_protocol import PAD_NAME
from firmware.errors import ConfigError

S = TypeVar("S", bound=Struct)


def read_toml(file: str | Path, kind: type[S]) -> S:
    """The file as a value of `kind`.

    Raises:
        ConfigError: with every problem, each with file, table and key, and a suggestion where
            a name looks like a known one.
    """
    path = Path(file)
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError([f"{path}: there is no such file"]) from None
    except IsADirectoryError:
        raise ConfigError([f"{path}: is a folder, not a file"]) from None
    except PermissionError:
        raise ConfigError([f"{path}: may not be read by this user"]) from None
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path}: is not UTF-8 text ({error.reason})"]) from None
    except RecursionError:
        raise ConfigError([f"{path}: lists or tables are nested too deeply"]) from None
    except ValueError as error:  # no TOML, or a number with thousands of digits
        raise ConfigError([f"{path}: {error}"]) from None
    problems: list[str] = []
    value = _table(raw, kind, (), problems)
    if problems or value is None:
        raise ConfigError([f"{path}: {problem}" for problem in problems])
    return value


def _table(
    raw: dict[str, Any], kind: type[S], place: tuple[str, ...], problems: list[str]
) -> S | None:
    """One table as a value; problems are added, and none is given back where there are any."""
    fields, hints = _fields(kind)
    given: dict[str, Any] = {}
    found = len(problems)
    for key, value in raw.items():
        if key not in fields:
            problems.append(f"{_at(place, key)}: unknown{did_you_mean(key, fields)}")
            continue
        name = fields[key].name
        given[name] = _value(value, hints[name], (*place, key), problems)
    problems += [
        f"{_at(place, key)}: is missing"
        for key, field in fields.items()
        if field.required and key not in raw
    ]
    if len(problems) > found:
        return None
    try:
        return kind(**given)
    except ValueError as error:
        problems.append(f"{'.'.join(place) or 'file'}: {error}")
        return None


@lru_cache
def _fields(kind: type[Struct]) -> tuple[dict[str, FieldInfo], dict[str, Any]]:
    """The fields of a table by their key in a file, and their types by name."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    return fields, get_type_hints(kind, include_extras=True)


def _value(value: Any, hint: Any, place: tuple[str, ...], problems: list[str]) -> Any:
    if isinstance(hint, type) and issubclass(hint, Struct):
        if not isinstance(value, dict):
            problems.append(f"{'.'.join(place)}: must be a table")
            return None
        return _table(value, hint, place, problems)
    if getattr(hint, "__origin__", None) is dict and isinstance(value, dict):
        inner = hint.__args__[1]
        return {key: _value(one, inner, (*place, key), problems) for key, one in value.items()}
    if getattr(hint, "__origin__", None) is tuple and isinstance(value, list):
        inner = hint.__args__[0]
        if isinstance(inner, type) and issubclass(inner, Struct):
            # Counted from 1, as people count the tables of a list.
            places = [(*place, str(nth)) for nth in range(1, len(value) + 1)]
            return tuple(
                _value(one, inner, where, problems)
                for one, where in zip(value, places, strict=True)
            )
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        problems.append(f"{'.'.join(place)} = {value!r}: {_plain(str(error))}")
        return None


SLUG = r"^[a-z0-9][a-z0-9-]*$(?!\n)"
"""What may stand in a topic: `$` alone is to Python also the place before a last line break."""

_WORDS = {
    "`int | str`": "a whole number or text",
    "`int`": "a whole number",
    "`str`": "text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
    "`float`": "a number",
}


def _plain(message: str) -> str:
    """A library's message in the words of someone who edits a file."""
    for python, word in _WORDS.items():
        message = message.replace(python, word)
    message = message.replace(f"matching regex {SLUG!r}", "of a-z, 0-9 and -")
    message = message.replace(f"matching regex {PAD_NAME!r}", "of a-z, 0-9, - and _, 12 at most")
    message = message.replace(r"matching regex '^[^\\x00]*$'", "without a zero byte")
    return message.replace("`", "").replace("Expected ", "must be ").replace(" - at $", " at ")


def _at(place: tuple[str, ...], key: str) -> str:
    return ".".join((*place, key))


def did_you_mean(name: str, known: Any) -> str:
    """`, did you mean NAME?` where a known name is close, else nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f", did you mean {close[0]}?" if close else ""
