"""When a board draws: a press that was heard, and what it did."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from msgspec.structs import replace

from drivers.fakes import KeptDisplay
from firmware.board.board import HEARD_S, Board
from firmware.board.gallery import view_of
from firmware.board.layout import load_layout
from firmware.board.render import Drawing
from firmware.i18n import load_language
from firmware.snapshot import View
from tests.firmware.virtual_time import VirtualClock, run_on

LAYOUT = load_layout("64x16")
BEFORE, AFTER = view_of("=3"), view_of("=3 +1")
MS = 1_000_000


def heard(view: View, clock: VirtualClock) -> View:
    return replace(view, heard_ms=clock.ns // MS)


@contextlib.asynccontextmanager
async def drawing(clock: VirtualClock) -> AsyncIterator[tuple[Board, KeptDisplay]]:
    """A board that stands at `BEFORE`, long after any press."""
    display = KeptDisplay(64, 16)
    drawn, english = Drawing(LAYOUT), load_language("en")
    board = Board(display, lambda view, now_ms: drawn.draw(view, english, now_ms), clock)
    running = asyncio.create_task(board.run(view=BEFORE))
    await asyncio.sleep(1)
    display.pictures.clear()
    yield board, display
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def lit(display: KeptDisplay) -> list[bool]:
    """Of each picture, whether the pixel of a press was lit."""
    return [picture.lit(*LAYOUT.heard) for picture in display.pictures]


def test_a_press_that_is_on_disk_at_once_is_one_picture() -> None:
    clock = VirtualClock()

    async def scene() -> None:
        async with drawing(clock) as (board, display):
            pressed = heard(BEFORE, clock)
            board.show(pressed)
            await asyncio.sleep(HEARD_S / 2)
            board.show(replace(AFTER, heard_ms=pressed.heard_ms))
            await asyncio.sleep(0.02)
            assert lit(display) == [True]

    run_on(clock, scene)


def test_on_a_slow_disk_the_pixel_goes_first() -> None:
    clock = VirtualClock()

    async def scene() -> None:
        async with drawing(clock) as (board, display):
            pressed = heard(BEFORE, clock)
            board.show(pressed)
            await asyncio.sleep(2 * HEARD_S)
            assert lit(display) == [True]
            board.show(replace(AFTER, heard_ms=pressed.heard_ms))
            await asyncio.sleep(0.02)
            assert lit(display) == [True, True]
            assert display.pictures[0] != display.pictures[1]

    run_on(clock, scene)


def test_what_is_more_than_heard_waits_for_nothing() -> None:
    clock = VirtualClock()

    async def scene() -> None:
        async with drawing(clock) as (board, display):
            board.show(heard(AFTER, clock))
            await asyncio.sleep(HEARD_S / 2)
            assert lit(display) == [True]

    run_on(clock, scene)
