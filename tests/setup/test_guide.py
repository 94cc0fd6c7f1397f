"""`tacada setup`: a volunteer at a real pseudo-terminal, with a board and keys that are mocked."""

import asyncio
import io
import os
import pty
import select
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.errors import DeviceMissing
from drivers.fakes import KeptDisplay
from drivers.ports import Display
from firmware.board.config import BoardConfig
from firmware.board.layout import load_layout
from firmware.board.testpattern import numbered
from firmware.cli.answers import AtTerminal
from firmware.cli.guide import Hardware, set_up
from firmware.config.file import load_config
from firmware.errors import ConfigError


@dataclass
class Volunteer:
    """Reads what setup asks, and types."""

    far: int
    pins: MockFactory = field(default_factory=MockFactory)
    boards: list[tuple[BoardConfig, KeptDisplay]] = field(default_factory=list)
    read: str = ""
    _done: int = 0

    def until(self, text: str) -> None:
        while text not in self.read[self._done :]:
            ready, _, _ = select.select([self.far], [], [], 20)
            assert ready, f"{text!r} was not asked; there is {self.read[self._done :]!r}"
            self.read += os.read(self.far, 4096).decode()
        self._done = self.read.index(text, self._done) + len(text)

    def types(self, *asked_and_said: tuple[str, str]) -> None:
        for asked, said in asked_and_said:
            self.until(asked)
            os.write(self.far, f"{said}\n".encode())

    def presses(self, *asked_and_pin: tuple[str, int]) -> None:
        for asked, pin in asked_and_pin:
            self.until(asked)
            self.pins.pin(pin).drive_low()
            threading.Event().wait(0.1)
            self.pins.pin(pin).drive_high()

    def display(self, board: BoardConfig) -> Display:
        layout = load_layout(board.layout)
        shown = KeptDisplay(layout.width, layout.height)
        self.boards.append((board, shown))
        return shown


@pytest.fixture
def terminal() -> Iterator[tuple[Volunteer, TextIO]]:
    far, near = pty.openpty()
    with io.TextIOWrapper(io.FileIO(near, "r+"), encoding="utf-8", write_through=True) as stream:
        yield Volunteer(far), stream
    os.close(far)


def guided(
    file: Path,
    terminal: tuple[Volunteer, TextIO],
    types: Callable[[Volunteer], None],
    *,
    there: bool = True,
    language: str | None = "en",
) -> bool:
    """Whether setup wrote the file; it speaks English, whatever the table does."""
    volunteer, stream = terminal

    def missing(*_: object) -> Display:
        raise DeviceMissing("/dev/spidev0.0: there is none: dtparam=spi=on")

    async def nobody(host: str, port: int) -> bool:
        del port
        return host == "broker.local"

    async def run() -> bool:
        person = AtTerminal(stream, stream)
        hardware = Hardware(
            volunteer.display if there else missing,
            (lambda: volunteer.pins) if there else missing,
            nobody,
        )
        async with asyncio.timeout(60):
            return await set_up(file, person, hardware, language=language, usual="pt")

    typing = threading.Thread(target=types, args=(volunteer,), daemon=True)
    typing.start()
    try:
        return asyncio.run(run())
    finally:
        typing.join(20)
        assert not typing.is_alive()


