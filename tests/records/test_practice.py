"""Practice alone: what a session comes to, from the table to `tacada stats` and the sheet."""

import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest
from pypdf import PdfReader

from firmware.cli import main
from firmware.i18n import load_language
from firmware.journal.journal import Journal
from firmware.journal.played import sides_of
from firmware.records.document import document
from firmware.records.kept import kept
from firmware.records.sheets import imported
from firmware.records.words import load_words
from firmware.setup.preset import Preset
from firmware.table.setting_up import Ready
from rules.notation import read_token
from rules.record import Setup, Source, read_setup, setup_text
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.firmware.room import Room, in_room

PRACTICE = Preset("3c", ("Ana",), (), (("alone", "on"), ("target", "none/none")))
"""As the set-up at the table makes it."""

SESSIONS = """id: carom
rulebook: 3c
format: alone=on target=none/none
A: Ana
=3 =0 =5 +1

id: nothing
rulebook: 3c
format: alone=on target=none/none
A: Ana
first: A

id: snooker
rulebook: wpbsa
format: alone=on
A: Ana
R K R K / R P /

id: racks
rulebook: wpa9
format: alone=on
A: Bia
POT(2) POT(1) / POT(1) /

id: straight
rulebook: fpb141
format: alone=on target=999/999
A: Ana
POT(1) POT(1) POT(1) / POT(1) FOUL

id: match
rulebook: 3c
format: target=5/5
A: Ana
B: Bia
first: A
=5 OK =0 OK
"""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with closing(Journal.open(path)[0]) as opened:
        for sheet in read_sheets(SESSIONS, notation_of):
            imported(opened, sheet, 1_700_000_000_000)
    return path


def stats(capsys: pytest.CaptureFixture[str], journal: Path, *words: str) -> str:
    assert main(["stats", *words, "--journal", str(journal), "--language", "en"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("rulebook", "figures"),
    [
        ("3c", (9, 4, "2.250", 5)),
        ("wpbsa", (23, 2, "11.500", 16)),
        ("fpb141", (4, 2, "2.000", 3)),
    ],
)
def test_a_session_has_its_points_innings_and_best_run(
    journal: Path,
    capsys: pytest.CaptureFixture[str],
    rulebook: str,
    figures: tuple[int, int, str, int],
) -> None:
    told = json.loads(stats(capsys, journal, "Ana", "--practice", "--json", "--rulebook", rulebook))
    (line,) = told["matches"]
    found = (line["points"], line["innings"], line["average"], line["high_run"])
    assert found == figures
    assert (line["opponents"], line["won"]) == ([], None)
    assert told["totals"]["high_run"] == figures[-1]


def test_in_racks_the_balls_count(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = stats(capsys, journal, "Bia", "--practice")
    assert told.splitlines()[1].split()[2:7] == ["wpa9", "3", "2", "1.500", "2"]
    assert "won" not in told, "nobody wins or loses"


def test_practice_and_matches_are_never_counted_together(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matches = json.loads(stats(capsys, journal, "Ana", "--json"))
    assert [line["match"] for line in matches["matches"]] == ["sheet:match"]
    practice = json.loads(stats(capsys, journal, "Ana", "--practice", "--json"))
    assert [line["match"] for line in practice["matches"]] == [
        "sheet:carom",
        "sheet:snooker",
        "sheet:straight",
    ]
    table = stats(capsys, journal, "--practice")
    assert sorted(row.split()[:2] for row in table.splitlines()[1:]) == [
        ["Ana", "14.1"],
        ["Ana", "snooker"],
        ["Ana", "three"],
        ["Bia", "9-ball"],
    ]
    rows = stats(capsys, journal, "Ana", "--practice", "--details").splitlines()
    assert ["sheet:snooker", "2", "8", "6"] in [row.split()[:4] for row in rows]


@pytest.mark.parametrize(
    ("session", "who"),
    [("carom", "Ana"), ("snooker", "Ana"), ("racks", "Bia"), ("straight", "Ana")],
)
def test_whoever_practises_alone_has_one_column_and_signs_alone(
    journal: Path, session: str, who: str
) -> None:
    words = load_words("en")
    with closing(Journal.read(journal)) as opened:
        paper = document(kept(opened, f"sheet:{session}"), words, load_language("en"))
    assert paper.signatures == (words.referee, who)
    assert f"{words.player} B" not in dict(paper.facts)
    for table in paper.tables:
        assert not [head for head in table.columns if head == "B" or head.endswith(" B")]
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_a_session_at_the_table_is_in_the_statistics_and_on_a_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is still open: nothing has to end it."""

    async def practised(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        assert room.app.table is not None
        begun = await room.app.table._begin(PRACTICE, Source("panel", "1"))  # nobody is side B
        room.app.table._presses.put_nowait(Ready(begun))
        await room.until(lambda view: view.line is not None and view.line.alone)
        for key in ("plus1", "plus1", "end", "plus5", "end", "end", "plus1"):
            await room.finger.press(key)
            await asyncio.sleep(1.05)  # the same key within a second is the same press
        await room.until(lambda view: view.line is not None and view.line.seq == 7)

    in_room(lambda: Room(tmp_path), practised)
    journal = tmp_path / "journal.db"
    told = json.loads(stats(capsys, journal, "Ana", "--practice", "--json"))
    (line,) = told["matches"]
    found = (line["points"], line["innings"], line["average"], line["high_run"])
    assert found == (8, 4, "2.000", 5)
    file = tmp_path / "sheet.pdf"
    assert main(["print", line["match"], str(file), "--journal", str(journal)]) == 0
    printed = " ".join(page.extract_text() for page in PdfReader(file).pages)
    assert "Ana" in printed
    assert "2.000" in printed


def test_a_set_up_without_an_opponent_is_written_and_read() -> None:
    setup = Setup("3c", ((7,), ()), (("alone", "on"),))
    text = setup_text(setup)
    assert text == "SETUP(rulebook=3c,A=7,format.alone=on)"
    assert read_setup(read_token(text).args) == setup
    assert sides_of(text) == ((7,), ())
