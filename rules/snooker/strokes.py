"""Strokes of snooker: what is potted, what it scores, and which ball is on then."""

from msgspec.structs import replace

from rules.entries import EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.sides import added
from rules.snooker import ends, pairs
from rules.snooker.choices import played_on
from rules.snooker.entries import AddRed, Ball, Colour, FreeBall, Pot, Reds, VisitTotal
from rules.snooker.position import Cue
from rules.snooker.state import S
from rules.snooker.table import COLOURS, VALUE, Table
from rules.snooker.terms import Misses

_NO_MISSES = Misses()


def stroke(frame: S, entry: Entry) -> S:
    """A stroke or visit without foul; a choice that is open is made by it.

    Raises:
        NotAllowed: it cannot be a legal stroke.
    """
    if frame.drawing:
        raise NotAllowed(Code.FIRST_PENDING, entry)
    if frame.choosing:
        frame = played_on(frame, entry)
    match entry:
        case EndVisit():
            return visit_over(frame)
        case VisitTotal():
            return _total(frame, entry)
    if frame.table.reds is None:
        raise NotAllowed(Code.TABLE_UNKNOWN, entry)
    match entry:
        case Reds(n):
            return _reds(frame, n, entry)
        case Pot(colour):
            return _pot(frame, colour, entry)
        case AddRed():
            return _one_more_red(frame, entry)
        case FreeBall():
            return _free_ball(frame, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def visit_over(frame: S) -> S:
    """The other side is at the table, on a fresh visit."""
    frame = pairs.played(ends.closed(frame))
    table = frame.table
    return replace(
        frame,
        turn=frame.turn.other,
        table=Table(table.reds, table.colours, cue=Cue.TABLE),
        adds_red=False,
        begun=True,
        misses=_NO_MISSES,
        replay=None,
        at_risk=False,
        touching=False,
    )


def _scored(frame: S, points: int, table: Table, *, red: bool = False) -> S:
    return replace(
        frame,
        score=added(frame.score, frame.turn, points),
        run=frame.run + points,
        table=table,
        adds_red=red,
        begun=True,
        misses=_NO_MISSES,
        replay=None,
        at_risk=False,
        stalemate=False,
        touching=False,
    )


def _reds(frame: S, n: int, entry: Entry) -> S:
    table = frame.table
    if table.on is not Ball.RED or n < 1:
        raise NotAllowed(Code.NO_LEGAL_POT, entry)
    return _scored(frame, n, _without_reds(table, n, entry), red=True)


def _without_reds(table: Table, n: int, entry: Entry) -> Table:
    """The table once `n` reds more are potted: any colour is on."""
    left = table.reds
    assert left is not None
    if n > left:
        raise NotAllowed(Code.TOO_MANY_REDS, entry, str(left))
    return Table(left - n, table.colours, any_colour=True, cue=Cue.TABLE)


def _one_more_red(frame: S, entry: Entry) -> S:
    if not frame.adds_red:
        raise NotAllowed(Code.NO_LEGAL_POT, entry)
    return _scored(frame, 1, _without_reds(frame.table, 1, entry), red=True)


def _pot(frame: S, colour: Colour, entry: Entry) -> S:
    table = frame.table
    if table.any_colour:
        return _scored(frame, VALUE[colour], Table(table.reds, table.colours, cue=Cue.TABLE))
    if table.reds or not table.colours or table.colours[0] is not colour:
        raise NotAllowed(Code.NO_LEGAL_POT, entry)
    left = Table(0, table.colours[1:], cue=Cue.TABLE)
    return ends.tested(_scored(frame, VALUE[colour], left))


def _free_ball(frame: S, entry: FreeBall) -> S:
    """Free ball and ball on potted singly or together (CBBS 14, 37; FPB 74)."""
    table, on = frame.table, frame.table.on
    if not table.free or on is None or table.objects < 2:
        raise NotAllowed(Code.NO_FREE_BALL, entry)
    if entry.nominated is on:
        raise NotAllowed(Code.FREE_IS_ON, entry)
    if entry.nominated is not None and entry.nominated not in map(Ball, table.colours):
        raise NotAllowed(Code.NOT_AN_OPTION, entry)
    if entry.reds < 0 or (entry.reds and on is not Ball.RED) or (entry.reds and entry.colour):
        raise NotAllowed(Code.NO_LEGAL_POT, entry)
    if entry.colour is not None and Ball(entry.colour) is not on:
        raise NotAllowed(Code.NO_LEGAL_POT, entry)
    if not (entry.potted or entry.reds or entry.colour):
        return visit_over(frame)
    if on is Ball.RED:
        left = _without_reds(table, entry.reds, entry)
        return _scored(frame, entry.reds + entry.potted, left, red=True)
    colours = table.colours[1:] if entry.colour else table.colours
    return ends.tested(_scored(frame, VALUE[on], Table(0, colours, cue=Cue.TABLE)))


def _total(frame: S, entry: VisitTotal) -> S:
    if frame.run:
        raise NotAllowed(Code.VISIT_BEGUN, entry)
    after = _left_by(frame, entry)
    if after is None and not entry.n:
        return visit_over(frame)
    least, most = total_bounds(frame.table, after)
    if not least <= entry.n <= most:
        raise NotAllowed(Code.BAD_COUNT, entry, f"{least}-{most}")
    if after is None:
        return visit_over(_scored(frame, entry.n, Table(None, cue=Cue.TABLE)))
    scored = _scored(frame, entry.n, after)
    ended = scored if after.reds else ends.tested(scored)
    return ended if ended.result is not None or ended.drawing else visit_over(ended)


def _left_by(frame: S, entry: VisitTotal) -> Table | None:
    """What a visit left on the table, where that is known."""
    if (entry.reds is not None) + (entry.low is not None) + entry.cleared > 1:
        raise NotAllowed(Code.NOT_AN_OPTION, entry)
    if entry.reds is not None:
        most = frame.terms.reds if frame.table.reds is None else frame.table.reds
        if not 0 < entry.reds <= most:
            raise NotAllowed(Code.TOO_MANY_REDS, entry, str(most))
        return Table(entry.reds, cue=Cue.TABLE)
    if entry.cleared:
        return Table(0, (), cue=Cue.TABLE)
    if entry.low is not None:
        colours = COLOURS[COLOURS.index(entry.low) :]
        if len(colours) > len(frame.table.colours):
            raise NotAllowed(Code.BAD_COUNT, entry)
        return Table(0, colours, cue=Cue.TABLE)
    # With the black alone on the table a total tells all.
    return Table(0, (), cue=Cue.TABLE) if frame.table.black_only and entry.n else None


MOST_OF_A_VISIT = 8 * 15 + 27 + 8
"""A free ball, fifteen reds with blacks and all colours."""


def total_bounds(before: Table, after: Table | None) -> tuple[int, int]:
    """The least and the most points of a visit that led from one table to the other."""
    known = before.left
    if known is None:
        most, least = MOST_OF_A_VISIT, 0
    else:
        most, least = known + (before.bonus if before.free else 0), 0
    if after is None:
        return least, most
    assert after.reds is not None
    left = after.fresh
    assert left is not None
    if before.reds is not None:
        reds = before.reds - after.reds
        gone = before.colours[: len(before.colours) - len(after.colours)]
        # Any colour is on before the next ball, and after the last red: it falls, and comes back.
        came_back = bool(before.any_colour and (reds or gone)) + bool(reds and gone)
        least = reds + sum(VALUE[colour] for colour in gone) + VALUE[Colour.YELLOW] * came_back
    return least, most - left
