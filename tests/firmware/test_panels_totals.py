"""The panels that mark whole visits and whole frames: presses counted, and no dead ends."""

from functools import partial

import pytest

from firmware.keys.grammar import Refused
from firmware.keys.keybook import KeyBook, shipped_or_own
from tests.firmware.panel_walk import walked
from tests.firmware.test_panels_snooker import BOOKS, at
from tests.firmware.typist import Player, match_of, shipped

FOUL_4 = "[=16 FOUL(v=4,by=A)]"
FOUL_5 = "[=16 FOUL(v=5,by=A)]"
FRAME = "[ADJUST(score=63/35) AWARD(A)]"
CENTURY = "[ADJUST(score=35/63,breaks=-/103) AWARD(B)]"
LEVEL = "score=50/57 reds=0 colours=K"

# situation, where, what was before, the record; presses and keys with 16, 12, 6, 4 keys
ROWS = [
    (
        ("visit of 24", "", "", "=24"),
        *((3, "yellow brown end"), (3, "yellow brown end")),
        *((7, "ten ten" + " one" * 4 + " end"), (7, "ten ten" + " one" * 4 + " end")),
    ),
    (
        ("visit of 8", "", "", "=8"),
        *((2, "free end"), (3, "ok foul end")),
        *((5, "five one one one end"), (5, "one! one one one end")),
    ),
    (
        ("visit of 101", "", "", "=101"),
        *((4, "red white red end"), (4, "red ok red end")),
        *((4, "ten! ten! one end"), (12, "ten " * 10 + "one end")),
    ),
    (
        ("nothing potted", "", "", "/"),
        *((1, "end"), (1, "end")),
        *((1, "end"), (1, "end")),
    ),
    (
        ("four reds left", "", "", "=24(reds=4)"),
        *((5, "yellow brown pass brown end"), (5, "yellow brown menu! brown end")),
        *((12, "ten ten one one one one one! one one one one end"), None),
    ),
    (
        ("green the lowest", "", "", "=42(low=G)"),
        *((5, "brown yellow menu menu end"), (5, "brown yellow black! black! end")),
        *((9, "ten ten ten ten one one five! five! end"), None),
    ),
    (
        ("the table cleared", "score=0/5 reds=0 colours=UPK", "", "=18(cleared)"),
        *((4, "red free ok end"), (4, "red foul ok! end")),
        *((7, "ten five one one one foul! end"), (7, "ten one! one one one ten! end")),
    ),
    (
        ("a foul after points", "", "", FOUL_4),
        *((4, "red pink foul end"), (4, "red pink foul! end")),
        *((5, "ten five one foul end"), (5, "ten one! one end! end")),
    ),
    (
        ("a dearer one", "", "", FOUL_5),
        *((4, "red pink foul blue"), (4, "red pink foul! blue")),
        *((5, "ten five one foul one"), (5, "ten one! one end! one")),
    ),
    (
        ("foul", "", "", "FOUL"),
        *((2, "foul ok"), (2, "foul ok")),
        *((2, "foul end"), (2, "end! end")),
    ),
    (
        ("foul of 6", "", "", "FOUL(v=6)"),
        *((3, "foul pink ok"), (3, "foul pink ok")),
        *((3, "foul five end"), (3, "end! one! end")),
    ),
    (
        ("foul on a table not known", "", "=24", "FOUL(v=4)"),
        *((2, "foul ok"), (2, "foul ok")),
        *((2, "foul end"), (2, "end! end")),
    ),
    (
        ("a free ball", "", "", "FOUL(free)"),
        *((3, "foul free ok"), (3, "foul end ok")),
        *((2, "foul end!"), (2, "end! end!")),
    ),
    (
        ("a free ball, and dearer", "", "", "FOUL(v=7,free)"),
        *((4, "foul black free ok"), (4, "foul black end ok")),
        *((3, "foul ten end!"), (3, "end! ten end!")),
    ),
    (
        ("a foul and a miss", "", "", "FOUL(miss)"),
        *((3, "foul miss ok"), (3, "foul foul ok")),
        *((2, "foul foul!"), (2, "end! ten!")),
    ),
    (
        ("a red lost", "", "", "FOUL(reds=1)"),
        *((3, "foul red ok"), (3, "foul red ok")),
        *((3, "foul ten! end"), (4, "undo! ten! ten end")),
    ),
    (
        ("passed back", "", "FOUL", "PICK(pass)"),
        *((1, "pass"), (1, "menu!")),
        *((2, "undo! ten"), (2, "undo! one")),
    ),
    (
        ("the other side plays", "", "FOUL", "=7"),
        *((2, "black end"), (2, "black end")),
        *((4, "five one one end"), (4, "one! one one end")),
    ),
    (
        ("the frame by its winner", "", "", "AWARD(A)"),
        *((2, "ok red!"), (3, "menu ok red!")),
        *((2, "end! one!"), (3, "undo! ten one!")),
    ),
    (
        ("the frame by its figures", "", "", FRAME),
        *((7, "ok pink green pass green blue red!"), (8, "menu ok pink green end green blue red!")),
        (12, "end! ten! ten one one one end ten ten ten five one!"),
        (21, "undo! ten" + " ten" * 6 + " one" * 3 + " end" + " ten" * 3 + " one" * 5 + " one!"),
    ),
    (
        ("and a century", "", "", CENTURY),
        (11, "ok red white green menu! green blue pass pink green yellow!"),
        (12, "menu ok red ok green menu! green blue end pink green yellow!"),
        (18, "end! ten! ten! one one one foul! ten ten ten five end ten! ten one one one five!"),
        None,
    ),
    (
        ("conceded", "", "=24", "CONCEDE(B)"),
        *((4, "menu yellow yellow ok"), (4, "menu yellow yellow ok")),
        *((4, "undo! one five end"), (5, "undo! one one one end")),
    ),
    (
        ("the frame while a choice is open", "", "FOUL", "AWARD(A)"),
        *((4, "menu white red ok"), (4, "menu foul red ok")),
        *((2, "end! one!"), (4, "undo! end! ten one!")),
    ),
    (
        ("next frame", "", "AWARD(A)", "OK"),
        *((1, "ok"), (1, "ok")),
        *((1, "end"), (1, "end")),
    ),
    (
        ("who plays the black", LEVEL, "K", "FIRST(B)"),
        *((2, "end ok"), (2, "end ok")),
        *((1, "five"), (1, "ten")),
    ),
    (
        ("a mistake", "", "=24", "UNDO"),
        *((1, "undo"), (1, "undo")),
        *((1, "undo"), (1, "undo")),
    ),
]
CASES = [
    pytest.param(row[0], keys, way, id=f"{row[0][0]}, {keys} keys")
    for row in ROWS
    for keys, way in zip((16, 12, 6, 4), row[1:], strict=True)
    if way is not None
]


