"""Playing pool in sheet notation, for tests that read like a score sheet."""

from rules.ledger import Ledger
from rules.pool.words import NOTATION
from rules.position import split_fields
from rules.record import Record, Setup
from rules.replay import opened
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Sheet, Step, read_sheets
from rules.sides import Side


def begun(text: str) -> Ledger:
    """A match from `rulebook format… at position…`, with A to break."""
    head, _, at = text.partition(" at ")
    book, *format_ = head.split()
    fields = split_fields(" ".join(format_))
    setup = Setup(book, format=fields, first=Side.A, at=split_fields(at))
    return opened(Sheet("", setup), rulebook_of)


def enter(ledger: Ledger, text: str) -> Ledger:
    """Enter the acts of a line, one record each, at the times that stand before them."""
    (sheet,) = read_sheets(f"rulebook: fpb9\n{text}\n", lambda _: NOTATION)
    for step in sheet.steps():
        assert isinstance(step, Step)
        t_ms = ledger.t_ms if step.t_ms is None else step.t_ms
        ledger.append(Record(ledger.seq + 1, step.act, t_ms))
    return ledger
