"""What was entered is said in words, in every language and game, and fits where it stands."""

from enum import StrEnum
from functools import partial
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from drivers.pad_protocol import LONGEST_TEXT
from drivers.ports import Answer
from firmware.board.gallery import told, view_of
from firmware.devices.pad_words import PadWords
from firmware.entries.fields import FieldWords
from firmware.entries.words import _HEADS, _OWN, EntryWords, entry_words
from firmware.entry_keys import ENTRY_WORDS
from firmware.i18n import Language, language_codes, load_language
from firmware.setup.words import load_setup_words
from firmware.snapshot import Tell, View
from firmware.text_keys import PICKS
from rules.carom import entries as carom
from rules.carom.position import SeriesPosition
from rules.entries import Entry, SharedEntry
from rules.notation import read_token
from rules.pool import entries as pool
from rules.pool.position import Position as PoolPosition
from rules.position import field_names
from rules.sheet import read_act
from rules.snooker import entries as snooker
from rules.snooker.position import Position as SnookerPosition
from tests.firmware.entry_samples import CONTROLS, GAMES

LANGUAGES = [load_language(code) for code in language_codes()]
each_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.code)
each_game = pytest.mark.parametrize("rulebook", GAMES)

KINDS: dict[str, tuple[type[Entry], ...]] = {
    "3c": (*get_args(SharedEntry), *get_args(carom.CaromEntry)),
    "cbbs": (*get_args(SharedEntry), *get_args(snooker.SnookerEntry)),
    "fpb141": (*get_args(SharedEntry), *get_args(pool.PoolEntry)),
}
MARKS: dict[str, tuple[type[StrEnum], ...]] = {
    "3c": (carom.Balls, carom.ZoneCall, carom.PinsTo, carom.RedBall),
    "cbbs": (snooker.Mark, snooker.How),
    "fpb141": (
        *(pool.EightWas, pool.Kind, pool.EightFault, pool.InTheWay, pool.Fifteenth),
        *(pool.VisitEnd, pool.Group),
    ),
}
"""What an entry of a game can say besides numbers and sides."""

POSITIONS: dict[str, type[Struct]] = {
    "3c": SeriesPosition,
    "cbbs": SnookerPosition,
    "fpb141": PoolPosition,
}


@each_game
def test_every_entry_and_each_of_its_marks_is_among_the_samples(rulebook: str) -> None:
    notation, texts = GAMES[rulebook]
    acts = [read_act(text, notation) for text in texts]
    kinds = {type(entry) for act in acts if isinstance(act, tuple) for entry in act}
    assert kinds >= set(KINDS[rulebook])
    said = {
        part
        for text in texts
        for token in text.strip("[]").split()
        for arg in read_token(token).args
        for part in (arg.rstrip("0123456789"), arg, *arg.split("="))
    }
    marks = {str(mark) for kind in MARKS[rulebook] for mark in kind} - {"striker"}
    assert sorted(marks - said) == []
    fields = {
        arg.partition("=")[0]
        for text in texts
        for token in text.strip("[]").split()
        if token.startswith("ADJUST")
        for arg in read_token(token).args
    }
    assert sorted(set(field_names(POSITIONS[rulebook])) - fields) == []


def _words_of(language: Language, rulebook: str) -> list[tuple[str, tuple[str, ...]]]:
    """Every act as a page has it, and as a board, which has no words of set-ups."""
    ways = (
        EntryWords(language, rulebook, asked) for asked in (load_setup_words(language.code), None)
    )
    return [
        (text, words.forms(text))
        for words in ways
        for text in (*GAMES[rulebook][1], *CONTROLS, "[ADJUST(score=6/2,why=keyed) AWARD(A)]")
    ]


@each_language
@each_game
def test_no_sign_of_the_notation_reaches_a_person(rulebook: str, language: Language) -> None:
    """No brackets, no `field=value`, no word of the notation: only what the language says."""
    for text, forms in _words_of(language, rulebook):
        heads = [token.partition("(")[0] for token in text.strip("[]").split()]
        for form in forms:
            assert form.strip() == form != "", (text, forms)
            assert not set("()[]={}_") & set(form), (text, form)
            assert "/" not in form.split() or text.startswith("ADJUST"), (text, form)
            loud = [word for word in heads if word.isalpha() and len(word) > 1 and word in form]
            assert [word for word in loud if word != "OK"] == [], (text, form)


@each_language
@each_game
def test_each_argument_has_a_word_of_its_language(rulebook: str, language: Language) -> None:
    """None of them stands as the notation has it because nobody gave it a word."""
    words = EntryWords(language, rulebook)
    for text in GAMES[rulebook][1]:
        for token in map(read_token, text.strip("[]").split()):
            if token.head in ("PICK", "ADJUST", "SETUP"):
                continue  # codes and fields: the tests of their tables
            bare = [arg for arg in token.args if arg.islower() and "=" not in arg]
            lots = [arg for arg in bare if arg[0] in "kd" and arg[1:].isdecimal()]
            named = {"repeat", "pocket"} if token.head == "LAG" else set()
            for arg in {*bare} - {*lots} - named:
                assert words._key(token.head, arg) in language, (token, arg)


