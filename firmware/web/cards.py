"""What a page says of a table: every text ready in a language; pure, the time is passed in.

A card is the same for all pages and every game. What a game does not know is absent, as it is in
the scoreline. Nothing is told by colour alone: each mark has a word.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from firmware.entries.words import entry_words
from firmware.hall.follower import TableNow
from firmware.i18n import Language, number
from firmware.mqtt.messages import Logged
from firmware.text_keys import BESIDE_NAMES, FIGURES, LEVELS
from rules.clock import Countdown, What
from rules.scoreline import Scoreline
from rules.sides import Pair, Side

AT_A_GLANCE = ("ball_on", "remaining", "snookers", "groups", "fouls", "innings", "averages")
"""The figures of a card in the room, the most telling first; a card has room for `GLANCES`."""

GLANCES = 3


class Row(NamedTuple):
    """A figure: its name, and one value, or one a side; of a mark the name alone."""

    name: str
    label: str
    value: str = ""
    pair: Pair[str] | None = None


class Player(NamedTuple):
    """A side of a card. `score` is a dash where there is none; `won` counts frames or sets."""

    side: Side
    name: str
    score: str
    at_table: bool
    opens: bool
    white: bool
    winner: bool
    run: int = 0
    won: tuple[str, ...] = ()
    target: str = ""


class Timer(NamedTuple):
    """A clock of a card, in whole seconds begun."""

    kind: str
    label: str
    seconds: int
    running: bool
    note: str = ""

    @property
    def text(self) -> str:
        """The seconds, of a longer time as minutes and seconds."""
        return (
            f"{self.seconds // 60}:{self.seconds % 60:02}"
            if self.seconds >= 100
            else str(self.seconds)
        )


class Card(NamedTuple):
    """Everything a page says of a table.

    `mark` is live, stale, offline, clash, newer or empty, `said` the same in words. `silent` says
    for how long nothing was heard, and `silent_ms` is that time: a page counts it on by itself
    where its server is gone. `headline` is what the match waits for or how it ended. `entries` are
    in words, `log` as it was heard, of a match by `rulebook`. `due_ms` is the display's monotonic
    time at which the card says something else by itself, if nothing comes.
    """

    hall: str
    table: str
    title: str
    mark: str
    said: str
    silent: str = ""
    silent_ms: int = 0
    players: tuple[Player, ...] = ()
    levels: tuple[str, ...] = ()
    headline: str = ""
    timers: tuple[Timer, ...] = ()
    rows: tuple[Row, ...] = ()
    glance: tuple[Row, ...] = ()
    entries: tuple[str, ...] = ()
    log: tuple[Logged, ...] = ()
    rulebook: str = ""
    over: bool = False
    unsaved: str = ""
    due_ms: int | None = None

    @property
    def id(self) -> str:
        """What its place on a page is called."""
        return f"t-{self.hall}-{self.table}"

    @property
    def aloud(self) -> str:
        """The score in one sentence, for who does not see the page; an age would be read out anew
        with each second."""
        sides = ", ".join(f"{one.name} {one.score}" for one in self.players)
        return " · ".join(filter(None, (self.title, sides, self.headline, self.said)))


def card(table: TableNow, language: Language, now_ms: int, *, several: bool = False) -> Card:
    """What a page says of a table at a moment of the display's monotonic clock.

    Where tables of `several` halls are shown, the title says of which this one is.
    """
    title = language.say("hall.table", n=table.table).capitalize()
    if several:
        title = f"{table.hall} · {title}"
    mark = _mark(table)
    said, (silent, silent_due) = (
        _said(table, mark, language),
        _silent(table, mark, language, now_ms),
    )
    silent_ms = table.silent_ms if silent else 0
    line = table.line
    if line is None:
        return Card(
            table.hall, table.table, title, mark, said, silent, silent_ms, due_ms=silent_due
        )
    rows = tuple(_rows(line, language))
    found = {row.name: row for row in rows}
    words = entry_words(language, line.rulebook)
    timers, timer_due = _timers(table, language, now_ms)
    dues = [due for due in (silent_due, timer_due, table.live_until_ms) if due is not None]
    return Card(
        hall=table.hall,
        table=table.table,
        title=title,
        mark=mark,
        said=said,
        silent=silent,
        silent_ms=silent_ms,
        players=tuple(_player(line, side) for side in Side),
        levels=tuple(language.say(f"level.{name}") for name in _levels(line)),
        headline=headline(line, language),
        timers=timers,
        rows=rows,
        glance=tuple(found[name] for name in AT_A_GLANCE if name in found)[:GLANCES],
        entries=tuple(words.say(one.entry) for one in line.last if one.entry),
        log=_log(table),
        rulebook=line.rulebook,
        over=line.phase == "over",
        unsaved="" if line.saved else language.say("board.unsaved"),
        due_ms=min(dues, default=None),
    )


def _log(table: TableNow) -> tuple[Logged, ...]:
    """The last records of the match that is shown, newest first."""
    log, line = table.log, table.line
    if log is None or line is None or log.match != line.match:
        return ()
    return log.entries[::-1]


def headline(line: Scoreline, language: Language) -> str:
    """What a match waits for or how it ended, where it is not simply played."""
    if line.phase == "over":
        return " · ".join(_outcome(line, language))
    if line.ending is not None:
        cause = language.word_for("cause", line.ending.cause)[0]
        if line.figures.early_concession:
            cause = f"{cause}, {language.forms('reminder.early_concession')[0]}"
        then = _about(language, "then", line.ending.then, line, line.ending.side)
        return f"{cause} · {then}"
    if line.option is not None:
        question = language.word_for("choice", line.option.kind)[0]
        if line.option.chooser is None:
            return question
        return f"{question} · {_about(language, 'choice', 'chooser', line, line.option.chooser)}"
    if line.phase in ("equaliser", "shootout"):
        return language.say(f"play.{line.phase}")
    if line.phase == "first":
        return language.say("choice.first")
    return _partner(line)


def _partner(line: Scoreline) -> str:
    """Who of a pair is at the table, where partners take turns in an order."""
    names = line.names[line.turn.place] if line.turn is not None else ()
    in_order = line.family == "snooker" and 1 <= line.member <= len(names) > 1
    return names[line.member - 1] if in_order else ""


def age(language: Language, ms: int) -> tuple[str, int]:
    """A time in words, and in how many milliseconds they will be others."""
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)):
        if ms >= size or unit == "s":
            return language.say(f"age.{unit}", n=ms // size), size - ms % size
    raise AssertionError("seconds hold everything")


def name_of(line: Scoreline, side: Side) -> str:
    """The players of a side."""
    return " + ".join(name for name in line.names[side.place] if name.strip()) or side.value


def _mark(table: TableNow) -> str:
    if table.newer or table.clash:
        return "newer" if table.newer else "clash"
    if table.offline:
        return "offline"
    if table.line is None:
        return "empty"
    return "live" if table.live else "stale"


def _said(table: TableNow, mark: str, language: Language) -> str:
    """Whether the score may be believed."""
    if mark == "live":
        return language.say("page.live")
    if mark == "empty":
        return language.say("board.idle")
    known = [language.say("page.last_known")] if table.line is not None else []
    return " · ".join(known if mark == "stale" else [*known, language.say(f"page.{mark}")])


def _silent(table: TableNow, mark: str, language: Language, now_ms: int) -> tuple[str, int | None]:
    """For how long nothing was heard, and when the words for it change."""
    if mark in ("live", "empty"):
        return "", None
    text, in_ms = age(language, table.silent_ms)
    return language.say("hall.silent", age=text), now_ms + in_ms


def _levels(line: Scoreline) -> tuple[str, ...]:
    """What is counted beside the score, the largest first; of a rack without points its number
    of racks is the score."""
    counted = [name for name in line.tally if name in LEVELS and max(line.to_win[name]) > 1]
    return tuple(reversed(counted if line.score is not None else counted[1:]))


def _score(line: Scoreline, side: Side) -> str:
    if line.score is not None:
        return number(line.score[side.place])
    won = next(iter(line.tally.values()), None)
    return str(won[side.place]) if won is not None else "–"


def _player(line: Scoreline, side: Side) -> Player:
    targets = line.figures.targets
    target = targets[side.place] if targets is not None else None
    return Player(
        side=side,
        name=name_of(line, side),
        score=_score(line, side),
        at_table=line.turn is side,
        opens=line.opener is side,
        white=line.white is side,
        winner=line.result is not None and line.result.winner is side,
        run=line.run if line.turn is side else 0,
        won=tuple(str(line.tally[name][side.place]) for name in _levels(line)),
        target=str(target) if target is not None else "",
    )


def _outcome(line: Scoreline, language: Language) -> Iterator[str]:
    result = line.result
    if result is None:
        yield language.say("over.title")
        return
    if result.winner is not None:
        yield language.say("over.winner", name=name_of(line, result.winner), side="")
    else:
        yield language.say("over.nobody" if result.by_conduct else "over.draw")
    yield language.word_for("cause", result.reason)[0]


def _about(language: Language, group: str, code: str, line: Scoreline, side: Side | None) -> str:
    name = name_of(line, side) if side is not None else ""
    return language.word_for(group, code, name=name, side="")[0].rstrip(" ,")


def _rows(line: Scoreline, language: Language) -> Iterator[Row]:
    """What the frame says of itself, in the order of the catalogue."""
    for name in FIGURES:
        if name in BESIDE_NAMES:
            continue
        value: Any = getattr(line.figures, name)
        label = language.say(f"figure.{name}")
        if value is None or value is False or (name == "misses" and not value):
            continue
        if value is True:
            yield Row(name, label)
        elif isinstance(value, tuple):
            if any(one not in (None, 0) for one in value) or name == "innings":
                yield Row(name, label, pair=(_text(value[0], language), _text(value[1], language)))
        else:
            yield Row(name, label, _text(value, language))


def _text(value: Any, language: Language) -> str:
    """A figure's value; a ball or group by its word where the language has one."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return language.word_for("ball", value)[0]
    return number(value) if isinstance(value, int) else str(value)


