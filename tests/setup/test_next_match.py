"""Every panel that comes with the firmware can set up a match."""

import pytest
from msgspec.structs import replace

from firmware.keys.keybook import PANELS, KeyBook, shipped_or_own
from firmware.setup.next_match import NextMatch, roles_of
from firmware.setup.preset import Preset
from firmware.setup.questions import Role
from firmware.setup.words import load_setup_words
from firmware.snapshot import Question
from rules.position import split_fields
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side


@pytest.mark.parametrize("name", sorted(path.stem for path in PANELS.glob("*.toml")))
def test_four_keys_of_each_panel_answer(name: str) -> None:
    family = name.partition("-")[0]
    book = next(one for one in RULEBOOKS if family_of(one) == family)
    roles = roles_of(KeyBook(shipped_or_own(name), name, book, {}).keymap(book))
    assert set(roles.values()) == {Role.LESS, Role.MORE, Role.OK, Role.BACK}
    assert list(roles.values()).count(Role.LESS) == list(roles.values()).count(Role.MORE) == 1


def offered(*recent: Preset) -> list[str]:
    """What a table offers that knows these set-ups, the last one first."""
    asked = NextMatch(lambda: load_setup_words("en"), recent)
    asked.open(0)
    assert isinstance(asked.ask, Question)
    return [forms[0] for forms in asked.ask.choices]


def race(to: int, at: str = "") -> Preset:
    return Preset("wpa9", ("Ana",), ("Bia",), (("race", f"{to}/{to}"),), Side.A, split_fields(at))


def test_of_many_set_ups_the_last_ten_are_offered_the_last_one_first() -> None:
    told = offered(*(race(to) for to in range(30, 3, -1)))
    goals = [text.split()[-4] for text in told if "Ana" in text]
    assert goals == [f"{to}/{to}" for to in range(30, 20, -1)]


@pytest.mark.parametrize(
    ("rulebook", "at", "again"),
    [
        ("wpa9", "racks=0/2", "racks=0/2"),
        ("wpa9", "racks=5/3", ""),
        ("wpa141", "score=0/14", "score=0/14"),
        ("wpa141", "score=63/58", ""),
        ("cbbs", "handicap=14/0", "handicap=14/0"),
        ("cbbs", "frames=2/1 score=45/32", ""),
        ("ug", "score=18/11 innings=7/7", ""),
    ],
)
def test_the_same_match_again_begins_from_the_start(rulebook: str, at: str, again: str) -> None:
    """What a match was taken up at after an outage is no part of the next; a handicap is."""
    preset = Preset(rulebook, ("Ana",), ("Bia",), (), Side.A, split_fields(at))
    asked = NextMatch(lambda: load_setup_words("en"))
    asked.started(preset)
    asked.open(0)
    assert asked.press(Role.OK, 0) == replace(preset, at=split_fields(again))
