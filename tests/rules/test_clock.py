"""Shot clock and match time: what runs, from when, what undo and edits make of it."""

from typing import Any

import pytest

from rules.carom.words import NOTATION
from rules.clock import Call, What
from rules.errors import BadNotation, Code, NotAllowed
from rules.ledger import Ledger
from rules.record import Record, WhichClock, act_text
from rules.scoreline import scoreline
from rules.sheet import Step, read_act, read_sheets
from tests.rules.play import opened

ENTRY = "clock_by=entry"


def enter(ledger: Ledger, text: str) -> Ledger:
    """Enter acts at the match time that stands before each: `@0:12.000 START`."""
    for sheet in read_sheets(f"rulebook: ug\n{text}\n", lambda _: NOTATION):
        for step in sheet.steps():
            assert isinstance(step, Step)
            t_ms = ledger.t_ms if step.t_ms is None else step.t_ms
            ledger.append(Record(ledger.seq + 1, step.act, t_ms))
    return ledger


def played(text: str, format_: str = "", rulebook: str = "ug") -> Ledger:
    return enter(opened(rulebook, format_), text)


def shot(ledger: Ledger, at_s: float) -> str:
    """The shot clock at a match time in seconds: what is left of it, and what it does."""
    return _told(ledger.clock.shot, at_s)


def time(ledger: Ledger, at_s: float) -> str:
    """Match time, likewise."""
    return _told(ledger.clock.match, at_s)


def _told(clock: Any, at_s: float) -> str:
    if clock is None:
        return "none"
    left = clock.left(round(at_s * 1000)) / 1000
    return f"{left:g} {'runs' if clock.running else 'rests' if clock.resumes else 'waits'}"


@pytest.mark.parametrize(
    ("text", "at_s", "says"),
    [
        ("", 0, "40 waits"),
        ("@0:10.000 START", 10, "40 runs"),
        ("@0:10.000 START", 22.5, "27.5 runs"),
        ("@0:10.000 START", 60, "0 runs"),
        ("@0:10.000 START @0:22.000 PAUSE", 60, "28 waits"),
        ("@0:10.000 START @0:22.000 PAUSE @1:00.000 RESUME", 61, "27 runs"),
        ("@0:10.000 START @0:22.000 PAUSE @1:00.000 START", 61, "39 runs"),
        ("@0:10.000 START @0:22.000 START", 23, "39 runs"),
        ("@0:10.000 RESUME", 15, "35 runs"),
        # A stroke is entered: the next one has its full time and waits for the key.
        ("@0:10.000 START @0:22.000 +1", 60, "40 waits"),
        ("@0:10.000 START @0:22.000 /", 60, "40 waits"),
        ("@0:10.000 START @0:22.000 CLOCK", 60, "40 waits"),
        ("@0:10.000 START @0:22.000 =3 @0:30.000 START", 31, "39 runs"),
        # A time-out: 40 s more, from the old deadline on; before the first second too.
        ("@0:10.000 START @0:22.000 TIMEOUT", 22, "68 runs"),
        ("@0:10.000 START @0:22.000 TIMEOUT", 90, "0 runs"),
        ("@0:10.000 START @0:22.000 PAUSE TIMEOUT", 90, "68 waits"),
        ("@0:10.000 TIMEOUT @0:20.000 START", 20, "80 runs"),
        ("@0:10.000 TIMEOUT @0:20.000 START @0:30.000 START", 30, "40 runs"),
        # It rests while a choice is open, and goes on if it ran.
        ("@0:10.000 START @0:20.000 FROZEN", 60, "30 rests"),
        ("@0:10.000 START @0:20.000 FROZEN @1:00.000 PICK(play)", 61, "29 runs"),
        ("@0:10.000 START @0:20.000 FROZEN @0:30.000 PAUSE PICK(play)", 61, "30 waits"),
        ("@0:10.000 FROZEN @0:20.000 PICK(play)", 61, "40 waits"),
        ("@0:10.000 START @0:20.000 CONDUCT(B) @0:50.000 PICK(as_is)", 51, "29 runs"),
        # It rests while an end is held; who plays then has his full time.
        ("@0:10.000 START @0:20.000 +40", 60, "30 rests"),
        ("@0:10.000 START @0:20.000 +3 START @0:30.000 +37", 60, "30 rests"),
        ("@0:10.000 START @0:20.000 TIMEUP", 60, "30 rests"),
        ("@0:10.000 START @0:20.000 +40 @1:00.000 OK", 61, "40 waits"),
        ("@0:10.000 START @0:20.000 =0 +40 OK", 61, "none"),
        # A position put right by hand: the clock goes on, unless another side plays now.
        ("@0:10.000 START @0:20.000 ADJUST(score=3/0)", 30, "20 runs"),
        ("@0:10.000 +1 START @0:20.000 ADJUST(run=0)", 30, "20 runs"),
        ("@0:10.000 START @0:20.000 ADJUST(turn=B,innings=1/0)", 30, "40 waits"),
        # A record made before the last one that was worked off: match time never goes back.
        ("@0:10.000 START @0:20.000 PAUSE @0:05.000 RESUME", 30, "20 runs"),
        ("@0:10.000 START @0:20.000 [=1 =2]", 30, "40 waits"),
    ],
)
def test_started_by_key(text: str, at_s: float, says: str) -> None:
    assert shot(played(text), at_s) == says


