"""Every language says everything, and says so at load if it does not."""

import re
import tomllib
from pathlib import Path

import pytest

from firmware.board.fields import games
from firmware.board.fonts import load_font
from firmware.cli import main
from firmware.errors import ConfigError
from firmware.i18n import LANGUAGES, language_codes, load_language, read_language
from firmware.snapshot import Tell
from firmware.text_keys import CAUSES, CHOICES, FAULTS, KEYS, LEVELS, NOTED, PICKS, samples
from rules.carom.terms import Lie
from rules.errors import BadSetup, Code
from rules.frame import Then
from rules.pool.position import Cue as PoolCue
from rules.record import WhichClock
from rules.replay import replay
from rules.rulebook import Rulebook
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sheet import read_sheets
from rules.snooker.numbers import NAMES
from rules.snooker.position import Cue as SnookerCue

FIRMWARE = Path(__file__).parents[2] / "firmware"
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


def test_the_languages_are_those_of_the_countries_that_play() -> None:
    assert language_codes() == ("de", "en", "es", "fr", "it", "nl", "pt", "pt-BR")
    assert load_language().code == "pt"
    assert load_language("pt-PT") is not load_language("pt-BR")
    for code, spoken in (("pt-PT", "pt"), ("de-AT", "de"), ("fr-BE", "fr"), ("pt-BR", "pt-BR")):
        assert load_language(code).code == spoken


MIDDLE_PX = 28
"""Between the scores of the largest board; nothing moves there while somebody plays."""

WIDEST = {
    "remaining": "147", "snookers": "12", "misses": "2", "reds": "15", "fouls_warning": "2",
    "fouls": "2-2", "audit": "-15", "left": "15", "reracks": "44", "inside": "2",
    "average": "88.888", "high_run": "832", "extensions": "2", "timeouts": "2-2",
    "to_go": "100", "handicap": "21-14", "target": "150", "innings": "100",
    "stalemate_turns": "3-3", "racked": "15",
}  # fmt: skip
"""The longest numbers that play brings."""


@pytest.mark.parametrize("code", language_codes())
def test_what_stands_in_play_stands_still(code: str) -> None:
    """A note, an alert, where the cue ball is: the shortest form fits between the scores."""
    language, small = load_language(code), load_font("small")
    moving = []
    for group in ("play", "cue", "lie", "spot", "tally", "clock", "ball"):
        for key in (key for key in KEYS if key.startswith(f"{group}.")):
            n = WIDEST.get(key.partition(".")[2], "17-16")
            values = {"n": n, "side": "←A", "name": "", "text": ""}
            short = language.forms(key, **{place: values[place] for place in KEYS[key]})[-1]
            if small.width(short) > MIDDLE_PX:
                moving.append(f"{key} = {short!r}: {small.width(short)} pixels")
    assert not moving, f"{code}: give these a shorter form of {MIDDLE_PX} pixels: {moving}"


ALERTS = (
    "play.respotted", "play.free_ball", "play.miss_warning", "play.push_out", "play.free_shot",
    "play.fouls_warning", "play.audit", "play.must_exit", "play.inside", "play.break_due",
    "play.stalemate_due", "play.pot_asked", "play.racked", "clock.shot_up", "clock.match_up",
)  # fmt: skip
"""Their last form is a sign of two letters, for a board of one row."""


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("key", ALERTS)
def test_an_alert_is_a_word_where_there_is_room_for_one(key: str, code: str) -> None:
    small = load_font("small")
    values = {"n": WIDEST.get(key.partition(".")[2], ""), "side": ""}
    forms = load_language(code).forms(key, **{place: values[place] for place in KEYS[key]})
    shown = next(form for form in forms if small.width(form) <= MIDDLE_PX)
    assert len(shown.strip("!")) > 2, (
        f"{code}: {key} needs a form of {MIDDLE_PX} pixels before its sign"
    )


