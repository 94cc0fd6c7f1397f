"""`tacada archive` and `tacada prune`."""

import argparse
from datetime import UTC, datetime

from firmware.records.archive import archived, pruned
from firmware.terminal.language import words_of


def archive(args: argparse.Namespace) -> int:
    """Copy the matches that began before a day."""
    day = args.before
    before_ms = round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
    ids = archived(args.journal, args.to, before_ms)
    print(words_of(args).say("records.archived", file=args.to, n=len(ids)))
    return 0


def prune(args: argparse.Namespace) -> int:
    """Take out of the journal what an archive holds."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = args.journal.with_name(f"{args.journal.name}.before-{now}")
    went, stay = pruned(args.journal, args.archive, aside)
    words = words_of(args)
    print(words.say("records.pruned", file=args.journal, went=went, stay=stay, aside=aside))
    return 0
