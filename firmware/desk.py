"""What may be asked of a table that is not about the match: its board, a message, a phone's keys.

Here a command is done at most once by its id for as long as the table runs; done again after that
it does no harm.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeAlias

from firmware.commands import (
    MALFORMED,
    BadCommand,
    BoardView,
    KeyPress,
    PadReply,
    PairPhone,
    Reply,
    Request,
    SetBrightness,
    SetLanguage,
    SetNext,
    SetView,
    ShowMessage,
    read_command,
)
from firmware.devices.phones import Phones
from firmware.errors import ConfigError, FirmwareError
from firmware.snapshot import Coming
from firmware.table.table import Table

NO_BOARD, NO_PHONES, IN_PLAY = "no_board", "no_phones", "in_play"

MESSAGE_MS = 30_000
"""How long a message stands that nobody reads."""

KEPT = 64
"""Answers that are remembered."""

Answered: TypeAlias = Reply | PadReply


class BoardHands(Protocol):
    """What can be done to a board."""

    async def dim(self, level: int) -> None:
        """Set the brightness.

        Raises:
            FirmwareError: there is no board that can be dimmed.
        """

    async def speak(self, language: str) -> None:
        """Change the language.

        Raises:
            ConfigError: there is none of this name.
        """

    async def look(self, view: BoardView) -> None:
        """Show something else."""

    async def announce(self, coming: Coming | None) -> None:
        """Tell who plays next while nobody plays."""


class Desk:
    """Answers what is asked about the board and the phones of one table.

    `send` publishes an answer that comes later than the first.
    """

    def __init__(
        self,
        table: Table,
        board: BoardHands,
        phones: Phones | None,
        send: Callable[[str, Reply], None],
    ) -> None:
        self._table, self._board, self._phones, self._send = table, board, phones, send
        self._known: dict[str, Answered] = {}
        self._unread: dict[str, str] = {}
        """Messages on the board that nobody has read: their ids by their texts."""
        self._does: Mapping[type[Request], Callable[[Any], Awaitable[Answered]]] = {
            ShowMessage: self._message,
            SetBrightness: self._brightness,
            SetLanguage: self._language,
            SetView: self._look,
            SetNext: self._announce,
            PairPhone: self._pair,
            KeyPress: self._press,
        }

    async def ask(self, name: str, payload: bytes) -> Answered | None:
        """Obey a command and answer it; none if it is about the match."""
        try:
            asked = read_command(name, payload)
        except BadCommand as bad:
            return Reply(bad.id, self._seq, error=bad.code, detail=bad.detail)
        does = self._does.get(type(asked))
        if does is None:
            return None
        known = self._known.get(f"{name} {asked.id}")
        if known is not None:
            return known
        answer = await does(asked)
        if answer.error is None:
            self._known[f"{name} {asked.id}"] = answer
            if len(self._known) > KEPT:
                del self._known[next(iter(self._known))]
        return answer

    def read(self, text: str) -> None:
        """Somebody pressed a key while this message stood on the board."""
        id_ = self._unread.pop(text, None)
        if id_ is not None:
            self._send("message", Reply(id_, self._seq, read=True))

    @property
    def _seq(self) -> int:
        return self._table.play.ledger.seq

    async def _message(self, asked: ShowMessage) -> Reply:
        self._unread[asked.text] = asked.id
        if len(self._unread) > KEPT:
            del self._unread[next(iter(self._unread))]
        self._table.say(asked.text, for_ms=MESSAGE_MS)
        return Reply(asked.id, self._seq)

    async def _brightness(self, asked: SetBrightness) -> Reply:
        try:
            await self._board.dim(asked.level)
        except FirmwareError as error:
            return Reply(asked.id, self._seq, error=NO_BOARD, detail=str(error))
        return Reply(asked.id, self._seq)

    async def _language(self, asked: SetLanguage) -> Reply:
        try:
            await self._board.speak(asked.language)
        except ConfigError as error:
            return Reply(asked.id, self._seq, error=MALFORMED, detail=str(error))
        return Reply(asked.id, self._seq)

    async def _look(self, asked: SetView) -> Reply:
        match = self._table.play.ledger.match
        if asked.view != "score" and self._seq > 0 and match.result is None:
            detail = "a match is played: its score is shown"
            return Reply(asked.id, self._seq, error=IN_PLAY, detail=detail)
        await self._board.look(asked.view)
        return Reply(asked.id, self._seq)

    async def _announce(self, asked: SetNext) -> Reply:
        if (asked.a is None) != (asked.b is None) or (asked.a is None and asked.at):
            detail = "a match has two sides"
            return Reply(asked.id, self._seq, error=MALFORMED, detail=detail)
        coming = None
        if asked.a is not None and asked.b is not None:
            coming = Coming((asked.a, asked.b), asked.at)
        await self._board.announce(coming)
        return Reply(asked.id, self._seq)

    async def _pair(self, asked: PairPhone) -> PadReply:
        if self._phones is None:
            return PadReply(asked.id, error=NO_PHONES)
        return self._phones.pair(asked)

    async def _press(self, asked: KeyPress) -> PadReply:
        if self._phones is None:
            return PadReply(asked.id, error=NO_PHONES)
        return await self._phones.press(asked)
