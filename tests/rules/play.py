"""Playing entries in sheet notation, for tests that read like a score sheet."""

from rules.ledger import Ledger
from rules.match import Match
from rules.position import split_fields
from rules.record import Record, Setup, Source
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_sheets
from rules.sides import Side


def opened(
    rulebook: str = "3c", format_: str = "", first: Side | None = Side.A, at: str = ""
) -> Ledger:
    """The log of a match that has just been set up."""
    setup = Setup(rulebook, ((1,), (2,)), split_fields(format_), first, split_fields(at))
    return Ledger(Record(0, setup), rulebook_of)


def enter(ledger: Ledger, text: str) -> Ledger:
    """Enter the acts of a line, one record each; the log again, to go on with."""
    notation = ledger.match.game.notation
    sheet = read_sheets(f"rulebook: 3c\n{text}\n", lambda _: notation)[0]
    for step in sheet.steps():
        assert hasattr(step, "act")
        seq = ledger.seq + 1
        ledger.append(Record(seq, step.act, t_ms=seq * 1000, by=Source("test", str(seq))))
    return ledger


def played(text: str, rulebook: str = "3c", format_: str = "", first: Side = Side.A) -> Ledger:
    """A match with these entries."""
    return enter(opened(rulebook, format_, first), text)


def score(ledger: Ledger | Match) -> str:
    """Score, innings and who acts next: `7-1 in 2/2, A`."""
    match = ledger.match if isinstance(ledger, Ledger) else ledger
    assert match.frame is not None
    points, innings = match.frame.score, match.frame.figures().innings
    assert points is not None
    assert innings is not None
    turn = match.actor or "-"
    return f"{points[0]}-{points[1]} in {innings[0]}/{innings[1]}, {turn}"
