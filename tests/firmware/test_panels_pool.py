"""The pool panels at real matches: the press table row by row, and no dead ends."""

from functools import partial

import pytest

from rules.ledger import Ledger
from rules.pool.game import PoolGame, StraightGame
from rules.position import split_fields
from rules.record import Record, Setup
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Side
from tests.firmware.panel_walk import walked
from tests.firmware.typist import Player, match_of, shipped

POOL = [id_ for id_, book in RULEBOOKS.items() if isinstance(book.game, PoolGame)]

ON_TWO = "at opening=off fouls=2/0"
OPEN = "at opening=off"
GROUPS = "at opening=off groups=S/T"
ON_EIGHT = "at opening=off groups=S/T solids=0"
LEVEL_1 = "detail=1"
PUSHABLE = "fpb9 at opening=off push=on"


def match_of_row(row: str) -> Ledger:
    """A match from `rulebook format… at position…`; with `lag` nobody knows who breaks."""
    head, _, at = row.partition(" at ")
    book, *format_ = head.split()
    first = None if "lag" in format_ else Side.A
    fields = split_fields(" ".join(word for word in format_ if word != "lag"))
    setup = Setup(book, format=fields, first=first, at=split_fields(at))
    return Ledger(Record(0, setup), rulebook_of)


# what happened, presses on 16 keys, the match, the keys of 16, what is entered; the same keys do
# for 12, where `scratch` is FOUL held, `short` END held, `rack` LEFT held and `menu` OK held
ROWS = [
    ("lag and breaker", 2, "fpb9 lag", "a b", "LAG(A) FIRST(B)"),
    ("9-ball: pocketed, level 2", 1, "fpb9", "pot", "POT(1)"),
    ("miss or safety", 1, f"fpb9 {OPEN}", "end", "/"),
    ("safety key", 1, f"fpb9 {OPEN}", "safe", "SAFE"),
    ("foul", 1, f"fpb9 {OPEN}", "foul ...", "FOUL"),
    ("scratch", 1, f"fpb9 {OPEN}", "scratch", "FOUL(scratch)"),
    ("break: dry", 1, "fpb9", "end", "/"),
    ("break: too few cushions", 1, "fpb9", "foul ...", "FOUL"),
    ("break: too few cushions, by its key", 1, "fpb9", "short", "SHORT"),
    ("WPA three-ball failed", 2, "wpa9", "short b", "SOFT(0) PICK(accept)"),
    ("handed back", 2, "wpa9", "short a", "SOFT(0) PICK(hand_back)"),
    ("9 legally pocketed", 2, f"fpb9 {OPEN}", "money ok", "POT(1,M)"),
    ("9 on the break", 2, "fpb9", "money ok", "POT(1,M)"),
    ("9 down with a foul", 2, f"fpb9 {OPEN}", "foul money ...", "FOUL(1,M)"),
    ("9 and a ball down with a foul", 3, f"fpb9 {OPEN}", "foul money money ...", "FOUL(2,M)"),
    ("a ball down on a push-out", 4, f"{PUSHABLE}", "menu push pot ok", "PUSH(1)"),
    ("a ball down with a foul", 3, f"fpb9 {OPEN}", "foul pot ok", "FOUL(1)"),
    ("push-out, played", 2, "fpb9 at opening=off push=on", "push b", "PUSH PICK(play)"),
    ("push-out, passed back", 2, "fpb9 at opening=off push=on", "push a", "PUSH PICK(pass_back)"),
    ("third foul", 2, f"fpb9 {ON_TWO}", "foul ok", "FOUL"),
    ("third foul, not warned", 2, f"wpa9 {ON_TWO}", "foul end", "FOUL(unwarned)"),
    ("third foul, level 1", 2, f"fpb9 {LEVEL_1} {ON_TWO}", "foul ok", "[FOUL PICK(in_a_row)]"),
    ("he had potted before", 2, f"fpb9 {LEVEL_1} {ON_TWO}", "foul pot", "[POT FOUL]"),
    ("third scratch", 2, f"fpb9 {ON_TWO}", "scratch ok", "FOUL(scratch)"),
    ("foul by the seated player", 2, f"fpb9 {OPEN}", "foul b", "FOUL(by=B)"),
    ("10-ball: call made", 1, f"wpa10 {OPEN}", "pot", "POT(1)"),
    ("call not made, passed back", 2, f"wpa10 {OPEN}", "push a", "WRONG(1) PICK(pass_back)"),
    ("call not made, played", 2, f"wpa10 {OPEN}", "push b", "WRONG(1) PICK(play)"),
    ("10 made last", 2, f"wpa10 {OPEN} left=1", "money ok", "POT(1,M)"),
    ("8-ball: break, ball down", 1, f"fpb8 {LEVEL_1}", "pot", "POT"),
    ("break, ball down, level 2", 2, "fpb8", "pot a", "POT(S1)"),
    ("break, dry", 1, "fpb8", "end", "/"),
    ("short break, accepted", 2, "fpb8", "short a", "SHORT PICK(accept)"),
    ("short break, kitchen", 2, "fpb8", "short b", "SHORT PICK(kitchen)"),
    ("short break, third", 2, "fpb8", "short ok", "SHORT PICK(rebreak_self)"),
    ("short break, WPA third", 2, "wpa8", "short ok", "SHORT PICK(rebreak_offender)"),
    ("short break and scratch", 3, "fpb8", "foul short b", "SHORT(scratch) PICK(rebreak_self)"),
    ("8 on a foul break", 2, "fpb8", "foul money ...", "FOUL(8ball)"),
    ("8 on a scratched break", 3, "fpb8", "foul scratch money ...", "FOUL(8ball,scratch)"),
    ("8 off the table on the break", 3, "fpb8", "foul money money ...", "FOUL(8off)"),
    ("break, two balls down", 3, "fpb8", "a b ok", "POT(S1,T1)"),
    ("two own balls", 3, f"fpb8 {GROUPS}", "a a ok", "POT(S2)"),
    ("an own ball and another", 3, f"fpb8 {GROUPS}", "a b pot", "POT(S1,T1)"),
    ("another ball, not as called", 2, f"fpb8 {GROUPS}", "b push", "WRONG(T1)"),
    ("he goes on, E-6.1, level 2", 3, f"fpb8 {GROUPS}", "push end a", "WRONG(S1,keep)"),
    ("a ball down with a safety", 2, f"wpa8 {GROUPS}", "a safe", "SAFE(S1)"),
    ("another ball down with a foul", 2, f"fpb8 {GROUPS}", "b foul", "FOUL(T1)"),
    ("break scratch", 1, "fpb8", "scratch", "FOUL(scratch)"),
    ("break foul, FPB", 1, "fpb8", "foul ...", "FOUL"),
    ("break foul, WPA", 2, "wpa8", "foul ... b", "FOUL PICK(kitchen)"),
    ("8 on the break, FPB", 1, "fpb8", "money", "POT(8ball)"),
    ("8 on the break, WPA", 2, "wpa8", "money a", "POT(8ball) PICK(spot_continue)"),
    ("first called ball, plain", 2, f"fpb8 {OPEN}", "pot a", "POT(S1)"),
    ("first called ball, striped", 2, f"fpb8 {OPEN}", "pot b", "POT(T1)"),
    ("called ball made later", 1, f"fpb8 {GROUPS}", "pot", "POT"),
    ("not as called, level 1", 1, f"fpb8 {LEVEL_1} {GROUPS}", "end", "/"),
    ("not as called, level 2", 2, f"fpb8 {GROUPS}", "push a", "WRONG(S1)"),
    ("he goes on, E-6.1", 2, f"fpb8 {LEVEL_1} {GROUPS}", "push ok", "WRONG(keep)"),
    ("safety, WPA", 1, f"wpa8 {GROUPS}", "safe", "SAFE"),
    ("8 made", 2, f"fpb8 {ON_EIGHT}", "money ok", "EIGHT"),
    ("8 with a foul", 3, f"fpb8 {ON_EIGHT}", "money foul ok", "EIGHT(foul)"),
    ("8 in a wrong pocket", 3, f"fpb8 {ON_EIGHT}", "money push ok", "EIGHT(wrongpocket)"),
    ("8 off the table", 3, f"fpb8 {ON_EIGHT}", "money left ok", "EIGHT(off)"),
    ("8 early, level 1", 3, f"fpb8 {LEVEL_1} {GROUPS}", "money end ok", "EIGHT(early)"),
    ("8 early, level 2", 2, f"fpb8 {GROUPS}", "money ok", "EIGHT"),
    ("group claimed", 3, f"wpa8 {OPEN} stripes=0", "money b ok", "EIGHT(claim=T)"),
    ("deliberate", 3, f"fpb8 {GROUPS}", "menu pot ok", "DELIBERATE"),
    ("blackball: black made", 2, f"bb {ON_EIGHT}", "money ok", "POT(8ball)"),
    ("blackball: black with a foul", 2, f"bb {ON_EIGHT}", "money foul", "FOUL(8ball)"),
    ("blackball: black on the break", 1, "bb", "money", "POT(8ball)"),
    ("blackball: both colours", 2, f"bb {OPEN}", "pot pot", "POT(S1,T1)"),
    ("blackball: the other colour alone", 2, f"bb {GROUPS}", "b ok", "POT(T1)"),
    ("blackball: foul break, scratch", 2, "bb", "foul short", "SHORT(scratch)"),
    ("14.1: one ball", 1, "fpb141", "pot", "POT(1)"),
    ("rest of the rack but one", 1, "fpb141", "rack", "LEFT(1)"),
    ("14th and 15th together", 3, "fpb141 at opening=off left=2", "left time ok", "LEFT(0)"),
    ("14.1: miss", 1, "fpb141", "end", "/"),
    ("14.1: safety", 1, "fpb141", "safe", "SAFE"),
    ("14.1: foul", 1, "fpb141", "foul ...", "FOUL"),
    ("14.1: scratch", 1, "fpb141", "scratch", "FOUL(scratch)"),
    ("opening break not fulfilled", 1, "fpb141", "short", "SHORT"),
    ("opening break missed, scratch", 2, "fpb141", "foul short", "SHORT(scratch)"),
    ("opening break, WPA: accepted", 2, "wpa141", "short b", "SHORT PICK(accept)"),
    ("opening break, WPA: again", 2, "wpa141", "short a", "SHORT PICK(rebreak)"),
    ("14.1: third foul", 2, f"fpb141 {ON_TWO}", "foul ok", "FOUL"),
    ("re-rack free", 1, "fpb141 at opening=off left=2", "pot", "POT(1)"),
    ("re-rack obstructed", 3, "fpb141 at opening=off left=2", "pot ok foul", "POT(1) CASE(apex)"),
    ("time-out", 2, "wpa9", "time b", "TIMEOUT(B)"),
    ("extension", 1, f"wpa9 {OPEN}", "time!", "EXT(A)"),
    ("interval", 2, "wpa9", "time b!", "INTERVAL(B)"),
    ("interval, key by key", 3, "wpa9", "time time b", "INTERVAL(B)"),
    ("interval, no time-outs", 2, "wpa9 timeouts=0", "time b", "INTERVAL(B)"),
    ("interval in 14.1", 2, "fpb141", "time b", "INTERVAL(B,granted)"),
    ("conceded rack", 3, "fpb9", "rack a ok", "AWARD(B)"),
    ("void rack", 3, "fpb9", "rack foul ok", "VOID"),
    ("stalemate", 3, "fpb9", "rack end ok", "STALEMATE"),
    ("stalemate, warned of", 3, f"wpa9 {OPEN}", "rack end time", "STALEMATE(warn)"),
    (
        "stalemate, the warning taken back",
        6,
        f"wpa9 {OPEN}",
        "rack end time rack end time",
        "STALEMATE(warn) STALEMATE(clear)",
    ),
    ("the one pot, level 1", 1, f"fpb9 {LEVEL_1} at opening=off fouls=1/0", "pot", "POT(1)"),
    (
        "a whole rack after one that ended with its last ball",
        3,
        "fpb141 at opening=off left=2",
        "pot rack ok",
        "POT(1) LEFT(1)",
    ),
    ("whole racks one after the other", 2, "fpb141", "rack rack", "LEFT(1) LEFT(1)"),
    ("14.1: void, the scores kept", 4, "fpb141", "menu left foul ok", "VOID(keep)"),
    ("14.1: void, from nothing", 4, "fpb141", "menu left foul end", "VOID(restart)"),
    ("rack given, the other is away", 4, "fpb9", "rack b end ok", "AWARD(A,absence)"),
    ("both disqualified", 4, "fpb9", "menu foul end ok", "DQ(A,B)"),
    ("a grave offence", 5, "fpb9", "menu safe a foul ok", "CONDUCT(A,grave)"),
    ("conceded match", 3, "fpb9", "menu a ok", "CONCEDE(A,match)"),
    ("disqualification", 4, "fpb9", "menu foul a ok", "DQ(A)"),
    ("rack ended: go on", 3, "fpb9", "money ok ok", "POT(1,M) OK"),
    ("undo", 2, "fpb9", "end undo", "/ UNDO"),
    ("wrong side broke", 4, "fpb9", "menu end b ok", "BREAKER(B)"),
    (
        "10-ball: not as called right after the break",
        2,
        "wpa10 at opening=off push=on",
        "push! a",
        "WRONG(1) PICK(pass_back)",
    ),
]

