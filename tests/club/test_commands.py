"""The club list at the command line, as a club's secretary meets it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.cli import main
from tests.club.test_roster import PLAYED


@pytest.fixture
def tacada(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """A command on a journal with two matches; what it printed."""
    journal = tmp_path / "journal.db"

    def run(*command: str, fails: bool = False) -> str:
        capsys.readouterr()
        assert main([*command, "--journal", str(journal)]) == (1 if fails else 0)
        said = capsys.readouterr()
        return said.err if fails else said.out + said.err

    (tmp_path / "t.sheet").write_text(PLAYED, "utf-8")
    run("import", str(tmp_path / "t.sheet"))
    return run


def test_a_list_out_and_in(tacada: Callable[..., str], tmp_path: Path) -> None:
    said = tacada("club", "set", "bia", "--short", "BIA", "--handicap", "three_cushions=25")
    assert said == "#2  bia  short BIA  three_cushions 25\n"
    file = tmp_path / "club.csv"
    tacada("club", "export", str(file))
    assert tacada("club", "import", str(file)) == "0 new players, 0 changed, 4 as they were\n"
    file.write_text(file.read_text("utf-8").replace("BIA", "BI") + "Duda\n", "utf-8")
    assert tacada("club", "import", str(file)) == "1 new players, 1 changed, 3 as they were\n"
    assert "#2  bia  short BI  three_cushions 25\n" in tacada("club", "list")
    tacada("club", "set", "bia", "--handicap", "three_cushions=")
    assert "#2  bia  short BI\n" in tacada("club", "list")
    assert tacada("club", "export").splitlines()[0].startswith("name,short,spoken,")


def test_a_list_that_cannot_be_taken_in(tacada: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "club.csv"
    assert "No such file" in tacada("club", "import", str(file), fails=True)
    file.write_bytes("name\nJoão\n".encode("cp1252"))
    assert "save it as CSV UTF-8" in tacada("club", "import", str(file), fails=True)
    file.write_text("name\nAna Prado\nB/C\n")
    before = tacada("club", "list")
    assert "line 3" in tacada("club", "import", str(file), fails=True)
    assert tacada("club", "list") == before
    told = tacada("club", "set", "Bia", "--handicap", "golf=3", fails=True)
    assert "as three_cushions=25; there are straight_rail" in told


def test_doubles_are_merged_and_parted(tacada: Callable[..., str]) -> None:
    assert "#3 is #1, Ana Prado" in tacada("club", "merge", "A. Prado", "Ana Prado")
    assert "#1  Ana Prado  #3\n" in tacada("club", "list")
    assert "Ana Prado - Caio" in tacada("matches")
    assert "Matches: 2" in tacada("stats", "Ana Prado", "--language", "en")
    tacada("club", "part", "#3", "Alba Prado")
    assert "Alba Prado - Caio" in tacada("matches")
    assert "name the double by its number" in tacada("club", "part", "Bia", "B", fails=True)


def test_who_played_each_other_is_two(tacada: Callable[..., str]) -> None:
    told = tacada("club", "merge", "Bia", "Ana Prado", fails=True)
    assert told == "tacada: Bia and Ana Prado both play in match sheet:one: they are two players\n"


def test_a_name_goes_from_everything_that_is_made(
    tacada: Callable[..., str], tmp_path: Path
) -> None:
    tacada("club", "merge", "A. Prado", "Ana Prado")
    assert tacada("club", "remove", "Ana Prado") == (
        "Ana Prado is #1 from now on; no match was touched\n"
    )
    pages = [tmp_path / "sheet.html", tmp_path / "sheet.pdf"]
    for page in pages:
        tacada("print", "sheet:two", str(page))
    shown = [
        tacada("matches"),
        tacada("stats"),
        tacada("stats", "Caio"),
        tacada("stats", "Caio", "--json"),
        tacada("club", "list"),
        tacada("club", "export"),
        *(tacada("export", "--as", form) for form in ("sheet", "json", "csv")),
        pages[0].read_text("utf-8"),
        tacada("show", "sheet:one"),
    ]
    assert [text for text in shown if "Prado" in text] == []
    assert "#1 - Caio" in shown[0]
    assert "#1" in pages[0].read_text("utf-8")
    assert "Matches: 2" in tacada("stats", "#1", "--language", "en")


def test_a_name_that_was_removed_by_mistake_can_be_given_again(tacada: Callable[..., str]) -> None:
    tacada("club", "remove", "Ana Prado")
    assert tacada("club", "rename", "#1", "Ana Lima") == "#1 is Ana Lima\n"
    assert "Ana Lima - Bia" in tacada("matches")
    assert "there is no player #77" in tacada("club", "rename", "#77", "X Y", fails=True)


def test_files_that_still_hold_a_name_are_told(tacada: Callable[..., str], tmp_path: Path) -> None:
    old = tmp_path / "journal.db.before-20260101T000000Z"
    old.write_bytes(b"... Ana Prado ...")
    assert f"tacada: {old} holds the name still" in tacada("club", "remove", "Ana Prado")
