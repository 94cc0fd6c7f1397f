"""Damage and pure chance at the table's side of pads."""

from drivers.pad_protocol import BadFrame, Hello, KeyFrame, Lines, read_frame
from tests.drivers.noise import mutated, noise
from tests.firmware.pad_rig import Desk

PADS = tuple((f"pad{nth}", "open") for nth in range(1, 9))
ANEW_EVERY = 5000
"""After so many lines another table, for sessions of before are refused for another reason."""


def acted(lines: int, seed: int) -> tuple[int, int]:
    """How many lines were read as frames, and how many presses acted."""
    desk, cutter, frames, presses = Desk(PADS), Lines(), 0, 0
    damaged = mutated(lines // 2, seed)
    for nth, random_line in enumerate(noise(lines - lines // 2, seed), 1):
        frame, line = next(damaged, (None, b""))
        if isinstance(frame, KeyFrame):
            hello = Hello(frame.pad, frame.session, frame.number - 1, 80)
            desk.pads.framed(desk.line, hello, desk.clock.now_ns())
        for one in cutter.feed(line + b"\n" + random_line + b"\n"):
            try:
                read = read_frame(one)
            except BadFrame:
                continue
            frames += 1
            desk.pads.framed(desk.line, read, desk.clock.now_ns())
        if nth % ANEW_EVERY == 0:
            presses += len(desk.presses)
            desk = Desk(PADS)
    return frames, presses + len(desk.presses)
