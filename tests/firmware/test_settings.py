"""A configuration with faults: all of them are named at once, with the place and the mend."""

import re
from pathlib import Path

import pytest

from drivers.gestures import KeyMode
from drivers.wiring import Contact, Crosspoint
from firmware.config.config import panel_of
from firmware.config.file import load_config
from firmware.config.places import DEFAULT_JOURNAL
from firmware.errors import ConfigError
from firmware.keys.keybook import PANELS, KeyBook
from firmware.keys.keymap import Keymap
from rules.carom.words import NOTATION


def problems(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "tacada.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert all(problem.startswith(f"{file}: ") for problem in caught.value.problems)
    return [problem.removeprefix(f"{file}: ") for problem in caught.value.problems]


def test_an_empty_table_is_a_table(tmp_path: Path) -> None:
    file = tmp_path / "tacada.toml"
    file.write_text("schema = 1\n", "utf-8")
    config = load_config(file)
    assert (config.hall, config.table, config.journal) == ("hall", "1", DEFAULT_JOURNAL)


def test_all_faults_of_form_at_once(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        """
        schema = 1
        hal = "north"
        table = "A B"
        [match]
        rulebok = "3c"
        [panel.pins]
        plus1 = 17.5
        [board]
        contrast = 16
        [broker]
        port = 99999
        """,
    )
    assert found == [
        "hal: unknown, did you mean hall?",
        "table = 'A B': must be text of a-z, 0-9 and -",
        "match.rulebok: unknown, did you mean rulebook?",
        "panel.pins.plus1 = 17.5: must be a whole number or text, got a number",
        "board.contrast = 16: must be a whole number <= 15",
        "broker.port = 99999: must be a whole number <= 65535",
    ]


def test_all_faults_of_sense_at_once(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        """
        schema = 2
        [match]
        rulebook = "ug"
        format = "traget=30/20"
        first = "C"
        [panel.pins]
        plus1 = 9
        ende = 5
        end = 24
        [broker]
        password_file = "/etc/secret"
        ca_file = "/etc/ca.pem"
        """,
    )
    assert found == [
        "schema = 2: this firmware reads schema 1",
        'match.first = \'C\': must be "A", "B" or nothing',
        "match.format = 'traget=30/20': format: traget=30/20: no such field; did you mean target?",
        "panel.pins.ende: no such key, did you mean end?",
        "panel: plus1: GPIO9 belongs to the display (SPI uses GPIO7 to GPIO11)",
        "panel: ok: GPIO24 is the pin of end already",
        "broker.username: is missing beside password_file",
        "broker.ca_file: has no use without tls = true",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("schema = ", "Invalid value"),
        ("schema = 1\n[match]\nrulebook = 'snoker'", "unknown; there are sr, 472"),
        ("schema = 1\n[panel]\nlayout = 'carom-7'", "did you mean carom-6?"),
        ("schema = 1\nmatch = 3", "match: must be a table"),
        ("hall = 'x'", "schema: is missing"),
        ("schema = 1\n[match]\na = []", "each side needs a player"),
    ],
)
def test_one_fault(tmp_path: Path, text: str, says: str) -> None:
    (found,) = problems(tmp_path, text)
    assert says in found


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="is a folder"):
        load_config(tmp_path)


