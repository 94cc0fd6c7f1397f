"""Statistics of players over many matches, checked by hand on few."""

import json
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from firmware.cli import main
from firmware.journal.journal import Journal
from firmware.records.details import Detail, detail
from firmware.records.kept import kept
from firmware.records.sheets import imported
from firmware.records.statistics import Period, appearances, points_of, totals
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from rules.sides import Side

DAY_MS = 86_400_000
START_MS = 1_700_000_000_000  # 2023-11-14

SEASON = """id: one
rulebook: ug
format: target=5/5
A: Ana
B: Bia
first: A
=3 =0 =2 OK =1 OK

id: two
rulebook: ug
format: target=5/5
A: Bia
B: Ana
first: A
=1 =0 =4 OK =5 OK

id: three
rulebook: uk
format: target=4/4
A: Ana
B: Caio / Duda
first: A
=0 =0 =0 =4

id: four
rulebook: ug
A: Ana
B: Bia
first: A
=7
"""


LEAGUE = """id: one
rulebook: nl
format: target=38/21
A: Piet
B: Kees
first: A
=20 =10 =13 =11 OK

id: two
rulebook: nl
format: target=40/40
A: Kees
B: Piet
first: A
=40 OK =40 OK

id: three
rulebook: nl
format: target=40/40
A: Kees
B: Piet
first: A
=6 =9 AWARD(B,absence) OK
"""


def test_what_matches_are_worth_and_that_absence_says_nothing_of_a_player(tmp_path: Path) -> None:
    """Piet: lost with 33 of 38, drew, won against nobody; those nine points are no average."""
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        for day, sheet in enumerate(read_sheets(LEAGUE, notation_of)):
            imported(journal, sheet, START_MS + day * DAY_MS)
        numbers = {name: number for number, name in journal.players().items()}
        piet = [line for line in appearances(journal) if numbers["Piet"] in line.members]
    assert [line.won for line in piet] == [False, None, True]
    assert [line.drawn for line in piet] == [False, True, False]
    assert [line.irregular for line in piet] == [False, False, True]
    total = totals(piet)
    assert (total.points, total.innings, total.general_average) == (73, 3, "24.333")
    assert total.best_runs == (40, 20, 9)
    assert total.match_points == "3"
    assert points_of(piet, "belgian") == 8 + 10 + 10
    assert points_of(piet[:2], "percent") == Decimal("18.68")
    assert points_of(piet, "boxtel", "16.50") == 8 + 12 + 10
    assert points_of(piet, "boxtel", "16.49") == 9 + 12 + 10


def test_the_worth_of_the_matches_is_asked_for(stats: Callable[..., str]) -> None:
    assert figures(stats("Ana", "--points", "match"))["match"] == "3"
    assert figures(stats("Ana", "--points", "percent"))["percent"] == "20.00"
    told = stats("Ana", "--points", "boxtel", "--set-average", "one")
    assert "--points boxtel" in told


@pytest.fixture
def stats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    journal_file = tmp_path / "journal.db"
    with closing(Journal.open(journal_file)[0]) as journal:
        for day, sheet in enumerate(read_sheets(SEASON, notation_of)):
            imported(journal, sheet, START_MS + day * DAY_MS)

    def run(*command: str) -> str:
        capsys.readouterr()
        full = ["stats", *command, "--journal", str(journal_file), "--language", "en"]
        status = main(full)
        said = capsys.readouterr()
        return said.err if status else said.out

    return run


def figures(text: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)


def test_general_average_is_points_by_innings_cut(stats: Callable[..., str]) -> None:
    """Ana: 5 in 2, 5 in 2, 0 in 2: ten in six, 1.666 and not 1.667."""
    shown = figures(stats("ana"))
    assert shown["General average"] == "1.666"
    assert shown["Best average"] == "2.500"
    assert shown["Matches"] == "3 (Won 1, Lost 1)"
    assert shown["High run"] == "5"


def test_a_match_that_is_not_over_does_not_count(stats: Callable[..., str]) -> None:
    assert "sheet:four" not in stats("Ana")


def test_the_evidence_is_every_match_counted(stats: Callable[..., str]) -> None:
    rows = stats("Ana").splitlines()[1:4]
    assert [row.split()[1] for row in rows] == ["sheet:one", "sheet:two", "sheet:three"]
    assert [row.split()[0] for row in rows] == ["2023-11-14", "2023-11-15", "2023-11-16"]


@pytest.mark.parametrize(
    ("command", "matches"),
    [
        (["--against", "Bia"], 2),
        (["--last", "1"], 1),
        (["--rulebook", "uk"], 1),
        (["--since", "2023-11-15"], 2),
        (["--until", "2023-11-14"], 1),
        (["--since", "2023-11-15", "--until", "2023-11-15"], 1),
    ],
)
def test_some_of_the_matches(stats: Callable[..., str], command: list[str], matches: int) -> None:
    content = json.loads(stats("Ana", "--json", *command))
    assert content["totals"]["matches"] == matches == len(content["matches"])


