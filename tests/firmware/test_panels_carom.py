"""The carom panels at real matches: which keys enter what, row by row, and no dead ends."""

from functools import partial

import pytest

from firmware.keys.grammar import Refused
from rules.carom.terms import CaromTerms
from rules.carom.words import NOTATION
from rules.ledger import Ledger
from rules.record import Act, act_text
from rules.rulebooks.shelf import RULEBOOKS
from rules.sheet import Expect, Sheet
from rules.sides import Side
from tests.firmware.panel_walk import walked
from tests.firmware.typist import Player, match_of, shipped
from tests.rules.play import enter
from tests.rules.waiting import all_sheets

DRAWN = "target=3/3 limit=1"
CAROM = [id_ for id_, book in RULEBOOKS.items() if isinstance(book.terms, CaromTerms)]

SETS = "target=2/2 sets=2 limit=2"


def match_of_row(match: str) -> Ledger:
    book, _, format_ = match.partition(" ")
    first = None if "first=none" in format_ else Side.A
    return match_of(book, format_.replace("first=none", ""), first)


@pytest.mark.parametrize(
    ("situation", "presses", "match", "keys", "records"),
    [
        ("miss", 1, "ug", "end", "/"),
        ("a run of three", 4, "ug", "plus1 plus1 plus1 end", "+1 +1 +1 /"),
        ("16 points", 3, "ug", "plus10 plus5 plus1", "+10 +5 +1"),
        ("a run by number", 4, "ug", "ok! plus1 plus5 end", "=12"),
        ("with three digits", 4, "ug target=300/300", "ok! plus1 plus5 foul", "=124"),
        ("with a nought", 4, "ug", "ok! plus5 ok end", "=20"),
        ("foul", 1, "ug", "foul", "FOUL"),
        ("ball off the table", 1, "ug", "off", "FOUL(off)"),
        ("frozen and choice", 2, "ug", "frozen plus1", "FROZEN PICK(play)"),
        ("or spotted", 2, "ug", "frozen plus5", "FROZEN PICK(respot_touching)"),
        ("the clock runs", 1, "ug", "clock", "RESUME"),
        ("it runs, twice is a time-out", 3, "ug", "clock clock clock", "RESUME TIMEOUT"),
        ("it runs, and ran out", 3, "ug", "clock clock end", "RESUME CLOCK"),
        ("it runs, and is stopped", 3, "ug", "clock clock plus5", "RESUME PAUSE"),
        ("time is up", 2, "ug clock=0", "clock ok", "TIMEUP"),
        ("disciplinary", 2, "ug", "foul! ok", "CONDUCT"),
        ("serious", 3, "ug", "foul! foul ok", "CONDUCT(grave)"),
        ("the other side's", 3, "ug", "foul! plus5 ok", "CONDUCT(B)"),
        ("balls after it", 3, "ug", "foul! ok plus5", "CONDUCT PICK(place)"),
        ("concession", 4, "ug", "menu plus1 plus5 ok", "CONCEDE(B,match)"),
        ("absent", 4, "ug", "menu plus5 plus5 ok", "AWARD(A,absence)"),
        ("both disqualified", 4, "ug", "menu off plus10 ok", "DQ(A,B)"),
        ("undo and redo", 5, "ug", "end undo menu end plus1", "/ UNDO REDO +1"),
        ("a run by number to the target", 4, "uk target=12/3", "ok! plus1 plus5 end", "=12"),
        ("and OK", 2, "uk target=1/1", "plus1 ok", "+1 OK"),
        ("the next match", 3, "uk target=1/1", "plus1 ok ok!", "+1 OK NEW"),
        ("who plays first", 2, "ug first=none", "plus5 end", "FIRST(B) /"),
        (
            "a shoot-out, 11 to none",
            7,
            f"u18 {DRAWN}",
            "end end ok plus10 plus1 ok end",
            "/ / OK SHOOT(11) SHOOT(0)",
        ),
        ("a drawn set", 4, f"ug {DRAWN} sets=2", "end end ok plus5", "/ / OK AWARD(B)"),
    ],
)
def test_carom_12(situation: str, presses: int, match: str, keys: str, records: str) -> None:
    player = Player(shipped("carom-12"), match_of_row(match))
    player.press(keys)
    assert player.records == records.split(), situation
    assert len(keys.split()) == presses, situation


