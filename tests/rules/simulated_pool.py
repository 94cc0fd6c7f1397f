"""Pool racks that a physics program played and a program of its own judged, and our referee.

What the files hold and where they are from is told in docs/simulated-games.md. A stroke is told
by facts alone: who, what the cue ball hit first, what fell where, what reached a cushion. The
referee here makes an entry of them, as one at the table would, and the rules make of the entry
whose turn it is and who has won. The other program's verdict stands beside each stroke.
"""

import gzip
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from rules.entries import EndVisit, Entry, Pick
from rules.errors import NotAllowed
from rules.frame import Frame
from rules.ledger import Ledger
from rules.pool.entries import Eight, EightFault, EightWas, Foul, Group, Lot, Pot, Short, Wrong
from rules.pool.groups import GroupRack
from rules.record import Record, Setup
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Side

FOLDER = Path(__file__).parent.parent / "simulated"
BREAK_RAILS = 4
"""Balls that must reach a cushion on a break on which none falls."""
CUE = {"p": "place", "a": "any", "k": "kitchen"}


class Stroke(Struct, frozen=True):
    """One stroke: its facts, and what the other program made of it.

    `fell` are balls and their pockets, without the cue ball. `rails` are the object balls that
    reached a cushion, on later strokes than the break just whether any ball did. `then` is `+`
    for the same player, `/` for the other, or the winner's letter; `left` the balls on the table
    after it. `departs` are the codes of what the other program is known to do otherwise.
    """

    player: Side
    cue: str
    first: str | None
    fell: tuple[tuple[str, str], ...]
    scratch: bool
    rails: int
    called: tuple[str, str] | None
    legal: bool
    then: str
    left: int | None
    departs: frozenset[str]

    @property
    def balls(self) -> tuple[str, ...]:
        """The object balls that fell."""
        return tuple(ball for ball, _ in self.fell)


class Game(Struct, frozen=True):
    """One rack. `clean`: the other program kept the official rules in all that counts."""

    id: str
    clean: bool
    strokes: tuple[Stroke, ...]


class Difference(Struct, frozen=True):
    """Where our judgement and the other one part: after which stroke, and in what.

    `what` is legality, turn, table or cue ball; "rack lost" and "rack won" by the striker where the
    other judge plays on or sees it otherwise, "not over" where the rack is over for him alone.
    """

    number: int
    what: str
    departs: frozenset[str]


@cache
def games(name: str) -> tuple[Game, ...]:
    """All racks of a file."""
    text = gzip.decompress((FOLDER / f"{name}.txt.gz").read_bytes()).decode()
    found: list[Game] = []
    for line in text.splitlines():
        words = line.split()
        if words[0].startswith(name):
            found.append(Game(words[0], "clean" in words[1:], ()))
        else:
            last = found[-1]
            found[-1] = Game(last.id, last.clean, (*last.strokes, _stroke(name, words)))
    return tuple(found)


def _stroke(name: str, words: list[str]) -> Stroke:
    player, cue, first, fell, scratch, rails, *rest = words
    called = _ball(rest.pop(0)) if name == "eight_ball" else None
    verdict, left, *departs = rest
    return Stroke(
        player=Side(player),
        cue=CUE[cue],
        first=None if first == "-" else first,
        fell=tuple(ball for word in fell.split("+") if (ball := _ball(word)) is not None),
        scratch=scratch == "x",
        rails=int(rails),
        called=called,
        legal=verdict[0] == "L",
        then=verdict[1],
        left=None if left == "-" else int(left),
        departs=frozenset(departs[0].split("+")) if departs else frozenset(),
    )


def _ball(word: str) -> tuple[str, str] | None:
    """`13rb` is the 13 in the right bottom pocket."""
    if word == "-":
        return None
    number = word.rstrip("lrbct")
    return number, word[len(number) :]


Referee: TypeAlias = Callable[[Stroke, set[str], Frame], Entry]
"""Makes an entry of a stroke, from the balls that were on the table and the frame before it."""


def nine_ball(stroke: Stroke, table: set[str], frame: Frame) -> Entry:
    """Lowest ball first, then a ball down or one to a cushion; on the break four."""
    n, money = len(stroke.fell), "9" in stroke.balls
    opening = frame.figures().phase == "break"
    right = stroke.first == min(table, key=int)
    enough = n > 0 or stroke.rails >= (BREAK_RAILS if opening else 1)
    if right and enough and not stroke.scratch:
        return Pot(n, money) if n else EndVisit()
    if opening and not n and not stroke.scratch:
        return Short()
    return Foul(n=n or None, money=money, scratch=stroke.scratch)


