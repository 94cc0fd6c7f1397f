"""What commands say: each language says everything, and nothing that no command says."""

import ast
import shutil
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import toml

from firmware.cli import main
from firmware.i18n import language_codes
from firmware.terminal import words as terminal_words
from firmware.terminal.words import FOLDER, load_terminal_words, terminal_languages
from rules.rulebook import UNVERIFIED
from rules.rulebooks.shelf import RULEBOOKS

ROOT = Path(__file__).parents[2]
CODE = [file for folder in ("drivers", "firmware") for file in (ROOT / folder).rglob("*.py")]
OTHERS = [code for code in language_codes() if code != "en"]

SAME = {
    # Made of names and signs alone.
    "doctor.at",
    "doctor.broker",
    "doctor.line",
}
"""What may read as in English in any language."""

ALIKE = {
    "es": {"setup.no", "doctor.radio", "line.sets"},
    "fr": {
        *("doctor.copies", "doctor.radio", "doctor.table", "doctor.versions"),
        *("line.frames", "line.sets"),
    },
    "it": {"setup.no", "doctor.radio"},
    "nl": {
        *("doctor.bits", "doctor.is", "doctor.lamp", "club.is"),
        *("line.frames", "line.racks", "line.sets"),
    },
    "pt": {"line.sets"},
    "pt-BR": {"line.sets"},
}
"""Words that a language shares with English."""


def texts(code: str) -> dict[str, str]:
    tables = toml.decode((FOLDER / f"{code}.toml").read_bytes(), type=dict[str, dict[str, str]])
    return {f"{table}.{key}": text for table, all_ in tables.items() for key, text in all_.items()}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call of a function or method of this name, and where it stands."""
    for file in CODE:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func
                known = called.attr if isinstance(called, ast.Attribute) else None
                if name in (known, getattr(called, "id", None)):
                    yield f"{file.name}:{node.lineno}", node


def phrases() -> dict[str, str]:
    """What drivers and readers of files say of themselves, by code, as the English stands there."""
    found: dict[str, str] = {}
    for where, call in calls("Phrase"):
        if not isinstance(call.args[0], ast.Constant) or not call.args[0].value:
            continue  # made of places and signs alone, or of another one
        code, english = (ast.literal_eval(one) for one in call.args[:2])
        assert found.setdefault(code, english) == english, f"{where}: {code} says two things"
        given = {one.arg for one in call.keywords}
        assert None in given or given == places(english), f"{where}: {given} for {english!r}"
    return found


def test_there_are_as_many_languages_as_of_the_board() -> None:
    assert terminal_languages() == language_codes()


@pytest.mark.parametrize("code", OTHERS)
def test_each_language_says_everything_with_the_same_places(code: str) -> None:
    english, own = texts("en"), texts(code)
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert places(text) == places(english[key]), key
        assert text.strip(), key


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_left_in_english(code: str) -> None:
    english, own = texts("en"), texts(code)
    alike = {
        key for key, text in own.items() if text == english[key] and any(map(str.isalpha, text))
    }
    assert alike - SAME == ALIKE.get(code, set())


def test_an_error_says_in_the_catalogue_what_it_says_in_a_log() -> None:
    english = {key: text for key, text in texts("en").items() if key.startswith("errors.")}
    said = phrases() | left_open()
    assert english == {f"errors.{code}": text for code, text in said.items()}


def left_open() -> dict[str, str]:
    """Why a parameter of a rulebook has no value that could be relied on, as rulebooks have it."""
    found: dict[str, str] = {}
    for book in RULEBOOKS.values():
        for name, why in book.cites.items():
            if why.startswith(UNVERIFIED) and name not in book.unverified:
                assert found.setdefault(f"open_{name}", why) == why, name
    return found


def test_no_text_is_without_use_and_none_is_missing() -> None:
    """A name is written out where it is used, or is one of two in a condition."""
    named = {
        node.value
        for file in CODE
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    tables = {key.partition(".")[0] for key in texts("en")} - {"errors"}
    used = {one for one in named if one.partition(".")[0] in tables and one.count(".") == 1}
    made = {
        *(f"doctor.{state}" for state in ("ok", "look", "fault")),
        *(f"doctor.pull_{pull}" for pull in ("up", "down")),
        *(f"setup.{key}" for key in ("hall", "table")),
    }
    english = {key for key in texts("en") if not key.startswith("errors.")}
    assert english - used - made == set()
    assert {one for one in used if " " not in one and not one.endswith((".", "_"))} <= english


@pytest.mark.parametrize("command", ["doctor", "setup"])
@pytest.mark.parametrize("broken", [None, "[setup", "setup = 1"])
def test_a_command_whose_words_cannot_be_read_says_so_at_its_start(
    command: str,
    broken: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, words = tmp_path / "1.toml", tmp_path / "words"
    file.write_text("schema = 1\n", "utf-8")
    words.mkdir()
    shutil.copy(FOLDER / "en.toml", words)
    if broken is not None:
        (words / "nl.toml").write_text(broken, "utf-8")
    monkeypatch.setattr(terminal_words, "FOLDER", words)
    load_terminal_words.cache_clear()
    assert main([command, "--config", str(file), "--language", "nl"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert ("language nl" if broken is None else str(words / "nl.toml")) in said.err
    load_terminal_words.cache_clear()
