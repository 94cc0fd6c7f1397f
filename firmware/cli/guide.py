"""`tacada setup`: asks a volunteer for what a table needs to know, and writes its configuration.

Board and keys are tried as they are asked for: the board shows its numbered blocks, and a key is
told by pressing it. What is not there is named and passed over; setup can be started again, and
asks then with what it wrote before. What it does not ask for stays as it was.
"""

import contextlib
import re
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct, convert

from drivers.blocks import BLOCK_PX, places_read
from drivers.errors import DriverError, WiringError
from drivers.lines import PinFactory
from drivers.phrases import within
from drivers.ports import Display
from drivers.probe import Probe
from drivers.wiring import Contact, place_of
from firmware.board.config import BoardConfig
from firmware.board.layout import layout_names, load_layout
from firmware.board.testpattern import numbered
from firmware.cli.guide_keys import is_down, pressed_pin, watched
from firmware.config.config import (
    USUAL_PORT,
    Config,
    address,
    panel_of,
    setup_of,
)
from firmware.config.file import Raw, as_toml, load_config, put, write
from firmware.config.places import DEFAULT_FILE, DEFAULT_JOURNAL
from firmware.errors import ConfigError
from firmware.i18n import language_codes, load_language
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap
from firmware.setup.words import load_setup_words
from firmware.spoken import DEFAULT
from firmware.table.matches import unsaid
from firmware.terminal.words import TerminalWords, load_terminal_words, text
from firmware.toml_reader import SLUG
from rules.rulebooks import family_of, notation_of
from rules.rulebooks.shelf import RULEBOOKS

TURNS = (-90, 0, 90, 180)
"""How modules can be mounted, the usual way first."""

STICK = "/media/tacada"
"""Where `media-tacada.mount` has the stick for copies."""


class Person(Protocol):
    """Whoever answers; `firmware.cli.answers` has one at a terminal."""

    def say(self, text: str) -> None:
        """Tell them something."""
        ...

    async def answer(self, question: str, usual: str = "", *, hidden: bool = False) -> str:
        """Ask, and wait for a line; an empty one is `usual`. `hidden`: it is not shown.

        Raises:
            EOFError: nobody answers any more.
        """
        ...

    async def unless_answered(self, doing: Awaitable[int]) -> int | None:
        """Wait for something to be done, or for a line: then there is none."""
        ...


class Hardware(Struct, frozen=True):
    """What is tried while it is asked for. `display` and `pins` may raise `DriverError`."""

    display: Callable[[BoardConfig], Display]
    pins: Callable[[], PinFactory]
    reaches: Callable[[str, int], Awaitable[bool]]


async def set_up(
    file: Path, person: Person, hardware: Hardware, *, language: str | None, usual: str
) -> bool:
    """Ask for everything, and write the file; whether it was written.

    `language` is that of the conversation; without it that of the file, or where there is none
    the one that is chosen first. Until then it is `usual`.

    Raises:
        ConfigError: the file that is there cannot be read, or the new one cannot be written;
            there are no words of a language.
    """
    raw = _before(file)
    before = bool(raw)
    if not before:
        raw |= _of_its_own(file) | {"language": usual}
    raw["schema"] = 1
    words = load_terminal_words(language or raw.get("language", DEFAULT))
    guide = _Guide(raw, person, hardware, file, words)
    if before:
        guide.say("setup.there", file=file)
    elif language is None:
        guide.languages()
    try:
        return await _asked(guide, raw, file, told=language is not None)
    except EOFError:
        guide.say("setup.no_answer")
        return False


async def _asked(guide: "_Guide", raw: Raw, file: Path, *, told: bool) -> bool:
    """Ask for one thing after the other, and write the file; whether it was written.

    Raises:
        ConfigError: the new file cannot be written.
        EOFError: nobody answers any more.
    """
    await guide.language(told=told)
    await guide.names()
    await guide.game()
    await guide.board()
    await guide.panel()
    await guide.broker()
    await guide.copies()
    written = as_toml(raw)
    guide.tell(f"\n{written}")
    if not await guide.yes("setup.write", usual=True, file=file):
        guide.say("setup.unwritten")
        return False
    write(file, written)
    guide.say("setup.written", file=file, start=_start(file))
    for left_open in unsaid(setup_of(load_config(file).match, ((1,), (2,)))):
        guide.tell(within("match.format", left_open))
    return True


def _start(file: Path) -> str:
    return f"sudo systemctl restart tacada@{file.stem}"


