"""Score sheets, read, played and printed again."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from rules.errors import BadNotation, BadSetup
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import print_sheets, read_sheets
from tests.fuzz.target import Judge, Target, clear

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def _sheets() -> Iterator[Judge]:
    def judge(data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        try:
            sheets = read_sheets(text, notation_of)
        except BadNotation as error:
            return clear(str(error), r"sheet(, line \d+)?: ")
        for sheet in sheets:
            try:
                played = replay(sheet, rulebook_of)
            except BadSetup as error:
                return clear(f"setup: {error}", "setup: ")
            for note in played.notes:
                clear(note, r"step \d+: ")
        printed = print_sheets(sheets, notation_of)
        assert read_sheets(printed, notation_of) == sheets, "printed and read it is another"
        return ""

    yield judge


def _sheet_seeds() -> tuple[bytes, ...]:
    """Some whole sheets of every family, short ones."""
    files = [ROOT / "firmware/sheets/ca-16.sheet", *sorted((ROOT / "tests/sheets").glob("*.sheet"))]
    found: list[bytes] = []
    for file in files:
        parts = re.split(r"(?m)^(?=id:)", file.read_text("utf-8"))
        short = [part for part in parts if part.startswith("id:") and len(part) < 1200]
        found += [part.encode() for part in short[:: max(1, len(short) // 6)]]
    return tuple(found)


NOTATION = (
    *(b"+1", b"+3", b"/", b"=4", b"OK", b"UNDO", b"REDO", b"R", b"R2", b"K", b"FOUL", b"FOUL(4)"),
    *(b"[SPLICE(0,9) / =4]", b"EDIT(A2=6)", b"PICK(play)", b"CONCEDE(A)", b"ADJUST(score=1/2)"),
    *(
        b"29x( =0 )",
        b"9x( 9x( +1 ) )",
        b"9999999x( +1 )",
        b"refuse",
        b"@12:03.250",
        b"by:pad1#17",
        b"FIRST(B)",
    ),
    *(b"-> score=3/0", b"rulebook: 3c", b"format: target=0/0", b"at: score=9/9", b"TIMEUP"),
)

SHEETS = Target("sheets", _sheets, _sheet_seeds(), NOTATION, 10)