@pytest.mark.parametrize(
    ("text", "at_s", "says"),
    [
        ("", 10, "40 waits"),
        ("@0:10.000 +1", 11, "39 runs"),
        ("@0:10.000 +1 @0:20.000 +1", 21, "39 runs"),
        ("@0:10.000 / @0:20.000 PAUSE @0:30.000 =2", 31, "39 runs"),
        ("@0:10.000 FOUL @0:20.000 FROZEN @0:30.000 PICK(play)", 31, "29 runs"),
        # The incoming player chooses first: his time counts from the choice on.
        ("@0:10.000 CONDUCT", 30, "40 rests"),
        ("@0:10.000 CONDUCT @0:30.000 PICK(place)", 31, "39 runs"),
        ("@0:10.000 +40 @0:40.000 OK", 41, "39 runs"),
        ("@0:10.000 +1 @0:20.000 ADJUST(turn=B,innings=1/0,run=0)", 41, "40 waits"),
        ("@0:10.000 [=1 FROZEN] @0:30.000 PICK(play)", 31, "39 runs"),
    ],
)
def test_started_by_the_entry_of_the_stroke_before(text: str, at_s: float, says: str) -> None:
    assert shot(played(text, ENTRY), at_s) == says


def test_automatic_time_outs_give_sixty_seconds_in_all() -> None:
    """UMB knock-out: 30 s, then a time-out is taken by itself."""
    ledger = played("@0:10.000 START @0:43.000 CLOCK", "to=1/1", "uk")
    assert shot(ledger, 43) == "27 runs"
    assert ledger.clock.shot is not None
    assert (ledger.clock.shot.length_ms, ledger.clock.shot.extra_ms) == (60_000, 30_000)
    assert ledger.match.carry.timeouts == (0, 1)
    assert shot(enter(ledger, "@1:11.000 CLOCK"), 72) == "30 waits"


@pytest.mark.parametrize(
    ("text", "format_", "at_s", "says"),
    [
        ("", "", 0, "none"),
        ("", "minutes=1", 0, "60 waits"),
        ("@0:10.000 START(match)", "minutes=1", 20, "50 runs"),
        ("@0:10.000 START(match) @0:20.000 PAUSE(match)", "minutes=1", 30, "50 waits"),
        ("START(match) @0:20.000 PAUSE(match) RESUME(match)", "minutes=1", 30, "30 runs"),
        ("START(match) @0:20.000 START(match)", "minutes=1", 30, "50 runs"),
        # Choices and corrections cost time; so does an undo.
        ("START(match) @0:10.000 FROZEN @0:20.000 PICK(play)", "minutes=1", 20, "40 runs"),
        ("START(match) @0:10.000 +1 @0:20.000 UNDO", "minutes=1", 20, "40 runs"),
        ("START(match) @0:10.000 PAUSE(match) +1 UNDO", "minutes=1", 20, "50 waits"),
        # It rests once the match or time itself has ended, and in an equalising inning.
        ("START(match) @0:10.000 +40", "minutes=1", 20, "50 rests"),
        ("START(match) @0:10.000 +40 @0:20.000 UNDO", "minutes=1", 30, "40 runs"),
        ("START(match) @0:10.000 +40 @0:20.000 OK", "minutes=1", 30, "50 rests"),
        ("START(match) @1:01.000 TIMEUP OK", "minutes=1", 70, "0 waits"),
        ("START(match) @0:10.000 TIMEUP @0:20.000 UNDO", "minutes=1", 70, "50 waits"),
        # Between two sets it goes on.
        ("START(match) @0:10.000 +40", "minutes=1 sets=2 eq_causes=-", 20, "40 runs"),
        ("START(match) @0:10.000 TIMEUP OK", "minutes=1 sets=2 eq_causes=-", 20, "50 waits"),
    ],
)
def test_match_time(text: str, format_: str, at_s: float, says: str) -> None:
    assert time(played(text, format_), at_s) == says


