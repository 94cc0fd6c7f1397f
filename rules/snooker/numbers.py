"""What a frame of snooker says of itself: ball on, points left, snookers required."""

from rules.entries import Scope
from rules.figures import Figures
from rules.sides import Pair, Side
from rules.snooker import ends
from rules.snooker.entries import Ball
from rules.snooker.fouls import needed
from rules.snooker.position import Tie
from rules.snooker.state import FrameState
from rules.snooker.table import ALL_COLOURS, LEAST_FOUL, RED_AND_BLACK, VALUE, Table
from rules.snooker.terms import Conceding

NAMES = {
    Ball.RED: "red",
    Ball.YELLOW: "yellow",
    Ball.GREEN: "green",
    Ball.BROWN: "brown",
    Ball.BLUE: "blue",
    Ball.PINK: "pink",
    Ball.BLACK: "black",
}


def figures(frame: FrameState) -> Figures:
    """Its numbers for displays; what is not known, or no more asked, is absent."""
    table, carry, over = frame.table, frame.carry, frame.result is not None
    known = table.reds is not None
    match = ends.handed_back(frame)
    return Figures(
        phase="first" if frame.drawing else "playing",
        handicap=carry.handicap if any(carry.handicap) else None,
        high_runs=match.high_breaks,
        total_points=match.total_points,
        fifties=match.fifties,
        centuries=match.centuries,
        breaks=ends.fifties(frame),
        cue=table.cue,
        ball_on=None if over else ball_on(table),
        free_ball=table.free and not over,
        bonus=table.bonus if table.free and not over else 0,
        reds=table.reds,
        colours=tuple(NAMES[Ball(colour)] for colour in table.colours) if known else None,
        remaining=None if over else table.left,
        snookers=None if over else _fouls(frame, to_win=False),
        snookers_to_win=None if over else _fouls(frame, to_win=True),
        maximum=_maximum(frame),
        maximum_break=RED_AND_BLACK * frame.terms.reds + ALL_COLOURS if known else None,
        misses=frame.misses.n,
        miss_warning=frame.at_risk,
        miss_full=frame.misses.full,
        stalemate=frame.stalemate,
        respotted=frame.tie is not Tie.NO,
        touching=frame.touching,
        early_concession=early_concession(frame) is not None,
    )


def early_concession(frame: FrameState) -> Side | None:
    """Who conceded the frame though he needed no foul, where only a striker who does may."""
    result = frame.result
    if result is None or result.winner is None or result.scope is not Scope.FRAME:
        return None
    loser = result.winner.other
    lacks = lacking(frame, loser)
    striker_only = frame.terms.concede is Conceding.STRIKER
    early = striker_only and result.reason == "concession" and lacks is not None and lacks <= 0
    return loser if early else None


def ball_on(table: Table) -> str | None:
    """Red, colour for any of them, or the colour's name; none where it is not known."""
    if table.any_colour:
        return "colour"
    return None if table.on is None else NAMES[table.on]


def _maximum(frame: FrameState) -> int | None:
    """The highest break still possible in the visit."""
    left = frame.table.left
    if left is None or frame.option is not None or frame.result is not None:
        return None
    return frame.run + left + (frame.table.bonus if frame.table.free else 0)


def lacking(frame: FrameState, side: Side) -> int | None:
    """The points that a side lacks to level, 0 or less where it needs no foul.

    None where the table is not known. Whoever is at the table has what the visit in play may
    still make; the other a fresh one.
    """
    if frame.table.reds is None:
        return None
    at_table = side is frame.at_table
    return needed(frame, side, fresh=not at_table, free=at_table and frame.table.free)


def _fouls(frame: FrameState, *, to_win: bool) -> Pair[int] | None:
    a, b = lacking(frame, Side.A), lacking(frame, Side.B)
    if a is None or b is None:
        return None
    return (in_fouls(frame.table, a + to_win), in_fouls(frame.table, b + to_win))


def in_fouls(table: Table, points: int) -> int:
    """How many fouls of the least value make up so many points."""
    if points <= 0:
        return 0
    least = LEAST_FOUL if table.reds else max(LEAST_FOUL, VALUE[table.colours[0]])
    return -(-points // least)