def test_a_table_from_nothing(tmp_path: Path, terminal: tuple[Volunteer, TextIO]) -> None:
    """A board that hangs back to front, and two keys that are wired elsewhere."""
    file = tmp_path / "1.toml"

    def types(one: Volunteer) -> None:
        one.types(
            ("Language", "xx"),
            ("xx is none of these", "pt"),
            ("hall", "clube"),
            ("table", "Mesa 3"),
            ("no spaces", "mesa-3"),
            ("game", "ug"),
            ("Board", "32x8"),
            ("upright", "n"),
            ("upright", "y"),
            ("row by row", "1-3"),
            ("the numbers 1 to 4", "4-1"),
            ("Keys", "carom-6"),
        )
        one.presses(("Press +1", 5), ("Press +5", 5), ("That is +1", 27))
        one.types(("Press FIM", ""), ("Press FALTA", ""), ("Press OK", ""))
        one.presses(("Press ANULAR", 16))
        one.types(
            ("Broker", "nowhere:99999"),
            ("a name or an address", "broker.local"),
            ("User name", "mesa3"),
            ("Password", 'se"cret'),
            ("USB stick", "y"),
            ("Write this", "y"),
        )
        one.until("sudo systemctl restart tacada@1\r\n")

    assert guided(file, terminal, types)
    config = load_config(file)
    assert (config.hall, config.table, config.language) == ("clube", "mesa-3", "pt")
    assert (config.board.layout, config.board.orientation) == ("32x8", 0)
    assert config.board.blocks == "4-1"
    assert config.panel.pins == {"plus1": 5, "undo": 16}
    assert config.broker.host == "broker.local"
    boards = terminal[0].boards
    assert [board.orientation for board, _ in boards] == [-90, 0, 0]
    assert all(shown.pictures[0] == numbered(32, 8) for _, shown in boards)
    assert config.backup.folder == "/media/tacada"
    secret = tmp_path / "1.password"
    assert config.broker.password_file == str(secret)
    assert secret.read_text("utf-8") == 'se"cret\n'
    assert secret.stat().st_mode & 0o777 == 0o640
    assert "cret" not in terminal[0].read, "what is typed as a password is never shown"
    assert "cret" not in file.read_text("utf-8")


