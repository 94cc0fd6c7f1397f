"""The match on the table put right from the panel: OK held for three seconds, and four keys."""

import asyncio
from pathlib import Path

import pytest

from drivers.ports import Press
from firmware.board.screens import direct
from firmware.cli.pad import ok_keys
from firmware.devices.gate import Gate
from firmware.i18n import language_codes
from firmware.keys.keybook import PANELS, shipped_or_own
from firmware.keys.keymap import NO_KEY
from firmware.setup.words import load_setup_words
from firmware.snapshot import Number, Question, Tell
from firmware.table.play import Play
from rules.errors import Code
from rules.ledger import Ledger
from rules.record import Record, Setup, record_text
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Side
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.firmware.room import Room, in_room

WORDS = load_setup_words("en")
ROLES = {
    "carom-6": "plus1 plus5 ok undo",
    "pool-12": "a b ok undo",
    "snooker-16": "red yellow ok undo",
}


async def menu(rig: Rig, keys: str, panel: str = "carom-6") -> int:
    """Open the menu and answer: `-` less, `+` more, `o` OK, `b` back; how many presses it took."""
    less, more, ok, back = ROLES[panel].split()
    rig.table.long_held("panel", ok)
    await settle()
    assert isinstance(rig.view.ask, Question)
    names = {"-": less, "+": more, "o": ok, "b": back}
    await rig.press([names[key] for key in keys])
    return 1 + len(keys)


def item(rig: Rig, forms: tuple[str, ...]) -> str:
    """The keys that lead to an item of the menu, from the nearer end."""
    assert isinstance(rig.view.ask, Question)
    at, count = rig.view.ask.choices.index(forms), len(rig.view.ask.choices)
    return "+" * at + "o" if at <= count // 2 else "-" * (count - at) + "o"


async def choose(rig: Rig, forms: tuple[str, ...], keys: str, panel: str = "carom-6") -> int:
    """Open the menu, choose an item and answer; how many presses it took in all."""
    opened = await menu(rig, "", panel)
    first = item(rig, forms)
    less, more, ok, back = ROLES[panel].split()
    names = {"-": less, "+": more, "o": ok, "b": back}
    await rig.press([names[key] for key in first + keys])
    return opened + len(first + keys)


def last_text(rig: Rig) -> str:
    ledger = rig.table.play.ledger
    return record_text(rig.store.records[-1], ledger.match.game.notation)


def test_ok_held_for_three_seconds_opens_it_and_another_key_does_not() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("ok!")  # the panel's own menu
        assert rig.view.typed is not None
        rig.table.long_held("panel", "end")
        await settle()
        assert rig.view.ask is None, "another key's three seconds"
        assert await menu(rig, "") == 1
        assert rig.table.view.typed is None, "what was typed is gone"
        await rig.press("undo")
        assert rig.table.view.ask is None
        assert rig.table.play.ledger.seq == 0

    on_table(test)


def test_a_score_is_set_with_a_reason_once_the_board_has_shown_it() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 plus1 end plus1")
        await choose(rig, WORDS.mend_score, "+o" + "o" + "+o")
        assert isinstance(rig.view.ask, Question)
        assert rig.view.ask.title[0] == "becomes 3-1 B?"
        assert rig.table.play.ledger.seq == 4, "nothing is entered yet"
        await rig.press("ok")
        assert last_text(rig) == "ADJUST(score=3/1,why=missed)"
        assert rig.score() == "3-1 in 1/0 playing"
        await rig.press("undo")
        assert rig.score() == "2-1 in 1/0 playing"

    on_table(test)


def test_what_is_not_confirmed_changes_nothing() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end")
        await choose(rig, WORDS.mend_score, "+o" + "o" + "o" + "+o")
        assert rig.view.ask is None
        assert rig.table.play.ledger.seq == 2

    on_table(test)


def test_an_old_inning_is_edited() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end end plus1 end plus1 end")
        presses = await choose(rig, WORDS.mend_inning, "o" + "o" + "+++o" + "o")
        assert rig.score() == "4-1 in 2/2 playing"
        assert presses <= 12
        assert rig.view.told is not None
        assert rig.view.told.tell is Tell.EDITED

    on_table(test)


