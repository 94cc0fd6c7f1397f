"""Kills of a whole table at random: python -m tests.kills [--kills 1000] [--seed 1].

A table that has loaded its program is forked for each life, plays on with a real match by its
panel, and is killed at a random moment, one in five while it starts. Each record that its board
showed as saved must be there in the next life, and what it stands at must be what a life without
any kill stood at. A life that ends, or shows nothing, is told with its cause: a word that its
language has not got ends a start.
"""

import argparse
import asyncio
import contextlib
import faulthandler
import logging
import os
import random
import select
import signal
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from drivers.fakes import Finger, KeptDisplay
from drivers.gestures import Timing
from firmware.app import TableApp
from firmware.clock import SystemClock
from firmware.config.config import Config, MatchConfig, panel_of
from firmware.journal.journal import Journal
from firmware.keys.keymap import Keymap
from firmware.parts import Parts
from firmware.snapshot import View
from firmware.table.guard import GuardTiming
from rules.carom.words import NOTATION
from rules.ledger import Ledger
from rules.rulebooks.shelf import rulebook_of
from tests.e2e.test_kill import keys_of_the_match

LONGEST_S = 1.2
"""No life is longer, counted from when the match stands."""

HANGS_S = 20
"""A table that has not taken up its match by then never will."""

STARTS = 0.2
"""So many lives are killed counted from their first instruction, most of them while they start."""

GIVEN_UP_S = 2 * HANGS_S
"""A life that has said nothing by then, not even that it hangs, is asked where it stands."""

KEYS = keys_of_the_match()


async def _live(journal: Path, said: int) -> None:
    """Take up the match and press what comes next; say each record that is shown as saved."""
    config = Config(
        schema=1,
        journal=str(journal),
        match=MatchConfig(rulebook="ug", a=("Ana",), b=("Bia",), first="A"),
    )
    pins, display = MockFactory(), KeptDisplay(64, 16)
    app = TableApp(
        config,
        Parts(
            clock=SystemClock(),
            display=lambda: display,
            pins=lambda: pins,
            timing=Timing(confirm_ms=1, idle_ms=2, same_key_ms=5, hold_ms=2000),
            guard=GuardTiming(same_press_ms=20, burst_gap_ms=10, burst_most_ms=100),
        ),
    )
    up = asyncio.Event()

    def viewed(view: View) -> None:
        if view.line is None or not view.line.saved or app.table is None:
            return
        up.set()
        ledger = app.table.play.ledger
        if view.line.seq == ledger.seq:
            os.write(said, f"{ledger.seq} {ledger.digest()}\n".encode())

    app.watch(viewed)
    finger = Finger(pins, Keymap(panel_of(config.panel), NOTATION).wiring())
    table = asyncio.create_task(app.run())
    table.add_done_callback(lambda _: up.set())
    try:
        async with asyncio.timeout(HANGS_S):
            await up.wait()
    except TimeoutError:
        tasks = {task.get_name(): task.get_stack()[-1:] for task in asyncio.all_tasks()}
        os.write(said, f"ended hangs, {tasks}\n".encode())
    if table.done():
        os.write(said, f"ended {table.exception()!r}\n".encode())
    assert app.table is not None
    while (seq := app.table.play.ledger.seq) < len(KEYS):
        finger.down(KEYS[seq])
        await asyncio.sleep(0.01)
        finger.up(KEYS[seq])
        # Longer than the guard takes two presses for one; on a busy machine a tap may be lost.
        await asyncio.sleep(0.03)
    await asyncio.sleep(0.3)
    os.write(said, b"end\n")
    await asyncio.sleep(60)
    await table


async def _told(life: Coroutine[Any, Any, None], said: int) -> None:
    """Say what a life ended by, before anything is cleaned up."""
    try:
        await life
    except BaseException as error:
        os.write(said, f"ended {error!r}\n".encode())
        raise


