"""A name that was removed, changed or merged away stands nowhere any more; its matches do."""

import asyncio
import io
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader

from firmware.cli import main
from firmware.i18n import language_codes
from firmware.journal.journal import Journal
from firmware.mqtt.live_log import LiveLog
from firmware.records.kept import kept
from rules.record import Record

OLD, SPOKEN, RIVAL = "Zulmira Quaresma", "Sulmeera", "Bia Reis"

PLAYED = f"""id: innings
rulebook: ug
format: target=5/5
A: {OLD}
B: {RIVAL}
first: A
=3 CONDUCT(A) PICK(as_is) =0 =2 OK =1 OK

id: frames
rulebook: wpbsa
format: target=1
A: {RIVAL}
B: {OLD}
first: A
/ =72 =104 UNDO =50 CONCEDE(B) OK

id: racks
rulebook: wpa9
format: race=1/1
A: {OLD} / Caio
B: {RIVAL} / Duda
first: A
POT(2) POT(7,M) OK

id: running
rulebook: wpa141
A: {RIVAL}
B: {OLD}
first: A
POT(1) FOUL POT(1)
"""
MATCHES = [f"sheet:{name}" for name in ("innings", "frames", "racks", "running")]


@pytest.fixture
def tacada(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    journal = tmp_path / "journal.db"

    def run(*command: str) -> str:
        capsys.readouterr()
        assert main([*command, "--journal", str(journal)]) == 0, capsys.readouterr().err
        said = capsys.readouterr()
        return said.out + said.err

    (tmp_path / "played.sheet").write_text(PLAYED, "utf-8")
    run("import", str(tmp_path / "played.sheet"))
    (tmp_path / "played.sheet").unlink()
    run("club", "set", OLD, "--short", "ZULMI", "--spoken", SPOKEN)
    return run


def printed(tacada: Callable[..., str], folder: Path) -> Iterator[str]:
    """The words of every page of every match."""
    for match in MATCHES:
        for code in language_codes():
            page = folder / "sheet.html"
            tacada("print", match, str(page), "--language", code)
            yield page.read_text("utf-8")
            page.unlink()
        pdf = folder / "sheet.pdf"
        tacada("print", match, str(pdf), "--language", "en")
        reader = PdfReader(io.BytesIO(pdf.read_bytes()))
        yield " ".join(" ".join(page.extract_text().split()) for page in reader.pages)
        yield str(reader.metadata)
        pdf.unlink()


def public_log(journal: Path, match_id: str) -> str:
    """The log as MQTT carries it and the hall's page shows it."""
    with closing(Journal.read(journal)) as opened:
        match = kept(opened, match_id)

        async def older(_: str, after: int) -> list[Record]:
            return [record for record in match.records if record.seq > after]

        log = LiveLog(older)
        log.opened(match_id, match.ledger.match.game.notation)
        message = asyncio.run(log.message(match.records[-1].seq))
        return (msgspec.json.encode(message) + msgspec.json.encode(match.line())).decode()


def told(tacada: Callable[..., str], folder: Path, player: str) -> Iterator[str]:
    """Everything that anybody is given of the journal."""
    yield from printed(tacada, folder)
    for form in ("sheet", "json", "csv"):
        yield tacada("export", "--as", form)
    yield tacada("export", "--plain")
    yield tacada("export", "--as", "csv", "--rows", "frame")
    yield tacada("matches")
    yield tacada("club", "list")
    yield tacada("club", "export")
    yield tacada("stats")
    yield tacada("stats", "--json")
    for more in (("--details",), ("--json", "--details"), ("--by", "opponent")):
        yield tacada("stats", player, *more)
        yield tacada("stats", RIVAL, *more)
    picture = folder / "averages.svg"
    tacada("stats", player, "--plot", str(picture))
    yield picture.read_text("utf-8")
    for match in MATCHES:
        yield tacada("show", match)
        yield public_log(folder / "journal.db", match)
    archive = folder / "old.db"
    tacada("archive", str(archive), "--before", "2100-01-01")
    yield archive.read_bytes().decode("latin-1")
    archive.unlink()
    for file in folder.glob("journal.db*"):
        yield file.read_bytes().decode("latin-1")


@pytest.mark.parametrize(
    ("change", "now"),
    [
        (("club", "remove", OLD), "#1"),
        (("club", "rename", OLD, "Ana Nova"), "Ana Nova"),
        (("club", "merge", OLD, "Ana Nova"), "Ana Nova"),
    ],
    ids=["removed", "renamed", "merged"],
)
def test_an_old_name_stands_nowhere(
    tacada: Callable[..., str], tmp_path: Path, change: tuple[str, ...], now: str
) -> None:
    if change[1] == "merge":
        (tmp_path / "club.csv").write_text("name\nAna Nova\n", "utf-8")
        tacada("club", "import", str(tmp_path / "club.csv"))
    assert any(OLD in text for text in told(tacada, tmp_path, OLD)), "or the search finds nothing"
    records = tacada("export", "--as", "csv").count("\n")
    tacada(*change)
    texts = list(told(tacada, tmp_path, now))
    words = [*OLD.split(), "ZULMI", SPOKEN]
    for text in texts:
        found = [word for word in words if word.lower() in text.lower()]
        assert not found, text[:2000]
    assert any(now in text for text in texts)
    assert tacada("export", "--as", "csv").count("\n") == records
