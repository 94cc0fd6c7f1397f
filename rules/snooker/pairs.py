"""Who of each side is up: partners take turns, visit by visit.

The order is set at the start of a frame and holds through it: A's first, B's first, A's second,
B's second (WPBSA section 3, four-handed snooker).
"""

from msgspec.structs import replace

from rules.sides import Pair, Side, changed
from rules.snooker.state import S

PAIRS = (2, 2)
"""Members a side, where an offender can be known by not having been the one who was up."""


def played(frame: S) -> S:
    """The visit in play is over: next time it is the partner's turn.

    Who played out of turn is up next time too: his partner has lost the turn.
    """
    if frame.out_of_turn:
        return replace(frame, out_of_turn=False)
    return _moved_on(frame, frame.turn, 1)


def out_of_turn(frame: S, offender: Side) -> S:
    """One of a pair played, and it was not his turn: the turn that his partner had is lost."""
    frame = _moved_on(frame, offender, 1)
    if offender is not frame.turn:
        return frame
    return replace(frame, out_of_turn=not frame.out_of_turn)


def black_first(frame: S, side: Side, member: int | None) -> S:
    """A side plays the re-spotted black, by the member whom it chooses; the order then goes on.

    Whoever was to follow him in the frame follows him now.
    """
    if frame.out_of_turn:  # the order is that of the turns, whoever played them
        frame = replace(_moved_on(frame, frame.turn, -1), out_of_turn=False)
    steps = 0 if member is None else member - frame.members[side.place]
    if side is not frame.turn:
        frame = _moved_on(frame, frame.turn, 1)
    for one in Side:
        frame = _moved_on(frame, one, steps)
    return replace(frame, turn=side)


def in_order(frame: S) -> S:
    """As at the start of the frame."""
    return replace(frame, members=frame.carry.order, out_of_turn=False)


def _moved_on(frame: S, side: Side, steps: int) -> S:
    size = frame.carry.sizes[side.place]
    return replace(
        frame, members=changed(frame.members, side, lambda one: _after(one, steps, size))
    )


def _after(member: int, steps: int, size: int) -> int:
    return (member - 1 + steps) % size + 1


def there_are(members: Pair[int], sizes: Pair[int]) -> bool:
    """Whether the sides have these members."""
    return all(1 <= one <= size for one, size in zip(members, sizes, strict=True))
