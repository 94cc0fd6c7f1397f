"""The snooker panels at real matches: the press tables counted, and no dead ends.

The rows are those of the rules' press table for 16 keys. 12 keys cost no press more: what has no
key of its own there is another key held, and each choice can be made from the list as well.
"""

from functools import partial

import pytest

from firmware.keys.grammar import Refused, Waiting
from rules.ledger import Ledger, after_all
from rules.position import split_fields
from rules.record import Record, Setup
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Side
from rules.snooker.entries import Foul
from rules.snooker.game import SnookerGame
from tests.firmware.fingers import acts_within
from tests.firmware.panel_walk import walked
from tests.firmware.typist import Player, match_of, shipped
from tests.rules.play import enter

BOOKS = sorted(id_ for id_, book in RULEBOOKS.items() if isinstance(book.game, SnookerGame))
LAST = "reds=0 colours=YGNUPK"


def at(rulebook: str, position: str, before: str = "") -> Ledger:
    """A match taken up at a position, after some entries."""
    setup = Setup(rulebook, ((1,), (2,)), split_fields("target=3"), Side.A, split_fields(position))
    ledger = Ledger(Record(0, setup), rulebook_of)
    return enter(ledger, before) if before else ledger


BREAK_16 = "red black " * 15 + "yellow green brown blue pink black"

