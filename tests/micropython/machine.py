"""What MicroPython's `machine` has on a board, on a computer: pins by line, a serial port as file.

Runs under MicroPython only. Standard input says `tap 2`, `hold 2` and `3200 2`, which holds for so
many milliseconds; the file of the serial port
is the first argument. How long a finger takes is measured by the pad's own clock and by how often
it has looked at its pins, so that a busy computer does not swallow a tap.
"""

import select
import sys
import time

_LOOKS = 40
"""A tap lasts at least so many looks of the pad, and so does the pause after it."""

_HOLD_MS = 650

_closed = set()
_commands = select.poll()
_commands.register(sys.stdin, select.POLLIN)
_finger = []
"""What the finger does now: its pin, how many looks ago it began, when the pad had first looked."""


def _move():
    """Let the finger go on; called once in every round of the pad."""
    if not _finger:
        if _commands.poll(0):
            line = sys.stdin.readline()
            if not line:
                sys.exit()
            what, pin = line.split()
            _closed.add(int(pin))
            ms = {"tap": 0, "hold": _HOLD_MS}.get(what)
            _finger.extend([int(pin), 0, None, int(what) if ms is None else ms])
        return
    pin, looks, since, ms = _finger
    if since is None:
        _finger[2] = since = time.ticks_ms()
    _finger[1] = looks = looks + 1
    if pin in _closed and looks >= _LOOKS and time.ticks_diff(time.ticks_ms(), since) >= ms:
        _closed.discard(pin)
        _finger[1], _finger[2], _finger[3] = 0, None, 0
    elif pin not in _closed and looks >= _LOOKS:
        _finger.clear()


class Pin:
    IN = 0
    PULL_UP = 1

    def __init__(self, number, mode, pull):
        assert (mode, pull) == (Pin.IN, Pin.PULL_UP)
        self._number = number

    def value(self):
        return 0 if self._number in _closed else 1


class UART:
    def __init__(self, **wires):
        self._file = open(sys.argv[1], "r+b")  # noqa: SIM115 # for as long as the pad lives
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)

    def any(self):
        _move()
        return 1 if self._poll.poll(0) else 0

    def read(self):
        data = b""
        while self._poll.poll(0):
            data += self._file.read(1)
        return data

    def write(self, data):
        return self._file.write(data)
