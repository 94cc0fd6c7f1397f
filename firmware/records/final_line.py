"""A match on one line of text, for shells and logs."""

from rules.scoreline import Scoreline


def final_line(line: Scoreline) -> str:
    """A match on one line of text: names, score, sets where there are any, figures."""
    a, b = (" / ".join(names) or side for names, side in zip(line.names, "AB", strict=True))
    left, right = line.score or ("-", "-")
    figures = line.figures
    parts = [f"{a} {left}–{right} {b}"]
    parts += [
        f"{name} {won[0]}–{won[1]}"
        for name, won in line.tally.items()
        if line.to_win[name] != (1, 1)
    ]
    for name, pair in (
        ("innings", figures.total_innings),
        ("average", figures.averages),
        ("high run", figures.high_runs),
    ):
        if pair is not None:
            parts.append(f"{name} {pair[0]}/{pair[1]}")
    return " · ".join(parts)
