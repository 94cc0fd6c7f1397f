"""Printed sheets: what stands on them is what the log says, in every language."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from html import unescape
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader

from firmware.cli import main
from firmware.errors import ConfigError
from firmware.i18n import language_codes, load_language
from firmware.i18n import number as number_text
from firmware.journal.journal import Journal
from firmware.records.document import Document, Table, document
from firmware.records.exports import as_csv, as_json
from firmware.records.kept import Kept, kept
from firmware.records.pages import as_html, as_pdf
from firmware.records.protocols import playing
from firmware.records.sheets import imported, sheet_of
from firmware.records.visits import visits
from firmware.records.words import FOLDER, Words, load_words
from rules.entries import Adjust, Scope
from rules.frame import Frame
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Sheet, print_sheets, read_sheets
from rules.sides import Side
from rules.tally import counted, rolled_over
from tests.rules.waiting import waits_for

SHEETS = Path(__file__).parents[1] / "sheets"
EN = load_words("en")


def matches() -> Iterator[Sheet]:
    for file in sorted(SHEETS.glob("*matches.sheet")):
        yield from read_sheets(file.read_text("utf-8"), notation_of, file.name)


MATCHES = {sheet.id: sheet for sheet in matches() if waits_for(sheet) is None}


def in_journal(folder: Path, sheet: Sheet) -> Kept:
    with closing(Journal.open(folder / "journal.db")[0]) as journal:
        return kept(journal, imported(journal, sheet, 1_700_000_000_000))


def printed(match: Kept, words: Words = EN, code: str = "en") -> Document:
    return document(match, words, load_language(code))


def fact(sheet: Document, name: str) -> str:
    return dict(sheet.facts)[name]


def cells(sheet: Document) -> list[str]:
    return [cell for table in sheet.tables for row in table.rows for cell in row]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """All real matches, as ids of the sheets with `sheet:` before them."""
    path = tmp_path_factory.mktemp("printed") / "journal.db"
    with closing(Journal.open(path)[0]) as opened:
        opened._db.execute("PRAGMA synchronous = OFF")
        for sheet in MATCHES.values():
            imported(opened, sheet, 1_700_000_000_000)
        yield opened


@pytest.mark.parametrize("id_", MATCHES)
def test_the_figures_of_a_real_match_are_those_of_the_log(journal: Journal, id_: str) -> None:
    check_figures(kept(journal, f"sheet:{id_}"))


@pytest.mark.parametrize("file", [file.name for file in sorted(SHEETS.glob("*.sheet"))])
def test_the_figures_of_every_sheet_are_those_of_the_log(tmp_path: Path, file: str) -> None:
    """Every game, pairs, practice, sets and shoot-outs, ended or not, edited or taken up late."""
    text = (SHEETS / file).read_text("utf-8")
    sheets = [one for one in read_sheets(text, notation_of, file) if waits_for(one) is None]
    with closing(Journal.open(tmp_path / "journal.db")[0]) as opened:
        opened._db.execute("PRAGMA synchronous = OFF")
        for one in sheets:
            if not replay(one, rulebook_of).notes:
                match = kept(opened, imported(opened, one, 1_700_000_000_000))
                check_figures(match)
                if not match.ledger.match.setup.at and not put_right(match):
                    found = csv_scores(as_csv([match]))
                    for number in forfeited(match):
                        del found[number]  # its points went, which no visit says
                    assert found == csv_scores_of(match), one.id


def check_figures(match: Kept) -> None:
    """Everything on the sheet that is a figure is what the log says by another way."""
    sheet, line = printed(match), match.line()
    sides = playing(match)
    shown = [fact(sheet, f"{EN.player} {side}") for side in sides]
    assert shown == [" + ".join(match.names[side.place]) or side for side in sides]
    facts = dict(sheet.facts)
    figures = line.figures
    for name, pair in (
        (EN.innings, figures.total_innings or figures.innings),
        (EN.average, figures.averages),
        (EN.high_run, figures.high_runs),
    ):
        values = None if pair is None else " – ".join(str(pair[side.place]) for side in sides)
        assert facts.get(name) == values
    if len(sides) == 1:
        return  # nobody to hold a total against
    if line.shootout is not None:
        a, b = (" ".join(map(str, side)) or "-" for side in line.shootout)
        assert facts["Shoot-out"] == f"{a} – {b}"
    frames = match.frames()
    innings = [table for table in sheet.tables if table.columns[0] == EN.inning]
    if innings:
        check_innings(match, frames, innings)
    for table in sheet.tables:
        if table.title == EN.frames:
            check_frames(match, frames, table)
        elif table.title == EN.racks:
            check_racks(match, frames, table)
    if line.result is not None and line.result.winner is not None:
        assert fact(sheet, EN.result).startswith(shown[line.result.winner.place])


def put_right(match: Kept) -> bool:
    """Whether the log has a score that was put in by hand, which no visit made."""
    acts = [node.record.act for node in match.ledger.line()]
    return any(isinstance(one, Adjust) for act in acts if isinstance(act, tuple) for one in act)


def check_innings(match: Kept, frames: Sequence[Frame], tables: list[Table]) -> None:
    """Runs less fouls are the total, which is the score; the best of them is the high run."""
    best, setup = [0, 0], match.ledger.match.setup
    by_hand = bool(setup.at) or put_right(match)
    before = [int(n) for n in dict(setup.at).get("innings", "0/0").split("/")]
    for number, (frame, table) in enumerate(zip(frames, tables, strict=True)):
        costs = EN.fouls_cost in table.columns
        width = 3 if costs else 2
        assert frame.score is not None
        given = [0, 0]
        for side in Side:
            column = 1 + width * side.place
            rows = [row[column : column + width] for row in table.rows[:-1]]
            played = [
                (int(row[0]), cells)
                for row, cells in zip(table.rows, rows, strict=False)
                if cells[0] != "–"
            ]
            if played and number == 0:
                assert played[0][0] == before[side.place] + 1
            made = (cells[0].partition(" ")[0].rstrip("*?") for _, cells in played)
            runs = [int(points.replace("−", "-")) for points in made]
            for _, cells in played:
                given[side.other.place] += int(cells[0].partition("→")[2] or 0)
            best[side.place] = max(best[side.place], *runs, 0)
            assert table.rows[-1][column + width - 1] == number_text(frame.score[side.place])
            lost = sum(int(cells[1].removeprefix("−") or 0) for _, cells in played if costs)
            given[side.place] += sum(runs) - lost
        if not by_hand:
            assert tuple(given) == frame.score
    high = match.line().figures.high_runs
    if not by_hand and high is not None and "→" not in str(tables):
        assert tuple(best) == high


def check_frames(match: Kept, frames: Sequence[Frame], table: Table) -> None:
    began = sum(match.ledger.line()[0].match.tally[0])
    for number, (frame, row) in enumerate(zip(frames, table.rows, strict=True), began + 1):
        assert row[0].rstrip("†") == str(number)
        assert frame.score is not None
        assert (row[2], row[5]) == (number_text(frame.score[0]), number_text(frame.score[1]))
        breaks = frame.figures().breaks or ((), ())
        for side, cell in zip(Side, (row[3], row[6]), strict=True):
            assert cell == (" ".join(map(str, breaks[side.place])) or "–")


def test_a_frame_known_by_its_totals_is_marked(journal: Journal) -> None:
    whole = printed(kept(journal, "sheet:match:SN-M05"))
    marks = {row[0][-1] for table in whole.tables if table.title == EN.frames for row in table.rows}
    assert (marks, whole.notes) == ({"†"}, (EN.by_hand,))
    by_visit = printed(kept(journal, "sheet:match:SN-V01"))
    assert "†" not in str(by_visit.tables)
    assert by_visit.notes == ()


def check_racks(match: Kept, frames: Sequence[Frame], table: Table) -> None:
    """The score behind each rack goes on from where the match began, and ends where it ended."""
    levels = match.ledger.match.levels
    tally = match.ledger.line()[0].match.tally
    number = sum(tally[0])
    for frame, row in zip(frames, table.rows, strict=True):
        new = rolled_over(tally, levels)
        number, tally = (number if new == tally else 0) + 1, new
        result = frame.result
        if result is not None and result.winner is not None and result.scope is not Scope.MATCH:
            tally, _ = counted(tally, levels, result.winner)
        if result is None or result.scope is not Scope.MATCH or not result.by_conduct:
            assert row[-1] == f"{tally[0][0]} – {tally[0][1]}"
        where = table.columns.index(EN.rack)
        assert row[where].rstrip("†") == str(number)
    a, b = match.line().tally["racks"]
    assert table.rows[-1][-1] == f"{a} – {b}"


@pytest.mark.parametrize("id_", ["match:CA-16", "match:SN-M05", "match:SP-01", "match:PO-01"])
def test_a_match_of_each_family_says_the_same_in_every_format(
    journal: Journal, tmp_path: Path, id_: str
) -> None:
    """Sheet, JSON, CSV, HTML and PDF of one log."""
    match = kept(journal, f"sheet:{id_}")
    line = match.line()
    (again,) = read_sheets(print_sheets([sheet_of(match)], notation_of), notation_of)
    assert (
        replay(again, rulebook_of).ledger.digest()
        == replay(MATCHES[id_], rulebook_of).ledger.digest()
    )
    assert json.loads(as_json(match))["score"] == json.loads(msgspec.json.encode(line))
    assert csv_scores(as_csv([match])) == csv_scores_of(match)
    for code in ("en", "pt"):
        words = load_words(code)
        sheet = printed(match, words, code)
        page = as_html(sheet, code)
        shown = [unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", page)]
        assert shown == cells(sheet)
        reader = PdfReader(io.BytesIO(as_pdf(sheet, words)))
        text = re.sub(r"\s+", "", "".join(page.extract_text() for page in reader.pages))
        for cell in [*cells(sheet), *(text for fact in sheet.facts for text in fact)]:
            assert re.sub(r"\s+", "", cell) in text


def csv_scores(text: str) -> dict[int, list[int]]:
    """What the rows of visits add up to in each frame."""
    found: dict[int, list[int]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        score = found.setdefault(int(row["frame"]), [0, 0])
        me = Side(row["side"])
        score[me.place] += int(row["points"]) - int(row["points_lost"])
        score[me.other.place] += int(row["points_to_opponent"])
    return found


def forfeited(match: Kept) -> list[int]:
    """The frames that were lost by forfeit, with all points of who lost them."""
    began = sum(match.ledger.line()[0].match.tally[0])
    results = [frame.result for frame in match.frames()]
    return [
        began + number
        for number, result in enumerate(results, 1)
        if result is not None and result.reason == "forfeit"
    ]


def csv_scores_of(match: Kept) -> dict[int, list[int]]:
    """The score of each frame."""
    found, stays = {}, visits(match)
    began = sum(match.ledger.line()[0].match.tally[0])
    for number, frame in enumerate(match.frames(), 1):
        mine = [visit for visit in stays if visit.frame == number]
        if mine and began + number not in forfeited(match):
            found[began + number] = list(frame.score or (0, 0))
    return found


CA_16 = """id: t1
rulebook: ug
format: target=5/5
A: João Conceição
B: Χρήστος <b> & Šárka
first: A
+1 +1 UNDO / =2 CONDUCT(A) PICK(as_is) =0 =1 EDIT(B1=1) +4 OK
"""


def small() -> Sheet:
    (sheet,) = read_sheets(CA_16, notation_of)
    return sheet


def test_corrections_and_offences_are_marked(tmp_path: Path) -> None:
    sheet = printed(in_journal(tmp_path, small()))
    tables = {table.title: table for table in sheet.tables}
    assert [row[4] for row in tables[EN.incidents].rows] == ["offence A"]
    corrections = [row[4] for row in tables[EN.corrections].rows]
    assert corrections == ["undo", "edited: run 1"]
    assert {row[5].partition(" #")[0] for row in tables[EN.corrections].rows} == {"sheet"}
    assert fact(sheet, EN.conduct) == "1 – 0"


@pytest.mark.parametrize("code", language_codes())
def test_a_sheet_is_in_words_and_in_one_sign(tmp_path: Path, code: str) -> None:
    """No notation of entries, set-ups or sources, no hyphen before a number."""
    for sheet in (small(), *MATCHES.values()):
        match = in_journal(tmp_path, sheet)
        paper = document(match, load_words(code), load_language(code))
        cells = [cell for table in paper.tables for row in table.rows for cell in row]
        for text in (*cells, *(value for _, value in paper.facts[2:]), *paper.notes):
            if text == match.row.id:
                continue
            assert not re.search(r"[\[\]=]|#\d+\.\d+\(|\b[A-Z]{3,}\(|(?<![\w.)])-\d", text), text


def test_where_the_winner_alone_was_entered_nothing_is_said_of_how(journal: Journal) -> None:
    sheet = printed(kept(journal, "sheet:match:SN-M05"))
    (frames,) = (table for table in sheet.tables if table.title == EN.frames)
    assert frames.rows[0][-1] == "Ronnie O'Sullivan"
    assert fact(sheet, EN.result) == "John Higgins"


def test_balls_of_14_1_are_no_points(journal: Journal) -> None:
    sheet = printed(kept(journal, "sheet:match:SP-01"))
    assert fact(sheet, EN.score) == "150 – 94"
    assert fact(sheet, EN.pots) == "168 – 95"
    assert EN.points not in dict(sheet.facts)


def test_a_carom_sheet_says_rules_hour_and_target_in_words(tmp_path: Path) -> None:
    sheet = printed(in_journal(tmp_path, MATCHES["match:CA-16"]))
    assert fact(sheet, EN.rulebook).startswith("group 3C UMB (UMB three-cushion")
    assert fact(sheet, EN.date) == "2023-11-14 22:13 UTC"
    assert fact(sheet, "Target") == "40 – 40"
    assert EN.points not in dict(sheet.facts), "a match of one set has its points as its score"


def test_a_match_taken_up_late_counts_the_innings_before(tmp_path: Path) -> None:
    sheet = printed(in_journal(tmp_path, MATCHES["match:CA-31"]))
    (innings,) = sheet.tables
    assert [row[0] for row in innings.rows] == [*map(str, range(11, 20)), EN.total]


def test_a_snooker_sheet_says_the_points_given_at_the_start(tmp_path: Path) -> None:
    text = "id: given\nrulebook: cbbs\nfirst: A\nat: handicap=21/0\nR K / CONCEDE(A)\n"
    (sheet,) = read_sheets(text, notation_of)
    assert fact(printed(in_journal(tmp_path, sheet)), "Start") == "21 – 0"


def test_what_a_pins_stroke_gave_to_the_other_side_stands_beside_it(tmp_path: Path) -> None:
    text = "id: pins\nrulebook: p5\nfirst: A\nP6(given=2) P3(foul) PICK(free_ball_as_is) P8 P1\n"
    (sheet,) = read_sheets(text, notation_of)
    (innings,) = printed(in_journal(tmp_path, sheet)).tables
    assert innings.rows == (
        ("1", "6 →2", "6", "0 →5", "2"),
        ("2", "8", "19", "1", "3"),
        (EN.total, "", "19", "", "3"),
    )


def test_a_page_shows_every_cell_and_escapes_what_it_must(tmp_path: Path) -> None:
    sheet = printed(in_journal(tmp_path, small()))
    page = as_html(sheet, "en")
    shown = [unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", page)]
    assert shown == cells(sheet)
    assert "<b>" not in page
    assert "src=" not in page
    assert "http" not in page


@pytest.mark.parametrize("code", language_codes())
def test_a_pdf_has_every_cell_on_a4_in_every_language(tmp_path: Path, code: str) -> None:
    words = load_words(code)
    sheet = printed(in_journal(tmp_path, small()), words, code)
    reader = PdfReader(io.BytesIO(as_pdf(sheet, words)))
    text = re.sub(r"\s+", "", "".join(page.extract_text() for page in reader.pages))
    for cell in [*cells(sheet), *(text for fact in sheet.facts for text in fact)]:
        assert re.sub(r"\s+", "", cell) in text
    assert [round(float(side)) for side in reader.pages[0].mediabox[2:]] == [595, 842]


def test_letters_that_no_font_has_and_long_names_are_on_the_page(tmp_path: Path) -> None:
    long = "Bartholomäus Schwarzenberger-Wittelsbacher von und zu Hohenzollern"
    text = f"id: odd\nrulebook: ug\nA: 陳大文 Χρήστος\nB: {long}\nfirst: A\n=1\n"
    (sheet,) = read_sheets(text, notation_of)
    pdf = as_pdf(printed(in_journal(tmp_path, sheet)), EN)
    (page,) = PdfReader(io.BytesIO(pdf)).pages
    right: list[float] = []

    def at(text: str, _: object, place: list[float], *more: object) -> None:
        if "Hohenzollern" in text:
            right.append(place[4])

    words = page.extract_text(visitor_text=at)
    assert "ChenDaWen Χρήστος" in words
    assert " ".join(words.split()).count(long) >= 2
    assert max(right) < 595 - 100


def test_a_long_match_goes_over_pages_with_its_headings(tmp_path: Path) -> None:
    text = "id: long\nrulebook: ug\nformat: target=200/200\nfirst: A\n90x( =1 =2 )\n"
    (sheet,) = read_sheets(text, notation_of)
    pdf = as_pdf(printed(in_journal(tmp_path, sheet)), EN)
    pages = PdfReader(io.BytesIO(pdf)).pages
    assert len(pages) > 1
    assert all(EN.total in page.extract_text() for page in pages[:-1])
    assert f"{EN.page} 2/{len(pages)}" in pages[1].extract_text()


def test_every_language_of_the_board_has_words_for_sheets() -> None:
    for code in language_codes():
        assert all(value for value in vars_of(load_words(code)))
    assert len(list(FOLDER.glob("*.toml"))) >= 8
    with pytest.raises(ConfigError, match="there are"):
        load_words("xx")


def vars_of(words: Words) -> list[str]:
    return [getattr(words, name) for name in words.__struct_fields__]


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_journal(tmp_path, small())
    journal = ["--journal", str(tmp_path / "journal.db")]
    for name in ("sheet.pdf", "sheet.html"):
        out = tmp_path / name
        assert main(["print", "sheet:t1", str(out), "--language", "en", *journal]) == 0
        assert out.stat().st_size > 1000
    assert main(["print", "sheet:t1", str(tmp_path / "sheet.doc"), *journal]) == 1
    assert "must end in .pdf or .html" in capsys.readouterr().err
