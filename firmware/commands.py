"""What may be asked of a table from outside, over MQTT or the shell: read, judged, answered.

A command is a JSON object on `command/<name>`, its answer comes on `reply/<name>` with the same
`id`. The id is kept in the record: sent again, even after a power cut, it gets the same answer
and acts once. A retained command is ignored: it would act again at every connect.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from drivers.ports import Answer
from rules.errors import BadNotation, shortened
from rules.notation import Notation
from rules.record import Act, EditInning, WhichClock
from rules.sheet import read_act
from rules.sides import Pair, Side

MOST_BYTES = 8192
"""A longer payload is no command."""

END = r"$(?!\n)"
"""The end of a text: to Python `$` alone is also the place before a last line break."""

Id: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{1,64}" + END)]
Seq: TypeAlias = Annotated[int, Meta(ge=0)]
Names: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...], Meta(min_length=1, max_length=8)
]
BoardView: TypeAlias = Literal["score", "pattern", "dark"]
"""What a board can be told to show."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all that is asked of a table has: an id of the sender's own."""

    id: Id


class Command(Request, frozen=True, kw_only=True):
    """A command that concerns the match: it names the last record that its sender knows of.

    With `preview` nothing is entered: the answer says what the score would be.
    """

    expect_seq: Seq
    preview: bool = False


class Enter(Command, frozen=True, kw_only=True):
    """An entry or control in sheet notation: `{"act": "+1"}`, `"UNDO"`, `"[SPLICE(3,4) / =4]"`."""

    act: str


class Edit(Command, frozen=True, kw_only=True):
    """A finished inning of the running frame made other points."""

    side: Side
    inning: Annotated[int, Meta(ge=1)]
    points: Annotated[int, Meta(ge=0)]


class Mend(Command, frozen=True, kw_only=True):
    """Another set-up for the match in play: what is given takes the place of what was.

    `shift` allows later entries to fall to the other side.
    """

    rulebook: str | None = None
    format: str | None = None
    first: Side | None = None
    shift: bool = False


class Start(Command, frozen=True, kw_only=True):
    """A new match; the one in play is closed as it stands.

    `at` is the position at which it is taken up, in sheet notation.
    """

    rulebook: str
    a: Names
    b: Names
    format: str = ""
    first: Side | None = None
    at: str = ""


class Abandon(Command, frozen=True, kw_only=True):
    """The match in play is closed as it stands, and the table's next one is put up."""


class Pause(Command, frozen=True, kw_only=True):
    """A clock stands still; without `which` match time where it runs, else the shot clock."""

    which: WhichClock | None = None


class Resume(Command, frozen=True, kw_only=True):
    """A clock that stands goes on; without `which` match time where it stands, else the other."""

    which: WhichClock | None = None


class ShowMessage(Request, frozen=True, kw_only=True):
    """A line for who is at the table. It stands until somebody presses a key or half a minute.

    The answer says that it is shown; a second one, `read`, that a key was pressed.
    """

    text: Annotated[str, Meta(min_length=1, max_length=100)]


class SetBrightness(Request, frozen=True, kw_only=True):
    """How bright the board is, from 0 to 15. It is kept over a restart, as all of these are."""

    level: Annotated[int, Meta(ge=0, le=15)]


class SetLanguage(Request, frozen=True, kw_only=True):
    """The language of the board."""

    language: Annotated[str, Meta(pattern="^[a-z]{2}(-[A-Z]{2})?" + END)]


class SetView(Request, frozen=True, kw_only=True):
    """What the board shows: the score; its numbered pattern; nothing, unless a match is played."""

    view: BoardView


class SetNext(Request, frozen=True, kw_only=True):
    """Who plays next at this table, for its idle board; without players nobody is announced.

    `at` is when, by the clock of the place. The match that begins next takes it away.
    """

    a: Names | None = None
    b: Names | None = None
    at: Annotated[str, Meta(pattern="^(([01][0-9]|2[0-3]):[0-5][0-9])?" + END)] = ""


class PairPhone(Request, frozen=True, kw_only=True):
    """A phone wants to be a pad: the board shows a `code`, and with that the phone is let in."""

    code: Annotated[str, Meta(max_length=8)] = ""


