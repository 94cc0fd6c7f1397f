"""Handheld pads at the table: each press once, each pad told, one scorer at a time."""

import pytest

from drivers.pad_protocol import LATE_MS, KeyFrame
from drivers.ports import Answer
from tests.firmware.pad_rig import MS, Desk

TWO = (("pad1", "scorer"), ("pad2", "scorer"))


def test_a_press_acts_and_its_pad_is_told_the_score() -> None:
    desk = Desk()
    assert desk.hello() == ["T pad1 0-0 A"]
    assert desk.key(1) == []
    assert desk.listener.calls == [("heard", "pad1", "plus1"), ("pressed", "pad1", "plus1")]
    assert desk.answer("1-0 A +1") == ["A pad1 aaaa.1 1-0 A +1"]


def test_a_press_sent_again_acts_once_and_is_answered_again() -> None:
    desk = Desk()
    desk.hello()
    assert [desk.key(1, age_ms=age) for age in (0, 150, 300)] == [[], [], []]
    assert desk.answer() == ["A pad1 aaaa.1 1-0 A"]
    assert desk.key(1, age_ms=450) == ["A pad1 aaaa.1 1-0 A"]
    assert desk.key(1, age_ms=60_000) == ["A pad1 aaaa.1 1-0 A"]
    assert len(desk.presses) == 1


def test_a_press_that_was_committed_before_a_restart_is_answered_and_does_not_act() -> None:
    desk = Desk()
    desk.host.before.add(("pad1", "aaaa.17"))
    assert desk.key(17) == ["Q pad1"]
    desk.hello(number=16)
    assert desk.key(17, age_ms=900) == ["A pad1 aaaa.17 0-0 A"]
    assert desk.key(17, age_ms=1900) == ["A pad1 aaaa.17 0-0 A"]
    assert not desk.presses
    desk.key(18)
    assert [press.id for press in desk.presses] == ["aaaa.18"]


def test_a_press_that_was_not_committed_before_a_restart_acts_if_it_is_not_late() -> None:
    desk = Desk()
    desk.key(17)
    desk.hello(number=16)
    desk.key(17, age_ms=LATE_MS)
    assert [press.id for press in desk.presses] == ["aaaa.17"]


def test_a_press_has_the_time_of_its_edge() -> None:
    desk = Desk()
    desk.hello()
    desk.clock.ns = 50_000 * MS
    desk.key(1, age_ms=1200)
    assert desk.presses[0].t_ns == 48_800 * MS


def test_a_late_press_does_not_act_and_says_so() -> None:
    desk = Desk()
    desk.hello()
    assert desk.key(1, age_ms=LATE_MS + 1) == ["R pad1 aaaa.1 too_late"]
    assert desk.listener.calls == [("ignored", "pad1", "plus1", "too_late")]
    assert desk.key(1, age_ms=LATE_MS + 900) == ["R pad1 aaaa.1 too_late"]
    assert len(desk.listener.calls) == 1


def test_an_older_press_than_the_last_never_acts() -> None:
    desk = Desk()
    desk.hello()
    desk.key(3)
    assert desk.key(2) == ["R pad1 aaaa.2 too_late"]
    assert len(desk.presses) == 1


def test_a_key_that_the_layout_has_not_is_told() -> None:
    desk = Desk()
    desk.hello()
    assert desk.key(1, "plus7") == ["R pad1 aaaa.1 no_key"]
    assert desk.listener.calls == [("ignored", "pad1", "plus7", "no_key")]


def test_a_press_without_a_hello_asks_for_one() -> None:
    desk = Desk()
    assert desk.key(1) == ["Q pad1"]
    desk.hello()
    assert desk.key(10) == ["Q pad1"], "too far ahead to be believed"
    assert not desk.presses
    desk.hello(number=9)
    desk.key(10)
    assert [press.number for press in desk.presses] == [10]


def test_pads_of_a_receiver_that_has_come_are_asked_to_say_hello() -> None:
    desk = Desk(TWO)
    desk.pads.opened(desk.line, "/dev/null")
    assert desk.line.taken() == ["Q pad1", "Q pad2"]
    desk.pads.opened(desk.line, "/dev/other")
    assert desk.line.taken() == []


