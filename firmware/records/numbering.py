"""What number each frame, rack or set of a match has, and how the match stood behind it.

A match that was begun at 2–1 has its fourth frame first.
"""

from msgspec import Struct

from firmware.records.kept import Kept
from rules.match import Match
from rules.tally import Tally


class Numbered(Struct, frozen=True):
    """A frame: `number` in its set or, without sets, in the match; `of_match` counts through.

    `group` is the number of the set of frames, from 1; `tally` is how the match stood behind it.
    """

    number: int
    of_match: int
    group: int
    tally: Tally


def numbered(match: Kept) -> tuple[Numbered, ...]:
    """All frames of `match.frames()`, in order."""
    begun: dict[int, Tally] = {}
    stood: dict[int, Tally] = {}
    for node in match.ledger.line():
        at = _place(node.match)
        begun.setdefault(at, node.match.tally)
        stood[at] = node.match.tally
    found: list[Numbered] = []
    for at in range(len(match.frames())):
        first = begun.get(at, match.ledger.match.tally)
        group = 1 + sum(first[1]) if len(first) > 1 else 1
        if not found:
            number = of_match = 1 + sum(first[0])
        else:
            last = found[-1]
            number = last.number + 1 if last.group == group else 1
            of_match = last.of_match + 1
        found.append(Numbered(number, of_match, group, stood.get(at, first)))
    return tuple(found)


def _place(state: Match) -> int:
    """Which frame is in play, from 0; one that is over and not left yet still is."""
    done = state.finished
    return len(done) - bool(done and done[-1] is state.frame)
