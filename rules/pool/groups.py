"""Balls by group on the table of eight-ball and blackball."""

from collections.abc import Iterator
from typing import TypeVar

from msgspec.structs import replace

from rules.entries import EndVisit, Entry, ShotClock
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import YES_NO, Frame, Notice, Offer, OneOf
from rules.pool import announced, positions
from rules.pool.entries import Eight, EightWas, Foul, Group, Lot, Pot, Safe, Wrong
from rules.pool.offers import KIND, Lots, of_group, offer, other_group, seated_foul
from rules.pool.position import Cue, Position
from rules.pool.rack import Rack
from rules.pool.referee import interval_now
from rules.record import Fields
from rules.sides import Pair, Side, with_side

FULL = 7
"""Balls of a group in a full rack."""

OPEN: Pair[Group | None] = (None, None)
"""Nobody has a group."""


class GroupRack(Rack, frozen=True, kw_only=True):
    """A rack with two groups of balls and the 8, or the black.

    `lots` are the solids and stripes on the table, as far as they are entered. `groups` is what
    each side plays at.
    """

    lots: Pair[int] = (FULL, FULL)
    groups: Pair[Group | None] = OPEN

    @property
    def situation(self) -> str:
        """`groups`: there are two groups of balls."""
        return "groups"

    @property
    def mine(self) -> Group | None:
        """The group of the side at the table."""
        return self.groups[self.turn.place]

    @property
    def on_the_table(self) -> Pair[int]:
        """How many balls of each group can fall."""
        return self.lots if self.every_ball else (FULL, FULL)

    def cleared(self, group: Group) -> bool:
        """Whether all of a group are down; where they are not entered, on the referee's word."""
        return not self.every_ball or of_group(self.lots, group) == 0

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Fouls, racks won in one visit, the hill."""
        assert isinstance(before, GroupRack)
        side = announced.offender(before.turn, entry)
        foul = (Notice("foul", side),) if side is not None else ()
        return (*foul, *announced.of_rack(before, self, entry))


G = TypeVar("G", bound=GroupRack)
"""A state with groups, or a subclass of it that its changes keep."""


def fell(frame: G, entry: Pot | Wrong | Foul | Safe | Eight, *, some: bool = False) -> G:
    """The balls that fell are down; with `some` at least one did.

    Raises:
        NotAllowed: they cannot have fallen.
    """
    if not entry.lots:
        if some and frame.every_ball:
            raise NotAllowed(Code.BAD_COUNT, entry)
        return frame
    if len({lot.group for lot in entry.lots}) < len(entry.lots):
        raise NotAllowed(Code.BAD_COUNT, entry)
    left = frame.on_the_table
    for lot in entry.lots:
        there = of_group(left, lot.group)
        if lot.n < 1:
            raise NotAllowed(Code.BAD_COUNT, entry)
        if lot.n > there:
            raise NotAllowed(Code.TOO_MANY_BALLS, entry, str(there))
    return replace(frame, lots=_without(frame.lots, entry.lots)) if frame.every_ball else frame


def called(frame: G, entry: Pot) -> Pot:
    """The entry with its one ball said: of the player's own group, where no other word is."""
    if entry.lots or frame.mine is None or not frame.every_ball:
        return entry
    return replace(entry, lots=(Lot(frame.mine, 1),))


def _without(left: Pair[int], lots: tuple[Lot, ...]) -> Pair[int]:
    down = {lot.group: lot.n for lot in lots}
    return left[0] - down.get(Group.SOLIDS, 0), left[1] - down.get(Group.STRIPES, 0)


def with_groups(frame: G, group: Group) -> G:
    """The side at the table plays at this group from now on."""
    groups: Pair[Group | None] = (other_group(group), other_group(group))
    return replace(frame, groups=with_side(groups, frame.turn, group))


def figures(
    frame: GroupRack, *, names: Pair[str] = ("solids", "stripes"), free_shot: bool = False
) -> Figures:
    """The numbers of a rack for displays; `names` are what the two groups are called."""
    known = frame.every_ball
    return replace(
        frame.shared_figures(),
        groups=(_name(frame, Side.A, names), _name(frame, Side.B, names)),
        group_left=(_left(frame, Side.A), _left(frame, Side.B)) if known else None,
        lots=frame.lots if known else None,
        free_shot=free_shot,
        interval=interval_now(frame),
    )


def _name(frame: GroupRack, side: Side, names: Pair[str]) -> str | None:
    group = frame.groups[side.place]
    return None if group is None else names[group is not Group.SOLIDS]


def _left(frame: GroupRack, side: Side) -> int | None:
    group = frame.groups[side.place]
    return None if group is None else of_group(frame.lots, group)


def position_of(frame: GroupRack, at_break: Cue = Cue.KITCHEN) -> Position:
    """Where a rack stands."""
    return replace(
        positions.shared(frame, at_break),
        solids=frame.lots[0],
        stripes=frame.lots[1],
        groups=frame.groups,
    )


def taken_up(
    frame: G, changes: Fields, cues: tuple[Cue, ...], at_break: Cue = Cue.KITCHEN
) -> tuple[G, Position]:
    """The rack with some fields of its position changed, and that position.

    `cues` are the places of the cue ball that the game knows after the break.

    Raises:
        NotAllowed: a position that cannot be in play.
    """
    counted = ("solids", "stripes") if frame.every_ball else ()
    known = ("groups", *counted) if Cue.BAULK not in cues else ("groups", "free", *counted)
    position = positions.changed(frame.standing(), changes, known)
    groups = position.groups
    paired = groups == OPEN or set(groups) == set(Group)
    positions.refuse(
        changes,
        (
            *positions.wrong_break(frame, position, at_break),
            (not 0 <= position.solids <= FULL, "solids"),
            (not 0 <= position.stripes <= FULL, "stripes"),
            (position.opening and position.solids < FULL, "solids"),
            (position.opening and position.stripes < FULL, "stripes"),
            (not paired or (position.opening and groups != OPEN), "groups"),
            (not position.opening and positions.cue_of(position) not in cues, "cue"),
        ),
    )
    taken = positions.taken_up(frame, position, changes, at_break)
    return replace(taken, lots=(position.solids, position.stripes), groups=groups), position


def offers(frame: GroupRack, eight: tuple[EightWas | None, ...]) -> Iterator[Offer]:
    """Visits that end without a shot made, and fouls; `eight` is what may become of the 8."""
    yield from (Offer(EndVisit), Offer(ShotClock), seated_foul(frame))
    yield offer(
        Foul,
        lots=Lots(frame.on_the_table),
        eight=OneOf(eight),
        scratch=YES_NO,
        kind=KIND,
        unwarned=YES_NO,
        by=OneOf((None, frame.turn)),
    )
