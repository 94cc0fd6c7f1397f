"""What can be wrong with a configuration although each of its values is of the right kind."""

import contextlib
import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from drivers.errors import WiringError
from drivers.keycodes import code_number
from drivers.phrases import Phrase, within
from drivers.wiring import SPI_PINS, USB_IDENTITY, check_wiring, pin_number
from firmware.board.config import BoardConfig, board_problems
from firmware.config.config import (
    DEVICES,
    Config,
    MatchConfig,
    PanelConfig,
    keypad_of,
    lamps_in,
    panel_of,
    setup_of,
)
from firmware.errors import ConfigError
from firmware.i18n import load_language
from firmware.keys.keybook import KeyBook, keymap_for, shipped_or_own
from firmware.keys.panel_layout import PanelLayout
from firmware.mqtt.messages import DISPLAYS
from firmware.toml_reader import did_you_mean, there_are
from rules.errors import BadNotation, BadSetup
from rules.match import new_match
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of


def config_problems(config: Config) -> Iterator[str]:
    """What is wrong with a configuration, each with its key; devices are not looked at."""
    if config.schema != 1:
        yield _wrong("schema", config.schema, Phrase("schema", "this firmware reads schema 1"))
    if config.hall == DISPLAYS:
        why = Phrase(
            "hall_displays",
            "this is where displays say that they are there; name another",
        )
        yield _wrong("hall", repr(DISPLAYS), why)
    yield from _named_problems("language", load_language, config.language)
    for key, board in (("board", config.board), *_named_boards(config)):
        for problem in board_problems(board):
            yield Phrase("", "{key}.{problem}", key=key, problem=problem)
    yield from _bus_problems(config)
    yield from _match_problems(config.match)
    if config.panel.enabled:
        yield from _panel_problems(config)
    yield from _pad_problems(config)
    yield from _keypad_problems(config)
    yield from _phone_problems(config)
    yield from _signal_problems(config)
    broker = config.broker
    if broker.password_file and not broker.username:
        yield within("broker.username", Phrase("no_user", "is missing beside password_file"))
    if broker.ca_file and not broker.tls:
        yield within("broker.ca_file", Phrase("no_tls", "has no use without tls = true"))


def _wrong(key: str, value: object, why: str) -> Phrase:
    """What is wrong with the value of a key."""
    return within(f"{key} = {value}", why)


def _path_or(identity: str) -> Phrase:
    return Phrase("path_or", "must be a path or {identity}", identity=identity)


def _no_key(name: str, layout: PanelLayout) -> Phrase:
    hint = did_you_mean(name, layout.keys)
    return Phrase("no_key", "no such key{hint}", hint=hint)


def _named_boards(config: Config) -> list[tuple[str, BoardConfig]]:
    return [(f"boards.{nth}", board) for nth, board in enumerate(config.boards, 1)]


def _bus_problems(config: Config) -> Iterator[str]:
    """Two boards on one chip select."""
    seen: dict[tuple[int, int], str] = {}
    for key, board in (("board", config.board), *_named_boards(config)):
        for where in {(c.spi_port, c.spi_device) for c in board.chains or (board,)}:
            if board.enabled and seen.setdefault(where, key) != key:
                on_it = Phrase("bus_taken", "{other} is on it", other=seen[where])
                yield _wrong(f"{key}.spi_device", where[1], on_it)


def _named_problems(key: str, load: Callable[[str], object], name: str) -> Iterator[str]:
    """What is wrong with a file that comes with the firmware and is named here."""
    try:
        load(name)
    except ConfigError as error:
        yield from (within(key, problem) for problem in error.problems)


def _match_problems(match: MatchConfig) -> Iterator[str]:
    if match.first not in ("", "A", "B"):
        why = Phrase("a_or_b", 'must be "A", "B" or nothing')
        yield _wrong("match.first", repr(match.first), why)
        match = replace(match, first="")
    if match.rulebook not in RULEBOOKS:
        hint = did_you_mean(match.rulebook, RULEBOOKS) or there_are(RULEBOOKS)
        why = Phrase("unknown", "unknown{hint}", hint=hint)
        yield _wrong("match.rulebook", repr(match.rulebook), why)
        return
    if not (match.a and match.b):
        yield within("match.a, match.b", Phrase("no_player", "each side needs a player"))
        return
    players = (tuple(range(len(match.a))), tuple(range(len(match.b))))
    try:
        new_match(setup_of(match, players), rulebook_of(match.rulebook))
    except (BadNotation, BadSetup) as error:
        yield _wrong("match.format", repr(match.format), str(error))


def _panel_problems(config: Config) -> Iterator[str]:
    try:
        layout = panel_of(config.panel)
    except ConfigError as error:
        yield from (within("panel.layout", problem) for problem in error.problems)
        return
    for name in ("lock", "off"):
        key = getattr(config.panel, name)
        if key and key not in layout.keys:
            yield _wrong(f"panel.{name}", repr(key), _no_key(key, layout))
    if config.panel.lock and config.panel.lock == config.panel.off:
        locks = Phrase("locks", "is the key that locks already")
        yield _wrong("panel.off", repr(config.panel.off), locks)
    for key in config.panel.pins:
        if key not in layout.keys:
            yield within(f"panel.pins.{key}", _no_key(key, layout))
    book = RULEBOOKS.get(config.match.rulebook)
    if book is None:
        return
    try:
        keys = KeyBook(layout, config.panel.layout, book.id, config.panel.games)
        keymap = keys.keymap(book.id)
        check_wiring(keymap.wiring(), spi=config.board.enabled)
    except ConfigError as error:
        yield from (within("panel.layout", problem) for problem in error.problems)
    except WiringError as error:
        yield from (within("panel", fault) for fault in error.faults)
    else:
        yield from _game_problems(config, keys)