_HELD = {"scratch": "foul!", "short": "end!", "rack": "left!", "menu": "ok!"}


def played(panel: str, match: str, keys: str) -> Player:
    player = Player(shipped(panel), match_of_row(match))
    player.press(keys)
    return player


def presses_of(keys: str) -> int:
    return len(keys.replace("...", "").split())


def tokens(records: list[str]) -> str:
    return " ".join(records)


@pytest.mark.parametrize(("situation", "presses", "match", "keys", "records"), ROWS)
def test_pool_16(situation: str, presses: int, match: str, keys: str, records: str) -> None:
    player = played("pool-16", match, keys)
    assert tokens(player.records) == records, situation
    assert presses_of(keys) == presses, situation
    assert not player.refusals


@pytest.mark.parametrize(("situation", "presses", "match", "keys", "records"), ROWS)
def test_pool_12(situation: str, presses: int, match: str, keys: str, records: str) -> None:
    on_twelve = " ".join(_HELD.get(key, key) for key in keys.split())
    player = played("pool-12", match, on_twelve)
    assert tokens(player.records) == records, situation
    assert presses_of(on_twelve) == presses, situation
    assert not player.refusals


@pytest.mark.parametrize(
    ("panel", "presses", "keys"),
    [
        ("pool-12", 12, "left! " * 7 + "left pot foul ok end"),
        ("pool-16", 12, "rack " * 7 + "left pot rack ok end"),
        ("pool-12", 101, "pot " * 100 + "end"),
        ("pool-6", 12, "a! " * 7 + "b b b add end end"),
    ],
)
def test_a_run_of_a_hundred_from_a_full_rack(panel: str, presses: int, keys: str) -> None:
    player = played(panel, "fpb141 target=150/150", keys.replace("add", "a a a"))
    assert player.ledger.match.frame is not None
    assert player.ledger.match.frame.score == (100, 0)
    assert player.ledger.match.frame.figures().left == 13
    if panel != "pool-6":
        assert presses_of(keys) == presses


