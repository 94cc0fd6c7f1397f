"""What a display may claim to know: live after a beat, last known without, never wrong between."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.hall.follower import CLASH_MS, MOST_TABLES, Room, TableNow
from firmware.mqtt.messages import Beat
from rules.scoreline import Scoreline
from tests.firmware.rig import new_play

KEY = ("clube", "3")


class Display:
    """A follower, and a table that the test lets speak."""

    def __init__(self) -> None:
        self.room = Room()
        self.now_ms = 5_000
        self.room.subscribed()

    def hear(self, what: str, content: Any, table: str = "3") -> tuple[str, str] | None:
        payload = content if isinstance(content, bytes) else msgspec.json.encode(content)
        return self.room.heard(f"tacada/clube/{table}/{what}", payload, self.now_ms)

    def state(self, seq: int, match: str = "m1", **more: Any) -> None:
        line = json.loads(msgspec.json.encode(new_play().line()))
        self.hear("state", line | {"match": match, "seq": seq} | more)

    def beat(self, seq: int, match: str = "m1", boot: int = 7, t_ms: int = 0) -> None:
        self.hear("beat", Beat(boot, seq, t_ms, match))

    def after(self, ms: int) -> TableNow:
        self.now_ms += ms
        now = self.room.table(KEY, self.now_ms)
        assert now is not None
        return now

    def now(self) -> TableNow:
        return self.after(0)

    def line(self) -> Scoreline:
        line = self.now().line
        assert line is not None
        return line


def test_a_retained_score_alone_is_last_known() -> None:
    """Ask 101: a display that starts in mid-match shows the score, and that it is not sure yet."""
    display = Display()
    display.hear("availability", b"online")
    display.state(12)
    assert display.now().line is not None
    assert not display.now().live
    assert display.after(2_500).silent_ms == 2_500
    display.beat(12)
    assert display.now().live


def test_live_for_nine_seconds_after_a_beat_then_its_age() -> None:
    """Ask 100: silence is marked within ten seconds, and heals with the next beat."""
    display = Display()
    display.state(3)
    display.beat(3)
    assert display.now().live_until_ms == display.now_ms + 9_000
    assert display.after(8_999).live
    now = display.after(1)
    assert (now.live, now.silent_ms) == (False, 9_000)
    assert display.after(60_000).silent_ms == 69_000
    display.beat(3)
    assert display.now().live


def test_a_new_subscription_proves_nothing() -> None:
    display = Display()
    display.state(3)
    display.beat(3)
    display.room.lost()
    assert display.now().live, "what was proved a moment ago holds its nine seconds"
    display.after(1_000)
    display.room.subscribed()
    display.state(3)
    now = display.now()
    assert (now.live, now.silent_ms) == (False, 1_000)
    display.beat(3)
    assert display.now().live


def test_offline_is_believed_at_once_and_only_a_beat_takes_it_back() -> None:
    """Asks 109 and 110: the last will, however often the table dies."""
    display = Display()
    display.state(3)
    for _ in range(2):
        display.hear("availability", b"online")
        assert not display.now().live
        display.beat(3)
        assert display.now().live
        display.hear("availability", b"offline")
        assert (display.now().live, display.now().offline) == (False, True)


def test_a_beat_of_another_record_does_not_prove_the_score() -> None:
    display = Display()
    display.state(3)
    display.beat(5)
    assert not display.now().live, "two records are missing"
    display.state(5)
    assert display.now().live, "the beat that came before its state proves it"


def test_a_state_may_come_between_two_beats_without_a_doubt() -> None:
    display = Display()
    display.state(3)
    display.beat(3)
    display.state(4)
    assert display.now().live
    display.beat(3)
    assert display.after(8_999).live
    assert not display.after(1).live, "a beat that never agrees proves nothing"


def test_an_older_state_of_the_same_match_is_not_shown() -> None:
    """Ask 108: what a broker had kept does not take a display back."""
    display = Display()
    display.state(9)
    display.beat(9)
    display.state(4)
    assert display.line().seq == 9


def test_a_table_that_lost_records_is_believed_once_it_says_so_itself() -> None:
    display = Display()
    display.state(9)
    display.beat(9)
    display.state(4)
    display.beat(4, boot=8)
    assert (display.line().seq, display.now().live) == (4, True)


def test_another_match_needs_its_own_beat() -> None:
    display = Display()
    display.state(9, "m1")
    display.beat(9, "m1")
    display.state(9, "m2")
    assert not display.now().live
    display.beat(9, "m1")
    assert not display.now().live, "a beat of the old match says nothing about the new one"
    display.beat(9, "m2")
    assert display.now().live


def test_two_tables_with_one_name_are_an_alarm() -> None:
    """Ask 93: two boot numbers in turn; one that changes once is a restart."""
    display = Display()
    display.state(3)
    display.beat(3, boot=7)
    display.beat(3, boot=8)
    assert not display.now().clash, "a restart"
    display.beat(3, boot=7)
    assert (display.now().clash, display.now().live) == (True, False)
    display.now_ms += CLASH_MS - 1
    display.beat(3, boot=7)
    assert display.now().clash
    assert not display.after(1).clash
    assert display.now().live


def test_match_time_is_that_of_the_quickest_beat() -> None:
    """Ask 71: who joins late counts from the table's time, not from its own start."""
    display = Display()
    display.state(3)
    display.beat(3, t_ms=60_000)
    assert display.after(1_000).t_ms == 61_000
    display.beat(3, t_ms=60_700)  # 300 ms on its way
    assert display.now().t_ms == 61_000
    assert display.after(9_000).t_ms is None, "a clock that nobody vouches for is not shown"


