"""What a board was told and keeps over a restart: light, language, view, who plays next."""

import contextlib
import logging
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.commands import BoardView
from firmware.disk import synced
from firmware.snapshot import Coming

_log = logging.getLogger(__name__)


class BoardState(Struct, frozen=True, omit_defaults=True):
    """What differs from the configuration, by command.

    `coming` was announced while the match `told_in` was in play, if one was.
    """

    brightness: int | None = None
    language: str | None = None
    view: BoardView = "score"
    coming: Coming | None = None
    told_in: str = ""


def read_board(file: Path) -> BoardState:
    """What was kept; what cannot be read is as if it had not been."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=BoardState)
    except FileNotFoundError:
        return BoardState()
    except (OSError, msgspec.DecodeError) as error:
        _log.error("%s cannot be read, the configuration holds: %s", file, error)
        return BoardState()


def write_board(file: Path, state: BoardState) -> None:
    """Keep it: whatever happens meanwhile, the file holds the old or the new, never less.

    The new one, once this has returned, even if the power goes then.
    """
    new = file.with_suffix(".new")
    try:
        with new.open("wb") as out:
            out.write(msgspec.json.encode(state))
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
        synced(file.parent)
    except OSError as error:
        _log.error("%s cannot be written: %s", file, error)
        with contextlib.suppress(OSError):
            new.unlink()
