"""The log of a match: undo through every end, edits that hold together, and those that do not."""

import pytest

from rules.errors import BadSetup, Code, NotAllowed, SpliceRefused
from rules.match import digest
from rules.record import Record, Setup, Source, Splice
from rules.sides import Side
from rules.standing import Stage
from tests.rules.play import enter, opened, played, score


def refusal(ledger_text: str, edit: str, format_: str = "") -> NotAllowed:
    """What an edit is refused with; the log must be as it was."""
    ledger = played(ledger_text, format_=format_)
    before, seq = digest(ledger.match), ledger.seq
    with pytest.raises(NotAllowed) as caught:
        enter(ledger, edit)
    assert (digest(ledger.match), ledger.seq) == (before, seq)
    return caught.value


class TestForgottenInning:
    """B's empty inning was forgotten and the turn put right by an END: `=3 =4 / =1`."""

    LINE = "=3 =4 / =1"

    def test_the_mend_gives_seven_one(self) -> None:
        assert score(played(f"{self.LINE} [SPLICE(2,3) / =4]")) == "7-1 in 2/2, A"

    def test_just_the_missing_end_is_refused(self) -> None:
        error = refusal(self.LINE, "[SPLICE(2,1) /]")
        assert (error.code, error.detail) == (Code.EDIT_SHIFTS_TURN, "record 2")

    def test_with_the_shift_it_is_eight_nil_because_it_was_asked_for(self) -> None:
        assert score(played(f"{self.LINE} [SPLICE(2,1,shift) /]")) == "8-0 in 3/2, B"

    def test_the_mend_is_undone_like_anything_else(self) -> None:
        assert score(played(f"{self.LINE} [SPLICE(2,3) / =4] UNDO")) == "3-5 in 2/2, A"
        assert score(played(f"{self.LINE} [SPLICE(2,3) / =4] UNDO REDO")) == "7-1 in 2/2, A"


@pytest.mark.parametrize(
    ("line", "edit", "code", "record"),
    [
        ("=2 =1", "[SPLICE(1,1) =2 /]", Code.EDIT_SHIFTS_TURN, 2),
        ("+2 +2 /", "[SPLICE(1,1) +4]", Code.EDIT_BREAKS_RECORD, 2),
        ("+2 +2 /", "[SPLICE(1,1) +3]", Code.EDIT_WOULD_END, 2),
        ("+2", "[SPLICE(1,1) +5]", Code.EDIT_WOULD_END, 1),
        ("+2", "[SPLICE(1,1) +6]", Code.OVER_TARGET, 1),
        ("+2", "[SPLICE(3,3) +1]", Code.NO_SUCH_RECORD, 3),
        ("+2", "[SPLICE(0,0) +1]", Code.NO_SUCH_RECORD, 0),
        ("+2 /", "[SPLICE(2,1) PICK(play)]", Code.NO_CHOICE_PENDING, 2),
    ],
)
def test_a_splice_that_does_not_hold_together(
    line: str, edit: str, code: Code, record: int
) -> None:
    error = refusal(line, edit, "target=5/5")
    assert isinstance(error, SpliceRefused)
    assert (error.code, error.record) == (code, record)


@pytest.mark.parametrize(
    ("line", "edit", "after"),
    [
        ("+1 +1 / =1", "EDIT(A1=5)", "5-1 in 1/1, A"),
        ("+1 +1 / =1", "EDIT(A1=0)", "0-1 in 1/1, A"),
        ("=2 =1", "EDIT(B1=4)", "2-4 in 1/1, A"),
        ("/ =1", "EDIT(A1=3)", "3-1 in 1/1, A"),
        ("[+2 /] =1", "EDIT(A1=4)", "4-1 in 1/1, A"),
        ("+1 FOUL =1", "EDIT(A1=4)", "4-1 in 1/1, A"),
        ("+1 FROZEN PICK(play) +1 / =1", "EDIT(A1=6)", "6-1 in 1/1, A"),
        ("=2 =1 =3 =4 +1", "EDIT(A2=5)", "8-5 in 2/2, A"),
    ],
)
def test_an_inning_gets_another_total(line: str, edit: str, after: str) -> None:
    assert score(played(f"{line} {edit}", format_="target=50/50")) == after


def test_an_inning_ended_by_the_clock_keeps_its_end() -> None:
    ledger = played("+1 CLOCK =2 EDIT(A1=3)", "ug")
    assert score(ledger) == "3-2 in 1/1, A"