@pytest.mark.parametrize(
    ("line", "act", "code", "rulebook"),
    [
        ("", "START", Code.NO_CLOCK, "3c"),
        ("", "START(match)", Code.NO_CLOCK, "ug"),
        ("", "PAUSE", Code.NOT_HERE, "ug"),
        ("", "PAUSE(restart)", Code.NOT_HERE, "ug"),
        ("START PAUSE", "PAUSE", Code.NOT_HERE, "ug"),
        ("START", "RESUME", Code.NOT_HERE, "ug"),
        ("FROZEN", "START", Code.CHOICE_PENDING, "ug"),
        ("FROZEN", "RESUME", Code.CHOICE_PENDING, "ug"),
        ("+40", "START", Code.OK_PENDING, "ug"),
        ("/ +40 OK", "START", Code.NO_CLOCK, "ug"),
    ],
)
def test_what_a_clock_refuses(line: str, act: str, code: Code, rulebook: str) -> None:
    ledger = played(line, "", rulebook)
    before, seq = ledger.digest(), ledger.seq
    for refused in (lambda: enter(ledger, act), lambda: ledger.would(read_act(act, NOTATION))):
        with pytest.raises(NotAllowed) as caught:
            refused()
        assert caught.value.code is code
    assert (ledger.digest(), ledger.seq) == (before, seq)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("+40 OK", Code.NOT_IN_EQUALISER),
        ("/ +40", Code.OK_PENDING),
        ("/ +40 OK", Code.MATCH_OVER),
        ("+40 OK +40 OK", Code.NOT_HERE),
    ],
)
def test_match_time_is_not_started_once_it_counts_no_more(line: str, code: Code) -> None:
    ledger = played(line, "minutes=1 draw=shootout")
    with pytest.raises(NotAllowed) as caught:
        enter(ledger, "START(match)")
    assert caught.value.code is code


def test_before_the_first_player_is_known_only_match_time_is_started() -> None:
    ledger = opened("ug", "minutes=1", first=None)
    with pytest.raises(NotAllowed) as caught:
        enter(ledger, "START")
    assert caught.value.code is Code.FIRST_PENDING
    enter(ledger, "START(match) FIRST(B) START")
    assert ledger.clock.running


class TestUndo:
    def test_the_clock_stands_as_it_stood_paused(self) -> None:
        ledger = played("@0:10.000 START @0:22.000 / @0:25.000 START @0:27.000 UNDO")
        assert shot(ledger, 60) == "28 waits"
        assert shot(enter(ledger, "@1:00.000 REDO"), 70) == "38 waits"
        assert shot(enter(ledger, "@1:10.000 UNDO RESUME"), 71) == "27 runs"

    def test_it_takes_back_no_clocks_record(self) -> None:
        ledger = played("+1 START PAUSE RESUME")
        assert ledger.undoes is not None
        assert act_text(ledger.undoes, NOTATION) == "+1"
        enter(ledger, "UNDO")
        assert ledger.match.frame is not None
        assert ledger.match.frame.score == (0, 0)
        with pytest.raises(NotAllowed):
            enter(ledger, "UNDO")
        enter(ledger, "START REDO")
        assert ledger.match.frame.score == (1, 0)

    def test_it_gives_a_time_out_back(self) -> None:
        """Ask 67."""
        ledger = played("@0:10.000 START @0:20.000 TIMEOUT @0:30.000 UNDO")
        assert ledger.match.carry.timeouts == (2, 2)
        assert shot(ledger, 40) == "30 waits"

    def test_it_comes_back_from_the_end_of_the_match(self) -> None:
        ledger = played("/ @0:10.000 START @0:20.000 +40 OK UNDO UNDO")
        assert shot(ledger, 40) == "30 waits"


