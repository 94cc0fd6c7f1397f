"""What stands on the keys: words of every language, the same on board, key card, pad and phone."""

import re

import pytest
from msgspec.structs import replace

from firmware.board.fields.seen import Seen, faults
from firmware.board.gallery import view_of
from firmware.board.layout import layout_names, load_layout
from firmware.board.render import render
from firmware.errors import ConfigError
from firmware.i18n import Language, language_codes, load_language
from firmware.keycard.words import load_card_words
from firmware.keys.bindings import Done, Enters, Moves, NewMatch, Puts, Step
from firmware.keys.keybook import PANELS, shipped_or_own
from firmware.keys.keymap import Keymap
from firmware.keys.moment import MatchMoment
from firmware.keys.panel_checks import LONGEST_LABEL
from firmware.keys.panel_words import HELD_SIGN, KEY, KEY_WORDS
from firmware.snapshot import Typed, View
from rules.carom.words import NOTATION
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.firmware.typist import shipped

LANGUAGES = [load_language(code) for code in language_codes()]
LAYOUTS = {path.stem: shipped_or_own(path.stem) for path in sorted(PANELS.glob("*.toml"))}
SIGNS = re.compile(r"[+0-9 ]+|A|B|OK")
"""What is read alike in every language, and so is no word of one."""

each_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.code)
each_panel = pytest.mark.parametrize("panel", LAYOUTS)


@each_panel
def test_a_panel_that_comes_with_the_firmware_speaks_no_language_of_its_own(panel: str) -> None:
    layout = LAYOUTS[panel]
    own = [key.label for key in layout.keys.values() if not key.label.startswith(KEY)]
    assert [label for label in own if not SIGNS.fullmatch(label)] == []
    assert [name for name, dialog in layout.dialogs.items() if dialog.label] == []


@each_language
@each_panel
def test_every_key_has_a_word_that_fits_and_no_two_the_same(panel: str, language: Language) -> None:
    labels = [language.label(key.label) for key in LAYOUTS[panel].keys.values()]
    assert len(set(labels)) == len(labels), labels
    for label in labels:
        assert not label.startswith(KEY)
        assert 0 < len(label) <= LONGEST_LABEL, label
        assert label == label.upper()
    for form in shipped(panel).forms.values():
        assert form.label in language, form.name


def test_every_word_stands_on_some_key() -> None:
    used = {key.label for layout in LAYOUTS.values() for key in layout.keys.values()}
    assert [word for word in KEY_WORDS if f"{KEY}{word}" not in used] == []


@each_language
def test_a_refusal_that_names_a_key_names_it_as_it_is_called(language: Language) -> None:
    assert language.say("key.red") in language.say("refused.two_reds")
    assert language.say("key.foul") in language.say("refused.no_legal_pot")


def test_a_club_s_own_word_stands_as_it_is_and_one_that_no_language_has_is_named() -> None:
    layout = LAYOUTS["carom-6"]

    def called(label: str) -> Keymap:
        keys = {**layout.keys, "end": replace(layout.keys["end"], label=label)}
        return Keymap(replace(layout, keys=keys), NOTATION, "own.toml")

    assert [one.label(called("RAUS").label("end")) for one in LANGUAGES] == ["RAUS"] * 8
    with pytest.raises(ConfigError, match=r"keys\.end\.label = 'key\.ent'.*did you mean end"):
        called("key.ent")


def test_the_board_names_the_keys_of_a_choice_in_its_language() -> None:
    view = replace(
        view_of("=4 FROZEN"),
        keys=(("key.end", "PICK(play)"), (f"{HELD_SIGN}key.foul", "PICK(respot_touching)")),
    )
    for size in layout_names():
        board = load_layout(size)
        for language in LANGUAGES:
            said = tuple((language.label(label), act) for label, act in view.keys)
            spelt = replace(view, keys=said)
            assert said[1][0] == HELD_SIGN + language.say("key.foul")
            for now_ms in range(0, 20_000, 500):
                pictures = [render(one, board, language, now_ms) for one in (view, spelt)]
                assert pictures[0] == pictures[1]


