"""The club list beside the records: doubles, new names, names that go; no record is touched."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.club.player import Handicap, Listed, Player, cleaned
from firmware.errors import ClubError
from firmware.journal.journal import Journal
from firmware.records.kept import kept
from firmware.records.sheets import imported
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.firmware.journal_rig import raw

PLAYED = """id: one
rulebook: ug
format: target=5/5
A: Ana Prado
B: Bia
first: A
=3 =0 =2 OK =1 OK

id: two
rulebook: ug
format: target=5/5
A: A. Prado
B: Caio
first: A
=5 OK =4 OK
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal.open(path)[0]) as opened:
        for sheet in read_sheets(PLAYED, notation_of):
            imported(opened, sheet, 1_700_000_000_000)
        yield opened


def names(journal: Journal, id_: str) -> list[str]:
    return [name for side in kept(journal, id_).names for name in side]


def test_a_name_is_one_player_however_it_is_spelt(journal: Journal) -> None:
    ana = journal.club.enlist("Ana Prado")
    assert journal.club.enlist(" ana  PRADO ") == ana
    assert journal.club.enlist("Ana Prado Neto") != ana
    joao = journal.club.enlist("João")
    assert journal.club.enlist("Joa\u0303o") == joao, "the same letters, composed or not"


def test_the_list_leaves_out_who_is_nobody(journal: Journal) -> None:
    journal.club.enlist("A")
    listed = [player.name for player in journal.club.players()]
    assert listed == ["A. Prado", "Ana Prado", "Bia", "Caio"]


def test_doubles_are_one_player_and_no_record_is_touched(journal: Journal, path: Path) -> None:
    before = raw(path, "SELECT * FROM records")
    double, ana = journal.club.merge("A. Prado", "Ana Prado")
    assert journal.club.doubles() == {double: ana}
    assert names(journal, "sheet:two") == ["Ana Prado", "Caio"]
    assert "A. Prado" not in [player.name for player in journal.club.players()]
    assert journal.club.number(f"#{double}") == ana
    journal.club.rename("Ana Prado", "Ana Lima")
    assert names(journal, "sheet:one") + names(journal, "sheet:two") == [
        "Ana Lima",
        "Bia",
        "Ana Lima",
        "Caio",
    ]
    journal.club.part(double, "A. Prado")
    assert names(journal, "sheet:two") == ["A. Prado", "Caio"]
    assert raw(path, "SELECT * FROM records") == before


def test_a_chain_of_doubles_leads_to_one(journal: Journal) -> None:
    double, ana = journal.club.merge("A. Prado", "Ana Prado")
    _, caio = journal.club.merge("Ana Prado", "Caio")
    assert journal.club.doubles() == {double: caio, ana: caio}
    assert names(journal, "sheet:one") == ["Caio", "Bia"]


def test_a_double_keeps_what_only_it_knew(journal: Journal) -> None:
    known = {"three_cushions": Handicap(25)}
    journal.club.take_in([Listed("A. Prado", "PRADO", None, {**known})])
    journal.club.merge("A. Prado", "Ana Prado")
    assert journal.club.player("Ana Prado").short == "PRADO"
    assert journal.club.player("Ana Prado").handicaps == known


def test_a_removed_player_is_a_number_everywhere(journal: Journal, path: Path) -> None:
    journal.club.take_in([Listed("Ana Prado", "PRADO", "Ana Prahdoh")])
    journal.club.merge("A. Prado", "Ana Prado")
    before = raw(path, "SELECT * FROM records")
    number = journal.club.remove("ana prado")
    assert journal.club.wipe()
    assert names(journal, "sheet:one") == [f"#{number}", "Bia"]
    assert names(journal, "sheet:two") == [f"#{number}", "Caio"]
    assert raw(path, "SELECT * FROM records") == before
    for file in path.parent.glob(f"{path.name}*"):
        content = file.read_bytes().lower()
        assert not [word for word in (b"prado", b"prahdoh") if word in content], file


def test_a_new_player_has_a_number_that_nobody_has_had(journal: Journal) -> None:
    """Neither a double's nor that of who was removed: their matches would become his."""
    last = journal.club.enlist("Caio")
    journal.club.merge("Caio", "Bia")
    dora = journal.club.enlist("Dora")
    assert dora > last
    assert names(journal, "sheet:two") == ["A. Prado", "Bia"]
    assert journal.club.remove("Dora") == dora
    assert journal.club.enlist("Eva") == dora + 1
    assert "Dora" not in {player.name for player in journal.club.players()}


def test_an_old_name_is_not_left_in_the_file(journal: Journal, path: Path) -> None:
    journal.club.rename("Ana Prado", "X. Y.")
    journal.club.merge("A. Prado", "X. Y.")
    assert journal.club.wipe()
    assert not any(b"Prado" in file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_a_reader_at_work_is_told_of(journal: Journal, path: Path) -> None:
    with closing(Journal.read(path)) as reader:
        rows = reader._db.execute("SELECT * FROM players")
        assert rows.fetchone()
        journal.club.remove("Bia")
        assert not journal.club.wipe()
        rows.close()
    assert journal.club.wipe()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda club: club.rename("Anna", "X"), "there is no player Anna$"),
        (lambda club: club.rename("Prado", "X"), "there are Ana Prado, A. Prado"),
        (lambda club: club.rename("Bia", "caio"), "caio is player #4; merge the two"),
        (lambda club: club.rename("Bia", "B/C"), "has no / in it"),
        (lambda club: club.merge("Bia", "#2"), "are one player already"),
        (lambda club: club.remove("#9"), "there is no player #9"),
        (lambda club: club.merge("Bia", "A"), "there is no player A"),
        (lambda club: club.part(2, "Bia B."), "#2 is nobody's double"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(
    journal: Journal, path: Path, change: object, says: str
) -> None:
    before = path.read_bytes()
    assert callable(change)
    with pytest.raises(ClubError, match=says):
        change(journal.club)
    assert journal.club.players() == tuple(
        Player(number, name)
        for number, name in ((3, "A. Prado"), (1, "Ana Prado"), (2, "Bia"), (4, "Caio"))
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["", "  ", "a/b", "#7", "Ana #7", "tab\x07", "x" * 61])
def test_names_that_a_sheet_could_not_hold(name: str) -> None:
    with pytest.raises(ClubError):
        cleaned(name)


def test_who_played_without_the_journal_is_the_player_of_that_name(journal: Journal) -> None:
    """A start without journal numbers players by the hour; later they are who they were."""
    ana, by_hour = journal.club.number("Ana Prado"), 170_000_000_000
    journal.club.written_down(by_hour, "ana prado")
    journal.club.written_down(by_hour + 1, "Duda")
    assert journal.club.doubles() == {by_hour: ana}
    assert journal.players()[by_hour] == "Ana Prado"
    assert journal.club.enlist("Ana Prado") == ana
    assert journal.club.enlist("Duda") == by_hour + 1


def test_another_program_that_writes_is_noticed(journal: Journal, path: Path) -> None:
    before = journal.changed()
    journal.club.enlist("Duda")
    assert journal.changed() == before, "what it wrote itself it knows"
    with closing(Journal.open(path)[0]) as other:
        other.club.rename("Bia", "Bianca")
    assert journal.changed() != before
