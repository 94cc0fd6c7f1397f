"""The carom panels at real matches: which keys enter what, row by row, and no dead ends."""

import pytest

from firmware.grammar import Refused
from rules.carom.terms import CaromTerms
from rules.ledger import Ledger
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side
from tests.firmware.panel_walk import walked
from tests.firmware.typist import Player, match_of, shipped

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


@pytest.mark.parametrize("format_", ["target=3/3", "target=2/4 limit=2 clock=40 to=1/1", SETS])
@pytest.mark.parametrize("rulebook", CAROM)
@pytest.mark.parametrize("panel", ["carom-4", "carom-6", "carom-12"])
def test_some_key_always_helps(panel: str, rulebook: str, format_: str) -> None:
    """Asks 3 and 31: no state without a way on, and no key that changes behind one's back."""
    usual = match_of(rulebook, "target=99/99")
    contexts = walked(panel, usual, lambda: match_of(rulebook, format_, first=None), 300)
    assert {"play", "first", "held"} <= contexts
