"""A match on one line of text, for shells and logs."""

from firmware.terminal.words import TerminalWords
from rules.scoreline import Scoreline

_LEVELS = {"frames": "line.frames", "racks": "line.racks", "sets": "line.sets"}
"""What a match counts."""


def final_line(line: Scoreline, words: TerminalWords) -> str:
    """A match on one line of text: names, score, sets where there are any, figures."""
    a, b = (" / ".join(names) or side for names, side in zip(line.names, "AB", strict=True))
    left, right = line.score or ("-", "-")
    figures = line.figures
    parts = [f"{a} {left}–{right} {b}"]
    parts += [
        f"{words.say(_LEVELS[name])} {won[0]}–{won[1]}"
        for name, won in line.tally.items()
        if line.to_win[name] != (1, 1)
    ]
    for name, pair in (
        ("line.innings", figures.total_innings),
        ("line.average", figures.averages),
        ("line.high_run", figures.high_runs),
    ):
        if pair is not None:
            parts.append(f"{words.say(name)} {pair[0]}/{pair[1]}")
    return " · ".join(parts)
