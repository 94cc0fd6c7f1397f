"""Recovery drills: an interrupted match goes on as it stood, and somebody counts the presses."""

import asyncio
from typing import Any

import msgspec
import pytest

from firmware.cli.pad import ok_keys
from firmware.keys.grammar import SAME_PRESS
from firmware.keys.keybook import shipped_or_own
from firmware.setup.next_match import digits_of, roles_of
from firmware.setup.questions import MOST, Amount, Asking, Role
from firmware.snapshot import Number, Question, Tell
from rules.match import Match
from rules.position import join_fields
from rules.sides import Side
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.rules.play import enter
from tests.setup.test_match_menu import WORDS, choose, item, menu

PRESS_S = 0.8
"""What a press takes somebody who reads the board before each."""

MATCHES = {
    "snooker deep in a frame": (
        "cbbs",
        "target=5",
        "CONCEDE(B) OK CONCEDE(A) OK R K R U / FOUL(hit=U) R G",
    ),
    "eight-ball at 3-2": ("fpb8", "race=7/7", "AWARD(A) OK " * 3 + "AWARD(B) OK AWARD(B) OK"),
    "14.1 in the second rack": ("wpa141", "target=100/100", "POT(1) " * 14 + "/ FOUL POT(1)"),
    "carom at 18-11": ("ug", "target=40/40", "=5 =3 =0 =8 =13 =0"),
    "carom in the second set": ("s15", "target=15/15", "=15 OK =4 =0 =7 =2"),
}


def standing(match: Match) -> tuple[Any, ...]:
    """What a person would write down of a match before the power goes."""
    frame = match.frame
    assert frame is not None
    return match.tally, frame.score, frame.figures(), match.actor


def note(match: Match) -> tuple[str, Side]:
    """A match as the position of one command, and who plays first in the frame that goes on."""
    frame = match.frame
    assert frame is not None
    levels = zip(match.levels, match.tally, strict=True)
    counted = [(level.name, f"{won[0]}/{won[1]}") for level, won in levels if any(won)]
    return join_fields((*counted, *frame.position())), frame.opener


@pytest.mark.parametrize("which", MATCHES)
def test_one_command_puts_a_whole_match_back(which: str) -> None:
    """Ask 40: what took two minutes elsewhere."""
    rulebook, format_, entries = MATCHES[which]
    lost = enter(new_play(rulebook, format_).ledger, entries).match
    at, first = note(lost)

    async def test(rig: Rig) -> None:
        asked = {
            "id": "drill",
            "expect_seq": rig.table.play.ledger.seq,
            "rulebook": rulebook,
            "format": format_,
            "a": ["Ana"],
            "b": ["Bia"],
            "first": first,
            "at": at,
        }
        answering = asyncio.create_task(rig.table.ask("start", msgspec.json.encode(asked)))
        await settle()
        assert (await answering).error is None
        back = rig.table.play.ledger.match
        assert (back.tally, back.actor) == (lost.tally, lost.actor)
        assert back.frame is not None
        assert lost.frame is not None
        assert back.frame.position() == lost.frame.position()
        assert back.frame.score == lost.frame.score

    on_table(test)


def test_a_panel_alone_puts_a_score_back_within_a_minute() -> None:
    """No network, another table: the same set-up again, then the score; counted press by press."""

    async def test(rig: Rig) -> None:
        await rig.press("end plus5 ok ok!")  # over by now: A has passed, B has won in one
        presses = 2
        await rig.press("ok")
        await settle()
        presses += await choose(rig, WORDS.mend_score, "++o" + "+o" + "o" + "o")
        line = rig.view.line
        assert line is not None
        assert line.score == (2, 1)
        assert presses <= 12
        assert presses * PRESS_S < 60

    on_table(test)


def test_numbers_grow_faster_so_that_no_score_takes_a_minute() -> None:
    async def test(rig: Rig) -> None:
        await menu(rig, "")
        await choose_target(rig, 147)

    on_table(test, lambda: Rig(new_play("3c", "target=200/200")))


async def choose_target(rig: Rig, score: int) -> None:
    """Count the presses to a number from 0, as somebody does who does not know the way."""
    await rig.press(["plus5" if key == "+" else "ok" for key in item(rig, WORDS.mend_score)])
    presses = 0
    while (now := int(rig.view.ask.digits)) != score:  # type: ignore[union-attr]
        await rig.press("plus5" if now < score else "plus1")
        presses += 1
        assert presses <= 30
    assert presses * PRESS_S < 30