@pytest.mark.parametrize(
    ("situation", "presses", "match", "keys", "records"),
    [
        (
            "a shoot-out, six to none",
            7,
            f"u18 {DRAWN}",
            "end end ok plus5 plus1 end end",
            "/ / OK SHOOT(6) SHOOT(0)",
        ),
        ("a drawn set", 4, f"ug {DRAWN} sets=2", "end end ok plus5", "/ / OK AWARD(B)"),
        ("frozen and choice", 3, "ug", "ok! plus1 plus5", "FROZEN PICK(respot_touching)"),
        ("time-out", 3, "ug", "ok! end plus1", "TIMEOUT"),
        ("concession", 4, "ug", "ok! plus5 plus1 ok", "CONCEDE(A,match)"),
    ],
)
def test_carom_6(situation: str, presses: int, match: str, keys: str, records: str) -> None:
    player = Player(shipped("carom-6"), match_of_row(match))
    player.press(keys)
    assert player.records == records.split(), situation
    assert len(keys.split()) == presses, situation


@pytest.mark.parametrize(
    ("situation", "presses", "match", "keys", "records"),
    [
        ("five points", 2, "ug", "plus1 plus1!", "+1 +4"),
        ("foul", 1, "ug", "end!", "FOUL"),
        ("frozen and choice", 4, "ug", "ok! plus1 plus1 end", "FROZEN PICK(respot_touching)"),
        ("ball off the table", 3, "ug", "ok! plus1 end", "FOUL(off)"),
        ("time-out", 4, "ug", "ok! end end plus1", "TIMEOUT"),
        ("shot clock ran out", 4, "ug", "ok! end end end", "CLOCK"),
        ("time is up", 3, "ug", "ok! end ok", "TIMEUP"),
        ("concession", 5, "ug", "ok! ok plus1 end ok", "CONCEDE(B,match)"),
        ("an offence", 4, "ug", "ok! ok end ok", "CONDUCT"),
        ("a grave one", 5, "ug", "ok! ok end ok! ok", "CONDUCT(grave)"),
        ("absent", 5, "ug", "ok! ok ok plus1 ok", "AWARD(B,absence)"),
        ("a slow OK is an OK", 2, "uk target=1/1", "plus1 ok!", "+1 OK"),
        ("the next match", 3, "uk target=1/1", "plus1 ok ok!", "+1 OK NEW"),
        ("who plays first", 1, "ug first=none", "end", "FIRST(B)"),
        (
            "a shoot-out",
            9,
            f"u18 {DRAWN}",
            "end end ok plus1 plus1 end plus1 end ok",
            "/ / OK SHOOT(2) SHOOT(1) OK",
        ),
        ("a drawn set", 4, f"ug {DRAWN} sets=2", "end end ok end", "/ / OK AWARD(B)"),
    ],
)
def test_carom_4(situation: str, presses: int, match: str, keys: str, records: str) -> None:
    player = Player(shipped("carom-4"), match_of_row(match))
    player.press(keys)
    assert player.records == records.split(), situation
    assert len(keys.split()) == presses, situation


def test_a_run_by_number_over_the_target_is_refused_and_can_be_mended() -> None:
    player = Player(shipped("carom-12"), match_of("ug", "target=10/10"))
    assert player.press("ok! plus1 plus5 end") == Refused("over_target", "10")
    typed = player.grammar.typed(player.moment)
    assert typed is not None
    assert (typed.number, typed.entry, typed.refused) == ("12", "=12", "over_target")
    player.press("undo ok! plus5 end")
    assert player.records == ["=2"]


PANELS = ["carom-4", "carom-6", "carom-12", "carom-16"]

STARTS = [
    # who plays first is asked, in play, with clocks, a choice, held, a drawn set, a shoot-out
    (None, "target=3/3", ""),
    (Side.A, "target=3/3", ""),
    (Side.A, "target=2/4 limit=2 clock=40 to=1/1", ""),
    (Side.A, "target=3/3", "CONDUCT"),
    (Side.A, SETS, "TIMEUP"),
    (Side.A, SETS, "TIMEUP OK"),
    (Side.A, "target=3/3 draw=shootout sets=1", "TIMEUP OK"),
]


