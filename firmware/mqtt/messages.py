"""The topics of a table and what is said on them (docs/mqtt.md): the contract with displays."""

from msgspec import Struct

from drivers.ports import Message
from rules.clock import ClockState
from rules.sides import Side


class Beat(Struct, frozen=True):
    """The table lives: its boot number, last record, and match time now in milliseconds.

    `match` is the match that they belong to; tables before 0.2 did not say.
    """

    boot: int
    seq: int
    t_ms: int
    match: str = ""


class EntryMessage(Struct, frozen=True, omit_defaults=True):
    """One record. Consumers drop what they have already, by match and seq."""

    match: str
    seq: int
    t_ms: int
    at: str
    by: str
    act: str
    late: bool = False


class Logged(Struct, frozen=True):
    """A record in a log: its number, match time, the hour (UTC), who entered it, and what."""

    seq: int
    t_ms: int
    at: str
    by: str
    act: str


class Log(Struct, frozen=True):
    """The last 200 records of the match on the table, in order; what undo took back stays."""

    match: str
    entries: tuple[Logged, ...] = ()


class ClockMessage(Struct, frozen=True, omit_defaults=True):
    """The clocks of a match as of a record. Deadlines are match time, which a beat tells."""

    match: str
    seq: int
    clock: ClockState | None = None


class NoticeMessage(Struct, frozen=True, omit_defaults=True):
    """What is worth announcing about a record: what, whom it is about, and its number.

    `what` is a word of docs/mqtt.md. It is sent at once or not at all.
    """

    match: str
    seq: int
    what: str
    side: Side | None = None
    number: int | None = None


class PadStatus(Struct, frozen=True, omit_defaults=True):
    """How a pad does: whether it is there and keeps the score, its battery in percent.

    `last_seen_ms` is wall time in milliseconds since 1970 (UTC), by the minute; none before the
    first word.
    """

    name: str
    present: bool = False
    scorer: bool = False
    battery: int | None = None
    last_seen_ms: int | None = None


class Status(Struct, frozen=True):
    """How a table does: its program, rulebook and parts.

    `digest` is the rulebook's. `faults` are the codes of the parts that do not work, as the board
    shows them. `saved` is false while accepted entries are not on disk: they are not published
    before they are. `refused` counts presses since the start that were not acted upon. `lag_ms` is
    the longest that the program kept anything waiting, in the last half minute. `pads` are the
    handheld pads of the configuration.
    """

    version: str
    boot: int
    rulebook: str
    digest: str
    faults: tuple[str, ...] = ()
    saved: bool = True
    refused: int = 0
    lag_ms: int = 0
    pads: tuple[PadStatus, ...] = ()


class Device(Struct, frozen=True, omit_defaults=True):
    """A part of a table, or something that people press it with.

    `kind` is panel, pad, phone, board or journal. `at` is the hour at which a pad or phone was
    last heard, in UTC, for people: it is not to be compared with another machine's clock.
    """

    name: str
    kind: str
    connected: bool
    at: str = ""


class Presence(Struct, frozen=True, omit_defaults=True):
    """Who is there: a table with its parts, or a display of the hall.

    `kind` is table, board, web or overlay. `connected` is false as the last will and on a clean
    stop. `health` is empty where all is well, else what is not, in codes.
    """

    kind: str
    version: str
    connected: bool
    health: tuple[str, ...] = ()
    devices: tuple[Device, ...] = ()


DISPLAYS = "displays"
"""In the place of a hall: displays say there that they are there, each under its own name."""


class Topics:
    """The topics of one table."""

    def __init__(self, hall: str, table: str) -> None:
        self.base = base = f"tacada/{hall}/{table}"
        self.availability = f"{base}/availability"
        self.state = f"{base}/state"
        self.entry = f"{base}/entry"
        self.log = f"{base}/log"
        self.beat = f"{base}/beat"
        self.clock = f"{base}/clock"
        self.notice = f"{base}/notice"
        self.status = f"{base}/status"
        self.presence = f"{base}/presence"
        self.commands = f"{base}/command/+"

    def reply(self, name: str) -> str:
        """Where the answer to a command goes."""
        return f"{self.base}/reply/{name}"

    def will(self) -> Message:
        """What the broker publishes when this table is gone without a word."""
        return Message(self.availability, b"offline", qos=1, retained=True)
