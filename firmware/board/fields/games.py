"""What is worth knowing of each game beside the score: alerts, notes, and the ball on."""

from collections.abc import Callable, Iterator

from firmware.board.fields.clocks import match_shown, shot_shown, time_is_up
from firmware.board.fields.seen import (
    Forms,
    Pages,
    Seen,
    Text,
    cut,
    in_levels,
    name_of,
    tallies,
    to_go,
)
from firmware.entries.fields import BLACKBALL
from rules.scoreline import Scoreline
from rules.sides import Side

SNOOKER, POOL, CAROM = "snooker", "pool", "carom"

CALLED_TO_GO = 3
"""From so many points to go on, the board says how many, where a rulebook does not say it."""

GROUPS = {"S": "solids", "T": "stripes"}
BLACKBALL_GROUPS = {"S": "reds", "T": "yellows"}
"""Groups of balls by the notation's letters; blackball paints them otherwise."""

AT_REST = ("place", "table")
"""The cue ball is played from where it lies: nothing to say."""


def alerts(seen: Seen) -> Pages:
    """What the referee and the players must know before the next stroke, in turn."""
    return (*time_is_up(seen), *_ALERTS.get(seen.line.family, _no_alerts)(seen))


def alerted(seen: Seen) -> bool:
    """Whether there is something that they must know."""
    return seen.view.line is not None and bool(alerts(seen))


def _no_alerts(seen: Seen) -> Iterator[Forms]:
    del seen
    yield from ()


def _snooker_alerts(seen: Seen) -> Iterator[Forms]:
    figures = seen.figures
    if figures.respotted:
        yield seen.say("play.respotted")
    if figures.free_ball:
        yield seen.say("play.free_ball")
    if figures.miss_warning:
        yield seen.say("play.miss_warning")


def _pool_alerts(seen: Seen) -> Iterator[Forms]:
    figures, turn = seen.figures, seen.line.turn
    if figures.push_out:
        yield seen.say("play.push_out")
    if figures.free_shot:
        yield seen.say("play.free_shot")
    if figures.racked is not None and figures.spot is None:
        yield seen.say("play.racked", n=figures.racked)
    if figures.stalemate_turns == (0, 0):
        yield seen.say("play.stalemate_due")
    if turn is not None and figures.fouls is not None and figures.fouls_limit is not None:
        mine = figures.fouls[turn.place]
        if mine and mine == figures.fouls_limit - 1:
            yield seen.say("play.fouls_warning", n=mine)
    if figures.pot_asked:
        yield seen.say("play.pot_asked")
    if figures.spot is not None:
        yield seen.word("spot", figures.spot)
    if figures.audit:
        yield seen.say("play.audit", n=f"{figures.audit:+d}")


def _carom_alerts(seen: Seen) -> Iterator[Forms]:
    yield from zone_demand(seen)
    if seen.figures.break_due:
        yield seen.say("play.break_due")


def zone_demand(seen: Seen) -> Iterator[Forms]:
    """What a restricted zone demands of the next carom."""
    figures = seen.figures
    if figures.zone == "must_exit":
        yield seen.say("play.must_exit")
    elif figures.zone == "entered":
        yield seen.say("play.inside", n=figures.inside or 1)


_ALERTS: dict[str, Callable[[Seen], Iterator[Forms]]] = {
    SNOOKER: _snooker_alerts,
    POOL: _pool_alerts,
    CAROM: _carom_alerts,
}


def _snooker_notes(seen: Seen) -> Iterator[Forms]:
    figures = seen.figures
    if figures.remaining is not None:
        yield seen.say("play.remaining", n=figures.remaining + figures.bonus)
    for side in Side:
        fouls = figures.snookers[side.place] if figures.snookers is not None else 0
        if fouls:
            yield seen.say("play.snookers", n=fouls, side=seen.sign(side))
    if figures.misses:
        yield seen.say("play.misses", n=figures.misses)
    if figures.touching:
        yield seen.say("play.touching")
    if figures.reds:
        yield seen.say("play.reds", n=figures.reds)


