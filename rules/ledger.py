"""All records of a match, and the match that they make.

The one mutable object of the rules. Live play is the fold: what replays a journal is what judges
a press. Each record keeps the match that it made, so undo costs nothing and nothing is ever
computed backwards. Undo, redo, edits and what is done to a clock are records too.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rules import clock
from rules.clock import ClockState, Countdown
from rules.entries import Entry
from rules.errors import BadSetup, Code, NotAllowed, SpliceRefused
from rules.match import Match, digest, new_match
from rules.record import Act, ClockAct, EditInning, Record, Redo, Setup, Splice, Undo
from rules.rulebook import Played, Rulebook
from rules.standing import Stage

RulebookOf: TypeAlias = Callable[[str], Rulebook]


class Node(Struct, frozen=True):
    """A record in force, the match after it, and the node before: the line is a chain of these.

    `number` counts along the line, from 0, the set-up.
    """

    record: Record
    match: Match
    number: int
    parent: "Node | None" = None


class _Step(Struct, frozen=True):
    """One undoable change of the line: what it was, what it became, and by which record.

    `shot` is the shot clock as it stood then.
    """

    before: Node
    after: Node
    record: Record
    shot: Countdown | None


class _Undone(Struct, frozen=True):
    """A step that was taken back, and the shot clock as it stood then."""

    step: _Step
    shot: Countdown | None


class Ledger:
    """The log of one match."""

    def __init__(self, setup: Record, rulebook_of: RulebookOf) -> None:
        """Open the log with record 0.

        Raises:
            BadSetup: a set-up that cannot be.
        """
        if not isinstance(setup.act, Setup):
            raise BadSetup("record 0 is the set-up")
        self._rulebook_of = rulebook_of
        match = new_match(setup.act, rulebook_of(setup.act.rulebook))
        self._head = Node(setup, match, 0)
        self._steps: list[_Step] = []
        self._undone: list[_Undone] = []
        self._seq, self._t_ms = setup.seq, setup.t_ms
        self._clock = clock.opened(match)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._head.match

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return self._seq

    @property
    def t_ms(self) -> int:
        """The match time of the last record; it never goes back."""
        return self._t_ms

    @property
    def clock(self) -> ClockState:
        """The clocks as they stand."""
        return self._clock

    def digest(self) -> str:
        """A hash of match and clocks, but for the hours and devices of their records."""
        state = msgspec.msgpack.encode((digest(self.match), self._clock))
        return hashlib.sha256(state).hexdigest()

    @property
    def undoes(self) -> Act | None:
        """What undo would take back, or none."""
        act = self._steps[-1].record.act if self._steps else None
        return None if isinstance(act, Setup) else act

    def line(self) -> tuple[Node, ...]:
        """The records in force, the set-up first."""
        nodes = []
        node: Node | None = self._head
        while node is not None:
            nodes.append(node)
            node = node.parent
        return tuple(reversed(nodes))

    def last(self, count: int) -> tuple[Node, ...]:
        """The last records in force, newest first, without the set-up."""
        nodes: list[Node] = []
        node = self._head
        while node.parent is not None and len(nodes) < count:
            nodes.append(node)
            node = node.parent
        return tuple(nodes)

    def append(self, record: Record) -> None:
        """Judge a record and take it in.

        Raises:
            NotAllowed: it does not fit; the log is as it was.
        """
        act, before = record.act, self.match
        now_ms = max(record.t_ms, self._t_ms)
        match act:
            case tuple():
                self._stepped(_extended(self._head, record, act), record, now_ms)
                self._clock = clock.entered(self._clock, act, before, self.match, now_ms)
            case Undo():
                self._undo(act, now_ms)
            case Redo():
                self._redo(act, now_ms)
            case Splice() | EditInning():
                splice = self.splice_of(act) if isinstance(act, EditInning) else act
                self._stepped(self.spliced(splice, record), record, now_ms)
                self._clock = clock.corrected(self._clock, before, self.match, now_ms)
            case ClockAct():
                self._clock = clock.controlled(self._clock, act, before, now_ms)
            case _:
                raise NotAllowed(Code.NOT_HERE, act)
        self._seq, self._t_ms = record.seq, now_ms

    def would(self, act: Act) -> Match:
        """The match that an act would make, without taking it in.

        Raises:
            NotAllowed: it does not fit.
        """
        match act:
            case tuple():
                return after_all(self.match, act)
            case Splice():
                return self.spliced(act, self._head.record).match
            case EditInning():
                return self.would(self.splice_of(act))
            case Undo() if self._steps:
                return self._steps[-1].before.match
            case Redo() if self._undone:
                return self._undone[-1].step.after.match
            case ClockAct():
                clock.controlled(self._clock, act, self.match, self._t_ms)
                return self.match
        raise NotAllowed(Code.NOT_HERE, act)

    def splice_of(self, edit: EditInning) -> Splice:
        """The splice that an edit of an inning stands for.

        Raises:
            NotAllowed: there is no such inning, or it cannot be edited now.
        """
        line = self.line()
        played = tuple(
            Played(
                node.number,
                node.record.act if isinstance(node.record.act, tuple) else (),
                node.parent.match.frame if node.parent is not None else None,
                node.match.frame,
            )
            for node in line
        )
        return self.match.game.inning_edit(played, edit)

    def spliced(self, splice: Splice, record: Record) -> Node:
        """The line after a splice, to look at its score before it is taken in.

        Raises:
            SpliceRefused: a later record would not be legal, would fall to the other side
                (unless the splice allows it), or something would end that had not.
        """
        line = self.line()
        if not (0 <= splice.first <= len(line) and splice.first - 1 <= splice.last < len(line)):
            raise SpliceRefused(Code.NO_SUCH_RECORD, splice, splice.first)
        head = self._spliced_base(splice, line)
        for act in splice.records:
            new = replace(record, act=act)
            try:
                head = _extended(head, new, act)
            except NotAllowed as error:
                raise SpliceRefused(error.code, splice, head.number + 1, error.detail) from error
        if splice.records and _ended(head.match) > _ended(line[splice.last].match):
            raise SpliceRefused(Code.EDIT_WOULD_END, splice, head.number)
        for node in line[max(splice.last + 1, 1) :]:
            head = _kept(head, node, splice)
        if _ended(head.match) > _ended(line[-1].match):
            raise SpliceRefused(Code.EDIT_WOULD_END, splice, head.number)
        return head

    def _spliced_base(self, splice: Splice, line: tuple[Node, ...]) -> Node:
        """The node before the first replaced record."""
        if splice.first > 0:
            if splice.setup is not None:
                raise SpliceRefused(Code.NOT_HERE, splice, 0)
            return line[splice.first - 1]
        if splice.setup is None:
            raise SpliceRefused(Code.NO_SUCH_RECORD, splice, 0)
        try:
            match = new_match(splice.setup, self._rulebook_of(splice.setup.rulebook))
        except BadSetup as error:
            raise SpliceRefused(Code.BAD_POSITION, splice, 0, str(error)) from error
        return Node(replace(line[0].record, act=splice.setup), match, 0)

    def _stepped(self, head: Node, record: Record, now_ms: int) -> None:
        self._steps.append(_Step(self._head, head, record, self._standing(now_ms)))
        self._undone.clear()
        self._head = head

    def _undo(self, act: Undo, now_ms: int) -> None:
        if not self._steps:
            raise NotAllowed(Code.NOTHING_TO_UNDO, act)
        step = self._steps.pop()
        self._undone.append(_Undone(step, self._standing(now_ms)))
        self._head = step.before
        self._clock = clock.taken_back(self._clock, step.shot, self.match, now_ms)

    def _redo(self, act: Redo, now_ms: int) -> None:
        if not self._undone:
            raise NotAllowed(Code.NOTHING_TO_REDO, act)
        undone = self._undone.pop()
        self._steps.append(undone.step)
        self._head = undone.step.after
        self._clock = clock.taken_back(self._clock, undone.shot, self.match, now_ms)

    def _standing(self, now_ms: int) -> Countdown | None:
        """The shot clock as it stands now, paused."""
        shot = self._clock.shot
        return None if shot is None else shot.paused(now_ms)


def after_all(match: Match, entries: Iterable[Entry]) -> Match:
    """The match after several entries, all or none.

    Raises:
        NotAllowed: one of them does not fit.
    """
    for entry in entries:
        match = match.after(entry)
    return match


def _extended(head: Node, record: Record, entries: tuple[Entry, ...]) -> Node:
    if not entries:
        raise NotAllowed(Code.BAD_COUNT, entries, "no entry")
    return Node(record, after_all(head.match, entries), head.number + 1, head)


def _ended(match: Match) -> tuple[int, bool]:
    """How much has ended by now."""
    return len(match.finished), match.ending is not None or match.stage is Stage.OVER


def _kept(head: Node, node: Node, splice: Splice) -> Node:
    """A later record taken over into the new line."""
    assert node.parent is not None
    if not splice.shift and node.parent.match.actor is not head.match.actor:
        raise SpliceRefused(Code.EDIT_SHIFTS_TURN, splice, node.number)
    act = node.record.act
    assert isinstance(act, tuple)
    try:
        kept = _extended(head, node.record, act)
    except NotAllowed as error:
        raise SpliceRefused(Code.EDIT_BREAKS_RECORD, splice, node.number) from error
    if _ended(kept.match) > _ended(node.match):
        raise SpliceRefused(Code.EDIT_WOULD_END, splice, node.number)
    return kept