def begun(rulebook: str, first: Side | None, format_: str, before: str) -> Ledger:
    ledger = match_of(rulebook, format_, first)
    return enter(ledger, before) if before else ledger


@pytest.mark.parametrize("rulebook", CAROM)
@pytest.mark.parametrize("panel", PANELS)
def test_some_key_always_helps(panel: str, rulebook: str) -> None:
    """Asks 3 and 31: no state without a way on, and no key that changes behind one's back."""
    usual = match_of(rulebook, "target=99/99")
    contexts = set()
    for start in STARTS:
        contexts |= walked(panel, usual, partial(begun, rulebook, *start), 12)
    assert {"play", "first", "held", "choice.placing", "choice.drawn_set", "shootout"} <= contexts


# The rules' table of presses: sixteen keys and twelve keep to it, six and four go through menus.
PRESSES = [
    # situation, presses, panel and match, keys, records
    ("a miss", 1, "carom-16 3c", "end", "/"),
    ("three caroms, tapped", 4, "carom-16 3c", "plus1 plus1 plus1 end", "+1 +1 +1 /"),
    ("a run of seven", 2, "carom-16 sr", "d7 end", "=7"),
    ("a run of 124", 4, "carom-16 sr target=300/300", "d1 d2 d4 end", "=124"),
    ("a run of 30", 3, "carom-16 472", "d3 d0 end", "=30"),
    ("none, by number", 2, "carom-16 472", "d0 end", "=0"),
    ("points, then more", 3, "carom-16 3c", "plus1 d4 end", "+1 =4"),
    ("a foul", 1, "carom-16 1c", "foul", "FOUL"),
    ("a ball off the table", 2, "carom-16 3c", "opt foul", "FOUL(off)"),
    ("frozen, forced", 2, "carom-16 sr", "opt d1", "FROZEN"),
    ("frozen and choice", 3, "carom-16 3c", "opt d1 d2", "FROZEN PICK(respot_touching)"),
    ("balls in a zone", 2, "carom-16 472", "opt d2", "ZONE(in)"),
    ("a ball left it", 3, "carom-16 472", "plus1 opt d3", "+1 ZONE(out)"),
    ("on the line, and choice", 3, "carom-16 472", "opt d4 d2", "ZONE(line) PICK(zone_out)"),
    ("time-out", 2, "carom-16 ug", "opt d5", "TIMEOUT"),
    ("shot clock ran out", 2, "carom-16 ug", "opt d6", "CLOCK"),
    ("time is up", 2, "carom-16 3c", "opt d7", "TIMEUP"),
    ("disciplinary", 2, "carom-16 3c", "foul! ok", "CONDUCT"),
    ("serious", 3, "carom-16 3c", "foul! foul ok", "CONDUCT(grave)"),
    ("the seated player's", 3, "carom-16 3c", "foul! d2 ok", "CONDUCT(B)"),
    ("concession", 4, "carom-16 3c", "opt d8 d2 ok", "CONCEDE(B,match)"),
    ("the target and OK", 3, "carom-16 uk target=9/9", "d9 end ok", "=9 OK"),
    ("a set and the next", 4, "carom-16 s15", "d1 d5 end ok", "=15 OK"),
    (
        "a shoot-out",
        8,
        f"carom-16 u18 {DRAWN}",
        "end end ok d2 end d1 end ok",
        "/ / OK SHOOT(2) SHOOT(1) OK",
    ),
    ("who plays first", 1, "carom-16 3c first=none", "d2", "FIRST(B)"),
    ("handicap", 3, "carom-16 nl", "d2 d8 end", "=28"),
    ("twelve with five-pins", 3, "carom-16 p5", "d1 d2 end", "P12"),
    ("a stroke without points", 1, "carom-16 p5", "end", "/"),
    ("pins of the own ball", 3, "carom-16 p5", "d4 opt end", "P4(given)"),
    ("a foul with three", 3, "carom-16 p5", "foul d3 end", "P3(foul)"),
    ("a foul with nothing", 2, "carom-16 p5", "foul end", "P0(foul)"),
    ("free ball as it lies", 3, "carom-16 p5", "foul end d1", "P0(foul) PICK(free_ball_as_is)"),
    ("by what fell", 5, "carom-16 p5", "opt opt d1 d3 end", "FELL(pins=1,red)"),
    ("two given, six made", 4, "carom-16 p5", "d2 opt d6 end", "P6(given=2)"),
    ("given in error", 4, "carom-16 p5", "d2 opt opt end", "P2"),
    ("both by what fell", 6, "carom-16 p5", "opt opt d1 d3 d6 end", "FELL(pins=1,red,own_pins=1)"),
    ("a bank shot", 2, "carom-16 s15", "opt d2", "+2"),
    ("a run of 1240", 5, "carom-16 sr target=2000/2000", "d1 d2 d4 d0 end", "=1240"),
    (
        "all nine, cushion first",
        13,
        "carom-16 p9 target=300/300",
        "opt opt d1 d1 d1 d1 d2 d2 d2 d2 d3 d5 end",
        "FELL(pins=4,inner=4,red,cushion)",
    ),
    ("balls in a zone", 1, "carom-12 472", "in_out", "ZONE(in)"),
    ("a ball left it", 2, "carom-12 472", "in_out in_out!", "ZONE(in) ZONE(out)"),
    ("on the line, and choice", 2, "carom-12 472", "frozen! plus1", "ZONE(line) PICK(zone_in)"),
    ("frozen, forced", 1, "carom-12 sr", "frozen", "FROZEN"),
    ("frozen and choice", 2, "carom-12 712", "frozen plus5", "FROZEN PICK(respot_all)"),
    ("a run of 124", 4, "carom-12 sr target=300/300", "ok! plus1 plus5 foul", "=124"),
    ("twelve with five-pins", 4, "carom-12 p5", "plus10 plus1 plus1 end", "P12"),
    ("pins of the own ball", 4, "carom-12 p5", "plus1 plus1 off end", "P2(given)"),
    ("two given, six made", 6, "carom-12 p5", "plus1 plus1 off plus5 plus1 end", "P6(given=2)"),
    ("both, and a foul", 5, "carom-12 p5", "plus1 off plus5 foul end", "P5(given=1,foul)"),
    (
        "both by what fell",
        7,
        "carom-12 p5",
        "menu in_out plus1 plus10 menu plus1 end",
        "FELL(pins=1,red,own_pins=1)",
    ),
    ("a bank shot", 2, "carom-12 s15", "menu plus10", "+2"),
    ("a foul with three", 5, "carom-12 p5", "foul plus1 plus1 plus1 end", "P3(foul)"),
    ("a stroke by number", 4, "carom-12 p5", "ok! plus1 plus5 end", "P12"),
    ("by what fell", 5, "carom-12 p5", "menu in_out plus1 plus10 end", "FELL(pins=1,red)"),
    ("balls in a zone", 3, "carom-6 472", "ok! ok plus1", "ZONE(in)"),
    (
        "on the line, and choice",
        4,
        "carom-6 472",
        "ok! ok end plus5",
        "ZONE(line) PICK(zone_out)",
    ),
    ("six with five-pins", 3, "carom-6 p5", "plus5 plus1 end", "P6"),
    ("pins of the own ball", 4, "carom-6 p5", "plus1 plus1 foul end", "P2(given)"),
    ("two given, six made", 6, "carom-6 p5", "plus1 plus1 foul plus5 plus1 end", "P6(given=2)"),
    ("a foul with nothing", 2, "carom-6 p5", "foul end", "P0(foul)"),
    ("a foul seen late", 3, "carom-6 p5", "plus5 foul! end", "P5(foul)"),
    ("by what fell", 5, "carom-6 p5", "ok! plus1 plus1 plus5 end", "FELL(pins=1,red)"),
    ("the red ball", 4, "carom-6 p5", "ok! plus1 foul end", "FELL(ball=other)"),
    (
        "both by what fell",
        8,
        "carom-6 p5",
        "ok! plus1 plus1 ok ok plus1 plus5 end",
        "FELL(pins=1,red,own_pins=1)",
    ),
    (
        "two inner, cushion first",
        9,
        "carom-6 p9 target=300/300",
        "ok! plus1 ok plus1 ok plus1 ok plus5 end",
        "FELL(inner=2,cushion)",
    ),
    ("a bank shot", 2, "carom-6 s15", "ok! ok", "+2"),
    ("balls in a zone", 4, "carom-4 471", "ok! plus1 ok plus1", "ZONE(in)"),
    ("six with five-pins", 3, "carom-4 p5", "plus1 ok end", "P6"),
    ("pins of the own ball", 4, "carom-4 p5", "plus1 plus1 ok! end", "P2(given)"),
    ("two given, six made", 6, "carom-4 p5", "plus1 plus1 ok! plus1 ok end", "P6(given=2)"),
    ("a foul with nothing", 2, "carom-4 p5", "end! end", "P0(foul)"),
    ("a foul seen late", 3, "carom-4 p5", "plus1 end! end", "P1(foul)"),
    ("by what fell", 5, "carom-4 p5", "ok! plus1 plus1 ok end", "FELL(pins=1,red)"),
    (
        "both by what fell",
        8,
        "carom-4 p5",
        "ok! plus1 plus1 ok ok! ok! plus1 end",
        "FELL(pins=1,red,own_pins=1)",
    ),
    (
        "two inner, cushion first",
        9,
        "carom-4 p9 target=300/300",
        "ok! plus1 ok! plus1 ok! plus1 ok! ok end",
        "FELL(inner=2,cushion)",
    ),
    ("a bank shot", 3, "carom-4 s15", "ok! plus1 ok", "+2"),
]


