"""A recording SPI bus; imports nothing of ours, so that the floor of a start may use it."""

import time
from collections.abc import Callable, Sequence


class Wire:
    """Notes when it was last written to, and how much; `on_data` is told after each transfer."""

    def __init__(self, on_data: Callable[[], None] | None = None) -> None:
        self.last_ns = 0
        self.bytes = 0
        self._on_data = on_data

    def data(self, data: Sequence[int]) -> None:
        self.bytes += len(data)
        self.last_ns = time.monotonic_ns()
        if self._on_data is not None:
            self._on_data()

    def command(self, *cmd: int) -> None:
        self.data(cmd)

    def cleanup(self) -> None:
        pass
