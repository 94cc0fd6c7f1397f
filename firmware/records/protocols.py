"""The tables of a score sheet: what each kind of game files of its frames."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from firmware.i18n import Language
from firmware.i18n import number as number_text
from firmware.records.doubtful import doubtful
from firmware.records.kept import Kept
from firmware.records.numbering import numbered
from firmware.records.visits import VisitRow, broken_and_run, visits
from firmware.records.words import Words
from rules.entries import Adjust, Award
from rules.frame import Frame, Result
from rules.record import Setup
from rules.rulebooks import family_of
from rules.sides import Pair, Side

_NUMBER = re.compile(r"[-–−→+]?[ \d().–*?†:]*")

AWARDED = "awarded"
"""The reason of a frame of which its winner alone was entered."""

BEST = 10
"""So many of the best visits are listed."""


class Table(Struct, frozen=True):
    """Rows under headings; a column of numbers stands on its right edge.

    `strong` are the rows (from 0) to be set off: totals, a set's end.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()

    def is_numbers(self, column: int) -> bool:
        """Whether a column holds numbers, and what marks them."""
        return all(_NUMBER.fullmatch(row[column]) for row in self.rows)


def was_entered_whole(act: object) -> bool:
    """Whether a record gives a frame by its totals: that is an entry, and no correction."""
    return (
        isinstance(act, tuple)
        and any(isinstance(one, Adjust) for one in act)
        and isinstance(act[-1], Award)
    )


def playing(match: Kept) -> tuple[Side, ...]:
    """The sides that play: A alone where somebody practises."""
    return (Side.A,) if match.ledger.match.contest.alone else tuple(Side)