@pytest.mark.parametrize(
    ("line", "edit", "code"),
    [
        ("=2 +1", "EDIT(B1=4)", Code.NO_SUCH_INNING),
        ("=2 =1", "EDIT(A2=4)", Code.NO_SUCH_INNING),
        ("=4 =1 +1 OK", "EDIT(B1=2)", Code.NOT_IN_EQUALISER),
        ("=4 =1 +1", "EDIT(B1=2)", Code.OK_PENDING),
        ("=2 =1 =2", "EDIT(A1=3)", Code.EDIT_WOULD_END),
    ],
)
def test_an_inning_that_cannot_be_edited(line: str, edit: str, code: Code) -> None:
    assert refusal(line, edit, "target=5/5").code is code


@pytest.mark.parametrize(
    ("line", "edit", "after"),
    [
        ("[=2 =1] =3", "EDIT(A1=5)", "8-1 in 2/1, B"),
        ("[+1 / =4] =3", "EDIT(A1=2)", "5-4 in 2/1, B"),
        ("+1 [+1 / +2] / =3", "EDIT(A1=4)", "7-2 in 2/1, B"),
    ],
)
def test_what_a_record_holds_of_the_other_side_stays(line: str, edit: str, after: str) -> None:
    assert score(played(f"{line} {edit}")) == after


@pytest.mark.parametrize(
    ("line", "edit"),
    [
        # it began in the record before, which is the other side's too
        ("[/ +1] +1 / =3", "EDIT(B1=5)"),
        ("[=2 =1] =3", "EDIT(B1=5)"),
        # it was put right by hand
        ("+1 ADJUST(score=4/0,run=4) / =3", "EDIT(A1=5)"),
        ("+1 ADJUST(score=4/0,run=0) +1 / =3", "EDIT(A1=5)"),
        ("=3 ADJUST(innings=2/1) =1", "EDIT(A2=5)"),
    ],
)
def test_an_inning_that_the_records_do_not_add_up_to_is_left_alone(line: str, edit: str) -> None:
    assert refusal(line, edit).code is Code.NO_SUCH_INNING


def test_an_inning_that_began_before_the_match_was_taken_up_is_left_alone() -> None:
    ledger = enter(opened(at="score=9/4 innings=3/3 run=2"), "+1 / =2 =5")
    assert score(ledger) == "15-6 in 5/4, B"
    for edit in ("EDIT(A3=1)", "EDIT(A4=1)", "EDIT(B3=1)"):
        with pytest.raises(NotAllowed) as caught:
            enter(ledger, edit)
        assert caught.value.code is Code.NO_SUCH_INNING
    assert score(enter(ledger, "EDIT(A5=1) EDIT(B4=0)")) == "11-4 in 5/4, B"


def test_an_edit_is_undone_and_comes_again() -> None:
    ledger = played("+1 +1 / =1")
    before = digest(ledger.match)
    after = digest(enter(ledger, "EDIT(A1=5)").match)
    assert digest(enter(ledger, "UNDO").match) == before
    assert digest(enter(ledger, "REDO").match) == after
    assert score(enter(ledger, "EDIT(A1=2) UNDO")) == "5-1 in 1/1, A"


def test_a_splice_reaches_into_a_finished_set() -> None:
    """The high run and the totals of the match follow, the sets stand."""
    ledger = played("=7 =4 +8 OK =3 =2", "s15")
    assert score(enter(ledger, "[SPLICE(2,2) =6]")) == "2-3 in 1/1, B"
    assert ledger.match.frame is not None
    figures = ledger.match.frame.figures()
    assert (figures.total_points, figures.high_runs) == ((17, 9), (8, 6))
    with pytest.raises(SpliceRefused) as caught:
        enter(ledger, "[SPLICE(1,1) =8]")
    assert (caught.value.code, caught.value.record) == (Code.EDIT_BREAKS_RECORD, 3)
    with pytest.raises(SpliceRefused) as caught:
        enter(ledger, "[SPLICE(1,1) =6]")
    assert (caught.value.code, caught.value.record) == (Code.EDIT_BREAKS_RECORD, 4)


def test_records_are_deleted() -> None:
    assert score(played("=3 =1 +2 +2 [SPLICE(3,4)]")) == "3-1 in 1/1, A"
    assert score(played("=3 =1 =2 =4 [SPLICE(1,2)]")) == "2-4 in 1/1, A"
    assert refusal("=3 =1 =2", "[SPLICE(1,1)]").code is Code.EDIT_SHIFTS_TURN


def test_a_record_without_entries_is_none() -> None:
    ledger = played("=3")
    with pytest.raises(NotAllowed) as caught:
        ledger.append(Record(2, ()))
    assert caught.value.code is Code.BAD_COUNT
    with pytest.raises(SpliceRefused):
        ledger.append(Record(2, Splice(1, 1, ((),))))
    assert score(ledger) == "3-0 in 1/0, B"


