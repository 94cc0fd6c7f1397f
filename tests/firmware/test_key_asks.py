"""What users asked of keys and of corrections, tried at a whole table: group A and B.

The number in a test's name is the row of docs/asked-for.md that it shows.
"""

import asyncio
import random
from collections.abc import Iterator
from itertools import chain, product

import msgspec
import pytest

from drivers.ports import Picture
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.i18n import load_language
from firmware.keys.bindings import NewMatch
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Meaning
from firmware.keys.moment import PLAY, MatchMoment
from firmware.snapshot import Tell
from firmware.table.guard import decides
from firmware.table.play import Play
from rules.errors import NotAllowed
from rules.frame import Visit
from rules.ledger import Ledger, after_all
from rules.match import Match, digest
from rules.position import split_fields
from rules.record import Control, Record, Setup, record_text
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Side
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.firmware.test_bursts import FORMATS

CASES = [
    pytest.param(path.stem, book, format_, id=f"{path.stem} {book}")
    for path in sorted(PANELS.glob("*.toml"))
    for book, format_ in FORMATS[path.stem.partition("-")[0]]
]
EN = load_language("en")
BOARDS = [load_layout(name) for name in ("32x8", "64x16")]
STEPS = 60


def pictures(rig: Rig) -> list[Picture]:
    """What small and large boards show, without the pixel for a press."""
    view = msgspec.structs.replace(rig.view, heard_ms=None, told=None)
    return [render(view, board, EN, rig.clock.ns // 1_000_000) for board in BOARDS]


def _own(match: Match, visit: Visit | None) -> int:
    """The score of who is at the table."""
    score = match.frame.score if match.frame is not None else None
    return score[visit.side.place] if score is not None and visit is not None else 0


def kinds(rig: Rig) -> dict[tuple[str, bool], str]:
    """What each key would do at once: score for who is at the table, end something, or neither."""
    match = rig.table.play.ledger.match
    found = {}
    for key, held in product(rig.keymap.layout.keys, (False, True)):
        meaning = rig.keymap.meaning(match, key, held=held)
        if meaning is None or isinstance(meaning, NewMatch | Control):
            continue
        try:
            after = after_all(match, meaning)
        except NotAllowed:
            continue
        scored = _own(match, match.visit) < _own(after, match.visit)
        found[key, held] = "scores" if scored else "ends" if decides(match, after) else "goes on"
    return found


def meant_by(rig: Rig) -> dict[tuple[str, bool], Meaning | None]:
    """What each key would enter at once."""
    match = rig.table.play.ledger.match
    return {
        (key, held): rig.keymap.meaning(match, key, held=held)
        for key, held in product(rig.keymap.layout.keys, (False, True))
    }


def walk(rig: Rig, seed: str) -> Iterator[str]:
    """Keys by chance, for ever; one in eight of them held."""
    chance = random.Random(seed)
    keys = list(rig.keymap.layout.keys)
    while True:
        yield chance.choice(keys) + "!" * (chance.random() < 0.125)


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_3_no_key_turns_from_scoring_to_ending_unless_the_board_looks_otherwise(
    panel: str, rulebook: str, format_: str
) -> None:
    """For each state that a walk comes to, what each key does, and what the boards show."""

    async def test(rig: Rig) -> None:
        before, looked, was_meant = kinds(rig), pictures(rig), meant_by(rig)
        undo = next(iter(sorted(rig.keymap.undo_keys)))
        # Who plays first is said, taken back and said again: scoring keys say it.
        begin = [key for key, held in before if not held][:1]
        keys = chain(begin, [undo], begin, walk(rig, f"{panel} {rulebook}"))
        for key, _ in zip(keys, range(STEPS), strict=False):
            await rig.press(key)
            now, looks = kinds(rig), pictures(rig)
            named = {label for label, _ in rig.view.keys}
            for gesture in before.keys() & now.keys():
                if {before[gesture], now[gesture]} == {"scores", "ends"}:
                    for board, was, is_ in zip(BOARDS, looked, looks, strict=True):
                        assert was != is_, f"{gesture} on {board.width}x{board.height}"
                if (before[gesture], now[gesture]) == ("scores", "ends"):
                    # What enters the same as before is named by its own label.
                    same = was_meant[gesture] == meant_by(rig)[gesture]
                    assert same or rig.keymap.label(gesture[0]) in named, gesture
            before, looked, was_meant = now, looks, meant_by(rig)

    on_table(test, lambda: Rig(new_play(rulebook, format_, first=None), panel=panel))


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_31_every_state_is_left_without_loss_by_the_panel_s_keys(
    panel: str, rulebook: str, format_: str
) -> None:
    """Dialogs, menus and set-ups by UNDO, and nothing is entered; a match waits for nothing that
    its keys cannot give."""

    async def test(rig: Rig) -> None:
        chance = random.Random(f"{panel} {rulebook}")
        undo = next(iter(sorted(rig.keymap.undo_keys)))
        oks = sorted(rig.keymap.ok_keys)
        left = set()
        for key, _ in zip(walk(rig, f"{rulebook} {panel}"), range(2 * STEPS), strict=False):
            if chance.random() < 0.05 and oks:
                rig.table.long_held("panel", oks[0])
                await settle()
            await rig.press(key)
            ledger = rig.table.play.ledger
            if rig.view.typed is not None or rig.view.ask is not None:
                if chance.random() < 0.4:
                    continue  # deeper into it
                before = digest(ledger.match)
                left.add("menu" if rig.view.ask is not None else "dialog")
                for _ in range(40):
                    if rig.view.typed is None and rig.view.ask is None:
                        break
                    await rig.press(undo)
                assert rig.view.typed is None
                assert rig.view.ask is None
                assert digest(rig.table.play.ledger.match) == before, "nothing was lost"
            moment = MatchMoment(ledger.match, ledger)
            if moment.context.partition(".")[0] != PLAY:
                left.add(moment.context)
            assert any(
                not rig.keymap.judged(moment, step).refused
                for key, held in product(rig.keymap.layout.keys, (False, True))
                if key not in rig.keymap.undo_keys
                for step in rig.keymap.steps(moment.context, key, held=held)
            ), f"no way on from {moment.context}"
        assert left & {"menu", "dialog"}

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


def test_16_a_time_out_is_the_same_from_every_device_and_command() -> None:
    """Play, a time-out, play again: one digest, whoever said it and how."""
    digests: dict[str, str] = {}
    records: dict[str, list[Record]] = {}

    def table() -> Rig:
        return Rig(new_play("wpa9", "race=3/3 clock=35"), panel="pool-12")

    async def by_keys(rig: Rig, device: str) -> None:
        await rig.press("money ok ok time b pot end", device=device)
        records[device] = rig.store.records[1:]
        digests[device] = rig.table.play.ledger.digest()

    async def by_command(rig: Rig) -> None:
        notation = rig.table.play.ledger.match.game.notation
        for record in records["panel"]:
            rig.clock.ns = rig.table.play.zero_ns + record.t_ms * 1_000_000
            text = record_text(record, notation)
            asked = {"id": f"d{record.seq}", "expect_seq": record.seq - 1, "act": text}
            answering = asyncio.create_task(rig.table.ask("enter", msgspec.json.encode(asked)))
            await settle()
            assert (await answering).error is None, text
        digests["mqtt"] = rig.table.play.ledger.digest()
        assert "TIMEOUT(B)" in [record_text(r, notation) for r in rig.store.records[1:]]

    for device in ("panel", "pad1", "numpad", "phone"):

        async def test(rig: Rig, device: str = device) -> None:
            await by_keys(rig, device)

        on_table(test, table)
    on_table(by_command, table)
    assert len(set(digests.values())) == 1, digests


def test_7_all_that_a_hall_wants_to_do_from_outside_has_a_command() -> None:
    """A point more and one less; the clock started, stopped, gone on, extended; begin anew."""

    async def test(rig: Rig) -> None:
        async def command(name: str, **fields: object) -> None:
            rig.clock.ns += 1_100_000_000
            ledger = rig.table.play.ledger
            asked = {"id": f"c{rig.clock.ns}", "expect_seq": ledger.seq, **fields}
            answering = asyncio.create_task(rig.table.ask(name, msgspec.json.encode(asked)))
            await settle()
            answer = await answering
            assert answer.error is None, (name, fields, answer)

        def score() -> object:
            frame = rig.table.play.ledger.match.frame
            assert frame is not None
            return frame.score

        def clock() -> object:
            line = rig.view.line
            assert line is not None
            assert line.clock is not None
            assert line.clock.shot is not None
            return line.clock.shot.running

        await command("enter", act="POT(1)")
        assert score() == (1, 0)
        await command("enter", act="ADJUST(score=0/0)")
        assert score() == (0, 0)
        await command("enter", act="START")
        assert clock() is True
        await command("pause", which="shot")
        assert clock() is False
        await command("resume", which="shot")
        assert clock() is True
        await command("enter", act="EXT(A)")
        await command("enter", act="UNDO")
        await command("enter", act="CONCEDE(B,match)")
        assert rig.table.play.ledger.match.ending is not None
        await command("enter", act="UNDO")
        await command("enter", act="POT(1)")
        await command("abandon")
        assert score() == (0, 0), "begun anew"

    def table() -> Rig:
        return Rig(new_play("wpa141", "target=20/20 clock=35"), panel="pool-12")

    on_table(test, table)


def test_33_a_win_on_the_ball_that_racks_again_is_shown_as_it_stands_and_undone() -> None:
    """14.1 to 28: the second re-rack and the end are one ball; undo goes back over both."""

    async def test(rig: Rig) -> None:
        await rig.press(["pot"] * 14)
        assert rig.view.line is not None
        await rig.press("undo")
        frame = rig.table.play.ledger.match.frame
        assert frame is not None
        position = frame.position()
        assert frame.score == (13, 0)
        await rig.press("pot")
        await rig.press("undo")
        frame = rig.table.play.ledger.match.frame
        assert frame is not None
        assert frame.position() == position, "the table before the re-rack"
        await rig.press(["pot"] * 15)
        assert rig.view.line is not None
        assert (rig.view.line.score, rig.score_phase()) == ((28, 0), "held")
        shown = digest(rig.table.play.ledger.match)
        frame = rig.table.play.ledger.match.frame
        assert frame is not None
        assert frame.score == (28, 0), "the last screen and the state agree"
        await rig.press("undo")
        assert rig.view.line.score == (27, 0)
        assert rig.score_phase() == "playing"
        await rig.press("pot")
        assert digest(rig.table.play.ledger.match) == shown
        await rig.press("ok")
        assert rig.view.line.score == (28, 0)
        assert rig.score_phase() == "over"

    on_table(test, lambda: Rig(new_play("wpa141", "target=28/28"), panel="pool-12"))


@pytest.mark.parametrize(
    ("how", "keys", "won"),
    [
        ("the last ball", "black", (1, 0)),
        ("a foul on the black", "foul ok", (1, 0)),
        ("a concession", "menu yellow yellow ok", (1, 0)),
        ("a concession after a change of player", "end menu yellow red ok", (0, 1)),
    ],
)
def test_34_a_frame_is_counted_once_and_for_who_has_more_in_all(
    how: str, keys: str, won: tuple[int, int]
) -> None:
    """B is at the table, 50-20 behind with the black alone: who has more wins, if he wants it."""
    at = "score=50/20 reds=0 colours=K turn=B"

    async def test(rig: Rig) -> None:
        await rig.press(keys)
        ledger = rig.table.play.ledger
        assert rig.score_phase() == "held", how
        assert ledger.match.tally == (won,), how
        await rig.press("end ok end end")
        assert ledger.match.tally == (won,), "a change of player counts nothing again"
        assert ledger.match.frame is not None
        assert ledger.match.frame.score == (0, 0), "the next frame"

    def table() -> Rig:
        setup = Setup("wpbsa", ((1,), (2,)), split_fields("target=3"), Side.A, split_fields(at))
        play = Play(
            "m1",
            Ledger(Record(0, setup), rulebook_of),
            (("Ana",), ("Bia",)),
            0,
            Record(0, setup),
        )
        return Rig(play, panel="snooker-16")

    on_table(test, table)


def test_43_nothing_stands_between_racks_but_ok_and_undo_says_what_it_takes_back() -> None:
    """No dialog blocks the next rack: OK racks, the first key plays; until then UNDO is named."""

    async def test(rig: Rig) -> None:
        await rig.press("money ok")
        assert rig.score_phase() == "held"
        assert (rig.view.typed, rig.view.ask) == (None, None)
        await rig.press("ok")
        line = rig.view.line
        assert line is not None
        assert (line.phase, rig.view.typed, rig.view.ask) == ("break", None, None)
        assert line.undo, "what UNDO would take back"
        await rig.press("pot")
        assert rig.view.told is None or rig.view.told.tell is not Tell.REFUSED
        assert rig.table.play.ledger.match.tally[0] == (1, 0)

    on_table(test, lambda: Rig(new_play("wpa9", "race=3/3"), panel="pool-12"))


def test_70_a_shot_has_the_same_time_whichever_way_the_match_began() -> None:
    """By configuration, a repeat and a set-up at the panel, a command, a mend, a match put away."""
    lengths: dict[str, int] = {}

    def note(rig: Rig, how: str) -> None:
        line = rig.view.line
        assert line is not None
        assert line.clock is not None
        assert line.clock.shot is not None
        lengths[how] = line.clock.shot.length_ms

    async def commanded(rig: Rig, name: str, **fields: object) -> None:
        asked = {"id": name, "expect_seq": rig.table.play.ledger.seq, **fields}
        answering = asyncio.create_task(rig.table.ask(name, msgspec.json.encode(asked)))
        await settle()
        assert (await answering).error is None

    async def test(rig: Rig) -> None:
        note(rig, "configuration")
        await commanded(rig, "mend", format="target=6/6")
        note(rig, "mend")
        await commanded(rig, "abandon")
        note(rig, "abandon")
        await commanded(rig, "start", rulebook="ug", a=["Ana"], b=["Bia"], first="A")
        note(rig, "start")

    on_table(test)

    async def at_the_panel(rig: Rig) -> None:
        await rig.press("end plus5 ok ok! ok")
        note(rig, "repeat at the panel")

    on_table(at_the_panel)
    for device in ("pad1", "numpad"):

        async def elsewhere(rig: Rig, device: str = device) -> None:
            await rig.press("end plus5 ok ok! ok", device=device)
            note(rig, f"repeat by {device}")

        on_table(elsewhere)
    assert set(lengths.values()) == {40_000}, lengths