@pytest.mark.parametrize(("situation", "presses", "where", "keys", "records"), PRESSES)
def test_the_table_of_presses(
    situation: str, presses: int, where: str, keys: str, records: str
) -> None:
    panel, _, match = where.partition(" ")
    player = Player(shipped(panel), match_of_row(match))
    player.press(keys)
    assert player.records == records.split(), situation
    assert len(keys.split()) == presses, situation


def test_a_run_of_three_digits_enters_itself_and_its_end_is_no_miss_of_the_other_side() -> None:
    player = Player(shipped("carom-12"), match_of("sr", "target=300/300"))
    player.press("ok! plus1 plus5 foul")
    assert player.press("end", every_ms=300) == Refused("same_press")
    assert player.records == ["=124"]
    player.press("end", every_ms=2100)
    assert player.records == ["=124", "/"], "later it is the other side's"
    player.press("ok! plus1 plus5 foul plus1 end")
    assert player.records == ["=124", "/", "=124", "+1", "/"], "and after a point it is his"


def test_a_run_of_three_digits_over_the_target_waits_to_be_mended() -> None:
    player = Player(shipped("carom-12"), match_of("sr", "target=100/100"))
    assert player.press("ok! plus1 plus5 foul") == Refused("over_target", "100")
    player.press("undo ok! plus1 end")
    assert player.records == ["=1"]


