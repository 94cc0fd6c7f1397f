"""The state that the frames of all pool games share."""

from typing import Any, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rules.entries import Scope
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import Carry, Ending, Option, Result, Then, Visit
from rules.pool.position import Cue
from rules.pool.terms import PoolTerms, RackTerms
from rules.rulebook import Level
from rules.sides import Pair, Side, added


class PoolState(Struct, frozen=True, kw_only=True):
    """A rack, or a game of 14.1.

    `tally` is how many of them each side had won when it was opened. `opening`: the break shot is
    still to come. `visits` counts those finished in it, none where it was taken up in play, `shots`
    what was entered of strokes, whole visits and racks set up again.
    `extended` are the extensions of the shot clock taken in the rack. `turns_left` are the visits
    that each side still has once a stalemate was warned of, none without a warning.
    """

    terms: PoolTerms
    carry: Carry
    opener: Side
    turn: Side
    tally: Pair[int] = (0, 0)
    opening: bool = True
    cue: Cue = Cue.KITCHEN
    visits: int | None = 0
    shots: int = 0
    extended: Pair[int] = (0, 0)
    turns_left: Pair[int] | None = None
    option: Option | None = None
    result: Result | None = None

    @property
    def visit(self) -> Visit:
        """The open visit."""
        return Visit(self.turn, stroke=self.shots)

    @property
    def ending(self) -> Ending | None:
        """Every end in pool is booked at once."""
        if self.result is None:
            return None
        return Ending(self.result.reason, Then.NEXT_FRAME, self.result.winner)

    @property
    def between(self) -> bool:
        """Whether nothing has been played in it, so that it is the time for a pause."""
        return self.opening and self.option is None and self.result is None

    @property
    def phase(self) -> str:
        """What is waited for, for displays."""
        return "break" if self.opening else "playing"

    @property
    def extensions(self) -> Pair[int] | None:
        """Extensions of the shot clock that are left, none where there are none."""
        each = self.terms.ext_per_rack
        return (each - self.extended[0], each - self.extended[1]) if each else None

    @property
    def timeouts(self) -> Pair[int] | None:
        """Time-outs that are left, none where there are none."""
        return self.carry.timeouts if self.terms.timeouts else None

    def shared_figures(self) -> Figures:
        """What every pool game tells displays."""
        return Figures(
            phase=self.phase,
            timeouts=self.timeouts,
            extensions=self.extensions,
            cue=self.cue,
            stalemate=self.turns_left is not None,
            stalemate_turns=self.turns_left,
        )

    def with_carry(self, carry: Carry) -> Self:
        """With an offence counted that came after the end."""
        return replace(self, carry=carry)


class RackState(PoolState, frozen=True, kw_only=True):
    """A rack, which has no points. `level` is what it counts for, and how many of them win."""

    terms: RackTerms
    level: Level

    @property
    def score(self) -> None:
        """A rack has no points."""
        return None

    @property
    def every_ball(self) -> bool:
        """Whether every pocketed ball is entered, so that the table is known."""
        return self.terms.detail == _EVERY_BALL

    def handed_back(self) -> Carry:
        """The carry for the next rack."""
        return self.carry


_EVERY_BALL = 2
"""The level of detail at which every pocketed ball is entered."""

F = TypeVar("F", bound=PoolState)
"""A state, or a subclass of it that its changes keep."""


def passed(frame: F, cue: Cue, **changes: Any) -> F:
    """The visit is over: the other side plays, with the cue ball as said."""
    turns = turns_once_played_on(frame)
    if turns is not None and turns[frame.turn.place]:
        turns = added(turns, frame.turn, -1)
    return replace(
        frame,
        turns_left=turns,
        turn=frame.turn.other,
        cue=cue,
        opening=False,
        visits=None if frame.visits is None else frame.visits + 1,
        shots=frame.shots + 1,
        **changes,
    )


def goes_on(frame: F, **changes: Any) -> F:
    """The same side plays on, the cue ball from its place."""
    return replace(
        frame,
        turns_left=turns_once_played_on(frame),
        cue=Cue.PLACE,
        opening=False,
        shots=frame.shots + 1,
        **changes,
    )


def turns_once_played_on(frame: PoolState) -> Pair[int] | None:
    """The turns left after a warning of stalemate, with another shot played.

    Where there were none left the referee has found progress, and the warning is over.
    """
    return frame.turns_left if frame.turns_left and any(frame.turns_left) else None


def asked(frame: F, kind: str, choices: tuple[str, ...], chooser: Side | None, **changes: Any) -> F:
    """A choice is open."""
    option = Option(kind, choices, chooser)
    return replace(frame, opening=False, shots=frame.shots + 1, option=option, **changes)


def won(frame: F, winner: Side | None, reason: str, **changes: Any) -> F:
    """It is over and booked; the table stays as it is to be read."""
    return replace(frame, option=None, result=Result(winner, reason), **changes)


def match_over(frame: F, winner: Side | None, reason: str, *, by_conduct: bool = False) -> F:
    """The match is decided off the table."""
    result = Result(winner, reason, Scope.MATCH, by_conduct=by_conduct)
    return replace(frame, option=None, result=result)


def choice_of(frame: PoolState, choice: str, entry: object) -> Option:
    """The choice that is open, if this is one of its answers.

    Raises:
        NotAllowed: no choice is open, or this is none of its answers.
    """
    if frame.option is None:
        raise NotAllowed(Code.NO_CHOICE_PENDING, entry)
    if choice not in frame.option.choices:
        raise NotAllowed(Code.NOT_AN_OPTION, entry)
    return frame.option