@pytest.mark.parametrize(("row", "keys", "way"), CASES)
def test_the_presses_of_totals(
    row: tuple[str, str, str, str], keys: int, way: tuple[int, str]
) -> None:
    _, position, before, record = row
    presses, typed = way
    player = Player(shipped(f"snooker-totals-{keys}"), at("cbbs", position, before))
    player.press(typed)
    assert player.records == [record]
    assert len(typed.split()) == presses
    assert not player.grammar.typing


def test_a_number_that_cannot_be_is_refused_and_never_another_act() -> None:
    """Reds or a foul that were typed are not left out to make an act of the rest."""
    player = Player(shipped("snooker-totals-16"), at("cbbs", "reds=3"))
    assert isinstance(player.press("red pass brown end"), Refused)  # four reds of three
    player.press("undo")
    assert isinstance(player.press("black black foul end"), Refused)  # more than there is
    assert player.records == []
    player.press("undo red red foul end")
    assert player.records == ["[=11 FOUL(v=4,by=A)]"]


def test_a_match_by_visits_is_marked_to_its_end() -> None:
    """A frame by visits to the cleared table, one that is conceded, one by its figures."""
    player = Player(shipped("snooker-totals-12"), at("cbbs", ""))
    player.press("brown yellow end  yellow red end  pink black end  end  foul ok  red ok end")
    player.press("yellow black ok! end")
    frame = player.ledger.match.frame
    assert frame is not None
    assert frame.result is not None
    assert (frame.score, frame.result.winner) == ((136, 35), "A")
    player.press("ok  black end  menu yellow yellow ok  ok")
    player.press("menu ok red brown end blue foul yellow!")
    assert player.ledger.match.tally == ((2, 1),)


@pytest.mark.parametrize("keys", [4, 6, 12, 16])
@pytest.mark.parametrize("rulebook", BOOKS)
def test_some_key_always_helps(keys: int, rulebook: str) -> None:
    panel = f"snooker-totals-{keys}"
    usual = match_of(rulebook, "target=99")
    contexts = walked(panel, usual, lambda: match_of(rulebook, "target=1 reds=1", None), 12)
    for position, before in (("reds=2", "FOUL(miss,free)"), ("score=9/40", "=30"), (LEVEL, "K")):
        contexts |= walked(panel, usual, partial(at, rulebook, position, before), 8)
    assert {"play", "first", "choice.foul", "choice.draw"} <= contexts


def test_a_box_for_totals_plays_the_other_games_with_their_usual_keys() -> None:
    for keys in (4, 6, 12, 16):
        name = f"snooker-totals-{keys}"
        book = KeyBook(shipped_or_own(name), name, "cbbs", {})
        assert book.keymap("cbbs").layout.name == name
        assert book.keymap("ug").layout.name == f"carom-{keys}"
        assert book.keymap("wpa9").layout.name == f"pool-{keys}"
