"""Fields of all else that a board says: questions, answers to a press, ends, idle, the hall."""

from collections.abc import Callable, Iterable

from firmware.board.fields.clocks import time_forms
from firmware.board.fields.games import CAROM, zone_demand
from firmware.board.fields.seen import (
    Forms,
    Pages,
    Seen,
    Text,
    about,
    cut,
    in_levels,
    marked,
    name_of,
    tallies,
    tally,
    texts,
    to_go,
)
from firmware.board.screens import confirmed
from firmware.entries.words import entry_words
from firmware.i18n import Language
from firmware.keys.panel_words import HELD_SIGN
from firmware.snapshot import Tell
from firmware.text_keys import IGNORED, TYPING, samples
from rules.errors import Code
from rules.sides import Side


def _held_cause(seen: Seen) -> Pages:
    line = seen.line
    ending, result = line.ending, line.result or line.frame_result
    if ending is None:
        return ()
    pages = [seen.word("cause", ending.cause)]
    if seen.figures.early_concession:
        pages.append(seen.say("reminder.early_concession"))
    if result is not None and result.winner is not None:
        pages.append(cut(name_of(line, result.winner)[-1:]))
    if line.shootout is not None and all(line.shootout):
        pages.append((seen.pair((line.shootout[0][-1], line.shootout[1][-1])),))
    if in_levels(line):
        pages += tallies(seen)
    return marked(seen, *pages)


def _held_then(seen: Seen) -> Pages:
    """What OK will do, and in turn with it what UNDO would take back."""
    ending = seen.line.ending
    if ending is None:
        return ()
    level = next(iter(seen.line.tally), "")
    by_level = f"{ending.then}_{level}"
    code = by_level if f"then.{by_level}" in seen.language else ending.then
    return (about(seen, "then", code, ending.side), *_undo(seen))


def _choice(seen: Seen) -> Pages:
    option = seen.line.option
    if option is None:
        return ()
    pages = [seen.word("choice", option.kind)]
    if option.chooser is not None:
        pages.append(about(seen, "choice", "chooser", option.chooser))
    return marked(seen, *pages, *_undo_end(seen))


def _pick(seen: Seen, place: int) -> Forms:
    """One of the choices, behind the label of the key that picks it."""
    option = seen.line.option
    if option is None or place >= len(option.choices):
        return ()
    choice = option.choices[place]
    keys = (label for label, act in seen.view.keys if f"({choice})" in act)
    label = seen.language.label(next(keys, ""))
    if choice in (Side.A, Side.B):
        words = cut(name_of(seen.line, Side(choice)))
    else:
        words = seen.word("pick", choice)
    return tuple(f"{label} {word}".strip() for word in words)


def _option(place: int) -> Text:
    return Text(lambda seen: tuple(filter(None, (_pick(seen, place),))))


def picks(seen: Seen) -> Pages:
    """All choices, each a page."""
    option = seen.line.option
    count = len(option.choices) if option is not None else 0
    return tuple(_pick(seen, place) for place in range(count))


def _options(seen: Seen) -> Pages:
    """All choices in one line."""
    found = picks(seen)
    lines = (" · ".join(forms[which] for forms in found) for which in (0, -1))
    return (tuple(dict.fromkeys(lines)),) if found else ()


def _told_title(seen: Seen) -> Pages:
    return marked(seen, seen.say(f"told.{seen.told.tell}"), words=False)


def _told_text(seen: Seen) -> Pages:
    told = seen.told
    if told.tell is Tell.IGNORED:
        return (seen.say(f"ignored.{told.code if told.code in IGNORED else 'other'}"),)
    if not told.text:
        return ()
    words = told.text.split(" ")
    if all(word in seen.language or word.startswith(HELD_SIGN) for word in words):
        return ((_keyed(seen, words),),)
    return (entered(seen, told.text),)


def entered(seen: Seen, act: str) -> Forms:
    """What was entered, in words from long to short."""
    line = seen.view.line
    return entry_words(seen.language, line.rulebook if line is not None else "").forms(act)


def last_entries(seen: Seen) -> tuple[Forms, ...]:
    """The last entries in words, the newest first."""
    return tuple(entered(seen, said.entry or "OK") for said in seen.line.last)


def _last(nth: int) -> Callable[[Seen], Pages]:
    """One of the last entries, with who was at the table."""

    def pages(seen: Seen) -> Pages:
        if nth >= len(seen.line.last):
            return ()
        side = seen.line.last[nth].side
        who = "" if side is None else f"{side} "
        return (tuple(f"{who}{form}" for form in last_entries(seen)[nth]),)

    return pages


