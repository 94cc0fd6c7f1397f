"""A score sheet as a federation files it, before it becomes a page: facts, tables, signatures.

What kind of protocol it is follows from what the frames have: innings in carom and 14.1, breaks and
fouls in snooker, nothing but winners in rack games.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from firmware.i18n import Language
from firmware.records.exports import hour
from firmware.records.kept import Kept
from firmware.records.visits import VisitRow, visits
from firmware.records.words import Words
from firmware.setup.words import load_setup_words
from rules.entries import Adjust, Conduct, Disqualify, ShotClock
from rules.frame import Frame
from rules.position import join_fields
from rules.record import ClockAct, Control, Record, Setup, record_text
from rules.sheet import time_text
from rules.sides import Pair, Side

BREAK_FROM = 50
"""Breaks of so many points stand on a snooker sheet."""


class Table(Struct, frozen=True):
    """Rows under headings; the first column is text, the others are numbers where `numbers`.

    `strong` are the rows (from 0) to be set off: totals, a set's end.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()
    numbers: bool = True


class Document(Struct, frozen=True):
    """One sheet: `facts` are names and values, `signatures` the lines to sign."""

    title: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    signatures: tuple[str, ...]


def document(match: Kept, words: Words, language: Language) -> Document:
    """The score sheet of a match, in a language."""
    builder = _Builder(match, words, language)
    return Document(
        title=f"{words.title}: {match.row.id}",
        facts=tuple(builder.facts()),
        tables=tuple(table for table in builder.tables() if table.rows),
        signatures=(words.referee, *builder.names),
    )


