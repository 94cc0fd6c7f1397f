"""The matches that begin at a table: the usual one, one that was set up at it, one asked for."""

import asyncio

from firmware.commands import NO_DISK, BadCommand, Start
from firmware.journal.worker import JournalWorker
from firmware.keys.keybook import KeyBook
from firmware.setup.next_match import NextMatch
from firmware.setup.preset import Preset
from firmware.table.matches import MatchMaker, player_numbers, setup_asked
from firmware.table.orders import COMMAND_DEVICE
from firmware.table.play import Names, Play
from firmware.table.store import DISK_WAIT_S
from rules.record import Setup, Source
from rules.sides import Pair


class NewMatches:
    """Makes matches, of players who have a number in the journal or get one.

    The `players` of `names` have theirs, also while there is no journal. What is set up at the
    table must be playable on its `keys`, and the `next_match` offers it again.
    """

    def __init__(
        self,
        maker: MatchMaker,
        worker: JournalWorker,
        *,
        names: Names,
        players: Pair[tuple[int, ...]],
        keys: KeyBook,
        next_match: NextMatch,
    ) -> None:
        self._maker, self._worker, self._keys, self._next_match = maker, worker, keys, next_match
        self._names, self._players = names, players

    def usual(self, setup: Setup) -> Play:
        """The match of the configuration, between the players of it.

        Raises:
            BadSetup: a match that cannot be.
        """
        return self._maker.made(setup, self._names)

    async def chosen(self, preset: Preset, by: Source) -> Play:
        """A match that was set up at the table.

        Raises:
            BadCommand: its players are new, and the journal does not answer.
            BadSetup: a match that cannot be.
            ConfigError: there are no keys for its game.
        """
        who = (preset.a, preset.b)
        numbers = await self.numbers(who)
        setup = Setup(preset.rulebook, numbers, preset.format, preset.first, preset.at)
        self._keys.keymap(preset.rulebook)
        play = self._maker.made(setup, who, by)
        self._next_match.started(preset)
        return play

    async def asked(self, command: Start) -> Play:
        """A match that a command asks for; to look at one, nobody is written into the club list.

        Raises:
            BadCommand: its players are new, and the journal does not answer.
            RulesError: a match that cannot be.
        """
        who = (command.a, command.b)
        try:
            numbers = _made_up(who) if command.preview else await self.numbers(who)
        except BadCommand as bad:
            raise BadCommand(command.id, bad.code, bad.detail) from None
        by = Source(COMMAND_DEVICE, command.id)
        return self._maker.made(setup_asked(command, numbers), who, by)

    async def numbers(self, who: Names) -> Pair[tuple[int, ...]]:
        """The numbers of players by name; who is new gets one.

        Raises:
            BadCommand: they are needed, and the journal does not answer.
        """
        if who == self._names:
            return self._players
        try:
            async with asyncio.timeout(DISK_WAIT_S):
                return await self._worker.call(lambda journal: player_numbers(journal, who))
        except TimeoutError:
            raise BadCommand("", NO_DISK, "the journal does not answer") from None


def _made_up(who: Names) -> Pair[tuple[int, ...]]:
    """Numbers that tell these players apart, for a match that nobody plays."""
    names = list(dict.fromkeys((*who[0], *who[1])))
    a, b = (tuple(names.index(name) for name in side) for side in who)
    return a, b