@each_language
@each_game
def test_each_field_of_a_position_has_a_word_of_its_language(
    rulebook: str, language: Language
) -> None:
    fields = FieldWords(language, load_setup_words(language.code))
    for text in GAMES[rulebook][1]:
        for token in map(read_token, text.strip("[]").split()):
            for arg in token.args if token.head == "ADJUST" else ():
                name, _, value = arg.partition("=")
                said = fields.position(name, value)
                assert language.code == "en" or not said[0].startswith(f"{name} "), said
                assert "_" not in said[0]


SHARED_WITH_ENGLISH = {
    *("grave", "match", "miss", "safe", "lag", "pins", "off", "ext", "pause", "short", "restart"),
    *("inserted", "outage", "blocked", "disc", "touched", "double_hit", "start", "named"),
}
"""Words that some other language has from English or shares with it, in one of their forms."""


@each_language
def test_no_english_is_left_in_another_language(language: Language) -> None:
    english = load_language("en")
    if language is english:
        return
    same = [
        word
        for word in ENTRY_WORDS
        if word not in SHARED_WITH_ENGLISH
        and language.forms(f"entry.{word}") == english.forms(f"entry.{word}")
    ]
    assert same == []


@each_language
def test_a_choice_is_said_as_the_board_asked_for_it(language: Language) -> None:
    words = entry_words(language)
    for choice in PICKS:
        assert words.say(f"PICK({choice})") == language.say(f"pick.{choice}")


def test_a_referee_reads_what_he_entered() -> None:
    said = {
        ("pt", "cbbs", "FOUL(v=5)"): "falta 5",
        ("pt", "cbbs", "U"): "azul +5",
        ("pt", "cbbs", "R2"): "2 verm. +2",
        ("pt", "3c", "AWARD(B,absence)"): "ganha B: ausência",
        ("de", "cbbs", "FOUL(hit=K,white,miss,by=B)"): (
            "Foul schwarz von B: Weiße gelocht, und Miss"
        ),
        ("fr", "p5", "P6(given=2)"): "+6 : 2 à l'autre",
        ("es", "fpb141", "VISIT(9,k1,safe)"): "entrada: bolas restantes 9, triángulo 1, defensa",
        ("it", "3c", "=7"): "serie 7",
        ("nl", "cbbs", "=24(reds=4)"): "beurt 24: 4 rode",
        ("en", "3c", "ADJUST(score=15/3,why=keyed)"): (
            "the table put right: points 15–3, keyed wrongly"
        ),
        ("en", "bb", "FOUL(S1,T2)"): "foul: 1 red, 2 yellows",
        ("pt-BR", "cbbs", "[SPLICE(3,4) R U]"): "editado: vermelha +1, azul +5",
    }
    for (code, rulebook, text), words in said.items():
        language, asked = load_language(code), load_setup_words(code)
        assert EntryWords(language, rulebook, asked).say(text) == words


def test_what_is_left_out_is_told() -> None:
    short = entry_words(load_language("pt"), "cbbs").forms("FOUL(hit=K,white,miss,by=B)")[-1]
    assert short == "falta pre B…"


def test_what_is_no_notation_stands_as_it_is() -> None:
    assert entry_words(load_language("pt")).say("menu AMARELA") == "menu AMARELA"
    assert entry_words(load_language("pt")).say("NEWER(x)") == "NEWER(x)"


_ARGS = st.lists(
    st.from_regex(r"[A-Za-z0-9_=/+-]{1,8}", fullmatch=True)
    | st.sampled_from(["A", "with=", "by=", "S1", "k", "v=", "score=", "low=Q", "reds=none"]),
    max_size=4,
)
_TOKENS = st.builds(
    lambda head, number, args: head + number + (f"({','.join(args)})" if args else ""),
    st.sampled_from([*_HEADS, *_OWN, "SPLICE", "NEWER"]),
    st.sampled_from(["", "3"]),
    _ARGS,
)


@given(st.lists(_TOKENS, min_size=1, max_size=3), st.sampled_from(["", "3c", "cbbs", "bb", "new"]))
def test_whatever_another_version_may_send_is_said_somehow(tokens: list[str], game: str) -> None:
    text = tokens[0] if len(tokens) == 1 else f"[{' '.join(tokens)}]"
    forms = EntryWords(load_language("pt"), game).forms(text)
    assert forms
    assert all(forms)


def _same(view: View) -> View:
    return view


@each_language
@each_game
def test_a_pad_says_what_undo_took_back_beside_the_score(rulebook: str, language: Language) -> None:
    line = view_of("=24 =30").line
    assert line is not None
    for act in GAMES[rulebook][1]:
        view = told(View(line=replace(line, rulebook=rulebook)), Tell.UNDONE, "undone", act)
        said = PadWords(lambda: language, partial(_same, view)).answered(Answer.ACCEPTED)
        score = PadWords(lambda: language, lambda: View(line=line)).score()
        assert said.startswith(f"{score} {language.forms('told.undone')[-1]} "), said
        assert len(said) <= LONGEST_TEXT, said