def test_what_is_not_there_is_named_and_passed_over(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    file = tmp_path / "1.toml"

    def types(one: Volunteer) -> None:
        one.types(*[(asked, "") for asked in ("Language", "hall", "table", "game", "Board")])
        one.until("The board cannot be tried: /dev/spidev0.0")
        one.types(("Keys", ""))
        one.until("Keys cannot be tried")
        one.types(("Broker", "far.away"), ("Take it all the same?", "y"), ("User name", ""))
        one.types(("USB stick", ""), ("Write this", ""))

    assert guided(file, terminal, types, there=False)
    config = load_config(file)
    assert config.broker.host == "far.away"
    assert config.panel.layout == "carom-6"


def test_what_it_does_not_ask_for_stays_and_the_file_before_too(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    file = tmp_path / "1.toml"
    text = (
        'schema = 1\nhall = "clube"\nclub = "O \\"Clube\\""\n'
        '[match]\nrulebook = "ug"\nformat = "target=30/25"\na = ["Ana", "Bia"]\n'
        "[signals]\nheard = { pin = 12 }\n"
        '[[pads]]\nname = "pad1"\nserial = "usb:0403:6001"\n'
        '[[pads]]\nname = "pad2"\nserial = "usb:0403:6001"\nrole = "open"\n'
        "[board.light]\n"
    )
    file.write_text(text, "utf-8")
    before = load_config(file)

    def types(one: Volunteer) -> None:
        one.types(*[(asked, "") for asked in ("Language", "hall", "table")])
        one.types(("game", "uk"), ("Board", "none"), ("Keys", "none"), ("Broker", "none"))
        one.types(("USB stick", "n"), ("Write this", "y"))

    assert guided(file, terminal, types)
    after = load_config(file)
    assert (after.club, after.signals, after.pads) == (before.club, before.signals, before.pads)
    assert (after.match.rulebook, after.match.a, after.match.format) == ("uk", ("Ana", "Bia"), "")
    assert not after.board.enabled
    assert not after.panel.enabled
    assert (tmp_path / "1.toml.before").read_text("utf-8") == text


def test_a_second_table_on_this_machine_has_a_name_and_a_journal_of_its_own(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    file = tmp_path / "2.toml"

    def types(one: Volunteer) -> None:
        one.types(*[(asked, "") for asked in ("Language", "hall", "displays call it [2]", "game")])
        one.types(("Board", "none"), ("Keys", "none"), ("Broker", ""), ("USB stick", ""))
        one.types(("Write this", "y"))
        one.until("sudo systemctl restart tacada@2\r\n")

    assert guided(file, terminal, types)
    config = load_config(file)
    assert (config.table, config.journal) == ("2", "/var/lib/tacada/2/journal.db")


def test_a_folder_for_copies_that_is_none_of_a_stick_s_is_not_asked_for(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    file = tmp_path / "1.toml"
    file.write_text('schema = 1\n[backup]\nfolder = "/mnt/nas"\nkeep = 3\n', "utf-8")

    def types(one: Volunteer) -> None:
        one.types(*[(asked, "") for asked in ("Language", "hall", "table", "game")])
        one.types(("Board", "none"), ("Keys", "none"), ("Broker", ""), ("Write this", "y"))

    assert guided(file, terminal, types)
    assert (load_config(file).backup.folder, load_config(file).backup.keep) == ("/mnt/nas", 3)


def test_a_no_at_the_end_changes_nothing(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    file = tmp_path / "1.toml"

    def types(one: Volunteer) -> None:
        one.types(*[(asked, "") for asked in ("Language", "hall", "table", "game")])
        one.types(("Board", "none"), ("Keys", "none"), ("Broker", ""))
        one.types(("USB stick", ""), ("Write this", "perhaps"))
        one.types(("y or n", "n"))

    assert not guided(file, terminal, types)
    assert list(tmp_path.iterdir()) == []


def test_what_would_not_be_in_order_is_not_written(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    """A lamp has the pin that a key is found at."""
    file = tmp_path / "1.toml"
    text = "schema = 1\n[signals]\nheard = { pin = 12 }\n[board]\nenabled = false\n"
    file.write_text(text, "utf-8")

    def types(one: Volunteer) -> None:
        one.types(
            *[(asked, "") for asked in ("Language", "hall", "table", "game", "Board", "Keys")]
        )
        one.presses(("Press +1", 12))
        one.types(*[(f"Press {key}", "") for key in ("+5", "FIM", "FALTA", "OK", "ANULAR")])
        one.types(("Broker", ""), ("USB stick", ""), ("Write this", "y"))

    with pytest.raises(ConfigError, match=r"1\.toml: signals\.heard\.pin = 12: is the pin of"):
        guided(file, terminal, types)
    assert file.read_text("utf-8") == text
    assert [one.name for one in tmp_path.iterdir()] == ["1.toml"]


def test_setup_speaks_the_language_that_is_chosen_first(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    """It begins in the user's, with every language by its own name."""
    file = tmp_path / "1.toml"

    def types(one: Volunteer) -> None:
        one.until("Nederlands")
        one.types(("Língua da mesa", "klingon"), ("não é nenhum destes", "nl"))
        one.types(("Naam van de zaal", "clube"), ("Naam van de tafel", "Tafel"))
        one.types(("geen spaties", "1"))
        one.until("driebanden KNBB")
        one.types(("Gewoon spel", ""), ("Bord", "zonder"), ("Toetsen", "zonder"))
        one.types(("Broker", "zonder"), ("USB-stick", "misschien"), ("j of n", "ja"))
        one.types(("schrijven?", "j"))
        one.until("Start de tafel: sudo systemctl restart tacada@1")

    assert guided(file, terminal, types, language=None)
    config = load_config(file)
    assert (config.language, config.hall, config.board.enabled) == ("nl", "clube", False)
    assert config.backup.folder == "/media/tacada"


def test_setup_of_a_table_that_is_there_speaks_its_language(
    tmp_path: Path, terminal: tuple[Volunteer, TextIO]
) -> None:
    file = tmp_path / "1.toml"
    file.write_text('schema = 1\nlanguage = "de"\n', "utf-8")

    def types(one: Volunteer) -> None:
        one.until("gibt es schon")
        one.types(("Sprache des Tisches", ""))
        one.until("Name des Saals")
        os.write(one.far, termios.tcgetattr(one.far)[6][termios.VEOF])
        one.until("niemand antwortet; es wurde nichts geschrieben")

    assert not guided(file, terminal, types, language=None)
    assert file.read_text("utf-8") == 'schema = 1\nlanguage = "de"\n'


def test_the_command_in_a_terminal_without_any_hardware(tmp_path: Path) -> None:
    """As a volunteer would on a laptop; Ctrl-D ends it, and nothing was written."""
    far, near = pty.openpty()
    command = [sys.executable, "-m", "firmware.cli", "setup", "--config", str(tmp_path / "1.toml")]
    run = "import sys; from firmware.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", run, *command[3:]]
    process = subprocess.Popen(command, stdin=near, stdout=near, stderr=near)
    os.close(near)
    try:
        one = Volunteer(far)
        one.types(("Language", "en"), ("hall", "clube"))
        one.until("table")
        os.write(far, termios.tcgetattr(far)[6][termios.VEOF])
        one.until("nobody answers; nothing was written")
        assert process.wait(20) == 1
    finally:
        process.kill()
        process.wait()
        os.close(far)
    assert list(tmp_path.iterdir()) == []
