"""Walks through legal entries, for properties of any family: their start, and what each asks.

The same walks every time: a failure in CI is a failure at home. More of them, and others each time:
`TACADA_WALKS=20000 sh scripts/test tests/rules/test_properties.py`.
"""

import os
from typing import Any, TypeAlias

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rules.entries import (
    Breaker,
    Concede,
    Conduct,
    EndVisit,
    Entry,
    Extension,
    Interval,
    Ok,
    Scope,
    Shootout,
    ShotClock,
    Timeout,
    TimeUp,
    Void,
)
from rules.errors import NotAllowed
from rules.frame import offered
from rules.ledger import Ledger
from rules.match import Match, digest
from rules.record import Record, Redo, Setup, Undo
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Side
from rules.standing import Stage

Walk: TypeAlias = tuple[Setup, list[Entry]]
"""A set-up and legal entries."""

WALKS = int(os.environ.get("TACADA_WALKS", "0"))


def walk_settings(usual: int) -> settings:
    """The settings of a property that walks."""
    return settings(
        max_examples=WALKS or usual,
        derandomize=not WALKS,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


sides = st.sampled_from(list(Side))
maybe_side = st.none() | sides
yes_no = st.booleans()

shared: tuple[st.SearchStrategy[Entry], ...] = (
    st.builds(EndVisit),
    st.builds(Ok),
    st.builds(Concede, sides, st.sampled_from(list(Scope))),
    st.builds(Void, st.sampled_from(["", "keep"])),
    st.builds(Timeout, maybe_side),
    st.builds(Interval, sides, yes_no),
    st.builds(Extension, sides),
    st.builds(ShotClock),
    st.builds(TimeUp),
    st.builds(Shootout, st.none() | st.integers(-1, 7), maybe_side),
    st.builds(Conduct, maybe_side, yes_no),
    st.builds(Breaker, sides),
)
"""Entries of all games whose fields no family gives a meaning of its own."""


def opened(setup: Setup) -> Ledger:
    """The log of a match that has just been set up."""
    return Ledger(Record(0, setup), rulebook_of)


def steps(walk: Walk) -> list[tuple[Match, Entry, Match]]:
    """Each entry with the match before and after it."""
    setup, line = walk
    match = opened(setup).match
    made = []
    for entry in line:
        after = match.after(entry)
        made.append((match, entry, after))
        match = after
    return made


def played(walk: Walk) -> Match:
    """The match at the end of a walk."""
    made = steps(walk)
    return made[-1][2] if made else opened(walk[0]).match


def offers_at_bounds(match: Match) -> list[Entry]:
    """What is offered, with each field at each of its bounds."""
    return [entry for offer in match.legal() for entry in offer.at_bounds()]


def check_tally(match: Match) -> None:
    """Nobody has won more than there is to win."""
    for won, level in zip(match.tally, match.levels, strict=True):
        assert all(0 <= n <= most for n, most in zip(won, level.to_win, strict=True))


def check_offers_are_accepted(match: Match) -> None:
    """What is offered is accepted at its bounds; only a match that is over offers nothing."""
    for entry in offers_at_bounds(match):
        match.after(entry)
    assert match.stage is Stage.OVER or offers_at_bounds(match)


def check_all_else_is_refused(match: Match, tried: list[Entry]) -> None:
    """What is not offered is refused, and nothing has changed by trying."""
    before = digest(match)
    for entry in tried:
        try:
            match.after(entry)
        except NotAllowed:
            assert not offered(match.legal(), entry), entry
        else:
            assert offered(match.legal(), entry), entry
    assert digest(match) == before


def appended(ledger: Ledger, act: Any) -> str:
    """Append a record; the digest of the match after it."""
    ledger.append(Record(ledger.seq + 1, act))
    return digest(ledger.match)


def check_undo_and_redo(walk: Walk) -> tuple[Ledger, list[str]]:
    """Undo brings every position back, redo the next one; the log, and the digest of each."""
    setup, line = walk
    ledger = opened(setup)
    digests = [digest(ledger.match)]
    for entry in line:
        after = appended(ledger, (entry,))
        assert appended(ledger, Undo()) == digests[-1]
        assert appended(ledger, Redo()) == after
        digests.append(after)
    return ledger, digests


def check_unwound(ledger: Ledger, digests: list[str]) -> None:
    """The whole match is undone, through every end, and played again."""
    for before in reversed(digests[:-1]):
        assert appended(ledger, Undo()) == before
    for after in digests[1:]:
        assert appended(ledger, Redo()) == after
