"""Matches for other programs: JSON and CSV."""

import csv
import io
from collections.abc import Iterable
from typing import Any

import msgspec

from firmware.records.doubtful import doubtful
from firmware.records.hours import hour
from firmware.records.kept import Kept
from firmware.records.numbering import numbered
from firmware.records.visits import visits
from rules.record import record_text
from rules.sides import Pair

FORMAT = 1
"""The version of the JSON export: raised when a field changes its meaning or goes."""

VISIT_COLUMNS = (
    "match",
    "frame",
    "visit",
    "side",
    "player",
    "points",
    "points_lost",
    "points_to_opponent",
    "score_a",
    "score_b",
    "began_ms",
    "took_ms",
    "strokes",
    "pots",
    "fouls",
    "safeties",
    "edited",
    "doubtful",
    "acts",
)
"""The columns of the CSV; times are milliseconds of match time, empty where nobody timed."""


def as_json(match: Kept) -> str:
    """A match whole: what it began with, every record with who and when, and the score."""
    notation = match.ledger.match.game.notation
    content: dict[str, Any] = {
        "format": FORMAT,
        "match": match.row,
        "names": match.names,
        "records": [
            {
                "seq": record.seq,
                "act": record_text(record, notation),
                "t_ms": record.t_ms,
                "at": hour(record.at_ms),
                "clock_set": record.synced,
                "by": str(record.by),
            }
            for record in match.records
        ],
        "score": match.line(),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1).decode() + "\n"


def as_csv(matches: Iterable[Kept]) -> str:
    """One row for each visit of each match, with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(VISIT_COLUMNS)
    for match in matches:
        rows = visits(match)
        doubts = doubtful(rows, match.setup.rulebook)
        places = numbered(match)
        for at, visit in enumerate(rows):
            score: Pair[int | str] = visit.score or ("", "")
            player = match.names[visit.side.place][visit.member - 1 : visit.member]
            writer.writerow(
                (
                    match.row.id,
                    places[visit.frame - 1].of_match,
                    visit.number,
                    visit.side,
                    _plain(" + ".join(player)),
                    visit.points,
                    visit.lost,
                    visit.given,
                    *score,
                    visit.began_ms,
                    "" if visit.took_ms is None else visit.took_ms,
                    "" if visit.shots is None else visit.shots,
                    visit.pots,
                    visit.fouls,
                    visit.safeties,
                    int(visit.edited),
                    int(at in doubts),
                    _plain(" ".join(visit.entries)),
                )
            )
    return text.getvalue()


FRAME_COLUMNS = (
    "match",
    "started",
    "rulebook",
    "player_a",
    "player_b",
    "frame",
    "opener",
    "winner",
    "reason",
    "score_a",
    "score_b",
)
"""The columns of the CSV with a row for each frame; `started` is UTC."""


def frames_as_csv(matches: Iterable[Kept]) -> str:
    """One row for each frame, rack or set of each match, with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FRAME_COLUMNS)
    for match in matches:
        names = (_plain(" + ".join(side)) for side in match.names)
        row = (match.row.id, hour(match.row.started_ms), match.row.rulebook, *names)
        for place, frame in zip(numbered(match), match.frames(), strict=True):
            won = frame.result
            score: Pair[int | str] = frame.score or ("", "")
            winner = "" if won is None or won.winner is None else won.winner.value
            reason = "" if won is None else _plain(won.reason)
            writer.writerow((*row, place.of_match, frame.opener.value, winner, reason, *score))
    return text.getvalue()


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula; entries like `=4` and `+1` begin like one."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
