"""The panels that come with the firmware: which keys enter what, row by row, and no dead ends.

The rows are those of the press tables: snooker with 16 keys, pool with 12. Where a row depends on
the match, a moment of one stands beside it: what it would refuse, and what would end.
"""

from pathlib import Path

import pytest

from drivers.chords import CHORD_MS
from drivers.gestures import KeyMode, Timing
from drivers.wiring import check_wiring
from firmware.keys.bindings import Inert
from firmware.keys.grammar import Refused, Waiting
from firmware.keys.keybook import PANELS
from firmware.table.guard import GuardTiming
from rules.frame import Option
from rules.pool.words import NOTATION as POOL
from rules.sides import Side
from rules.snooker.words import NOTATION as SNOOKER
from tests.firmware.typist import Played, Typist, shipped

PANEL_NAMES = sorted(path.stem for path in PANELS.glob("*.toml"))


@pytest.mark.parametrize("name", PANEL_NAMES)
def test_a_panel_can_be_wired_beside_a_board(name: str) -> None:
    keymap = shipped(name)
    assert len(keymap.layout.keys) == int(name.rpartition("-")[2])
    check_wiring(keymap.wiring(), spi=True)


@pytest.mark.parametrize(
    ("name", "at_once_and_held"),
    [
        ("carom-4", {"plus1"}),
        ("carom-12", set()),
        ("snooker-4", {"ball"}),
        ("snooker-6", {"red"}),
        ("snooker-12", {"red"}),
        ("snooker-16", {"red"}),
        ("pool-12", set()),
        ("pool-4", set()),
    ],
)
def test_a_scoring_key_acts_on_the_press(name: str, at_once_and_held: set[str]) -> None:
    modes = {key: contact.mode for key, contact in shipped(name).wiring().items()}
    assert {k for k, mode in modes.items() if mode is KeyMode.PRESS_AND_HOLD} == at_once_and_held


# Snooker, 16 keys

_NEVER = r"|PICK\(.*|OK|BLACK|FIRST\(.*"
_NAMED = r"|FOUL\(nom=.*"
_UNNAMED = r"|FOUL(?!\(nom=).*"

RED_ON = Played(SNOOKER, refuses=rf"[YGNUPK]|\+R|FB{_NAMED}{_NEVER}")
JUST_POTTED = Played(SNOOKER, refuses=rf"R|FB{_UNNAMED}{_NEVER}")
COLOUR_ON = Played(SNOOKER, refuses=rf"R|\+R|FB{_UNNAMED}{_NEVER}")
YELLOW_ON = Played(SNOOKER, refuses=rf"R|\+R|[GNUPK]|FB{_NAMED}{_NEVER}")
FREE_BALL = Played(SNOOKER, refuses=rf"\+R|[YGNUPK]{_NAMED}{_NEVER}")
FREE_IN_SEQUENCE = Played(SNOOKER, refuses=rf"R|\+R|[GNUPK]{_NAMED}{_NEVER}")
OPTIONS = Played(
    SNOOKER,
    "choice.foul",
    refuses=rf"[YGNUPK]|\+R|FB{_NAMED}|PICK\(place\)|OK|BLACK",
    option=Option("foul", ("play", "pass", "replay"), Side.B),
)
WHO_PLAYS = Played(SNOOKER, "choice.draw", refuses=r"(?!FIRST).*")
FRAME_OVER = Played(SNOOKER, "held", refuses=r"(?!OK).*")
OPTIONAL_BLACK = Played(SNOOKER, "held", refuses=r"(?!OK|BLACK).*")

_BREAK = [moment for _ in range(15) for moment in (RED_ON, JUST_POTTED)]
_COLOURS = [Played(SNOOKER, refuses=rf"R|(?!{c}|BLACK)[YGNUPK]") for c in "YGNUPK"]