# situation, presses with 16 keys, with 12, where, what was before, keys of both or of each, records
ROWS = [
    ("red potted", 1, 1, "", "", "red", "R"),
    ("colour potted", 1, 1, "", "R", "blue", "U"),
    ("two reds, held", 2, 2, "", "", "red red!", "R +R"),
    ("two reds, asked", 3, 3, "", "", "red red ok", "R +R"),
    ("visit ends, no foul", 1, 1, "", "", "end", "/"),
    ("147 break", 36, 36, "", "", BREAK_16, "R K " * 15 + "Y G N U P BLACK"),
    ("4 points", 2, 2, "", "", "foul ok", "FOUL"),
    ("5 points", 3, 3, "", "", "foul blue ok", "FOUL(hit=U)"),
    ("7 points", 3, 3, "", "", "foul black ok", "FOUL(hit=K)"),
    ("in-off on a red", 3, 3, "", "", "foul white ok|foul foul! ok", "FOUL(white)"),
    ("foul on a named colour", 3, 3, "", "R", "foul blue ok", "FOUL(nom=U)"),
    ("in the final sequence", 2, 2, LAST, "", "foul ok", "FOUL"),
    ("red lost in the foul", 3, 3, "", "", "foul red ok", "FOUL(reds=1)"),
    ("red lost, and a colour", 4, 4, "", "", "foul red pink ok", "FOUL(hit=P,reds=1)"),
    ("wrong colour potted", 2, 2, LAST, "", "blue ok", "FOUL(hit=U)"),
    ("foul before naming", 3, 3, "", "R", "foul black ok", "FOUL(nom=K)"),
    ("foul leaving a snooker", 3, 3, "", "", "foul free ok|foul end ok", "FOUL(free)"),
    ("and a ball", 4, 4, "", "", "foul pink free ok|foul pink end ok", "FOUL(hit=P,free)"),
    ("free ball potted", 1, 1, "", "FOUL(free)", "free|ok!", "FB"),
    (
        "and once it was chosen",
        3,
        3,
        "",
        "FOUL(free)",
        "ok yellow free|ok yellow ok",
        "PICK(free) FB",
    ),
    ("free ball and red", 2, 2, "", "FOUL(free)", "free red|ok! red", "FB +R"),
    ("free ball and colour on", 1, 1, LAST, "FOUL(free)", "yellow", "Y"),
    ("only the red after it", 1, 1, "", "FOUL(free)", "red", "R"),
    ("free ball, nothing potted", 1, 1, "", "FOUL(free)", "end", "/"),
    (
        "free ball snookers opponent",
        3,
        3,
        "",
        "FOUL(free)",
        "foul free ok|foul end ok",
        "FOUL(free)",
    ),
    ("foul and return", 3, 3, "", "", "foul miss ok|foul foul ok", "FOUL(miss)"),
    ("and a ball", 4, 4, "", "", "foul blue miss ok|foul blue foul ok", "FOUL(hit=U,miss)"),
    ("full ball", 4, 4, "", "", "foul miss miss ok|foul foul foul ok", "FOUL(miss,full)"),
    ("beneficiary plays", 1, 1, "", "FOUL", "red", "R"),
    ("hands it back", 1, 1, "", "FOUL", "pass|menu!", "PICK(pass)"),
    ("hands it back, by the list", 2, 2, "", "FOUL", "ok green", "PICK(pass)"),
    ("replay", 1, 1, "", "FOUL(miss)", "miss|foul!", "PICK(replay)"),
    ("replay, by the list", 2, 2, "", "FOUL(miss)", "ok brown", "PICK(replay)"),
    (
        "replay fails again",
        3,
        3,
        "",
        "FOUL(miss) PICK(replay)",
        "foul miss ok|foul foul ok",
        "FOUL(miss)",
    ),
    ("unavoidable foul", 3, 3, "", "", "foul black ok", "FOUL(hit=K)"),
    ("unavoidable foul, said so", 4, 4, "", "", "foul menu yellow ok", "FOUL(imposs)"),
    ("disciplinary on top", 4, 4, "", "", "foul menu red ok", "FOUL(disc)"),
    ("time", 3, 3, "", "", "menu red ok", "CLOCK"),
    ("concession", 4, 4, "", "", "menu yellow yellow ok", "CONCEDE(B)"),
    ("of the match", 5, 5, "", "", "menu yellow red end ok", "CONCEDE(A,match)"),
    ("stalemate warning", 3, 3, "", "", "menu green ok", "STALEMATE(warn)"),
    ("void", 3, 3, "", "", "menu brown ok", "VOID"),
    (
        "an offence of the other side",
        4,
        4,
        "",
        "",
        "menu pink yellow ok",
        "CONDUCT(B)",
    ),
    ("tie, A plays", 1, 1, "score=50/57 reds=0 colours=K", "K", "ok", "FIRST(A)"),
    ("tie, B plays", 2, 2, "score=50/57 reds=0 colours=K", "K", "end ok", "FIRST(B)"),
    ("next frame", 1, 1, "score=50/44 reds=0 colours=PK", "P", "ok", "OK"),
    ("any mistake", 1, 1, "", "R", "undo", "UNDO"),
    ("the table put right", 5, 5, "", "=24", "menu foul red red ok|menu ok red red ok", "ADJUST"),
]