def test_pins_have_names(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("schema = 1\n[panel.pins]\nok = 'GPIO16'\nundo = 'J8:40'\n", "utf-8")
    wiring = Keymap(panel_of(load_config(file).panel), NOTATION).wiring()
    assert wiring["ok"] == Contact(16, KeyMode.PRESS_OR_HOLD)
    assert wiring["undo"] == Contact(21, KeyMode.PRESS_OR_HOLD)


def test_a_keypad_has_the_keys_of_the_layout_row_by_row(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        """
        schema = 1
        [panel]
        layout = "carom-12"
        rows = [5, 6, 13, 19]
        columns = [12, 16, 20, "GPIO21"]
        pins = { undo = 4 }
        """,
        "utf-8",
    )
    wiring = Keymap(panel_of(load_config(file).panel), NOTATION).wiring()
    assert wiring["plus1"] == Crosspoint(5, 12)
    assert wiring["foul"] == Crosspoint(6, 12, KeyMode.PRESS_OR_HOLD)
    assert wiring["undo"] == Contact(4, KeyMode.PRESS_OR_HOLD), (
        "a key may have a pin of its own beside it"
    )
    assert wiring["menu"] == Crosspoint(13, 20)


@pytest.mark.parametrize(
    ("panel", "words"),
    [
        ("pins = { ok = 'J8:1' }", "panel: ok: J8:1: header pin 1 is 3.3 V"),
        ("pins = { ok = 'seven' }", "panel: ok: 'seven' is no pin, which looks like 17, GPIO17"),
        ("pins = { ok = 'J8:41' }", "header pin 41 is not there"),
        ("rows = [5, 6]\ncolumns = [12, 16]", "2 rows and 2 columns are 4 keys; the layout has 6"),
        ("rows = [5, 6, 7]\ncolumns = [12, 16]", "GPIO7 belongs to the display"),
        ("rows = [5, 6, 12]\ncolumns = [12, 16]", "GPIO12 is a column of"),
    ],
)
def test_pins_that_cannot_be_are_named(tmp_path: Path, panel: str, words: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"schema = 1\n[panel]\n{panel}\n", "utf-8")
    with pytest.raises(ConfigError, match=re.escape(words)):
        load_config(file)


@pytest.mark.parametrize(
    ("pads", "words"),
    [
        ("[[pads]]\nname = 'P 1'\nserial = '/dev/x'", "pads.1.name = 'P 1': must be text of a-z"),
        ("[[pads]]\nname = \"p1\\n\"\nserial = '/dev/x'", "must be text of a-z"),
        ('hall = "clube\\n"', "must be text of a-z"),
        ('hall = "displays"', "hall = 'displays': this is where displays say"),
        ("[[pads]]\nname = 'p1'", "pads.1.serial: is missing"),
        ("[[pads]]\nname = 'p1'\nserial = 'ttyUSB0'", "must be a path or usb:0403:6001"),
        ("[[pads]]\nname = 'panel'\nserial = '/x'", "pads.1.name = 'panel': is taken"),
        (
            "[[pads]]\nname = 'p'\nserial = '/x'\n[[pads]]\nname = 'p'\nserial = '/x'\nbaud = 9600",
            "pads.2.baud = 9600: another pad of /x has 115200",
        ),
        ("[[pads]]\nname = 'p'\nserial = '/x'\nlayout = 'carom-7'", "did you mean carom-"),
        ("[[pads]]\nname = 'p'\nserial = '/x'\nrole = 'boss'", "pads.1.role = 'boss'"),
        ("pads = 3", "pads = 3: must be a list"),
    ],
)
def test_pads_that_cannot_be_are_named(tmp_path: Path, pads: str, words: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"schema = 1\n{pads}\n", "utf-8")
    with pytest.raises(ConfigError, match=re.escape(words)):
        load_config(file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[signals.heard]\npin = 17", "signals.heard.pin = 17: is the pin of key plus1 already"),
        (
            "[signals]\nheard = { pin = 20 }\ntime = { pin = 'J8:38' }",
            "is the pin of heard already",
        ),
        ("[signals.buzzer]\npin = 10", "signals.buzzer.pin = 10: belongs to the display"),
        ("[signals.buzzer]\npin = 'J8:1'", "signals.buzzer.pin: J8:1: header pin 1 is 3.3 V"),
        ("[signals.horn]\npin = 20", "signals.horn: unknown"),
        ("[[keypads]]\nname = 'k'\ndevice = 'event0'", "keypads.1.device = 'event0'"),
        ("[[keypads]]\nname = 'mqtt'\ndevice = '/x'", "keypads.1.name = 'mqtt': is taken"),
        (
            "[[keypads]]\nname = 'k'\ndevice = '/x'\ncodes = { ok = 'enter', okk = '1' }",
            "keypads.1.codes.okk: no such key, did you mean ok?",
        ),
        (
            "[[keypads]]\nname = 'k'\ndevice = '/x'\ncodes = { ok = 'entr' }",
            "keypads.1.codes.ok: 'entr' is no key of a number pad",
        ),
        (
            "[[keypads]]\nname = 'k'\ndevice = '/x'\ncodes = { ok = 'enter' }",
            "keypads.1.codes.ok: enter is end already",
        ),
    ],
)
def test_lamps_and_keypads_that_cannot_be_are_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"schema = 1\n{text}\n", "utf-8")
    with pytest.raises(ConfigError, match=re.escape(words)):
        load_config(file)


@pytest.mark.parametrize("layout", sorted(path.stem for path in PANELS.glob("carom-*.toml")))
def test_every_layout_has_its_place_on_a_number_pad(tmp_path: Path, layout: str) -> None:
    file = tmp_path / "table.toml"
    keypad = f"name = 'numpad'\ndevice = 'usb:04d9:1203'\nlayout = '{layout}'"
    file.write_text(f"schema = 1\n[[keypads]]\n{keypad}\n", "utf-8")
    load_config(file)


def test_a_name_that_no_disk_can_have_is_refused(tmp_path: Path) -> None:
    long = "x" * 300
    found = problems(tmp_path, f'schema = 1\njournal = "a\\u0000"\n[panel]\nlayout = "{long}"\n')
    assert found == ["journal = 'a\\x00': must be text without a zero byte"]
    found = problems(tmp_path, f'schema = 1\n[panel]\nlayout = "{long}/{long}"\n')
    assert len(found) == 1
    assert found[0].endswith("File name too long")


def test_numbers_and_nesting_without_end_are_refused(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, f"schema = {'9' * 5000}\n")
    assert "4300 digits" in found
    (found,) = problems(tmp_path, f"schema = {'[' * 3000}\n")
    assert found == "lists or tables are nested too deeply"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '[panel]\nlayout = "snooker-16"',
            "panel.layout: snooker-16 is for snooker, and ug is carom",
        ),
        ('[panel]\ngames = { snooker = "pool-6" }', "panel.games.snooker: pool-6 is for pool"),
        ('[panel]\ngames = { carom = "carom-16" }', "panel.layout is the one for carom"),
        ('[[pads]]\nname = "p"\nserial = "/x"\nlayout = "pool-4"', "pads.1.layout: pool-4 is for"),
        ('[[keypads]]\nname = "k"\ndevice = "/x"\nlayout = "pool-16"', "take carom-16, or another"),
        ('[phone]\nlayout = "carom-7"', "phone.layout: carom-7 does not come with the firmware"),
        ('[phone]\nlayout = "snooker-totals-6"', "take carom-6, or another rulebook"),
    ],
)
def test_a_layout_for_another_game_is_one_fault_with_its_mend(
    tmp_path: Path, text: str, says: str
) -> None:
    """Who takes sixteen keys for snooker and forgets the rulebook is not told of every key."""
    (found,) = problems(tmp_path, f"schema = 1\n{text}\n")
    assert says in found


def test_layouts_for_other_games_act_once_their_game_is_played(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('schema = 1\n[panel]\ngames = { snooker = "snooker-totals-6" }\n', "utf-8")
    panel = load_config(file).panel
    book = KeyBook(panel_of(panel), panel.layout, "ug", panel.games)
    assert book.keymap("cbbs").layout.name == "snooker-totals-6"
    assert book.keymap("wpa9").layout.name == "pool-6"
