"""What the keys of a panel ask of a match: what it waits for, and what an act would make of it."""

from typing import NamedTuple, Protocol

from msgspec import Struct

from rules.entries import Pick
from rules.errors import NotAllowed
from rules.frame import Frame, Option
from rules.ledger import Ledger, after_all
from rules.match import Match
from rules.record import Act
from rules.sides import Pair, Side
from rules.standing import Stage

PLAY = "play"
FIRST, CHOICE, HELD, SHOOTOUT, OVER = "first", "choice", "held", "shootout", "over"

RACK = f"{PLAY}.rack"
"""Play in a frame without points."""

CONTEXTS = (PLAY, FIRST, CHOICE, HELD, SHOOTOUT, OVER)
"""What a match can wait for. A choice says which behind a point: `choice.frozen`; `play.rack` is
play in a frame without points, and behind another point stands the frame's situation:
`play.rack.fouls`, `play.rack.groups`, `play.racked`."""


class Would(NamedTuple):
    """What an act would do: why it is refused, or the score and turn that it makes.

    `ends`: something would be held that is not held now; `reminder` is what the referee ought to
    know of that before he accepts it, one of `text_keys.REMINDERS`.
    """

    refused: str = ""
    detail: str = ""
    score: Pair[int] | None = None
    turn: Side | None = None
    ends: bool = False
    reminder: str = ""


class Moment(Protocol):
    """A match at one moment, as far as keys need it."""

    @property
    def context(self) -> str:
        """What is waited for, one of `CONTEXTS`."""

    @property
    def turn(self) -> Side | None:
        """Who is at the table."""

    @property
    def option(self) -> Option | None:
        """The choice that is open."""

    def would(self, act: Act) -> Would:
        """What an act would do. Nothing changes."""


class MatchMoment(Struct, frozen=True):
    """A moment of a real match; `log` knows what there is to undo and redo."""

    match: Match
    log: Ledger | None = None

    @property
    def context(self) -> str:
        """What it waits for."""
        match = self.match
        if match.ending is not None:
            return HELD
        if match.stage is not Stage.FRAME or match.frame is None:
            return match.stage
        if match.option is None:
            return _in_play(match.frame)
        return FIRST if match.option.kind == FIRST else f"{CHOICE}.{match.option.kind}"

    @property
    def turn(self) -> Side | None:
        """Who is at the table."""
        return _turn(self.match)

    @property
    def option(self) -> Option | None:
        """The choice that is open."""
        return self.match.option

    def would(self, act: Act) -> Would:
        """What the rules say."""
        try:
            after = self._after(act)
        except NotAllowed as error:
            return Would(error.code, error.detail)
        ends = after.ending is not None and self.match.ending is None
        return Would(
            score=after.frame.score if after.frame is not None else None,
            turn=_turn(after),
            ends=ends,
            reminder=_reminder(after) if ends else "",
        )

    def _after(self, act: Act) -> Match:
        if self.log is not None:
            return self.log.would(act)
        return after_all(self.match, act) if isinstance(act, tuple) else self.match


def _in_play(frame: Frame) -> str:
    context = PLAY if frame.score is not None else RACK
    return f"{context}.{frame.situation}" if frame.situation else context


def _turn(match: Match) -> Side | None:
    return match.visit.side if match.visit is not None else None


def _reminder(match: Match) -> str:
    early = match.frame is not None and match.frame.figures().early_concession
    return "early_concession" if early else ""


def chain(context: str) -> tuple[str, ...]:
    """The layers of a context, the nearest first: `choice.frozen`, `choice`, `play`."""
    names = [context]
    while "." in names[-1]:
        names.append(names[-1].rpartition(".")[0])
    return tuple(names) if PLAY in names else (*names, PLAY)


def picked(moment: Moment, which: str) -> Act | None:
    """The choice behind `pick A`, `pick B` or `pick 3`; none if there is no such.

    Where one of two choices sends A to the table and the other B, A and B say who plays next.
    Else A is the first, B the second of the list.
    """
    option = moment.option
    if option is None:
        return None
    acts: list[Act] = [(Pick(choice),) for choice in option.choices]
    if which in ("A", "B"):
        turns = [moment.would(act).turn for act in acts]
        if sorted(turn or "" for turn in turns) == ["A", "B"]:
            return acts[turns.index(Side(which))]
    place = {"A": 1, "B": 2}.get(which) or int(which)
    return acts[place - 1] if place <= len(acts) else None
