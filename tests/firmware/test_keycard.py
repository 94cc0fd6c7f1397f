"""Key cards: every key in words in every language, nothing left out, nothing over its edge."""

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import toml
from PIL import ImageFont

from firmware.cli import main
from firmware.i18n import language_codes, load_language
from firmware.keycard.content import Card, card, known
from firmware.keycard.drawing import MARGIN_MM, WIDTH_MM, as_pdf, as_svg, placed, width_mm
from firmware.keycard.words import FOLDER, CardWords, load_card_words
from firmware.keys.bindings import Enters
from firmware.keys.keybook import PANELS
from firmware.records.pages import fonts
from rules.position import split_fields
from rules.rulebooks.shelf import RULEBOOKS
from tests.firmware.typist import shipped

LANGUAGES = language_codes()
WHOLE = {
    "carom-12": ["p5", "472", "s15", "ug"],
    "snooker-6": ["cbbs", "wpbsa"],
    "pool-4": ["fpb9 detail=1", "wpa8 detail=1 shootout=on race=1/1", "fpb141"],
}
"""Disciplines that together know everything that a layout can enter."""


def words_of(code: str) -> CardWords:
    return load_card_words(load_language(code))


def card_of(layout: str, rulebook: str, code: str = "en") -> Card:
    return card(shipped(layout), RULEBOOKS[rulebook], rulebook, words_of(code))


def test_the_languages_have_the_same_words() -> None:
    files = {file.stem: toml.decode(file.read_bytes()) for file in FOLDER.glob("*.toml")}
    assert set(LANGUAGES) == set(files)
    for code, words in files.items():
        assert list(words) == list(files["en"]), code
        assert all(words.values()), code


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_binding_that_comes_with_the_firmware_has_words(code: str) -> None:
    words = words_of(code)
    for path in PANELS.glob("*.toml"):
        keymap = shipped(path.stem)
        tables = [*keymap.layers.values()]
        for form in keymap.forms.values():
            tables += form.pages.values()
            assert words.dialog(form.name)
        for bindings in tables:
            for steps in bindings.values():
                for step in steps:
                    said = words.step(step)
                    assert "(" not in said, f"{path.stem}: {step}"
                    assert said or type(step).__name__ == "Inert"
        for layer in keymap.layers:
            kind, _, which = layer.partition(".")
            assert words.choice(which) if kind == "choice" and which else words.say(f"layer_{kind}")


@pytest.mark.parametrize("layout", WHOLE)
def test_no_binding_is_on_no_card(layout: str) -> None:
    keymap, granted = shipped(layout), set[str]()
    for one in WHOLE[layout]:
        rulebook, _, format_ = one.partition(" ")
        granted |= known(keymap, RULEBOOKS[rulebook], split_fields(format_)).granted
    every = {
        step.text
        for layer in keymap.layers.values()
        for steps in layer.values()
        for step in steps
        if isinstance(step, Enters) and isinstance(step.acts[0], tuple)
    }
    # A snooker frame always has a winner: the keys of a shoot-out stay without use there.
    assert {text for text in every - granted if not text.startswith("SHOOT")} == set()


def test_a_card_tells_what_this_discipline_knows_and_no_more() -> None:
    pins, cushions = card_of("carom-12", "p5"), card_of("carom-12", "ug")
    stroke = {key.label: key.press for key in pins.keys}["+1"]
    assert stroke == "what the stroke made …"
    assert {key.label: key.press for key in cushions.keys}["+1"] == "+1"
    titles = {section.title for section in cushions.sections}
    assert "pins down" not in titles
    assert "pins down" in {section.title for section in pins.sections}
    assert {"menu", "gives up", "a run by number", "Something has ended"} <= titles


def test_what_six_snooker_keys_do_is_told_key_by_key() -> None:
    by_title = {section.title: section for section in card_of("snooker-6", "cbbs", "pt").sections}
    assert ("▸ AMA VER", "verde") in by_title["falta"].rows
    assert "▸ FIM" in by_title["falta"].opened_by
    assert by_title["desiste"].opened_by == ("menu VERMELHA",)


@pytest.mark.parametrize("layout", sorted(path.stem for path in PANELS.glob("*.toml")))
def test_a_card_says_how_the_match_is_put_right(layout: str) -> None:
    rulebook = {"carom": "ug", "snooker": "cbbs", "pool": "wpa9"}[layout.partition("-")[0]]
    said = card_of(layout, rulebook).subtitle
    small = layout.startswith("snooker") and layout.endswith(("-4", "-6"))
    key = "END" if small else "OK"
    assert said.endswith(f" – {key} 3 s: this match put right"), said


@pytest.mark.parametrize(("layout", "rulebook"), [("snooker-16", "wpbsa"), ("carom-4", "p5")])
def test_nothing_reaches_over_its_place(layout: str, rulebook: str) -> None:
    files = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
    drawn = {bold: ImageFont.truetype(fonts() / name, 100) for bold, name in files.items()}
    for code in ("de", "pt"):
        for page in placed(card_of(layout, rulebook, code)):
            lines: dict[float, list[tuple[float, float]]] = {}
            for x, y, pt, text, bold in page.texts:
                wide = drawn[bold].getlength(text) / 100 * pt * 25.4 / 72
                assert wide <= width_mm(text, pt, bold=bold) + 0.1, text
                assert x + wide <= WIDTH_MM - MARGIN_MM + 0.1, text
                lines.setdefault(round(y, 3), []).append((x, x + wide))
            for spans in lines.values():
                spans.sort()
                assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_svg_and_pdf_say_the_same() -> None:
    one = card_of("pool-4", "wpa8")
    svg = ElementTree.fromstring(as_svg(one))
    said = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert said == [text.text for page in placed(one) for text in page.texts if text.text]
    assert as_pdf(one).startswith(b"%PDF")


def test_the_command_writes_a_card_or_all_of_a_layout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.toml"
    text = 'schema = 1\nlanguage = "pt"\npanel.layout = "pool-4"\nmatch.rulebook = "fpb141"\n'
    table.write_text(text, "utf-8")
    told = ["keys", "--config", str(table), "--card"]
    assert main([*told, str(tmp_path / "card.svg")]) == 0
    assert "cartão de teclas" in (tmp_path / "card.svg").read_text("utf-8")
    assert main([*told, str(tmp_path / "card.png")]) != 0
    assert "um cartão é .svg ou .pdf" in capsys.readouterr().err
    assert main([*told, str(tmp_path / "cards")]) == 0
    assert len(list((tmp_path / "cards").glob("pool-4-*.svg"))) == 8


def test_a_key_that_writes_and_enters_says_both_where_others_only_write() -> None:
    foul = next(one for one in card_of("snooker-totals-4", "wpbsa").sections if one.title == "foul")
    rows = dict(foul.rows)
    assert rows["+10"] == "points: 7"
    assert rows["▸ END"] == "leaves a free ball, enter"
    choice = next(one for one in card_of("snooker-4", "wpbsa").sections if one.title == "choice")
    assert "enter" not in " ".join(said for _, said in choice.rows), "there every key does"


def test_a_row_does_not_repeat_the_title_of_its_section() -> None:
    for section in card_of("pool-16", "wpa141").sections:
        assert not [said for _, said in section.rows if said.startswith(f"{section.title}:")]
