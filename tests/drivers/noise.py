"""What radio and loose plugs make of frames, from a seed."""

import random
from collections.abc import Iterator

from drivers.pad_protocol import Frame, Hello, KeyFrame, crc

KEYS = ("plus1", "plus5", "end", "foul", "ok", "undo", "red", "black")


def spoken(count: int, seed: int) -> Iterator[tuple[Frame, bytes]]:
    """Frames as pads send them, with what they say."""
    rng = random.Random(seed)
    for _ in range(count):
        session = "".join(rng.choices("0123456789abcdef", k=4))
        pad, battery = f"pad{rng.randrange(1, 9)}", rng.randrange(101)
        frame: Frame
        if rng.random() < 0.1:
            number = rng.randrange(1000)
            frame = Hello(pad, session, number, battery)
            text = f"H {pad} {session}.{number} {battery}"
        else:
            number, key = rng.randrange(1, 1000), rng.choice(KEYS)
            held, age = rng.random() < 0.2, rng.choice([0, 0, rng.randrange(1500)])
            frame = KeyFrame(pad, session, number, key, held, age, battery)
            gesture = "hold" if held else "press"
            text = f"K {pad} {session}.{number} {key} {gesture} {age} {battery}"
        yield frame, f"{text} {crc(text.encode())}".encode()


def mutated(count: int, seed: int) -> Iterator[tuple[Frame, bytes]]:
    """Frames with damage: bits turned, bursts, signs lost, doubled, put in, swapped, two in one."""
    rng = random.Random(f"damage {seed}")
    before = b"H pad1 5f3a.0 84"
    for frame, line in spoken(count, seed):
        damaged = _damaged(rng, line, before)
        # A head of the frame before and its own last sign make it whole again: no damage.
        if damaged not in (line, before):
            yield frame, damaged
        before = line


def _damaged(rng: random.Random, line: bytes, before: bytes) -> bytes:
    signs = bytearray(line)
    at = rng.randrange(len(signs))
    match rng.randrange(8):
        case 0:
            for _ in range(rng.randrange(1, 4)):
                signs[rng.randrange(len(signs))] ^= 1 << rng.randrange(8)
        case 1:
            for place in range(at, min(len(signs), at + rng.randrange(1, 9))):
                signs[place] = rng.randrange(256)
        case 2:
            del signs[at : at + rng.randrange(1, 5)]
        case 3:
            signs[at:at] = signs[at : at + rng.randrange(1, 5)]
        case 4:
            signs[at:at] = bytes(rng.randrange(33, 127) for _ in range(rng.randrange(1, 5)))
        case 5:
            other = rng.randrange(len(signs))
            signs[at], signs[other] = signs[other], signs[at]
        case 6:
            signs = bytearray(before[: rng.randrange(len(before))]) + signs[at:]
        case _:
            # What still looks like a frame, but for its check.
            for _ in range(rng.randrange(1, 4)):
                place = rng.randrange(len(signs))
                if chr(signs[place]).isdigit():
                    signs[place] = rng.choice(b"0123456789")
                elif chr(signs[place]).islower():
                    signs[place] = rng.choice(b"abcdefghijklmnopqrstuvwxyz")
    return bytes(signs)


def noise(count: int, seed: int) -> Iterator[bytes]:
    """Lines of pure chance, of any bytes or of the signs of frames."""
    rng = random.Random(f"noise {seed}")
    for nth in range(count):
        length = rng.randrange(1, 90)
        if nth % 2:
            yield rng.randbytes(length).replace(b"\n", b" ")
        else:
            signs = b"KH pad15f3.0 123456789 redpshol ABCDEF"
            yield bytes(rng.choice(signs) for _ in range(length))
