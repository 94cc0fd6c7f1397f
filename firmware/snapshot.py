"""What everyone but the owner of the ledger sees: a frozen picture of the table."""

from enum import StrEnum

from msgspec import Struct

from rules.frame import Notice
from rules.record import Record
from rules.scoreline import Scoreline


class Tell(StrEnum):
    """What the table has to say about a press."""

    REFUSED = "refused"
    """The rules refused the entry; the code says why."""
    IGNORED = "ignored"
    """The press was not acted upon: too soon, no key here, a guard."""
    UNDONE = "undone"
    EDITED = "edited"


class Told(Struct, frozen=True):
    """A short answer that the board shows for a while.

    `code` is a reason of `rules.errors.Code` or of the panel's own, `text` what it is about:
    an entry in notation, a number, a key. `since_ms` is the monotonic clock.
    """

    tell: Tell
    code: str
    text: str = ""
    since_ms: int = 0


class View(Struct, frozen=True):
    """What a board draws from.

    `line` is none before a match. `heard_ms` is when the last press was accepted, on the
    monotonic clock. `faults` are the parts that do not work, as short codes. `keys` are label and
    binding of each key that now means something else than in play.
    """

    line: Scoreline | None = None
    told: Told | None = None
    heard_ms: int | None = None
    faults: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()


class Committed(Struct, frozen=True):
    """A record on disk, with what it made: what the publisher sends."""

    line: Scoreline
    record: Record
    text: str
    notices: tuple[Notice, ...] = ()