def undoes_newest(seen: Seen) -> bool:
    """Whether UNDO would take back the newest of the last entries."""
    last = seen.line.last
    return bool(last) and seen.line.undo == last[0].entry


def _undo(seen: Seen) -> Pages:
    """What UNDO would take back, behind the key of that name."""
    line = seen.line
    if not line.undo:
        return ()
    forms, key = entered(seen, line.undo), seen.language.say("key.undo")
    return ((f"{key} {forms[0]}", *(f"←{form}" for form in forms)),)


def _undo_beside(seen: Seen) -> Pages:
    """The same; where it has no room, an arrow beside the newest entry."""
    newest = undoes_newest(seen)
    return tuple((*forms, "←") if newest else forms for forms in _undo(seen))


def _undo_end(seen: Seen) -> Pages:
    """The same, just after an end was confirmed."""
    return _undo(seen) if confirmed(seen.view) else ()


def _typed_title(seen: Seen) -> Pages:
    """What is being typed; a dialog that its panel calls by a text of its own, by that."""
    typed = seen.view.typed
    if typed is None:
        return ()
    label = typed.label
    return (seen.language.forms(label) if label in seen.language else (label,),)


def _keyed(seen: Seen, labels: Iterable[str]) -> str:
    """The keys of something half typed, as they are called."""
    return " ".join(map(seen.language.label, labels))


def _typed(seen: Seen) -> Pages:
    """What is keyed so far, and by turns what it would become and make."""
    typed = seen.view.typed
    if typed is None:
        return ()
    pages: list[Forms] = [(typed.number or _keyed(seen, typed.keys) or "…",)]
    if typed.entry and typed.entry != pages[0][0]:
        pages.append(entered(seen, typed.entry))
    if typed.reminder:
        pages.append(seen.say(f"reminder.{typed.reminder}"))
    if typed.score is not None:
        pages.append((f"→{seen.pair(typed.score)}",))
    return tuple(pages)


def _reason(part: int) -> Text:
    def pages(seen: Seen) -> Pages:
        told, line = seen.told, seen.view.line
        key = f"refused.{told.code}"
        if key in seen.language:
            left = to_go(line) if line is not None else None
            number = told.text if told.text.isdecimal() else "" if left is None else left
            text = seen.language.say(key, n=number)
        else:
            text = seen.language.say("refused.other", text=told.code.replace("_", " "))
        lines = text.split("\n")
        return ((lines[part],),) if part < len(lines) else ()

    def widest(language: Language) -> Pages:
        keys = [f"refused.{code}" for code in (*Code, *TYPING)]
        found = (language.say(key, **samples(key)).split("\n") for key in keys)
        return tuple((lines[part],) for lines in found if part < len(lines))

    return Text(pages, widest)


def _over(seen: Seen) -> Pages:
    """Who won and why, then the figures of the match, in turn."""
    line, figures = seen.line, seen.line.figures
    result = line.result
    pages: list[Forms] = []
    if result is not None:
        cause = seen.word("cause", result.reason)
        if result.winner is not None:
            pages += [about(seen, "over", "winner", result.winner), cause]
        else:
            lost = result.reason == "disqualified"
            pages += [seen.say("over.nobody" if lost else "over.draw"), cause]
    if in_levels(line):
        pages += tallies(seen)
    innings = figures.total_innings or figures.innings
    if innings is not None:
        n = str(innings[0]) if innings[0] == innings[1] else seen.pair(innings)
        pages.append(seen.say("over.innings", n=n))
    for key, pair in (("over.averages", figures.averages), ("over.high_runs", figures.high_runs)):
        if pair is not None:
            a, b = (pair[seen.at(side).place] for side in Side)
            pages.append(seen.say(key, a=a, b=b))
    return marked(seen, *pages, *_undo_end(seen))


def _pause_title(seen: Seen) -> Pages:
    """A time-out or interval, and whose; what is counted down, and at zero what comes next."""
    counting = seen.view.counting
    if counting is not None:
        over = "_over" if counting.left_s(seen.now_ms) == 0 else ""
        return marked(seen, about(seen, "pause", counting.what + over, None))
    said = seen.line.last[0]
    code = "interval" if said.entry.startswith("INTERVAL") else "timeout"
    side = next((side for side in Side if f"({side}" in said.entry), said.side)
    return marked(seen, about(seen, "pause", code, side))