def _timers(
    table: TableNow, language: Language, now_ms: int
) -> tuple[tuple[Timer, ...], int | None]:
    """The clocks, and when the next second begins. A running clock needs a table that is live."""
    state = table.clock
    if state is None or (state.running and table.t_ms is None):
        return (), None
    t_ms = table.t_ms or 0
    shot, match = state.seconds(t_ms)
    found = []
    if state.shot is not None and shot is not None:
        label = language.say("page.shot_clock")
        note = _note(state.shot, t_ms, language)
        found.append(Timer("shot", label, shot, state.shot.running, note))
    if state.match is not None and match is not None:
        label = language.say("page.match_time")
        note = _note(state.match, t_ms, language)
        found.append(Timer("match", label, match, state.match.running, note))
    ticking = [one for one in (state.shot, state.match) if one is not None and one.running]
    left = [one.left(t_ms) for one in ticking if one.left(t_ms)]
    # All change together, with the shot clock where it runs.
    due = now_ms + (left[0] % 1000 or 1000) if left else None
    return tuple(found), due


def _note(clock: Countdown, t_ms: int, language: Language) -> str:
    """What there is to say of a clock besides its seconds."""
    if not clock.running:
        return language.say("page.paused")
    call = clock.call(t_ms)
    if call is What.WARNING:
        return language.say("page.warning")
    return language.say("cause.time") if call is What.TIME else ""
