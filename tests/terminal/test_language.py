"""Which language a command speaks, and that all it says is in that language."""

import argparse
import asyncio
from pathlib import Path

import pytest

from drivers.phrases import Phrase, joined, within
from firmware.cli import main
from firmware.doctor.doctor import examined
from firmware.doctor.findings import Examined, State
from firmware.i18n import language_codes
from firmware.terminal import language
from firmware.terminal.language import language_of, user_s
from firmware.terminal.words import Text, load_terminal_words, text
from tests.firmware.test_doctor_machine import CONFIG, Machine

CODES = language_codes()


def written(file: Path, content: str) -> Path:
    file.write_text(content, "utf-8")
    return file


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "de_AT.UTF-8@euro"}, "de"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "nl_BE.UTF-8"}, "nl"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "nl_BE", "LC_ALL": "it_IT"}, "it"),
        ({"LANG": "fr_FR", "LC_ALL": ""}, "fr"),
        ({"LANG": "C.UTF-8"}, None),
        ({"LANG": "ja_JP.UTF-8"}, None),
        ({}, None),
    ],
)
def test_the_user_s_language_is_that_of_the_environment(
    environment: dict[str, str], code: str | None
) -> None:
    assert user_s(environment) == code


def test_told_goes_before_the_table_s_and_that_before_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = written(tmp_path / "2.toml", 'schema = 1\nlanguage = "nl"\n')
    first = written(tmp_path / "1.toml", 'schema = 1\nlanguage = "it"\n')
    monkeypatch.setattr(language, "DEFAULT_FILE", first)
    monkeypatch.setenv("LC_MESSAGES", "fr_FR.UTF-8")
    assert language_of(argparse.Namespace(language="de", config=config)) == "de"
    assert language_of(argparse.Namespace(language=None, config=config)) == "nl"
    assert language_of(argparse.Namespace()) == "it", "the first table's, without one of its own"
    first.write_text('schema = 1\nhal = "x"\n[board]\ncontrast = 99\n', "utf-8")
    assert language_of(argparse.Namespace()) == "pt", "what a table speaks that is told nothing"
    for broken in ('language = "xx"\n', "language = 3\n", "language =\n"):
        first.write_text(broken, "utf-8")
        assert language_of(argparse.Namespace()) == "fr"
    first.unlink()
    assert language_of(argparse.Namespace()) == "fr"
    monkeypatch.setenv("LC_MESSAGES", "C")
    monkeypatch.delenv("LANG", raising=False)
    assert language_of(argparse.Namespace()) == "pt"


def test_a_phrase_is_said_with_all_that_is_in_it() -> None:
    why = joined("; ", [Phrase("pinless", "has no pin"), "x"])
    phrase = within("1.toml", within("panel", why))
    assert phrase == "1.toml: panel: has no pin; x"
    assert load_terminal_words("pt").of(phrase) == "1.toml: panel: não tem pino; x"
    cut = phrase.with_each(lambda part: part[:3])
    assert load_terminal_words("pt").of(cut) == "1.t: pan: não tem pino; x"
    edges = text("doctor.edges", n=2, ago=0.25)
    assert load_terminal_words("pt").of(edges) == "2 mudanças, a última há 0,2 s"
    assert load_terminal_words("en").of(edges) == "2 edges, the last 0.2 s ago"


BROKEN = """
schema = 2
hal = "clube"
[board]
contrast = 16
[match]
rulebook = "ugg"
[[pads]]
name = "P 1"
serial = "x"
"""
"""Read in two goes: a key that is unknown hides what each value means."""

WRONG = """
schema = 2
[match]
first = "C"
rulebook = "ugg"
[panel]
pins = { plu5 = 4, plus1 = "x" }
lock = "ok"
off = "ok"
[[pads]]
name = "p1"
serial = "x"
layout = "carom-5"
[broker]
password_file = "p"
ca_file = "c"
[signals]
heard = { pin = 1 }
[[board.light.schedule]]
at = "25:00"
contrast = 3
"""


@pytest.mark.parametrize("content", [BROKEN, WRONG])
def test_what_is_wrong_with_a_configuration_is_said_in_its_language(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same places in every language, and behind each of them other words."""

    def said(code: str) -> list[tuple[str, str]]:
        file = written(tmp_path / "1.toml", f'language = "{code}"\n{content}')
        assert main(["check-config", str(file)]) == 1
        lines = capsys.readouterr().err.splitlines()
        parts = [line.removeprefix(f"tacada: {file}: ").partition(": ") for line in lines]
        return [(key, words) for key, _, words in parts]

    english = said("en")
    assert len(english) > 2
    for code in (one for one in CODES if one != "en"):
        own = said(code)
        assert [key for key, _ in own] == [key for key, _ in english], code
        for (_, words), (_, in_english) in zip(own, english, strict=True):
            assert words != in_english, code


@pytest.mark.parametrize("code", [one for one in CODES if one != "en"])
def test_the_doctor_says_the_same_faults_in_every_language(code: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (tmp_path / "dev/spidev0.0").unlink()
    (tmp_path / "dev/gpiochip0").chmod(0o600)
    machine.write("boot/firmware/config.txt", "dtoverlay=w1-gpio,gpiopin=17\n")
    machine.write("proc/mounts", "/dev/a / ext4 rw 0 0\n/dev/b /var/lib/tacada ext4 ro 0 0\n")

    async def run() -> list[tuple[State, object, object]]:
        checks = ("groups", "nodes", "boot", "disk")
        on = Examined(CONFIG, root=tmp_path)
        return [(one.state, one.says, one.mend) async for _, one in examined(on, checks)]

    wrong = [(says, mend) for state, says, mend in asyncio.run(run()) if state is not State.OK]
    named = [says.key for says, _ in wrong if isinstance(says, Text)]
    assert named == [
        *("doctor.not_there", "doctor.wrong_group", "doctor.spi_off", "doctor.takes"),
        "doctor.read_only",
    ]
    own, english = load_terminal_words(code), load_terminal_words("en")
    for says, mend in wrong:
        assert own.of(says) != english.of(says)
        assert own.of(mend) != english.of(mend)
    (taken,) = (says for says, _ in wrong if isinstance(says, Text) and says.key == "doctor.takes")
    assert taken.places["use"] == text("doctor.key", label="+1")
    assert "GPIO17" in own.of(taken)
