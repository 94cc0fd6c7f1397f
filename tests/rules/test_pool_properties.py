"""What must hold in every match of pool, found by walking through legal entries."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.entries import (
    Adjust,
    EndVisit,
    Entry,
    First,
    Lag,
    Ok,
    Pick,
    Shootout,
    Stalemate,
    Void,
)
from rules.errors import NotAllowed
from rules.frame import offered
from rules.ledger import Ledger
from rules.match import Match, digest
from rules.pool.blackball import BlackballFrame
from rules.pool.eight import EightFrame
from rules.pool.entries import Eight, EightWas, Foul, Left, Pot, Push, Safe, Short, Soft, Wrong
from rules.pool.groups import FULL, OPEN, GroupRack
from rules.pool.position import Position
from rules.pool.rotation import RotationFrame
from rules.pool.state import PoolState
from rules.pool.straight import StraightFrame
from rules.pool.terms import Third
from rules.record import Record, Setup, Source
from rules.sides import Side
from rules.standing import Stage
from tests.rules.pool_walks import BOOKS, STRAIGHT, WALK, entries, setups, walks
from tests.rules.walks import (
    WALKS,
    Walk,
    check_all_else_is_refused,
    check_tally,
    check_undo_and_redo,
    check_unwound,
    offers_at_bounds,
    opened,
    played,
    steps,
)

VALUES = (
    *("0/0", "1/2", "2/0", "-3/4", "3/3", "A", "B", "none", "on", "off", "0", "1", "2", "7"),
    *("9", "15", "16", "S/T", "T/S", "S/S", "-/-", "none/none", "2+1/-", "1/-", "kitchen", "any"),
    *("place", "baulk", "head"),
)


def frame_of(match: Match) -> PoolState | None:
    assert match.frame is None or isinstance(match.frame, PoolState)
    return match.frame


def check(match: Match) -> None:
    """What holds in every position."""
    check_tally(match)
    assert all(left >= 0 for left in match.carry.timeouts)
    frame = frame_of(match)
    if frame is None:
        assert match.stage is Stage.FIRST or match.result is not None
        return
    assert all(0 <= taken <= frame.terms.ext_per_rack for taken in frame.extended)
    if frame.result is not None:
        assert frame.option is None
    if frame.opening:
        assert frame.turn is frame.opener
        assert frame.turns_left is None
    if isinstance(frame, RotationFrame):
        check_rotation(frame)
    elif isinstance(frame, GroupRack):
        check_groups(frame)
    elif isinstance(frame, StraightFrame):
        check_straight(frame)


def check_rotation(frame: RotationFrame) -> None:
    over = frame.result is not None
    assert (0 if over else 1) <= frame.left <= frame.terms.balls
    most = frame.terms.fouls_limit if over else frame.terms.fouls_limit - 1
    assert all(0 <= count <= most for count in frame.fouls)
    if frame.push:
        assert not frame.opening


def check_groups(frame: GroupRack) -> None:
    assert all(0 <= n <= FULL for n in frame.lots)
    assert frame.groups == OPEN or set(frame.groups) == {"S", "T"}
    if frame.opening:
        assert frame.groups == OPEN
        assert frame.lots == (FULL, FULL)


def check_straight(frame: StraightFrame) -> None:
    terms = frame.terms
    least = 2 if frame.result is None else 0
    assert least <= frame.left <= 15
    assert all(0 <= count < terms.fouls_limit for count in frame.fouls)
    assert all(len(frame.streak[side.place]) == frame.fouls[side.place] for side in Side)
    assert frame.run >= 0
    assert all(frame.high[n] <= frame.balls[n] for n in (0, 1))
    assert frame.audit == 0
    figures = frame.figures()
    assert figures.to_go is not None
    if frame.result is None:
        assert min(n or 0 for n in figures.to_go) > 0
    if frame.opening and not frame.lagging:
        assert frame.left == 15


@WALK
@given(walks())
def test_every_position_makes_sense(walk: Walk) -> None:
    for _, _, after in steps(walk):
        check(after)


@WALK
@given(walks())
def test_what_is_offered_is_accepted(walk: Walk) -> None:
    match = played(walk)
    for entry in offers_at_bounds(match):
        after = match.after(entry)
        assert offered(match.legal(), entry), entry
        check(after)
    assert match.stage is Stage.OVER or offers_at_bounds(match)


@WALK
@given(walks(), st.lists(entries, min_size=16, max_size=16))
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


def by_play(match: Match) -> Entry:
    """What a player would do to bring the rack to its end."""
    frame = frame_of(match)
    if match.ending is not None:
        return Ok()
    if match.stage is Stage.SHOOTOUT:
        return Shootout(winner=Side.A)
    if frame is None or (isinstance(frame, StraightFrame) and frame.lagging):
        return First(Side.A)
    if frame.option is not None:
        picks = [one for one in frame.option.choices if not one.startswith("rebreak")]
        return Pick(picks[0])
    if isinstance(frame, RotationFrame):
        early = frame.terms.early_wins or frame.left == 1 or not frame.every_ball
        return Pot(frame.left, money=True) if early else Pot(frame.left - 1)
    if isinstance(frame, StraightFrame):
        return Left(1)
    if frame.opening:
        return EndVisit()
    return Pot(eight=EightWas.POTTED) if isinstance(frame, BlackballFrame) else Eight()


@WALK
@given(walks())
def test_a_match_can_always_be_played_to_its_end(walk: Walk) -> None:
    match = played(walk)
    for _ in range(150):
        if match.stage is Stage.OVER:
            return
        match = match.after(by_play(match))
        check(match)
    raise AssertionError(f"no end: {match}")


@WALK
@given(walks())
def test_each_rack_counts_one_for_one_side(walk: Walk) -> None:
    for before, _, after in steps(walk):
        was, now = frame_of(before), frame_of(after)
        if was is None or now is None or was.result is not None or now.result is None:
            continue
        if now.result.scope != "frame":
            continue
        assert now.result.winner is not None
        assert sum(after.tally[0]) == sum(before.tally[0]) + 1
        assert after.frame is not None
        assert after.ending is not None


@WALK
@given(walks())
def test_a_break_played_again_leaves_the_schedule(walk: Walk) -> None:
    for before, entry, after in steps(walk):
        if before.frame is None or after.frame is None or isinstance(entry, Ok | First):
            continue
        if len(before.finished) == len(after.finished):
            assert after.carry.scheduled is before.carry.scheduled
            assert after.carry.set_first is before.carry.set_first


@WALK
@given(walks())
def test_a_legal_shot_clears_only_the_shooters_fouls(walk: Walk) -> None:
    legal = (Pot, Left, EndVisit, Safe, Soft, Wrong)
    for before, entry, after in steps(walk):
        was, now = before.frame, after.frame
        if not isinstance(was, RotationFrame | StraightFrame) or type(was) is not type(now):
            continue
        assert isinstance(now, RotationFrame | StraightFrame)
        if not isinstance(entry, legal) and entry != Push():
            continue
        if isinstance(now, StraightFrame) and now.lagging:
            continue
        assert now.fouls[was.turn.place] == 0
        assert now.fouls[was.turn.other.place] == was.fouls[was.turn.other.place]


@WALK
@given(walks())
def test_a_foul_in_the_chair_is_no_shot(walk: Walk) -> None:
    for before, entry, after in steps(walk):
        was, now = frame_of(before), frame_of(after)
        if not isinstance(entry, Foul) or was is None or now is None:
            continue
        if entry.by is not was.turn.other or now.result is not None:
            continue
        if isinstance(was, StraightFrame) and now.opener is entry.by and now.opening:
            continue  # his third: he opens again
        assert now.turn is was.turn
        assert now.opening is was.opening
        assert now.visit.run == was.visit.run
        if isinstance(was, RotationFrame) and isinstance(now, RotationFrame):
            assert (now.left, now.push) == (was.left, was.push)


@WALK
@given(walks())
def test_points_are_balls_less_what_fouls_cost(walk: Walk) -> None:
    """A ball is a point, but beyond the target where that is capped; all else is a foul's."""
    for before, entry, after in steps(walk):
        was, now = before.frame, after.frame
        if not isinstance(was, StraightFrame) or not isinstance(now, StraightFrame):
            continue
        if isinstance(entry, Ok | Void | First | Lag):
            continue
        for side in Side:
            made = now.balls[side.place] + (now.run if now.turn is side else 0)
            made -= was.balls[side.place] + (was.run if was.turn is side else 0)
            cost = made - (now.score[side.place] - was.score[side.place])
            terms = was.terms
            back = sum(was.streak[side.place]) if terms.third is Third.CANCEL_AND_15 else -1
            assert cost in (0, 1, terms.short_price, terms.third_price - back)