@pytest.mark.parametrize(
    ("situation", "presses", "moments", "keys", "records"),
    [
        ("red potted", 1, [RED_ON], "red", "R"),
        ("colour potted", 1, [COLOUR_ON], "blue", "U"),
        ("two reds in one stroke, held", 2, [RED_ON, JUST_POTTED], "red red!", "R +R"),
        ("two reds in one stroke, asked", 3, [RED_ON, JUST_POTTED], "red red ok", "R +R"),
        ("visit ends, no foul", 1, [RED_ON], "end", "/"),
        (
            "147 break",
            36,
            [*_BREAK, *_COLOURS[:5], OPTIONAL_BLACK],
            "red black " * 15 + "yellow green brown blue pink black",
            "R K " * 15 + "Y G N U P BLACK",
        ),
        ("miss or wrong red-phase contact, 4 points", 2, [RED_ON], "foul ok", "FOUL"),
        ("5 points", 3, [RED_ON], "foul blue ok", "FOUL(hit=U)"),
        ("6 points", 3, [RED_ON], "foul pink ok", "FOUL(hit=P)"),
        ("7 points", 3, [RED_ON], "foul black ok", "FOUL(hit=K)"),
        ("in-off on a red", 3, [RED_ON], "foul white ok", "FOUL(white)"),
        ("foul on a named colour", 3, [COLOUR_ON], "foul blue ok", "FOUL(nom=U)"),
        ("foul in the final sequence", 2, [YELLOW_ON], "foul ok", "FOUL"),
        ("red lost in the foul", 3, [RED_ON], "foul red ok", "FOUL(reds=1)"),
        ("red lost, and a colour", 4, [RED_ON], "foul red pink ok", "FOUL(hit=P,reds=1)"),
        ("wrong colour potted", 2, [YELLOW_ON], "blue ok", "FOUL(hit=U)"),
        ("colour potted before a red", 2, [RED_ON], "black ok", "FOUL(hit=K)"),
        ("foul before naming", 3, [COLOUR_ON], "foul black ok", "FOUL(nom=K)"),
        ("foul out of order, seven-point list", 3, [RED_ON], "foul black ok", "FOUL(hit=K)"),
        ("foul leaving a snooker", 3, [RED_ON], "foul free ok", "FOUL(free)"),
        ("and a ball", 4, [RED_ON], "foul pink free ok", "FOUL(hit=P,free)"),
        ("free ball potted", 1, [FREE_BALL], "free", "FB"),
        ("free ball and red together", 2, [FREE_BALL, JUST_POTTED], "free red", "FB +R"),
        ("free ball and colour on together", 1, [FREE_IN_SEQUENCE], "yellow", "Y"),
        ("only the red after the free ball", 1, [FREE_BALL], "red", "R"),
        ("free ball, nothing potted", 1, [FREE_BALL], "end", "/"),
        ("free ball snookers opponent", 3, [FREE_BALL], "foul free ok", "FOUL(free)"),
        ("foul and return", 3, [RED_ON], "foul miss ok", "FOUL(miss)"),
        ("and a ball", 4, [RED_ON], "foul blue miss ok", "FOUL(hit=U,miss)"),
        ("same, full ball available", 4, [RED_ON], "foul miss miss ok", "FOUL(miss,full)"),
        ("full ball, and a ball", 5, [RED_ON], "foul blue miss miss ok", "FOUL(hit=U,miss,full)"),
        ("beneficiary plays", 1, [OPTIONS], "red", "R"),
        ("hands it back", 1, [OPTIONS], "pass", "PICK(pass)"),
        ("replay", 1, [OPTIONS], "miss", "PICK(replay)"),
        ("replay fails again", 3, [RED_ON], "foul miss ok", "FOUL(miss)"),
        ("unavoidable foul", 3, [RED_ON], "foul black ok", "FOUL(hit=K)"),
        ("or said so", 4, [RED_ON], "foul menu yellow ok", "FOUL(imposs)"),
        ("disciplinary on top", 4, [RED_ON], "foul menu red ok", "FOUL(disc)"),
        ("time", 3, [RED_ON], "menu red ok", "CLOCK"),
        ("concession", 4, [RED_ON], "menu yellow yellow ok", "CONCEDE(B)"),
        ("of the match", 5, [RED_ON], "menu yellow yellow end ok", "CONCEDE(B,match)"),
        ("stalemate warning", 3, [RED_ON], "menu green ok", "STALEMATE(warn)"),
        ("void", 3, [RED_ON], "menu brown ok", "VOID"),
        ("tie-break black, A plays", 1, [WHO_PLAYS], "ok", "FIRST(A)"),
        ("tie-break black, B plays", 2, [WHO_PLAYS], "end ok", "FIRST(B)"),
        ("END toggles the side", 3, [WHO_PLAYS], "end end ok", "FIRST(A)"),
        ("next frame", 1, [FRAME_OVER], "ok", "OK"),
        ("any mistake", 1, [RED_ON], "undo", "UNDO"),
    ],
)
def test_snooker_16(
    situation: str, presses: int, moments: list[Played], keys: str, records: str
) -> None:
    typist = Typist(shipped("snooker-16"), *moments)
    typist.press(keys)
    assert typist.records == records.split(), situation
    assert len(keys.replace("...", "").split()) == presses, situation
    assert not typist.grammar.typing


