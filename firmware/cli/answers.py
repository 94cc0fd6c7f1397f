"""A person at a terminal, who is asked and answers by lines."""

import asyncio
import contextlib
import os
import sys
import termios
import threading
from collections.abc import Awaitable, Iterator
from typing import TextIO


class AtTerminal:
    """Asks on one stream and reads lines of another, which may be the same terminal.

    Make it in a running loop. A thread of its own reads, as any kind of file can be what a
    program is given to read from.
    """

    def __init__(self, read: TextIO = sys.stdin, write: TextIO = sys.stdout) -> None:
        self._fd, self._write = read.fileno(), write
        self._lines = asyncio.StreamReader()
        self._line: asyncio.Task[bytes] | None = None
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="answers", daemon=True).start()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        # The loop is closed once all has been asked.
        with contextlib.suppress(RuntimeError):
            while data := self._typed():
                loop.call_soon_threadsafe(self._lines.feed_data, data)
            loop.call_soon_threadsafe(self._lines.feed_eof)

    def _typed(self) -> bytes:
        """What is there to read; nothing at the end, or when the terminal has gone."""
        try:
            return os.read(self._fd, 4096)
        except OSError:
            return b""

    def say(self, text: str) -> None:
        """Tell them something."""
        self._write.write(f"{text}\n")
        self._write.flush()

    async def answer(self, question: str, usual: str = "", *, hidden: bool = False) -> str:
        """Ask, and wait for a line; an empty one is `usual`.

        Raises:
            EOFError: nobody answers any more.
        """
        # Silent before it is asked: who types ahead must not be shown either.
        with self._silent() if hidden else contextlib.nullcontext():
            self._write.write(f"{question}{f' [{usual}]' if usual else ''}: ")
            self._write.flush()
            return await self._next() or usual

    async def unless_answered(self, doing: Awaitable[int]) -> int | None:
        """Wait for something to be done, or for a line: then there is none."""
        done = asyncio.ensure_future(doing)
        line = asyncio.ensure_future(self._read_line())
        await asyncio.wait({done, line}, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            return done.result()  # the line that is waited for is the next answer
        done.cancel()
        await self._next()
        return None

    def _read_line(self) -> "asyncio.Task[bytes]":
        if self._line is None:
            self._line = asyncio.create_task(self._lines.readline())
        return self._line

    async def _next(self) -> str:
        line = await self._read_line()
        self._line = None
        if not line:
            raise EOFError
        return line.decode("utf-8", "replace").strip()

    @contextlib.contextmanager
    def _silent(self) -> Iterator[None]:
        """What is typed is not shown, where there is a terminal that would."""
        try:
            before = termios.tcgetattr(self._fd)
        except termios.error:
            yield
            return
        now = [*before]
        now[3] &= ~termios.ECHO
        termios.tcsetattr(self._fd, termios.TCSADRAIN, now)
        try:
            yield
        finally:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, before)
            self.say("")
