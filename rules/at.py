"""A position at which a match is taken up: the tally's part, the carry's, the frame's own."""

from msgspec import Struct

from rules.errors import BadNotation
from rules.frame import Carry
from rules.position import field_names, with_fields
from rules.record import Fields
from rules.rulebook import Level
from rules.sides import Pair
from rules.tally import Tally


class At(Struct, frozen=True):
    """The fields of an `at:` line, parted by whose they are."""

    tally: Fields
    carry: Fields
    frame: Fields


def parted(at: Fields, levels: tuple[Level, ...], carry: Carry) -> At:
    """Part the fields: what is no level's and not the carry's is the frame's."""
    names = [level.name for level in levels]
    shared = field_names(type(carry))
    return At(
        tally=tuple(pair for pair in at if pair[0] in names),
        carry=tuple(pair for pair in at if pair[0] in shared),
        frame=tuple(pair for pair in at if pair[0] not in names and pair[0] not in shared),
    )


def tally_at(at: At, levels: tuple[Level, ...]) -> Tally:
    """The tally of a match in play.

    Raises:
        BadNotation: a count that no match in play has.
    """
    given = dict(at.tally)
    return tuple(_count(level, given.get(level.name)) for level in levels)


class _Count(Struct, frozen=True):
    count: Pair[int] = (0, 0)


def _count(level: Level, text: str | None) -> Pair[int]:
    if text is None:
        return (0, 0)
    a, b = with_fields(_Count(), [("count", text)]).count
    if level.played and a + b >= level.played:
        raise BadNotation(f"{level.name}={text}: of {level.played} some are still to be played")
    if not (0 <= a < level.to_win[0] and 0 <= b < level.to_win[1]):
        most = f"{level.to_win[0]}/{level.to_win[1]}"
        raise BadNotation(f"{level.name}={text}: a match in play stands below {most}")
    return a, b
