"""A score sheet as a federation files it, before it becomes a page: facts, tables, signatures.

All of it is in words; the notation stands in sheets as text.

What kind of protocol it is follows from what the frames have: innings in carom and 14.1, breaks and
fouls in snooker, racks where there are no points (`firmware/records/protocols.py`).
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from firmware.entries.fields import FieldWords
from firmware.entries.words import EntryWords, entered_by
from firmware.i18n import Language, number
from firmware.records.hours import day_and_hour
from firmware.records.kept import Kept
from firmware.records.protocols import Protocol, Table, playing, was_entered_whole
from firmware.records.words import Words
from firmware.setup.words import load_setup_words
from rules.entries import Adjust, Conduct, Disqualify, ShotClock
from rules.record import ClockAct, Control, Record, record_text
from rules.sheet import time_text
from rules.sides import Pair, Side

__all__ = ["Document", "Table", "document"]


class Document(Struct, frozen=True):
    """One sheet: `facts` are names and values, `notes` explain marks, `signatures` are to sign."""

    title: str
    match: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    signatures: tuple[str, ...]


def document(match: Kept, words: Words, language: Language) -> Document:
    """The score sheet of a match, in a language."""
    names = tuple(" + ".join(names) or side for names, side in zip(match.names, Side, strict=True))
    protocol = Protocol(match, (names[0], names[1]), words, language)
    asides = _Asides(match, words, language)
    tables = (*protocol.tables(), *asides.tables())
    game = load_setup_words(language.code).named(match.ledger.match.setup.rulebook)[0]
    return Document(
        title=f"{words.title} · {game}",
        match=match.row.id,
        facts=tuple(_facts(match, (names[0], names[1]), words, language, protocol)),
        tables=tuple(table for table in tables if table.rows),
        notes=protocol.notes(),
        signatures=(words.referee, *(names[side.place] for side in playing(match))),
    )


def _facts(
    match: Kept, names: Pair[str], words: Words, language: Language, protocol: Protocol
) -> Iterator[tuple[str, str]]:
    line, setup = match.line(), match.ledger.match.setup
    for side in playing(match):
        yield f"{words.player} {side}", names[side.place]
    yield words.date, day_and_hour(match.row.started_ms)
    yield words.match, match.row.id
    named = load_setup_words(language.code).named(setup.rulebook)[0]
    yield words.rulebook, f"{named} ({match.row.edition})"
    if setup.format:
        agreed = ", ".join(
            FieldWords(language, load_setup_words(language.code)).format(setup.format)
        )
        yield words.format, agreed[:1].upper() + agreed[1:]
    yield words.score, _score(match, words)
    yield words.result, protocol.result()
    if line.shootout is not None:
        name = language.word_for("cause", "shootout")[0]
        yield (
            name[:1].upper() + name[1:],
            _pair((_in_turn(line.shootout[0]), _in_turn(line.shootout[1]))),
        )
    figures = line.figures
    for name, given in (("targets", figures.targets), ("handicap", figures.handicap)):
        if given is not None and any(one is not None for one in given):
            yield language.say(f"figure.{name}"), _of_all(given, match)
    # In 14.1 they are balls: what fouls cost is not taken off, and the average is of them.
    made = words.points if figures.reracks is None else words.pots
    for name, pair in (
        (made, figures.total_points if figures.total_points != line.score else None),
        (words.innings, figures.total_innings or figures.innings),
        (words.average, figures.averages),
        (words.high_run, figures.high_runs),
        (words.conduct, line.conduct if any(line.conduct) else None),
    ):
        if pair is not None:
            yield name, _of_all(pair, match)
    if figures.reracks is not None:
        yield words.reracks, str(figures.reracks)
        off = f"{figures.audit:+}".replace("-", "−") if figures.audit else words.audit_right
        yield words.audit, off


def _in_turn(points: tuple[int, ...]) -> str:
    return " ".join(map(str, points)) or "-"


def _pair(pair: Sequence[object]) -> str:
    """A value a side; a dash where a side has none."""
    return " – ".join(
        "-" if one is None else number(one) if isinstance(one, int) else str(one) for one in pair
    )


def _of_all(pair: Pair[object], match: Kept) -> str:
    """A value of each side that plays."""
    return _pair([pair[side.place] for side in playing(match)])


def _score(match: Kept, words: Words) -> str:
    line = match.line()
    played = [
        f"{words.level(name)} {won[0]} – {won[1]}"
        for name, won in line.tally.items()
        if line.to_win[name] != (1, 1)
    ]
    alone = len(playing(match)) == 1
    if (alone or not played) and line.score is not None:
        played = [_of_all(line.score, match)]
    return ", ".join(played) or "–"


class _Asides:
    """What stands beside the score: incidents and corrections, with who entered them and when."""

    def __init__(self, match: Kept, words: Words, language: Language) -> None:
        self._match, self._words, self._language = match, words, language

    def tables(self) -> Iterator[Table]:
        yield self._table(self._words.incidents, self._incidents())
        yield self._table(self._words.corrections, self._corrections())

    def _table(self, title: str, records: Iterable[tuple[Record, str]]) -> Table:
        words, notation = self._words, self._match.ledger.match.game.notation
        asked = load_setup_words(self._language.code)
        said = EntryWords(self._language, self._match.ledger.match.setup.rulebook, asked)
        rows = tuple(
            (
                str(record.seq),
                time_text(record.t_ms)[1:].partition(".")[0],
                day_and_hour(record.at_ms),
                side,
                said.say(record_text(record, notation)),
                entered_by(self._language, str(record.by)),
            )
            for record, side in records
        )
        columns = (words.record, words.time, words.date, words.side, words.entry, words.entered_by)
        return Table(title, columns, rows)

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
            put_right = adjusted and not was_entered_whole(act)
            if put_right or (isinstance(act, Control) and not isinstance(act, ClockAct)):
                yield record, "–"
