"""Parts of what may be entered in the pool games."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from rules.entries import (
    Award,
    Breaker,
    Concede,
    Entry,
    Extension,
    Interval,
    Pick,
    Stalemate,
    Timeout,
    Void,
)
from rules.frame import (
    ABSENCE,
    ADJUST,
    CONDUCT,
    EITHER,
    MATCH_LOST,
    YES_NO,
    Bound,
    Offer,
    OneOf,
    Open,
)
from rules.pool.entries import Foul, Group, Kind, Lot
from rules.pool.referee import interval_now
from rules.pool.state import PoolState, RackState
from rules.sides import Pair, Side

KIND = OneOf((None, *Kind))

_GIVEN = (
    Offer(Award, (("side", EITHER),)),
    Offer(Award, (("side", EITHER), ("why", Open()))),
    Offer(Concede, (("side", EITHER),)),
)

BY_THE_REFEREE = (CONDUCT, *MATCH_LOST, ABSENCE, ADJUST)
"""What may be entered whatever is waited for, but at an end."""


class Lots(Struct, frozen=True):
    """Balls that fell, by group, the called ball's first.

    `left` are those on the table, solids and stripes; the first is of one of the groups in
    `first`. With `some` at least one fell.
    """

    left: Pair[int]
    first: tuple[Group, ...] = tuple(Group)
    some: bool = False

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not all(isinstance(one, Lot) for one in value):
            return False
        if not value:
            return not self.some
        groups = [lot.group for lot in value]
        return (
            groups[0] in self.first
            and len(set(groups)) == len(groups)
            and all(1 <= lot.n <= of_group(self.left, lot.group) for lot in value)
        )

    def bounds(self) -> tuple[Any, ...]:
        """None, one, and all of each group, alone and with the other."""
        found: dict[tuple[Lot, ...], None] = {} if self.some else {(): None}
        for first in self.first:
            most = of_group(self.left, first)
            if most == 0:
                continue
            found[(Lot(first, 1),)] = None
            found[(Lot(first, most),)] = None
            if others := of_group(self.left, other_group(first)):
                found[(Lot(first, most), Lot(other_group(first), others))] = None
        return tuple(found)


def of_group(pair: Pair[int], group: Group) -> int:
    """A group's number in a pair of solids and stripes."""
    return pair[0] if group is Group.SOLIDS else pair[1]


def other_group(group: Group) -> Group:
    """The group that is not this one."""
    return Group.STRIPES if group is Group.SOLIDS else Group.SOLIDS


def offer(kind: type[Entry], /, **fields: Bound) -> Offer:
    """An offer of a kind with the bounds of its fields."""
    return Offer(kind, tuple(fields.items()))


def seated_foul(frame: PoolState) -> Offer:
    """A foul of the player who is not at the table."""
    return offer(Foul, kind=KIND, unwarned=YES_NO, by=OneOf((frame.turn.other,)))


def possible(offers: Iterator[Offer]) -> tuple[Offer, ...]:
    """Those offers of which something can be entered: where no ball is left none can fall."""
    return tuple(
        one
        for one in offers
        if all(bound.bounds() for _, bound in one.fields if isinstance(bound, Lots))
    )


def by_the_referee(frame: PoolState) -> Iterator[Offer]:
    """Awards, pauses and the like, while it is in play."""
    yield from BY_THE_REFEREE
    yield from _GIVEN
    left = [side for side in Side if frame.extended[side.place] < frame.terms.ext_per_rack]
    if left:
        yield offer(Extension, side=OneOf(tuple(left)))
    if frame.option is not None:
        yield offer(Pick, choice=OneOf(frame.option.choices))
    if frame.between:
        yield offer(Breaker, side=OneOf((frame.opener.other,)))
    if not frame.opening:
        yield offer(Stalemate, step=OneOf(("warn",)))
    if frame.turns_left is not None:
        yield offer(Stalemate, step=OneOf(("clear",)))


def timeouts(frame: PoolState) -> Iterator[Offer]:
    """Time-outs, where this is the time for them."""
    named = [side for side in Side if frame.carry.timeouts[side.place]]
    at_table = (None,) if frame.turn in named else ()
    if named:
        yield offer(Timeout, side=OneOf((*at_table, *named)))


def in_rack_offers(frame: RackState) -> Iterator[Offer]:
    """As `by_the_referee`, with what only games in racks know."""
    yield from by_the_referee(frame)
    yield from (Offer(Void), Offer(Stalemate))
    if frame.between:
        yield from timeouts(frame)
    if interval_now(frame):
        yield offer(Interval, side=EITHER)
