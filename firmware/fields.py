"""What a box of a layout can show: each field reads one thing off the view, as text or light.

A text is pages that take turns; a page is forms of one text from long to short, of which the
longest that fits is shown. A field with no page, or not lit, is absent: its box stays dark.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from firmware.i18n import IGNORED, TYPING, Language, samples
from firmware.snapshot import Tell, Told, View
from rules.errors import Code
from rules.scoreline import Scoreline
from rules.sides import Pair, Side

Pages: TypeAlias = tuple[tuple[str, ...], ...]

CALLED_TO_GO = 3
"""From so many points to go on, the board says how many, as referees do."""


class Seen(NamedTuple):
    """What a field reads: the view, and the language to say it in."""

    view: View
    language: Language

    @property
    def line(self) -> Scoreline:
        """The match; screens without one have no field that asks."""
        assert self.view.line is not None
        return self.view.line

    @property
    def told(self) -> Told:
        """The answer to a press that is being shown."""
        assert self.view.told is not None
        return self.view.told

    def say(self, key: str, **values: object) -> tuple[str, ...]:
        """The forms of a text."""
        return self.language.forms(key, **values)


class Text(NamedTuple):
    """A field of text; `widest` are texts that its box must hold where it does not scroll.

    `says` are the fields that it stands for, where there is no room for each of them.
    """

    pages: Callable[[Seen], Pages]
    widest: Callable[[Language], Pages] = lambda _: ()
    says: tuple[str, ...] = ()


def _name(line: Scoreline, side: Side, member: int | None = None) -> tuple[str, ...]:
    """A side's name, long and short; one of a pair where `member` says which, from 1."""
    names = line.names[side.place]
    if member is not None and len(names) >= member:
        names = names[member - 1 : member]
    return _forms(names) or (side.value,)


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...]) -> tuple[str, ...]:
    whole = " + ".join(name for name in names if name.strip())
    last = " + ".join(name.split()[-1] for name in names if name.strip())
    return tuple(dict.fromkeys(form for form in (whole, last) if form))


@lru_cache(maxsize=256)
def _cut(forms: tuple[str, ...]) -> tuple[str, ...]:
    """The forms of a name, and its beginnings: where people play, a name stands still."""
    last = forms[-1]
    return (*forms, *(f"{last[:n].strip()}." for n in range(len(last) - 1, 1, -1)))


def _sign(side: Side) -> str:
    """A side by its place on the board."""
    return "←A" if side is Side.A else "B→"


def _about(seen: Seen, group: str, code: str, side: Side | None) -> tuple[str, ...]:
    """A text about a side: with its name, or where that does not fit with its sign."""
    if side is None:
        values = [{"name": "", "side": ""}]
    else:
        values = [{"name": name, "side": _sign(side)} for name in _name(seen.line, side)]
    forms = [form for each in values for form in seen.language.word_for(group, code, **each)]
    kept = dict.fromkeys(form.rstrip(" ,") for form in forms)
    return tuple(sorted(kept, key=len, reverse=True))


def _marked(seen: Seen, *pages: tuple[str, ...], words: bool = True) -> Pages:
    """Pages of a title, and after them in words that the score is not saved, what is broken."""
    found = list(dict.fromkeys(pages))
    if not seen.line.saved:
        found.append(seen.say("board.unsaved"))
    if words and seen.view.faults:
        found.append(_faults(seen))
    return tuple(found)


def _faults(seen: Seen) -> tuple[str, ...]:
    return seen.say("board.fault", codes=" ".join(seen.view.faults))


def _score(side: Side) -> Callable[[Seen], Pages]:
    def pages(seen: Seen) -> Pages:
        score = seen.line.score
        return ((str(score[side.place]), "--"),) if score is not None else ()

    return pages


def _pair_text(pair: Pair[int]) -> str:
    return f"{pair[0]}-{pair[1]}"


def _round(side: Side) -> Callable[[Seen], Pages]:
    """The points of a side in the running round of a shoot-out; a dash until it has played."""

    def pages(seen: Seen) -> Pages:
        shot = seen.line.shootout or ((), ())
        mine = shot[side.place]
        return ((str(mine[-1]) if mine and len(mine) == max(map(len, shot)) else "-",),)

    return pages


def _side_name(side: Side) -> Callable[[Seen], Pages]:
    return lambda seen: (_name(seen.line, side),)