STANDS = {
    "carom at 18-11 in 7": ("carom", "ug", "target=40/40", (18, 11, 7, 7)),
    "snooker at 2-1, 45-32": ("snooker", "cbbs", "target=5", (2, 1, 45, 32)),
    "nine-ball at 5-3": ("pool", "wpa9", "race=9/9", (5, 3)),
    "14.1 at 63-58": ("pool", "wpa141", "target=100/100", (63, 58)),
}
"""A match as somebody wrote it down, and the numbers in the order in which they are asked."""

PRESSES = {
    # on a USB keypad with ten digits, on a panel whose labels are digits, with less and more
    "carom at 18-11 in 7": (10, 10, 17),
    "snooker at 2-1, 45-32": (10, None, 24),
    "nine-ball at 5-3": (6, None, 12),
    "14.1 at 63-58": (8, None, 18),
}
"""As docs/panels.md has them."""


COUNTED = [
    (which, by, presses)
    for which, counts in PRESSES.items()
    for by, presses in zip(("numpad", "labels", "steps"), counts, strict=True)
    if presses is not None  # only carom has a panel with digits on its labels
]


@pytest.mark.parametrize(("which", "by", "counted"), COUNTED)
def test_the_presses_that_put_a_match_back(which: str, by: str, counted: int) -> None:
    """Ask 40: at a table that knows nothing of it, OK held counts as one."""
    family, rulebook, format_, numbers = STANDS[which]
    panel = f"{family}-6" if by == "steps" else f"{family}-16"
    device = "numpad" if by == "numpad" else "panel"

    async def test(rig: Rig) -> None:
        ok = ok_keys(shipped_or_own(panel))[0]
        rig.table.long_held(device, ok)
        await settle()
        presses = 1
        await rig.press(ok, device=device)  # `at a score` stands first
        presses += 1
        for number in numbers:
            typed = keys_to(rig, number, device)
            asked = rig.view.ask
            await rig.press(typed, device=device)
            presses += len(typed)
            if same_question(asked, rig.view.ask):
                await rig.press(taking(rig, device), device=device)
                presses += 1
        await rig.press(ok, device=device)  # yes
        presses += 1
        line = rig.view.line
        assert line is not None
        assert rig.view.ask is None
        assert rig.view.told is None or rig.view.told.tell is Tell.EDITED, rig.view.told
        won = next(iter(line.tally.values()), ())
        stood = " ".join(map(str, (*won, *(line.score or ()), *(line.figures.innings or ()))))
        assert " ".join(map(str, numbers)) in stood
        assert presses == counted

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


def keys_to(rig: Rig, number: int, device: str) -> list[str]:
    """The fewest keys that bring the number that is asked for to this one."""
    digits = digits_of(rig.keymap, keypad=device == "numpad")
    ask = rig.view.ask
    assert isinstance(ask, Number)
    if digits:
        keys = {digit: key for key, digit in digits.items()}
        return [] if ask.digits == str(number) else [keys[int(sign)] for sign in str(number)]
    names = {role: key for key, role in roles_of(rig.keymap).items()}
    names |= {Role.TEN_MORE: f"{names[Role.OK]}!", Role.TEN_LESS: f"{names[Role.BACK]}!"}
    least, most = ask.least or 0, ask.most or MOST
    ways: dict[tuple[int, int, Role], list[Role]] = {(int(ask.digits), 0, Role.OK): []}
    while True:
        further: dict[tuple[int, int, Role], list[Role]] = {}
        for (at, run, turned), way in ways.items():
            if at == number:
                return [names[role] for role in way]
            for role in (Role.LESS, Role.MORE, Role.TEN_MORE, Role.TEN_LESS):
                trial = Amount[None]((), lambda _: None, at, least=least, most=most)
                asking = Asking[None](trial)
                asking._run, asking._turned = run, turned
                asking.press(role)
                state = (trial.at, asking._run, role)
                further.setdefault(state, [*way, role])
        ways = further


def same_question(before: Question | Number | None, now: Question | Number | None) -> bool:
    """Whether it is still asked, whatever is typed."""
    return before is not None and now is not None and before.title == now.title


def taking(rig: Rig, device: str) -> str:
    """The key that takes a number."""
    if device == "numpad":
        return next(name for name, key in rig.keymap.layout.keys.items() if key.code == "enter")
    return next(key for key, role in roles_of(rig.keymap).items() if role is Role.OK)


