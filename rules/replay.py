"""Playing a score sheet through the rules and holding it against what it expects."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from rules.errors import NotAllowed, shortened
from rules.frame import Then
from rules.ledger import Ledger, RulebookOf
from rules.match import Match
from rules.position import join_fields
from rules.record import EditInning, Record, Source, act_text
from rules.scoreline import Scoreline, scoreline
from rules.sheet import Expect, Sheet, Step
from rules.sides import Pair, Side


class Replay(Struct, frozen=True):
    """A sheet played to its end: the log, and every place where it did not hold.

    `notes` say in words what was refused, accepted or otherwise than the sheet says. `records` are
    those that were accepted, the set-up first; an edited inning is the splice that it comes to.
    """

    sheet: Sheet
    ledger: Ledger
    notes: tuple[str, ...]
    records: tuple[Record, ...]

    def scoreline(self) -> Scoreline:
        """The score at the end."""
        return scoreline(self.ledger, self.sheet.names, self.sheet.id)


def opened(sheet: Sheet, rulebook_of: RulebookOf) -> Ledger:
    """The log that a sheet's header opens.

    Raises:
        BadSetup: the header describes no match.
    """
    return Ledger(Record(0, sheet.setup), rulebook_of)


def replay(sheet: Sheet, rulebook_of: RulebookOf) -> Replay:
    """Play a sheet to its end; what does not hold is noted, and the play goes on.

    Raises:
        BadSetup: the header describes no match.
    """
    ledger = opened(sheet, rulebook_of)
    notes: list[str] = []
    records = [Record(0, sheet.setup)]
    refusal = ""
    for number, step in enumerate(sheet.steps(), 1):
        if isinstance(step, Expect):
            notes += (f"step {number}: {note}" for note in _differences(step, ledger, refusal))
            continue
        seq, by = ledger.seq + 1, _source(step, number)
        try:
            act = ledger.splice_of(step.act) if isinstance(step.act, EditInning) else step.act
            record = Record(seq, act, max(step.t_ms or 0, ledger.t_ms), by=by)
            ledger.append(record)
            records.append(record)
        except NotAllowed as error:
            refusal = error.code
            if not step.refused:
                notes.append(f"step {number}: refused, {error}")
        else:
            if step.refused:
                text = act_text(step.act, ledger.match.game.notation)
                notes.append(f"step {number}: {text} was accepted")
    return Replay(sheet, ledger, tuple(map(shortened, notes)), tuple(records))


def _source(step: Step, number: int) -> Source:
    return step.by or Source("sheet", str(number))


def _differences(expect: Expect, ledger: Ledger, refusal: str) -> Iterator[str]:
    line = scoreline(ledger, ((), ()))
    for key, wanted in expect.fields:
        tell = _TOLD.get(key)
        if key == "refused":
            found = refusal
        elif key == "reason":
            found = _reason(ledger.match)
        elif key == "phase" and wanted in _MOMENTS:
            found = wanted if _MOMENTS[wanted](line) else line.phase
        elif key == "options" and set(wanted.split("+")) == set(_options(line)):
            found = wanted  # in any order
        elif tell is not None:
            found = tell(line)
        elif key in line.tally:
            found = _pair(line.tally[key])
        else:
            found = "unknown here"
        if found != wanted:
            yield f"{join_fields([(key, wanted)])} expected, {found} found"


def _pair(pair: Pair[object] | None) -> str:
    return "-" if pair is None else f"{pair[0]}/{pair[1]}"


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _yes(value: bool) -> str:
    return "on" if value else "off"


def _runs(runs: Pair[tuple[int, ...]] | None) -> str:
    if runs is None:
        return "-"
    a, b = ("+".join(map(str, side)) or "-" for side in runs)
    return f"{a}/{b}"


def _break(line: Scoreline) -> str:
    """In carom whether the break at half distance is due, else the points of the visit."""
    return str(line.run) if line.white is None else _yes(line.figures.break_due)


def _winner(line: Scoreline) -> str:
    if line.result is None:
        return "-"
    return line.result.winner or "draw"


def _reason(match: Match) -> str:
    """Why the last frame came out as it did; a shoot-out decides a match without one."""
    if match.result is not None and match.result.reason == Then.SHOOTOUT:
        return match.result.reason
    frames = [*match.finished[-1:], match.frame]
    results = [frame.result for frame in frames if frame is not None and frame.result is not None]
    result = results[-1] if results else match.result
    return result.reason if result is not None else "-"


def _match(line: Scoreline) -> str:
    if line.result is None:
        return "-"
    return line.result.winner or "none"


def _options(line: Scoreline) -> tuple[str, ...]:
    return line.option.choices if line.option is not None else ("-",)


def _turn(line: Scoreline) -> str:
    """Who is at the table, while a choice is open who chooses."""
    chooser = line.option.chooser if line.option is not None else None
    at_table = None if line.phase == "first" else line.turn
    return chooser or at_table or "-"


def _on_two(line: Scoreline) -> str:
    """Who is one foul short of the last in a row."""
    fouls, limit = line.figures.fouls or (0, 0), line.figures.fouls_limit or 0
    return "".join(side for side in Side if limit and fouls[side.place] == limit - 1) or "-"


def _on_off(value: object) -> str:
    return "on" if value else "off"


def _open_table(line: Scoreline) -> str:
    groups = line.figures.groups
    return _on_off(groups is not None and groups[0] is None)


def _history(line: Scoreline) -> str:
    return "+".join(_pair(won) for won in line.history) or "-"


_GROUPS = {"solids": "S", "stripes": "T", "reds": "S", "yellows": "T"}
"""Groups in notation, by their names for displays."""


def _group_letters(line: Scoreline) -> str:
    return "/".join(_GROUPS.get(one or "", "-") for one in line.figures.groups or ("", ""))


def _shot(line: Scoreline) -> str:
    """Seconds that the shot clock had left at the last record, begun ones counted."""
    return _number(line.clock.seconds(line.t_ms)[0] if line.clock is not None else None)


def _shot_runs(line: Scoreline) -> str:
    shot = line.clock.shot if line.clock is not None else None
    return _on_off(shot is not None and shot.running)


_MOMENTS: dict[str, Callable[[Scoreline], bool]] = {
    "lag": lambda line: line.phase == "first" and _turn(line) == "-",
    "pick": lambda line: line.phase == "first" and _turn(line) != "-",
    "break": lambda line: line.phase == "break" and line.option is None,
    "play": lambda line: line.phase == "playing" and line.option is None,
    "choose": lambda line: line.phase in ("break", "playing") and line.option is not None,
}
"""Phases that pool's sheets tell apart by what is asked."""

