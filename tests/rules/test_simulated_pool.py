"""Every rack that a physics program played, judged by us and by its own judge."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.rules.simulated_pool import BOOK, Difference, Game, differences, games

PAGE = Path(__file__).parent.parent.parent / "docs" / "simulated-games.md"
BY_DESIGN = {
    "nine_ball": {
        "N1": {"legality"},  # the first ball hit on the break is not looked at
        "N2": {"table"},  # a 9 that falls with a foul stays down
        "N4": {"rack lost"},  # the third foul in a row costs nothing
    },
    "eight_ball": {
        "E1": {"not over"},  # the 8 on a legal break wins
        "E2": {"not over"},  # the 8 and the cue ball on the break lose
        "E3": {"cue ball"},  # in hand anywhere after a short break
        "E4": {"cue ball"},  # in hand anywhere after a scratch on the break
        "E5": {"legality"},  # the 8 hit first on an open table is a foul
    },
}
"""What the other judge does otherwise, by code, and in what we part from it by that."""
HARMLESS = {"cue ball"}
"""Both play the same rack on."""


@pytest.fixture(scope="module")
def parted() -> dict[str, dict[str, list[Difference]]]:
    """All differences, by game and rack."""
    return {name: {game.id: list(differences(name, game)) for game in games(name)} for name in BOOK}


def _judged(game: Game, found: list[Difference]) -> int:
    """Strokes up to the one where the racks part, that one included."""
    ends = [one.number for one in found if one.what not in HARMLESS]
    return min(ends, default=len(game.strokes))


@pytest.mark.parametrize("name", BOOK)
def test_on_clean_racks_nothing_differs(
    name: str, parted: dict[str, dict[str, list[Difference]]]
) -> None:
    clean = [game for game in games(name) if game.clean]
    assert len(clean) > len(games(name)) // 2
    for game in clean:
        assert [one for one in parted[name][game.id] if one.what not in HARMLESS] == [], game.id


@pytest.mark.parametrize("name", BOOK)
def test_elsewhere_only_at_a_stroke_with_a_code_and_in_what_the_code_says(
    name: str, parted: dict[str, dict[str, list[Difference]]]
) -> None:
    for id_, found in parted[name].items():
        for one in found:
            codes = one.departs & set(BY_DESIGN[name])
            allowed = {what for code in codes for what in BY_DESIGN[name][code]}
            assert one.what in allowed, (id_, one)


@pytest.mark.parametrize("name", BOOK)
def test_every_code_shows(name: str, parted: dict[str, dict[str, list[Difference]]]) -> None:
    seen = {code for found in parted[name].values() for one in found for code in one.departs}
    assert set(BY_DESIGN[name]) <= seen


@pytest.mark.parametrize("name", BOOK)
def test_the_page_tells_how_many(name: str, parted: dict[str, dict[str, list[Difference]]]) -> None:
    racks, found = games(name), parted[name]
    alike = [game for game in racks if all(one.what in HARMLESS for one in found[game.id])]
    column = list(BOOK).index(name)
    told = re.findall(r"^\| ([a-z ]+) \| (\d+) \| (\d+) \|$", _section(), re.MULTILINE)
    assert {what: int(numbers[column]) for what, *numbers in told} == {
        "racks": len(racks),
        "clean racks": sum(game.clean for game in racks),
        "racks judged alike to their end": len(alike),
        "strokes": sum(len(game.strokes) for game in racks),
        "strokes of clean racks": sum(len(game.strokes) for game in racks if game.clean),
        "strokes judged by both": sum(_judged(game, found[game.id]) for game in racks),
    }


def test_the_page_tells_by_code(parted: dict[str, dict[str, list[Difference]]]) -> None:
    strokes = Counter(
        code
        for name in BOOK
        for game in games(name)
        for stroke in game.strokes
        for code in stroke.departs
    )
    racks = Counter(
        (code, one.what)
        for name, found in parted.items()
        for some in found.values()
        for one in some
        for code in one.departs & set(BY_DESIGN[name])
        if one.what in BY_DESIGN[name][code]
    )
    row = r"^\| (\w+) \| [^|]+ \| (\d+) \| ([a-z ]+|–) \| (\d+) \|$"
    told = re.findall(row, _section(), re.MULTILINE)
    assert {code: int(number) for code, number, _, _ in told} == dict(strokes)
    assert {(code, what): int(number) for code, _, what, number in told if what != "–"} == racks
    assert {int(number) for _, _, what, number in told if what == "–"} == {0}


def _section() -> str:
    """What the page says of pool."""
    return PAGE.read_text("utf-8").split("\n## Pool\n")[1].split("\n## ")[0]