def _player(seen: Seen) -> Pages:
    """Who is at the table; near the goal what he still needs, at a handicap his own target."""
    line = seen.line
    if line.turn is None:
        return _marked(seen, words=False)
    pages = [_cut(_name(line, line.turn, line.member))]
    targets = line.figures.targets
    if targets is not None and targets[0] != targets[1]:
        pages.append(seen.say("play.target", n=targets[line.turn.place] or "-"))
    left = _to_go(line)
    if left is not None and left <= CALLED_TO_GO:
        pages.append(seen.say("play.to_go", n=left))
    return _marked(seen, *pages, words=False)


def _to_go(line: Scoreline) -> int | None:
    to_go = line.figures.to_go
    return None if to_go is None or line.turn is None else to_go[line.turn.place]


def _run(seen: Seen) -> Pages:
    run = seen.line.run
    return ((f"+{run}", str(run)),) if run else ()


def _innings(seen: Seen) -> Pages:
    """The number of the inning in play."""
    line = seen.line
    done = line.figures.innings
    if done is None or line.turn is None:
        return ()
    return (seen.say("play.innings", n=done[line.turn.place] + 1),)


def _sets(seen: Seen) -> Pages:
    tally = next(iter(seen.line.tally.values()), None)
    return ((_pair_text(tally),),) if tally is not None else ()


def _goal(seen: Seen) -> Pages:
    goal = seen.line.figures.goal
    return ((str(goal),),) if goal is not None else ()


def _held_cause(seen: Seen) -> Pages:
    line = seen.line
    ending, result = line.ending, line.result or line.frame_result
    if ending is None:
        return ()
    pages = [seen.language.word_for("cause", ending.cause)]
    if result is not None and result.winner is not None:
        pages.append(_cut(_name(line, result.winner)[-1:]))
    if line.shootout is not None and all(line.shootout):
        pages.append((_pair_text((line.shootout[0][-1], line.shootout[1][-1])),))
    if any(level[0] > 1 for level in seen.line.to_win.values()):
        pages += _sets(seen)
    return _marked(seen, *pages)


def _held_then(seen: Seen) -> Pages:
    ending = seen.line.ending
    return (_about(seen, "then", ending.then, ending.side),) if ending is not None else ()


def _choice(seen: Seen) -> Pages:
    option = seen.line.option
    if option is None:
        return ()
    title = seen.language.word_for("choice", option.kind)
    if option.chooser is None:
        return _marked(seen, title)
    return _marked(seen, title, _about(seen, "choice", "chooser", option.chooser))


def _pick(seen: Seen, place: int) -> tuple[str, ...]:
    """One of the choices, behind the label of the key that picks it."""
    option = seen.line.option
    if option is None or place >= len(option.choices):
        return ()
    choice = option.choices[place]
    label = next((label for label, act in seen.view.keys if f"({choice})" in act), "")
    if choice in (Side.A, Side.B):
        words = _cut(_name(seen.line, Side(choice)))
    else:
        words = seen.language.word_for("pick", choice)
    return tuple(f"{label} {word}".strip() for word in words)


def _option(place: int) -> Text:
    return Text(lambda seen: tuple(filter(None, (_pick(seen, place),))))


def _options(seen: Seen) -> Pages:
    option = seen.line.option
    count = len(option.choices) if option is not None else 0
    return ((" · ".join(_pick(seen, place)[-1] for place in range(count)),),) if count else ()


def _told_title(seen: Seen) -> Pages:
    return _marked(seen, seen.say(f"told.{seen.told.tell}"), words=False)


def _told_text(seen: Seen) -> Pages:
    told = seen.told
    if told.tell is not Tell.IGNORED:
        return ((told.text,),) if told.text else ()
    return (seen.say(f"ignored.{told.code if told.code in IGNORED else 'other'}"),)


def _typed(seen: Seen) -> Pages:
    """What is keyed so far, and by turns what it would become and make."""
    typed = seen.view.typed
    if typed is None:
        return ()
    pages: list[tuple[str, ...]] = [(typed.number or " ".join(typed.keys) or "…",)]
    if typed.entry and typed.entry != pages[0][0]:
        pages.append((typed.entry,))
    if typed.score is not None:
        pages.append((f"→{_pair_text(typed.score)}",))
    return tuple(pages)


