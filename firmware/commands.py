"""What may be asked of a table from outside, over MQTT or the shell: read, judged, answered.

A command is a JSON object on `command/<name>`, its answer comes on `reply/<name>` with the same
`id`. The id is kept in the record: sent again, even after a power cut, it gets the same answer
and acts once. A retained command is ignored: it would act again at every connect.
"""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from rules.errors import BadNotation
from rules.notation import Notation
from rules.record import Act, EditInning
from rules.sheet import read_act
from rules.sides import Pair, Side

MOST_BYTES = 8192
"""A longer payload is no command."""

Id: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{1,64}$")]
Seq: TypeAlias = Annotated[int, Meta(ge=0)]
Names: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...], Meta(min_length=1, max_length=8)
]


class Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all commands have: an id of the sender's own, and the last record that it knows of.

    With `preview` nothing is entered: the answer says what the score would be.
    """

    id: Id
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


COMMANDS: dict[str, type[Command]] = {"enter": Enter, "edit": Edit, "mend": Mend, "start": Start}
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


MALFORMED, STALE, UNKNOWN, NO_DISK = "malformed", "stale", "unknown_command", "no_disk"


@dataclass(frozen=True, slots=True)
class BadCommand(Exception):
    """A payload that is no command; `id` is its id where one could be read."""

    id: str
    code: str
    detail: str


def read_command(name: str, payload: bytes) -> Command:
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
        raise BadCommand(_id_of(payload), MALFORMED, str(error)) from None


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
