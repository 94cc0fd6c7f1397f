"""What must hold of the clocks in every match, found by walking through legal entries."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.carom.words import NOTATION
from rules.errors import NotAllowed
from rules.ledger import Ledger
from rules.record import Record, Source
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import read_act
from rules.standing import Stage
from tests.rules.play import opened
from tests.rules.test_clock import ENTRY, enter
from tests.rules.test_properties import FORMATS, WALK, next_entry
from tests.rules.walks import maybe_side

UNTIMED = [format_ for format_ in FORMATS if "clock" not in format_]
CONTROLS = ("START", "PAUSE", "RESUME", "START(match)", "PAUSE(match)", "RESUME(match)")


@st.composite
def logs(draw: st.DrawFn) -> tuple[Ledger, list[Record]]:
    """A match with clocks, and its records; some come a little later than they were made."""
    rulebook = draw(st.sampled_from(["ug", "uk", "s15", "u18"]))
    clocks = draw(st.sampled_from(["", " minutes=1", f" minutes=1 {ENTRY} warn=10 clock=40"]))
    format_ = draw(st.sampled_from(UNTIMED)) + clocks
    ledger = opened(rulebook, format_, draw(maybe_side))
    records = [ledger.line()[0].record]
    t_ms = 0
    for _ in range(draw(st.integers(0, 25))):
        t_ms += draw(st.integers(-20, 30_000))
        kind = draw(st.sampled_from(["entry", "entry", "clock", "UNDO", "REDO"]))
        if kind == "entry" and ledger.match.stage is not Stage.OVER:
            act: Any = (next_entry(draw, ledger.match),)
        else:
            text = draw(st.sampled_from(CONTROLS)) if kind in ("entry", "clock") else kind
            act = read_act(text, NOTATION)
        number = ledger.seq + 1
        record = Record(number, act, max(0, t_ms), by=Source("panel", str(number)))
        try:
            ledger.append(record)
        except NotAllowed:
            continue
        records.append(record)
    return ledger, records


@WALK
@given(logs())
def test_the_fold_again_gives_the_same_clocks(log: tuple[Ledger, list[Record]]) -> None:
    ledger, records = log
    again = Ledger(records[0], rulebook_of)
    for record in records[1:]:
        again.append(record)
    assert again.clock == ledger.clock
    assert again.digest() == ledger.digest()


@WALK
@given(logs())
def test_a_clock_never_has_more_than_its_length_nor_less_than_nothing(
    log: tuple[Ledger, list[Record]],
) -> None:
    ledger, _ = log
    for clock in (ledger.clock.shot, ledger.clock.match):
        if clock is not None:
            assert 0 <= clock.left(ledger.t_ms) <= clock.length_ms
            assert clock.running == (clock.until_ms is not None) == (clock.left_ms is None)
            assert not (clock.running and clock.resumes)
    shot, match = ledger.clock.shot, ledger.match
    if shot is not None and shot.running:
        assert match.stage is Stage.FRAME
        assert (match.ending, match.option) == (None, None)
    assert (shot is None) == (not match.terms.times().shot_ms or match.stage is Stage.OVER)  # type: ignore[attr-defined] # carom has clocks


@WALK
@given(logs(), st.integers(0, 60_000))
def test_undo_and_redo_put_the_shot_clock_where_it_stood(
    log: tuple[Ledger, list[Record]], after_ms: int
) -> None:
    ledger, _ = log
    if ledger.match.stage is Stage.OVER:
        return
    entry = ledger.match.legal()[0]
    act = (next(iter(entry.at_bounds())),)
    t_ms = ledger.t_ms + after_ms
    stood = ledger.clock.shot
    ledger.append(Record(ledger.seq + 1, act, t_ms))
    then = ledger.clock.shot
    enter(ledger, "UNDO")
    assert ledger.clock.shot == (stood and stood.paused(t_ms))
    enter(ledger, "REDO")
    assert ledger.clock.shot == (then and then.paused(t_ms))