def _pool_notes(seen: Seen) -> Iterator[Forms]:
    figures, group = seen.figures, _group(seen)
    if group is not None:
        yield _with_number(group, _group_left(seen))
    left = to_go(seen.line)
    if left is not None:
        yield seen.say("play.to_go", n=left)
    if figures.fouls is not None and any(figures.fouls):
        yield seen.say("play.fouls", n=seen.pair(figures.fouls))
    if figures.left is not None:
        yield seen.say("play.left", n=figures.left)
    if figures.reracks:
        yield seen.say("play.reracks", n=figures.reracks)
    yield from _bests(seen)


def _carom_notes(seen: Seen) -> Iterator[Forms]:
    line, figures = seen.line, seen.figures
    if line.turn is None:
        return
    place = line.turn.place
    if figures.targets is not None and figures.targets[0] == figures.targets[1]:
        yield seen.say("play.target", n=figures.targets[place] or "-")
    if figures.last_runs is not None and figures.last_runs[place]:
        runs = " ".join(map(str, figures.last_runs[place]))
        yield (f"…{runs}", runs)
    yield from _bests(seen)


def _bests(seen: Seen) -> Iterator[Forms]:
    """Average and high run of whoever is at the table, once there are any."""
    figures, turn = seen.figures, seen.line.turn
    if turn is None:
        return
    average = figures.averages[turn.place] if figures.averages is not None else "-"
    if average != "-":
        yield seen.say("play.average", n=average)
    if figures.high_runs is not None and figures.high_runs[turn.place]:
        yield seen.say("play.high_run", n=figures.high_runs[turn.place])


_NOTES: dict[str, Callable[[Seen], Iterator[Forms]]] = {
    SNOOKER: _snooker_notes,
    POOL: _pool_notes,
    CAROM: _carom_notes,
}


def _group(seen: Seen) -> Forms | None:
    """The group of whoever is at the table, in a word; none while the table is open."""
    turn, groups = seen.line.turn, seen.figures.groups
    code = groups[turn.place] if turn is not None and groups is not None else None
    if code is None:
        return None
    words = BLACKBALL_GROUPS if seen.line.rulebook == BLACKBALL else GROUPS
    return seen.word("ball", words.get(code, code))


def _group_left(seen: Seen) -> int | None:
    turn, left = seen.line.turn, seen.figures.group_left
    return left[turn.place] if turn is not None and left is not None else None


def _with_number(words: Forms, n: int | None) -> Forms:
    return words if n is None else tuple(f"{word} {n}" for word in words)


def _corner_as_note(seen: Seen) -> Pages:
    """What stands in the corner where no clock does."""
    if not shot_shown(seen):
        return ()
    if seen.line.family == SNOOKER:
        return _ball_on(seen)
    return _innings(seen) if seen.line.family == CAROM else ()


def notes(seen: Seen) -> Pages:
    """What else is worth a page in play: the tally, the cue ball, figures, what is broken."""
    figures, line = seen.figures, seen.line
    found: list[Forms] = [*_corner_as_note(seen)]
    if figures.cue is not None and figures.cue not in AT_REST:
        found.append(seen.word("cue", figures.cue))
    if figures.lie is not None and figures.lie != "as_is":
        found.append(seen.word("lie", figures.lie))
    if in_levels(line) and (match_shown(seen) or line.score is None):
        found += tallies(seen, 0 if line.score is not None else 1)
    if figures.handicap is not None and any(figures.handicap):
        found.append(seen.say("play.handicap", n=seen.pair(figures.handicap)))
    if figures.stalemate_turns is not None:
        found.append(seen.say("play.stalemate_turns", n=seen.pair(figures.stalemate_turns)))
    elif figures.stalemate:
        found.append(seen.say("play.stalemate"))
    found += _NOTES.get(line.family, _no_alerts)(seen)
    found += _left_of(seen)
    if not line.saved:
        found.append(seen.say("board.unsaved"))
    # Which part it is stands still; what to do about it moves, once nobody plays.
    found += [seen.say("board.fault", codes=fault.split()[0]) for fault in seen.view.faults]
    return tuple(found)


def _left_of(seen: Seen) -> Iterator[Forms]:
    """Extensions and time-outs that whoever is at the table has left, where a clock runs."""
    figures, turn = seen.figures, seen.line.turn
    if turn is None or not shot_shown(seen):
        return
    for key, pair in (("extensions", figures.extensions), ("timeouts", figures.timeouts)):
        if pair is not None:
            yield seen.say(f"play.{key}", n=pair[turn.place])