def test_all_players_the_best_first(stats: Callable[..., str]) -> None:
    rows = [row.split()[0] for row in stats().splitlines()[1:]]
    assert rows == ["Caio", "Ana", "Bia"]
    assert "Caio + Duda" in stats()


def test_who_is_not_there_is_told_who_is(stats: Callable[..., str]) -> None:
    assert "there is no player An; there are Ana" in stats("An")


@pytest.mark.parametrize("name", ["averages.png", "averages.svg"])
def test_averages_as_a_picture(stats: Callable[..., str], tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    stats("Ana", "--plot", str(out))
    if out.suffix == ".png":
        with Image.open(out) as image:
            assert image.size == (800, 400)
    else:
        assert "<svg" in out.read_text("utf-8")


MIXED = """id: carom
rulebook: ug
format: target=5/5
A: Ana
B: Bia
first: A
=3 =0 =2 OK =1 OK

id: straight
rulebook: fpb141
format: target=10/10
A: Ana
B: Bia
first: A
POT(10) OK

id: again
rulebook: ug
format: target=4/4
A: Ana
B: Bia
first: A
=0 =0 =4 OK =1 OK
"""


def test_disciplines_are_never_mixed_in_an_average(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five in two innings, ten in one of 14.1, four in two: nine in four, and ten in one."""
    file = tmp_path / "journal.db"
    with closing(Journal.open(file)[0]) as journal:
        for day, sheet in enumerate(read_sheets(MIXED, notation_of)):
            imported(journal, sheet, START_MS + day * DAY_MS)

    def said(*command: str) -> str:
        capsys.readouterr()
        assert main(["stats", *command, "--journal", str(file), "--language", "en"]) == 0
        return capsys.readouterr().out

    content = json.loads(said("Ana", "--json"))
    assert [text for _, text in content["moving"]] == ["2.500", "10.000", "2.250"]
    assert content["totals"]["general_average"] == "-"
    assert (content["totals"]["matches"], content["totals"]["high_run"]) == (3, 0)
    rows = said("Ana", "--by", "season").split("Season", 1)[1].splitlines()[1:]
    assert [row.split()[-3] for row in rows] == ["2.250", "10.000"]
    assert said().splitlines()[1].split() == [
        *("Ana", "14.1", "1", "1", "0", "10.000", "10.00", "10")
    ]
    assert said("--json").count('"discipline": "three_cushions"') == 2
    picture = tmp_path / "averages.svg"
    said("Ana", "--plot", str(picture))
    text = picture.read_text("utf-8")
    assert [text.count(f"Ana · {game}") for game in ("14.1", "three cushions")] == [1, 1]


@pytest.mark.parametrize("asked", ["--details", "--by=day", "--plot=x.svg", "--against=Bia"])
def test_what_is_told_of_one_player_alone_needs_one(stats: Callable[..., str], asked: str) -> None:
    assert "needs a player" in stats(asked)


def test_a_picture_is_png_or_svg(stats: Callable[..., str]) -> None:
    assert "must end in .png or .svg" in stats("Ana", "--plot", "averages.gif")


def test_put_together_by_season_and_opponent(stats: Callable[..., str]) -> None:
    rows = stats("Ana", "--by", "season").split("Season", 1)[1].splitlines()
    assert rows[1].split()[:5] == ["2023/24", "3", "1", "1", "1.666"]
    rows = stats("Ana", "--by", "opponent").split("Head to head", 1)[1].splitlines()
    assert [row.split()[:4] for row in rows[1:]] == [
        ["Bia", "2", "1", "0"],
        ["Caio", "+", "Duda", "1"],
    ]
    content = json.loads(stats("Ana", "--by", "month", "--json"))
    assert list(content["by"]) == ["2023-11"]


def test_a_match_is_his_who_was_put_in_afterwards(tmp_path: Path) -> None:
    """The wrong name was typed, and the set-up mended: the record stands, the match is Bia's."""
    text = (
        "id: t\nrulebook: ug\nformat: target=5/5\nA: Ana\nB: Caio\nfirst: A\n"
        "=3 [SPLICE(0,0) SETUP(rulebook=uk,A=3,B=2,first=A,format.target=5/5)] =0 =2 OK\n"
    )
    (sheet,) = read_sheets(text, notation_of)
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        journal.club.written_down(3, "Bia")
        journal.club.written_down(1, "Ana")
        journal.club.written_down(2, "Caio")
        id_ = imported(journal, sheet, START_MS)
        assert kept(journal, id_).names == (("Bia",), ("Caio",))
        mine = [(line.rulebook, line.points) for line in appearances(journal, player=3)]
        assert mine == [("uk", 5)]
        assert list(appearances(journal, player=1)) == []
        assert list(appearances(journal, rulebooks=["ug"])) == []


@pytest.mark.parametrize(
    "spoilt", ["version = 0", "summary = ''", "summary = '{'", """summary = '{"setup": 3}'"""]
)
def test_a_match_whose_summary_cannot_be_read_counts_all_the_same(
    tmp_path: Path, spoilt: str
) -> None:
    """It is made again from the records, also where an edit has put another player in."""
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        for day, sheet in enumerate(read_sheets(SEASON, notation_of)):
            imported(journal, sheet, START_MS + day * DAY_MS)
        whole = list(appearances(journal))
        journal._db.execute(f"UPDATE summaries SET {spoilt}")
        assert list(appearances(journal)) == whole


def test_a_season_begins_in_september() -> None:
    def of(year: int, month: int) -> str:
        when = datetime(year, month, 1, tzinfo=UTC)
        return Period.SEASON.of(round(when.timestamp() * 1000))

    assert [of(2026, 8), of(2026, 9), of(1999, 12)] == ["2025/26", "2026/27", "1999/00"]


def test_the_average_of_the_last_two_after_each_match(stats: Callable[..., str]) -> None:
    """Five in two; ten in four; five in four."""
    content = json.loads(stats("Ana", "--moving", "2", "--json"))
    assert [text for _, text in content["moving"]] == ["2.500", "2.500", "1.250"]
    head, *rows = stats("Ana", "--moving", "2").splitlines()
    assert head.endswith("Average of the last 2")
    assert [row.split()[-1] for row in rows[:3]] == ["2.500", "2.500", "1.250"]


GAMES = """id: rack
rulebook: wpa9
format: race=2/2
A: Ana
B: Bia
first: A
POT(2) POT(7,M) OK / POT(2) SAFE / POT(1) POT(6,M)

id: frame
rulebook: wpbsa
format: target=1
A: Ana
B: Bia
first: A
/ =72 =104 CONCEDE(B) OK
"""


def test_breaks_pots_safeties_and_racks_run_from_the_break(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        for day, sheet in enumerate(read_sheets(GAMES, notation_of)):
            imported(journal, sheet, START_MS + day * DAY_MS)
        rack, frame = (kept(journal, f"sheet:{name}") for name in ("rack", "frame"))
    a, b = detail(rack, Side.A), detail(rack, Side.B)
    assert (a.break_and_runs, a.first_visit, a.frames_won) == (1, 1, 2)
    assert (a.pots, a.safeties, b.pots, b.safeties) == (5, 1, 0, 0)
    a, b = detail(frame, Side.A), detail(frame, Side.B)
    assert (a.breaks_50, a.breaks_100, b.breaks_50, b.breaks_100) == (0, 1, 1, 0)
    where = ["--journal", str(tmp_path / "journal.db"), "--language", "en"]
    assert main(["stats", "Ana", "--details", *where]) == 0
    told = capsys.readouterr().out
    assert "9-ball\n" in told
    assert "Total" in told
    assert "Time per shot (s)" in told


def test_of_frames_by_totals_no_stroke_is_claimed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "id: t\nrulebook: wpbsa\nformat: target=1\nA: Ana\nB: Bia\nfirst: A\n"
        "[ ADJUST(score=94/0,breaks=65/-) AWARD(A) ] OK\n"
    )
    (sheet,) = read_sheets(text, notation_of)
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        imported(journal, sheet, START_MS)
    where = ["--journal", str(tmp_path / "journal.db"), "--language", "en"]
    assert main(["stats", "Ana", "--details", *where]) == 0
    _, row = [line for line in capsys.readouterr().out.splitlines() if "sheet:t" in line]
    assert row.split()[:3] == ["sheet:t", "0", "-"], "strokes"
    assert "0/1" not in row, "won in the first visit"


def test_time_and_fouls_are_counted_from_the_entries(tmp_path: Path) -> None:
    text = (
        "id: t\nrulebook: ug\nformat: target=5/5\nfirst: A\n"
        "@0:10.000 +1 @0:30.000 +1 @0:50.000 / @1:20.000 FOUL @1:50.000 +1 @2:00.000 /\n"
    )
    (sheet,) = read_sheets(text, notation_of)
    with closing(Journal.open(tmp_path / "journal.db")[0]) as journal:
        match = kept(journal, imported(journal, replace(sheet), START_MS))
    a, b = detail(match, Side.A), detail(match, Side.B)
    assert (a.visits, a.strokes, a.fouls) == (2, 5, 0)
    assert (b.visits, b.strokes, b.fouls) == (1, 1, 1)
    assert (a.visit_s, a.shot_s) == ("45.0", "18.0")
    assert (b.visit_s, b.shot_s) == ("30.0", "30.0")
    assert (a + b).shot_s == "20.0"
    assert Detail().shot_s == "-"
