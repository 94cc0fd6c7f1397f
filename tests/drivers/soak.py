"""Days of a board in noise, on a clock of its own: `python -m tests.drivers.soak --hours 72`.

The real board refreshes the real matrix, whose bytes go to chips that keep what they are told.
Every half minute or so something happens to the chips, as it does on long cables: a register or a
digit falls over, a module sleeps, or a part of the chain is pulled out and comes back as it is at
power on. A second later the board must show the picture it was given, as bright as it was set.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any
from unittest.mock import patch

from msgspec import Struct

from drivers.fakes import Chip, FakeChain
from drivers.matrix import Matrix
from drivers.ports import Picture
from firmware.board.board import Board
from firmware.board.render import Drawn
from firmware.snapshot import View
from tests.drivers.chains import a_picture, plain_places
from tests.firmware.virtual_time import VirtualClock, run_on

LEVEL = 6
HEALED_S = 1.0
_S = 1_000_000_000


class Soaked(Struct):
    """What a soak saw."""

    refreshes: int = 0
    faults: int = 0
    brightest: int = 0
    longest_s: float = 0.0
    """How long anything wrong was to be seen at most."""


class _Inline(Executor):
    """A wire that has written as soon as it is told to: time stands still meanwhile."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except OSError as error:
            done.set_exception(error)
        return done


class _Heard(FakeChain):
    """A chain that notes the intensities it is sent and how often it is refreshed."""

    def __init__(self, places: Sequence[tuple[int, int, int]], seen: Soaked) -> None:
        super().__init__(places)
        self._seen = seen

    def data(self, data: Sequence[int]) -> None:
        if data[0] == 0x0A:
            self._seen.brightest = max(self._seen.brightest, data[1])
        self._seen.refreshes += data[0] == 0x09
        super().data(data)


def _spoil(chain: FakeChain, rng: random.Random) -> None:
    """One thing that noise or a loose plug does."""
    chip = rng.choice(chain.chips)
    match rng.randrange(4):
        case 0:
            cut = rng.randrange(len(chain.chips))
            chain.chips[cut:] = [Chip() for _ in chain.chips[cut:]]
        case 1:
            chip.digits[rng.randrange(8)] = rng.randrange(256)
        case 2:
            chip.test = True
        case _:
            spoilt = [("awake", False), ("intensity", 15), ("scan_limit", 0), ("decode", 255)]
            setattr(chip, *rng.choice(spoilt))


def soak(hours: float, *, columns: int, rows: int, seed: int) -> Soaked:
    """So many hours of a board; what was seen.

    Raises:
        AssertionError: something wrong stood for longer than a second.
    """
    rng, clock, seen = random.Random(seed), VirtualClock(), Soaked()
    chain = _Heard(plain_places(columns, rows, -90), seen)
    pictures = [a_picture(8 * columns, 8 * rows, nth) for nth in range(8)]
    with patch("drivers.matrix.ThreadPoolExecutor", _Inline):
        matrix = Matrix(chain, width=8 * columns, height=8 * rows, contrast=LEVEL)
    shown = 0

    def right(picture: Picture) -> bool:
        return chain.picture() == picture and chain.brightness() == LEVEL

    async def scene() -> None:
        nonlocal shown
        board = Board(matrix, lambda *_: Drawn(pictures[shown]), clock)
        running = asyncio.create_task(board.run(view=View()))
        ends_ns = clock.ns + round(hours * 3600 * _S)
        while clock.ns < ends_ns:
            await asyncio.sleep(rng.uniform(5, 55))
            if rng.random() < 0.5:
                shown = rng.randrange(len(pictures))
                board.redraw()
                await asyncio.sleep(0.01)
            assert right(pictures[shown])
            _spoil(chain, rng)
            seen.faults += 1
            since_ns = clock.ns
            while not right(pictures[shown]):
                assert clock.ns - since_ns <= HEALED_S * _S, "it stood for longer than a second"
                await asyncio.sleep(0.05)
            seen.longest_s = max(seen.longest_s, (clock.ns - since_ns) / _S)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    run_on(clock, scene)
    return seen


def main() -> None:
    """Soak as long as is asked, and say what was seen."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--hours", type=float, default=72)
    asked.add_argument("--columns", type=int, default=12)
    asked.add_argument("--rows", type=int, default=2)
    asked.add_argument("--seed", type=int, default=87)
    args = asked.parse_args()
    began, modules = time.monotonic(), args.columns * args.rows
    seen = soak(args.hours, columns=args.columns, rows=args.rows, seed=args.seed)
    print(
        f"{args.hours:g} h of {modules} modules in {time.monotonic() - began:.0f} s:"
        f" {seen.refreshes} refreshes, {seen.faults} faults, none to be seen for longer than"
        f" {seen.longest_s:.2f} s; brightest {seen.brightest}, set {LEVEL}"
    )


if __name__ == "__main__":
    main()