def test_a_number_is_typed_corrected_and_kept_within_its_bounds() -> None:
    async def test(rig: Rig) -> None:
        def stands() -> str:
            assert isinstance(rig.view.ask, Number)
            return rig.view.ask.digits

        await choose(rig, WORDS.mend_goal, "", "snooker-16")
        await rig.press("white", device="numpad")
        assert stands() == "0"
        await rig.press(taking(rig, "numpad"), device="numpad")
        assert stands() == "1", "no match goes to no frames: it is asked again"
        await rig.press("red yellow green pink", device="numpad")
        assert stands() == "123", "more than there can be is left out"
        await rig.press("undo", device="numpad")
        assert stands() == "12"
        await rig.press("yellow", device="panel")
        assert stands() == "13", "the panel beside it steps: it has no digits printed on it"
        await rig.press("undo undo", device="numpad")
        assert rig.view.ask is None, "back beyond the number, and out of the menu"

    on_table(test, lambda: Rig(new_play("cbbs", "target=5"), panel="snooker-16"))


def test_ok_for_a_number_that_its_last_digit_took_is_told_and_takes_no_other() -> None:
    """Who types and presses OK by habit must not have said 0 to what is asked next."""

    async def test(rig: Rig) -> None:
        await menu_of_sixteen(rig)
        await rig.press("d1 d8")
        assert number(rig).title == WORDS.has_b, "no digit can follow: 40 is the target"
        await rig.press("ok")
        assert number(rig).title == WORDS.has_b
        assert rig.view.told is not None
        assert (rig.view.told.tell, rig.view.told.code) == (Tell.IGNORED, SAME_PRESS)
        await rig.press("ok", every_ms=2000)
        assert number(rig).title == WORDS.innings_a, "after a while it is 0 that is meant"
        await rig.press("d3 ok ok ok")
        assert rig.score() == "18-0 in 3/3 playing"

    on_table(test, lambda: Rig(new_play("ug", "target=40/40"), panel="carom-16"))


def test_ok_and_undo_held_are_ten_more_and_ten_less() -> None:
    async def test(rig: Rig) -> None:
        await menu(rig, "o")
        await rig.press("ok! ok! ok! undo!")
        assert number(rig).digits == "20"
        await rig.press("plus1 plus1")
        assert number(rig).digits == "18"
        await rig.press("ok undo!")
        assert number(rig).digits == "31", "below 0 of 40 comes the most there can be"
        await rig.press("undo")
        assert number(rig).digits == "18"

    on_table(test, lambda: Rig(new_play("ug", "target=40/40")))


def number(rig: Rig) -> Number:
    """The number that is asked for."""
    assert isinstance(rig.view.ask, Number)
    return rig.view.ask


def test_on_a_box_whose_labels_are_digits_a_number_is_typed_too() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok! d3 d5")
        assert not asking(rig), "in play they are what they are"
        await rig.press("undo undo")
        await menu_of_sixteen(rig)
        await rig.press("d1 d8 ok d1 d1 ok d7 ok ok")
        assert isinstance(rig.view.ask, Question)
        assert rig.view.ask.title[0] == "becomes 18-11 A?"

    on_table(test, lambda: Rig(new_play("ug", "target=40/40"), panel="carom-16"))


@pytest.mark.parametrize(("innings", "turn"), [("7/6", Side.B), ("7/7", Side.A)])
def test_who_has_had_an_inning_less_is_at_the_table(innings: str, turn: Side) -> None:
    async def test(rig: Rig) -> None:
        await menu_of_sixteen(rig)
        a, _, b = innings.partition("/")
        await rig.press(["d9", "ok", "d8", "ok", f"d{a}", "ok", f"d{b}", "ok", "ok"])
        line = rig.view.line
        assert line is not None
        assert (line.score, line.figures.innings, line.turn) == ((9, 8), (int(a), int(b)), turn)

    on_table(test, lambda: Rig(new_play("ug", "target=40/40"), panel="carom-16"))


def asking(rig: Rig) -> bool:
    """Whether something is asked."""
    return rig.view.ask is not None


async def menu_of_sixteen(rig: Rig) -> None:
    """At the first question of a match that goes on at a score."""
    rig.table.long_held("panel", "ok")
    await settle()
    await rig.press("ok")