class TestEdits:
    def test_an_edit_leaves_a_running_clock_alone(self) -> None:
        ledger = played("=3 =2 @0:10.000 START @0:20.000 EDIT(A1=4)")
        assert shot(ledger, 21) == "29 runs"
        assert shot(enter(ledger, "@0:30.000 UNDO"), 31) == "30 waits"

    def test_another_player_by_it_has_his_full_time(self) -> None:
        ledger = played("=3 =2 @0:10.000 START @0:20.000 [SPLICE(1,1,shift)]")
        assert shot(ledger, 21) == "40 waits"

    def test_a_set_up_changes_the_strokes_after_this_one(self) -> None:
        setup = "SETUP(rulebook=ug,A=1,B=2,first=A,format.clock=30,format.minutes=2)"
        ledger = played(f"@0:10.000 START @0:20.000 [SPLICE(0,0) {setup}]")
        assert (shot(ledger, 21), time(ledger, 21)) == ("29 runs", "120 waits")
        assert shot(enter(ledger, "+1"), 21) == "30 waits"
        assert time(enter(ledger, "UNDO UNDO"), 21) == "none"

    def test_a_clock_that_comes_late_in_the_match_has_the_time_of_then(self) -> None:
        late = "minutes=2 late_clock=30 late_from=1"
        fields = ",".join(f"format.{field}" for field in f"clock=40 {late}".split())
        setup = f"SETUP(rulebook=ug,A=1,B=2,first=A,{fields})"
        ledger = played(f"START(match) @1:06.000 [SPLICE(0,0) {setup}]", f"clock=0 {late}")
        assert shot(ledger, 66) == "30 waits"

    def test_a_longer_match_keeps_what_has_passed(self) -> None:
        setup = "SETUP(rulebook=ug,A=1,B=2,first=A,format.minutes=2)"
        ledger = played(f"START(match) @0:20.000 [SPLICE(0,0) {setup}]", "minutes=1")
        assert time(ledger, 30) == "90 runs"

    def test_a_set_up_without_clock_takes_it_away(self) -> None:
        setup = "SETUP(rulebook=3c,A=1,B=2,first=A)"
        ledger = played(f"START [SPLICE(0,0) {setup}]")
        assert shot(ledger, 1) == "none"
        assert scoreline(ledger, ((), ())).clock is None


def test_alone_each_stroke_has_its_time() -> None:
    """Nobody answers, and an inning without a point is one all the same."""
    assert shot(played("@0:10.000 START @0:30.000 =0", "alone=on"), 60) == "40 waits"


def test_when_time_grows_short_the_next_stroke_has_less_of_it() -> None:
    """Ask 65: 40 s become 30 s when one minute remains; the shot under way keeps its time."""
    ledger = played("START(match) @0:55.000 START", "minutes=2 late_clock=30 late_from=1")
    assert shot(ledger, 65) == "30 runs"
    assert shot(enter(ledger, "@1:06.000 +1 START"), 67) == "29 runs"


def test_a_stroke_that_waits_over_the_mark_has_less_of_it_too() -> None:
    ledger = played("START(match) +1 @1:06.000 START", "minutes=2 late_clock=30 late_from=1")
    assert shot(ledger, 67) == "29 runs"