def test_a_double_tap_of_red_alone_is_refused_with_the_hint() -> None:
    typist = Typist(shipped("snooker-16"), RED_ON, JUST_POTTED)
    assert typist.press("red red", every_ms=180) == Waiting(opened=True, hint="two_reds")
    assert typist.records == ["R"]
    typed = typist.grammar.typed(typist.moment)
    assert typed is not None
    assert (typed.label, typed.entry) == ("typed.two_reds", "+R")
    typist.press("red red", every_ms=180)
    assert typist.records == ["R"], "nor does a third tap do it"
    typist.press("black")
    assert typist.records == ["R", "K"], "what comes next is not held up"


def test_no_foul_on_a_colour_without_the_colour() -> None:
    typist = Typist(shipped("snooker-16"), COLOUR_ON)
    assert typist.press("foul ok") == Refused("not_here")
    assert typist.press("red ok") == Refused("not_here")
    typist.press("green pink ok")
    assert typist.records == ["FOUL(nom=P,reds=1)"], "the last colour wins"


def test_what_is_lit_means_something_only_then() -> None:
    typist = Typist(shipped("snooker-16"), RED_ON)
    for key in ("white", "miss", "pass"):
        assert typist.press(key) == Refused("no_key")
    assert dict(typist.grammar.labels(OPTIONS)) == {
        "key.miss": "PICK(replay)",
        "key.pass": "PICK(pass)",
        "OK": "typed.choice",
        "key.yellow": "typed.foul",
        "key.green": "typed.foul",
        "key.brown": "typed.foul",
        "key.blue": "typed.foul",
        "key.pink": "typed.foul",
        "key.black": "typed.foul",
    }


# Pool, 12 keys: FOUL! is SCRATCH, END! is SHORT, LEFT! is RACK, OK! is MENU.

_NO_EIGHT = r"|EIGHT.*|POT\(8ball\)|POT\((S|T).*|WRONG\((S|T).*|DELIBERATE"
_NO_14_1 = r"|LEFT.*|CASE.*|VISIT.*"
_NO_BREAK = r"|SHORT.*|SOFT.*"
_SHELL = r"PICK\(.*|OK|LAG.*|FIRST.*|SHOOT.*"

