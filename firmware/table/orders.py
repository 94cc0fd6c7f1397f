"""Commands on their way through the owner of a match."""

import asyncio
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from firmware.commands import (
    MALFORMED,
    BadCommand,
    Command,
    Edit,
    Enter,
    Mend,
    Pause,
    Reply,
    Resume,
    act_of,
)
from firmware.table.play import Play
from rules.clock import ClockState
from rules.errors import BadNotation
from rules.ledger import Ledger
from rules.match import Match
from rules.position import split_fields
from rules.record import Act, ClockPause, ClockResume, Setup, Splice, WhichClock

COMMAND_DEVICE = "mqtt"
"""The device of records that a command made; their number is its id."""


class Asked(Struct, frozen=True):
    """A command, the match that it wants to start, and who waits for the answer."""

    command: Command
    new: Play | None
    answer: "asyncio.Future[Reply]"

    def refuse(self, seq: int, code: str, detail: str) -> None:
        """Answer that nothing was done, and why."""
        self._set(Reply(self.command.id, seq, error=code, detail=detail))

    def answer_when(self, done: "asyncio.Future[Any] | None", reply: Reply) -> None:
        """Answer once a record is on disk, at once if none is on its way; never, if it fails."""
        if done is None:
            self._set(reply)
            return

        def saved(future: "asyncio.Future[Any]") -> None:
            if not future.cancelled() and future.exception() is None:
                self._set(reply)

        done.add_done_callback(saved)

    def _set(self, reply: Reply) -> None:
        # Whoever asked may have gone meanwhile.
        if not self.answer.done():
            self.answer.set_result(reply)


def act_asked(command: Command, ledger: Ledger) -> Act:
    """The act that a command asks for, other than to start a match.

    Raises:
        BadCommand: its notation cannot be read.
    """
    match command:
        case Enter() | Edit():
            return act_of(command, ledger.match.game.notation)
        case Mend():
            return _mended(command, ledger)
        case Pause(which=which):
            return ClockPause(which or _clock(ledger.clock, running=True))
        case Resume(which=which):
            return ClockResume(which or _clock(ledger.clock, running=False))
    raise BadCommand(command.id, MALFORMED, "not here")


def _clock(state: ClockState, *, running: bool) -> WhichClock:
    """The clock that is meant where none is named: match time before the shot clock."""
    match = state.match
    return WhichClock.MATCH if match is not None and match.running is running else WhichClock.SHOT


def _mended(command: Mend, ledger: Ledger) -> Splice:
    setup = ledger.line()[0].record.act
    assert isinstance(setup, Setup)
    try:
        given = dict(setup.format) | dict(split_fields(command.format or ""))
    except BadNotation as error:
        raise BadCommand(command.id, MALFORMED, str(error)) from None
    setup = replace(
        setup,
        rulebook=command.rulebook or setup.rulebook,
        format=tuple(given.items()),
        first=command.first or setup.first,
    )
    return Splice(0, 0, setup=setup, shift=command.shift)


def preview(id_: str, seq: int, match: Match) -> Reply:
    """What a command would make, without doing it."""
    frame, visit = match.frame, match.visit
    return Reply(
        id_,
        seq,
        preview=True,
        score=frame.score if frame is not None else None,
        turn=visit.side if visit is not None else None,
    )