@WALK
@given(walks())
def test_a_position_is_taken_up_where_it_stood(walk: Walk) -> None:
    setup = walk[0]
    match = played(walk)
    frame = match.frame
    if match.stage is not Stage.FRAME or frame is None or frame.result is not None:
        return
    if match.option is not None or match.ending is not None:
        return
    names = [level.name for level in match.levels]
    counts = [f"{a}/{b}" for a, b in match.tally]
    at = (
        *zip(names, counts, strict=True),
        ("scheduled", match.carry.scheduled),
        *frame.position(),
    )
    again = opened(Setup(setup.rulebook, format=setup.format, first=frame.opener, at=at)).match
    assert again.frame is not None
    assert again.frame.position() == frame.position()
    assert again.tally == match.tally
    assert again.frame.visit.side is frame.visit.side
    assert again.frame.visit.run == frame.visit.run
    assert again.carry.scheduled == match.carry.scheduled


@WALK
@given(
    walks(),
    st.lists(
        st.tuples(
            st.sampled_from([*Position.__struct_fields__, "racks", "nothing"]),
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
@given(
    st.sampled_from(STRAIGHT),
    st.integers(0, 1),
    st.integers(-9, 9).filter(bool),
    st.lists(st.sampled_from(["miss", "foul", "pot"]), max_size=8),
)
def test_a_score_put_in_by_hand_is_told_at_the_next_re_rack(
    rulebook: str, who: int, slip: int, before: list[str]
) -> None:
    match = opened(Setup(rulebook, first=Side.A)).match
    shots: dict[str, Entry] = {"miss": EndVisit(), "foul": Foul(), "pot": Pot(1)}
    for shot in before:
        match = match.after(shots[shot])
    assert isinstance(match.frame, StraightFrame)
    score = list(match.frame.score)
    score[who] += slip
    match = match.after(Adjust((("score", f"{score[0]}/{score[1]}"),)))
    assert match.frame is not None
    assert match.frame.figures().audit is None
    match = match.after(Left(1))
    assert match.frame is not None
    assert match.frame.figures().audit == slip


@WALK
@given(walks())
def test_a_warning_of_stalemate_counts_turns_and_nothing_else(walk: Walk) -> None:
    for before, entry, after in steps(walk):
        was, now = frame_of(before), frame_of(after)
        if was is None or now is None or was.turns_left is None or now.turns_left is None:
            continue
        if isinstance(entry, Stalemate | Adjust):
            continue
        taken = [a - b for a, b in zip(was.turns_left, now.turns_left, strict=True)]
        assert taken in ([0, 0], [1, 0], [0, 1])
        if sum(taken):
            assert taken[was.turn.place] == 1
            assert now.turn is not was.turn


def test_the_walks_come_everywhere() -> None:
    """What the properties have seen, in every rulebook."""
    seen: set[str] = set()

    @settings(WALK, max_examples=max(WALKS, 1500))
    @given(walks())
    def look(walk: Walk) -> None:
        for _, entry, after in steps(walk):
            seen.update((walk[0].rulebook, after.stage, type(entry).__name__))
            if isinstance(entry, Stalemate):
                seen.add(f"stalemate {entry.step}")
            if after.option is not None:
                seen.update((after.option.kind, *after.option.choices))
            if after.frame is not None and after.frame.result is not None:
                seen.add(after.frame.result.reason)
            if after.finished and after.stage is Stage.FRAME:
                seen.add("second rack")

    look()
    wanted = {
        *BOOKS,
        *("first", "frame", "over", "shootout", "second rack"),
        *("push_out", "wrong", "soft_break", "short_break", "break_foul", "third_foul"),
        *("eight_on_break", "eight_break_foul", "opening_short"),
        *("play", "pass_back", "accept", "hand_back", "kitchen", "rebreak", "rebreak_self"),
        *("rebreak_offender", "spot_continue", "spot_kitchen", "in_a_row", "potted"),
        *("money_ball", "three_fouls", "target", "eight", "eight_early", "eight_foul"),
        *("eight_pocket", "eight_off", "awarded", "concession", "disqualified"),
        *(
            "Case",
            "WholeVisit",
            "Left",
            "stalemate warn",
            "stalemate clear",
            "stalemate ",
            "Void",
            "Lag",
            "Breaker",
            "Interval",
        ),
        *("Timeout", "Extension", "Short", "Deliberate"),
    }
    assert wanted <= seen, wanted - seen


@WALK
@given(setups())
def test_a_fresh_match_offers_who_breaks_or_the_break(setup: Setup) -> None:
    match = opened(setup).match
    if setup.first is None:
        assert offered(match.legal(), Lag(Side.A))
    elif setup.rulebook not in STRAIGHT:
        assert offered(match.legal(), Short())
        assert isinstance(match.frame, RotationFrame | EightFrame | BlackballFrame)
    assert isinstance(opened(setup), Ledger)
