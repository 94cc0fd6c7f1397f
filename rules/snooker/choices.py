"""What whoever was fouled may choose: to play, a free ball, to pass, to have it replayed."""

from msgspec.structs import replace

from rules.entries import Entry, Pick
from rules.errors import Code, NotAllowed
from rules.snooker import pairs
from rules.snooker.entries import FreeBall, VisitTotal
from rules.snooker.position import Cue
from rules.snooker.state import S
from rules.snooker.table import Table
from rules.snooker.terms import Misses

PLAY, PASS, FREE, REPLAY, PLACE = "play", "pass", "free", "replay", "place"


def picked(frame: S, entry: Pick) -> S:
    """A choice made by an entry of its own.

    Raises:
        NotAllowed: no choice is open, or not that one.
    """
    if not frame.choosing:
        raise NotAllowed(Code.NO_CHOICE_PENDING, entry)
    assert frame.option is not None
    if entry.choice not in frame.option.choices:
        raise NotAllowed(Code.NOT_AN_OPTION, entry)
    return chosen(frame, entry.choice)


def offers_free(frame: S) -> bool:
    """Whether a free ball is among the choices."""
    return frame.option is not None and FREE in frame.option.choices


def played_on(frame: S, entry: Entry) -> S:
    """The choice that a stroke makes by being played.

    Raises:
        NotAllowed: a free ball was played that nobody has.
    """
    if isinstance(entry, FreeBall):
        if not offers_free(frame):
            raise NotAllowed(Code.NO_FREE_BALL, entry)
        return chosen(frame, FREE)
    if isinstance(entry, VisitTotal) and offers_free(frame):
        return chosen(frame, FREE)  # a free ball may be in it
    return chosen(frame, PLAY)


def chosen(frame: S, choice: str) -> S:
    """The frame after a choice: a new visit, or the old stroke again."""
    if choice == REPLAY:
        assert frame.replay is not None
        another = replace(frame.misses, n=frame.misses.n + 1)
        return replace(
            frame,
            option=None,
            table=frame.replay,
            again=frame.again + 1,
            adds_red=False,
            touching=False,
            at_risk=frame.terms.lost_by(another),
        )
    if choice == PASS:
        frame = replace(frame, again=frame.again + 1)
    else:
        frame = replace(pairs.played(frame), turn=frame.turn.other)
    table = frame.table
    cue = Cue.ANYWHERE if choice == PLACE else table.cue
    return replace(
        frame,
        option=None,
        table=Table(table.reds, table.colours, cue=cue, free=choice == FREE),
        adds_red=False,
        misses=Misses(),
        replay=None,
        at_risk=False,
        touching=False,
    )
