"""Every text is drawn, whatever its letters."""

import pytest
from anyascii import anyascii
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import Picture
from firmware.board.fonts import font_names, load_font, read_font
from firmware.errors import ConfigError

ACCENTED = "ÁÀÂÃÄÉÊËÍÓÔÕÖÚÜÇÑŠŽẞ"
TEXT_FONTS = ("small", "words")


def art(font: str, text: str) -> str:
    strip = load_font(font).draw(text)
    return Picture(strip.width, len(strip.rows), strip.rows).text()


@pytest.mark.parametrize("font", TEXT_FONTS)
def test_no_two_glyphs_look_alike_but_for_o_and_zero(font: str) -> None:
    chars = "ABCDEFGHIJKLMNPQRSTUVWXYZ0123456789+-=/:;,.!?" + ACCENTED
    assert len({art(font, char) for char in chars}) == len(chars)


@pytest.mark.parametrize("font", TEXT_FONTS)
def test_lower_case_is_drawn_as_capitals(font: str) -> None:
    assert art(font, "conceição müller") == art(font, "CONCEIÇÃO MÜLLER")
    assert art(font, "weiß") == art(font, "WEIẞ")


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Œ", "OE"), ("½", "1/2"), ("O’Neil", "O'NEIL"), ("한글", "HANGEUL"), ("張", "ZHANG")],
)
def test_what_a_font_lacks_is_written_with_simpler_letters(text: str, plain: str) -> None:
    small = load_font("small")
    assert small.draw(text) == (small.draw(plain) if text != "O’Neil" else small.draw(text))
    assert small.width(text) >= small.width(plain) - 2


def test_letters_composed_of_two_characters_are_one() -> None:
    assert art("small", "A\u0303") == art("small", "Ã")


LATIN = {
    "pt": "ÁÀÂÃÇÉÊÍÓÔÕÚÜ",
    "es": "ÁÉÍÑÓÚÜ¿¡",
    "fr": "ÀÂÇÈÉÊËÎÏÔÙÛÜ",
    "de": "ÄÖÜẞ",
    "nl": "ÁÉËÏÓÖÜ",
    "it": "ÀÈÉÌÒÙ",
    "cs": "ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ",
    "pl": "ĄĆĘŁŃÓŚŹŻ",
    "tr": "ÇĞİÖŞÜ",
    "hu": "ÁÉÍÓÖŐÚÜŰ",
    "sv": "ÅÄÖ",
}
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ"
CYRILLIC = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄ"


@pytest.mark.parametrize("font", TEXT_FONTS)
@pytest.mark.parametrize("language", LATIN)
def test_every_letter_of_a_language_is_its_own(language: str, font: str) -> None:
    letters = LATIN[language] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert len({art(font, letter) for letter in letters}) == len(letters)
    # Python writes the small form of İ with a dot of its own.
    lower = LATIN[language].replace("İ", "I")
    assert art(font, lower.lower()) == art(font, lower)


@pytest.mark.parametrize("font", TEXT_FONTS)
@pytest.mark.parametrize("letters", [GREEK, CYRILLIC])
def test_greek_and_cyrillic_are_drawn(letters: str, font: str) -> None:
    assert len({art(font, letter) for letter in letters}) == len(letters)
    box = art(font, "\ue000")
    assert all(art(font, letter) != box for letter in letters + letters.lower())


@pytest.mark.parametrize("font", TEXT_FONTS)
@pytest.mark.parametrize("name", ["조명우", "山田", "نصر", "ნიკა", "नेहा", "ชัย", "לוי"])
def test_other_scripts_are_written_in_latin_letters(name: str, font: str) -> None:
    """Ask 76: shown or transliterated, never dropped."""
    written = "".join(char for char in map(anyascii, name))
    assert written
    assert art(font, name) == art(font, written)


@pytest.mark.parametrize("font", TEXT_FONTS)
def test_what_remains_is_a_box(font: str) -> None:
    assert art(font, "\ue000") == art(font, "\u0303")
    assert "#" in art(font, "\ue000")
    assert load_font(font).width("\ue000\ue000") == 2 * load_font(font).width("\ue000") + 1


@given(st.text(min_size=1, max_size=30), st.sampled_from(font_names()))
def test_nothing_is_dropped(text: str, font: str) -> None:
    drawn = load_font(font)
    width = drawn.width(text)
    assert width >= 1
    assert all(0 <= row < 1 << width for row in drawn.draw(text).rows)
    assert drawn.width(text + "한") > width


@pytest.mark.parametrize(("font", "text"), [("tall", "88"), ("slim", "888"), ("slim", "-88")])
def test_scores_fit_a_box_of_seventeen(font: str, text: str) -> None:
    assert load_font(font).width(text) <= 17


def test_a_missing_font_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="there are icons, mid, slim, small, tall, words"):
        load_font("huge")


def test_every_bad_glyph_of_a_file_is_named() -> None:
    text = "height 2\n\n= A\n##\n#\n\n= B\n##\n\n= C\n#.\n.#\n"
    with pytest.raises(ConfigError) as caught:
        read_font("x", text)
    assert [problem.split(":")[1] for problem in caught.value.problems] == [" A", " B"]


PITCH_MM, ARCMIN_MM_AT_15_M = 4.0, 15_000 * 0.000291


def stroke_px(font: str, digit: str) -> int:
    """The thinnest stroke: the largest square that its dots are part of, but for its ends."""
    strip = load_font(font).draw(digit)
    lit = {
        (x, y)
        for y, row in enumerate(strip.rows)
        for x in range(strip.width)
        if row >> (strip.width - 1 - x) & 1
    }

    def part_of_square(x: int, y: int, size: int) -> bool:
        return any(
            all((x - dx + i, y - dy + j) in lit for i in range(size) for j in range(size))
            for dx in range(size)
            for dy in range(size)
        )

    ends = 4
    return max(
        size for size in (1, 2, 3) if sum(not part_of_square(x, y, size) for x, y in lit) <= ends
    )


@pytest.mark.parametrize("font", ["tall", "slim"])
def test_scores_are_legible_at_fifteen_metres(font: str) -> None:
    """The figures of docs/boards.md: a digit of twelve minutes of arc, strokes of 1.8.

    Whoever has normal sight tells letters of five minutes with strokes of one.
    """
    height_mm = load_font(font).height * PITCH_MM
    assert height_mm / ARCMIN_MM_AT_15_M > 2 * 5
    for digit in "023456789":
        assert stroke_px(font, digit) * PITCH_MM / ARCMIN_MM_AT_15_M > 1.5, digit
