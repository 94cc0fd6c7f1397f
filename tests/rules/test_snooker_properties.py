"""What must hold in every frame of snooker, found by walking through legal entries."""

import os
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
from rules.errors import NotAllowed
from rules.frame import offered
from rules.ledger import Ledger
from rules.match import Match, Stage, digest
from rules.position import split_fields
from rules.record import Record, Redo, Setup, Source, Undo
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Side
from rules.snooker.adjust import position_of
from rules.snooker.entries import (
    AddRed,
    Ball,
    Claim,
    Colour,
    Concerned,
    Foul,
    FreeBall,
    How,
    LastBlack,
    Mark,
    Pot,
    Reds,
    Touching,
    VisitTotal,
)
from rules.snooker.game import SnookerGame
from rules.snooker.play import SnookerFrame
from rules.snooker.position import Position, Tie
from rules.snooker.table import COLOURS

# As in test_properties: TACADA_WALKS=20000 for more walks, and others each time.
WALKS = int(os.environ.get("TACADA_WALKS", "0"))
WALK = settings(
    max_examples=WALKS or 200,
    derandomize=not WALKS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

BOOKS = sorted(id_ for id_, book in RULEBOOKS.items() if isinstance(book.game, SnookerGame))
FORMATS = (
    "target=1 reds=1",
    "target=2 reds=1",
    "target=2 reds=2",
    "target=3 reds=2 pass_after_in_off=off",
    "target=2 reds=1 miss_rule=no_frame_loss",
    "target=2 reds=1 miss_rule=off",
    "target=2 reds=2 agg_fail=2",
    "target=1 reds=6 miss_cap=2",
    "target=2",
)
ATS = (
    "",
    "",
    "handicap=21/0",
    "handicap=-7/0",
    "score=40/38 reds=0 colours=UPK",
    "score=20/13 reds=0 colours=K",
    "reds=none score=12/30",
)

VALUES = (
    *("0/0", "9/9", "-/57", "-90/0", "A", "B", "0", "1", "2", "99", "none", "on", "off"),
    *("K", "PK", "YGNUPK", "YK", "-", "hand", "draw", "black", "no"),
)

sides = st.sampled_from(list(Side))
maybe_side = st.none() | sides
small = st.integers(-1, 3)
yes_no = st.booleans()
balls = st.sampled_from(list(Ball))
colours = st.sampled_from(list(Colour))
concerned = st.builds(Concerned, st.sampled_from(list(How)), balls)
marks = st.lists(st.sampled_from(list(Mark)), max_size=3).map(tuple)

fouls = st.builds(
    Foul,
    st.none() | colours,
    st.lists(concerned, max_size=2).map(tuple),
    st.none() | st.none() | balls,
    st.just(0) | small,
    marks,
    st.none() | maybe_side,
    st.none() | st.none() | st.integers(3, 8),
)
CALLED = (
    (Mark.MISS,),
    (Mark.MISS, Mark.FULL),
    (Mark.MISS, Mark.FULL, Mark.FREE),
    (Mark.MISS, Mark.FORCE),
    (Mark.FREE,),
    (Mark.FREE, Mark.NOSTROKE),
    (Mark.WHITE,),
    (Mark.WHITE, Mark.DISC),
    (),
)

entries: st.SearchStrategy[Entry] = st.one_of(
    st.builds(EndVisit),
    st.builds(Ok),
    st.builds(Lag, maybe_side),
    st.builds(First, sides),
    st.builds(Pick, st.sampled_from(["play", "pass", "free", "replay", "place", "A", "x"])),
    st.builds(Award, sides, st.sampled_from(["", "absence", "forfeit", "aggravated", "x"])),
    st.builds(Concede, sides, st.sampled_from(list(Scope))),
    st.builds(Disqualify, st.sampled_from([(), (Side.A,), (Side.A, Side.B), (Side.B, Side.A)])),
    st.builds(Void, st.sampled_from(["", "keep"])),
    st.builds(Stalemate, st.sampled_from(["", "warn", "clear", "x"])),
    st.builds(Timeout, maybe_side),
    st.builds(Interval, sides, yes_no),
    st.builds(Extension, sides),
    st.builds(ShotClock),
    st.builds(TimeUp),
    st.builds(Shootout, st.none() | small, maybe_side),
    st.builds(Conduct, maybe_side, yes_no),
    st.builds(Breaker, sides),
    st.builds(Reds, small),
    st.builds(AddRed),
    st.builds(Pot, colours),
    st.builds(FreeBall, st.none() | balls, yes_no, st.just(0) | small, st.none() | colours),
    fouls,
    st.builds(Foul, st.none() | colours, marks=st.sampled_from(CALLED)),
    st.builds(VisitTotal, st.integers(-1, 40), st.none() | small, st.none() | colours, yes_no),
    st.builds(VisitTotal, st.integers(0, 12)),
    st.builds(Claim),
    st.builds(LastBlack),
    st.builds(Touching, yes_no),
)

STROKES = (Reds, AddRed, Pot, FreeBall, EndVisit)
POTS = (Reds, AddRed, Pot, FreeBall, LastBlack)
CHOICES = (Pick, First, Ok, LastBlack, Claim)
RARE = (Conduct, Concede, Disqualify, Award, Void, Stalemate, Breaker, ShotClock, VisitTotal)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    rulebook = draw(st.sampled_from(BOOKS))
    format_ = split_fields(draw(st.sampled_from(FORMATS)))
    at = split_fields(draw(st.sampled_from(ATS)))
    return Setup(rulebook, format=format_, first=draw(maybe_side), at=at)


def offers_at_bounds(match: Match) -> list[Entry]:
    return [entry for offer in match.legal() for entry in offer.at_bounds()]


def next_entry(chance: random.Random, match: Match) -> Entry:
    """A legal entry: mostly strokes, then choices and fouls, seldom what ends a match."""
    offers = match.legal()
    frame = frames(match)
    kind = chance.random()
    if frame is not None and frame.misses.n and kind < 0.8:
        again: Entry = Pick("replay") if frame.choosing else some_foul(chance, (Mark.MISS,))
        if offered(offers, again):
            return again
    if kind < 0.2:
        tried = some_foul(chance, chance.choice(CALLED))
        if offered(offers, tried):
            return tried
    wanted: tuple[type[Entry], ...] = STROKES
    if kind < 0.4:
        wanted = CHOICES
    elif kind < 0.8:
        wanted = POTS
    elif kind > 0.96:
        wanted = RARE
    pool = [entry for offer in offers if offer.kind in wanted for entry in offer.at_bounds()]
    if not pool:
        pool = [entry for offer in offers if offer.kind not in RARE for entry in offer.at_bounds()]
    return chance.choice(pool)


def some_foul(chance: random.Random, called: tuple[Mark, ...]) -> Foul:
    named = chance.choice((None, *Colour))
    return Foul(named, marks=called, reds=chance.choice((0, 0, 0, 1)))


def opened(setup: Setup) -> Ledger:
    return Ledger(Record(0, setup), rulebook_of)


def walk_of(setup: Setup, seed: int, most: int) -> tuple[Setup, list[Entry]]:
    chance = random.Random(seed)
    match = opened(setup).match
    walk: list[Entry] = []
    while len(walk) < most and match.stage is not Stage.OVER:
        walk.append(next_entry(chance, match))
        match = match.after(walk[-1])
    return setup, walk


def walks() -> st.SearchStrategy[tuple[Setup, list[Entry]]]:
    """A set-up and legal entries; the length is what a failure shrinks."""
    return st.builds(walk_of, setups(), st.integers(0, 2**32), st.integers(0, 60))


def steps(walk: tuple[Setup, list[Entry]]) -> list[tuple[Match, Entry, Match]]:
    setup, line = walk
    match = opened(setup).match
    made = []
    for entry in line:
        after = match.after(entry)
        made.append((match, entry, after))
        match = after
    return made


def frames(match: Match) -> SnookerFrame | None:
    assert match.frame is None or isinstance(match.frame, SnookerFrame)
    return match.frame


def check(match: Match) -> None:
    """What holds in every position."""
    for won, level in zip(match.tally, match.levels, strict=True):
        assert all(0 <= n <= most for n, most in zip(won, level.to_win, strict=True))
    frame = frames(match)
    if frame is None:
        assert match.stage is Stage.FIRST or match.result is not None
        return
    table, figures = frame.table, frame.figures()
    assert table.reds is None or 0 <= table.reds <= frame.terms.reds
    if table.reds != 0 or table.any_colour:
        assert table.colours == COLOURS
    elif frame.result is None:
        assert table.colours
        assert table.colours == COLOURS[-len(table.colours) :]
    assert not (table.free and table.any_colour)
    if table.reds is None:
        assert figures.remaining is None
        assert figures.snookers is None
        assert figures.maximum is None
    if frame.choosing:
        assert frame.option is not None
        assert frame.option.chooser is frame.turn.other
        assert "play" in frame.option.choices
        assert frame.run == 0
    if "replay" in (frame.option.choices if frame.option else ()):
        assert frame.replay is not None
    assert (frame.tie is Tie.DRAW) == (frame.option is not None and frame.option.kind == "draw")
    if frame.tie is not Tie.NO and frame.result is None:
        assert frame.lead == 0
        assert table.black_only
    if frame.result is not None:
        assert frame.option is None
    if figures.snookers is not None and figures.snookers_to_win is not None:
        assert all(
            n <= more <= n + 1
            for n, more in zip(figures.snookers, figures.snookers_to_win, strict=True)
        )


@WALK
@given(walks())
def test_every_position_makes_sense(walk: tuple[Setup, list[Entry]]) -> None:
    for _, _, after in steps(walk):
        check(after)


@WALK
@given(walks())
def test_what_is_offered_is_accepted(walk: tuple[Setup, list[Entry]]) -> None:
    setup, line = walk
    match = opened(setup).match
    for entry in line:
        match = match.after(entry)
    for entry in offers_at_bounds(match):
        match.after(entry)
    assert match.stage is Stage.OVER or offers_at_bounds(match)


@WALK
@given(walks(), st.lists(entries, min_size=12, max_size=12))
def test_what_is_not_offered_is_refused_and_changes_nothing(
    walk: tuple[Setup, list[Entry]], tried: list[Entry]
) -> None:
    setup, line = walk
    match = opened(setup).match
    for entry in line:
        match = match.after(entry)
    before = digest(match)
    for entry in tried:
        try:
            match.after(entry)
        except NotAllowed:
            assert not offered(match.legal(), entry), entry
        else:
            assert offered(match.legal(), entry), entry
    assert digest(match) == before


@WALK
@given(walks())
def test_undo_brings_every_position_back_and_redo_the_next(
    walk: tuple[Setup, list[Entry]],
) -> None:
    setup, line = walk
    ledger, other = opened(setup), opened(setup)
    digests = [digest(ledger.match)]

    def append(act: Any) -> str:
        ledger.append(Record(ledger.seq + 1, act))
        return digest(ledger.match)

    for seq, entry in enumerate(line, 1):
        after = append((entry,))
        assert append(Undo()) == digests[-1]
        assert append(Redo()) == after
        other.append(Record(seq, (entry,), at_ms=seq * 7, by=Source("pad", str(seq))))
        assert digest(other.match) == after
        digests.append(after)
    for before in reversed(digests[:-1]):
        assert append(Undo()) == before
    for after in digests[1:]:
        assert append(Redo()) == after


@WALK
@given(walks())
def test_no_stroke_scores_more_than_was_left(walk: tuple[Setup, list[Entry]]) -> None:
    for before, entry, after in steps(walk):
        was, now = frames(before), frames(after)
        if not isinstance(entry, (*STROKES, VisitTotal)) or was is None or now is None:
            continue
        left, leaves = was.table.left, now.table.left
        if left is None or leaves is None or now.drawing:
            continue
        free = was.table.free or "free" in (was.option.choices if was.option else ())
        points = sum(now.score) - sum(was.score)
        assert points >= 0
        assert points + leaves <= left + (was.table.bonus if free else 0)


@WALK
@given(walks())
def test_a_foul_pays_one_side_four_to_seven(walk: tuple[Setup, list[Entry]]) -> None:
    for before, entry, after in steps(walk):
        was, now = frames(before), frames(after)
        if not isinstance(entry, Foul):
            continue
        assert was is not None
        assert now is not None
        offender = entry.by or was.at_table
        if now.result is not None and now.result.reason == "disqualified":
            continue
        paid = [new - old for new, old in zip(now.score, was.score, strict=True)]
        assert paid[offender.place] == 0
        against = Mark.DISC in entry.marks or Mark.GRAVE in entry.marks
        most = 14 if against and was.terms.cumulate else 7
        assert (7 if against else 4) <= paid[offender.other.place] <= most


@WALK
@given(walks())
def test_reds_and_colours_never_come_back_but_by_a_replay_or_a_new_rack(
    walk: tuple[Setup, list[Entry]],
) -> None:
    for before, entry, after in steps(walk):
        was, now = frames(before), frames(after)
        if was is None or now is None or was.table.reds is None or now.table.reds is None:
            continue
        if entry == Pick("replay") or isinstance(entry, Void | Ok):
            continue
        if isinstance(entry, Stalemate) and not entry.step:
            continue
        assert now.table.reds <= was.table.reds
        if not now.drawing:
            assert len(now.table.colours) <= len(was.table.colours)


@WALK
@given(walks())
def test_choices_are_those_that_the_foul_gave(walk: tuple[Setup, list[Entry]]) -> None:
    for before, entry, after in steps(walk):
        was, now = frames(before), frames(after)
        if was is None or now is None or not now.choosing or now.option is was.option:
            continue
        assert now.option is not None
        choices, terms = now.option.choices, now.terms
        marks = entry.marks if isinstance(entry, Foul) else ()
        in_sequence = was.misses.n > 0 and (Mark.NOSTROKE in marks or isinstance(entry, ShotClock))
        if "replay" in choices:
            assert Mark.MISS in marks or in_sequence
        if "place" in choices:
            assert terms.miss_cap
        assert ("free" in choices) == (Mark.FREE in marks and now.table.objects > 1)
        assert ("pass" in choices) == (terms.pass_after_in_off or Mark.WHITE not in marks)


@WALK
@given(walks())
def test_with_the_black_alone_nobody_is_beaten_already(walk: tuple[Setup, list[Entry]]) -> None:
    for _, _, after in steps(walk):
        frame = frames(after)
        if frame is not None and frame.terms.auto_end_pink and frame.result is None:
            assert not frame.table.black_only or abs(frame.lead) <= 7


@WALK
@given(walks())
def test_each_frame_counts_one(walk: tuple[Setup, list[Entry]]) -> None:
    for before, _, after in steps(walk):
        was, now = frames(before), frames(after)
        if was is None or now is None or was.result is not None or now.result is None:
            continue
        if now.result.scope is not Scope.FRAME:
            continue
        assert now.result.winner is not None
        assert sum(after.tally[0]) == sum(before.tally[0]) + 1


@WALK
@given(walks())
def test_a_position_is_taken_up_where_it_stood(walk: tuple[Setup, list[Entry]]) -> None:
    setup, line = walk
    match = opened(setup).match
    for entry in line:
        match = match.after(entry)
    frame = frames(match)
    if match.stage is not Stage.FRAME or frame is None:
        return
    if frame.result is not None or frame.choosing:
        return
    at = (
        ("frames", "{}/{}".format(*match.tally[0])),
        ("handicap", "{}/{}".format(*frame.carry.handicap)),
        *frame.position(),
    )
    again = opened(Setup(setup.rulebook, format=setup.format, first=frame.opener, at=at)).match
    found = frames(again)
    assert found is not None
    assert position_of(found) == position_of(frame)
    assert again.tally == match.tally
    assert again.option == match.option


@WALK
@given(
    walks(),
    st.lists(
        st.tuples(
            st.sampled_from([*Position.__struct_fields__, "nothing"]),
            st.sampled_from(VALUES),
        ),
        min_size=1,
        max_size=3,
        unique_by=lambda pair: pair[0],
    ),
)
def test_an_adjustment_gives_a_position_in_play_or_is_refused(
    walk: tuple[Setup, list[Entry]], changes: list[tuple[str, str]]
) -> None:
    setup, line = walk
    match = opened(setup).match
    for entry in line:
        match = match.after(entry)
    try:
        after = match.after(Adjust(tuple(changes)))
    except NotAllowed:
        return
    assert after.ending is None
    assert after.finished == match.finished
    check(after)
    for entry in offers_at_bounds(after):
        after.after(entry)


def test_the_walks_come_everywhere() -> None:
    """What the properties have seen, in every rulebook."""
    seen: set[str] = set()

    @settings(WALK, max_examples=max(WALKS, 800))
    @given(walks())
    def look(walk: tuple[Setup, list[Entry]]) -> None:
        setup = walk[0]
        for _, entry, after in steps(walk):
            seen.add(after.stage)
            seen.add(setup.rulebook)
            if after.option is not None:
                seen.update((after.option.kind, *after.option.choices))
            frame = frames(after)
            if frame is not None and frame.result is not None:
                seen.add(frame.result.reason)
            if frame is not None and frame.at_risk:
                seen.add("at risk")
            if after.finished and after.stage is Stage.FRAME:
                seen.add("second frame")
            seen.add(type(entry).__name__)

    look()
    wanted = {
        *BOOKS,
        *("first", "frame", "over", "second frame", "at risk"),
        *("foul", "draw", "play", "pass", "free", "replay", "place"),
        *("pink", "black", "black_foul", "aggravated", "claim", "disqualified", "concession"),
        *("FreeBall", "AddRed", "LastBlack", "VisitTotal", "Void"),
    }
    assert wanted <= seen, wanted - seen
