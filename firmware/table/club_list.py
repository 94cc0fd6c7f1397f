"""A table at play sees what somebody changes in the club list beside it."""

import asyncio
from collections.abc import Callable
from functools import partial

from firmware.club.player import Player
from firmware.journal.journal import Journal
from firmware.journal.worker import JournalWorker
from firmware.setup.next_match import NextMatch
from firmware.setup.preset import Preset
from firmware.table.matches import names_of
from firmware.table.play import Names, Play
from firmware.table.store import recent_setups
from rules.record import Setup

EVERY_S = 5.0
"""How soon a new name is on the board: to look costs a table nothing that it would notice."""


async def followed(
    worker: JournalWorker,
    play: Callable[[], Play],
    renamed: Callable[[Names], None],
    next_match: NextMatch,
    configured: Preset,
) -> None:
    """Look now and then whether another program has written into the journal, without end.

    `renamed` is told the names of the match on the table where they have become others. As the
    `next_match` are offered the players and set-ups that there are now, and last the `configured`
    one.
    """
    seen = await worker.call(Journal.changed)
    while True:
        await asyncio.sleep(EVERY_S)
        now = await worker.call(Journal.changed)
        if now == seen:
            continue
        seen = now
        at_table = play()
        names, recent, club = await worker.call(partial(_known, at_table.ledger.match.setup))
        next_match.learn((*recent, configured), club)
        if play().match_id == at_table.match_id and names != at_table.names:
            renamed(names)


def _known(setup: Setup, journal: Journal) -> tuple[Names, tuple[Preset, ...], tuple[Player, ...]]:
    return names_of(setup, journal.players()), recent_setups(journal), journal.club.players()