def _reason(part: int) -> Text:
    def pages(seen: Seen) -> Pages:
        told = seen.told
        key = f"refused.{told.code}"
        if key in seen.language:
            left = _to_go(seen.line)
            number = told.text if told.text.isdecimal() else "" if left is None else left
            text = seen.language.say(key, n=number)
        else:
            text = seen.language.say("refused.other", text=told.code.replace("_", " "))
        lines = text.split("\n")
        return ((lines[part],),) if part < len(lines) else ()

    def widest(language: Language) -> Pages:
        keys = [f"refused.{code}" for code in (*Code, *TYPING)]
        texts = (language.say(key, **samples(key)).split("\n") for key in keys)
        return tuple((lines[part],) for lines in texts if part < len(lines))

    return Text(pages, widest)


def _over(seen: Seen) -> Pages:
    """Who won and why, then the figures of the match, in turn."""
    line, figures = seen.line, seen.line.figures
    result = line.result
    pages: list[tuple[str, ...]] = []
    if result is not None:
        cause = seen.language.word_for("cause", result.reason)
        if result.winner is not None:
            pages += [_about(seen, "over", "winner", result.winner), cause]
        else:
            lost = result.reason == "disqualified"
            pages += [seen.say("over.nobody" if lost else "over.draw"), cause]
    if any(level[0] > 1 for level in line.to_win.values()):
        pages += _sets(seen)
    innings = figures.total_innings or figures.innings
    if innings is not None:
        n = str(innings[0]) if innings[0] == innings[1] else _pair_text(innings)
        pages.append(seen.say("over.innings", n=n))
    for key, pair in (("over.averages", figures.averages), ("over.high_runs", figures.high_runs)):
        if pair is not None:
            pages.append(seen.say(key, a=pair[0], b=pair[1]))
    return _marked(seen, *pages)


def _run_brief(seen: Seen) -> Pages:
    """The run in two digits, of a longer one that it is longer; a sign if it is not saved."""
    run = seen.line.run
    pages: Pages = ((f"+{run}", str(run), "++"),) if run else ()
    return pages if seen.line.saved else (*pages, ("!!",))


def _chase(seen: Seen) -> Pages:
    """In the equaliser the run, and near the goal what is still needed."""
    left = _to_go(seen.line)
    near = left is not None and left < 10
    return (*_run_brief(seen), (f"-{left}",)) if near else _run_brief(seen)


def _innings_brief(seen: Seen) -> Pages:
    done, turn = seen.line.figures.innings, seen.line.turn
    if done is None or turn is None or done[turn.place] >= 99:
        return ()
    return ((str(done[turn.place] + 1),),)


def _sets_of(side: Side) -> Callable[[Seen], Pages]:
    """The sets of a side, as one digit."""

    def pages(seen: Seen) -> Pages:
        tally = next(iter(seen.line.tally.values()), None)
        return ((str(tally[side.place]),),) if tally is not None and max(tally) < 10 else ()

    return pages


def _typed_brief(seen: Seen) -> Pages:
    typed = seen.view.typed
    return ((typed.number or "".join(typed.keys) or "…", "…"),) if typed is not None else ()


def _told_sign(seen: Seen) -> Pages:
    signs = {Tell.IGNORED: "?", Tell.UNDONE: "←", Tell.EDITED: "ED"}
    return ((signs.get(seen.told.tell, "×"),),)


def _over_sign(seen: Seen) -> Pages:
    """An arrow to the winner's score; a line where nobody won."""
    result = seen.line.result
    winner = result.winner if result is not None else None
    return (("--" if winner is None else "◀" if winner is Side.A else "▶",),)


def _reason_line(seen: Seen) -> Pages:
    parts = [forms[0] for part in (0, 1) for forms in _reason(part).pages(seen)]
    return (("× " + " ".join(parts),),)


def _choice_line(seen: Seen) -> Pages:
    option = seen.line.option
    if option is None:
        return ()
    picks = (_pick(seen, place) for place in range(len(option.choices)))
    return (*_choice(seen), *picks)


def _board_line(seen: Seen) -> Pages:
    return (seen.say("board.name"), *_idle(seen))


