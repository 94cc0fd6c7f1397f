"""The details of matches as a table on a terminal."""

from collections.abc import Sequence

from firmware.records.details import Detail
from firmware.records.stats_tables import print_table
from firmware.records.words import Words


def print_details(matches: Sequence[str], details: Sequence[Detail], words: Words) -> None:
    """What the entries tell, a line a match and one for all."""
    rows = [
        (
            name,
            str(one.visits),
            str(one.strokes or "-"),
            str(one.pots),
            str(one.safeties),
            f"{one.fouls} ({one.given + one.lost})",
            str(one.breaks_50),
            str(one.breaks_100),
            str(one.break_and_runs),
            f"{one.first_visit}/{one.frames_won}" if one.frames_won else "-",
            one.shot_s,
            one.visit_s,
        )
        for name, one in (
            *zip(matches, details, strict=True),
            (words.total, sum(details, Detail())),
        )
    ]
    columns = (
        words.match,
        words.visits,
        words.strokes,
        words.pots,
        words.safeties,
        words.fouls,
        words.breaks,
        words.hundreds,
        words.break_and_run,
        words.first_visit,
        f"{words.per_shot} (s)",
        f"{words.per_visit} (s)",
    )
    print_table(columns, rows)
