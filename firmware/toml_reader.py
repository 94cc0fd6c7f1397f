"""Reading TOML into typed values, with as many problems found at once as can be."""

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from drivers.pad_protocol import PAD_NAME
from drivers.phrases import Phrase, within
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
        raise ConfigError([within(path, Phrase("no_file", "there is no such file"))]) from None
    except IsADirectoryError:
        raise ConfigError([within(path, Phrase("a_folder", "is a folder, not a file"))]) from None
    except PermissionError:
        why = Phrase("no_permission", "may not be read by this user")
        raise ConfigError([within(path, why)]) from None
    except OSError as error:
        why = Phrase("unreadable", "cannot be read: {why}", why=error.strerror)
        raise ConfigError([within(path, why)]) from None
    except UnicodeDecodeError as error:
        why = Phrase("not_utf8", "is not UTF-8 text ({why})", why=error.reason)
        raise ConfigError([within(path, why)]) from None
    except RecursionError:
        why = Phrase("too_deep", "lists or tables are nested too deeply")
        raise ConfigError([within(path, why)]) from None
    except ValueError as error:  # no TOML, or a number with thousands of digits
        raise ConfigError([within(path, _no_toml(str(error)))]) from None
    problems: list[str] = []
    value = _table(raw, kind, (), problems)
    if problems or value is None:
        raise ConfigError([within(path, problem) for problem in problems])
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
            problems.append(within(_at(place, key), unknown(key, fields)))
            continue
        name = fields[key].name
        given[name] = _value(value, hints[name], (*place, key), problems)
    problems += [
        within(_at(place, key), Phrase("key_missing", "is missing"))
        for key, field in fields.items()
        if field.required and key not in raw
    ]
    if len(problems) > found:
        return None
    try:
        return kind(**given)
    except ValueError as error:
        problems.append(within(".".join(place) or "file", str(error)))
        return None


@lru_cache
def _fields(kind: type[Struct]) -> tuple[dict[str, FieldInfo], dict[str, Any]]:
    """The fields of a table by their key in a file, and their types by name."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    return fields, get_type_hints(kind, include_extras=True)


def _value(value: Any, hint: Any, place: tuple[str, ...], problems: list[str]) -> Any:
    if isinstance(hint, type) and issubclass(hint, Struct):
        if not isinstance(value, dict):
            must = Phrase("must_be", "must be {kind}", kind=_KINDS["object"])
            problems.append(within(".".join(place), must))
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
        problems.append(within(f"{'.'.join(place)} = {value!r}", _plain(str(error))))
        return None


SLUG = r"^[a-z0-9][a-z0-9-]*$(?!\n)"
"""What may stand in a topic: `$` alone is to Python also the place before a last line break."""

_KINDS = {
    "int | str": Phrase("whole_or_text", "a whole number or text"),
    "int": Phrase("whole", "a whole number"),
    "str": Phrase("text", "text"),
    "bool": Phrase("true_or_false", "true or false"),
    "array": Phrase("list", "a list"),
    "object": Phrase("table", "a table"),
    "float": Phrase("number", "a number"),
}
"""What a library calls a kind of value, in the words of someone who edits a file."""

_LIMITS = {
    f"matching regex {SLUG!r}": Phrase("slug", "of a-z, 0-9 and -"),
    f"matching regex {PAD_NAME!r}": Phrase("pad_name", "of a-z, 0-9, - and _, 12 at most"),
    r"matching regex '^[^\\x00]*$'": Phrase("no_zero", "without a zero byte"),
}
"""What it may look like, in the same words."""

_EXPECTED = re.compile(r"Expected `([^`]*)`(?:, got `([^`]*)`)?(?: (.*?))?(?: - at `\$(.*)`)?")
_INVALID = re.compile(r"Invalid enum value (.*?)(?: - at `\$(.*)`)?")


def _plain(message: str) -> str:
    """A library's message in the words of someone who edits a file."""
    expected, invalid = _EXPECTED.fullmatch(message), _INVALID.fullmatch(message)
    if expected is not None:
        kind, got, limit, at = expected.groups()
        must: str = Phrase("must_be", "must be {kind}", kind=_KINDS.get(kind, kind))
        if got is not None:
            must = Phrase("got", "{must}, got {kind}", must=must, kind=_KINDS.get(got, got))
        if limit is not None:
            must = Phrase("", "{must} {limit}", must=must, limit=_limit(limit))
    elif invalid is not None:
        value, at = invalid.groups()
        must = Phrase("no_choice", "Invalid enum value {value}", value=value)
    else:
        return message.replace("`", "")
    return must if at is None else Phrase("", "{must} at {at}", must=must, at=at)


def _limit(told: str) -> str:
    """How large, long or otherwise a value may be; numbers and signs are the same everywhere."""
    length = told.removeprefix("of length ")
    if length != told:
        return Phrase("length", "of length {n}", n=length)
    return _LIMITS.get(told, told)


def _no_toml(message: str) -> Phrase:
    return Phrase("no_toml", "{why}", why=message)


def _at(place: tuple[str, ...], key: str) -> str:
    return ".".join((*place, key))


def did_you_mean(name: str, known: Any) -> str:
    """`, did you mean NAME?` where a known name is close, else nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 # of use only where a name is wrong

    close = get_close_matches(name, list(known), n=1)
    return Phrase("did_you_mean", ", did you mean {name}?", name=close[0]) if close else ""


def there_are(names: Iterable[str]) -> Phrase:
    """What there is to choose from, behind what there is not."""
    return Phrase("there_are", "; there are {names}", names=", ".join(names))


def unknown(name: str, known: Any) -> Phrase:
    """That there is no such name, and which one is close."""
    return Phrase("unknown", "unknown{hint}", hint=did_you_mean(name, known))
