"""Every language says everything, and says so at load if it does not."""

from pathlib import Path

import pytest

from firmware.errors import ConfigError
from firmware.i18n import (
    CAUSES,
    CHOICES,
    KEYS,
    LANGUAGES,
    PICKS,
    language_codes,
    load_language,
    read_language,
    samples,
)
from firmware.snapshot import Tell
from rules.errors import BadSetup, Code
from rules.frame import Then
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sheet import read_sheets

SHEETS = Path(__file__).parents[1] / "sheets" / "carom.sheet"


@pytest.mark.parametrize("code", language_codes())
def test_every_code_end_choice_and_answer_has_its_words(code: str) -> None:
    language = load_language(code)
    keys = [
        *(f"refused.{each}" for each in Code),
        *(f"then.{each}" for each in Then),
        *(f"told.{each}" for each in Tell),
        *(f"cause.{each}" for each in CAUSES),
        *(f"choice.{each}" for each in CHOICES),
        *(f"pick.{each}" for each in PICKS),
    ]
    for key in [*keys, *KEYS]:
        assert language.say(key, **samples(key)).strip()
        assert "{" not in language.say(key, **samples(key))


def test_the_languages_are_portuguese_english_and_spanish() -> None:
    assert language_codes() == ("en", "es", "pt")
    assert load_language().code == "pt"


def test_whatever_ends_or_is_asked_in_three_cushions_has_a_word() -> None:
    causes, kinds, choices = set(), set(), set()
    for sheet in read_sheets(SHEETS.read_text("utf-8"), notation_of):
        if sheet.setup.rulebook not in RULEBOOKS:
            continue
        try:
            ledger = replay(sheet, rulebook_of).ledger
        except BadSetup:
            continue  # a format that no engine plays yet
        for node in ledger.line():
            match = node.match
            causes |= {match.ending.cause} if match.ending else set()
            kinds |= {match.option.kind} if match.option else set()
            choices |= set(match.option.choices) if match.option else set()
    assert causes <= set(CAUSES)
    assert kinds <= set(CHOICES)
    assert choices <= {*PICKS, "A", "B"}
    assert {"target", "equalised", "disciplinary", "shootout"} <= causes


def test_whatever_ends_or_is_asked_in_pool_has_a_word() -> None:
    causes, kinds, choices = set(), set(), set()
    for sheet in read_sheets((SHEETS.parent / "pool.sheet").read_text("utf-8"), notation_of):
        for node in replay(sheet, rulebook_of).ledger.line():
            match = node.match
            causes |= {match.ending.cause} if match.ending else set()
            kinds |= {match.option.kind} if match.option else set()
            choices |= set(match.option.choices) if match.option else set()
    assert causes <= set(CAUSES)
    assert kinds <= set(CHOICES)
    assert choices <= {*PICKS, "A", "B"}
    assert {"money_ball", "three_fouls", "eight_early", "target", "awarded"} <= causes
    assert {"push_out", "short_break", "opening_short", "first"} <= kinds


def test_a_code_that_no_language_has_is_shown_as_it_is() -> None:
    assert load_language().word_for("cause", "out_of_chalk") == ("out of chalk",)


def test_an_unknown_language_is_answered_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="there are en, es, pt, did you mean pt"):
        load_language("ptt")


def test_everything_wrong_with_a_file_is_told_at_once(tmp_path: Path) -> None:
    text = (LANGUAGES / "en.toml").read_text("utf-8")
    text = text.replace('title = "end"', 'titel = "end"').replace("over target\\nmax {n}", "{m}")
    text = text.replace('target = "target"', 'target = ""')
    path = tmp_path / "xx.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_language(path)
    told = "\n".join(caught.value.problems)
    assert "texts.over.title: is missing" in told
    assert "texts.over.titel: unknown, did you mean over.title?" in told
    assert "texts.refused.over_target: {m} is no place of it" in told
    assert "texts.cause.target: is empty" in told