class Protocol:
    """The tables of one match."""

    def __init__(self, match: Kept, names: Pair[str], words: Words, language: Language) -> None:
        self._match, self._names, self._words, self._language = match, names, words, language
        self._state = match.ledger.match
        self._visits = visits(match)
        at = doubtful(self._visits, self._state.setup.rulebook)
        self._doubtful = [self._visits[place] for place in sorted(at)]
        self._whole = _entered_whole(match)
        self._sides = playing(match)
        self._frames = match.frames()
        self._numbered = numbered(match)

    def tables(self) -> Iterator[Table]:
        """The tables of the score."""
        family = family_of(self._state.setup.rulebook)
        if all(frame.score is None for frame in self._frames):
            yield self._racks()
        elif family == "snooker":
            yield self._frame_list()
            yield self._visit_list()
            yield self._best()
        else:
            yield from (self._innings(n, frame) for n, frame in enumerate(self._frames, 1))

    def notes(self) -> tuple[str, ...]:
        """What the marks mean, those that are there."""
        words = self._words
        edited = any(visit.edited for visit in self._visits)
        marks = (
            (edited, words.edited),
            (self._doubtful, words.doubtful),
            (self._whole, words.by_hand),
        )
        return tuple(text for there, text in marks if there)

    def result(self) -> str:
        """Who won the match, and how."""
        result = self._match.line().result
        return self._words.unfinished if result is None else self._named(result)

    def _named(self, result: Result) -> str:
        """Who won, and how; nothing of how where the winner is all that was entered."""
        winner = result.winner
        who = self._words.draw if winner is None else self._names[winner.place]
        return who if result.reason == AWARDED else f"{who} ({self._cause(result.reason)})"

    def _cause(self, reason: str) -> str:
        return self._language.word_for("cause", reason)[0]

    def _of(self, number: int, side: Side | None = None) -> list[VisitRow]:
        return [v for v in self._visits if v.frame == number and side in (None, v.side)]

    def _innings(self, number: int, frame: Frame) -> Table:
        """A line an inning: what each side made, what fouls cost, its total then, and the rack."""
        words, sides = self._words, [self._of(number, side) for side in self._sides]
        costs = any(visit.lost for visit in self._of(number))
        racks = any(visit.racks for visit in self._of(number))
        all_before = _innings_before(self._state.setup) if number == 1 else (0, 0)
        before = all_before[: len(sides)]
        spans = [(past, past + len(of)) for past, of in zip(before, sides, strict=True) if of]
        rows = []
        for at in range(min(spans, default=(0, 0))[0], max((end for _, end in spans), default=0)):
            mine = [_at(of, at - past) for past, of in zip(before, sides, strict=True)]
            cells = [
                cell
                for side in self._sides
                for cell in self._inning(mine[side.place], side, costs=costs)
            ]
            ended = max((visit.racks or 0 for visit in mine if visit is not None), default=0)
            rows.append((str(at + 1), *cells, *([str(ended)] if racks else [])))
        more, rack = (words.fouls_cost,) if costs else (), (words.rack,) if racks else ()
        if frame.score is not None:
            blank = ("",) * (1 + costs)
            scores = [frame.score[side.place] for side in self._sides]
            totals = [cell for points in scores for cell in (*blank, number_text(points))]
            rows.append((words.total, *totals, *("" for _ in rack)))
        names = self._names[: len(self._sides)]
        heads = [cell for name in names for cell in (name, *more, words.total)]
        strong = frozenset({len(rows) - 1})
        return Table(self._set(number, frame), (words.inning, *heads, *rack), tuple(rows), strong)

    def _set(self, number: int, frame: Frame) -> str:
        of_match = self._numbered[number - 1].of_match
        if of_match == len(self._frames) == 1:
            return self._words.innings
        return f"{self._words.set} {of_match}: {self._won(frame)}"

    def _inning(self, visit: VisitRow | None, side: Side, *, costs: bool) -> tuple[str, ...]:
        """Points, what a foul cost where that is told, and total of an inning; a dash for none.

        What it gave to the other side, in the pins games, stands behind an arrow.
        """
        if visit is None:
            return ("–", "", "") if costs else ("–", "")
        mark = "*" if visit.edited else "?" if visit in self._doubtful else ""
        points = f"{number_text(visit.points)}{mark}"
        if visit.given:
            points = f"{points} →{visit.given}"
        total = number_text(visit.score[side.place]) if visit.score is not None else ""
        lost = f"−{visit.lost}" if visit.lost else ""
        return (points, lost, total) if costs else (points, total)

    def _frame_list(self) -> Table:
        """A line a frame: points, the breaks worth noting, fouls, and how it went."""
        words, rows = self._words, []
        for number, frame in enumerate(self._frames, 1):
            score, breaks = frame.score or (0, 0), frame.figures().breaks or ((), ())
            cells = [self._marked(number), frame.opener.value]
            for side in self._sides:
                fouled = [visit for visit in self._of(number, side) if visit.fouls]
                fouls, cost = (sum(v.fouls for v in fouled), sum(v.given for v in fouled))
                cells += [
                    number_text(score[side.place]),
                    " ".join(map(str, breaks[side.place])) or "–",
                    f"{fouls} ({cost})" if fouls else "–",
                ]
            rows.append((*cells, self._won(frame)))
        each = (words.breaks, words.fouls)
        columns = (
            words.frame,
            words.opener,
            *(cell for side in self._sides for cell in (self._names[side.place], *each)),
            words.winner,
        )
        return Table(words.frames, columns, tuple(rows))

    def _visit_list(self) -> Table:
        """What was made visit by visit, in each frame that was entered so."""
        words, rows = self._words, []
        for number in range(1, len(self._frames) + 1):
            for side in self._sides:
                made = [_visit(visit) for visit in self._of(number, side)]
                if any(made):
                    rows.append(
                        (
                            self._number(number),
                            self._names[side.place],
                            " ".join(filter(None, made)),
                        )
                    )
        columns = (words.frame, words.player, f"{words.points} · F: {words.fouls}")
        return Table(words.visits, columns, tuple(rows))

    def _number(self, number: int) -> str:
        return str(self._numbered[number - 1].number)

    def _marked(self, number: int) -> str:
        return self._number(number) + ("†" if number in self._whole else "")

    def _won(self, frame: Frame) -> str:
        return "–" if frame.result is None else self._named(frame.result)

    def _best(self) -> Table:
        """The best visits of the match."""
        words = self._words
        made = [(visit.points, visit.side, visit.frame) for visit in self._visits]
        for number in self._whole:
            breaks = self._frames[number - 1].figures().breaks or ((), ())
            made += [(points, side, number) for side in Side for points in breaks[side.place]]
        best = sorted((one for one in made if one[0] > 0), key=lambda one: (-one[0], one[2]))
        rows = tuple(
            (self._names[side.place], str(points), self._number(frame))
            for points, side, frame in best[:BEST]
        )
        return Table(words.best, (words.player, words.points, words.frame), rows)

    def _racks(self) -> Table:
        """A line a rack: who broke, visits and fouls of each side, who won, and the score then."""
        words, rows = self._words, []
        sets = any(one.group > 1 for one in self._numbered)
        for number, (frame, place) in enumerate(zip(self._frames, self._numbered, strict=True), 1):
            cells = [str(place.group)] if sets else []
            cells += [self._marked(number), frame.opener.value]
            for side in self._sides:
                mine = self._of(number, side)
                stays = sum(visit.number > 0 for visit in mine)
                cells += [str(stays or "–"), str(sum(visit.fouls for visit in mine) or "–")]
            run = words.break_and_run if broken_and_run(frame, self._of(number)) else ""
            rows.append((*cells, run, self._won(frame), "{} – {}".format(*place.tally[0])))
        columns = (
            *([words.set] if sets else []),
            words.rack,
            words.opener,
            *(
                f"{word} {side}"
                for side in self._sides
                for word in (words.visits, words.fouls_cost)
            ),
            "",
            words.winner,
            words.score,
        )
        return Table(words.racks, columns, tuple(rows))


def _entered_whole(match: Kept) -> frozenset[int]:
    """The frames that are known by their totals, from 1."""
    return frozenset(
        len(node.parent.match.finished) + 1
        for node in match.ledger.line()[1:]
        if node.parent is not None and was_entered_whole(node.record.act)
    )


def _innings_before(setup: Setup) -> Pair[int]:
    """Innings that each side had played where the match was taken up."""
    a, b = dict(setup.at).get("innings", "0/0").split("/")
    return int(a), int(b)


def _at(stays: Sequence[VisitRow], place: int) -> VisitRow | None:
    return stays[place] if 0 <= place < len(stays) else None


def _visit(visit: VisitRow) -> str:
    """A snooker visit: its points, and what a foul in it gave away; nothing for none."""
    points = f"{visit.points}*" if visit.edited else str(visit.points)
    if visit.fouls:
        return f"{points if visit.points else ''}F{visit.given}"
    return points if visit.points else ""
