"""The configuration of a table, as its one TOML file has it (docs/configuration.md)."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from drivers.pad_protocol import PAD_NAME
from drivers.phrases import Phrase, within
from drivers.wiring import Output, pin_number
from firmware.board.config import BoardConfig
from firmware.config.places import DEFAULT_JOURNAL
from firmware.errors import ConfigError
from firmware.keys.keybook import shipped_or_own
from firmware.keys.keymap import PanelLayout
from firmware.keys.panel_layout import Key, Pin
from firmware.toml_reader import SLUG
from rules.position import split_fields
from rules.record import Setup
from rules.sides import Pair, Side

DEVICES = ("panel", "phone", "mqtt", "config", "restart", "sheet")
"""Names of devices that no pad or keypad can have."""

USUAL_PORT = 1883

Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Slug: TypeAlias = Annotated[str, Meta(pattern=SLUG)]
Place: TypeAlias = Annotated[str, Meta(pattern=r"^[^\x00]*$")]
"""A file or folder: no name on a disk has a zero byte."""


class MatchConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The match that a table starts when none is in play.

    `format` changes parameters of the rulebook, as `target=40/40 limit=30`. `a` and `b` are the
    players of each side. `first` is who plays first; without it the table asks.
    """

    rulebook: str = "ug"
    format: str = ""
    a: tuple[str, ...] = ("A",)
    b: tuple[str, ...] = ("B",)
    first: str = ""


class PanelConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The panel: a layout that comes with the firmware, or the path of a file.

    `pins` changes the pins of single keys. `rows` and `columns` are the pins of a keypad that has
    the layout's keys instead, in their order, row by row. `games` names layouts for matches of
    another family than the table's own: carom, snooker or pool.
    `lock` and `off` are keys that, held for three seconds, lock or unlock the panel, and turn the
    table off.
    """

    layout: str = "carom-6"
    enabled: bool = True
    pins: dict[str, Pin] = {}
    rows: tuple[Pin, ...] = ()
    columns: tuple[Pin, ...] = ()
    lock: str = ""
    off: str = ""
    games: dict[str, str] = {}


class PadConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A handheld pad: its name, its receiver, its keys and its role.

    `serial` is the receiver: a path, best one of /dev/serial/by-id, or `usb:0403:6001`, with the
    adapter's serial number behind it where there are two alike. Of the pads with the role
    `scorer` one at a time keeps the score; an `open` one is always heard.
    """

    name: Annotated[str, Meta(pattern=PAD_NAME)]
    serial: str
    layout: str = "carom-6"
    role: Literal["scorer", "open"] = "scorer"
    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 115_200


class PhoneConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone as a pad, behind a code that the board shows; without `layout` it has the panel's."""

    enabled: bool = False
    layout: str = ""


class KeypadConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A USB keypad: its name, what it is, and its keys.

    `device` is a path, best one of /dev/input/by-id, or `usb:04d9:1203`. `codes` changes the keys
    of the number pad that the layout's keys are.
    """

    name: Annotated[str, Meta(pattern=PAD_NAME)]
    device: str
    layout: str = "carom-12"
    codes: dict[str, int | str] = {}


class LampConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The pin of a lamp or buzzer. `active_high = false`: it is lit when the pin is low."""

    pin: Pin
    active_high: bool = True


class SignalsConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Lamps for what a board says too, and a buzzer for its moments; those that are there."""

    heard: LampConfig | None = None
    refused: LampConfig | None = None
    confirm: LampConfig | None = None
    warning: LampConfig | None = None
    time: LampConfig | None = None
    buzzer: LampConfig | None = None


class BrokerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The MQTT broker; without `host` nothing is published.

    `password_file` holds the password alone in its first line. `home_assistant` is the prefix of
    its discovery topics, usually `homeassistant`; without it the table does not introduce itself.
    """

    host: str = ""
    port: Port = USUAL_PORT
    username: str = ""
    password_file: Place = ""
    tls: bool = False
    ca_file: Place = ""
    home_assistant: Annotated[str, Meta(pattern="^[^+#/ ]*$")] = ""


class BackupConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Where copies go: a folder on another disk than the journal's, none for no copies.

    The newest `keep` stay. A copy is made when the medium comes, after each match, and every
    `hours`.
    """

    folder: Place = ""
    keep: Annotated[int, Meta(ge=1)] = 14
    hours: Annotated[int, Meta(ge=1)] = 6


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a table is told. `hall` and `table` name it on MQTT.

    `boards` are further ones beside `board`; none of them ever ends a match. `club` stands on an
    idle board.
    """

    schema: int
    hall: Slug = "hall"
    table: Slug = "1"
    language: str = "pt"
    journal: Place = DEFAULT_JOURNAL
    match: MatchConfig = MatchConfig()
    board: BoardConfig = BoardConfig()
    boards: tuple[BoardConfig, ...] = ()
    club: str = ""
    panel: PanelConfig = PanelConfig()
    pads: tuple[PadConfig, ...] = ()
    phone: PhoneConfig = PhoneConfig()
    keypads: tuple[KeypadConfig, ...] = ()
    signals: SignalsConfig = SignalsConfig()
    broker: BrokerSettings = BrokerSettings()
    backup: BackupConfig = BackupConfig()


def lamps_in(signals: SignalsConfig) -> Iterator[tuple[str, LampConfig]]:
    """The lamps and the buzzer that are there, by their names."""
    for name in signals.__struct_fields__:
        lamp = getattr(signals, name)
        if lamp is not None:
            yield name, lamp


def lamps_of(signals: SignalsConfig) -> dict[str, Output]:
    """The outputs of lamps and buzzer, by their names.

    Raises:
        WiringError: a name is no pin.
    """
    return {name: Output(pin_number(one.pin), one.active_high) for name, one in lamps_in(signals)}


def keypad_of(keypad: KeypadConfig) -> PanelLayout:
    """The layout of a USB keypad with the codes of this table.

    Raises:
        ConfigError: with every problem of its file.
    """
    layout = shipped_or_own(keypad.layout)
    keys = {
        name: replace(key, code=keypad.codes.get(name, key.code))
        for name, key in layout.keys.items()
    }
    return replace(layout, keys=keys)


def panel_of(panel: PanelConfig) -> PanelLayout:
    """The panel's layout with the pins of this table.

    Raises:
        ConfigError: with every problem of its file.
    """
    layout = shipped_or_own(panel.layout)
    keys = _on_keypad(layout.keys, panel)
    for name, pin in panel.pins.items():
        if name in keys:
            keys[name] = replace(keys[name], pin=pin, row=None, column=None)
    return replace(layout, keys=keys)


def _on_keypad(keys: dict[str, Key], panel: PanelConfig) -> dict[str, Key]:
    """The keys at the crosspoints of the keypad, if there is one; chords stay what they are."""
    if not (panel.rows or panel.columns):
        return dict(keys)
    own = [name for name, key in keys.items() if key.chord is None and name not in panel.pins]
    points = list(product(panel.rows, panel.columns))
    if len(points) < len(own):
        raise ConfigError(
            [
                Phrase(
                    "few_points",
                    "{rows} rows and {columns} columns are {points} keys; the layout has {keys}",
                    rows=len(panel.rows),
                    columns=len(panel.columns),
                    points=len(points),
                    keys=len(own),
                )
            ]
        )
    placed = {
        name: replace(keys[name], pin=None, row=row, column=column)
        for name, (row, column) in zip(own, points, strict=False)
    }
    return {name: placed.get(name, key) for name, key in keys.items()}


def setup_of(match: MatchConfig, players: Pair[tuple[int, ...]]) -> Setup:
    """The set-up of the configured match, for players by their numbers.

    Raises:
        BadNotation: the format is no list of parameters.
    """
    return Setup(
        rulebook=match.rulebook,
        players=players,
        format=split_fields(match.format),
        first=Side(match.first) if match.first else None,
    )


def address(text: str) -> tuple[str, int]:
    """A broker's `HOST` or `HOST:PORT` from a command line.

    Raises:
        ConfigError: it is neither.
    """
    host, colon, port = text.rpartition(":")
    if not colon:
        return text, USUAL_PORT
    if not (host and port.isdecimal() and 0 < int(port) < 65536):
        must = Phrase("address", "must be HOST or HOST:PORT")
        raise ConfigError([within(f"--broker {text}", must)])
    return host, int(port)


def password_of(file: str | Path) -> str:
    """The password in the first line of a file.

    Raises:
        ConfigError: there is none to read.
    """
    try:
        return Path(file).read_text("utf-8").splitlines()[0].strip()
    except (OSError, IndexError, UnicodeDecodeError) as error:
        empty = Phrase("no_password", "holds no password")
        reason = error.strerror or "" if isinstance(error, OSError) else empty
        of_file = Phrase("password_file", "password file {file}", file=str(file))
        raise ConfigError([Phrase("", "{of}: {why}", of=of_file, why=reason)]) from None
