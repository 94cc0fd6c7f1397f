"""The configuration of a table, from one TOML file (docs/configuration.md)."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from drivers.errors import WiringError
from drivers.keycodes import code_number
from drivers.pad_protocol import PAD_NAME
from drivers.wiring import SPI_PINS, USB_IDENTITY, Output, check_wiring, pin_number
from firmware.board_config import BoardConfig, board_problems
from firmware.errors import ConfigError
from firmware.i18n import load_language
from firmware.keybook import KeyBook, shipped_or_own
from firmware.keymap import Keymap, PanelLayout
from firmware.panel_layout import Key, Pin
from firmware.settings import did_you_mean, read_toml
from rules.errors import BadNotation, BadSetup
from rules.match import new_match
from rules.position import split_fields
from rules.record import Setup
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Pair, Side

DEVICES = ("panel", "phone", "mqtt", "config", "restart", "sheet")
"""Names of devices that no pad or keypad can have."""

USUAL_PORT = 1883
DEFAULT_FILE = Path("/etc/tacada/1.toml")
DEFAULT_JOURNAL = "/var/lib/tacada/1/journal.db"

SLUG = "^[a-z0-9][a-z0-9-]*$"
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Slug: TypeAlias = Annotated[str, Meta(pattern=SLUG)]


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
    password_file: str = ""
    tls: bool = False
    ca_file: str = ""
    home_assistant: Annotated[str, Meta(pattern="^[^+#/ ]*$")] = ""


class BackupConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Where copies go: a folder on another disk than the journal's, none for no copies.

    The newest `keep` stay. A copy is made when the medium comes, after each match, and every
    `hours`.
    """

    folder: str = ""
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
    journal: str = DEFAULT_JOURNAL
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


def load_config(file: str | Path) -> Config:
    """Read a configuration and check everything in it that can be checked without devices.

    Raises:
        ConfigError: with every problem, each with file, table and key, and a suggestion.
    """
    config = read_toml(file, Config)
    problems = [f"{file}: {problem}" for problem in _problems(config)]
    if problems:
        raise ConfigError(problems)
    return config


def _problems(config: Config) -> Iterator[str]:
    if config.schema != 1:
        yield f"schema = {config.schema}: this firmware reads schema 1"
    yield from _named_problems("language", load_language, config.language)
    for key, board in (("board", config.board), *_named_boards(config)):
        yield from (f"{key}.{problem}" for problem in board_problems(board))
    yield from _bus_problems(config)
    yield from _match_problems(config.match)
    if config.panel.enabled:
        yield from _panel_problems(config)
    yield from _pad_problems(config)
    yield from _keypad_problems(config)
    yield from _signal_problems(config)
    broker = config.broker
    if broker.password_file and not broker.username:
        yield "broker.username: is missing beside password_file"
    if broker.ca_file and not broker.tls:
        yield "broker.ca_file: has no use without tls = true"


def _named_boards(config: Config) -> list[tuple[str, BoardConfig]]:
    return [(f"boards.{nth}", board) for nth, board in enumerate(config.boards, 1)]


def _bus_problems(config: Config) -> Iterator[str]:
    """Two boards on one chip select."""
    seen: dict[tuple[int, int], str] = {}
    for key, board in (("board", config.board), *_named_boards(config)):
        for where in {(c.spi_port, c.spi_device) for c in board.chains or (board,)}:
            if board.enabled and seen.setdefault(where, key) != key:
                yield f"{key}.spi_device = {where[1]}: {seen[where]} is on it"


def _named_problems(key: str, load: Callable[[str], object], name: str) -> Iterator[str]:
    """What is wrong with a file that comes with the firmware and is named here."""
    try:
        load(name)
    except ConfigError as error:
        yield from (f"{key}: {problem}" for problem in error.problems)


def _match_problems(match: MatchConfig) -> Iterator[str]:
    if match.first not in ("", "A", "B"):
        yield f'match.first = {match.first!r}: must be "A", "B" or nothing'
        match = replace(match, first="")
    if match.rulebook not in RULEBOOKS:
        hint = did_you_mean(match.rulebook, RULEBOOKS) or f"; there are {', '.join(RULEBOOKS)}"
        yield f"match.rulebook = {match.rulebook!r}: unknown{hint}"
        return
    if not (match.a and match.b):
        yield "match.a, match.b: each side needs a player"
        return
    players = (tuple(range(len(match.a))), tuple(range(len(match.b))))
    try:
        new_match(setup_of(match, players), rulebook_of(match.rulebook))
    except (BadNotation, BadSetup) as error:
        yield f"match.format = {match.format!r}: {error}"


def _panel_problems(config: Config) -> Iterator[str]:
    try:
        layout = panel_of(config.panel)
    except ConfigError as error:
        yield from (f"panel.layout: {problem}" for problem in error.problems)
        return
    for name in ("lock", "off"):
        key = getattr(config.panel, name)
        if key and key not in layout.keys:
            yield f"panel.{name} = {key!r}: no such key{did_you_mean(key, layout.keys)}"
    if config.panel.lock and config.panel.lock == config.panel.off:
        yield f"panel.off = {config.panel.off!r}: is the key that locks already"
    for key in config.panel.pins:
        if key not in layout.keys:
            yield f"panel.pins.{key}: no such key{did_you_mean(key, layout.keys)}"
    book = RULEBOOKS.get(config.match.rulebook)
    if book is None:
        return
    try:
        keys = KeyBook(layout, config.panel.layout, book.id, config.panel.games)
        keymap = keys.keymap(book.id)
        check_wiring(keymap.wiring(), spi=config.board.enabled)
    except ConfigError as error:
        yield from (f"panel.layout: {problem}" for problem in error.problems)
    except WiringError as error:
        yield from (f"panel: {problem}" for problem in str(error).split("; "))
    else:
        yield from _game_problems(config.panel.games, keys)


