"""Real matches key by key: mock pins, rules, pictures, journal on disk, a real broker."""

import asyncio
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.fakes import Finger, KeptDisplay
from drivers.gestures import Timing
from firmware.app import TableApp
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.clock import SystemClock
from firmware.config.config import BrokerSettings, Config, MatchConfig, panel_of
from firmware.demo.presses import presses_of
from firmware.hardware import mqtt_broker
from firmware.i18n import load_language
from firmware.journal.journal import Journal
from firmware.keys.keymap import Keymap
from firmware.parts import Parts
from firmware.snapshot import View
from firmware.table.guard import GuardTiming
from firmware.table.matches import refolded
from firmware.table.table import Table
from rules.carom.words import NOTATION
from rules.match import digest
from rules.position import join_fields
from rules.replay import replay
from rules.rulebooks import family_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Expect, Sheet
from tests.firmware.hall import listening
from tests.mosquitto import Mosquitto
from tests.rules.waiting import all_sheets, waits_for
from tests.started import started

# People's times divided by fifty, but for the hold: however busy the machine, a tap stays a tap.
TIMING = Timing(
    confirm_ms=0.5, idle_ms=1, same_key_ms=2, hold_ms=60_000, long_ms=60_000, stuck_ms=120_000
)
GUARD = GuardTiming(same_press_ms=12, burst_gap_ms=8, burst_most_ms=60)
TAP_S, GAP_S = 0.002, 0.014
SAME_KEY_GAP_S = 0.026
"""Between presses of one key: forty a second are no finger's but a loose wire's."""

NOT_BY_KEY = {"match:CA-47"}
"""Bank shots of two points are behind a menu of the six keys: tests of the carom panels type it."""

MATCHES = [
    sheet
    for sheet in all_sheets()
    if sheet.id.startswith("match:")
    and family_of(sheet.setup.rulebook) == "carom"  # the panel is the six keys of carom
    and sheet.id not in NOT_BY_KEY
    and waits_for(sheet) is None
    and not sheet.setup.at  # a panel does not start in the middle
]


async def entered(table: Table, number: int) -> None:
    """Wait until a press has made this record, as who presses reads what came of it.

    Where the machine is late, the next press would else be one of a burst that an end stops.
    """
    async with asyncio.timeout(30):
        while table.play.ledger.seq < number:  # noqa: ASYNC110 - in real time, as a person looks
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("sheet", [pytest.param(sheet, id=sheet.id) for sheet in MATCHES])
def test_the_match_key_by_key(sheet: Sheet, mosquitto: Mosquitto, tmp_path: Path) -> None:
    config = Config(
        schema=1,
        language="en",
        journal=str(tmp_path / "journal.db"),
        match=MatchConfig(
            rulebook=sheet.setup.rulebook,
            format=join_fields(sheet.setup.format),
            a=sheet.names[0] or ("A",),
            b=sheet.names[1] or ("B",),
            first=sheet.setup.first or "",
        ),
        broker=BrokerSettings(host="127.0.0.1", port=mosquitto.port),
    )
    pins, display = MockFactory(), KeptDisplay(64, 16)
    keymap = Keymap(panel_of(config.panel), NOTATION)
    presses = list(presses_of(sheet, keymap, rulebook_of))
    expected = replay(sheet, rulebook_of)

    async def run() -> View:
        app = TableApp(
            config,
            Parts(
                clock=SystemClock(),
                display=lambda: display,
                pins=lambda: pins,
                broker=mqtt_broker(config),
                timing=TIMING,
                guard=GUARD,
            ),
        )
        table = await started(app)
        finger = Finger(pins, keymap.wiring())
        async with listening(mosquitto) as hall:
            assert app.table is not None
            last = ""
            for number, press in enumerate(presses, 1):
                await asyncio.sleep(SAME_KEY_GAP_S if press.key == last else GAP_S)
                last = press.key
                finger.down(press.key)
                await asyncio.sleep(TAP_S)
                finger.up(press.key)
                await entered(app.table, number)
            await hall.until(
                lambda heard: (
                    bool(heard.of("state")) and heard.of("state")[-1]["seq"] == len(presses)
                ),
                within_s=30,
            )
            assert app.table.refused == 0
            line = expected.scoreline()
            state = hall.of("state")[-1]
            assert tuple(state["score"]) == line.score
            assert tuple(state["figures"]["innings"]) == line.figures.innings
            assert tuple(state["figures"]["averages"]) == line.figures.averages
            await asyncio.sleep(0.2)
            view = app.table.view
        app.stop()
        await table
        return view

    view = asyncio.run(run())
    picture = render(view, load_layout("64x16"), load_language("en"), 0)
    assert any(picture.rows)
    assert len(display.pictures) > len(presses) // 2
    journal, damage = Journal.open(config.journal)
    assert damage is None
    row = journal.unfinished()
    assert row is not None
    ledger = refolded(row, journal.records(row.id), {})
    journal.close()
    assert ledger.seq == len(presses)
    frame, wanted = ledger.match.frame, expected.ledger.match.frame
    assert frame is not None
    assert wanted is not None
    assert (frame.score, ledger.match.result) == (wanted.score, expected.ledger.match.result)
    assert digest(ledger.match)


def test_there_are_real_matches() -> None:
    assert "match:CA-16" in {sheet.id for sheet in MATCHES}
    assert all(any(isinstance(step, Expect) for step in sheet.body) for sheet in MATCHES)
