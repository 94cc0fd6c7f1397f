"""Fields of a board of one row: each stands for several, in two digits or one moving line."""

from collections.abc import Callable

from firmware.board.fields import hall, words
from firmware.board.fields.games import called_to_go
from firmware.board.fields.seen import Pages, Seen, Text, tally, texts, to_go
from firmware.snapshot import Question, Tell
from rules.sides import Side

_WHOLE = {**words.TEXTS, **hall.TEXTS}
"""The fields of larger boards, of which lines are made."""


def _run_brief(seen: Seen) -> Pages:
    """The run in two digits, of a longer one that it is longer; a sign if it is not saved.

    Near the goal what is needed, where a rulebook has it called; in 14.1 it would be a minus score.
    """
    called = seen.figures.call_at is not None
    return _run_and(seen, called_to_go(seen.line) if called else None)


def _run_and(seen: Seen, left: int | None) -> Pages:
    run = seen.line.run
    pages: Pages = ((f"+{run}", str(run), "++"),) if run else ()
    unsaved: Pages = () if seen.line.saved else (("!!",),)
    near: Pages = ((f"-{left}",),) if left is not None and left < 10 else ()
    return (*pages, *unsaved, *near)


def _chase(seen: Seen) -> Pages:
    """In the equaliser the run, and near the goal what is still needed."""
    return _run_and(seen, to_go(seen.line))


def _innings_brief(seen: Seen) -> Pages:
    done, turn = seen.figures.innings, seen.line.turn
    if done is None or turn is None or done[turn.place] >= 99:
        return ()
    return ((str(done[turn.place] + 1),),)


def _sets_of(side: Side) -> Callable[[Seen], Pages]:
    """The sets or frames of a side, as one digit."""

    def pages(seen: Seen) -> Pages:
        won = tally(seen)
        if won is None or max(won) >= 10 or seen.line.score is None:
            return ()
        return ((str(won[seen.at(side).place]),),)

    return pages


def _remaining_brief(seen: Seen) -> Pages:
    """The points left on a snooker table, once they are few enough to be asked for."""
    left = seen.figures.remaining
    if left is None or left + seen.figures.bonus > 99:
        return ()
    return ((str(left + seen.figures.bonus),),)


def _snookers_brief(seen: Seen) -> Pages:
    """The fouls that the side behind needs to draw level; the score says which side that is."""
    fouls = max(seen.figures.snookers or (0, 0))
    return ((f"{fouls}S", "++"),) if fouls else ()


def _typed_brief(seen: Seen) -> Pages:
    typed = seen.view.typed
    if typed is None:
        return ()
    return ((typed.number or "".join(map(seen.language.label, typed.keys)) or "…", "…"),)


def _typed_line(seen: Seen) -> Pages:
    """What the last key has changed comes first, what all of it is about last."""
    return (*_WHOLE["typed_text"].pages(seen), *_WHOLE["typed_title"].pages(seen))


def _told_sign(seen: Seen) -> Pages:
    signs = {Tell.UNDONE: "←", Tell.EDITED: "ED"}
    return ((signs.get(seen.told.tell, "×"),),)


def _told_line(seen: Seen) -> Pages:
    """An answer to a press in one text, as it stands too short a time for two."""
    sign = _told_sign(seen)[0][0]
    pages = _WHOLE["told_text"].pages(seen)
    if seen.told.tell is Tell.IGNORED or not pages:
        words = pages[0][:1] if pages else _WHOLE["told_title"].pages(seen)[0]
        return (tuple(f"{sign} {word}" for word in words),)
    titles = (*_WHOLE["told_title"].pages(seen)[0], sign)
    whole = [f"{title} {pages[0][0]}" for title in titles]
    return ((*whole, *(f"{sign} {form}" for form in pages[0][1:])),)


def _over_sign(seen: Seen) -> Pages:
    """An arrow to the winner's score; a line where nobody won."""
    result = seen.line.result
    winner = result.winner if result is not None else None
    if winner is None:
        return (("--",),)
    return (("◀" if seen.at(Side.A) is winner else "▶",),)


