"""The reference pad under a real MicroPython interpreter, its wires in the test's hands."""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from tests.drivers.cable import Cable

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "drivers" / "pad_reference"
PINS = {"plus1": 2, "plus5": 3, "end": 4, "foul": 5, "ok": 6, "undo": 7}
"""As in keys.py of the reference pad."""


def interpreter() -> list[str]:
    """MicroPython: the machine's own, or the one that the tests bring."""
    own = shutil.which("micropython", path=os.defpath)
    return [own] if own else [sys.executable, "-m", "micropython_unix"]


class MicroPad:
    """A pad that is switched on; `shown` is what it has shown, newest last."""

    def __init__(self, process: asyncio.subprocess.Process, air: "Bridge") -> None:
        self._process, self.air = process, air
        self.shown: list[str] = []
        self._news = asyncio.Event()

    async def follow(self) -> None:
        """Keep what it shows."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            self.shown.append(line.decode().strip())
            self._news.set()

    async def until(self, start: str, within_s: float = 10) -> str:
        """Wait until it shows something that begins so."""
        async with asyncio.timeout(within_s):
            while not (self.shown and self.shown[-1].startswith(start)):
                self._news.clear()
                await self._news.wait()
        return self.shown[-1]

    async def press(self, key: str, *, held: bool = False, ms: int = 0) -> None:
        """Touch a key, or hold it; the pad takes its own time for that, or `ms`."""
        assert self._process.stdin is not None
        what = str(ms) if ms else "hold" if held else "tap"
        self._process.stdin.write(f"{what} {PINS[key]}\n".encode())
        await self._process.stdin.drain()

    async def answered(self, key: str, *, held: bool = False, ms: int = 0) -> str:
        """Press a key and wait for what the pad shows next."""
        before = len(self.shown)
        await self.press(key, held=held, ms=ms)
        async with asyncio.timeout(20):
            while len(self.shown) == before:
                self._news.clear()
                await self._news.wait()
        return self.shown[before]


class Bridge:
    """The air between a pad and a receiver: two ptys, with a hand on each way."""

    def __init__(self, folder: Path) -> None:
        self.receiver = Cable(folder / "receiver").plug()
        self._pad = Cable(folder / "pad").plug()
        self.up = self.down = True
        """Whether what the pad says, and what it is told, comes through."""

    @property
    def pad_path(self) -> str:
        return os.path.realpath(self._pad.path)

    async def run(self) -> None:
        while True:
            up, down = self._pad.read(), self.receiver.read()
            if up and self.up:
                await self.receiver.pour(up)
            if down and self.down:
                await self._pad.pour(down)
            await asyncio.sleep(0.002)

    def close(self) -> None:
        self._pad.unplug()
        self.receiver.unplug()


@contextlib.asynccontextmanager
async def micropad(folder: Path) -> AsyncIterator[MicroPad]:
    """A pad that is on for as long as the context lasts; its receiver is `folder`/receiver."""
    air = Bridge(folder)
    process = await asyncio.create_subprocess_exec(
        *interpreter(),
        str(REFERENCE / "main.py"),
        air.pad_path,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"MICROPYPATH": f"{ROOT / 'tests' / 'micropython'}:{REFERENCE}"},
    )
    pad = MicroPad(process, air)
    tasks = [asyncio.create_task(pad.follow()), asyncio.create_task(air.run())]
    try:
        yield pad
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        air.close()