class _Builder:
    """The parts of one sheet."""

    def __init__(self, match: Kept, words: Words, language: Language) -> None:
        self._match, self._words, self._language = match, words, language
        self._state = match.ledger.match
        self._line = match.line()
        self._visits = visits(match)
        self.names = tuple(
            " + ".join(names) or side for names, side in zip(match.names, Side, strict=True)
        )

    def facts(self) -> Iterator[tuple[str, str]]:
        words, line = self._words, self._line
        setup = self._state.setup
        yield words.players, " – ".join(self.names)
        yield words.date, hour(self._match.row.started_ms)[:16].replace("T", " ") + " UTC"
        named = load_setup_words(self._language.code).named(setup.rulebook)[0]
        yield words.rulebook, f"{named} ({self._match.row.edition})"
        if setup.format:
            yield words.format, join_fields(setup.format)
        yield words.score, self._score()
        yield words.result, self._result()
        figures = line.figures
        if figures.targets is not None:
            yield self._language.say("figure.targets"), _pair(figures.targets)
        for name, pair in (
            (words.points, figures.total_points if figures.total_points != line.score else None),
            (words.innings, figures.total_innings or figures.innings),
            (words.average, figures.averages),
            (words.high_run, figures.high_runs),
            (words.conduct, line.conduct if any(line.conduct) else None),
        ):
            if pair is not None:
                yield name, _pair(pair)

    def _score(self) -> str:
        line = self._line
        played = [
            f"{self._words.level(name)} {won[0]} – {won[1]}"
            for name, won in line.tally.items()
            if line.to_win[name] != (1, 1)
        ]
        if not played and line.score is not None:
            played = [f"{line.score[0]} – {line.score[1]}"]
        return ", ".join(played) or "–"

    def _result(self) -> str:
        result = self._line.result
        if result is None:
            return self._words.unfinished
        who = self._words.draw
        if result.winner is not None:
            who = self.names[result.winner.place]
        return f"{who} ({self._cause(result.reason)})"

    def _cause(self, reason: str) -> str:
        return self._language.word_for("cause", reason)[0]

    def tables(self) -> Iterator[Table]:
        frames = self._frames()
        if all(frame.score is None for frame in frames):
            yield self._racks(frames)
        elif self._state.game.own_cue_balls or any(
            frame.figures().reracks is not None for frame in frames
        ):
            yield from (self._innings(number, frame) for number, frame in enumerate(frames, 1))
        else:
            yield self._frame_list(frames)
            yield self._breaks()
        yield self._notes(self._words.incidents, self._incidents())
        yield self._notes(self._words.corrections, self._corrections())

    def _frames(self) -> tuple[Frame, ...]:
        """Those that are over, and the last one where it is not among them."""
        state = self._state
        last = state.frame
        if last is None or (state.finished and state.finished[-1] is last):
            return state.finished
        return (*state.finished, last)

    def _innings(self, number: int, frame: Frame) -> Table:
        """A line an inning: what each side made, and its total then."""
        words = self._words
        mine = [visit for visit in self._visits if visit.frame == number]
        sides = [[visit for visit in mine if visit.side is side] for side in Side]
        before = _innings_before(self._state.setup) if number == 1 else 0
        rows = [
            (str(before + at + 1), *_inning(sides[0], at, Side.A), *_inning(sides[1], at, Side.B))
            for at in range(max(map(len, sides), default=0))
        ]
        if frame.score is not None:
            rows.append((words.total, "", str(frame.score[0]), "", str(frame.score[1])))
        columns = (words.inning, self.names[0], words.total, self.names[1], words.total)
        title = words.innings if len(self._state.levels) < 2 and number == 1 else ""
        return Table(
            title or f"{words.set} {number}",
            columns,
            tuple(rows),
            strong=frozenset({len(rows) - 1}),
        )

    def _frame_list(self, frames: Iterable[Frame]) -> Table:
        """A line a frame: points, the breaks worth noting, fouls, and how it went."""
        words, rows = self._words, []
        for number, frame in enumerate(frames, 1):
            mine = [visit for visit in self._visits if visit.frame == number]
            score = frame.score or (0, 0)
            cells = [str(number), frame.opener.value]
            for side in Side:
                stays = [visit for visit in mine if visit.side is side]
                breaks = " ".join(str(v.points) for v in stays if v.points >= BREAK_FROM)
                fouls = [visit for visit in stays if visit.given > 0]
                cells += [
                    str(score[side.place]),
                    breaks or "–",
                    f"{len(fouls)} ({sum(visit.given for visit in fouls)})" if fouls else "–",
                ]
            rows.append((*cells, self._won(frame)))
        columns = (
            words.frame,
            words.opener,
            self.names[0],
            words.breaks,
            words.fouls,
            self.names[1],
            words.breaks,
            words.fouls,
            words.winner,
        )
        return Table(words.frames, columns, tuple(rows))

    def _won(self, frame: Frame) -> str:
        if frame.result is None:
            return "–"
        winner = frame.result.winner
        who = winner.value if winner is not None else self._words.draw
        return f"{who} ({self._cause(frame.result.reason)})"

    def _breaks(self) -> Table:
        """The ten best visits of the match."""
        words = self._words
        best = sorted(self._visits, key=lambda visit: -visit.points)[:10]
        rows = tuple(
            (self.names[visit.side.place], str(visit.points), str(visit.frame))
            for visit in best
            if visit.points > 0
        )
        return Table(words.best, (words.player, words.points, words.frame), rows)

    def _racks(self, frames: Iterable[Frame]) -> Table:
        words, rows, won = self._words, [], [0, 0]
        for number, frame in enumerate(frames, 1):
            if frame.result is not None and frame.result.winner is not None:
                won[frame.result.winner.place] += 1
            score = f"{won[0]} – {won[1]}"
            rows.append((str(number), frame.opener.value, self._won(frame), score))
        columns = (words.rack, words.opener, words.winner, words.score)
        return Table(words.racks, columns, tuple(rows))

    def _notes(self, title: str, records: Iterable[tuple[Record, str]]) -> Table:
        """Records that stand out: when, what, and who entered them."""
        words = self._words
        notation = self._state.game.notation
        rows = tuple(
            (
                str(record.seq),
                time_text(record.t_ms)[1:],
                side,
                record_text(record, notation),
                str(record.by),
            )
            for record, side in records
        )
        columns = (words.record, words.time, words.side, words.entry, words.entered_by)
        return Table(title, columns, rows, numbers=False)

    def _incidents(self) -> Iterator[tuple[Record, str]]:
        """Offences, clocks that ran out, disqualifications, of the records in force."""
        for node in self._match.ledger.line()[1:]:
            act = node.record.act
            if isinstance(act, tuple) and node.parent is not None:
                kinds = (Conduct, Disqualify, ShotClock)
                if any(isinstance(entry, kinds) for entry in act):
                    visit = node.parent.match.visit
                    yield node.record, visit.side if visit is not None else "–"

    def _corrections(self) -> Iterator[tuple[Record, str]]:
        """What was undone, edited or put right, of all records."""
        for record in self._match.records[1:]:
            act = record.act
            adjusted = isinstance(act, tuple) and any(isinstance(one, Adjust) for one in act)
            if adjusted or (isinstance(act, Control) and not isinstance(act, ClockAct)):
                yield record, "–"


def _pair(pair: Pair[object]) -> str:
    """A value a side; a dash where a side has none."""
    return " – ".join("-" if value is None else str(value) for value in pair)


def _innings_before(setup: Setup) -> int:
    """Innings that had been played where the match was taken up."""
    return min(int(n) for n in dict(setup.at).get("innings", "0/0").split("/"))


def _inning(stays: list[VisitRow], at: int, side: Side) -> tuple[str, str]:
    """Points and running total of a side's inning; a dash where it had none.

    What it gave to the other side, in the pins games, stands behind an arrow.
    """
    if at >= len(stays):
        return "–", ""
    visit = stays[at]
    total = visit.score[side.place] if visit.score is not None else ""
    given = f" →{visit.given}" if visit.given > 0 else ""
    return f"{visit.points}{given}", str(total)