def one_of(text: str, which: int) -> str:
    both = text.split("|")
    return both[which] if len(both) > 1 else both[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
@pytest.mark.parametrize("which", [0, 1], ids=["16", "12"])
def test_the_press_table_is_met(row: tuple[str, int, int, str, str, str, str], which: int) -> None:
    situation, *presses, position, before, keys, records = row
    player = Player(shipped(f"snooker-{(16, 12)[which]}"), at("cbbs", position, before))
    typed = one_of(keys, which)
    player.press(typed)
    wanted = one_of(records, which).split()
    found = [
        record.partition("(reds")[0] if "ADJUST" in record else record for record in player.records
    ]
    assert found == wanted, situation
    assert len(typed.split()) == presses[which], situation
    assert not player.refusals
    assert not player.grammar.typing


@pytest.mark.parametrize("panel", ["snooker-16", "snooker-12"])
def test_a_frame_of_30_pots_and_25_visits_is_55_presses(panel: str) -> None:
    visits = ["end"] * 11 + ["red black end"] * 7 + ["red blue red pink end"] * 4
    sequence = "yellow green end end end brown blue end pink black"
    keys = " ".join([*visits, sequence]).split()
    player = Player(shipped(panel), at("wpbsa", "reds=15"))
    player.press(keys)
    frame = player.ledger.match.frame
    assert frame is not None
    assert not player.refusals
    assert len(player.records) == len(keys)
    pots = sum(record in set("RYGNUPK") for record in player.records)
    ends = player.records.count("/")
    assert len(keys) == pots + ends


@pytest.mark.parametrize(
    "row",
    [
        ("red and black", 2, "", "", "red pk!", "R K"),
        ("yellow to black in order", 6, LAST, "", "yg yg nu nu pk pk", "Y G N U P BLACK"),
        ("visit over", 1, "", "", "end", "/"),
        ("two reds", 2, "", "", "red red!", "R +R"),
        ("foul, 4 points", 2, "", "", "end! end", "FOUL"),
        ("foul, 7 points", 3, "", "", "end! pk! end", "FOUL(hit=K)"),
        ("wrong ball potted", 2, "", "", "nu end", "FOUL(hit=N)"),
        ("foul on a colour", 3, "", "R", "end! nu! end", "FOUL(nom=U)"),
        ("foul and a free ball", 3, "", "", "end! end! red", "FOUL(free)"),
        ("dearer", 4, "", "", "end! pk end! red", "FOUL(hit=P,free)"),
        ("foul and a miss", 3, "", "", "end! end! yg", "FOUL(miss)"),
        ("full ball", 3, "", "", "end! end! yg!", "FOUL(miss,full)"),
        ("and a free ball", 5, "", "", "end! end! nu! end! red", "FOUL(miss,free)"),
        ("the free ball potted", 1, "", "FOUL(free)", "pk!", "FB(K)"),
        ("passed back", 2, "", "FOUL", "undo! nu", "PICK(pass)"),
        ("replayed", 2, "", "FOUL(miss)", "undo! pk", "PICK(replay)"),
        ("in hand", 4, "", "", "end! end! nu end", "FOUL(white)"),
        ("conceded", 4, "", "", "undo! red yg end", "CONCEDE(B)"),
        ("while a choice is open", 5, "", "FOUL", "undo! end! red yg end", "CONCEDE(B)"),
        ("next frame", 1, "score=50/44 reds=0 colours=PK", "P", "end", "OK"),
        ("who plays the black", 1, "score=50/57 reds=0 colours=K", "K", "yg", "FIRST(B)"),
        ("the table put right", 5, "", "=24", "undo! end red pk! end", "ADJUST(colours=K)"),
        ("a mistake", 1, "", "R", "undo", "UNDO"),
    ],
)
def test_snooker_6(row: tuple[str, int, str, str, str, str]) -> None:
    situation, presses, position, before, keys, records = row
    player = Player(shipped("snooker-6"), at("cbbs", position, before))
    player.press(keys)
    assert player.records == records.split(), situation
    assert len(keys.split()) == presses, situation
    assert not player.grammar.typing


@pytest.mark.parametrize(
    "row",
    [
        ("red, black, red", 3, "", "", "ball colour ball", "R K R"),
        ("red and pink", 3, "", "", "ball colour colour ...", "R P"),
        ("red and yellow", 2, "", "", "ball ... ball", "R"),
        ("the colours in order", 6, LAST, "", "ball ball ball ball ball colour", "Y G N U P BLACK"),
        ("visit over after a colour", 2, "", "R", "colour end", "K /"),
        ("two reds", 2, "", "", "ball ball!", "R +R"),
        ("foul, 4 points", 2, "", "", "end! end", "FOUL(v=4)"),
        ("foul, 5 points", 3, "", "", "end! ball ball", "FOUL(v=5)"),
        ("foul, 6 points", 3, "", "", "end! ball colour", "FOUL(v=6)"),
        ("foul, 7 points", 3, "", "", "end! ball end", "FOUL(v=7)"),
        ("foul and a miss", 2, "", "", "end! end!", "FOUL(v=4,miss)"),
        ("dearer, and a free ball", 4, "", "", "end! colour ball end", "FOUL(v=7,free)"),
        ("on a colour", 2, "", "R", "end! end", "FOUL(v=4)"),
        ("in hand", 6, "", "", "end! colour colour colour colour end", "FOUL(v=4,white)"),
        ("in the final sequence", 2, "reds=0 colours=UPK", "", "end! end", "FOUL"),
        ("foul and a free ball", 3, "", "", "end! colour end", "FOUL(v=4,free)"),
        ("the free ball potted", 1, "", "FOUL(free)", "colour", "FB"),
        ("passed back", 2, "", "FOUL", "undo! ball", "PICK(pass)"),
        ("conceded by B", 5, "", "", "undo! ball ball ball end", "CONCEDE(B)"),
        ("while a choice is open", 5, "", "FOUL", "undo! end! ball ball end", "CONCEDE(A)"),
        ("next frame", 1, "score=50/44 reds=0 colours=PK", "P", "end", "OK"),
        ("a mistake", 1, "", "R", "undo", "UNDO"),
    ],
)
def test_snooker_4(row: tuple[str, int, str, str, str, str]) -> None:
    situation, presses, position, before, keys, records = row
    player = Player(shipped("snooker-4"), at("cbbs", position, before))
    player.press(keys)
    assert player.records == records.split(), situation
    assert len(keys.replace("...", "").split()) == presses, situation


def test_no_foul_on_a_colour_without_the_colour() -> None:
    player = Player(shipped("snooker-12"), at("cbbs", "", "R"))
    assert player.press("foul ok") == Refused("name_colour")
    player.press("pink ok")
    assert player.records == ["FOUL(nom=P)"]


def test_a_double_tap_of_red_alone_is_refused_with_the_hint() -> None:
    for panel, red in (("snooker-12", "red"), ("snooker-6", "red"), ("snooker-4", "ball")):
        player = Player(shipped(panel), match_of("cbbs"))
        opened = player.press(f"{red} {red}", every_ms=180)
        assert opened == Waiting(opened=True, hint="two_reds"), panel
        assert player.records == ["R"], panel


@pytest.mark.parametrize("panel", ["snooker-4", "snooker-6", "snooker-12", "snooker-16"])
@pytest.mark.parametrize("rulebook", BOOKS)
def test_some_key_always_helps(panel: str, rulebook: str) -> None:
    """From the draw on, and from where a frame is about to end."""
    usual = match_of(rulebook, "target=99")
    ends = "P" if rulebook in ("cbbs", "fpb") else "P K"
    contexts = walked(panel, usual, lambda: match_of(rulebook, "target=1 reds=1", None), 20)
    for position, before, presses in (
        ("reds=2", "FOUL(miss,free)", 10),
        ("score=9/40", "=30", 10),
        ("score=50/57 reds=0 colours=K", "K", 8),
        ("score=50/40 reds=0 colours=PK", ends, 8),
    ):
        contexts |= walked(panel, usual, partial(at, rulebook, position, before), presses)
    assert {"play", "first", "held", "choice.foul", "choice.draw"} <= contexts


def pairs(rulebook: str, position: str, before: str = "") -> Ledger:
    """A match of two pairs."""
    setup = Setup(rulebook, ((1, 3), (2, 4)), (), Side.A, split_fields(position))
    ledger = Ledger(Record(0, setup), rulebook_of)
    return enter(ledger, before) if before else ledger


BLACK = "score=50/57 reds=0 colours=K"


@pytest.mark.parametrize(
    "row",
    [
        ("snooker-16", "", "menu pass yellow ok", "ADJUST(members=2/1)", "A2"),
        ("snooker-12", "", "menu menu green brown ok", "ADJUST(members=2/2)", "A2"),
        ("snooker-6", "", "undo! end pk! yg end", "ADJUST(members=2/1)", "A2"),
        ("snooker-4", "", "undo! end end! ball ball end", "ADJUST(members=2/1)", "A2"),
        ("snooker-16", BLACK, "end yellow ok", "FIRST(B,2)", "B2"),
        ("snooker-12", BLACK, "end end red ok", "FIRST(A,1)", "A1"),
        ("snooker-6", BLACK, "pk pk end", "FIRST(B,2)", "B2"),
        ("snooker-4", BLACK, "end! ball ball end", "FIRST(A,2)", "A2"),
        ("snooker-16", "", "foul menu blue menu blue ok", "FOUL(out_of_turn)", "A2"),
        ("snooker-12", "", "foul menu blue menu blue ok", "FOUL(out_of_turn)", "A2"),
        ("snooker-6", "", "end! end! end end! end end", "FOUL(out_of_turn)", "A2"),
        ("snooker-4", "", f"end!{' colour' * 6} end", "FOUL(v=4,out_of_turn)", "A2"),
    ],
)
def test_pairs(row: tuple[str, str, str, str, str]) -> None:
    panel, position, keys, record, member = row
    player = Player(shipped(panel), pairs("wpbsa", position, "K" if position else ""))
    player.press(keys)
    visit = player.ledger.match.visit
    assert visit is not None
    assert (player.records, f"{visit.side}{visit.member}") == ([record], member)


@pytest.mark.parametrize("panel", ["snooker-4", "snooker-6", "snooker-12", "snooker-16"])
def test_some_key_always_helps_pairs(panel: str) -> None:
    contexts = walked(panel, match_of("wpbsa"), partial(pairs, "wpbsa", BLACK, "K"), 30)
    assert {"choice.draw", "play", "held"} <= contexts


def test_a_frame_conceded_without_need_is_reminded_of_before_it_is_entered() -> None:
    player = Player(shipped("snooker-16"), at("wpbsa", "score=20/40 reds=3"))
    player.press("menu yellow red")
    typed = player.grammar.typed(player.moment)
    assert typed is not None
    assert (typed.entry, typed.reminder) == ("CONCEDE(A)", "early_concession")
    needs = Player(shipped("snooker-16"), at("wpbsa", "score=20/90 reds=3"))
    needs.press("menu yellow red")
    typed = needs.grammar.typed(needs.moment)
    assert typed is not None
    assert not typed.reminder


SNOOKER = [f"snooker{totals}-{keys}" for totals in ("", "-totals") for keys in (4, 6, 12, 16)]


@pytest.mark.parametrize("panel", SNOOKER)
@pytest.mark.parametrize(
    ("position", "before", "prices"),
    [
        ("", "", {4, 5, 6, 7}),
        ("", "R", {4, 5, 6, 7}),
        ("reds=0 colours=UPK", "", {5, 6, 7}),
        ("reds=0 colours=K", "", {7}),
        ("", "=24", {4, 5, 6, 7}),
    ],
    ids=["a red is on", "a colour is on", "the blue is on", "the black is on", "not known"],
)
def test_a_foul_of_any_price_takes_three_presses_at_most(
    panel: str, position: str, before: str, prices: set[int]
) -> None:
    """Ask 8: with one hand, and without a thought of what comes first."""
    if before == "=24" and "totals" not in panel:
        before = ""
    assert prices_in(panel, at("wpbsa", position, before), 3) >= prices


def prices_in(panel: str, ledger: Ledger, presses: int) -> set[int]:
    """What the fouls cost that so many presses enter, whichever keys they are."""
    found = set()
    for act in acts_within(shipped(panel), ledger, presses):
        if isinstance(act, tuple) and isinstance(act[0], Foul):
            after = after_all(ledger.match, act)
            assert ledger.match.frame is not None
            assert after.frame is not None
            before, score = ledger.match.frame.score, after.frame.score
            assert before is not None
            assert score is not None
            found.add(sum(score) - sum(before))
    return found
