"""`tacada matches`: what is in the journal, a line a match."""

import argparse
from contextlib import closing

import msgspec
from msgspec import Struct

from firmware.journal.journal import Journal
from firmware.journal.matches import State
from firmware.journal.played import sides_of
from firmware.records.hours import hour
from firmware.terminal.language import words_of
from rules.sides import Pair

_STATES = {
    State.PREPARED: "records.prepared",
    State.IN_PLAY: "records.in_play",
    State.FINISHED: "records.finished",
}


class _Score(Struct):
    """As much of a summary as a list shows."""

    score: Pair[int] | None = None
    tally: dict[str, Pair[int]] = {}


def matches(args: argparse.Namespace) -> int:
    """List the matches of the journal."""
    words, lines = words_of(args), []
    with closing(Journal.read(args.journal)) as journal:
        players = journal.players()
        for id_, rulebook, started_ms, state, setup, summary in journal.listing():
            who = " - ".join(
                " + ".join(players.get(number, f"#{number}") for number in side)
                for side in sides_of(setup)
            )
            score = _score(msgspec.json.decode(summary, type=_Score)) if summary else ""
            stands = words.say(_STATES[State(state)])
            lines.append(f"{id_}  {hour(started_ms)}  {rulebook}  {stands}  {who}  {score}")
    print("\n".join(lines[-args.last :] if args.last else lines))
    return 0


def _score(summary: _Score) -> str:
    """What stands at the end: frames or sets where several were played, else points."""
    levels = [won for won in summary.tally.values() if sum(won) > 1]
    pair = levels[-1] if levels else summary.score
    return "" if pair is None else f"{pair[0]}-{pair[1]}"