NINE = Played(POOL, refuses=rf"{_SHELL}|PUSH|WRONG.*{_NO_EIGHT}{_NO_14_1}{_NO_BREAK}")
NINE_PUSH = Played(POOL, refuses=rf"{_SHELL}|WRONG.*{_NO_EIGHT}{_NO_14_1}{_NO_BREAK}")
NINE_WPA_BREAK = Played(POOL, refuses=rf"{_SHELL}|PUSH|WRONG.*|SHORT.*{_NO_EIGHT}{_NO_14_1}")
ON_TWO = Played(POOL, refuses=NINE.refuses, ends=r"FOUL(\(scratch\))?")
TEN = Played(POOL, refuses=rf"{_SHELL}|PUSH{_NO_EIGHT}{_NO_14_1}{_NO_BREAK}")
_NO_ROTATION = r"|PUSH|POT\(1.*|WRONG\(1.*|SOFT.*"
EIGHT_BREAK = Played(POOL, refuses=rf"{_SHELL}|EIGHT.*{_NO_ROTATION}{_NO_14_1}")
EIGHT_OPEN = Played(POOL, refuses=rf"{_SHELL}|POT|SHORT.*{_NO_ROTATION}{_NO_14_1}")
EIGHT = Played(POOL, refuses=rf"{_SHELL}|SHORT.*{_NO_ROTATION}{_NO_14_1}")
STRAIGHT = Played(POOL, refuses=rf"{_SHELL}|PUSH|WRONG.*|CASE.*{_NO_EIGHT}{_NO_BREAK}")
OPENING = Played(POOL, refuses=rf"{_SHELL}|PUSH|WRONG.*|CASE.*{_NO_EIGHT}|SOFT.*")
RERACKED = Played(POOL, refuses=rf"{_SHELL}|PUSH|WRONG.*{_NO_EIGHT}{_NO_BREAK}")
TO_LAG = Played(POOL, "first", refuses=r"(?!LAG|FIRST).*", turn=None)
LAG_WON = Played(POOL, "first", refuses=r"(?!FIRST).*", turn=None)
RACK_OVER = Played(POOL, "held", refuses=r"(?!OK|CONCEDE|DQ).*")
BETWEEN = Played(POOL, refuses=rf"{NINE.refuses}|TIMEOUT.*")


def choosing(chooser: Side, *choices: str, others: int | None = 1) -> Played:
    """A choice of one side; one of the choices, or none, sends the other to the table."""
    turns = {f"PICK({choice})": chooser for choice in choices}
    if others is not None:
        turns[f"PICK({choices[others]})"] = chooser.other
    option = Option("break", choices, chooser)
    return Played(POOL, "choice.break", refuses=r"(?!PICK).*", option=option, turns=turns)


PUSHED = choosing(Side.B, "play", "pass_back")
SOFT_BREAK = choosing(Side.B, "accept", "hand_back")
WRONG_BALL = choosing(Side.A, "play", "pass_back")
SHORT_BREAK = choosing(Side.B, "accept", "kitchen", "rebreak_self", "rebreak_offender", others=3)
EIGHT_ON_BREAK = choosing(Side.A, "spot_continue", "rebreak_self", others=None)
SHORT_14_1 = choosing(Side.B, "accept", "rebreak")