@pytest.mark.parametrize(
    ("situation", "match", "keys", "records"),
    [
        ("lag", "fpb9 lag", "a b", "LAG(A) FIRST(B)"),
        ("rack won", "fpb9", "a ok b ok", "AWARD(A) OK AWARD(B) OK"),
        ("foul", "fpb9", "a! b!", "FOUL(by=A) FOUL(by=B)"),
        ("third foul", f"fpb9 {ON_TWO}", "a! ok", "FOUL(by=A)"),
        ("third, not warned", f"wpa9 {ON_TWO}", "a! b", "FOUL(unwarned,by=A)"),
        (
            "third, level 1",
            f"fpb9 {LEVEL_1} {ON_TWO}",
            "a! ok",
            "[FOUL(by=A) PICK(in_a_row)]",
        ),
        ("undo", "fpb9", "a undo b", "AWARD(A) UNDO AWARD(B)"),
        ("time-out", "wpa9", "ok! a a a", "TIMEOUT(A)"),
        ("interval", "wpa9 timeouts=0", "ok! a a a", "INTERVAL(A)"),
        ("extension", "wpa9", "ok! a b", "EXT(A)"),
        ("clock", f"wpa9 {OPEN}", "ok! a ok ok", "CLOCK"),
        ("match given up", "fpb8", "ok! b a ok", "CONCEDE(A,match)"),
        ("void rack", "bb", "ok! ok a ok", "VOID"),
        ("14.1", "fpb141", "a a! b", "POT(1) LEFT(1) /"),
        ("14.1: foul, scratch", "fpb141", "b! ok b! a", "FOUL FOUL(scratch)"),
        ("14.1: opening missed", "wpa141", "b! b a", "SHORT PICK(rebreak)"),
        ("14.1: opening missed, scratch", "fpb141", "b! b!", "SHORT(scratch)"),
        ("14.1: void, from nothing", "fpb141", "ok! ok a b", "VOID(restart)"),
        ("14.1: the game given", "fpb141", "ok! ok ok a ok", "AWARD(A)"),
        ("a row of fouls, a legal visit", "fpb9", "a! ok ok", "FOUL(by=A) /"),
        ("a row of fouls, a pot", f"fpb9 {LEVEL_1} at opening=off fouls=1/0", "ok a", "POT(1)"),
        ("no row of fouls: OK changes nothing", "fpb9", "ok", ""),
        ("stalemate, warned of", f"wpa9 {OPEN}", "ok! ok b a", "STALEMATE(warn)"),
        ("stalemate", f"wpa9 {OPEN}", "ok! ok b ok", "STALEMATE"),
        ("14.1: a rack after a rack", "fpb141", "a! a!", "LEFT(1) LEFT(1)"),
        (
            "14.1: a rack once more by mistake",
            "fpb141 at opening=off left=2",
            "a a! undo",
            "POT(1)",
        ),
    ],
)
def test_pool_4(situation: str, match: str, keys: str, records: str) -> None:
    player = played("pool-4", match, keys)
    assert tokens(player.records) == records, situation