def lived(journal: Path, chance: random.Random | None) -> list[str]:
    """The lines of one life, which ends by a kill at random, or at the end of the match."""
    hear, said = os.pipe()
    child = os.fork()
    if not child:
        os.close(hear)
        faulthandler.register(signal.SIGUSR1, file=said)
        with contextlib.suppress(BaseException):
            asyncio.run(_told(_live(journal, said), said))
        os._exit(1)
    os.close(said)
    text, kill_at = b"", float("inf")
    asked_at = time.monotonic() + GIVEN_UP_S
    early = chance is not None and chance.random() < STARTS
    if chance is not None and early:
        kill_at = time.monotonic() + chance.uniform(0, LONGEST_S / 2)
    while time.monotonic() < kill_at and not text.endswith(b"end\n"):
        if select.select([hear], [], [], 0.001)[0]:
            more = os.read(hear, 65536)
            if not more:
                break
            text += more
        if kill_at < float("inf"):
            continue
        if chance is not None and text:
            kill_at = time.monotonic() + chance.uniform(0, LONGEST_S)
        elif not text and time.monotonic() > asked_at:
            os.kill(child, signal.SIGUSR1)
            kill_at = time.monotonic() + LONGEST_S
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(hear, 65536):
        text += more
    os.close(hear)
    if not text.strip() and not early:
        text = b"ended without a word\n"
    return [line for line in text.decode().splitlines(keepends=True) if line.endswith("\n")]


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable()
    chance, began = random.Random(args.seed), time.monotonic()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tacada-kills-") as name:
        folder = Path(name)
        lived(folder / "whole.db", None)
        stood = _stood(folder / "whole.db")
        kills = matches = 0
        while kills < args.kills:
            matches += 1
            kills += match(folder / f"{matches}.db", chance, stood, args.kills - kills, wrong)
            print(f"{kills} kills in {matches} matches, {len(wrong)} wrong", flush=True)
    print(f"{kills} kills, {matches} matches, {time.monotonic() - began:.0f} s")
    print(f"lost or wrong: {len(wrong)}" + "".join(f"\n  {one}" for one in wrong))
    return 1 if wrong else 0


def _stood(journal: Path) -> dict[str, str]:
    """What a match that was never killed stood at after each record, by a plain fold."""
    with contextlib.closing(Journal.open(journal)[0]) as opened:
        (row,) = opened.matches()
        records = opened.records(row.id)
    assert len(records) == len(KEYS) + 1
    ledger = Ledger(records[0], rulebook_of)
    stood = {"0": ledger.digest()}
    for record in records[1:]:
        ledger.append(record)
        stood[str(record.seq)] = ledger.digest()
    return stood


def match(
    journal: Path, chance: random.Random, stood: dict[str, str], most: int, wrong: list[str]
) -> int:
    """One match with as many kills as it takes; how many."""
    kills, last = 0, -1
    while kills < most:
        lines = lived(journal, chance)
        over = lines[-1:] == ["end\n"]
        for number, line in enumerate(lines[:-1] if over else lines):
            seq, _, digest = line.partition(" ")
            if not seq.isdigit():
                wrong.append(f"{journal.name}: by itself: {line.strip()}")
                continue
            if stood.get(seq) != digest.strip():
                wrong.append(f"{journal.name}: record {seq} stands otherwise")
            if number == 0 and int(seq) < last:
                wrong.append(f"{journal.name}: {last} was shown as saved, {seq} is there")
            last = max(last, int(seq))
        kills += 1
        if over:
            break
    opened, damage = Journal.open(journal, thorough=True)
    with contextlib.closing(opened):
        rows = opened.matches()
        row = opened.unfinished() or (rows[-1] if rows else None)
        seqs = [record.seq for record in opened.records(row.id)] if row is not None else []
    if damage is not None or seqs != list(range(len(seqs))) or len(seqs) - 1 < last:
        wrong.append(f"{journal.name}: {len(seqs)} records, {last} shown; {damage}")
    return kills


if __name__ == "__main__":
    sys.exit(main())