@pytest.mark.parametrize(
    ("situation", "presses", "moments", "keys", "records"),
    [
        ("lag and breaker", 2, [TO_LAG, LAG_WON], "a b", "LAG(A) FIRST(B)"),
        ("9-ball pocketed, goes on", 1, [NINE], "pot", "POT(1)"),
        ("miss or safety", 1, [NINE], "end", "/"),
        ("foul", 1, [NINE], "foul ...", "FOUL"),
        ("foul, and play goes on", 2, [NINE, NINE], "foul end", "FOUL /"),
        ("scratch", 1, [NINE], "foul!", "FOUL(scratch)"),
        ("its kind", 2, [NINE], "foul left ...", "FOUL(no_rail)"),
        ("break: ball down", 1, [NINE], "pot", "POT(1)"),
        ("break: dry", 1, [NINE], "end", "/"),
        (
            "break WPA three-ball failed, B plays",
            2,
            [NINE_WPA_BREAK, SOFT_BREAK],
            "end! b",
            "SOFT(0) PICK(accept)",
        ),
        ("or A", 2, [NINE_WPA_BREAK, SOFT_BREAK], "end! a", "SOFT(0) PICK(hand_back)"),
        ("9 legally pocketed", 2, [NINE], "money ok", "POT(1,M)"),
        ("9 down with a foul", 2, [NINE], "foul money ...", "FOUL(1,M)"),
        ("push-out and answer", 2, [NINE_PUSH, PUSHED], "push b", "PUSH PICK(play)"),
        ("push-out handed back", 2, [NINE_PUSH, PUSHED], "push a", "PUSH PICK(pass_back)"),
        ("third foul, rack lost", 2, [ON_TWO], "foul ok", "FOUL"),
        ("not warned", 2, [ON_TWO], "foul end", "FOUL(unwarned)"),
        ("third foul, a scratch", 2, [ON_TWO], "foul! ok", "FOUL(scratch)"),
        ("foul by the seated player", 2, [NINE], "foul b", "FOUL(by=B)"),
        ("10-ball: call made", 1, [TEN], "pot", "POT(1)"),
        ("10-ball: miss", 1, [TEN], "end", "/"),
        ("ball down, call not made", 2, [TEN, WRONG_BALL], "push a", "WRONG(1) PICK(play)"),
        ("10 made last", 2, [TEN], "money ok", "POT(1,M)"),
        ("8-ball break: ball down", 1, [EIGHT_BREAK], "pot", "POT"),
        ("8-ball break: dry", 1, [EIGHT_BREAK], "end", "/"),
        (
            "break too few cushions, first",
            2,
            [EIGHT_BREAK, SHORT_BREAK],
            "end! a",
            "SHORT PICK(accept)",
        ),
        ("second", 2, [EIGHT_BREAK, SHORT_BREAK], "end! b", "SHORT PICK(kitchen)"),
        ("third", 2, [EIGHT_BREAK, SHORT_BREAK], "end! ok", "SHORT PICK(rebreak_self)"),
        ("fourth", 2, [EIGHT_BREAK, SHORT_BREAK], "end! left", "SHORT PICK(rebreak_offender)"),
        ("break scratch", 1, [EIGHT_BREAK], "foul!", "FOUL(scratch)"),
        ("8 on the break", 1, [EIGHT_BREAK], "money", "POT(8ball)"),
        (
            "8 on the break, WPA",
            2,
            [EIGHT_BREAK, EIGHT_ON_BREAK],
            "money a",
            "POT(8ball) PICK(spot_continue)",
        ),
        ("first called ball on the open table, plain", 2, [EIGHT_OPEN], "pot a", "POT(S1)"),
        ("striped", 2, [EIGHT_OPEN], "pot b", "POT(T1)"),
        ("called ball made later", 1, [EIGHT], "pot", "POT"),
        ("8-ball: down, not as called", 1, [EIGHT], "end", "/"),
        ("level 2", 2, [EIGHT], "push a", "WRONG(S1)"),
        ("referee makes him go on", 2, [EIGHT], "push ok", "WRONG(keep)"),
        ("safety", 1, [EIGHT], "safe", "SAFE"),
        ("8 made", 2, [EIGHT], "money ok", "EIGHT"),
        ("8 with foul", 3, [EIGHT], "money foul ok", "EIGHT(foul)"),
        ("8 in the wrong pocket", 3, [EIGHT], "money push ok", "EIGHT(wrongpocket)"),
        ("deliberate wrong group", 3, [EIGHT], "ok! pot ok", "DELIBERATE"),
        ("14.1: one ball", 1, [STRAIGHT], "pot", "POT(1)"),
        ("rest of the rack but one", 1, [STRAIGHT], "left!", "LEFT(1)"),
        ("last part of a visit", 4, [STRAIGHT], "left foul ok end", "LEFT(3) /"),
        ("with two digits", 5, [STRAIGHT], "left pot foul ok end", "LEFT(13) /"),
        ("14th and 15th together", 3, [STRAIGHT], "left time ok", "LEFT(0)"),
        ("miss", 1, [STRAIGHT], "end", "/"),
        ("safety", 1, [STRAIGHT], "safe", "SAFE"),
        ("foul", 1, [STRAIGHT], "foul ...", "FOUL"),
        ("scratch", 1, [STRAIGHT], "foul!", "FOUL(scratch)"),
        ("opening break fulfilled", 1, [OPENING], "end", "/"),
        ("not", 1, [OPENING], "end!", "SHORT"),
        ("not, WPA: B plays", 2, [OPENING, SHORT_14_1], "end! b", "SHORT PICK(accept)"),
        ("not, WPA: A breaks again", 2, [OPENING, SHORT_14_1], "end! a", "SHORT PICK(rebreak)"),
        ("third foul", 2, [ON_TWO], "foul ok", "FOUL"),
        ("re-rack obstructed", 2, [RERACKED], "ok foul", "CASE(apex)"),
        ("time-out", 2, [NINE], "time b", "TIMEOUT(B)"),
        ("interval", 2, [BETWEEN], "time b", "INTERVAL(B)"),
        ("extension", 1, [NINE], "time!", "EXT(A)"),
        ("conceded rack", 3, [NINE], "left! a ok", "AWARD(B)"),
        ("conceded match", 3, [NINE], "ok! a ok", "CONCEDE(A,match)"),
        ("disqualification", 4, [NINE], "ok! foul a ok", "DQ(A)"),
        ("rack, set or match ended", 1, [RACK_OVER], "ok", "OK"),
        ("correct the last entry", 1, [NINE], "undo", "UNDO"),
        (
            "a run of 100 from a full rack",
            12,
            [STRAIGHT],
            "left! " * 7 + "left pot foul ok end",
            "LEFT(1) " * 7 + "LEFT(13) /",
        ),
    ],
)
def test_pool_12(
    situation: str, presses: int, moments: list[Played], keys: str, records: str
) -> None:
    typist = Typist(shipped("pool-12"), *moments)
    typist.press(keys)
    assert typist.records == records.split(), situation
    assert len(keys.replace("...", "").split()) == presses, situation
    assert not typist.grammar.typing