def _pause_time(seen: Seen) -> Pages:
    """How long it has lasted, or what is left of a countdown."""
    counting = seen.view.counting
    if counting is not None:
        return (time_forms(counting.left_s(seen.now_ms)),)
    return (time_forms(max(0, seen.match_ms - seen.line.t_ms) // 1000),)


def _pause_left(seen: Seen) -> Pages:
    left = seen.figures.timeouts
    return (seen.say("play.timeouts", n=seen.pair(left)),) if left is not None else ()


def fixed(key: str, *, mark: bool = False) -> Text:
    """A fixed text of the language."""

    def pages(seen: Seen) -> Pages:
        forms = seen.say(key)
        return marked(seen, forms, words=False) if mark else (forms,)

    return Text(pages, lambda language: (language.forms(key),))


def _equaliser(seen: Seen) -> Pages:
    """The title, in turn with it the goal, and what a restricted zone demands."""
    goal = seen.figures.goal
    pages = [seen.say("play.equaliser")]
    if goal is not None:
        pages.append(seen.say("play.target", n=goal))
    return marked(seen, *pages, *zone_demand(seen), words=False)


def _equaliser_widest(language: Language) -> Pages:
    """What it may say, at its widest."""
    return (
        language.forms("play.equaliser"),
        language.forms("play.must_exit"),
        language.forms("play.inside", n=1),
    )


def _run(seen: Seen) -> Pages:
    """The run; where it has no room, that it is a long one."""
    run = seen.line.run
    return ((f"+{run}", str(run), "++"),) if run else ()


def _score(side: Side) -> Callable[[Seen], Pages]:
    """The points of a side; what was won of a game in which racks have none."""

    def pages(seen: Seen) -> Pages:
        if seen.line.alone and seen.at(side) is Side.B:
            return _best(seen)
        score = seen.line.score
        if score is None and seen.line.family != CAROM:
            score = tally(seen)
        return ((str(score[seen.at(side).place]), "--"),) if score is not None else ()

    return pages


def _name(side: Side) -> Callable[[Seen], Pages]:
    """The name of a side; who practises alone has his best run in the place of an opponent."""

    def pages(seen: Seen) -> Pages:
        if seen.line.alone and seen.at(side) is Side.B:
            return (seen.say("figure.high_runs"),) if _best(seen) else ((" ",),)
        return (name_of(seen.line, seen.at(side)),)

    return pages


def _best(seen: Seen) -> Pages:
    """The best run by now of who practises alone, the one in play too."""
    runs = seen.figures.high_runs
    return ((str(max(runs[0], seen.line.run)),),) if runs is not None else ()


def _round(side: Side) -> Callable[[Seen], Pages]:
    """The points of a side in the running round of a shoot-out; a dash until it has played."""

    def pages(seen: Seen) -> Pages:
        shot = seen.line.shootout or ((), ())
        mine = shot[seen.at(side).place]
        return ((str(mine[-1]) if mine and len(mine) == max(map(len, shot)) else "-",),)

    return pages


def _sets(seen: Seen) -> Pages:
    won = tally(seen)
    return ((seen.pair(won), "-"),) if won is not None else ()


def _goal(seen: Seen) -> Pages:
    """The goal in three digits; a longer one stands beside the title alone, whole."""
    goal = seen.figures.goal
    return ((str(goal),),) if goal is not None and goal < 1000 else ()


TEXTS: dict[str, Text] = {
    "score_a": Text(_score(Side.A), texts("888", "-88")),
    "score_b": Text(_score(Side.B), texts("888", "-88")),
    "round_a": Text(_round(Side.A), texts("888")),
    "round_b": Text(_round(Side.B), texts("888")),
    "name_a": Text(_name(Side.A)),
    "name_b": Text(_name(Side.B)),
    "run": Text(_run, texts("888")),
    "sets": Text(_sets, texts("8-8")),
    "goal": Text(_goal, texts("888")),
    "match_score": Text(lambda seen: ((seen.pair(seen.line.score or (0, 0)),),), texts("888-888")),
    "equaliser": Text(_equaliser, _equaliser_widest),
    "shootout": fixed("play.shootout", mark=True),
    "held_cause": Text(_held_cause),
    "held_then": Text(_held_then),
    "choice": Text(_choice),
    "option_1": _option(0),
    "option_2": _option(1),
    "options": Text(_options),
    "told_title": Text(_told_title),
    "told_text": Text(_told_text),
    "last_1": Text(_last(0)),
    "last_2": Text(_last(1)),
    "last_3": Text(_last(2)),
    "undo": Text(_undo_beside),
    "undo_end": Text(_undo_end),
    "typed_title": Text(_typed_title),
    "typed_text": Text(_typed),
    "reason_1": _reason(0),
    "reason_2": _reason(1),
    "refused_sign": Text(lambda _: (("×",),), texts("×")),
    "over_title": fixed("over.title", mark=True),
    "over": Text(_over),
    "pause_title": Text(_pause_title),
    "pause_time": Text(_pause_time, texts("88:88")),
    "pause_left": Text(_pause_left),
}
"""The fields of a board that has room for each of them."""