def test_of_a_record_all_or_none_is_taken() -> None:
    assert refusal("=3", "[+1 +1 PICK(play)]").code is Code.NO_CHOICE_PENDING
    assert score(played("=3 [+1 +1 /]")) == "3-2 in 1/1, A"


def test_only_innings_of_the_running_set_are_edited() -> None:
    ledger = played("+15 OK =4 EDIT(B1=6)", "s15")
    assert score(ledger) == "0-6 in 0/1, A"
    with pytest.raises(NotAllowed):
        enter(ledger, "EDIT(A1=3)")


class TestSetUp:
    def test_a_wrong_target_is_mended_in_play(self) -> None:
        ledger = played("=2 =1 [SPLICE(0,0) SETUP(rulebook=3c,A=1,B=2,first=A,format.target=9/9)]")
        assert ledger.match.frame is not None
        assert ledger.match.frame.figures().targets == (9, 9)
        assert score(ledger) == "2-1 in 1/1, A"

    def test_a_wrong_first_player_changes_sides_only_if_asked(self) -> None:
        ledger = played("=2 =1")
        with pytest.raises(SpliceRefused) as caught:
            enter(ledger, "[SPLICE(0,0) SETUP(rulebook=3c,A=1,B=2,first=B)]")
        assert (caught.value.code, caught.value.record) == (Code.EDIT_SHIFTS_TURN, 1)
        enter(ledger, "[SPLICE(0,0,shift) SETUP(rulebook=3c,A=1,B=2,first=B)]")
        assert score(ledger) == "1-2 in 1/1, B"

    def test_a_target_that_is_passed_already_is_refused(self) -> None:
        ledger = played("=4 =1")
        with pytest.raises(SpliceRefused):
            enter(ledger, "[SPLICE(0,0) SETUP(rulebook=3c,A=1,B=2,first=A,format.target=3/3)]")

    @pytest.mark.parametrize(
        ("format_", "at", "says"),
        [
            ("traget=3/3", "", "did you mean target?"),
            ("target=0/3", "", "target is 1 or more"),
            ("", "score=50/3", "score"),
            ("", "score=3/3 innings=4/2", "innings"),
            ("", "points=3/3", "no such field"),
            ("sets=2", "sets=2/0", "stands below 2/2"),
            ("played=3", "sets=2/1", "of 3 some are still to be played"),
        ],
    )
    def test_what_cannot_be_set_up_says_why(self, format_: str, at: str, says: str) -> None:
        with pytest.raises(BadSetup, match=says):
            opened(format_=format_, at=at)


def test_a_match_is_taken_up_at_a_position() -> None:
    ledger = opened("s15", at="sets=1/0 conduct=1/0 score=12/9 innings=7/6 turn=B run=2")
    assert score(ledger) == "12-9 in 7/6, B"
    assert ledger.match.tally == ((1, 0),)
    enter(ledger, "/ +3 OK")
    assert ledger.match.tally == ((2, 0),)
    enter(ledger, "CONDUCT(A)")
    assert ledger.match.result is not None
    assert ledger.match.result.winner is Side.B


def test_a_match_is_taken_up_in_an_equalising_inning() -> None:
    ledger = opened(format_="target=5/5", at="score=5/2 innings=3/2 turn=B run=1 goal=5")
    assert score(ledger) == "5-2 in 3/2, B"
    assert score(enter(ledger, "+3 OK")) == "5-5 in 3/3, -"
    assert ledger.match.result is not None
    assert ledger.match.result.winner is None


def test_a_match_taken_up_before_it_is_known_who_played_first() -> None:
    """The position leaves one answer only."""
    ledger = opened(first=None, at="score=3/1 innings=2/1 turn=B")
    with pytest.raises(NotAllowed) as caught:
        enter(ledger, "FIRST(B)")
    assert caught.value.code is Code.BAD_POSITION
    assert score(enter(ledger, "FIRST(A)")) == "3-1 in 2/1, B"