def test_a_lone_foul_is_one_press() -> None:
    typist = Typist(shipped("pool-12"), NINE)
    typist.press("foul")
    typed = typist.grammar.typed(typist.moment)
    assert typed is not None
    assert typed.enters, "the board can say that it will count by itself"
    typist.wait(2000)
    assert typist.records == ["FOUL"]


def test_a_doubled_foul_is_one_foul() -> None:
    typist = Typist(shipped("pool-12"), NINE)
    typist.press("foul")
    assert typist.press("foul", every_ms=400) == Refused("same_press")
    typist.wait(2000)
    assert typist.records == ["FOUL"]


def test_the_third_foul_never_counts_by_itself() -> None:
    typist = Typist(shipped("pool-12"), ON_TWO)
    typist.press("foul")
    typist.wait(9000)
    assert typist.records == []
    typist.wait(1000)
    assert typist.records == []
    assert not typist.grammar.typing


def test_each_key_of_each_panel_means_something_or_is_said_to_mean_nothing() -> None:
    """Ask 6. The panel's file is refused otherwise; here are those that mean nothing in play."""
    inert = {
        name: {
            key
            for (key, _), steps in shipped(name).layers["play"].items()
            if any(isinstance(step, Inert) for step in steps)
        }
        for name in PANEL_NAMES
    }
    assert inert == {
        "carom-12": set(),
        "carom-16": set(),
        "carom-4": set(),
        "carom-6": set(),
        "pool-12": {"a", "b"},
        "pool-16": {"a", "b"},
        "pool-4": set(),
        "pool-6": set(),
        "snooker-12": set(),
        "snooker-16": {"white", "miss", "pass"},
        "snooker-4": set(),
        "snooker-6": set(),
        "snooker-totals-12": set(),
        "snooker-totals-16": {"white", "pass"},
        "snooker-totals-4": set(),
        "snooker-totals-6": set(),
    }


def test_the_page_of_panels_tells_the_times_that_hold() -> None:
    page = Path("docs/panels.md").read_text("utf-8").partition("## Times of a press")[2]
    told = [
        int(row.split("|")[2].replace(",", ""))
        for row in page.splitlines()
        if row.startswith("|") and row.split("|")[2].strip()[:1].isdigit()
    ]
    contact, decision = Timing(), GuardTiming()
    assert told == [
        contact.confirm_ms,
        contact.idle_ms,
        contact.same_key_ms,
        CHORD_MS,
        contact.hold_ms,
        contact.long_ms,
        contact.stuck_ms,
        decision.same_press_ms,
        decision.burst_gap_ms,
        decision.burst_most_ms,
    ]
