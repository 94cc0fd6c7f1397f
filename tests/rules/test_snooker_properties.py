"""What must hold in every frame of snooker, found by walking through legal entries."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.entries import (
    Adjust,
    Breaker,
    Entry,
    First,
    Ok,
    Pick,
    Scope,
    ShotClock,
    Stalemate,
    Void,
)
from rules.errors import NotAllowed
from rules.match import Match, digest
from rules.record import Record, Source
from rules.sides import Side
from rules.snooker.adjust import position_of
from rules.snooker.entries import (
    Foul,
    Mark,
    VisitTotal,
)
from rules.snooker.position import Position, Tie
from rules.snooker.table import COLOURS
from rules.standing import Stage
from tests.rules.snooker_walks import BOOKS, STROKES, VALUES, WALK, entries, frames, walks
from tests.rules.walks import (
    WALKS,
    Walk,
    check_all_else_is_refused,
    check_offers_are_accepted,
    check_tally,
    check_undo_and_redo,
    check_unwound,
    offers_at_bounds,
    opened,
    played,
    steps,
)


def check(match: Match) -> None:
    """What holds in every position."""
    check_tally(match)
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
def test_every_position_makes_sense(walk: Walk) -> None:
    for _, _, after in steps(walk):
        check(after)


@WALK
@given(walks())
def test_what_is_offered_is_accepted(walk: Walk) -> None:
    check_offers_are_accepted(played(walk))


@WALK
@given(walks(), st.lists(entries, min_size=12, max_size=12))
def test_what_is_not_offered_is_refused_and_changes_nothing(walk: Walk, tried: list[Entry]) -> None:
    check_all_else_is_refused(played(walk), tried)


@WALK
@given(walks())
def test_undo_brings_every_position_back_and_redo_the_next(walk: Walk) -> None:
    ledger, digests = check_undo_and_redo(walk)
    other = opened(walk[0])
    for seq, entry in enumerate(walk[1], 1):
        other.append(Record(seq, (entry,), at_ms=seq * 7, by=Source("pad", str(seq))))
        assert digest(other.match) == digests[seq]
    check_unwound(ledger, digests)


@WALK
@given(walks())
def test_no_stroke_scores_more_than_was_left(walk: Walk) -> None:
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
def test_a_foul_pays_one_side_four_to_seven(walk: Walk) -> None:
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
    walk: Walk,
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
def test_choices_are_those_that_the_foul_gave(walk: Walk) -> None:
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
def test_with_the_black_alone_nobody_is_beaten_already(walk: Walk) -> None:
    for _, _, after in steps(walk):
        frame = frames(after)
        if frame is not None and frame.terms.auto_end_pink and frame.result is None:
            assert not frame.table.black_only or abs(frame.lead) <= 7


@WALK
@given(walks())
def test_each_frame_counts_one(walk: Walk) -> None:
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
def test_a_position_is_taken_up_where_it_stood(walk: Walk) -> None:
    match = played(walk)
    frame = frames(match)
    if match.stage is not Stage.FRAME or frame is None:
        return
    if frame.result is not None or frame.choosing:
        return
    at = (
        ("frames", "{}/{}".format(*match.tally[0])),
        ("handicap", "{}/{}".format(*frame.carry.handicap)),
        ("order", "{}/{}".format(*frame.carry.order)),
        *frame.position(),
    )
    again = opened(replace(walk[0], first=frame.opener, at=at)).match
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
    walk: Walk, changes: list[tuple[str, str]]
) -> None:
    match = played(walk)
    try:
        after = match.after(Adjust(tuple(changes)))
    except NotAllowed:
        return
    assert after.ending is None
    assert after.finished == match.finished
    check(after)
    for entry in offers_at_bounds(after):
        after.after(entry)


@WALK
@given(walks())
def test_partners_take_turns(walk: Walk) -> None:
    """Whoever comes to the table is the one after him who was there last of his side."""
    sizes = [len(side) for side in walk[0].players]
    was_there: dict[Side, int] = {}
    for before, entry, after in steps(walk):
        was, now = frames(before), frames(after)
        known = was is not None and now is not None and not (was.choosing or now.out_of_turn)
        if not known or isinstance(entry, (First, Void, Breaker, Stalemate, Ok)):
            was_there = {}  # another order; or a visit that a stroke began and ended
            continue
        assert was is not None
        assert now is not None
        turn, member = now.turn, now.visit.member
        assert 1 <= member <= sizes[turn.place]
        if turn is was.turn and not was.out_of_turn:
            assert member == was.visit.member
        elif turn in was_there and not was.out_of_turn:
            assert member == was_there[turn] % sizes[turn.place] + 1
        was_there[turn] = member


def test_the_walks_come_everywhere() -> None:
    """What the properties have seen, in every rulebook."""
    seen: set[str] = set()

    @settings(WALK, max_examples=max(WALKS, 800))
    @given(walks())
    def look(walk: Walk) -> None:
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
            if frame is not None and frame.out_of_turn:
                seen.add("out of turn")
            if after.visit is not None:
                seen.add(f"member {after.visit.member}")
            if after.finished and after.stage is Stage.FRAME:
                seen.add("second frame")
            seen.add(type(entry).__name__)

    look()
    wanted = {
        *BOOKS,
        *("first", "frame", "over", "second frame", "at risk"),
        *("out of turn", "member 1", "member 2", "member 3"),
        *("foul", "draw", "play", "pass", "free", "replay", "place"),
        *("pink", "black", "black_foul", "aggravated", "claim", "disqualified", "concession"),
        *("FreeBall", "AddRed", "LastBlack", "VisitTotal", "Void"),
    }
    assert wanted <= seen, wanted - seen