def _game_problems(config: Config, keys: KeyBook) -> Iterator[str]:
    """Layouts for other games that are named must be there and fit the box."""
    for family, name in config.panel.games.items():
        if family == family_of(config.match.rulebook) and name != config.panel.layout:
            why = Phrase(
                "own_family",
                "has no use, panel.layout is the one for {family}",
                family=family,
            )
            yield within(f"panel.games.{family}", why)
            continue
        book = next((one for one in RULEBOOKS if family_of(one) == family), None)
        if book is None:
            hint = did_you_mean(family, ("carom", "snooker", "pool"))
            why = Phrase("no_family", "no such family{hint}", hint=hint)
            yield within(f"panel.games.{family}", why)
            continue
        try:
            keys.keymap(book)
        except ConfigError as error:
            yield from (within(f"panel.games.{family}", one) for one in error.problems)


def _pad_problems(config: Config) -> Iterator[str]:
    names: set[str] = set()
    bauds: dict[str, int] = {}
    for place, pad in enumerate(config.pads, 1):
        at = f"pads.{place}"
        if pad.name in names or pad.name in DEVICES:
            yield _wrong(f"{at}.name", repr(pad.name), Phrase("name_taken", "is taken"))
        names.add(pad.name)
        if bauds.setdefault(pad.serial, pad.baud) != pad.baud:
            had = bauds[pad.serial]
            why = Phrase("baud", "another pad of {name} has {n}", name=pad.serial, n=had)
            yield _wrong(f"{at}.baud", pad.baud, why)
        if not (pad.serial.startswith("/") or re.fullmatch(USB_IDENTITY, pad.serial)):
            yield _wrong(f"{at}.serial", repr(pad.serial), _path_or("usb:0403:6001"))
        book = RULEBOOKS.get(config.match.rulebook)
        try:
            layout = shipped_or_own(pad.layout)
            if book is not None:
                keymap_for(layout, pad.layout, book.id)
        except ConfigError as error:
            yield from (within(f"{at}.layout", problem) for problem in error.problems)


def _keypad_problems(config: Config) -> Iterator[str]:
    names = {pad.name for pad in config.pads} | set(DEVICES)
    book = RULEBOOKS.get(config.match.rulebook)
    for place, keypad in enumerate(config.keypads, 1):
        at = f"keypads.{place}"
        if keypad.name in names:
            yield _wrong(f"{at}.name", repr(keypad.name), Phrase("name_taken", "is taken"))
        names.add(keypad.name)
        if not (keypad.device.startswith("/") or re.fullmatch(USB_IDENTITY, keypad.device)):
            yield _wrong(f"{at}.device", repr(keypad.device), _path_or("usb:04d9:1203"))
        try:
            layout = keypad_of(keypad)
            if book is not None:
                keymap_for(layout, keypad.layout, book.id)
        except ConfigError as error:
            yield from (within(f"{at}.layout", problem) for problem in error.problems)
            continue
        for name in keypad.codes:
            if name not in layout.keys:
                yield within(f"{at}.codes.{name}", _no_key(name, layout))
        taken: dict[int, str] = {}
        for name, key in layout.keys.items():
            if key.code is None:
                yield within(f"{at}.codes", Phrase("codeless", "{key} has no code", key=name))
                continue
            try:
                code = code_number(key.code)
            except WiringError as error:
                yield within(f"{at}.codes.{name}", error.args[0])
                continue
            if taken.setdefault(code, name) != name:
                other = taken[code]
                why = Phrase("code_of", "{code} is {other} already", code=key.code, other=other)
                yield within(f"{at}.codes.{name}", why)


def _phone_problems(config: Config) -> Iterator[str]:
    book, name = RULEBOOKS.get(config.match.rulebook), config.phone.layout
    if name and book is not None:
        try:
            keymap_for(shipped_or_own(name), name, book.id)
        except ConfigError as error:
            yield from (within("phone.layout", problem) for problem in error.problems)


def _signal_problems(config: Config) -> Iterator[str]:
    """Pins of lamps that are none, or that keys or each other have."""
    taken = dict(_key_pins(config.panel)) if config.panel.enabled else {}
    for name, lamp in lamps_in(config.signals):
        try:
            pin = pin_number(lamp.pin)
        except WiringError as error:
            yield within(f"signals.{name}.pin", error.args[0])
            continue
        if not 2 <= pin <= 27:
            yield _wrong(f"signals.{name}.pin", pin, Phrase("gpio", "must be GPIO2 to GPIO27"))
        elif config.board.enabled and pin in SPI_PINS:
            spi = Phrase("spi_pin", "belongs to the display (SPI uses GPIO7 to GPIO11)")
            yield _wrong(f"signals.{name}.pin", pin, spi)
        elif taken.setdefault(pin, name) != name:
            other = Phrase("taken_pin", "is the pin of {other} already", other=taken[pin])
            yield _wrong(f"signals.{name}.pin", pin, other)


def _key_pins(panel: PanelConfig) -> Iterator[tuple[int, str]]:
    """The pins that keys have, as far as they can be read; the panel's check tells the rest."""
    with contextlib.suppress(ConfigError, WiringError):
        for name, key in panel_of(panel).keys.items():
            wires = (key.pin, key.row, key.column)
            what = Phrase("a_key", "key {name}", name=name)
            yield from ((pin_number(pin), what) for pin in wires if pin is not None)