def test_a_pad_that_is_switched_off_and_on_counts_anew() -> None:
    desk = Desk()
    desk.hello()
    desk.key(1)
    desk.hello(session="bbbb")
    desk.key(1, session="bbbb")
    assert [press.id for press in desk.presses] == ["aaaa.1", "bbbb.1"]


def test_two_pads_of_one_name_are_noticed_and_the_older_one_is_refused() -> None:
    desk = Desk()
    desk.hello()
    desk.hello(session="bbbb")
    assert desk.key(1) == ["R pad1 aaaa.1 two_pads"]
    assert desk.host.faults == {"2x pad1"}
    assert not desk.presses
    desk.wait(14)
    assert desk.host.faults == {"2x pad1"}
    desk.wait(2)
    assert not desk.host.faults, "the other one is switched off"


def test_a_session_that_is_drawn_again_after_a_season_is_a_new_one() -> None:
    """Of four letters one comes again some day: the pad that has it is no other device."""
    desk = Desk()
    desk.hello()
    for night in range(100):
        desk.hello(session=f"b{night:03}")
    desk.hello()
    assert not desk.host.faults
    desk.key(1)
    assert len(desk.presses) == 1


def test_a_pad_that_nobody_named_is_told_so(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    assert desk.hello("pad7") == []
    assert desk.key(1, pad="pad7") == ["R pad7 aaaa.1 unknown_pad"]
    assert not desk.presses
    assert caplog.text.count("pad7") == 1


def test_an_answer_to_a_press_before_is_not_sent_for_this_one() -> None:
    desk = Desk()
    desk.hello()
    desk.key(1)
    first = desk.presses[0]
    desk.key(2)
    desk.pads.answered(first, Answer.ACCEPTED, "1-0")
    assert desk.line.taken() == []


def test_pads_show_the_score_that_others_make() -> None:
    desk = Desk(TWO)
    desk.hello("pad1")
    desk.hello("pad2")
    desk.key(1)
    desk.words.stands = "1-0 A"
    desk.pads.scored()
    assert desk.line.taken() == ["T pad2 1-0 A"], "pad1 waits for its answer"
    desk.answer("1-0 A")
    desk.pads.scored()
    assert desk.line.taken() == [], "pad1 knows it from the answer"
    desk.wait(60)
    desk.words.stands = "2-0 A"
    desk.pads.scored()
    assert desk.line.taken() == [], "nobody is there"


def test_a_second_pad_is_refused_and_both_are_warned() -> None:
    desk = Desk(TWO)
    desk.hello("pad1")
    desk.hello("pad2")
    desk.key(1)
    desk.answer()
    assert desk.key(1, pad="pad2") == [
        "T pad1 owner_not_scorer pad2",
        "R pad2 aaaa.1 not_scorer pad1",
    ]
    assert desk.listener.calls[-1] == ("ignored", "pad2", "pad2", "not_scorer")
    assert [one.scorer for one in desk.status] == [True, False]
    desk.key(2)
    assert [press.device for press in desk.presses] == ["pad1", "pad1"]


def test_a_takeover_is_announced_and_needs_a_confirmation() -> None:
    desk = Desk(TWO)
    desk.hello("pad1")
    desk.hello("pad2")
    desk.key(1)
    desk.answer()
    assert desk.key(1, "ok", pad="pad2", held=True) == [
        "T pad1 owner_takeover pad2",
        "W pad2 aaaa.1 takeover pad1",
    ]
    assert desk.listener.calls[-1] == ("ignored", "pad2", "pad2", "takeover")
    assert desk.key(2, "ok", pad="pad2") == [
        "T pad1 owner_taken_over pad2",
        "A pad2 aaaa.2 taken_over pad1",
    ]
    assert [one.scorer for one in desk.status] == [False, True]
    assert [press.device for press in desk.presses] == ["pad1"], "neither press entered anything"
    desk.key(3, pad="pad2")
    desk.key(2)
    assert [press.device for press in desk.presses] == ["pad1", "pad2"]


@pytest.mark.parametrize("meanwhile", ["nothing for too long", "the scorer presses"])
def test_a_takeover_that_is_not_confirmed_is_none(meanwhile: str) -> None:
    desk = Desk(TWO)
    desk.hello("pad1")
    desk.hello("pad2")
    desk.key(1)
    desk.key(1, "ok", pad="pad2", held=True)
    if meanwhile == "the scorer presses":
        desk.key(2)
    else:
        desk.wait(11)
    assert desk.key(2, "ok", pad="pad2")[-1] == "R pad2 aaaa.2 not_scorer pad1"
    assert [one.scorer for one in desk.status] == [True, False]


def test_a_confirmation_sent_again_takes_over_once() -> None:
    desk = Desk(TWO)
    desk.hello("pad1")
    desk.hello("pad2")
    desk.key(1)
    desk.key(1, "ok", pad="pad2", held=True)
    desk.key(2, "ok", pad="pad2")
    assert desk.key(2, "ok", pad="pad2", age_ms=300) == ["A pad2 aaaa.2 taken_over pad1"]
    assert not [press for press in desk.presses if press.device == "pad2"]


def test_an_open_pad_is_always_heard() -> None:
    desk = Desk((("pad1", "scorer"), ("desk", "open")))
    desk.hello("pad1")
    desk.hello("desk")
    desk.key(1)
    desk.key(1, pad="desk")
    assert [press.device for press in desk.presses] == ["pad1", "desk"]


def test_who_kept_the_score_before_a_restart_keeps_it() -> None:
    desk = Desk(TWO, scorer="pad2")
    desk.hello("pad1")
    assert desk.key(1)[-1] == "R pad1 aaaa.1 not_scorer pad2"


def test_status_tells_presence_battery_and_when_it_was_last_seen() -> None:
    desk = Desk()
    assert desk.one().last_seen_ms is None
    desk.hello()
    assert (desk.one().name, desk.one().present, desk.one().battery) == ("pad1", True, 80)
    assert desk.one().last_seen_ms == desk.clock.wall_ms() // 60_000 * 60_000
    desk.wait(14)
    assert desk.one().present
    desk.wait(2)
    assert not desk.one().present
    assert desk.host.faults == set(), "it never kept the score"


def test_a_scorer_that_falls_silent_is_on_the_board_until_it_is_back() -> None:
    desk = Desk()
    desk.hello()
    desk.key(1)
    desk.wait(16)
    assert desk.host.faults == {"PAD pad1"}
    desk.hello()
    assert desk.host.faults == set()


def test_an_empty_battery_is_on_the_board() -> None:
    desk = Desk()
    desk.hello()
    desk.key(1, battery=15)
    assert desk.host.faults == {"BATT pad1"}
    desk.key(2, battery=90)
    assert desk.host.faults == set()
    desk.key(3, battery=None)
    assert desk.host.faults == set()


def test_a_key_held_for_three_seconds_is_one_press_of_its_own() -> None:
    """The hold before it has another number; the three seconds count from their end."""
    desk = Desk()
    desk.hello()
    desk.key(1, "ok", held=True)
    desk.answer("OK", Answer.WAITING)
    frame = KeyFrame("pad1", "aaaa", 2, "ok", True, 150, 80, long=True)
    for _ in range(2):
        desk.pads.framed(desk.line, frame, desk.clock.now_ns())
    assert [(press.key, press.held, press.long) for press in desk.presses] == [
        ("ok", True, False),
        ("ok", True, True),
    ]


def test_a_pad_that_does_not_keep_the_score_asks_for_the_role_by_it_and_nothing_more() -> None:
    desk = Desk(TWO)
    desk.hello("pad1")
    desk.hello("pad2")
    desk.key(1, pad="pad1")
    frame = KeyFrame("pad2", "aaaa", 1, "ok", True, 0, 80, long=True)
    desk.pads.framed(desk.line, frame, desk.clock.now_ns())
    assert not any(press.long for press in desk.presses)
    assert any(line.startswith("W pad2") for line in desk.line.taken())
