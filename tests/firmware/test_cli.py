"""The command line as a person meets it."""

import io
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from drivers.errors import DeviceMissing
from firmware.cli import GROUPS, command_line, main
from firmware.demo.demo import MATCH
from firmware.journal.journal import Journal
from rules.scoreline import Scoreline


def test_a_sheet_is_replayed_to_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(MATCH)]) == 0
    assert capsys.readouterr().out == (
        "match:CA-16: Sameh Sidhom 40–39 Cha Myung-Jong · innings 13/13 · "
        "average 3.076/3.000 · high run 8/12\n"
    )


def test_json_is_the_scoreline_that_mqtt_carries(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["replay", "--json", str(MATCH)]) == 0
    out.seek(0)
    printed = out.buffer.read()
    line = msgspec.json.decode(printed, type=Scoreline)
    assert (line.schema, line.phase, line.score) == (1, "over", (40, 39))
    assert msgspec.json.encode(line) == printed.strip()


def test_a_sheet_that_does_not_hold_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "bug.sheet"
    sheet.write_text("id: bug\nrulebook: 3c\nfirst: A\n+1 OK\n-> score=2/0\n", "utf-8")
    assert main(["replay", str(sheet)]) == 1
    said = capsys.readouterr().err
    assert "bug: step 2: refused, nothing_to_confirm" in said
    assert "score=2/0 expected, 1/0 found" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rulebook: 3c\nfirst: A\n+1 HELLO\n", "bad.sheet, line 3: HELLO: carom has no such entry"),
        ("rulebook: 4c\n+1\n", "line 2: rulebook: 4c is unknown"),
        ("+1\n", "line 1: '+1': `rulebook:` comes before the first entry"),
        ("rulebook: 3c\nfirst: A\n-> score\n", "line 3: 'score' is no field=value"),
        ("rulebook: 3c\nformat: target=0/0\nfirst: A\n+1\n", "target is 1 or more"),
    ],
)
def test_a_sheet_that_cannot_be_read_names_place_and_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    sheet = tmp_path / "bad.sheet"
    sheet.write_text(text, "utf-8")
    assert main(["replay", str(sheet)]) == 1
    assert says in capsys.readouterr().err


def test_a_sheet_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.sheet")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_a_configuration_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tacada.toml"
    file.write_text("schema = 1\nlanguage = 'en'\nhall = 'clube'\ntable = '3'\n", "utf-8")
    assert main(["check-config", str(file)]) == 0
    out = capsys.readouterr().out
    assert "in order (table clube/3, ug)" in out
    assert "the event has not set clock_opts; unverified: of the penalty for a late" in out
    file.write_text("schema = 1\n[match]\nrulebook = 'ug'\nformat = 'clock_opts=off'\n", "utf-8")
    assert main(["check-config", str(file)]) == 0
    assert "has not set" not in capsys.readouterr().out
    file.write_text("schema = 1\nlanguage = 'po'\n", "utf-8")
    assert main(["check-config", str(file)]) == 1
    assert "language po: there are de, en, es, fr, it, nl, pt, pt-BR" in capsys.readouterr().err


def test_helpers_name_the_missing_device_and_the_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_pins() -> None:
        raise DeviceMissing("no pins: is it a Raspberry Pi?")

    # On a Pi there are some, and the command would wait for keys.
    monkeypatch.setattr("firmware.cli.tryout.pi_pins", no_pins)
    file = tmp_path / "tacada.toml"
    file.write_text("schema = 1\n[board]\nspi_port = 9\n", "utf-8")
    assert main(["test-pattern", "--config", str(file)]) == 1
    assert "spidev" in capsys.readouterr().err
    assert main(["keys", "--config", str(file)]) == 1
    assert capsys.readouterr().err == "tacada: no pins: is it a Raspberry Pi?\n"


def test_a_demo_of_no_length_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["demo", "--for", "0"])
    assert caught.value.code == 2
    assert "from 2 to 3600 seconds" in capsys.readouterr().err
    assert main(["demo", "--for", "2", "--broker", "x:y"]) == 1
    assert "HOST or HOST:PORT" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "ctl --hall clube/3 enter +1",
        "ctl --table # enter +1",
        "web --hall +",
        "web --name foyer/tv",
        "hall --hall Clube --terminal",
        "hall --show 3/4",
    ],
)
def test_a_name_that_would_be_another_topic_is_refused(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words.split())
    assert caught.value.code == 2
    assert "a name is of a-z, 0-9 and -" in capsys.readouterr().err


def test_a_maker_of_pads_gets_checks_and_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pad", "--check", "K pad1 5f3a.17 plus1 press 0 84"]) == 0
    assert capsys.readouterr().out == "K pad1 5f3a.17 plus1 press 0 84 E79A\n"
    assert main(["pad", "--check", "K pad1 ö"]) == 1
    assert "printable ASCII" in capsys.readouterr().err
    assert main(["pad", "--keys", "carom-4"]) == 0
    assert '    "plus1": (2, ADD),\n    "end": (3, HOLD),\n' in capsys.readouterr().out
    assert main(["pad", "--keys", "carom-5"]) == 1
    assert "did you mean carom-" in capsys.readouterr().err


def test_a_pad_needs_a_port_and_a_keyboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["pad", "--serial", "usb:ffff:ffff"]) == 1
    assert "is not plugged in" in capsys.readouterr().err
    assert main(["pad", "--link", str(tmp_path)]) == 1
    assert "cannot be made a port" in capsys.readouterr().err
    with Path("/dev/null").open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert main(["pad", "--link", str(tmp_path / "port")]) == 1
    assert "no terminal" in capsys.readouterr().err
    assert not (tmp_path / "port").is_symlink()


NAMES = [(group, name) for group in GROUPS for name in group[2].split()]


def test_every_command_is_known_by_its_name() -> None:
    """Who is not, is found all the same, but pays for the loading of all others."""
    usage = command_line().format_help()
    everything = usage.partition("COMMAND\n")[2]
    listed = re.findall(r"^    (\S+)", everything, re.MULTILINE)
    assert sorted(listed) == sorted(name for _, name in NAMES)


@pytest.mark.parametrize("name", [name for _, name in NAMES])
def test_a_command_alone_has_the_same_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for parser in (command_line(name), command_line()):
        with pytest.raises(SystemExit):
            parser.parse_args([name, "--help"])
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != ""


@pytest.mark.parametrize("command", ["matches", "stats"])
def test_a_list_loads_no_board_and_no_game(command: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    Journal.open(journal)[0].close()
    run = (
        "import sys; from firmware.cli import main\n"
        f"main([{command!r}, '--journal', {str(journal)!r}])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "firmware.journal.journal" in loaded
    heavy = (
        "asyncio",
        "drivers.matrix",
        "firmware.board.layout",
        "rules.snooker.game",
        "rules.pool.game",
    )
    assert not loaded & set(heavy)