def test_a_forgotten_change_of_player_is_put_right_by_an_empty_inning() -> None:
    """Ask 28: what was keyed for A belongs to B, and all that is counted counts anew."""

    async def test(rig: Rig) -> None:
        await rig.press("plus1 end plus1 plus1 end")  # A 1, and 2 that B is given were A's
        await choose(rig, WORDS.mend_empty, "+o" + "o" + "o")
        line = rig.view.line
        assert line is not None
        assert (line.score, line.figures.innings) == ((3, 0), (2, 1))
        assert line.turn is Side.B
        assert line.figures.averages is not None
        assert line.figures.averages[0] == "1.500"

    on_table(test)


def test_targets_are_mended_in_play() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end")
        await choose(rig, WORDS.mend_goal, "++o" + "-o" + "o")
        line = rig.view.line
        assert line is not None
        assert line.figures.targets == (7, 4)
        assert line.score == (1, 0)

    on_table(test)


@pytest.mark.parametrize(
    ("rulebook", "format_", "panel", "keys", "played"),
    [
        ("wpa9", "race=5/5", "pool-12", "+o" + "o" + "o", (6, 5)),
        ("cbbs", "target=3", "snooker-16", "+o" + "o", (4, 4)),
        ("wpa9", "played=5", "pool-12", "+o" + "o", (6, 6)),
    ],
)
def test_a_race_is_mended_in_play(
    rulebook: str, format_: str, panel: str, keys: str, played: tuple[int, int]
) -> None:
    async def test(rig: Rig) -> None:
        await choose(rig, WORDS.mend_goal, keys, panel)
        assert rig.view.line is not None
        assert next(iter(rig.view.line.to_win.values())) == played

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


def test_who_began_is_mended_where_the_set_up_or_an_entry_said_so() -> None:
    async def test(rig: Rig) -> None:
        asked = rig.table.play.ledger.match.frame is None
        if asked:
            await rig.press("plus1")  # A begins
        await rig.press("plus1 plus1 end plus1")
        await choose(rig, WORDS.mend_first, "+o" + "o")
        line = rig.view.line
        assert line is not None
        assert (line.score, line.opener) == ((1, 2), Side.B)

    on_table(test)
    on_table(test, lambda: Rig(new_play(first=None)))


def test_other_players_and_sides_swapped_are_in_the_record() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end")
        await choose(rig, WORDS.mend_sides, "")
        await settle()
        assert rig.view.line is not None
        assert rig.view.line.names == (("Bia",), ("Ana",))
        assert rig.view.line.score == (1, 0)
        await choose(rig, WORDS.mend_names, "++o" + "o")
        await settle()
        assert rig.view.line.names == (("Caio",), ("Ana",))
        setup = rig.table.play.ledger.line()[0].record.act
        assert isinstance(setup, Setup)
        assert setup.players == ((sum(map(ord, "Caio")),), (sum(map(ord, "Ana")),))

    on_table(test)


def test_partners_are_put_right_one_by_one() -> None:
    """The pair stays a pair, and who takes turns with whom is what is asked."""
    setup = Record(0, Setup("cbbs", ((1, 2), (3, 4)), (("target", "3"),), Side.A))
    pairs = Play("m1", Ledger(setup, rulebook_of), (("Ana", "Dora"), ("Eva", "Fia")), 0, setup)

    async def test(rig: Rig) -> None:
        await choose(rig, WORDS.mend_names, "o", "snooker-16")
        assert rig.view.ask is not None
        assert rig.view.ask.title == WORDS.partner_a
        await rig.press("yellow ok ok ok")  # Bia in Dora's place, the others as they are
        await settle()
        assert rig.view.line is not None
        assert rig.view.line.names == (("Ana", "Bia"), ("Eva", "Fia"))
        assert last_text(rig).startswith("[SPLICE(0,0,shift) SETUP(rulebook=cbbs")

    on_table(test, lambda: Rig(pairs, panel="snooker-16"))