class TestDeadlines:
    def test_warning_and_time_are_called_and_nothing_is_entered(self) -> None:
        clock = played("@0:10.000 START START(match)", "minutes=1").clock
        deadlines, now = [], 10_000
        while (due := clock.next_deadline(now)) is not None:
            now = due
            calls = [(f"{call.which}", f"{call.what}") for call in clock.calls(now)]
            deadlines.append((now, calls))
        assert deadlines == [
            (40_000, [("shot", "warning")]),
            (50_000, [("shot", "time")]),
            (70_000, [("shot", "time"), ("match", "time")]),
        ]

    def test_a_clock_at_rest_calls_nothing(self) -> None:
        ledger = played("@0:10.000 START @1:00.000 PAUSE")
        assert ledger.clock.calls(60_000) == ()
        assert ledger.clock.next_deadline(0) is None

    def test_without_a_warning_there_is_none(self) -> None:
        clock = played("START", "warn=0").clock
        assert clock.next_deadline(0) == 40_000
        assert clock.calls(39_999) == ()
        assert clock.calls(40_000) == (Call(WhichClock.SHOT, What.TIME),)

    def test_a_press_before_the_deadline_counts_though_it_comes_after(self) -> None:
        """Ask 68: the record carries the time of the edge."""
        ledger = played("@0:10.000 START")
        assert ledger.clock.calls(50_020) == (Call(WhichClock.SHOT, What.TIME),)
        assert enter(ledger, "@0:49.990 +1").clock.calls(50_020) == ()
        assert shot(enter(ledger, "@0:50.030 UNDO"), 60) == "0.01 waits"


@pytest.mark.parametrize("lag_ms", [0, 1, 300, 999])
def test_all_clocks_flip_at_the_same_moment(lag_ms: int) -> None:
    """Ask 69."""
    ledger = played(f"START(match) @0:05.{lag_ms:03} START", "minutes=1")
    clock, flips = ledger.clock, set()
    before = clock.seconds(6_000)
    for now_ms in range(6_000, 44_000):
        shown = clock.seconds(now_ms)
        changed = tuple(a != b for a, b in zip(before, shown, strict=True))
        flips.add(changed)
        before = shown
    assert flips == {(False, False), (True, True)}


def test_seconds_are_begun_ones_and_end_at_zero() -> None:
    clock = played("@0:00.500 START START(match)", "minutes=1").clock
    assert clock.seconds(500) == (40, 60)
    assert clock.seconds(1_500) == (39, 59)
    assert clock.seconds(40_499) == (1, 21)
    assert clock.seconds(40_500) == (0, 20)
    assert clock.seconds(70_000) == (0, 0)
    assert played("").clock.seconds(0) == (40, None)
    assert played("", rulebook="3c").clock.seconds(0) == (None, None)


def test_an_interrupted_clock_says_so_until_it_goes_on() -> None:
    ledger = played("START START(match) @0:10.000 PAUSE(restart)", "minutes=1")
    assert (shot(ledger, 20), time(ledger, 20)) == ("30 waits", "50 waits")
    clock = ledger.clock
    assert clock.shot is not None
    assert clock.match is not None
    assert clock.shot.interrupted
    assert clock.match.interrupted
    enter(ledger, "RESUME")
    assert ledger.clock.shot is not None
    assert ledger.clock.match is not None
    assert not ledger.clock.shot.interrupted
    assert ledger.clock.match.interrupted


def test_what_stood_still_was_not_interrupted() -> None:
    clock = played("START START(match) PAUSE PAUSE(restart)", "minutes=1").clock
    assert clock.shot is not None
    assert clock.match is not None
    assert (clock.shot.interrupted, clock.match.interrupted) == (False, True)


@pytest.mark.parametrize(
    "text", ["START", "PAUSE", "RESUME", "START(match)", "PAUSE(match)", "PAUSE(restart)"]
)
def test_controls_are_printed_as_they_are_read(text: str) -> None:
    assert act_text(read_act(text, NOTATION), NOTATION) == text


@pytest.mark.parametrize(
    "text", ["START(shot)", "START2", "RESUME(restart)", "PAUSE(match,restart)", "[START +1]"]
)
def test_what_is_no_control_of_a_clock_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        read_act(text, NOTATION)


def test_the_scoreline_has_the_clocks_or_says_nothing() -> None:
    ledger = played("@0:10.000 START", "minutes=1")
    assert scoreline(ledger, ((), ())).clock == ledger.clock
    assert scoreline(played("", rulebook="3c"), ((), ())).clock is None


def test_the_digest_sees_the_clocks() -> None:
    one, other = played("@0:10.000 START"), played("@0:10.001 START")
    assert one.match == other.match
    assert one.digest() != other.digest()
    assert one.digest() == played("by:pad1#7 @0:10.000 START").digest()
