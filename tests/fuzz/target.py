"""What is fed with bad input, and what must come of it: taken, or refused in plain words.

A target opens as a judge: it is given bytes, and says with what words they were refused, nothing
where they were taken. Whatever else comes out of it is a fault, and so are words that name neither
the place nor what is wrong.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

Judge: TypeAlias = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Target:
    """One reader of what comes from outside.

    `cost` is about how many milliseconds an example takes.
    """

    name: str
    open: Callable[[], AbstractContextManager[Judge]]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()
    cost: int = 1


class Unclear(AssertionError):
    """A refusal that helps nobody."""


def clear(text: str, *places: str) -> str:
    """The words of a refusal, if they name a place and say something of it in lines for people."""
    for line in text.splitlines() or [""]:
        if not any(re.match(place, line) for place in places):
            raise Unclear(f"names no place: {line!r}")
        if len(line.split()) < 3 or len(line) > 1000:
            raise Unclear(f"says too little or too much: {line!r}")
        if "Traceback" in line or re.search(r"\b(NoneType|KeyError|object at 0x)", line):
            raise Unclear(f"is for programmers: {line!r}")
    return text
