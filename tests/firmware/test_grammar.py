"""The grammar of keys: what is typed, cleared, refused, timed out."""

from pathlib import Path

import pytest

from firmware.keys.dialogs import INCOMPLETE
from firmware.keys.grammar import Cleared, Entered, Nothing, Refused, TimedOut, Waiting
from firmware.snapshot import Typed
from rules.carom.words import NOTATION as CAROM
from rules.frame import Option
from rules.pool.words import NOTATION as POOL
from rules.sides import Side
from rules.snooker.words import NOTATION as SNOOKER
from tests.firmware.typist import PANEL, Played, Player, Typist, match_of, shipped, written

SNOOKER_12 = """
schema = 1
name = "snooker-12"
[keys]
yellow = { pin = 17, label = "YELLOW" }
foul = { pin = 27, label = "FOUL" }
end = { pin = 22, label = "END" }
menu = { pin = 23, label = "MENU" }
ok = { pin = 24, label = "OK" }
undo = { pin = 25, label = "UNDO" }
[layers.play]
yellow = ["Y", "ask foul yellow"]
foul = "ask foul"
end = "/"
menu = "none"
ok = "OK"
undo = "UNDO"
[layers.first]
end = "FIRST(A)"
[layers.choice]
end = "pick 1"
[layers.shootout]
end = "SHOOT(A)"
[layers.over]
"ok.hold" = "NEW"
[dialogs.foul]
entry = "FOUL(hit={ball},reds={reds},{white},{miss},{free})"
[dialogs.foul.keys]
yellow = "ball: Y"
foul = "miss: miss | miss,full |"
end = "free: free |"
menu = "page rare"
ok = "done"
[dialogs.foul.pages.rare]
yellow = "white: white |"
foul = "reds: 1 | 2 |"
"""

ANY = Played(CAROM)


def typist(tmp_path: Path, *moments: Played) -> Typist:
    return Typist(written(tmp_path, PANEL, CAROM), *(moments or (ANY,)))


def typed(hand: Typist) -> Typed:
    found = hand.grammar.typed(hand.moment)
    assert found is not None
    return found


def test_what_is_typed_is_shown_as_it_grows(tmp_path: Path) -> None:
    player = Player(written(tmp_path, PANEL, CAROM), match_of("ug", "target=30/30"))
    player.press("one one")
    assert player.press("end!") == Waiting(opened=True)
    assert (typed(player).label, typed(player).entry) == ("RUN", "")
    assert typed(player).refused == INCOMPLETE
    assert player.press("two") == Waiting()
    player.press("one one")
    assert typed(player) == Typed(
        dialog="number",
        label="RUN",
        keys=("END", "TWO", "ONE", "ONE"),
        number="22",
        entry="=22",
        score=(24, 0),
        turn=Side.B,
        until_ms=player.now_ms + 3000,
    )
    assert dict(player.grammar.labels(player.moment)) == {
        "ONE": "+1",
        "TWO": "+20",
        "END": "ENTER",
    }
    player.press("two")
    assert (typed(player).entry, typed(player).score) == ("=42", None)
    assert (typed(player).refused, typed(player).detail) == ("over_target", "28")
    assert player.records == ["+1", "+1"]


