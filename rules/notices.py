"""What is worth announcing: to a caller, a loudspeaker, a stream."""

from collections.abc import Sequence

from rules.entries import Entry
from rules.frame import Notice, Result, Then
from rules.match import Match
from rules.sides import Side


def notices(before: Match, entries: Sequence[Entry], after: Match) -> tuple[Notice, ...]:
    """The announcements of one record: fouls, offences, choices, ends, what comes next."""
    found: list[Notice] = []
    match = before
    for left, entry in zip(range(len(entries) - 1, -1, -1), entries, strict=True):
        # The last entry of a record was judged already, and most records are one entry.
        step = match.after(entry) if left else after
        if match.frame is not None and step.frame is not None:
            found += step.frame.announced(match.frame, entry)
        match = step
    for side in Side:
        count = after.carry.conduct[side.place]
        if count > before.carry.conduct[side.place]:
            found.append(Notice("conduct", side, count))
    return (*found, *_of_choice(before, after), *_of_end(before, after))


def correction(after: Match) -> tuple[Notice, ...]:
    """The one announcement of an undo, redo or edit: the total is new."""
    visit = after.visit
    return (Notice("correction", visit.side if visit is not None else None),)


def _of_choice(before: Match, after: Match) -> tuple[Notice, ...]:
    now = after.option
    return (
        () if now is None or now == before.option else (Notice(f"choice_{now.kind}", now.chooser),)
    )


def _of_end(before: Match, after: Match) -> tuple[Notice, ...]:
    found: list[Notice] = []
    ending = after.ending
    if ending is not None and ending != before.ending:
        if after.result is not None:
            found.append(_of_result(after.result))
        elif ending.then is Then.EQUALISER:
            found.append(Notice("equaliser_due", ending.side))
        elif after.frame is not None and after.frame.result is not None:
            winner = after.frame.result.winner
            found.append(Notice("frame_won" if winner else "frame_drawn", winner))
        else:
            found.append(Notice("frame_drawn"))
    goal = _goal(after)
    if goal is not None and _goal(before) is None and after.visit is not None:
        assert after.frame is not None
        score = after.frame.score
        needed = goal - score[after.visit.side.place] if score is not None else goal
        found.append(Notice("equaliser", after.visit.side, needed))
    return tuple(found)


def _of_result(result: Result) -> Notice:
    if result.winner is None:
        return Notice("match_lost" if result.by_conduct else "match_drawn")
    return Notice("match_won", result.winner)


def _goal(match: Match) -> int | None:
    return match.frame.figures().goal if match.frame is not None else None
