"""A whole table in a process of its own, with mock pins that the test presses by line.

Started as `python -m tests.e2e.table_process JOURNAL PORT [SERIAL]`: behind SERIAL is a pad.
Reads commands: `press KEY [KEY …]`, `look`, `state`, `left` (on the shot clock, and at which moment
of the machine's monotonic clock), `stop`, `hang`, with which judging the next press never ends, and
`stall N`, with which the commit of record N never comes back. Writes one JSON line for each record
that is on disk, for each `look`, `state` and `left`, and when a commit stalls.
"""

import asyncio
import ctypes
import faulthandler
import json
import os
import sys
import time
from typing import Any

from gpiozero.pins.mock import MockFactory

from drivers.fakes import Finger, KeptDisplay
from drivers.gestures import Timing
from firmware.app import TableApp
from firmware.board.config import BoardConfig
from firmware.board.layout import load_layout
from firmware.board.render import render
from firmware.clock import SystemClock
from firmware.config.config import (
    BrokerSettings,
    Config,
    MatchConfig,
    PadConfig,
    PanelConfig,
    panel_of,
)
from firmware.hardware import mqtt_broker
from firmware.i18n import load_language
from firmware.journal.journal import Journal
from firmware.journal.schema import Row
from firmware.keys.keymap import Keymap
from firmware.parts import Parts
from firmware.snapshot import View
from firmware.systemd import Systemd
from firmware.table.guard import GuardTiming
from rules.rulebooks import notation_of
from tests.started import started

GAME = "TACADA_TEST_GAME"
"""In the environment: rulebook, format and panel, parted by bars."""

SETTLED_S = 0.4
"""After this the board shows the score alone: nothing heard, nothing told."""


def say(**content: Any) -> None:
    sys.stdout.write(json.dumps(content) + "\n")
    sys.stdout.flush()


CYCLE_MS, STEP_MS = 30_000, 250
"""Longer than the pages of any box take together, and shorter than one of them."""


def pages(view: View) -> list[str]:
    """All that the board shows of a state, page by page."""
    layout, language = load_layout("64x16"), load_language("en")
    moments = range(0, CYCLE_MS, STEP_MS)
    return list(dict.fromkeys(render(view, layout, language, now).text() for now in moments))


def left_now(view: View) -> dict[str, int]:
    """What the shot clock has left, and when that is."""
    now_ms = time.monotonic_ns() // 1_000_000
    assert view.line is not None
    assert view.line.clock is not None
    assert view.line.clock.shot is not None
    return {"at_ms": now_ms, "ms": view.line.clock.shot.left(now_ms - view.zero_ms)}


async def shown_among(found: list[str], display: KeptDisplay) -> None:
    """Wait until the board itself shows one of the pages: between two a text may be scrolling."""
    for _ in range(500):
        if display.pictures[-1].text() in found:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the board shows something else")


class StallingJournal:
    """Makes the commit of one record stop for good, after its row is written, before it is done."""

    def __init__(self) -> None:
        self.at: int | None = None
        original = Journal._append

        def append(journal: Journal, row: Row) -> int:
            seq = original(journal, row)
            if row.seq == self.at:
                say(stalled=row.seq)
                time.sleep(3600)
            return seq

        setattr(Journal, "_append", append)  # noqa: B010 # only in this process


def _never_ends(_: object) -> None:
    while True:
        pass


def traceable() -> None:
    """Let strace make the disk fail, where the kernel lets only parents trace."""
    pr_set_ptracer, anybody = 0x59616D61, -1
    ctypes.CDLL(None).prctl(pr_set_ptracer, anybody, 0, 0, 0)


def configured(journal: str, port: int, serial: str) -> Config:
    """The table's configuration: its match is what the environment says."""
    rulebook, format_, panel = os.environ.get(GAME, "ug||carom-6").split("|")
    return Config(
        schema=1,
        hall="test",
        table="1",
        language="en",
        journal=journal,
        match=MatchConfig(rulebook=rulebook, format=format_, a=("Ana",), b=("Bia",), first="A"),
        panel=PanelConfig(layout=panel),
        board=BoardConfig(),
        broker=BrokerSettings(host="127.0.0.1", port=port) if port else BrokerSettings(),
        pads=(PadConfig(name="pad1", serial=serial),) if serial else (),
    )


async def main(journal: str, port: int, serial: str = "") -> None:
    config = configured(journal, port, serial)
    pins, display, stalling = MockFactory(), KeptDisplay(64, 16), StallingJournal()
    app = TableApp(
        config,
        Parts(
            clock=SystemClock(),
            display=lambda: display,
            pins=lambda: pins,
            broker=mqtt_broker(config) if port else None,
            # People's times divided by twenty, so that a match takes seconds; a tap stays a tap
            # on a busy machine too.
            timing=Timing(confirm_ms=1, idle_ms=2, same_key_ms=5, hold_ms=2000),
            guard=GuardTiming(same_press_ms=50, burst_gap_ms=30, burst_most_ms=250),
            systemd=Systemd(),
        ),
    )
    wiring = Keymap(panel_of(config.panel), notation_of(config.match.rulebook)).wiring()
    finger = Finger(pins, wiring)
    table = await started(app)

    def state() -> dict[str, Any]:
        assert app.table is not None
        ledger = app.table.play.ledger
        return {"seq": ledger.seq, "digest": ledger.digest()}

    say(started=state())
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().split():
        match line:
            case ["press", *keys]:
                for key in keys:
                    finger.down(key)
                    await asyncio.sleep(0.025)
                    finger.up(key)
                    # Longer than the guard takes two presses for one.
                    await asyncio.sleep(0.07)
                say(pressed=state())
            case ["state"]:
                say(state=state())
            case ["look"]:
                await asyncio.sleep(SETTLED_S)
                assert app.table is not None
                view = app.table.view
                found = pages(view)
                await shown_among(found, display)
                saved = view.line is not None and view.line.saved
                say(look={**state(), "picture": found, "saved": saved, "faults": view.faults})
            case ["left"]:
                assert app.table is not None
                say(left=left_now(app.table.view))
            case ["stall", seq]:
                stalling.at = int(seq)
                say(stall=int(seq))
            case ["hang"]:
                assert app.table is not None
                setattr(app.table, "_take", _never_ends)  # noqa: B010 # only in this process
                say(hang=state())
            case ["stop"]:
                break
    app.stop()
    await table


if __name__ == "__main__":
    traceable()
    faulthandler.enable()  # as `tacada run`
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
