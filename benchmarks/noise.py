"""What damage and pure chance make of the lines of pads: how many act that nobody pressed.

`python -m benchmarks.noise [LINES] [SEED]`: half of the lines are frames of pads that are there,
with damage, half are random. The table's side is the real one, the session of each frame open, and
this very press expected. Ends with status 1 if one acts.
"""

import sys
import time

from tests.firmware.pad_noise import acted


def main() -> None:
    """Count, and say so."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    start = time.perf_counter()
    frames, presses = acted(lines, seed)
    took_s = time.perf_counter() - start
    print(f"{lines} lines, seed {seed}: {frames} read as frames, {presses} acted ({took_s:.0f} s)")
    sys.exit(presses != 0)


if __name__ == "__main__":
    main()
