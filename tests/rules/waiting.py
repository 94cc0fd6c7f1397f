"""Which sheets can be judged, and why the others wait."""

from collections import Counter
from pathlib import Path

from rules.errors import BadSetup
from rules.replay import opened
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sheet import Sheet, read_sheets

FOLDER = Path(__file__).parent.parent / "sheets"


def all_sheets() -> list[Sheet]:
    """Every sheet of the folder, file by file."""
    return [
        sheet
        for path in sorted(FOLDER.glob("*.sheet"))
        for sheet in read_sheets(path.read_text("utf-8"), notation_of, path.name)
    ]


def waits_for(sheet: Sheet) -> str | None:
    """What a sheet waits for: an engine, or a parameter that the engine does not read yet."""
    if sheet.setup.rulebook not in RULEBOOKS:
        return f"engine {sheet.setup.rulebook}"
    try:
        opened(sheet, rulebook_of)
    except BadSetup as error:
        field = str(error).removeprefix("format: ").partition("=")[0]
        if not str(error).startswith("format: ") or "no such field" not in str(error):
            raise
        return f"parameter {field}"
    return None


def summary() -> str:
    """One paragraph for the end of a test run."""
    sheets = all_sheets()
    waiting = Counter(why for sheet in sheets if (why := waits_for(sheet)) is not None)
    judged = len(sheets) - sum(waiting.values())
    reasons = ", ".join(f"{why} {count}" for why, count in sorted(waiting.items()))
    return f"score sheets: {judged} judged, {sum(waiting.values())} waiting ({reasons})"