def test_a_match_is_left_and_its_record_stays() -> None:
    async def test(rig: Rig) -> None:
        first = rig.table.play
        await rig.press("plus1 end plus1")
        await choose(rig, WORDS.abandon, "")
        assert isinstance(rig.view.ask, Question)
        assert rig.view.ask.title == WORDS.again
        await rig.press("ok")
        await settle()
        assert rig.table.play is not first
        assert first.ledger.seq == 3
        assert [record.seq for record in rig.store.records] == [0, 1, 2, 3, 0]

    on_table(test)


def test_the_last_entries_are_shown_at_once_for_five_seconds() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 plus1 end")
        refused = rig.table.refused
        await choose(rig, WORDS.last_entries, "")
        now_ms = rig.clock.ns // 1_000_000
        assert direct(rig.view, now_ms).name == "last"
        assert direct(rig.view, now_ms + 4999).name == "last"
        assert direct(rig.view, now_ms + 5001).name == "play"
        assert rig.table.refused == refused
        assert rig.view.line is not None
        assert [said.entry for said in rig.view.line.last] == ["/", "+1", "+1"]
        assert rig.view.line.undo == "/"

    on_table(test)


def test_what_the_rules_refuse_is_told_and_asked_on() -> None:
    """Whoever goes on with the answer must not enter his keys in play."""

    async def test(rig: Rig) -> None:
        await rig.press("plus1 end")
        await choose(rig, WORDS.mend_inning, "+o")  # B has had no inning
        assert rig.view.told is not None
        assert (rig.view.told.tell, rig.view.told.code) == (Tell.REFUSED, Code.NO_SUCH_INNING)
        assert direct(rig.view, rig.clock.now_ns() // 1_000_000).name == "refused"
        assert isinstance(rig.view.ask, Question)
        await rig.press("plus5 plus5 plus5")
        assert rig.table.play.ledger.seq == 2, "they turn the answer"
        await rig.press("undo undo")
        assert rig.view.ask is None

    on_table(test)


def test_only_an_inning_that_was_played_is_asked_for_and_the_last_stands_ready() -> None:
    async def test(rig: Rig) -> None:
        await rig.press("plus1 end plus5 end " * 3)
        await choose(rig, WORDS.mend_inning, "o")
        assert isinstance(rig.view.ask, Number)
        assert (rig.view.ask.digits, rig.view.ask.most) == ("3", 3)
        await rig.press("ok plus5 plus5 ok")
        assert isinstance(rig.view.ask, Question)
        assert rig.view.ask.title[0] == "becomes 4-15 A?"

    on_table(test, lambda: Rig(new_play("ug", "target=40/40")))


@pytest.mark.parametrize("code", language_codes())
def test_every_language_has_its_words(code: str) -> None:
    words = load_setup_words(code)
    assert all("{text}" in form for form in words.becomes)


def test_a_locked_panel_opens_nothing_and_an_unlocked_one_asks() -> None:
    async def test(rig: Rig) -> None:
        gate = Gate(
            rig.table, rig.clock, lock="end", off="", on_off=lambda: None, answer=lambda *_: None
        )
        gate.long_held("panel", "end")
        gate.long_held("panel", "ok")
        await settle()
        asked = [rig.table.view.ask]
        gate.long_held("panel", "end")
        gate.long_held("panel", "ok")
        await settle()
        asked.append(rig.table.view.ask)
        assert [one and one.title for one in asked] == [None, WORDS.menu]

    on_table(test)


@pytest.mark.parametrize(
    ("rulebook", "panel"), [("ug", "carom-6"), ("cbbs", "snooker-16"), ("wpa9", "pool-12")]
)
def test_match_time_and_a_late_clock_are_set_and_run_from_the_menu(
    rulebook: str, panel: str
) -> None:
    """An hour of match, 45 s a shot, 30 s when a quarter of an hour remains: on every panel."""

    async def answer(rig: Rig, wanted: int) -> int:
        less, more, ok, _ = ROLES[panel].split()
        presses = 1
        while (now := int(rig.view.ask.digits)) != wanted:  # type: ignore[union-attr]
            await rig.press(more if now < wanted else less)
            presses += 1
        await rig.press(ok)
        return presses

    async def test(rig: Rig) -> None:
        ok = ROLES[panel].split()[2]
        presses = await choose(rig, WORDS.clocks, "", panel)
        for wanted in (45, 60, 15, 30):
            presses += await answer(rig, wanted)
        await rig.press(ok)  # yes
        assert presses + 1 <= 40
        assert "clock=45" in last_text(rig)
        await choose(rig, WORDS.match_time, "o", panel)
        assert last_text(rig) == "START(match)"
        line = rig.view.line
        assert line is not None
        assert line.clock is not None
        assert line.clock.match is not None
        assert (line.clock.match.running, line.clock.match.length_ms) == (True, 3_600_000)
        await choose(rig, WORDS.match_time, "o", panel)
        assert last_text(rig) == "PAUSE(match)"
        await choose(rig, WORDS.match_time, "o", panel)
        assert last_text(rig) == "RESUME(match)"

    on_table(test, lambda: Rig(new_play(rulebook, ""), panel=panel))


def test_without_match_time_the_menu_has_no_word_of_it() -> None:
    async def test(rig: Rig) -> None:
        await menu(rig, "")
        assert isinstance(rig.view.ask, Question)
        assert WORDS.match_time not in rig.view.ask.choices
        assert WORDS.clocks in rig.view.ask.choices

    on_table(test)


@pytest.mark.parametrize("panel", sorted(path.stem for path in PANELS.glob("*.toml")))
def test_every_panel_pad_keypad_and_phone_can_ask_about_the_match(panel: str) -> None:
    """By its gestures a panel or USB keypad, a pad and a phone by a press that says so."""
    rulebook = {"carom": "ug", "snooker": "cbbs", "pool": "wpa9"}[panel.partition("-")[0]]

    async def test(rig: Rig) -> None:
        (key,) = rig.keymap.ok_keys if len(rig.keymap.ok_keys) == 1 else [ok_keys(layout)[0]]
        number = 0
        for device in ("pad1", "phone"):
            for pressed in (key, next(one for one in layout.keys if one not in rig.keymap.ok_keys)):
                number += 1
                press = Press(device, number, pressed, held=True, t_ns=rig.clock.ns, long=True)
                rig.table.pressed(press)
                await settle()
                asked = rig.view.ask is not None and rig.view.ask.title == WORDS.menu
                assert asked is (pressed == key), pressed
                refused = rig.view.told is not None and rig.view.told.code == NO_KEY
                assert refused is (pressed != key), "who presses is told"
                rig.clock.ns += 61_000_000_000
                await rig.press("none")  # a minute without an answer: nothing is asked any more
        for device in ("panel", "numpad"):
            rig.table.long_held(device, key)
            await settle()
            assert rig.view.ask is not None
            rig.clock.ns += 61_000_000_000
            await rig.press("none")

    layout = shipped_or_own(panel)
    assert set(ok_keys(layout)) == Rig(new_play(rulebook, ""), panel=panel).keymap.ok_keys
    on_table(test, lambda: Rig(new_play(rulebook, ""), panel=panel))


def test_another_language_is_chosen_at_the_panel_and_asks_the_next_question(
    tmp_path: Path,
) -> None:
    async def test(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: view.line is not None)
        for language, keys in (("pt", "plus1 plus1 plus1 ok plus5 ok"), ("en", "undo")):
            words = load_setup_words(language)
            await room.finger.press("ok", 3100)
            await room.until(lambda view: view.ask is not None)
            ask = room.views[-1].ask
            assert isinstance(ask, Question)
            assert (ask.title, ask.choices[-3]) == (words.menu, words.language)
            for key in keys.split():
                before = room.views[-1].ask
                await room.finger.press(key)
                await room.until(lambda view, before=before: view.ask != before)  # type: ignore[misc]
            await room.until(lambda view: view.ask is None)

    in_room(lambda: Room(tmp_path), test)