Tell: TypeAlias = Callable[[Scoreline], str]

_TOLD: dict[str, Tell] = {
    "phase": lambda line: line.phase,
    "turn": _turn,
    "member": lambda line: f"{line.turn or ''}{line.member}",
    "score": lambda line: _pair(line.score or (0, 0)),
    "run": lambda line: str(line.run),
    "winner": _winner,
    "conduct": lambda line: _pair(line.conduct),
    "options": lambda line: "+".join(_options(line)),
    "chooser": lambda line: (line.option.chooser or "-") if line.option else "-",
    "innings": lambda line: _pair(line.figures.innings or (0, 0)),
    "average": lambda line: _pair(line.figures.averages or ("-", "-")),
    "high": lambda line: _pair(line.figures.high_runs or (0, 0)),
    "high_a": lambda line: str((line.figures.high_runs or (0, 0))[0]),
    "high_b": lambda line: str((line.figures.high_runs or (0, 0))[1]),
    "totals": lambda line: _pair(line.figures.total_points),
    "total_innings": lambda line: _pair(line.figures.total_innings),
    "lie": lambda line: line.figures.lie or "-",
    "timeouts": lambda line: _pair(line.figures.timeouts),
    "shot": _shot,
    "shot_runs": _shot_runs,
    "breaker": lambda line: line.opener or "-",
    "history": _history,
    "left": lambda line: _number(line.figures.left),
    "solids": lambda line: str(line.figures.lots[0]) if line.figures.lots else "-",
    "stripes": lambda line: str(line.figures.lots[1]) if line.figures.lots else "-",
    "groups": _group_letters,
    "open": _open_table,
    "fouls": lambda line: _pair(line.figures.fouls),
    "warn": _on_two,
    "push": lambda line: _on_off(line.figures.push_out),
    "pot_asked": lambda line: _on_off(line.figures.pot_asked),
    "stalemate_turns": lambda line: _pair(line.figures.stalemate_turns),
    "racked": lambda line: _number(line.figures.racked),
    "free": lambda line: _on_off(line.figures.free_shot),
    "togo": lambda line: _pair(line.figures.to_go),
    "visits": lambda line: _pair(line.figures.innings),
    "reracks": lambda line: _number(line.figures.reracks),
    "spot15": lambda line: line.figures.spot or "-",
    "audit": lambda line: _number(line.figures.audit),
    "ext": lambda line: _pair(line.figures.extensions),
    "interval": lambda line: _on_off(line.figures.interval),
    "break": _break,
    "zone": lambda line: line.figures.zone or "-",
    "breaks": lambda line: _runs(line.figures.breaks),
    "fifties": lambda line: _pair(line.figures.fifties),
    "centuries": lambda line: _pair(line.figures.centuries),
    "handicap": lambda line: _pair(line.figures.handicap),
    "on": lambda line: line.figures.ball_on or "-",
    "reds": lambda line: _number(line.figures.reds),
    "remaining": lambda line: _number(line.figures.remaining),
    "maximum": lambda line: _number(line.figures.maximum),
    "bonus": lambda line: str(line.figures.bonus),
    "cue": lambda line: line.figures.cue or "-",
    "frame": lambda line: (line.frame_result.winner or "none") if line.frame_result else "-",
    "match": _match,
    "pending": lambda line: (
        "draw" if line.option is not None and line.option.kind in ("first", "draw") else "-"
    ),
    "needed_to_level": lambda line: _pair(line.figures.snookers),
    "needed_to_win": lambda line: _pair(line.figures.snookers_to_win),
    "misses": lambda line: str(line.figures.misses),
    "warning": lambda line: "frame_loss" if line.figures.miss_warning else "-",
    "full": lambda line: _yes(line.figures.miss_full),
    "stalemate": lambda line: _yes(line.figures.stalemate),
    "respotted": lambda line: _yes(line.figures.respotted),
    "early": lambda line: _yes(line.figures.early_concession),
    "touching": lambda line: _yes(line.figures.touching),
}
"""How each expectation of a sheet is read off a scoreline."""
