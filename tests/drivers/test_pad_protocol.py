"""Frames of pads: what is one, what is none, and what a pad is told."""

import binascii
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.pad_protocol import (
    LONGEST_LINE,
    LONGEST_TEXT,
    BadFrame,
    Hello,
    KeyFrame,
    Lines,
    answer_line,
    crc,
    plain,
    read_frame,
    tell_line,
)
from drivers.pad_reference import pad as reference
from drivers.pad_reference.pad import Pad
from drivers.ports import Answer
from tests.drivers.noise import mutated, noise, spoken


def framed(text: str) -> bytes:
    return f"{text} {crc(text.encode())}".encode()


def test_the_check_is_the_catalogue_s() -> None:
    assert crc(b"123456789") == "29B1"


@settings(deadline=None)
@given(st.binary(max_size=100))
def test_pad_and_table_reckon_the_same_check(data: bytes) -> None:
    assert reference.crc(data) == crc(data) == f"{binascii.crc_hqx(data, 0xFFFF):04X}"


def test_the_frames_of_the_document() -> None:
    press = KeyFrame("pad1", "5f3a", 17, "red", False, 0, 84)
    assert read_frame(b"K pad1 5f3a.17 red press 0 84 5459") == press
    assert press.id == "5f3a.17"
    hold = KeyFrame("pad1", "5f3a", 18, "ok", True, 612, None)
    assert read_frame(framed("K pad1 5f3a.18 ok hold 612 -")) == hold
    long = KeyFrame("pad1", "5f3a", 19, "ok", True, 0, 84, long=True)
    assert read_frame(framed("K pad1 5f3a.19 ok long 0 84")) == long
    assert read_frame(framed("H pad1 5f3a.16 84")) == Hello("pad1", "5f3a", 16, 84)


@pytest.mark.parametrize(
    "text",
    [
        "K pad1 5f3a.017 red press 0 84",
        "K pad1 5f3a.0 red press 0 84",
        "K pad1 5f3a.17 red tap 0 84",
        "K pad1 5f3a.17 red press 0 101",
        "K pad1 5f3a.17 red press 0 084",
        "K pad1 5f3a.17 red press -1 84",
        "K pad1 5f3a.17  red press 0 84",
        "K pad1 5f3a.17 red press 0 84 ",
        " K pad1 5f3a.17 red press 0 84",
        "k pad1 5f3a.17 red press 0 84",
        "K Pad1 5f3a.17 red press 0 84",
        "K pad1 5f3.17 red press 0 84",
        "K pad1 5f3a.17 réd press 0 84",
        "H pad1 5f3a.16",
        "H pad1 5f3a 84",
        "",
    ],
)
def test_what_is_not_exactly_a_frame_is_none(text: str) -> None:
    with pytest.raises(BadFrame):
        read_frame(framed(text))


def test_a_check_in_small_letters_is_none() -> None:
    line = framed("K pad1 5f3a.17 red press 1 84")
    assert line.endswith(b" 22ED")
    with pytest.raises(BadFrame):
        read_frame(line.lower().replace(b"k", b"K", 1))


def test_a_line_is_cut_wherever_it_was_parted() -> None:
    text = b"\none\r\n\ntwo\nthree"
    for size in range(1, len(text)):
        lines = Lines()
        got = [line for at in range(0, len(text), size) for line in lines.feed(text[at:][:size])]
        assert got == [b"one", b"two"]
        assert lines.feed(b"\n") == [b"three"]


def test_endless_noise_is_thrown_away_up_to_its_end() -> None:
    lines = Lines()
    for _ in range(1000):
        assert lines.feed(b"x" * 100) == []
    assert lines.feed(b"yy\nH pad1") == []
    assert lines.feed(b" 5f3a\n") == [b"H pad1 5f3a"]


def test_every_line_for_a_pad_is_printable_and_short() -> None:
    long = "Não é permitido: bola colada, é a vez do adversário «B»"
    line = answer_line(Answer.REFUSED, "a-name_of_12", "zzzz.999999", long).strip()
    assert len(line) <= LONGEST_LINE
    assert all(32 <= byte < 127 for byte in line)
    body, _, check = line.rpartition(b" ")
    assert check == crc(body).encode()
    assert tell_line("pad1", "12–9 A").strip().startswith(b"T pad1 12-9 A ")


def test_no_letter_is_dropped() -> None:
    assert plain("Müller – Peña č ← 김") == "Muller - Pena c < ???"
    assert plain("  ") == "-"
    assert len(plain("x" * 99)) == LONGEST_TEXT
    assert all(plain(sign) for sign in "ßøðłđ漢字é…’")


def test_what_a_pad_says_is_read() -> None:
    pad = Pad("pad1", "5f3a")
    pad.battery = 84
    (line,) = Lines().feed(pad.due(900))
    assert read_frame(line) == Hello("pad1", "5f3a", 0, 84)
    pad.press("red", False, 1000)
    (line,) = Lines().feed(pad.due(1040))
    assert read_frame(line) == KeyFrame("pad1", "5f3a", 1, "red", False, 40, 84)


NOISE_LINES = 20_000
"""A million of them are a command of their own: `python -m benchmarks.noise`."""


def test_noise_and_damage_are_never_a_press() -> None:
    good = 0
    for frame, line in mutated(NOISE_LINES // 2, seed=1):
        try:
            assert read_frame(line) == frame, line
            good += 1
        except BadFrame:
            continue
    assert good == 0
    for line in noise(NOISE_LINES // 2, seed=1):
        with pytest.raises(BadFrame):
            read_frame(line)


def test_what_was_not_damaged_is_a_press() -> None:
    """Else the test above could not fail."""
    for frame, line in spoken(1000, seed=2):
        assert read_frame(line) == frame


def test_the_lines_of_the_document_have_their_checks() -> None:
    document = (Path(__file__).parents[2] / "docs" / "pad-protocol.md").read_text("utf-8")
    lines = re.findall(r"^([HKAWRTQ] pad1.*) ([0-9A-F]{4})$", document, re.MULTILINE)
    assert len(lines) == 7
    for body, check in lines:
        assert crc(body.encode()) == check
