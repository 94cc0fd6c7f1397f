"""The journal at the command line, as a club's volunteer meets it."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from firmware.board.dots import DOT_PX
from firmware.cli import main

SHEET = """id: t2
rulebook: ug
format: target=5/5
A: Ana
B: =Bia
first: A
+1 @0:12.000 +1 / =2 @0:40.000 FOUL =1 +3 OK =1 OK
"""


@pytest.fixture
def tacada(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """A command on a journal with one match; what it printed."""
    journal = tmp_path / "journal.db"

    def run(*command: str, fails: bool = False) -> str:
        capsys.readouterr()
        assert main([*command, "--journal", str(journal)]) == (1 if fails else 0)
        said = capsys.readouterr()
        return said.err if fails else said.out

    (tmp_path / "t2.sheet").write_text(SHEET, "utf-8")
    assert run("import", str(tmp_path / "t2.sheet")) == "sheet:t2\n"
    return run


def test_a_list_of_matches(tacada: Callable[..., str]) -> None:
    assert tacada("matches").split("  ")[2:] == ["ug", "finished", "Ana - =Bia", "5-4\n"]


def test_an_exported_sheet_can_be_replayed(tacada: Callable[..., str], tmp_path: Path) -> None:
    out = tmp_path / "out.sheet"
    assert tacada("export", "sheet:t2", "--out", str(out)) == ""
    assert main(["replay", str(out)]) == 0
    assert "by:" in out.read_text("utf-8")
    assert "by:" not in tacada("export", "--plain")


def test_a_csv_has_a_row_for_each_visit(tacada: Callable[..., str]) -> None:
    rows = list(csv.DictReader(io.StringIO(tacada("export", "--as", "csv"))))
    assert [(row["visit"], row["side"], row["points"]) for row in rows] == [
        ("1", "A", "2"),
        ("1", "B", "2"),
        ("2", "A", "0"),
        ("2", "B", "1"),
        ("3", "A", "3"),
        ("3", "B", "1"),
    ]
    assert rows[0]["acts"] == "'+1 +1 /", "no spreadsheet takes it for a formula"
    assert [row["strokes"] for row in rows] == ["3", "", "1", "", "", ""]
    assert [row["fouls"] for row in rows] == ["0", "0", "1", "0", "0", "0"]
    assert rows[1]["player"] == "'=Bia"
    assert (rows[2]["began_ms"], rows[2]["took_ms"]) == ("12000", "28000")


def test_a_csv_marks_what_was_changed_later(tacada: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "edited.sheet"
    file.write_text("id: e\nrulebook: ug\nfirst: A\n=3 =2 EDIT(A1=4)\n", "utf-8")
    tacada("import", str(file))
    rows = csv.DictReader(io.StringIO(tacada("export", "sheet:e", "--as", "csv")))
    assert [(row["points"], row["edited"]) for row in rows] == [("4", "1"), ("2", "0")]


def test_a_csv_has_a_row_for_each_frame(tacada: Callable[..., str]) -> None:
    (row,) = csv.DictReader(io.StringIO(tacada("export", "--as", "csv", "--rows", "frame")))
    assert (row["frame"], row["opener"], row["winner"]) == ("1", "A", "A")
    assert (row["score_a"], row["score_b"], row["player_b"]) == ("5", "4", "'=Bia")


def test_a_match_typed_by_hand_is_of_its_day(tacada: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "old.sheet"
    file.write_text(SHEET.replace("id: t2", "id: old"), "utf-8")
    tacada("import", str(file), "--on", "2025-03-01")
    assert "2025-03-01" in tacada("matches").splitlines()[-1]


def test_a_file_with_a_wrong_sheet_leaves_nothing_behind(
    tacada: Callable[..., str], tmp_path: Path
) -> None:
    file = tmp_path / "typed.sheet"
    good = "id: {}\nrulebook: ug\nformat: target=3/3\nfirst: A\n+1 / =2\n\n"
    file.write_text(good.format("g1") + good.format("g2").replace("+1", "+9"), "utf-8")
    before = tacada("matches")
    assert "g2: does not hold" in tacada("import", str(file), fails=True)
    assert tacada("matches") == before
    file.write_text(good.format("g1") + good.format("g2"), "utf-8")
    assert tacada("import", str(file)) == "sheet:g1\nsheet:g2\n"


def test_json_has_every_record_with_who_and_when(tacada: Callable[..., str]) -> None:
    content = json.loads(tacada("export", "sheet:t2", "--as", "json"))
    assert content["score"]["score"] == [5, 4]
    assert [record["act"] for record in content["records"][1:4]] == ["+1", "+1", "/"]
    assert content["records"][2] == {
        **content["records"][2],
        "by": "sheet#2",
        "t_ms": 12000,
        "seq": 2,
    }


def test_the_board_of_any_moment(tacada: Callable[..., str], tmp_path: Path) -> None:
    png = tmp_path / "board.png"
    said = tacada("show", "sheet:t2", "--at", "5", "--png", str(png))
    assert said.startswith("record 5: FOUL by sheet#5")
    assert "Ana 2–2 =Bia" in said
    with Image.open(png) as image:
        assert image.size == (64 * DOT_PX, 16 * DOT_PX)
        assert len(image.getcolors() or ()) >= 3


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["export", "nix"], "there is no match nix; the last ones are sheet:t2"),
        (["show", "sheet:t2", "--at", "99"], "has records 0 to 10, not 99"),
        (["import", "nowhere.sheet"], "nowhere.sheet: cannot be read"),
    ],
)
def test_what_cannot_be_is_said(tacada: Callable[..., str], command: list[str], says: str) -> None:
    assert says in tacada(*command, fails=True)


def test_without_a_journal_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["matches", "--journal", str(tmp_path / "none.db")]) == 1
    assert "there is no journal" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
