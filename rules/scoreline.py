"""Everything a display or subscriber may want to know of a match, readable without rules."""

from msgspec import Struct

from rules.clock import ClockState
from rules.figures import Figures
from rules.frame import Ending, Option, Result
from rules.ledger import Ledger, Node
from rules.match import Match
from rules.record import Act, act_text
from rules.sides import Pair, Side
from rules.standing import Stage

SCHEMA = 1
"""The version of what subscribers read: raised when a field changes its meaning or goes."""

STALE_AFTER_S = 9
"""How long after a table's last beat its score may be shown as live."""


class Said(Struct, frozen=True, omit_defaults=True):
    """One entry as it was made: in sheet notation, by the side that was at the table."""

    entry: str
    side: Side | None = None


class Scoreline(Struct, frozen=True, omit_defaults=True):
    """A match at one moment.

    `seq` and `t_ms` are the number and match time of the last record; `stale_after_s` is how
    long after a beat of the table this may be shown as live. Pairs hold A's value first.
    `family` is carom, snooker or pool. `phase` is one of first, playing, equaliser, drawn, held,
    shootout, over. `tally` counts frames or sets level by level, `to_win` says how many are
    needed, `history` holds the frames won in each finished set. `played` are played whoever leads,
    0 for a race; `alone`: A practises by himself, B is nobody. `white` is who plays with the
    white cue ball, in carom.
    `ending` is held until OK; `frame_result` and `result` say how frame and match came out.
    `last` are the last three entries, newest first; `undo` is what undo would take back.
    `saved` is false while the last entries are not on disk. `clock` is absent where there is none;
    its deadlines are match time, as `t_ms` is.
    """

    schema: int
    match: str
    seq: int
    t_ms: int
    stale_after_s: int
    rulebook: str
    phase: str
    names: Pair[tuple[str, ...]]
    turn: Side | None = None
    member: int = 1
    run: int = 0
    score: Pair[int] | None = None
    tally: dict[str, Pair[int]] = {}
    to_win: dict[str, Pair[int]] = {}
    history: tuple[Pair[int], ...] = ()
    opener: Side | None = None
    white: Side | None = None
    option: Option | None = None
    ending: Ending | None = None
    frame_result: Result | None = None
    result: Result | None = None
    conduct: Pair[int] = (0, 0)
    shootout: Pair[tuple[int, ...]] | None = None
    figures: Figures = Figures()
    last: tuple[Said, ...] = ()
    undo: str | None = None
    saved: bool = True
    clock: ClockState | None = None
    family: str = ""
    played: int = 0
    alone: bool = False


def scoreline(ledger: Ledger, names: Pair[tuple[str, ...]], match_id: str = "") -> Scoreline:
    """The scoreline of a match as its log stands."""
    match = ledger.match
    frame, visit = match.frame, match.visit
    figures = frame.figures() if frame is not None else Figures()
    undoes = ledger.undoes
    return Scoreline(
        schema=SCHEMA,
        match=match_id,
        seq=ledger.seq,
        t_ms=ledger.t_ms,
        stale_after_s=STALE_AFTER_S,
        rulebook=match.setup.rulebook,
        phase=_phase(match, figures),
        names=names,
        turn=visit.side if visit is not None else None,
        member=visit.member if visit is not None else 1,
        run=_run(match),
        score=frame.score if frame is not None else None,
        tally={level.name: won for level, won in zip(match.levels, match.tally, strict=True)},
        to_win={level.name: level.to_win for level in match.levels},
        history=match.history,
        opener=frame.opener if frame is not None else None,
        white=_white(match),
        option=match.option,
        ending=match.ending,
        frame_result=frame.result if frame is not None else None,
        result=match.result,
        conduct=match.carry.conduct,
        shootout=match.shootout if any(match.shootout) else None,
        figures=figures,
        last=tuple(_said(node) for node in ledger.last(3)),
        undo=None if undoes is None else act_text(undoes, match.game.notation),
        clock=ledger.clock if ledger.clock != ClockState() else None,
        family=match.game.notation.words.family,
        played=match.contest.played,
        alone=match.contest.alone,
    )


def _phase(match: Match, figures: Figures) -> str:
    if match.ending is not None:
        return "held"
    return figures.phase if match.stage is Stage.FRAME else match.stage


def _run(match: Match) -> int:
    """The run in play, and the last one once the match is over."""
    visit = match.visit
    if visit is None and match.stage is Stage.OVER and match.frame is not None:
        visit = match.frame.visit
    return visit.run if visit is not None else 0


def _white(match: Match) -> Side | None:
    """Whoever opened the match plays white to its end, in games with a cue ball a side."""
    first = match.finished[0] if match.finished else match.frame
    return first.opener if first is not None and match.game.own_cue_balls else None


def _said(node: Node) -> Said:
    assert node.parent is not None
    visit = node.parent.match.visit
    act = node.record.act
    entries: Act = act if isinstance(act, tuple) else ()
    text = act_text(entries, node.match.game.notation) if entries else ""
    return Said(text, visit.side if visit is not None else None)
