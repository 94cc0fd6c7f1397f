"""`tacada setup`: asks a volunteer for what a table needs to know, and writes its configuration.

Board and keys are tried as they are asked for: the board shows its numbered blocks, and a key is
told by pressing it. What is not there is named and passed over; setup can be started again, and
asks then with what it wrote before. What it does not ask for stays as it was.
"""

import asyncio
import contextlib
import re
import tomllib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct, convert

from drivers.blocks import BLOCK_PX, places_read
from drivers.errors import DriverError, WiringError
from drivers.lines import PinFactory
from drivers.ports import Display
from drivers.probe import Probe
from drivers.wiring import SPI_PINS, Contact, place_of
from firmware.board.config import BoardConfig
from firmware.board.layout import layout_names, load_layout
from firmware.board.testpattern import numbered
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
from firmware.table.matches import unsaid
from firmware.toml_reader import SLUG
from rules.rulebooks import family_of, notation_of
from rules.rulebooks.shelf import RULEBOOKS

TURNS = (-90, 0, 90, 180)
"""How modules can be mounted, the usual way first."""

STICK = "/media/tacada"
"""Where `media-tacada.mount` has the stick for copies."""

LOOK_S = 0.02
"""How often the pins are looked at while a key is waited for."""


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


async def set_up(file: Path, person: Person, hardware: Hardware) -> bool:
    """Ask for everything, and write the file; whether it was written.

    Raises:
        ConfigError: the file that is there cannot be read, or the new one cannot be written.
        EOFError: nobody answers any more; nothing was written.
    """
    raw = _before(file)
    if raw:
        person.say(f"{file} is there: an empty answer leaves a thing as it is.")
    else:
        raw |= _of_its_own(file)
    raw["schema"] = 1
    guide = _Guide(raw, person, hardware, file)
    await guide.names()
    await guide.game()
    await guide.board()
    await guide.panel()
    await guide.broker()
    await guide.copies()
    text = as_toml(raw)
    person.say(f"\n{text}")
    if not await guide.yes(f"Write this to {file}?", usual=True):
        person.say("Nothing was written.")
        return False
    write(file, text)
    person.say(f"{file} is written and in order. Start the table: {_start(file)}")
    for told in unsaid(setup_of(load_config(file).match, ((1,), (2,)))):
        person.say(f"match.format: {told}")
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

    def __init__(self, raw: Raw, person: Person, hardware: Hardware, file: Path) -> None:
        self._raw, self._person, self._hardware, self._file = raw, person, hardware, file

    def _config(self) -> Config:
        return convert(self._raw, Config)

    def _table(self, name: str) -> Raw:
        table: Raw = self._raw.setdefault(name, {})
        return table

    async def yes(self, question: str, *, usual: bool) -> bool:
        """A question that is answered by yes or no."""
        letters = {"y": True, "yes": True, "n": False, "no": False}
        while True:
            said = await self._person.answer(f"{question} (y/n)", "y" if usual else "n")
            if said.lower() in letters:
                return letters[said.lower()]
            self._person.say("y or n, please.")

    async def _one_of(self, question: str, known: tuple[str, ...], usual: str) -> str:
        while True:
            said = await self._person.answer(f"{question} ({', '.join(known)})", usual)
            if said in known:
                return said
            self._person.say(f"{said} is none of these.")

    async def names(self) -> None:
        """Language, hall and table."""
        config, person = self._config(), self._person
        self._raw["language"] = await self._one_of(
            "Language of the board", language_codes(), config.language
        )
        for key, what in (("hall", "Name of the hall"), ("table", "Name of the table")):
            while True:
                said = await person.answer(f"{what}, as displays call it", getattr(config, key))
                if re.fullmatch(SLUG, said):
                    break
                person.say(f"{said}: letters a to z, digits and hyphens, no spaces.")
            self._raw[key] = said

    async def game(self) -> None:
        """The rulebook of the table's usual match."""
        usual = self._config().match.rulebook
        book = await self._one_of("Usual game", tuple(RULEBOOKS), usual)
        if book != usual:
            # Formats and key layouts are those of a game.
            self._table("match").pop("format", None)
            if family_of(book) != family_of(usual):
                self._raw.pop("panel", None)
        self._table("match")["rulebook"] = book

    async def board(self) -> None:
        """Which board, and how its modules are mounted and follow each other."""
        table, usual = self._table("board"), self._config().board
        names = (*layout_names(), "none")
        name = await self._one_of(
            "Board, columns by rows of LEDs", names, usual.layout if usual.enabled else "none"
        )
        table["enabled"] = name != "none"
        if name == "none" or usual.chains:
            return
        table["layout"] = name
        try:
            await self._mounted(table)
            await self._in_order(table)
        except DriverError as error:
            self._person.say(f"The board cannot be tried: {error}")

    async def _mounted(self, table: Raw) -> None:
        usual = self._config().board.orientation
        for turn in (usual, *(one for one in TURNS if one != usual)):
            table["orientation"] = turn
            async with self._shown():
                if await self.yes("Do the digits on the board stand upright?", usual=True):
                    return
        self._person.say("That were all four: left as is usual. Look at the wires.")
        table["orientation"] = TURNS[0]

    async def _in_order(self, table: Raw) -> None:
        layout = load_layout(table["layout"])
        columns, rows = layout.width // BLOCK_PX, layout.height // BLOCK_PX
        natural = f"1-{columns * rows}"
        async with self._shown():
            while True:
                read = await self._person.answer(
                    "Numbers on the board, row by row from the upper left, as 8-1 9-16; "
                    "a star behind those that are upside down",
                    self._config().board.blocks or natural,
                )
                try:
                    places_read(read, columns, rows)
                except WiringError as error:
                    self._person.say(str(error))
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
        known = (*sorted(path.stem for path in PANELS.glob(f"{family}-*.toml")), "none")
        own = usual.layout if usual.layout in known else f"{family}-6"
        name = await self._one_of("Keys", known, own if usual.enabled else "none")
        table["enabled"] = name != "none"
        if name == "none":
            return
        if name != table.get("layout"):
            table.pop("pins", None)
        table["layout"] = name
        config = self._config()
        keymap = Keymap(panel_of(config.panel), notation_of(config.match.rulebook), name)
        wires = {key: wire for key, wire in keymap.wiring().items() if isinstance(wire, Contact)}
        if not wires:
            self._person.say("Its keys are at crosspoints: rows and columns in docs/panels.md.")
            return
        try:
            with _watched(self._hardware.pins(), spi=config.board.enabled) as probes:
                learned = await self._pressed(keymap, wires, probes)
        except DriverError as error:
            self._person.say(f"Keys cannot be tried: {error}")
            return
        pins = table.get("pins", {}) | learned
        if pins:
            table["pins"] = pins

    async def _pressed(
        self, keymap: Keymap, wires: dict[str, Contact], probes: dict[int, Probe]
    ) -> dict[str, int]:
        """The pins of the keys that are not where the layout has them."""
        down = {pin for pin in probes if _active(probes[pin])}
        for pin in sorted(down):
            self._person.say(f"{place_of(pin)} is down all the time, and is not listened to.")
        taken: dict[int, str] = {}
        learned: dict[str, int] = {}
        language = load_language(self._config().language)
        for key, wire in wires.items():
            label = language.label(keymap.label(key))
            self._person.say(f"Press {label} ({key}); Enter leaves it at {place_of(wire.pin)}.")
            listening = {pin: one for pin, one in probes.items() if pin not in down}
            found = await self._person.unless_answered(_first(listening, taken, self._person))
            if found is None:
                continue
            self._person.say(f"{label} is at {place_of(found)}.")
            taken[found] = label
            if found != wire.pin:
                learned[key] = found
        return learned

    async def broker(self) -> None:
        """Where the table tells the hall how it stands."""
        usual, person = self._config().broker, self._person
        own = f"{usual.host}:{usual.port}" if usual.port != USUAL_PORT else usual.host
        while True:
            said = await person.answer(
                "Broker of the hall, HOST or HOST:PORT, or none", own or "none"
            )
            if said == "none":
                self._raw.pop("broker", None)
                return
            try:
                host, port = address(said)
            except ConfigError:
                person.say(f"{said}: a name or an address, with :PORT if it is not {USUAL_PORT}.")
                continue
            if await self._hardware.reaches(host, port):
                person.say("It answers.")
                break
            if await self.yes("It does not answer. Take it all the same?", usual=True):
                break
        table = self._table("broker")
        table["host"], table["port"] = host, port
        name = await person.answer("User name there, or none", usual.username or "none")
        if name == "none":
            table.pop("username", None)
            table.pop("password_file", None)
            return
        table["username"] = name
        secret = await person.answer("Password, or Enter for the one there is", hidden=True)
        if secret:
            place = self._file.with_suffix(".password")
            put(place, f"{secret}\n", mode=0o640, like=self._file.parent)
            table["password_file"] = str(place)

    async def copies(self) -> None:
        """Whether a stick gets copies; where somebody has set another folder, that stays."""
        usual = self._config().backup.folder
        if usual not in ("", STICK):
            return
        question = "Copies on a USB stick that is named TACADA?"
        if await self.yes(question, usual=bool(usual)):
            self._table("backup")["folder"] = STICK
        else:
            self._table("backup").pop("folder", None)
            if not self._raw["backup"]:
                del self._raw["backup"]


def _active(probe: Probe) -> bool:
    return any(line.active and not line.floating for line in probe.found().values())


async def _first(probes: dict[int, Probe], taken: dict[int, str], person: Person) -> int:
    """The pin of the key that is pressed and let go, which no other key has."""
    held: int | None = None
    while True:
        await asyncio.sleep(LOOK_S)
        active = [pin for pin, probe in probes.items() if _active(probe)]
        if held is None:
            held = next(iter(active), None)
        elif held not in active:
            if held not in taken:
                return held
            person.say(f"That is {taken[held]}, at {place_of(held)}.")
            held = None


@contextlib.contextmanager
def _watched(factory: PinFactory, *, spi: bool) -> Iterator[dict[int, Probe]]:
    """Every pin that can be a key's, and is nobody else's.

    Raises:
        DriverError: none can be had.
    """
    probes: dict[int, Probe] = {}
    refused: DriverError | None = None
    try:
        for pin in range(2, 28):
            if spi and pin in SPI_PINS:
                continue
            try:
                probes[pin] = Probe({str(pin): Contact(pin)}, factory)
            except DriverError as error:
                refused = error
        if refused is not None and not probes:
            raise refused
        yield probes
    finally:
        for probe in probes.values():
            probe.close()
