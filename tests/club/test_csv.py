"""The club list to a spreadsheet and back."""

import csv
import io

import pytest

from firmware.club.csv_file import COLUMNS, as_csv, read_csv
from firmware.club.player import Handicap, Listed, Player
from firmware.errors import ConfigError

CLUB = (
    Player(1, "João Conceição", "JOÃO", "Zhoo-ow", {"three_cushions": Handicap(25)}),
    Player(2, "=Bia", "", "", {"snooker": Handicap(None, -7), "nine_ball": Handicap(5)}),
    Player(3, 'O"Brien, P.'),
)


def test_out_and_in_again_is_the_same() -> None:
    listed = read_csv(as_csv(CLUB), "club.csv")
    pairs = list(zip(listed, CLUB, strict=True))
    assert [one.over(player) for one, player in pairs] == list(CLUB)
    assert [one.over(Player(player.number, "?")) for one, player in pairs] == list(CLUB)


def test_no_cell_is_a_formula_or_loses_its_meaning() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(CLUB))))
    assert rows[0] == list(COLUMNS)
    for row in rows[1:]:
        assert not [cell for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert rows[2][COLUMNS.index("snooker")] == "start -7"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_as_a_spreadsheet_writes_it(delimiter: str) -> None:
    text = "\ufeffName,Snooker,short\r\n  Ana  Prado ,start 14,ANA\r\n,,\r\nBia,,\r\n"
    assert read_csv(text.replace(",", delimiter), "club.csv") == (
        Listed("Ana Prado", "ANA", None, {"snooker": Handicap(None, 14)}),
        Listed("Bia", "", None, {"snooker": None}),
    )


def test_all_that_is_wrong_is_told_with_its_line() -> None:
    text = "name,snooker\nAna,x\nana,+3\nB/C,\nCaio,1,2\n,5\n"
    with pytest.raises(ConfigError) as caught:
        read_csv(text, "club.csv")
    problems = caught.value.problems
    assert [problem[:17] for problem in problems] == [
        "club.csv, line 2:",
        "club.csv, line 4:",
        "club.csv, line 5:",
        "club.csv, line 6:",
    ]
    assert "snooker: 'x' is no handicap" in problems[0]
    twice = "name\nAna\nBia\nANA\n"
    with pytest.raises(ConfigError, match="line 4: ANA stands in line 2 already"):
        read_csv(twice, "club.csv")


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("", "no column `name`"),
        ("short,snooker", "no column `name`; the columns are name, short"),
        ("name,three_cushion", "`three_cushion` is known.*three_cushions"),
        ("name,golf", "`golf` is known .name, short, spoken, straight_rail"),
        ("name,short,short", "`short` is there more than once"),
    ],
)
def test_a_head_that_is_none(head: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        read_csv(f"{head}\nAna\n", "club.csv")