def _calls(seen: Seen) -> list[Forms]:
    """What a referee calls beside the name: at a handicap the own target, near it what is left."""
    line, figures = seen.line, seen.figures
    assert line.turn is not None
    pages = []
    targets = figures.targets
    if targets is not None and targets[0] != targets[1]:
        pages.append(seen.say("play.target", n=targets[line.turn.place] or "-"))
    left = called_to_go(line)
    if left is not None:
        pages.append(seen.say("play.to_go", n=left))
    return pages


def called_to_go(line: Scoreline) -> int | None:
    """The points that the side at the table still needs, if they are few enough to be called."""
    left, call_at = to_go(line), line.figures.call_at
    return left if left is not None and left <= (call_at or CALLED_TO_GO) else None


def _player(seen: Seen) -> Pages:
    """Who is at the table; near the goal what he still needs, at a handicap his own target."""
    line = seen.line
    if line.turn is None:
        return ()
    return (cut(name_of(line, line.turn, line.member)), *_calls(seen))


def _alert(seen: Seen) -> Pages:
    """The alerts; who has won what stands elsewhere only while there is none."""
    found = [*alerts(seen)]
    if in_levels(seen.line) and seen.line.score is not None:
        found += tallies(seen)
    if not seen.line.saved:
        found.append(seen.say("board.unsaved"))
    return tuple(found)


def _alert_sign(seen: Seen) -> Pages:
    """The shortest form of each alert, for a board that has room for two letters."""
    return tuple(forms[-1:] for forms in alerts(seen))


def _ball_on(seen: Seen) -> Pages:
    """The ball on in a word, or as many letters as there is room for."""
    ball = seen.figures.ball_on
    return (seen.word("ball", ball),) if ball is not None else ()


def _ball_sign(seen: Seen) -> Pages:
    """The ball on in one or two letters or its number."""
    return tuple(forms[-1:] for forms in _ball_on(seen))


def _innings(seen: Seen) -> Pages:
    """The number of the inning in play."""
    done, turn = seen.figures.innings, seen.line.turn
    if done is None or turn is None:
        return ()
    return (seen.say("play.innings", n=done[turn.place] + 1),)


def _corner(seen: Seen) -> Pages:
    """One number or word that stands still: the ball on, the inning, what is left on the table."""
    match seen.line.family:
        case "snooker":
            return _ball_on(seen)
        case "pool":
            return _group_or_left(seen)
    return _innings(seen)


def _group_or_left(seen: Seen) -> Pages:
    """The balls that the striker has to pot: of his group, else all that are left."""
    group, left = _group(seen), _group_left(seen)
    if group is not None:
        return ((group[-1] if left is None else f"{group[-1]}{left}",),)
    on_table = seen.figures.left
    return (seen.say("play.left", n=on_table),) if on_table is not None else ()


def _pool_sign(seen: Seen) -> Pages:
    """Where the cue ball is put, the striker's group, his row of fouls: each in two letters."""
    figures, turn, group = seen.figures, seen.line.turn, _group(seen)
    pages: list[Forms] = []
    if figures.cue is not None and figures.cue not in AT_REST:
        pages.append(seen.word("cue", figures.cue))
    if group is not None:
        pages.append(group)
    mine = figures.fouls[turn.place] if turn is not None and figures.fouls is not None else 0
    if mine:
        pages.append(seen.say("play.fouls_warning", n=mine))
    return tuple(forms[-1:] for forms in pages)


def _left_brief(seen: Seen) -> Pages:
    """What is left of the striker's group, or on the table."""
    left = _group_left(seen) if _group(seen) is not None else seen.figures.left
    return ((str(left), "++"),) if left is not None else ()


TEXTS: dict[str, Text] = {
    "player": Text(_player),
    "notes": Text(notes),
    "alert": Text(_alert),
    "alert_sign": Text(_alert_sign, says=("alert",)),
    "ball_on": Text(_ball_on),
    "ball_sign": Text(_ball_sign, says=("ball_on",)),
    "pool_sign": Text(_pool_sign, says=("notes",)),
    "innings": Text(_innings, lambda language: (language.forms("play.innings", n=888),)),
    "corner": Text(_corner, says=("innings", "ball_on", "left")),
    "left": Text(_left_brief, lambda _: (("88",),)),
}