PBA = {
    # two points in one stroke, on each panel
    "carom-4": "ok! plus1 ok",
    "carom-6": "ok! ok",
    "carom-12": "menu plus10",
    "carom-16": "opt d2",
}


@pytest.mark.parametrize("panel", PANELS)
def test_bank_shots_of_two_points_stroke_by_stroke(panel: str) -> None:
    """Doubles of the PBA team league, set to nine: partners take turns at each stroke."""
    sheet = next(one for one in all_sheets() if one.id == "match:CA-47")
    player = Player(
        shipped(panel), match_of("s15", "sets=1 target=9/9 overshoot=cap rotate=stroke")
    )
    for token in ["+2", "+2", "+2", "+1", "+1", "+2"]:
        player.press(PBA[panel] if token == "+2" else "plus1")
    entered = [act_text(act, NOTATION) for act in acts_of(sheet)]
    assert player.records == entered[:-1]
    player.press("ok")
    assert player.records == entered


def acts_of(sheet: Sheet) -> list[Act]:
    return [step.act for step in sheet.steps() if not isinstance(step, Expect)]


def test_a_foul_after_a_number_is_refused_not_lost_in_it() -> None:
    player = Player(shipped("carom-16"), match_of("3c", "target=99/99"))
    player.press("d2")
    assert isinstance(player.press("foul"), Refused)
    player.press("end")
    assert player.records == ["=2"]