class KeyPress(Request, frozen=True, kw_only=True):
    """A key of a phone that was let in: its number, and how long ago it went down.

    `number` counts from 1. Sent again, a press keeps its number and acts once. `long`: held for so
    long that no entry is meant, or the phone's button for that.
    """

    token: Annotated[str, Meta(max_length=64)]
    number: Annotated[int, Meta(ge=1, le=999_999)]
    key: Annotated[str, Meta(pattern="^[a-z0-9_]{1,16}" + END)]
    held: bool = False
    long: bool = False
    age_ms: Annotated[int, Meta(ge=0, le=999_999)] = 0


COMMANDS: dict[str, type[Request]] = {
    "enter": Enter,
    "edit": Edit,
    "mend": Mend,
    "start": Start,
    "abandon": Abandon,
    "pause": Pause,
    "resume": Resume,
    "message": ShowMessage,
    "brightness": SetBrightness,
    "language": SetLanguage,
    "view": SetView,
    "next": SetNext,
    "pair": PairPhone,
    "press": KeyPress,
}
"""The commands by the last part of their topic."""


class Reply(Struct, frozen=True, omit_defaults=True):
    """The answer to a command.

    Accepted: `seq` is its record, and the score is that on disk. Refused: `error` is a code,
    `detail` what it is about, `seq` the last record. `preview`: the score that it would make.
    """

    id: str
    seq: int
    error: str | None = None
    detail: str = ""
    preview: bool = False
    score: Pair[int] | None = None
    turn: Side | None = None
    read: bool = False


class PadKey(Struct, frozen=True):
    """A key of a phone: its name, its label, and whether holding it means something.

    `menu`: held for long it asks about the match.
    """

    name: str
    label: str
    holds: bool
    menu: bool = False


class PadReply(Struct, frozen=True, omit_defaults=True):
    """The answer to a phone.

    To `pair`: `token` and `keys` where it was let in. To `press`: `answer` as a handheld pad gets
    it, accepted, waiting or refused, and `text`, what the board says of it. `means` are labels and
    meanings of keys that now do something else than in play. `error` is a code.
    """

    id: str
    error: str | None = None
    answer: Answer | None = None
    text: str = ""
    token: str = ""
    keys: tuple[PadKey, ...] = ()
    means: tuple[tuple[str, str], ...] = ()


REPLIES: dict[str, type[Reply] | type[PadReply]] = {"pair": PadReply, "press": PadReply}
"""What a command is answered with, where that is not a `Reply`."""

MALFORMED, STALE, UNKNOWN, NO_DISK = "malformed", "stale", "unknown_command", "no_disk"


@dataclass(frozen=True, slots=True)
class BadCommand(Exception):
    """A payload that is no command; `id` is its id where one could be read."""

    id: str
    code: str
    detail: str


def read_command(name: str, payload: bytes) -> Request:
    """Read a command by the last part of its topic.

    Raises:
        BadCommand: no such command, or not its fields.
    """
    if len(payload) > MOST_BYTES:
        raise BadCommand("", MALFORMED, f"more than {MOST_BYTES} bytes")
    kind = COMMANDS.get(name)
    if kind is None:
        raise BadCommand(_id_of(payload), UNKNOWN, f"there are {', '.join(COMMANDS)}")
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadCommand(_id_of(payload), MALFORMED, shortened(str(error))) from None


def act_of(command: Enter | Edit, notation: Notation) -> Act:
    """The act that a command asks for.

    Raises:
        BadCommand: its notation cannot be read.
    """
    if isinstance(command, Edit):
        return EditInning(command.side, command.inning, command.points)
    try:
        return read_act(command.act, notation)
    except BadNotation as error:
        raise BadCommand(command.id, MALFORMED, str(error)) from None


class _OnlyId(Struct):
    id: Id = ""


def _id_of(payload: bytes) -> str:
    """The id of something that is otherwise no command, so that its sender can be told."""
    try:
        return msgspec.json.decode(payload, type=_OnlyId).id
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