def _of_its_own(file: Path) -> Raw:
    """What a further table on this machine must not share with the first: name and journal."""
    if file.stem == DEFAULT_FILE.stem or not re.fullmatch(SLUG, file.stem):
        return {}
    first = Path(DEFAULT_JOURNAL)
    return {"table": file.stem, "journal": str(first.parents[1] / file.stem / first.name)}


def _before(file: Path) -> Raw:
    if not file.exists():
        return {}
    load_config(file)
    return tomllib.loads(file.read_text("utf-8"))


class _Guide:
    """Asks one thing after the other and keeps the answers in `raw`."""

    def __init__(
        self, raw: Raw, person: Person, hardware: Hardware, file: Path, words: TerminalWords
    ) -> None:
        self._raw, self._person, self._hardware, self._file = raw, person, hardware, file
        self._words = words

    def say(self, key: str, /, **places: object) -> None:
        """Tell the person something."""
        self.tell(text(key, **places))

    def tell(self, what: object) -> None:
        """Tell the person what somebody else has said."""
        self._person.say(self._words.of(what))

    async def _answer(self, key: str, /, usual: str = "", **places: object) -> str:
        return await self._person.answer(self._words.say(key, **places), usual)

    def _config(self) -> Config:
        return convert(self._raw, Config)

    def _table(self, name: str) -> Raw:
        table: Raw = self._raw.setdefault(name, {})
        return table

    async def yes(self, key: str, /, *, usual: bool, **places: object) -> bool:
        """A question that is answered by yes or no, in full or by the first letter."""
        yes, no = self._words.say("setup.yes"), self._words.say("setup.no")
        letters = {yes: True, yes[0]: True, no: False, no[0]: False}
        question = f"{self._words.say(key, **places)} ({yes[0]}/{no[0]})"
        while True:
            said = await self._person.answer(question, yes[0] if usual else no[0])
            if said.lower() in letters:
                return letters[said.lower()]
            self.say("setup.yes_or_no", yes=yes[0], no=no[0])

    async def _one_of(self, key: str, known: tuple[str, ...], usual: str) -> str:
        question = f"{self._words.say(key)} ({', '.join(known)})"
        while True:
            said = await self._person.answer(question, usual)
            if said in known:
                return said
            self.say("setup.none_of_these", said=said)

    @property
    def _none(self) -> str:
        """What is answered where a thing is not there."""
        return self._words.say("setup.none")

    def languages(self) -> None:
        """Every language by its name in itself, so that whoever reads none else finds his."""
        for code in language_codes():
            self.tell(f"{code:6}{load_language(code).name}")

    async def language(self, *, told: bool) -> None:
        """The language of the table, which is spoken from here on unless another was told."""
        usual = self._config().language
        chosen = await self._one_of("setup.language", language_codes(), usual)
        self._raw["language"] = chosen
        if not told:
            self._words = load_terminal_words(chosen)

    async def names(self) -> None:
        """Hall and table."""
        config = self._config()
        for key in ("hall", "table"):
            while True:
                said = await self._answer(f"setup.{key}", getattr(config, key))
                if re.fullmatch(SLUG, said):
                    break
                self.say("setup.slug", said=said)
            self._raw[key] = said

    async def game(self) -> None:
        """The rulebook of the table's usual match."""
        usual = self._config().match.rulebook
        named = load_setup_words(self._words.code).named
        for one in RULEBOOKS:
            self.tell(f"{one:8}{named(one)[0]}")
        book = await self._one_of("setup.game", tuple(RULEBOOKS), usual)
        if book != usual:
            # Formats and key layouts are those of a game.
            self._table("match").pop("format", None)
            if family_of(book) != family_of(usual):
                self._raw.pop("panel", None)
        self._table("match")["rulebook"] = book

    async def board(self) -> None:
        """Which board, and how its modules are mounted and follow each other."""
        table, usual = self._table("board"), self._config().board
        none = self._none
        names = (*layout_names(), none)
        name = await self._one_of("setup.board", names, usual.layout if usual.enabled else none)
        table["enabled"] = name != none
        if name == none or usual.chains:
            return
        table["layout"] = name
        try:
            await self._mounted(table)
            await self._in_order(table)
        except DriverError as error:
            self.say("setup.no_board", why=error.args[0])

    async def _mounted(self, table: Raw) -> None:
        usual = self._config().board.orientation
        for turn in (usual, *(one for one in TURNS if one != usual)):
            table["orientation"] = turn
            async with self._shown():
                if await self.yes("setup.upright", usual=True):
                    return
        self.say("setup.all_four")
        table["orientation"] = TURNS[0]

    async def _in_order(self, table: Raw) -> None:
        layout = load_layout(table["layout"])
        columns, rows = layout.width // BLOCK_PX, layout.height // BLOCK_PX
        natural = f"1-{columns * rows}"
        async with self._shown():
            while True:
                usual = self._config().board.blocks or natural
                read = await self._answer("setup.blocks", usual)
                try:
                    places_read(read, columns, rows)
                except WiringError as error:
                    self.tell(error.args[0])
                    continue
                break
        for key in ("blocks", "from_right", "from_bottom", "serpentine", "turned"):
            table.pop(key, None)
        if read != natural:
            table["blocks"] = read

    @contextlib.asynccontextmanager
    async def _shown(self) -> Any:
        """The blocks of the board numbered along their chain."""
        board = self._config().board
        layout = load_layout(board.layout)
        display = self._hardware.display(board)
        try:
            await display.show(numbered(layout.width, layout.height))
            yield
        finally:
            await display.close(blank=True)

    async def panel(self) -> None:
        """Which keys, and at which pin each is."""
        table, usual = self._table("panel"), self._config().panel
        family = family_of(self._config().match.rulebook)
        none = self._none
        known = (*sorted(path.stem for path in PANELS.glob(f"{family}-*.toml")), none)
        own = usual.layout if usual.layout in known else f"{family}-6"
        name = await self._one_of("setup.keys", known, own if usual.enabled else none)
        table["enabled"] = name != none
        if name == none:
            return
        if name != table.get("layout"):
            table.pop("pins", None)
        table["layout"] = name
        config = self._config()
        keymap = Keymap(panel_of(config.panel), notation_of(config.match.rulebook), name)
        wires = {key: wire for key, wire in keymap.wiring().items() if isinstance(wire, Contact)}
        if not wires:
            self.say("setup.crosspoints")
            return
        try:
            with watched(self._hardware.pins(), spi=config.board.enabled) as probes:
                learned = await self._pressed(keymap, wires, probes)
        except DriverError as error:
            self.say("setup.no_keys", why=error.args[0])
            return
        pins = table.get("pins", {}) | learned
        if pins:
            table["pins"] = pins

    async def _pressed(
        self, keymap: Keymap, wires: dict[str, Contact], probes: dict[int, Probe]
    ) -> dict[str, int]:
        """The pins of the keys that are not where the layout has them."""
        down = {pin for pin in probes if is_down(probes[pin])}
        for pin in sorted(down):
            self.say("setup.is_down", pin=place_of(pin))
        taken: dict[int, str] = {}
        learned: dict[str, int] = {}
        language = load_language(self._config().language)
        for key, wire in wires.items():
            label = language.label(keymap.label(key))
            self.say("setup.press", label=label, key=key, pin=place_of(wire.pin))
            listening = {pin: one for pin, one in probes.items() if pin not in down}
            found = await self._person.unless_answered(
                pressed_pin(listening, taken, lambda pin: self._is_of(taken[pin], pin))
            )
            if found is None:
                continue
            self.say("setup.found", label=label, pin=place_of(found))
            taken[found] = label
            if found != wire.pin:
                learned[key] = found
        return learned

    def _is_of(self, label: str, pin: int) -> None:
        self.say("setup.taken", label=label, pin=place_of(pin))

    async def broker(self) -> None:
        """Where the table tells the hall how it stands."""
        usual, none = self._config().broker, self._none
        own = f"{usual.host}:{usual.port}" if usual.port != USUAL_PORT else usual.host
        while True:
            said = await self._answer("setup.broker", own or none, none=none)
            if said == none:
                self._raw.pop("broker", None)
                return
            try:
                host, port = address(said)
            except ConfigError:
                self.say("setup.address", said=said, port=USUAL_PORT)
                continue
            if await self._hardware.reaches(host, port):
                self.say("setup.answers")
                break
            if await self.yes("setup.silent", usual=True):
                break
        table = self._table("broker")
        table["host"], table["port"] = host, port
        name = await self._answer("setup.user", usual.username or none, none=none)
        if name == none:
            table.pop("username", None)
            table.pop("password_file", None)
            return
        table["username"] = name
        secret = await self._person.answer(self._words.say("setup.password"), hidden=True)
        if secret:
            place = self._file.with_suffix(".password")
            put(place, f"{secret}\n", mode=0o640, like=self._file.parent)
            table["password_file"] = str(place)

    async def copies(self) -> None:
        """Whether a stick gets copies; where somebody has set another folder, that stays."""
        usual = self._config().backup.folder
        if usual not in ("", STICK):
            return
        if await self.yes("setup.copies", usual=bool(usual)):
            self._table("backup")["folder"] = STICK
        else:
            self._table("backup").pop("folder", None)
            if not self._raw["backup"]:
                del self._raw["backup"]
