"""The notation: the vectors of all families as sheets, and every entry as text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.carom.words import NOTATION as CAROM
from rules.entries import (
    Adjust,
    Award,
    Breaker,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Entry,
    Extension,
    First,
    Interval,
    Lag,
    Ok,
    Pick,
    Scope,
    Shootout,
    ShotClock,
    Stalemate,
    Timeout,
    TimeUp,
    Void,
)
from rules.errors import BadNotation
from rules.notation import Notation
from rules.pool import entries as pool
from rules.pool.position import Position as PoolPosition
from rules.pool.words import NOTATION as POOL
from rules.position import field_names, fields_of, with_fields
from rules.rulebooks import notation_of
from rules.sheet import print_sheets, read_act, read_sheets
from rules.sides import Side
from rules.snooker import entries as snooker
from rules.snooker.position import Position as SnookerPosition
from rules.snooker.words import NOTATION as SNOOKER

SHEETS = Path(__file__).parents[1] / "sheets"
FAMILIES = [("carom", 201, "V"), ("snooker", 229, "TV"), ("pool", 319, "V")]

E = TypeVar("E")


def _text(family: str) -> str:
    return (SHEETS / f"{family}.sheet").read_text(encoding="utf-8")


@pytest.mark.parametrize(("family", "count", "letters"), FAMILIES)
def test_vectors_are_printed_as_they_are_read(family: str, count: int, letters: str) -> None:
    text = _text(family)
    sheets = read_sheets(text, notation_of, f"{family}.sheet")
    assert print_sheets(sheets, notation_of) == text
    expected = [f"{family}:{letters}{number:03}" for number in range(1, count + 1)]
    assert [sheet.id for sheet in sheets] == expected
    assert all(sheet.note for sheet in sheets)


@pytest.mark.parametrize("family", ["snooker", "pool"])
def test_positions_are_written_as_they_are_read(family: str) -> None:
    for sheet in read_sheets(_text(family), notation_of):
        at = sheet.setup.at
        if family == "snooker":
            fresh = SnookerPosition()
            own = tuple(pair for pair in at if pair[0] in field_names(SnookerPosition))
            assert {key for key, _ in at} - dict(own).keys() <= {"frames", "conduct", "scheduled"}
            assert fields_of(with_fields(fresh, own), fresh) == own, sheet.id
        else:
            full = PoolPosition()
            assert fields_of(with_fields(full, at), full) == at, sheet.id


def test_sheets_of_the_manual_are_printed_as_they_are_read() -> None:
    manual = (SHEETS.parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```sheet\n(.*?)^```", manual, re.DOTALL | re.MULTILINE)
    assert len(examples) == len(FAMILIES)
    for text in examples:
        assert print_sheets(read_sheets(text, notation_of), notation_of) == text


# Entries as text -------------------------------------------------------------------------

side = st.sampled_from(Side)
word = st.from_regex(r"[a-z][a-z_]{0,11}", fullmatch=True)
number = st.integers(0, 999)
positive = st.integers(1, 999)
maybe_side = st.none() | side


def _adjusts() -> st.SearchStrategy[Adjust]:
    key = word.filter(lambda text: text != "why")
    value = st.from_regex(r"[0-9A-Za-z_+/-]{1,12}", fullmatch=True)
    pair = st.tuples(key, value)
    changes = st.lists(pair, min_size=1, max_size=4, unique_by=lambda one: one[0]).map(tuple)
    return st.builds(Adjust, changes, st.just("") | word)


SHARED: st.SearchStrategy[Entry] = st.one_of(
    st.sampled_from([EndVisit(), Ok(), ShotClock(), TimeUp(), Lag()]),
    st.builds(Lag, side),
    st.sampled_from([(Side.A,), (Side.B,), (Side.A, Side.B)]).map(lambda sides: Lag(None, sides)),
    st.builds(First, side),
    st.builds(Breaker, side),
    st.builds(Extension, side),
    st.builds(Pick, word),
    st.builds(Award, side, st.just("") | word),
    st.builds(Concede, side, st.sampled_from([Scope.FRAME, Scope.MATCH])),
    st.sampled_from([(Side.A,), (Side.B,), (Side.A, Side.B)]).map(Disqualify),
    st.builds(Void, st.sampled_from(["", "keep", "restart"])),
    st.builds(Stalemate, st.sampled_from(["", "warn", "clear"])),
    st.builds(Timeout, maybe_side),
    st.builds(Interval, side, st.booleans()),
    st.builds(Shootout, number),
    st.builds(Shootout, st.none(), side),
    st.builds(Conduct, maybe_side, st.booleans()),
    _adjusts(),
)


def _carom() -> st.SearchStrategy[Entry]:
    from rules.carom.entries import (
        Balls,
        Felled,
        Foul,
        Frozen,
        Pins,
        PinsTo,
        Points,
        RedBall,
        Run,
        Zone,
        ZoneCall,
    )

    some, yes_no, to = st.integers(0, 4), st.booleans(), st.sampled_from(PinsTo)
    ball = st.none() | st.sampled_from(RedBall)
    return st.one_of(
        st.builds(Points, number, st.none() | st.sampled_from(Balls)),
        st.builds(Run, number),
        st.builds(Foul, st.booleans()),
        st.just(Frozen()),
        st.builds(Zone, st.sampled_from(ZoneCall)),
        st.builds(Pins, number, to, number),
        st.builds(Felled, some, some, yes_no, ball, yes_no, to, some, some, yes_no),
    )


def _marks() -> st.SearchStrategy[tuple[snooker.Mark, ...]]:
    def whole(marks: set[snooker.Mark]) -> tuple[snooker.Mark, ...]:
        if marks & {snooker.Mark.FULL, snooker.Mark.FORCE}:
            marks = marks | {snooker.Mark.MISS}
        return tuple(mark for mark in snooker.Mark if mark in marks)

    return st.sets(st.sampled_from(snooker.Mark)).map(whole)


def _snooker() -> st.SearchStrategy[Entry]:
    ball, colour = st.sampled_from(snooker.Ball), st.sampled_from(snooker.Colour)
    named = st.none() | ball
    concerned = st.builds(snooker.Concerned, st.sampled_from(snooker.How), ball)
    return st.one_of(
        st.builds(snooker.Reds, positive),
        st.sampled_from([snooker.AddRed(), snooker.Claim(), snooker.LastBlack()]),
        st.builds(snooker.Pot, colour),
        st.builds(snooker.Touching, st.booleans()),
        st.builds(snooker.FreeBall, named, st.booleans(), number),
        st.builds(snooker.FreeBall, named, st.booleans(), st.just(0), colour),
        st.builds(
            snooker.Foul,
            st.none() | colour,
            st.lists(concerned, max_size=3).map(tuple),
            named,
            number,
            _marks(),
            maybe_side,
        ),
    )


def _lots(least: int = 0) -> st.SearchStrategy[tuple[pool.Lot, ...]]:
    lot = st.builds(pool.Lot, st.sampled_from(pool.Group), positive)
    return st.lists(lot, min_size=least, max_size=2, unique_by=lambda one: one.group).map(tuple)


def _fallen(make: Callable[..., E], *more: st.SearchStrategy[object]) -> st.SearchStrategy[E]:
    """Entries with balls counted by number or by group."""
    return st.one_of(
        st.builds(make, st.none() | number, st.booleans(), st.just(()), *more),
        st.builds(make, st.none(), st.just(False), _lots(1), *more),
    )


def _pool() -> st.SearchStrategy[Entry]:
    flag = st.booleans()
    potted = st.just(pool.EightWas.POTTED)
    cue_ball = st.builds(
        pool.Case,
        st.just(pool.InTheWay.CUE_BALL),
        st.just(False),
        st.sampled_from(pool.Fifteenth),
    )
    obstacle = st.sampled_from([what for what in pool.InTheWay if what != pool.InTheWay.CUE_BALL])
    fouls = (flag, st.none() | st.sampled_from(pool.Kind), flag, maybe_side)
    return st.one_of(
        _fallen(pool.Pot),
        st.builds(pool.Pot, st.none(), st.just(False), _lots(), potted),
        st.builds(pool.Left, number),
        st.builds(pool.Safe, _lots()),
        _fallen(pool.Wrong, flag),
        _fallen(pool.Foul, st.none(), *fouls),
        st.builds(
            pool.Foul, st.none(), st.just(False), _lots(), st.sampled_from(pool.EightWas), *fouls
        ),
        st.builds(pool.Short, flag),
        st.builds(pool.Soft, st.none() | number, flag),
        st.builds(pool.Push, st.none() | number, flag, flag),
        st.builds(
            pool.Eight,
            _lots(),
            st.none() | st.sampled_from(pool.EightFault),
            st.none() | st.sampled_from(pool.Group),
        ),
        st.just(pool.Deliberate()),
        st.builds(pool.Case, obstacle),
        st.just(pool.Case(pool.InTheWay.FIFTEENTH, blocked=True)),
        cue_ball,
        st.builds(pool.WholeVisit, number, st.sampled_from(pool.VisitEnd), number, number),
    )


def _round_trip(notation: Notation, entry: Entry) -> None:
    text = notation.text(entry)
    assert notation.entry(text) == entry
    assert notation.text(notation.entry(text)) == text


@given(SHARED | _carom())
def test_carom_entries_survive_their_text(entry: Entry) -> None:
    _round_trip(CAROM, entry)


@given(SHARED | _snooker())
def test_snooker_entries_survive_their_text(entry: Entry) -> None:
    _round_trip(SNOOKER, entry)


@given(SHARED | _pool())
def test_pool_entries_survive_their_text(entry: Entry) -> None:
    _round_trip(POOL, entry)


def test_order_of_arguments_is_free_in_and_fixed_out() -> None:
    assert SNOOKER.text(SNOOKER.entry("FOUL(by=B,miss,reds=1,hit=K)")) == (
        "FOUL(hit=K,reds=1,miss,by=B)"
    )
    assert POOL.text(POOL.entry("FOUL(by=B,scratch,M,2)")) == "FOUL(2,M,scratch,by=B)"


# What cannot be read ---------------------------------------------------------------------

SHARED_REJECTS = [
    ("", "is no token"),
    ("ok", "is no token"),
    ("OK()", "is no token"),
    ("AWARD(A,)", "empty argument"),
    ("OK(A)", "stands alone"),
    ("/3", "takes no number"),
    ("LAG(C)", "LAG(repeat)"),
    ("LAG(pocket,B,A)", "LAG(pocket,A,B)"),
    ("FIRST", "FIRST(A)"),
    ("FIRST(C)", "a side is needed"),
    ("FIRST(A,B)", "which member of the side"),
    ("FIRST(A,0)", "which member of the side"),
    ("FIRST(A,1,2)", "no more than 2"),
    ("FIRST2", "takes no number"),
    ("PICK", "PICK(place)"),
    ("CONCEDE(A,set)", "none of match"),
    ("DQ(B,A)", "DQ(A,B)"),
    ("VOID(again)", "none of keep, restart"),
    ("STALEMATE(off)", "none of warn, clear"),
    ("INTERVAL(A,asked)", "none of granted"),
    ("SHOOT", "SHOOT(2)"),
    ("CONDUCT(grave,A)", "CONDUCT(A,grave)"),
    ("ADJUST", "at least one"),
    ("ADJUST(why=slip)", "at least one"),
    ("ADJUST(score)", "no field=value"),
    ("ADJUST(reds=1,reds=2)", "given twice"),
    ("WHATEVER", "has no such entry"),
]
REJECTS = [
    *((notation, text, why) for notation in (CAROM, SNOOKER, POOL) for text, why in SHARED_REJECTS),
    (CAROM, "+", "a number is needed"),
    (CAROM, "+٣", "is no token"),
    (CAROM, "SHOOT(٣)", "SHOOT(2) for points"),
    (CAROM, "+1(left)", "none of in, stay, out"),
    (CAROM, "=7(in)", "no more than 0"),
    (CAROM, "FOUL(white)", "none of off"),
    (CAROM, "FOUL3", "has no such entry"),
    (CAROM, "ZONE3(in)", "has no such entry"),
    (CAROM, "R2", "carom has no such entry"),
    (CAROM, "P(given)", "a number is needed"),
    (CAROM, "P6(striker)", "none of given, foul and given=2"),
    (CAROM, "P6(given,foul)", "each once"),
    (CAROM, "P6(given=2,given=3)", "each once"),
    (CAROM, "P6(given=x)", "none of given, foul and given=2"),
    (CAROM, "FELL3", "in round brackets"),
    (CAROM, "FELL(pins=3,pins=2)", "given twice"),
    (CAROM, "FELL(own_ball)", "none of pins=3"),
    (CAROM, "FELL(given,foul)", "either given or foul"),
    (SNOOKER, "R0", "at least one red"),
    (SNOOKER, "R(2)", "without arguments"),
    (SNOOKER, "+R2", "stands alone"),
    (SNOOKER, "K2", "stands alone"),
    (SNOOKER, "FB2", "takes no number"),
    (SNOOKER, "FB(B)", "B is no ball"),
    (SNOOKER, "FB(K,N)", "missed, with"),
    (SNOOKER, "FB(K,with=)", "nothing is no colour"),
    (SNOOKER, "FB(K,with=R0)", "no number of reds"),
    (SNOOKER, "FB(K,with=R,only=R)", "missed, with"),
    (SNOOKER, "FOUL(hit=X)", "X is no ball"),
    (SNOOKER, "FOUL(nom=R)", "R is no colour"),
    (SNOOKER, "FOUL(reds=0)", "no number of reds"),
    (SNOOKER, "FOUL(by=C)", "by is A or B"),
    (SNOOKER, "FOUL(full)", "go with miss"),
    (SNOOKER, "FOUL(miss,miss)", "said twice"),
    (SNOOKER, "FOUL(notech,disc)", "says nothing of a foul"),
    (SNOOKER, "FOUL3", "takes no"),
    (SNOOKER, "TOUCHING(on)", "none of off"),
    (SNOOKER, "+3", "snooker has no such entry"),
    (POOL, "POT(8off)", "is a foul"),
    (POOL, "POT(S1,S2)", "each group once"),
    (POOL, "POT(1,S1)", "not both"),
    (POOL, "POT(M,8ball)", "not both"),
    (POOL, "POT(1,1)", "said twice"),
    (POOL, "POT(S0)", "says nothing here"),
    (POOL, "POT2", "POT(2)"),
    (POOL, "LEFT", "LEFT(9)"),
    (POOL, "FOUL(by=C)", "by is one of A, B"),
    (POOL, "FOUL(no_rail,moving)", "says nothing here"),
    (POOL, "EIGHT(claim=X)", "claim is one of S, T"),
    (POOL, "EIGHT(off,foul)", "says nothing here"),
    (POOL, "CASE", "what was in the way"),
    (POOL, "CASE(cb)", "where the 15th ball lies"),
    (POOL, "CASE(apex,blocked)", "says nothing here"),
    (POOL, "VISIT(9,k1)", "VISIT(9,k1,miss)"),
    (POOL, "VISIT(9,k0,miss)", "says nothing here"),
    (POOL, "VISIT(9,k1٣,miss)", "says nothing here"),
    (POOL, "DELIBERATE(A)", "says nothing here"),
]


@pytest.mark.parametrize(("notation", "text", "why"), REJECTS)
def test_malformed_tokens_are_refused_with_the_mend(
    notation: Notation, text: str, why: str
) -> None:
    with pytest.raises(BadNotation) as caught:
        notation.entry(text)
    assert why in str(caught.value)


SHEET_REJECTS = [
    ("+1\n", "x.sheet, line 1: '+1': `rulebook:` comes before"),
    ("id: a\n", "x.sheet: a sheet needs `rulebook:`"),
    ("id: a\nrulebook: cricket\n", "x.sheet: rulebook: cricket is unknown"),
    ("id: a\nid: b\n", "x.sheet, line 2: a sheet needs `rulebook:`"),
    ("id: a\nrulebook: 3c\nrulebook: 3c\n", "x.sheet, line 3: rulebook: is given twice"),
    ("id: a\nrulebook: 3c\n+1\n\n/ WHAT\n", "x.sheet, line 5: WHAT: carom has no such entry"),
    ("id: a\nrulebook: 3c\n-> score\n", "x.sheet, line 3: 'score' is no field=value"),
    ("id: a\nrulebook: 3c\n-> turn=A turn=B\n", "x.sheet, line 3: turn is given twice"),
    ("id: a\nrulebook: 3c\n3x( +1\n", "x.sheet, line 3: a repetition lacks its )"),
    ("id: a\nrulebook: 3c\n3x( )\n", "x.sheet, line 3: 3x( … ) repeats nothing"),
    (
        f"id: a\nrulebook: 3c\n{'1x( ' * 3000}/{' )' * 3000}\n",
        "x.sheet, line 3: more than 9 repetitions stand in each other",
    ),
    ("id: a\nrulebook: 3c\n٣x( / )\n", "x.sheet, line 3: ٣x(: a repetition looks like"),
    ("id: a\nrulebook: 3c\n@1:0٢.000 /\n", "x.sheet, line 3: @1:0٢.000: a time looks like"),
    ("id: a\nrulebook: 3c\n+1 )\n", "x.sheet, line 3: ')' is left over"),
    ("id: a\nrulebook: 3c\n[ +1\n", "x.sheet, line 3: a [ lacks its ]"),
    ("id: a\nrulebook: 3c\n+1 refuse\n", "x.sheet, line 3: an entry is missing"),
    ("id: a\nrulebook: 3c\n@1:2 +1\n", "x.sheet, line 3: @1:2: a time looks like"),
    ("id: a\nrulebook: 3c\nby:pad +1\n", "x.sheet, line 3: by:pad: a source looks like"),
    ("id: a\nrulebook: 3c\nEDIT(A0=1)\n", "x.sheet, line 3: EDIT(A0=1): an edit looks like"),
    ("id: a\nrulebook: 3c\nfirst: C\n/\n", "first: C is neither A nor B"),
]


@pytest.mark.parametrize(("text", "why"), SHEET_REJECTS)
def test_faults_of_a_sheet_name_place_and_line(text: str, why: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read_sheets(text, notation_of, "x.sheet")
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"balls": "1"}, "no such field"),
        ({"reds": "many"}, "reds is a whole number"),
        ({"score": "3"}, "a whole number a side"),
        ({"colours": "YB"}, "letters, each one of Y, G, N, U, P, K"),
        ({"free": "yes"}, "on or off"),
        ({"turn": "C"}, "one of A, B, or none"),
    ],
)
def test_a_position_says_what_a_field_takes(fields: dict[str, str], why: str) -> None:
    with pytest.raises(BadNotation) as caught:
        with_fields(SnookerPosition(), tuple(fields.items()))
    assert why in str(caught.value)


def test_one_act_is_read_at_a_time() -> None:
    assert read_act("[ +1 / ]", CAROM) == (CAROM.entry("+1"), EndVisit())
    with pytest.raises(BadNotation, match="one entry at a time"):
        read_act("+1 /", CAROM)
