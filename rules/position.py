"""Frozen values as text: the position of a frame, the format of a match.

`score=37/22 innings=20/20 turn=B` holds the fields that differ from a given base, so that one
mechanism serves the `at:` line of a sheet, a match taken up at a given score, an adjustment by
hand and the `format:` line. The fields and their types are those of the value's class:

| type | text |
|---|---|
| whole number | `12`, `-3` |
| yes or no | `on`, `off` |
| one of several words | the word |
| a value a side | `3/5`, A's first |
| several values | `2+1`, none of them `-` |
| several one-letter words | `NUPK`, none of them `-` |
| maybe none | `none` |
"""

import types
import typing
from collections.abc import Callable, Iterable
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from rules.errors import BadNotation

S = TypeVar("S", bound=Struct)


class _Form:
    """How one field's type is read and written."""

    def __init__(self, read: Callable[[str], Any], write: Callable[[Any], str], needs: str) -> None:
        self.read = read
        self.write = write
        self.needs = needs


def _yes_or_no(text: str) -> bool:
    return {"on": True, "off": False}[text]


def _whole(text: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii():
        raise ValueError(text)
    return int(text)


def _plain(kind: Any) -> _Form:
    if kind is bool:
        return _Form(_yes_or_no, lambda value: "on" if value else "off", "on or off")
    if kind is int:
        return _Form(_whole, str, "a whole number")
    if kind is str:
        return _Form(str, str, "a word")
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = ", ".join(str(member.value) for member in kind)
        return _Form(kind, lambda value: str(value.value), f"one of {words}")
    raise TypeError(f"no text form for {kind!r}")


def _form(kind: Any) -> _Form:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (_form(arg) for arg in args if arg is not type(None))
        return _Form(
            lambda text: None if text == "none" else inner.read(text),
            lambda value: "none" if value is None else inner.write(value),
            f"{inner.needs}, or none",
        )
    if origin is tuple and args[1] is not Ellipsis:
        inner = _form(args[0])
        return _Form(
            lambda text: _pair(text, inner),
            lambda value: "/".join(inner.write(one) for one in value),
            f"{inner.needs} a side, as in A/B",
        )
    if origin is tuple and _has_letters(args[0]):
        inner = _form(args[0])
        return _Form(
            lambda text: () if text == "-" else tuple(inner.read(one) for one in text),
            lambda value: "".join(inner.write(one) for one in value) or "-",
            f"letters, each {inner.needs}, or -",
        )
    if origin is tuple:
        inner = _form(args[0])
        return _Form(
            lambda text: () if text == "-" else tuple(inner.read(one) for one in text.split("+")),
            lambda value: "+".join(inner.write(one) for one in value) or "-",
            f"{inner.needs}, joined by +, or -",
        )
    return _plain(kind)


def _has_letters(kind: Any) -> bool:
    return (
        isinstance(kind, type)
        and issubclass(kind, Enum)
        and all(len(str(member.value)) == 1 for member in kind)
    )


def _pair(text: str, inner: _Form) -> tuple[Any, Any]:
    a, b = text.split("/")
    return inner.read(a), inner.read(b)


@lru_cache(maxsize=64)
def _forms(kind: type[Struct]) -> dict[str, _Form]:
    hints = typing.get_type_hints(kind)
    return {name: _form(hints[name]) for name in kind.__struct_fields__}


def split_fields(text: str) -> tuple[tuple[str, str], ...]:
    """The `field=value` words of a line.

    Raises:
        BadNotation: a word without field or value, or a field given twice.
    """
    pairs: list[tuple[str, str]] = []
    for word in text.split():
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise BadNotation(f"{word!r} is no field=value")
        if key in dict(pairs):
            raise BadNotation(f"{key} is given twice")
        pairs.append((key, value))
    return tuple(pairs)


def join_fields(pairs: Iterable[tuple[str, str]]) -> str:
    """The line that `split_fields` reads."""
    return " ".join(f"{key}={value}" for key, value in pairs)


def with_fields(base: S, pairs: Iterable[tuple[str, str]]) -> S:
    """The value with the given fields read from text and put in the place of its own.

    Raises:
        BadNotation: no such field, or a value that is none of that field's.
    """
    forms = _forms(type(base))
    changes: dict[str, Any] = {}
    for key, text in pairs:
        form = forms.get(key)
        if form is None:
            from difflib import get_close_matches  # noqa: PLC0415 # of use only where a name is wrong

            close = get_close_matches(key, forms, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(forms)}"
            raise BadNotation(f"{key}={text}: no such field; {hint}")
        try:
            changes[key] = form.read(text)
        except (ValueError, KeyError):
            raise BadNotation(f"{key}={text}: {key} is {form.needs}") from None
    return msgspec.structs.replace(base, **changes)


def fields_of(value: Struct, base: Struct) -> tuple[tuple[str, str], ...]:
    """The fields in which a value differs from a base of its own class, as text."""
    return tuple(
        (name, form.write(getattr(value, name)))
        for name, form in _forms(type(value)).items()
        if getattr(value, name) != getattr(base, name)
    )


def field_names(kind: type[Struct]) -> tuple[str, ...]:
    """The fields that a value of this class has, in order."""
    return kind.__struct_fields__
