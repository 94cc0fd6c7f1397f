"""A configuration with faults: all of them are named at once, with the place and the mend."""

from pathlib import Path

import pytest

from firmware.config import DEFAULT_JOURNAL, load_config
from firmware.errors import ConfigError


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
        plus1 = "seventeen"
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
        "panel.pins.plus1 = 'seventeen': must be a whole number, got text",
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
        ("schema = 1\n[match]\nrulebook = 'snoker'", "unknown; there are 3c, ug"),
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
