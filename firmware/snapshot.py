"""What everyone but the owner of the ledger sees: a frozen picture of the table."""

from enum import StrEnum

from msgspec import Struct

from rules.clock import Call
from rules.frame import Notice
from rules.record import Record
from rules.scoreline import Scoreline
from rules.sides import Pair, Side


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


class Typed(Struct, frozen=True):
    """An act that is half typed: nothing is entered yet.

    `dialog` is its name in the panel file, `label` its name on the board. `keys` are the labels of
    the keys pressed so far, `number` the digits among them. `entry` is what it would become, in
    notation, empty while it says too little; `score` and `turn` are what that would make, or
    `refused` and `detail` why it would be refused (`incomplete` while it is no entry).
    `reminder` is what is to be known before it is entered, one of `text_keys.REMINDERS`. At
    `until_ms` on the monotonic clock it is cleared; or, where it `enters`, entered as it is.
    """

    dialog: str
    label: str
    keys: tuple[str, ...] = ()
    number: str = ""
    entry: str = ""
    score: Pair[int] | None = None
    turn: Side | None = None
    refused: str = ""
    detail: str = ""
    until_ms: int = 0
    enters: bool = False
    reminder: str = ""


class Question(Struct, frozen=True):
    """A question with numbered choices, of a set-up or a menu.

    Texts are forms from long to short, as a language gives them. `chosen` is the place of the
    choice that OK would take, from 0; none where a number key decides.
    """

    title: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    chosen: int | None = None


class Number(Struct, frozen=True):
    """A number being typed: what is asked, the digits so far, and between what it must lie."""

    title: tuple[str, ...]
    digits: str = ""
    least: int | None = None
    most: int | None = None


class HallMessage(Struct, frozen=True):
    """Words from the hall for players and onlookers, on the monotonic clock."""

    text: str
    since_ms: int
    until_ms: int


class Coming(Struct, frozen=True):
    """Who plays next, and at which hour of the place, as 21:30, where that is known."""

    names: Pair[tuple[str, ...]]
    at: str = ""


class Counting(Struct, frozen=True):
    """A countdown that is no shot clock, on the monotonic clock.

    `what` is warm_up, interval, timeout or lateness. At zero it says what comes next, and nothing
    happens: to begin, to play on or to give a match to who is there are the referee's.
    """

    what: str
    until_ms: int

    def left_s(self, now_ms: int) -> int:
        """Seconds left, begun ones counted, 0 once it is over."""
        return max(0, -((now_ms - self.until_ms) // 1000))


class Hall(Struct, frozen=True):
    """What an idle board tells: the club, the last result, who plays next.

    `last` is a whole line, from long to short. The hour of the place stood at
    `hour_zero_ms`, in milliseconds since its midnight, when the monotonic clock was 0; none
    while the machine does not know the hour.
    """

    club: str = ""
    last: tuple[str, ...] = ()
    coming: Coming | None = None
    hour_zero_ms: int | None = None


class View(Struct, frozen=True):
    """What a board draws from.

    `line` is none before a match. `heard_ms` is when the last press was accepted, on the
    monotonic clock. `faults` are the parts that do not work, as short codes. `keys` are label and
    meaning of each key that now does something else than in play: in a choice, in a dialog.
    `typed` is an act that is half typed. `calls` are what the clocks say to the referee. The
    monotonic clock stood at `zero_ms` at match time 0, which the clocks of the line count from.
    `ask` is what a set-up asks. Of a table that has not been heard since `stale_since_ms` the line
    is what was last known. `rulebooks` are those that can be played, told at the start.
    """

    line: Scoreline | None = None
    told: Told | None = None
    heard_ms: int | None = None
    faults: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    typed: Typed | None = None
    calls: tuple[Call, ...] = ()
    zero_ms: int = 0
    ask: Question | Number | None = None
    message: HallMessage | None = None
    hall: Hall = Hall()
    stale_since_ms: int | None = None
    rulebooks: tuple[str, ...] = ()
    counting: Counting | None = None


class Committed(Struct, frozen=True):
    """A record on disk, with what it made: what the publisher sends."""

    line: Scoreline
    record: Record
    text: str
    notices: tuple[Notice, ...] = ()