def _game_problems(games: dict[str, str], keys: KeyBook) -> Iterator[str]:
    """Layouts for other games that are named must be there and fit the box."""
    for family in games:
        book = next((one for one in RULEBOOKS if family_of(one) == family), None)
        if book is None:
            hint = did_you_mean(family, ("carom", "snooker", "pool"))
            yield f"panel.games.{family}: no such family{hint}"
            continue
        try:
            keys.keymap(book)
        except ConfigError as error:
            yield from (f"panel.games.{family}: {problem}" for problem in error.problems)


def _pad_problems(config: Config) -> Iterator[str]:
    names: set[str] = set()
    bauds: dict[str, int] = {}
    for place, pad in enumerate(config.pads, 1):
        at = f"pads.{place}"
        if pad.name in names or pad.name in DEVICES:
            yield f"{at}.name = {pad.name!r}: is taken"
        names.add(pad.name)
        if bauds.setdefault(pad.serial, pad.baud) != pad.baud:
            yield f"{at}.baud = {pad.baud}: another pad of {pad.serial} has {bauds[pad.serial]}"
        if not (pad.serial.startswith("/") or re.fullmatch(USB_IDENTITY, pad.serial)):
            yield f"{at}.serial = {pad.serial!r}: must be a path or usb:0403:6001"
        book = RULEBOOKS.get(config.match.rulebook)
        try:
            layout = shipped_or_own(pad.layout)
            if book is not None:
                Keymap(layout, book.game.notation, pad.layout)
        except ConfigError as error:
            yield from (f"{at}.layout: {problem}" for problem in error.problems)


def _keypad_problems(config: Config) -> Iterator[str]:
    names = {pad.name for pad in config.pads} | set(DEVICES)
    book = RULEBOOKS.get(config.match.rulebook)
    for place, keypad in enumerate(config.keypads, 1):
        at = f"keypads.{place}"
        if keypad.name in names:
            yield f"{at}.name = {keypad.name!r}: is taken"
        names.add(keypad.name)
        if not (keypad.device.startswith("/") or re.fullmatch(USB_IDENTITY, keypad.device)):
            yield f"{at}.device = {keypad.device!r}: must be a path or usb:04d9:1203"
        try:
            layout = keypad_of(keypad)
            if book is not None:
                Keymap(layout, book.game.notation, keypad.layout)
        except ConfigError as error:
            yield from (f"{at}.layout: {problem}" for problem in error.problems)
            continue
        for name in keypad.codes:
            if name not in layout.keys:
                yield f"{at}.codes.{name}: no such key{did_you_mean(name, layout.keys)}"
        taken: dict[int, str] = {}
        for name, key in layout.keys.items():
            if key.code is None:
                yield f"{at}.codes: {name} has no code"
                continue
            try:
                code = code_number(key.code)
            except WiringError as error:
                yield f"{at}.codes.{name}: {error}"
                continue
            if taken.setdefault(code, name) != name:
                yield f"{at}.codes.{name}: {key.code} is {taken[code]} already"


def _signal_problems(config: Config) -> Iterator[str]:
    """Pins of lamps that are none, or that keys or each other have."""
    taken: dict[int, str] = {}
    if config.panel.enabled:
        try:
            for key in panel_of(config.panel).keys.values():
                for pin in (key.pin, key.row, key.column):
                    if pin is not None:
                        taken[pin_number(pin)] = f"key {key.label}"
        except (ConfigError, WiringError):
            pass  # told where the panel is looked at
    for name, lamp in _lamps(config.signals):
        try:
            pin = pin_number(lamp.pin)
        except WiringError as error:
            yield f"signals.{name}.pin: {error}"
            continue
        if not 2 <= pin <= 27:
            yield f"signals.{name}.pin = {pin}: must be GPIO2 to GPIO27"
        elif config.board.enabled and pin in SPI_PINS:
            yield f"signals.{name}.pin = {pin}: belongs to the display (SPI uses GPIO7 to GPIO11)"
        elif taken.setdefault(pin, name) != name:
            yield f"signals.{name}.pin = {pin}: is the pin of {taken[pin]} already"


def _lamps(signals: SignalsConfig) -> Iterator[tuple[str, LampConfig]]:
    for name in signals.__struct_fields__:
        lamp = getattr(signals, name)
        if lamp is not None:
            yield name, lamp


def lamps_of(signals: SignalsConfig) -> dict[str, Output]:
    """The outputs of lamps and buzzer, by their names.

    Raises:
        WiringError: a name is no pin.
    """
    return {name: Output(pin_number(one.pin), one.active_high) for name, one in _lamps(signals)}


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
                f"{len(panel.rows)} rows and {len(panel.columns)} columns are {len(points)} keys; "
                f"the layout has {len(own)}"
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
        raise ConfigError([f"--broker {text}: must be HOST or HOST:PORT"])
    return host, int(port)


def password_of(file: str | Path) -> str:
    """The password in the first line of a file.

    Raises:
        ConfigError: there is none to read.
    """
    try:
        return Path(file).read_text("utf-8").splitlines()[0].strip()
    except (OSError, IndexError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "holds no password"
        raise ConfigError([f"password file {file}: {reason}"]) from None