@pytest.mark.parametrize(
    ("situation", "match", "keys", "records"),
    [
        ("rack won", "fpb9", "a ok b ok", "AWARD(A) OK AWARD(B) OK"),
        (
            "a ball potted clears the counter",
            f"fpb9 {LEVEL_1} {ON_TWO}",
            "a! foul ok",
            "POT(1) FOUL",
        ),
        ("a first ball, striped", f"fpb8 {LEVEL_1} {OPEN}", "a! b", "POT(T1)"),
        ("turns and fouls", "fpb9", "end foul ... end", "/ FOUL /"),
        ("foul in the chair", "fpb9", "foul b", "FOUL(by=B)"),
        ("third foul", f"fpb9 {ON_TWO}", "foul ok", "FOUL"),
        ("third, level 1", f"fpb9 {LEVEL_1} {ON_TWO}", "foul ok", "[FOUL PICK(in_a_row)]"),
        ("potted before", f"fpb9 {LEVEL_1} {ON_TWO}", "foul a", "[FOUL PICK(potted)]"),
        ("push-out", "fpb9 at opening=off push=on", "ok! end a b", "PUSH PICK(play)"),
        ("time-out", "wpa9", "ok! a a b", "TIMEOUT(B)"),
        ("14.1", "fpb141", "a end a! foul!", "POT(1) / LEFT(1) FOUL(scratch)"),
        ("14.1: obstructed", "fpb141 at opening=off left=2", "a ok end", "POT(1) CASE(apex)"),
        (
            "14.1: the cue ball in the way",
            "fpb141 at opening=off left=2",
            "a ok ok b",
            "POT(1) CASE(cb,behind)",
        ),
        ("14.1: stalemate", "fpb141", "ok! ok b ok a b", "STALEMATE LAG(A) FIRST(B)"),
        ("stalemate, warned of", f"wpa9 {OPEN}", "ok! ok b a", "STALEMATE(warn)"),
        (
            "10-ball: not as called",
            f"wpa10 {LEVEL_1} {OPEN}",
            "ok! end ok b",
            "WRONG(1) PICK(play)",
        ),
        ("8-ball: he goes on", f"fpb8 {LEVEL_1} {GROUPS}", "ok! end ok", "WRONG(keep)"),
        (
            "8-ball: short break and scratch",
            "fpb8",
            "foul end! b",
            "SHORT(scratch) PICK(rebreak_self)",
        ),
        ("the one pot", f"fpb9 {LEVEL_1} at opening=off fouls=1/0", "a!", "POT(1)"),
        ("clock", f"wpa9 clock=35 {OPEN}", "ok! a foul", "START"),
    ],
)
def test_pool_6(situation: str, match: str, keys: str, records: str) -> None:
    player = played("pool-6", match, keys)
    assert tokens(player.records) == records, situation


