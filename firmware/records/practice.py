"""What somebody made who practised alone: each session as a line, from its entries.

A session has no result and no end, so that no summary of it is kept: it is played again to count.
"""

from collections.abc import Iterator, Sequence

from firmware.journal.journal import Journal
from firmware.records.kept import Kept, kept
from firmware.records.statistics import DECIMALS, Appearance
from firmware.records.visits import VisitRow, visits
from rules.sides import Side
from rules.stats import average

_ALONE = "format.alone=on"


def sessions(
    journal: Journal, *, player: int | None = None, rulebooks: Sequence[str] = ()
) -> Iterator[Appearance]:
    """Every session in which something was played, the oldest first; of a player, his own.

    Points are those of the game, in racks the balls potted; an inning that is open counts once it
    has any.

    Raises:
        JournalError: a session cannot be read or judged.
    """
    doubles = journal.club.doubles()
    for id_, _, _, _, setup, _ in journal.listing():
        if _ALONE not in setup:
            continue
        session = kept(journal, id_)
        match = session.ledger.match
        members = tuple(doubles.get(number, number) for number in match.setup.players[0])
        if player is not None and player not in members:
            continue
        if rulebooks and match.setup.rulebook not in rulebooks:
            continue
        line = _session(session, members)
        if line is not None:
            yield line


def _session(session: Kept, members: tuple[int, ...]) -> Appearance | None:
    made = [
        _made(visit)
        for visit in visits(session)
        if visit.side is Side.A and (visit.over or _made(visit))
    ]
    if not made:
        return None
    return Appearance(
        match=session.row.id,
        started_ms=session.row.started_ms,
        rulebook=session.ledger.match.setup.rulebook,
        side=Side.A,
        members=members,
        opponents=(),
        won=None,
        points=sum(made),
        against=None,
        innings=len(made),
        high_run=max(made),
        units=None,
        average=average(sum(made), len(made), DECIMALS),
    )


def _made(visit: VisitRow) -> int:
    return visit.pots if visit.score is None else visit.points
