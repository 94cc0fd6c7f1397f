"""Good input made bad: pieces lost, doubled, moved, replaced by words that mean something here."""

import re
from collections.abc import Sequence

from hypothesis import strategies as st

_WORD = re.compile(rb"[A-Za-z_]+|\d+|\s+|[^\w\s]")

NASTY = (
    *(b"", b"0", b"-1", b"1e999", b"nan", b"99999999999999999999", b"9" * 5000, b"\x00", b"\xff"),
    *(b"'", b'"', b"\\", b"[", b"]", b"{", b"}", b"(" * 2000, b"\n", b"=", b":", b"/", b"../"),
    *(text.encode() for text in ("\u00e9", "\u202e", "\ufeff", "\U0001f3b1", "true")),
)
"""What readers trip over."""


def mutated(seeds: Sequence[bytes], words: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """One of `seeds` with one to six changes; `words` are put in beside what readers trip over."""
    own = st.sampled_from((*words, *NASTY))
    put = st.one_of(own, own, st.binary(max_size=8), st.text(max_size=8).map(str.encode))

    @st.composite
    def changed(draw: st.DrawFn) -> bytes:
        data = draw(st.sampled_from(seeds))
        for _ in range(draw(st.sampled_from((1, 1, 1, 2, 2, 3, 6)))):
            data = _changed(draw, data, seeds, put)
        return data

    return changed()


def _changed(
    draw: st.DrawFn, data: bytes, seeds: Sequence[bytes], put: st.SearchStrategy[bytes]
) -> bytes:
    how = draw(st.sampled_from(("word", "word", "insert", "drop", "double", "move", "join")))
    if how == "word":
        start, end = draw(st.sampled_from(_words(data)))
        return data[:start] + draw(put) + data[end:]
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    match how:
        case "insert":
            return data[:start] + draw(put) + data[start:]
        case "drop":
            return data[:start] + data[end:]
        case "double":
            return data[:end] + data[start:end][:2000] + data[end:]
        case "move":
            return data[:start] + data[end:] + data[start:end]
    other = draw(st.sampled_from(seeds))
    return data[:start] + other[draw(st.integers(0, len(other))) :]


def _words(data: bytes) -> list[tuple[int, int]]:
    """Where the words of a text stand; of something long and binary, some of its bytes."""
    found = [match.span() for match in _WORD.finditer(data[:20_000])]
    step = max(1, len(data) // 400)
    return found[:: max(1, len(found) // 400)] or [
        (n, n + 1) for n in range(0, len(data) + 1, step)
    ]