def eight_ball(stroke: Stroke, table: set[str], frame: Frame) -> Entry:
    """A ball of the own group first, on the open table any; the 8 when the group is cleared."""
    lots = _lots(stroke)
    if frame.figures().phase == "break":
        return _eight_ball_break(stroke, lots)
    right = stroke.first is not None and stroke.first in _on(stroke, table, frame)
    fair = right and not stroke.scratch and (bool(stroke.fell) or stroke.rails > 0)
    if "8" in stroke.balls:
        called = stroke.called == ("8", dict(stroke.fell)["8"])
        fault = None if fair else EightFault.FOUL
        if fair and not called and stroke.called is not None and stroke.called[0] == "8":
            fault = EightFault.POCKET
        return Eight(lots, fault)
    if not fair:
        return Foul(lots=lots, scratch=stroke.scratch)
    if stroke.called in stroke.fell:
        return Pot(lots=lots)
    return Wrong(lots=lots) if lots else EndVisit()


def _eight_ball_break(stroke: Stroke, lots: tuple[Lot, ...]) -> Entry:
    eight = EightWas.POTTED if "8" in stroke.balls else None
    if stroke.scratch:
        return Foul(lots=lots, eight=eight, scratch=True)
    if stroke.fell:
        return Pot(lots=lots, eight=eight)
    return EndVisit() if stroke.rails >= BREAK_RAILS else Short()


def _group(ball: str) -> Group:
    return Group.SOLIDS if int(ball) < 8 else Group.STRIPES  # the 8 is of none


def _on(stroke: Stroke, table: set[str], frame: Frame) -> set[str]:
    """The balls that may be hit first."""
    group = frame.groups[stroke.player.place] if isinstance(frame, GroupRack) else None
    if group is None:
        return table
    own = {ball for ball in table - {"8"} if _group(ball) == group}
    return own or {"8"}


def _lots(stroke: Stroke) -> tuple[Lot, ...]:
    """What fell of each group, the called ball's first."""
    groups = [_group(ball) for ball in stroke.balls if ball != "8"]
    first = stroke.called and stroke.called[0] != "8" and _group(stroke.called[0])
    order = sorted(set(groups), key=lambda group: (group != first, group))
    return tuple(Lot(group, groups.count(group)) for group in order)


BALLS = {"nine_ball": 9, "eight_ball": 15}
MONEY = {"nine_ball": "9", "eight_ball": "8"}
BOOK: dict[str, tuple[str, Referee]] = {
    "nine_ball": ("fpb9", nine_ball),
    "eight_ball": ("wpa8", eight_ball),
}


def differences(name: str, game: Game) -> Iterator[Difference]:
    """Where our judgement of a rack and the other one part.

    After one in anything but where the cue ball is played from, the two play different racks, and
    nothing more is compared.
    """
    rulebook, referee = BOOK[name]
    ledger = Ledger(Record(0, Setup(rulebook, ((1,), (2,)), (), Side.A)), rulebook_of)
    table = {str(ball) for ball in range(1, BALLS[name] + 1)}
    known: frozenset[str] = frozenset()
    for number, stroke in enumerate(game.strokes):
        frame = ledger.match.frame
        assert frame is not None
        if frame.figures().cue != stroke.cue:
            yield Difference(number, "cue ball", known)
        entry = referee(stroke, table, frame)
        table -= set(stroke.balls)
        known = stroke.departs
        try:
            _enter(ledger, entry)
        except NotAllowed as refused:
            yield Difference(number + 1, str(refused), known)
            return
        what = _parts(ledger, stroke, entry)
        if what is not None:
            yield Difference(number + 1, what, known)
            return
        if MONEY[name] in stroke.balls:
            table.add(MONEY[name])  # spotted, or the rack is over


def _enter(ledger: Ledger, entry: Entry) -> None:
    """The entry, and after a short break that the opponent plays it as it lies."""
    ledger.append(Record(ledger.seq + 1, (entry,)))
    option = ledger.match.option
    if isinstance(entry, Short) and option is not None:
        ledger.append(Record(ledger.seq + 1, (Pick("accept"),)))


def _parts(ledger: Ledger, stroke: Stroke, entry: Entry) -> str | None:
    """In what the two judgements part after a stroke, if they do.

    An 8 that loses fell against the rules.
    """
    match = ledger.match
    frame = match.frame
    assert frame is not None
    winner = None if frame.result is None else frame.result.winner
    lost = isinstance(entry, Eight) and winner is not stroke.player
    if stroke.legal == (isinstance(entry, Foul | Short) or lost):
        return "legality"
    if winner != (Side(stroke.then) if stroke.then in tuple(Side) else None):
        if winner is None:
            return "not over"
        return "rack won" if winner is stroke.player else "rack lost"
    if winner is not None:
        return None
    if match.actor != (stroke.player if stroke.then == "+" else stroke.player.other):
        return "turn"
    figures = frame.figures()
    left = sum(figures.lots) + 1 if figures.lots else figures.left
    if stroke.left is not None and left != stroke.left:
        return "table"
    return None