def test_the_wall_clock_plays_no_part() -> None:
    """Ask 73: nothing that a display claims hangs on the hour, of the table or its own."""
    display = Display()
    display.state(3)
    entry = {"match": "m1", "seq": 4, "t_ms": 1, "at": "1999-12-31T23:59:59", "by": "", "act": "/"}
    display.beat(3)
    assert display.hear("entry", entry) == KEY
    assert display.now().live


def test_an_entry_counts_once() -> None:
    display = Display()
    display.state(3)

    def entry(seq: int, match: str = "m1") -> bool:
        content = {"match": match, "seq": seq, "t_ms": 0, "at": "", "by": "", "act": "+1"}
        return display.hear("entry", content) is not None

    assert [entry(seq) for seq in (1, 2, 2, 1, 3)] == [True, True, False, False, True]
    assert entry(0, "m2")
    assert [one.seq for one in display.now().last] == [2, 3, 0]


def test_what_a_newer_table_says_beyond_us_is_left_out() -> None:
    display = Display()
    ending = {"cause": "target", "then": "a_thing_of_tomorrow", "side": None}
    display.state(3, ending=ending, tomorrow=[1, 2], phase="held")
    assert (display.line().ending, display.line().phase) == (None, "held")
    display.state(4, schema=99)
    now = display.now()
    assert (now.line, now.newer) == (None, True)


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[]", b'{"boot": "x"}', b"null", b"7"])
@pytest.mark.parametrize(
    "what", ["state", "beat", "clock", "status", "entry", "notice", "presence"]
)
def test_rubbish_changes_nothing(what: str, payload: bytes) -> None:
    display = Display()
    display.state(3)
    display.beat(3)
    before = display.now()
    if (what, payload) != ("state", b""):
        display.hear(what, payload)
        assert display.now() == before
    assert display.room.heard(f"tacada/clube/x/{what}", payload, 0) is None
    assert display.room.known == (KEY,)


@pytest.mark.parametrize(
    "topic",
    ["tacada/clube/3", "other/clube/3/state", "tacada/clube/3/state/x", "tacada/A B/3/state"],
)
def test_topics_of_others_are_not_ours(topic: str) -> None:
    assert Room().heard(topic, b"online", 0) is None


def test_a_table_that_is_taken_away_is_forgotten() -> None:
    display = Display()
    display.state(3)
    display.hear("state", b"")
    assert display.room.known == ()


def test_invented_names_do_not_fill_the_memory() -> None:
    room = Room()
    for number in range(MOST_TABLES + 10):
        room.heard(f"tacada/clube/{number}/availability", b"online", 0)
    assert len(room.known) == MOST_TABLES


def test_tables_stand_in_the_order_of_their_numbers() -> None:
    room = Room()
    for name in ("10", "2", "b", "1", "a10", "a9"):
        room.heard(f"tacada/clube/{name}/availability", b"online", 0)
    assert [name for _, name in room.known] == ["1", "2", "10", "a9", "a10", "b"]


steps = st.lists(
    st.tuples(
        st.sampled_from(["state", "beat", "wait", "offline", "again", "old_state"]),
        st.integers(0, 4_000),
    ),
    max_size=40,
)


@given(steps)
def test_live_always_means_a_beat_for_this_score_within_nine_seconds(
    steps: list[tuple[str, int]],
) -> None:
    display = Display()
    display.state(0)
    seq, proved = 0, None
    for what, ms in steps:
        display.now_ms += ms
        match what:
            case "state":
                seq += 1
                display.state(seq)
            case "beat":
                display.beat(seq)
                proved = display.now_ms
            case "offline":
                display.hear("availability", b"offline")
                proved = None
            case "again":
                display.room.subscribed()
                proved = None
            case "old_state" if seq:
                display.state(seq - 1)
        now = display.now()
        assert now.line is not None
        assert now.line.seq == seq, "never an older score"
        assert now.live == (proved is not None and display.now_ms - proved < 9_000)
