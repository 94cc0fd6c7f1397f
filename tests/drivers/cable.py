"""A serial port that can be plugged in and pulled out: a pty behind a path that stays."""

import asyncio
import contextlib
import os
import pty
import select
import tty
from pathlib import Path


class Cable:
    """The far end of a serial port; `path` is the near one, as long as it is plugged in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fds: tuple[int, int] | None = None

    def plug(self) -> "Cable":
        far, near = pty.openpty()
        tty.setraw(near)
        os.set_blocking(far, False)
        self._fds = (far, near)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(near))
        return self

    def unplug(self) -> None:
        if self._fds is not None:
            self.path.unlink(missing_ok=True)
            for fd in self._fds:
                os.close(fd)
            self._fds = None

    @property
    def far(self) -> int:
        assert self._fds is not None
        return self._fds[0]

    def write(self, data: bytes) -> None:
        assert os.write(self.far, data) == len(data)

    def arrived(self) -> None:
        """Wait until the near end has something to read: the kernel takes its time."""
        assert self._fds is not None
        assert select.select([self._fds[1]], [], [], 5)[0]

    async def pour(self, data: bytes) -> None:
        """Write more than the port holds at once, as it is read."""
        while data:
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self.far, data) :]
            await asyncio.sleep(0)

    def read(self) -> bytes:
        """What has come by now."""
        data = b""
        while select.select([self.far], [], [], 0)[0]:
            data += os.read(self.far, 4096)
        return data
