"""The reference pad on a board: keys in, a serial line out and in. Runs under MicroPython."""

import os
import time

import keys
from machine import UART, Pin
from pad import Pad

CONFIRM_MS = 5
"""How long a contact must be closed without a break to count as pressed."""

IDLE_MS = 25
"""How long it must be open without a break to count as let go."""

HOLD_MS = 600
"""From the first touch to the hold."""


LONG_MS = 3000
"""From the first touch until no entry is meant."""


class Key:
    """One contact: bounces in, presses and holds out."""

    def __init__(self, name: str, pin: int, mode: str) -> None:
        self.name, self.mode = name, mode
        self.pin = Pin(pin, Pin.IN, Pin.PULL_UP)
        self.closed = False
        self.changed_ms = 0
        self.first_ms = 0
        self.down = False
        self.told = False
        self.long = False

    def scan(self, pad: Pad, now_ms: int) -> None:
        """Look at the contact; to be called every millisecond or two."""
        closed = self.pin.value() == 0
        if closed != self.closed:
            self.closed, self.changed_ms = closed, now_ms
            if closed and not self.down:
                self.first_ms = now_ms
        still_ms = now_ms - self.changed_ms
        if not self.down and closed and still_ms >= CONFIRM_MS:
            self.down, self.told, self.long = True, False, False
            if self.mode != keys.HOLD:
                pad.press(self.name, False, self.first_ms)
                self.told = self.mode == keys.PRESS
        elif self.down and closed and not self.told and now_ms - self.first_ms >= HOLD_MS:
            self.told = True
            pad.press(self.name, True, self.first_ms)
        elif self.down and closed and not self.long and now_ms - self.first_ms >= LONG_MS:
            self.long = True
            if self.name in keys.LONG:
                pad.long(self.name, now_ms)
        elif self.down and not closed and still_ms >= IDLE_MS:
            self.down = False
            if self.mode == keys.HOLD and not self.told:
                pad.press(self.name, False, self.first_ms)


def run() -> None:
    """Be a pad for ever."""
    pad = Pad(keys.NAME, os.urandom(2).hex())
    uart = UART(**keys.UART)
    contacts = [Key(name, pin, mode) for name, (pin, mode) in keys.KEYS.items()]
    now_ms, ticks = 0, time.ticks_ms()
    shown = None
    while True:
        before, ticks = ticks, time.ticks_ms()
        now_ms += time.ticks_diff(ticks, before)
        pad.battery = keys.battery()
        for contact in contacts:
            contact.scan(pad, now_ms)
        if uart.any():
            pad.received(uart.read() or b"", now_ms)
        line = pad.due(now_ms)
        if line:
            uart.write(line)
        if (pad.mark, pad.text) != shown:
            shown = (pad.mark, pad.text)
            keys.show(*shown)
        time.sleep_ms(1)


if __name__ == "__main__":
    run()
