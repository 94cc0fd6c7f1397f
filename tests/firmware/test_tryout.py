"""What `tacada keys` says of each press, to whoever has just wired a panel."""

import pytest

from drivers.ports import Press
from firmware.cli.tryout import KeyPrinter
from firmware.i18n import load_language
from firmware.keycard.words import load_card_words
from tests.firmware.test_doctor_machine import ENGLISH
from tests.firmware.typist import shipped


@pytest.mark.parametrize(
    ("panel", "key", "held", "says"),
    [
        ("carom-6", "end", False, "end (GPIO22, header pin 15): fim da tacada\n"),
        ("carom-6", "undo", True, "▸ undo (GPIO25, header pin 22): repor o anulado\n"),
        ("snooker-6", "red", True, "▸ red (GPIO17, header pin 11): mais uma vermelha\n"),
        ("snooker-16", "white", False, "white (GPIO18, header pin 12): –\n"),
    ],
)
def test_a_press_is_named_with_its_pin_and_what_its_card_says(
    panel: str, key: str, held: bool, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = load_card_words(load_language("pt"))
    KeyPrinter(shipped(panel), words, ENGLISH).pressed(Press("panel", 1, key, held, 0))
    assert capsys.readouterr().out == says