def test_every_note_has_its_longest_number() -> None:
    assert set(NOTED) <= set(WIDEST)


def test_a_new_code_is_named_with_the_files_that_lack_it(tmp_path: Path) -> None:
    path = tmp_path / "nl.toml"
    text = (LANGUAGES / "nl.toml").read_text("utf-8")
    path.write_text(text.replace("push_out = [", "no_push_out_ = [", 1), "utf-8")
    with pytest.raises(ConfigError, match=r"nl\.toml: texts\.play\.push_out: is missing"):
        read_language(path)


def test_every_file_says_the_same_things() -> None:
    """What a new code needs: a line in each file of firmware/languages, under its table."""
    lacking = {}
    for path in sorted(LANGUAGES.glob("*.toml")):
        texts = tomllib.loads(path.read_text("utf-8"))["texts"]
        has = {f"{group}.{key}" for group, table in texts.items() for key in table}
        lacking[path.name] = sorted(set(KEYS) - has)
    missing = {name: keys for name, keys in lacking.items() if keys}
    assert not missing, (
        "every code needs its words in every language; add to firmware/languages, in the table "
        f"before the point, long form first (docs/languages.md): {missing}"
    )


CODES: dict[str, set[str]] = {
    "cue": {*PoolCue, *SnookerCue} - {PoolCue.PLACE, SnookerCue.TABLE},
    "lie": {*map(str, Lie)} - {Lie.AS_IS},
    "ball": {*NAMES.values(), "colour", *games.GROUPS.values(), *games.BLACKBALL_GROUPS.values()},
    "tally": set(LEVELS),
    "refused": set(Code),
    "then": set(Then),
    "told": set(Tell),
    "clock": {f"{which}_up" for which in WhichClock},
}
"""What the rules name and a board says, by the table of its words."""


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("group", CODES)
def test_every_code_of_every_enum_has_its_words(group: str, code: str) -> None:
    language = load_language(code)
    lacking = sorted(one for one in CODES[group] if f"{group}.{one}" not in language)
    assert not lacking, (
        f"{code}: add {lacking} to [texts.{group}] and to KEYS of firmware/text_keys.py"
    )


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)
def test_what_a_rulebook_counts_has_a_word(book: Rulebook) -> None:
    assert {level.name for level in book.game.levels(book.terms)} <= set(LEVELS)
    assert book.game.notation.words.family in ("carom", "snooker", "pool")


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
    with pytest.raises(
        ConfigError, match="there are de, en, es, fr, it, nl, pt, pt-BR, did you mean pt"
    ):
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


def codes_in_source() -> set[str]:
    """Every code by which some part of the firmware says that it does not work."""
    codes: set[str] = set()
    for path in FIRMWARE.rglob("*.py"):
        text = path.read_text("utf-8")
        for line in re.findall(r"^[A-Z_, ]*_FAULT[A-Z_, ]* = (.+)$", text, re.M):
            codes.update(re.findall(r'"(\w+)"', line))
        codes.update(re.findall(r"\.fault\(f?\"(\w+)", text))
    return codes


def test_every_fault_has_a_line_of_help() -> None:
    """Ask 85: no sign on the board that nobody can interpret."""
    found = {code.lower() for code in codes_in_source()}
    assert {"board", "disk", "key", "pad", "2x"} <= found
    assert found <= set(FAULTS), (
        f"add {sorted(found - set(FAULTS))} to FAULTS of firmware/text_keys.py, and to "
        "[texts.fault] of each file of firmware/languages what somebody at the table can do"
    )


def test_the_help_of_every_fault_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--language", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(FAULTS)
    assert any(line.startswith("BATT") and "battery" in line for line in lines)
    assert main(["faults", "DISK", "--language", "de"]) == 0
    assert "Karte" in capsys.readouterr().out
    assert main(["faults", "XYZ"]) == 1
    assert "there are BOARD, " in capsys.readouterr().err
