"""What must hold in every match that can be played, found by walking through legal entries."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.carom.entries import (
    Balls,
    CaromEntry,
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
from rules.carom.game import PINS, CaromGame
from rules.carom.offers import PINS as WHITE_PINS
from rules.carom.pins import PinsFrame
from rules.carom.series import SeriesFrame
from rules.entries import (
    Adjust,
    Award,
    Concede,
    Conduct,
    Disqualify,
    Entry,
    First,
    Lag,
    Pick,
    SharedEntry,
    Stalemate,
)
from rules.errors import BadSetup, NotAllowed
from rules.frame import Then
from rules.ledger import Ledger
from rules.match import Match, digest
from rules.position import split_fields
from rules.record import EditInning, Record, Setup, Source, Undo
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Side
from rules.standing import Stage
from tests.rules.walks import (
    WALKS,
    Walk,
    check_all_else_is_refused,
    check_offers_are_accepted,
    check_tally,
    check_undo_and_redo,
    check_unwound,
    maybe_side,
    offers_at_bounds,
    opened,
    played,
    shared,
    sides,
    walk_settings,
    yes_no,
)

WALK = walk_settings(300)

FORMATS = (
    "",
    "target=4/4",
    "target=6/3",
    "target=5/5 limit=2",
    "target=5/5 limit=3 last_from=start compare=ratio",
    "target=none/none limit=3",
    "target=none/none",
    "target=3/3 sets=2 final=2",
    "target=3/3 sets=2 set_start=winner",
    "target=3/3 sets=3 set_start=loser eq_causes=target+time",
    "target=3/3 sets=2 set_start=lag",
    "target=4/4 overshoot=cap draw=shootout eq_causes=target",
    "target=4/4 frozen=forced offtable=all clock=30 to=1/1 auto_to=on",
    "target=4/4 clock=40 to=0/1",
    "target=4/4 clock=40 to=0/0 clock_opts=on half=on",
    "target=4/2 half=on rotate=inning limit=3",
    "target=5/5 rotate=stroke half=on",
    "target=6/6 zone_shots=2 line=player frozen=option_all",
    "target=6/6 zone_shots=1 line=against",
    "target=3/3 zone_shots=2 sets=2 clock=30 to=1/1 to_per=set auto_to=on",
    "target=4/4 live_avg=frozen avg_mode=half_up",
)

PINS_FORMATS = (
    "target=20/20",
    "target=30/12 limit=3 half=on",
    "target=9/9 sets=2 final=6",
    "target=none/none limit=2 draw=shootout",
    "target=9/9 sets=2 limit=1 compare=ratio rotate=stroke",
    "target=12/12 clock=30 to=0/0 clock_opts=on rotate=inning",
)

small = st.integers(-1, 7)

felled = st.builds(
    Felled,
    small,
    st.integers(-1, 1),
    yes_no,
    st.none() | st.sampled_from(list(RedBall)),
    yes_no,
    st.sampled_from(list(PinsTo)),
    st.integers(0, 1),
    st.integers(0, 1),
    yes_no,
).filter(lambda one: one.pins + one.own_pins <= WHITE_PINS and not (one.red and one.own_red))
"""Strokes by what fell; how many the own ball may have felled hangs on the others."""

entries: st.SearchStrategy[Entry] = st.one_of(
    *shared,
    st.builds(Lag, maybe_side, st.sampled_from([(), (Side.A,), (Side.B,), (Side.A, Side.B)])),
    st.builds(First, sides),
    st.builds(Pick, st.sampled_from(["play", "respot_touching", "as_is", "zone_in", "A", "x"])),
    st.builds(Award, sides, st.sampled_from(["", "absence", "forfeit"])),
    st.builds(Disqualify, st.sampled_from([(), (Side.A,), (Side.B,), (Side.A, Side.B)])),
    st.builds(Stalemate, st.sampled_from(["", "warn"])),
    st.builds(Points, small, st.none() | st.sampled_from(list(Balls))),
    st.builds(Run, small),
    st.builds(Foul, yes_no),
    st.builds(Frozen),
    st.builds(Zone, st.sampled_from(list(ZoneCall))),
    st.builds(Pins, small, st.sampled_from(list(PinsTo)), small),
    felled,
)


CAROM = sorted(id_ for id_, book in RULEBOOKS.items() if isinstance(book.game, CaromGame))


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    book = RULEBOOKS[draw(st.sampled_from(CAROM))]
    formats = PINS_FORMATS if book.game is PINS else FORMATS
    format_ = split_fields(draw(st.sampled_from(formats)))
    told = tuple((name, "2") for name in book.unverified if name not in dict(format_))
    players = draw(st.sampled_from([((1,), (2,)), ((1, 2), (3, 4)), ((1, 2, 3), (4,))]))
    return Setup(book.id, players, (*format_, *told), draw(maybe_side))


def next_entry(draw: st.DrawFn, match: Match) -> Entry:
    """A legal entry, ends and offences less often than strokes."""
    legal = offers_at_bounds(match)
    rare = (Conduct, Concede, Disqualify, Award)
    common = [entry for entry in legal if not isinstance(entry, rare)]
    pool = legal if not common or draw(st.integers(0, 14)) == 0 else common
    return draw(st.sampled_from(pool))


@st.composite
def walks(draw: st.DrawFn, most: int = 30) -> Walk:
    setup = draw(setups())
    match = opened(setup).match
    walk: list[Entry] = []
    for _ in range(draw(st.integers(0, most))):
        if match.stage is Stage.OVER:
            break
        entry = next_entry(draw, match)
        match = match.after(entry)
        walk.append(entry)
    return setup, walk


def check(match: Match) -> None:
    """What holds in every position."""
    check_tally(match)
    frame = match.frame
    if frame is None:
        # Before the first frame a match is asked who plays first, or lost by conduct.
        assert match.stage is Stage.FIRST or match.result is not None
        return
    assert isinstance(frame, SeriesFrame | PinsFrame)
    for side in Side:
        place = side.place
        target, score = frame.target[place], frame.score[place]
        assert score >= 0
        assert target is None or score <= target
        still = frame.run if frame.turn is side else 0
        own = sum(frame.runs[place]) + still
        # In the pins games what a side makes for itself is not all that it gets.
        assert own == score if isinstance(frame, SeriesFrame) else own <= score
        assert 1 <= frame.members[place] <= len(match.setup.players[place])
        assert len(frame.runs[place]) == frame.innings[place]
        assert max((*frame.runs[place], still)) <= frame.figures().high_runs[place]  # type: ignore[index] # carom has high runs
    ahead = frame.innings[frame.opener.place] - frame.innings[frame.opener.other.place]
    assert ahead in (0, 1)
    if frame.ending is None and frame.result is None and not frame.drawn:
        assert ahead == (0 if frame.turn is frame.opener else 1)
    if frame.goal is not None:
        assert frame.score[frame.opener.other.place] <= frame.goal
    if frame.result is not None:
        assert frame.ending is not None
    if match.result is not None and match.result.winner is not None:
        assert match.stage in (Stage.OVER, Stage.FIRST) or match.ending is not None


@WALK
@given(walks())
def test_every_position_makes_sense(walk: Walk) -> None:
    setup, line = walk
    match = opened(setup).match
    for entry in line:
        before = match
        match = match.after(entry)
        check(match)
        if len(match.finished) == len(before.finished) and match.result is None:
            assert all(a >= b for a, b in zip(match.tally[-1], before.tally[-1], strict=True))


@WALK
@given(walks())
def test_what_is_offered_is_accepted(walk: Walk) -> None:
    check_offers_are_accepted(played(walk))


@WALK
@given(walks(), st.lists(entries, min_size=8, max_size=8))
def test_what_is_not_offered_is_refused_and_changes_nothing(walk: Walk, tried: list[Entry]) -> None:
    check_all_else_is_refused(played(walk), tried)


@WALK
@given(walks())
def test_undo_brings_every_position_back_and_redo_the_next(walk: Walk) -> None:
    ledger, digests = check_undo_and_redo(walk)
    records = [node.record for node in ledger.line()]
    again = Ledger(records[0], rulebook_of)
    for record in records[1:]:
        again.append(record)
    assert digest(again.match) == digests[-1]


@WALK
@given(walks())
def test_a_whole_match_is_unwound_and_played_again(walk: Walk) -> None:
    """Through every end of a set and of the match, whoever entered it, whenever."""
    setup, line = walk
    ledger, other = opened(setup), opened(setup)
    digests = [digest(ledger.match)]
    for seq, entry in enumerate(line, 1):
        ledger.append(Record(seq, (entry,)))
        at = Record(seq, (entry,), at_ms=seq * 7, by=Source("pad", str(seq)))
        other.append(at)
        digests.append(digest(ledger.match))
        assert digest(other.match) == digests[-1]
    check_unwound(ledger, digests)


@WALK
@given(walks())
def test_totals_and_high_runs_are_those_of_all_sets(walk: Walk) -> None:
    match = played(walk)
    last = match.frame
    if last is None:
        return
    sets = [
        frame for frame in (*match.finished, last) if isinstance(frame, SeriesFrame | PinsFrame)
    ]
    if match.finished and match.finished[-1] is last:
        sets.pop()
    figures = last.figures()
    assert figures.total_points is not None
    assert figures.total_innings is not None
    assert figures.high_runs is not None
    for side in Side:
        place = side.place
        assert figures.total_points[place] == sum(one.score[place] for one in sets)
        assert figures.total_innings[place] == sum(one.innings[place] for one in sets)
        still = last.visit.run if last.visit.side is side else 0
        runs = [run for one in sets for run in one.runs[place]]
        assert figures.high_runs[place] == max((*runs, still))


def test_the_walks_come_everywhere() -> None:
    """What the properties have seen: a walk that never ends proves nothing about ends."""
    seen: set[str] = set()

    @settings(WALK, max_examples=4 * (WALKS or 300))
    @given(walks())
    def look(walk: Walk) -> None:
        setup, line = walk
        match = opened(setup).match
        for entry in line:
            match = match.after(entry)
            seen.add(match.stage)
            if match.option is not None:
                seen.add(f"choice: {match.option.kind}")
            if match.ending is not None:
                seen.add(f"then: {match.ending.then}")
            if match.frame is not None:
                figures = match.frame.figures()
                seen.add(figures.phase)
                seen.add(f"zone: {figures.zone}")
                seen.add(f"member: {match.frame.visit.member}")
                if figures.break_due:
                    seen.add("break")
            if match.finished and match.stage is Stage.FRAME:
                seen.add("second set")

    look()
    assert seen >= {
        *Stage,
        *(f"choice: {kind}" for kind in ("first", "frozen", "placing", "drawn_set")),
        *(f"choice: {kind}" for kind in ("line", "clock", "free_ball")),
        *(f"zone: {zone}" for zone in (None, "free", "entered", "must_exit")),
        *(f"member: {member}" for member in (1, 2, 3)),
        "break",
        *(f"then: {then}" for then in Then),
        *("playing", "equaliser", "drawn", "second set"),
    }


def test_every_kind_of_entry_is_tried() -> None:
    """A kind that is never tried is never known to be refused."""
    kinds: set[type[Entry]] = {type(entry) for entry in _tried()}
    assert kinds == {*get_args(SharedEntry), *get_args(CaromEntry)} - {Adjust}


def _tried() -> list[Entry]:
    tried: list[Entry] = []

    @settings(WALK, max_examples=200)
    @given(st.lists(entries, min_size=8, max_size=8))
    def look(some: list[Entry]) -> None:
        tried.extend(some)

    look()
    return tried


@WALK
@given(walks(), sides, st.integers(1, 4), st.integers(0, 5))
def test_an_edited_inning_has_its_new_points_and_all_else_stays(
    walk: Walk, side: Side, inning: int, points: int
) -> None:
    setup, line = walk
    ledger = opened(setup)
    for seq, entry in enumerate(line, 1):
        ledger.append(Record(seq, (entry,)))
    before, was = ledger.match, ledger.digest()
    try:
        ledger.append(Record(len(line) + 1, EditInning(side, inning, points)))
    except NotAllowed:
        assert ledger.digest() == was
        return
    old, new = before.frame, ledger.match.frame
    assert isinstance(old, SeriesFrame | PinsFrame)
    assert isinstance(new, SeriesFrame | PinsFrame)
    gained = points - old.runs[side.place][inning - 1]
    assert new.runs[side.place][inning - 1] == points
    assert new.score[side.place] == old.score[side.place] + gained
    assert new.score[side.other.place] == old.score[side.other.place]
    for field in ("innings", "turn", "run", "strokes", "zone", "lie", "option", "ending"):
        assert getattr(new, field) == getattr(old, field), field
    assert new.carry.conduct == old.carry.conduct
    assert new.carry.timeouts == old.carry.timeouts
    check(ledger.match)
    ledger.append(Record(len(line) + 2, Undo()))
    assert digest(ledger.match) == digest(before)


def test_innings_of_both_families_are_edited() -> None:
    """The property above is empty where all is refused."""
    edited: set[str] = set()

    @settings(WALK, max_examples=2 * (WALKS or 300))
    @given(walks(), sides, st.integers(1, 2))
    def look(walk: Walk, side: Side, inning: int) -> None:
        setup, line = walk
        ledger = opened(setup)
        for seq, entry in enumerate(line, 1):
            ledger.append(Record(seq, (entry,)))
        try:
            ledger.append(Record(len(line) + 1, EditInning(side, inning, 1)))
        except NotAllowed:
            return
        edited.add(setup.rulebook)

    look()
    assert edited & {"p5", "p9"}
    assert len(edited - {"p5", "p9"}) > 4


@WALK
@given(walks())
def test_a_position_is_taken_up_where_it_stood(walk: Walk) -> None:
    match = played(walk)
    frame = match.frame
    if match.stage is not Stage.FRAME or not isinstance(frame, SeriesFrame | PinsFrame):
        return
    if frame.ending is not None or frame.drawn:
        return
    names = [level.name for level in match.levels]
    counts = [f"{a}/{b}" for a, b in match.tally]
    at = (*zip(names, counts, strict=True), *frame.position())
    taken_up = opened(replace(walk[0], first=frame.opener, at=at)).match
    found = taken_up.frame
    assert type(found) is type(frame)
    fields = ("score", "innings", "turn", "run", "goal", "zone", "lie", "members", "target")
    for field in fields:
        assert getattr(found, field) == getattr(frame, field), field
    assert taken_up.tally == match.tally


@WALK
@given(
    walks(),
    st.lists(
        st.tuples(
            st.sampled_from(
                ["score", "innings", "turn", "run", "goal", "lie", "zone", "members", "nothing"]
            ),
            st.sampled_from(
                ["0/0", "1/0", "2/9", "-1/0", "A", "B", "0", "2", "none", "start", "entered", "1/1"]
            ),
        ),
        min_size=1,
        max_size=2,
        unique_by=lambda pair: pair[0],
    ),
)
def test_an_adjustment_gives_a_position_in_play_or_is_refused(
    walk: Walk, changes: list[tuple[str, str]]
) -> None:
    match = played(walk)
    try:
        after = match.after(Adjust(tuple(changes)))
    except NotAllowed:
        return
    assert after.ending is None
    assert after.finished == match.finished
    for entry in offers_at_bounds(after):
        after.after(entry)


@WALK
@given(setups(), st.text("ABKRP+=/0123456789(),._", min_size=1, max_size=12))
def test_nonsense_is_no_set_up(setup: Setup, text: str) -> None:
    with pytest.raises(BadSetup, match="format: "):
        opened(replace(setup, format=(*setup.format, (text, text))))