def test_a_key_that_must_be_held_says_so() -> None:
    labels = dict(_labels("snooker-12", "FOUL(hit=K)"))
    assert labels[f"{HELD_SIGN}key.menu"] == "PICK(pass)"
    assert "key.menu" not in labels


def _labels(panel: str, tokens: str) -> tuple[tuple[str, str], ...]:
    from firmware.board.gallery import ledger_of

    return shipped(panel).labels(MatchMoment(ledger_of(tokens, "cbbs", "target=3").match))


def test_what_is_half_typed_is_told_in_the_words_of_the_keys() -> None:
    keys = ("key.menu", "key.yellow")
    typed = Typed("concede", "typed.concede", keys)
    for language in LANGUAGES:
        own = tuple(map(language.label, keys))
        pictures = [
            render(replace(view_of("=4"), typed=replace(typed, keys=one)), board, language, 0)
            for board in (load_layout("64x16"),)
            for one in (keys, own)
        ]
        assert pictures[0] == pictures[1]


def test_what_is_cleared_is_told_in_the_words_of_the_keys() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("menu end undo")
        await settle()
        told = rig.view.told
        assert told is not None
        english = load_language("en")
        own = replace(told, text=" ".join(map(english.label, told.text.split(" "))))
        assert own != told
        board = load_layout("64x16")
        pictures = [
            render(replace(rig.view, told=one), board, english, told.since_ms)
            for one in (told, own)
        ]
        assert pictures[0] == pictures[1]

    on_table(test, lambda: Rig(new_play("ug", ""), panel="carom-12"))


@each_language
def test_a_phone_is_told_what_keys_mean_in_words(language: Language) -> None:
    words = load_card_words(language)
    said = {
        text: words.meaning(text) for text in ("PICK(play)", "ENTER", "typed.foul", "miss,full")
    }
    assert said["PICK(play)"] == language.say("pick.play")
    assert said["typed.foul"] == language.say("typed.foul")
    assert all(word != text for text, word in said.items())
    assert words.meaning("-free") == f"– {words.meaning('free')}"
    assert words.meaning("XYZ(q)") == "XYZ(q)", "what has no word stands as it is written"


def _told_of(step: Step) -> list[str]:
    """What a phone may be told of a step, as its table tells it."""
    match step:
        case Puts():
            written = [step.after("")]
            while written[-1] and len(written) <= len(step.values):
                written.append(step.after(written[-1]))
            return [
                one or f"-{before}" for before, one in zip(["", *written], written, strict=False)
            ]
        case Moves(slot):
            return [slot, f"-{slot}"]
        case Enters(text):
            return [text.replace("{turn}", "A")]
        case NewMatch():
            return ["NEW"]
        case Done():
            return ["ENTER"]
    return []


@each_language
@each_panel
def test_whatever_a_key_means_a_phone_says_it_in_words(panel: str, language: Language) -> None:
    words, keymap = load_card_words(language), shipped(panel)
    tables = [
        *keymap.layers.values(),
        *(p for f in keymap.forms.values() for p in f.pages.values()),
    ]
    for text in {
        text
        for bindings in tables
        for steps in bindings.values()
        for step in steps
        for text in _told_of(step)
    }:
        said = words.meaning(text)
        assert not set("()=_{}[]") & set(said), (text, said)
        assert not re.search(r"[A-Z]{3,}|\b[ST][1-9]", said.replace("OK", "")), (text, said)
        alike = text in ("A", "B", "grave", "absence") or text.lstrip("+-").isdecimal()
        assert said != text or alike or language.code == "en", text


@each_language
def test_a_key_that_is_stuck_is_named_as_it_is_called(language: Language) -> None:
    pages = faults(Seen(View(faults=("KEY yellow", "KEY own_key")), language))
    assert any(language.say("key.yellow") in page[0] for page in pages)
    assert any("own_key" in page[0] for page in pages[2:])