def _reason_line(seen: Seen) -> Pages:
    parts = [forms[0] for part in ("reason_1", "reason_2") for forms in _WHOLE[part].pages(seen)]
    return (("× " + " ".join(parts),),)


def _line_of(*names: str) -> Callable[[Seen], Pages]:
    """The pages of several fields, one after the other."""
    return lambda seen: tuple(page for name in names for page in _WHOLE[name].pages(seen))


def _choice_line(seen: Seen) -> Pages:
    return (*_line_of("choice")(seen), *words.picks(seen))


def _board_line(seen: Seen) -> Pages:
    return _line_of("hour", "club", "idle")(seen)


def _last_line(seen: Seen) -> Pages:
    """The last entries, the newest first; behind an arrow what UNDO would take back."""
    entries = words.last_entries(seen)
    newest = words.undoes_newest(seen)
    sign = "←" if newest else ""
    lines = (sign + " · ".join(forms[at] for forms in entries) for at in (0, -1))
    return (tuple(dict.fromkeys(lines)), *(() if newest else _line_of("undo")(seen)))


def _question_line(seen: Seen) -> Pages:
    """The chosen one of the choices before the question, or all in turn behind it."""
    first, title = _WHOLE["choice_1"].pages(seen), _line_of("ask_title")(seen)
    if isinstance(seen.view.ask, Question) and seen.view.ask.chosen is not None:
        return (*first, *title)
    second = _WHOLE["choice_2"].pages(seen)
    both = [page for pages in zip(first, second, strict=False) for page in pages]
    return (*title, *both, *first[len(second) :])


TEXTS: dict[str, Text] = {
    "run_brief": Text(_run_brief, texts("88", "++", "-8", "!!"), ("run",)),
    "chase": Text(_chase, texts("88", "++", "-8", "!!"), ("run", "goal", "equaliser")),
    "innings_brief": Text(_innings_brief, texts("88"), ("innings", "corner")),
    "sets_a": Text(_sets_of(Side.A), texts("8"), ("sets",)),
    "sets_b": Text(_sets_of(Side.B), texts("8")),
    "remaining_brief": Text(_remaining_brief, texts("88")),
    "snookers_brief": Text(_snookers_brief, texts("8S", "++")),
    "typed_brief": Text(_typed_brief, texts("88", "…"), ("typed_title", "typed_text")),
    "typed_line": Text(_typed_line, says=("typed_title", "typed_text")),
    "told_sign": Text(_told_sign, texts("×", "←", "ED"), ("told_title", "told_text")),
    "told_line": Text(_told_line, says=("told_title", "told_text")),
    "over_sign": Text(_over_sign, texts("◀", "▶", "--"), ("over_title",)),
    "held_sign": Text(lambda _: (("OK",),), texts("OK")),
    "held_line": Text(_line_of("held_cause", "held_then"), says=("held_cause", "held_then")),
    "choice_sign": Text(lambda _: (("?",),), texts("?")),
    "choice_line": Text(_choice_line, says=("choice", "option_1", "option_2", "options")),
    "shootout_sign": Text(lambda _: (("◎",),), texts("◎"), ("shootout",)),
    "reason_line": Text(_reason_line, says=("refused_sign", "reason_1", "reason_2")),
    "board_line": Text(_board_line, says=("board_name", "club", "hour", "idle")),
    "last_line": Text(_last_line, says=("last_1", "last_2", "last_3", "undo")),
    "pause_line": Text(
        _line_of("pause_title", "pause_time", "pause_left"),
        says=("pause_title", "pause_time", "pause_left"),
    ),
    "question_line": Text(_question_line, says=("ask_title", "choice_1", "choice_2")),
    "number_line": Text(_line_of("number", "ask_title"), says=("ask_title", "number")),
    "stale_sign": Text(lambda _: (("??",),), texts("??")),
    "pause_sign": Text(lambda _: (("‖",),), texts("‖")),
    "stale_line": Text(_line_of("last_known", "age"), says=("last_known", "age")),
    "release": Text(
        lambda seen: ((f"v{seen.told.text.split()[-1]}",),), texts("v88.88.88"), ("version",)
    ),
}