RACKS = ("race=1/1 lag", f"race=2/2 shootout=on {LEVEL_1}")
POINTS = ("target=9/9 lag", "target=20/20")
BOX = ["pool-4", "pool-6", "pool-12", "pool-16"]


@pytest.mark.parametrize("rulebook", POOL)
@pytest.mark.parametrize("panel", BOX)
def test_some_key_always_helps_and_says_what_it_means(panel: str, rulebook: str) -> None:
    """No state without a way on, through racks, choices, ends and whatever is half typed."""
    straight = isinstance(RULEBOOKS[rulebook].game, StraightGame)
    usual = match_of_row(f"{rulebook} {OPEN}" if straight else f"{rulebook} {LEVEL_1} {OPEN}")
    contexts: set[str] = set()
    for format_ in POINTS if straight else RACKS:
        match = partial(match_of_row, f"{rulebook} {format_}")
        contexts |= walked(panel, usual, match, 30)
    assert {"play", "first", "held"} <= contexts


def test_the_same_box_serves_a_match_of_another_game() -> None:
    assert match_of("fpb9").match.game.notation == shipped("pool-4").notation
    for four, six in zip(
        shipped("pool-4").layout.keys.items(), shipped("carom-4").layout.keys.items(), strict=True
    ):
        assert four[1].pin == six[1].pin