def test_an_end_that_says_nothing_yet_is_refused_and_typing_goes_on(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    assert hand.press("end! end") == Refused(INCOMPLETE)
    hand.press("one end")
    assert hand.records == ["=1"]


def test_a_number_too_large_keeps_what_was_typed(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    assert hand.press("end! two two two") == Refused("bad_count", "50")
    assert typed(hand).number == "40"


def test_undo_clears_what_is_typed_before_it_undoes(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    assert hand.press("one end! two undo") == Cleared("=20")
    assert hand.records == ["+1"]
    hand.press("undo")
    assert hand.records == ["+1", "UNDO"]


def test_typing_times_out_and_says_so(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    hand.press("end! two")
    deadline = hand.grammar.deadline_ms
    assert deadline == hand.now_ms + 3000
    assert hand.wait(2999) is None
    assert hand.wait(1) == TimedOut("=20")
    assert hand.grammar.deadline_ms is None
    assert hand.records == []


@pytest.mark.parametrize("key", ["one", "end", "undo"])
def test_a_key_just_after_a_time_out_was_meant_for_what_was_typed(tmp_path: Path, key: str) -> None:
    """A digit that comes too late is no point, and an UNDO takes nothing else back."""
    hand = typist(tmp_path)
    hand.press("end! two")
    hand.wait(3000)
    assert hand.press(key, every_ms=400) == Refused("timed_out")
    assert hand.records == []
    assert isinstance(hand.press(key, every_ms=700), Entered)


def test_what_enters_itself_and_is_refused_leaves_undo_no_older_record() -> None:
    """A foul that waits two seconds and cannot be: an UNDO a moment later was meant for it."""
    hand = Typist(shipped("pool-16"), Played(POOL, "play.rack.groups", refuses=r"FOUL\(8ball\).*"))
    hand.press("foul money")
    assert isinstance(hand.wait(2000), Refused)
    assert hand.press("undo", every_ms=400) == Refused("timed_out")
    assert hand.records == []
    assert isinstance(hand.press("undo", every_ms=700), Entered)


def test_every_key_gives_more_time(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    hand.press("end!")
    hand.press("one " * 9, every_ms=2500)
    hand.press("end")
    assert hand.records == ["=9"]


def test_a_key_that_the_dialog_does_not_name_is_told(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    assert hand.press("end! ok") == Refused("no_key")
    assert hand.grammar.typing


def test_a_menu_leads_on_and_a_choice_in_it_is_one_record(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    hand.press("ok! two one one")
    assert typed(hand).keys == ("OK", "TWO", "ONE", "ONE")
    hand.press("ok")
    assert hand.records == ["CONCEDE(B,match)"]
    hand.press("ok! one")
    assert hand.records[1:] == ["FROZEN"]


def test_a_dialog_that_nothing_could_come_of_does_not_open(tmp_path: Path) -> None:
    player = Player(written(tmp_path, PANEL, CAROM), match_of("uk", "target=1/1"))
    player.press("one")
    assert player.press("end!") == Refused("ok_pending", "target")
    assert player.press("ok! end") == Refused("ok_pending", "target")
    assert typed(player).label == "typed.menu", "a menu opens for what still goes"


def test_of_several_acts_the_first_that_the_match_accepts(tmp_path: Path) -> None:
    refusing = Played(CAROM, refuses="=0")
    hand = typist(tmp_path, ANY, refusing, Played(CAROM, refuses="=0|/"))
    hand.press("end end end")
    assert hand.records == ["=0", "/", "=0"], "where none fits, the rules say why"
    assert dict(hand.keymap.labels(refusing)) == {"END": "/"}


def test_a_hold_only_adds_to_what_its_press_entered(tmp_path: Path) -> None:
    hand = typist(tmp_path)
    hand.press("one")
    hand.press("one!", every_ms=0)
    assert hand.records == ["+1", "+4"]
    assert hand.press("one!") == Nothing(), "held on, it adds no more"
    hand = typist(tmp_path, Played(CAROM, "first"), ANY)
    hand.press("one one!")
    assert hand.records == ["FIRST(A)"], "a side that was chosen slowly has no points"


@pytest.mark.parametrize(
    ("turns", "key", "choice"),
    [
        ({"PICK(go)": Side.A, "PICK(pass)": Side.B}, "one", "go"),
        ({"PICK(go)": Side.B, "PICK(pass)": Side.A}, "one", "pass"),
        ({"PICK(go)": Side.B, "PICK(pass)": Side.A}, "two", "go"),
        ({}, "one", "go"),
        ({}, "two", "pass"),
    ],
)
def test_a_and_b_say_who_plays_where_that_is_the_choice(
    tmp_path: Path, turns: dict[str, Side], key: str, choice: str
) -> None:
    option = Option("push", ("go", "pass"), Side.B)
    hand = typist(tmp_path, Played(CAROM, "choice.push", option=option, turns=turns))
    assert (hand.keymap.label(key), f"PICK({choice})") in hand.grammar.labels(hand.moment)
    hand.press(key)
    assert hand.records == [f"PICK({choice})"]


@pytest.mark.parametrize(
    ("keys", "record"),
    [
        ("foul ok", "FOUL"),
        ("foul foul ok", "FOUL(miss)"),
        ("foul foul foul ok", "FOUL(miss,full)"),
        ("foul foul foul foul ok", "FOUL"),
        ("foul end ok", "FOUL(free)"),
        ("foul end end yellow ok", "FOUL(hit=Y)"),
        ("foul menu yellow menu foul ok", "FOUL(reds=1,white)"),
        ("yellow ok", "FOUL(hit=Y)"),
    ],
)
def test_twelve_keys_go_round(tmp_path: Path, keys: str, record: str) -> None:
    moment = Played(SNOOKER, refuses="Y")
    hand = Typist(written(tmp_path, SNOOKER_12, SNOOKER), moment)
    hand.press(keys)
    assert hand.records == [record]
