"""The same presses by panel, pad, keypad and command make the same match, in every game."""

import asyncio
import itertools
import random
from dataclasses import dataclass

import msgspec
import pytest

from drivers.pad_protocol import Hello, KeyFrame
from firmware.config.config import PadConfig
from firmware.devices.gate import Gate
from firmware.devices.pads import Pads
from firmware.devices.signals import Signal, Signals
from firmware.keys.keybook import PANELS
from firmware.keys.moment import MatchMoment
from firmware.mqtt.health import Health
from firmware.mqtt.messages import Status
from firmware.snapshot import Tell
from rules.errors import NotAllowed
from rules.record import record_text
from tests.firmware.pad_rig import Host, Line, Words
from tests.firmware.rig import Rig, new_play, on_table, settle
from tests.firmware.typist import Player, match_of, shipped

GAMES = {
    "carom": [("ug", "target=4/4"), ("s15", "target=5/5")],
    "snooker": [("cbbs", "target=2 reds=6"), ("wpbsa", "target=1")],
    "pool": [("wpa9", "race=3/3"), ("wpa8", "race=2/2"), ("fpb141", "target=30/30")],
}
CASES = [
    pytest.param(path.stem, book, format_, id=f"{path.stem} {book}")
    for path in sorted(PANELS.glob("*.toml"))
    for book, format_ in GAMES[path.stem.partition("-")[0]]
]
PRESSES = 400


@dataclass(frozen=True)
class Pressed:
    """One press of a walk: when on the rig's clock, which key, whether held."""

    t_ns: int
    key: str
    held: bool


def walk(rig: Rig, seed: str) -> list[Pressed]:
    """Presses by chance, at the pace of people."""
    chance = random.Random(seed)
    keys = list(rig.keymap.layout.keys)
    t_ns, presses = rig.clock.ns, []
    for _ in range(PRESSES):
        t_ns += chance.choice((250, 450, 700, 1200, 1500, 2600)) * 1_000_000
        presses.append(Pressed(t_ns, chance.choice(keys), chance.random() < 0.2))
    return presses


def played(panel: str, rulebook: str, format_: str, how: str) -> tuple[str, list[str], Rig]:
    """The match that a walk makes on one path: its digest, its records, the table."""
    rig = Rig(new_play(rulebook, format_), panel=panel)

    async def test(rig: Rig) -> None:
        gate = Gate(
            rig.table, rig.clock, lock="", off="", on_off=lambda: None, answer=lambda *_: None
        )
        pads = Pads(
            [(PadConfig(name="pad1", serial="/dev/null"), rig.keymap)],
            gate,
            host=Host(),
            words=Words(),
            clock=rig.clock,
            on_status=lambda _: None,
        )
        pads.framed(Line(), Hello("pad1", "aaaa", 0, None), rig.clock.ns)
        first = rig.table.play
        for number, press in enumerate(walk(rig, f"{panel} {rulebook}"), 1):
            rig.clock.ns = press.t_ns
            if how == "pad":
                age_ms = number % 3 * 40
                rig.clock.ns += age_ms * 1_000_000
                frame = KeyFrame("pad1", "aaaa", number, press.key, press.held, age_ms, None)
                for _ in range(2):  # sent again before it is answered
                    pads.framed(Line(), frame, rig.clock.ns)
                rig.clock.ns = press.t_ns
            else:
                rig.tap(press.key + "!" * press.held, device=how)
            await settle()
            if rig.table.play is not first:
                rig.table.play = first  # another match is another matter
                break

    on_table(test, lambda: rig)
    ledger = rig.table.play.ledger
    del rig.store.records[ledger.seq + 1 :]
    notation = ledger.match.game.notation
    records = [record_text(record, notation) for record in rig.store.records]
    return rig.table.play.ledger.digest(), records, rig


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_panel_pad_and_keypad_make_the_same_match(panel: str, rulebook: str, format_: str) -> None:
    usual, records, _ = played(panel, rulebook, format_, "panel")
    assert len(records) > 10, "something was played"
    for how in ("pad", "numpad"):
        digest, other, _ = played(panel, rulebook, format_, how)
        assert other == records, how
        assert digest == usual, how


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_commands_make_the_same_match(panel: str, rulebook: str, format_: str) -> None:
    usual, texts, pressed = played(panel, rulebook, format_, "panel")
    records = pressed.store.records

    async def test(rig: Rig) -> None:
        for record, text in zip(records[1:], texts[1:], strict=True):
            rig.clock.ns = record.t_ms * 1_000_000
            asked = {"id": f"d{record.seq}", "expect_seq": record.seq - 1, "act": text}
            answering = asyncio.create_task(rig.table.ask("enter", msgspec.json.encode(asked)))
            await settle()
            assert (await answering).error is None, text
        assert rig.table.play.ledger.digest() == usual

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


@pytest.mark.parametrize("device", ["panel", "pad1", "numpad", "phone"])
def test_a_refused_press_of_any_device_is_told_and_counted(device: str) -> None:
    """Ask 5: with each source in turn."""
    told: list[Status] = []

    async def test(rig: Rig) -> None:
        health, signals = Health("1", 1, lambda status, _: told.append(status)), Signals()
        for count, key in enumerate(("ok", "undo", "ok"), 1):
            await rig.press(key, device=device)
            assert rig.table.refused == count
            assert rig.view.told is not None
            assert rig.view.told.tell in (Tell.REFUSED, Tell.IGNORED)
            health.seen(rig.view, rig.table.refused)
            assert told[-1].refused == count
            playing = signals.seen(rig.view, rig.clock.ns // 1_000_000)
            assert Signal.REFUSED in playing.lamps
            assert playing.beeps

    on_table(test)


@pytest.mark.parametrize(
    ("panel", "rulebook", "format_"),
    [
        ("carom-6", "ug", "target=9/9"),
        ("snooker-16", "cbbs", "target=9"),
        ("pool-12", "wpa9", "race=9/9"),
    ],
)
def test_ten_thousand_presses_with_undo_leave_a_way_on_each_time(
    panel: str, rulebook: str, format_: str
) -> None:
    """Ask 15: three in ten are UNDO, and after each press some key still does something."""
    chance = random.Random(panel)
    player = Player(shipped(panel), match_of(rulebook, format_))
    keys, (undo, *_) = list(player.keymap.layout.keys), sorted(player.keymap.undo_keys)
    useful = itertools.cycle(keys)
    for _ in range(10_000):
        key = undo if chance.random() < 0.3 else chance.choice(keys)
        player.press([key + "!" * (key != undo and chance.random() < 0.2)])
        if player.grammar.typing:
            continue
        for candidate in itertools.islice(useful, len(keys)):
            if acts(player, candidate, held=False) or acts(player, candidate, held=True):
                break
        else:
            raise AssertionError(f"no key does anything in {player.moment.context}")


def acts(player: Player, key: str, *, held: bool) -> bool:
    """Whether a key would do something other than undo."""
    keymap, moment = player.keymap, player.moment
    assert isinstance(moment, MatchMoment)
    if key in keymap.undo_keys:
        return False
    step = keymap.chosen(moment, keymap.steps(moment.context, key, held=held))
    try:
        return step is not None and not keymap.judged(moment, step).refused
    except NotAllowed:
        return False