class TestAdjust:
    def test_a_board_that_was_off_is_put_right(self) -> None:
        ledger = played("=3 =1 ADJUST(score=7/2,why=wrong_sheet)")
        assert score(ledger) == "7-2 in 1/1, A"
        assert score(enter(ledger, "UNDO")) == "3-1 in 1/1, A"

    @pytest.mark.parametrize("changes", ["score=50/0", "innings=3/1", "turn=B", "goal=4", "x=1"])
    def test_a_position_that_cannot_be_in_play_is_refused(self, changes: str) -> None:
        assert refusal("=3 =1", f"ADJUST({changes})").code is Code.BAD_POSITION

    @pytest.mark.parametrize(
        "changes", ["innings=1/1,turn=A", "goal=51", "score=51/0", "goal=none"]
    )
    def test_in_an_equalising_inning_only_what_leaves_it_open(self, changes: str) -> None:
        assert refusal("+50 OK +2", f"ADJUST({changes})").code is Code.BAD_POSITION
        assert score(played("+50 OK +2 ADJUST(score=50/9,run=9)")) == "50-9 in 1/0, B"

    def test_a_score_below_a_run_is_refused_and_names_it(self) -> None:
        """The run would stay behind as the high run: it is the inning that was wrong."""
        refused = refusal("=2 =1 =9 =4", "ADJUST(score=8/5)")
        assert (refused.code, refused.detail) == (Code.BELOW_RUN, "9")
        assert refusal("=2 =1 =9 =4", "ADJUST(score=11/3)").detail == "4"
        mended = played("=2 =1 =9 =4 EDIT(A2=6)")
        assert score(mended) == "8-5 in 2/2, A"
        assert mended.match.frame is not None
        assert mended.match.frame.figures().high_runs == (6, 4)
        assert score(played("=2 =1 =9 =4 ADJUST(score=9/5)")) == "9-5 in 2/2, A"

    def test_nothing_is_put_right_while_an_end_is_held(self) -> None:
        assert refusal("+50", "ADJUST(score=49/0)").code is Code.OK_PENDING


@pytest.mark.parametrize(
    ("line", "rulebook", "format_", "undos"),
    [
        ("+15 OK", "s15", "", 2),
        ("+15 OK =3 +15 OK", "s15", "sets=2", 5),
        ("=4 +5 OK", "3c", "target=5/5", 3),
        ("+5 OK +5 OK", "3c", "target=5/5", 4),
        ("+5 OK +5 OK SHOOT(2) SHOOT(3) OK", "u18", "target=5/5", 7),
        ("=2 CONDUCT(A,grave) OK", "3c", "", 3),
        ("=2 CONCEDE(B,match) OK", "3c", "", 3),
        ("=2 TIMEUP OK", "3c", "", 3),
    ],
)
def test_undo_goes_back_through_every_end_and_redo_comes_again(
    line: str, rulebook: str, format_: str, undos: int
) -> None:
    ledger = opened(rulebook, format_)
    digests = [digest(ledger.match)]
    digests += [digest(enter(ledger, token).match) for token in line.split()]
    assert len(digests) == undos + 1
    for expected in reversed(digests[:-1]):
        assert digest(enter(ledger, "UNDO").match) == expected
    with pytest.raises(NotAllowed):
        enter(ledger, "UNDO")
    for expected in digests[1:]:
        assert digest(enter(ledger, "REDO").match) == expected
    with pytest.raises(NotAllowed):
        enter(ledger, "REDO")


def test_a_new_entry_forgets_what_could_be_redone() -> None:
    ledger = played("=3 =1 UNDO =2")
    with pytest.raises(NotAllowed):
        enter(ledger, "REDO")
    assert score(ledger) == "3-2 in 1/1, A"


def test_undo_says_what_it_would_take_back() -> None:
    ledger = played("=3 =1")
    assert ledger.undoes is not None
    first = ledger.match
    enter(ledger, "UNDO")
    assert ledger.would(Splice(1, 1, ())) != first
    assert played("").undoes is None


def test_late_presses_at_the_target_are_refused_and_the_inning_stays_open() -> None:
    """Ask 1, as the rules see it."""
    ledger = played("+5", format_="target=5/5")
    for late in ("/", "+1", "FOUL", "=0", "TIMEUP", "FROZEN"):
        with pytest.raises(NotAllowed) as caught:
            enter(ledger, late)
        assert caught.value.code is Code.OK_PENDING
    assert score(enter(ledger, "OK")) == "5-0 in 1/0, B"


def test_nothing_comes_after_the_end_but_undo() -> None:
    ledger = played("=0 +5 OK", format_="target=5/5")
    assert ledger.match.stage is Stage.OVER
    for late in ("OK", "/", "CONDUCT(A)", "CONCEDE(A,match)"):
        with pytest.raises(NotAllowed) as caught:
            enter(ledger, late)
        assert caught.value.code is Code.MATCH_OVER


def test_the_digest_knows_no_hours_and_devices() -> None:
    setup = Setup("3c", first=Side.A)
    one = played("=3")
    other = opened()
    other.append(Record(1, one.line()[1].record.act, at_ms=99, synced=True, by=Source("pad", "7")))
    assert setup == one.match.setup
    assert digest(one.match) == digest(other.match)