def _of(key: str, *, marked: bool = False) -> Text:
    """A fixed text of the language."""

    def pages(seen: Seen) -> Pages:
        forms = seen.say(key)
        return _marked(seen, forms, words=False) if marked else (forms,)

    return Text(pages, lambda language: (language.forms(key),))


def _idle(seen: Seen) -> Pages:
    return (
        (seen.say("board.idle"), _faults(seen)) if seen.view.faults else (seen.say("board.idle"),)
    )


def _texts(*pages: str) -> Callable[[Language], Pages]:
    return lambda _: tuple((page,) for page in pages)


TEXTS: dict[str, Text] = {
    "score_a": Text(_score(Side.A), _texts("888", "-88")),
    "score_b": Text(_score(Side.B), _texts("888", "-88")),
    "round_a": Text(_round(Side.A), _texts("888")),
    "round_b": Text(_round(Side.B), _texts("888")),
    "name_a": Text(_side_name(Side.A)),
    "name_b": Text(_side_name(Side.B)),
    "player": Text(_player),
    "run": Text(_run, _texts("888")),
    "innings": Text(_innings, lambda language: (language.forms("play.innings", n=888),)),
    "sets": Text(_sets, _texts("8-8")),
    "goal": Text(_goal, _texts("888")),
    "match_score": Text(
        lambda seen: ((_pair_text(seen.line.score or (0, 0)),),), _texts("888-888")
    ),
    "equaliser": _of("play.equaliser", marked=True),
    "shootout": _of("play.shootout", marked=True),
    "held_cause": Text(_held_cause),
    "held_then": Text(_held_then),
    "choice": Text(_choice),
    "option_1": _option(0),
    "option_2": _option(1),
    "options": Text(_options),
    "told_title": Text(_told_title),
    "told_text": Text(_told_text),
    "typed_title": Text(lambda seen: ((seen.view.typed.label,),) if seen.view.typed else ()),
    "typed_text": Text(_typed),
    "reason_1": _reason(0),
    "reason_2": _reason(1),
    "refused_sign": Text(lambda _: (("×",),), _texts("×")),
    "over_title": _of("over.title", marked=True),
    "over": Text(_over),
    "board_name": _of("board.name"),
    "idle": Text(_idle),
    "version": Text(lambda seen: ((seen.told.text,),)),
    "run_brief": Text(_run_brief, _texts("88", "++", "!!"), ("run",)),
    "chase": Text(_chase, _texts("88", "++", "-8", "!!"), ("run", "goal", "equaliser")),
    "innings_brief": Text(_innings_brief, _texts("88"), ("innings",)),
    "sets_a": Text(_sets_of(Side.A), _texts("8"), ("sets",)),
    "sets_b": Text(_sets_of(Side.B), _texts("8")),
    "typed_brief": Text(_typed_brief, _texts("88", "…"), ("typed_title", "typed_text")),
    "told_sign": Text(_told_sign, _texts("?", "←", "ED"), ("told_title", "told_text")),
    "over_sign": Text(_over_sign, _texts("◀", "▶", "--"), ("over_title",)),
    "held_sign": Text(lambda _: (("OK",),), _texts("OK")),
    "held_line": Text(
        lambda seen: (*_held_cause(seen), *_held_then(seen)), says=("held_cause", "held_then")
    ),
    "choice_sign": Text(lambda _: (("?",),), _texts("?")),
    "choice_line": Text(_choice_line, says=("choice", "option_1", "option_2", "options")),
    "shootout_sign": Text(lambda _: (("◎",),), _texts("◎"), ("shootout",)),
    "reason_line": Text(_reason_line, says=("refused_sign", "reason_1", "reason_2")),
    "board_line": Text(_board_line, says=("board_name", "idle")),
    "release": Text(
        lambda seen: ((f"v{seen.told.text.split()[-1]}",),), _texts("v88.88.88"), ("version",)
    ),
}
"""The fields of text."""

SHAPES: dict[str, Callable[[Seen], bool]] = {
    "at_a": lambda seen: seen.line.turn is Side.A,
    "at_b": lambda seen: seen.line.turn is Side.B,
    "white_a": lambda seen: seen.line.white is Side.A,
    "white_b": lambda seen: seen.line.white is Side.B,
    "unsaved": lambda seen: not seen.line.saved,
    "fault": lambda seen: bool(seen.view.faults),
    "line": lambda _: True,
}
"""The fields that are lit or not."""
