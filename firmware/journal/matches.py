"""A match as the journal has it beside its records: what it began with, its state, its summary."""

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from firmware.errors import JournalError
from rules.figures import Figures
from rules.frame import Result
from rules.position import field_names
from rules.record import Setup, setup_text
from rules.sides import Pair

if TYPE_CHECKING:
    from rules.rulebook import Rulebook
    from rules.scoreline import Scoreline

SUMMARY_VERSION = 1
"""Raised when a field of `Summary` changes its meaning or goes."""


class State(StrEnum):
    """What has become of a match."""

    PREPARED = "prepared"
    IN_PLAY = "in play"
    FINISHED = "finished"


class MatchRow(Struct, frozen=True):
    """What a match began with, and its state.

    `rulebook`, `edition`, `digest` and `terms` (JSON) are those of the rulebook on that day.
    `started_ms` is wall time in milliseconds since 1970 (UTC).
    """

    id: str
    rulebook: str
    edition: str
    digest: str
    terms: str
    started_ms: int
    state: State = State.IN_PLAY


class Summary(Struct, frozen=True, omit_defaults=True):
    """The official result and each side's figures after record `seq`; rebuilt by a refold.

    `setup` is the set-up in notation where an edit has changed it, players or game.
    """

    seq: int
    result: Result | None = None
    score: Pair[int] | None = None
    tally: dict[str, Pair[int]] = {}
    history: tuple[Pair[int], ...] = ()
    shootout: Pair[tuple[int, ...]] | None = None
    conduct: Pair[int] = (0, 0)
    figures: Figures = Figures()
    setup: str = ""

    @classmethod
    def of(cls, line: "Scoreline", mended: Setup | None = None) -> "Summary":
        """The summary of a match that stands as the scoreline says, with the set-up if mended."""
        return cls(
            seq=line.seq,
            result=line.result,
            score=line.score,
            tally=line.tally,
            history=line.history,
            shootout=line.shootout,
            conduct=line.conduct,
            figures=line.figures,
            setup="" if mended is None else setup_text(mended),
        )


def began(
    match_id: str, rulebook: "Rulebook", started_ms: int, state: State = State.IN_PLAY
) -> MatchRow:
    """The row of a match that begins under a rulebook as it is today."""
    terms = msgspec.json.encode(rulebook.terms).decode()
    return MatchRow(
        match_id, rulebook.id, rulebook.edition, rulebook.digest(), terms, started_ms, state
    )


def facts(match: MatchRow, today: "Rulebook") -> "Rulebook":
    """The rulebook that a match began under: today's, or one with the facts of that day.

    A parameter that is younger than the match has its default, which is how it was before there
    was the parameter; the digest is then neither the match's nor today's.

    Raises:
        JournalError: a parameter of that day is there no more, or cannot have that value.
    """
    if match.digest == today.digest():
        return today
    try:
        terms = msgspec.json.decode(match.terms, type=type(today.terms))
        gone = msgspec.json.decode(match.terms, type=dict).keys() - set(field_names(type(terms)))
    except msgspec.MsgspecError as error:
        raise JournalError(_other_facts(match, str(error))) from None
    if gone:
        raise JournalError(_other_facts(match, f"no parameter {', '.join(sorted(gone))}"))
    return msgspec.structs.replace(today, edition=match.edition, terms=terms)


def _other_facts(match: MatchRow, why: str) -> str:
    return (
        f"match {match.id} began under facts of {match.rulebook} that this version does not "
        f"know ({why}); end it with the version that it began with"
    )
