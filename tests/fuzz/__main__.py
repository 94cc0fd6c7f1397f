"""Bad input in plenty: python -m tests.fuzz [--examples N] [--seed N] [KIND …].

What fails is made as small as it can be and kept in the corpus, where the tests find it.
"""

import argparse
import hashlib
import logging
import sys
import time
import traceback
from collections import Counter

from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.mutate import mutated
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS
from tests.fuzz.test_fuzz import CORPUS


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[*TARGETS, []], help="all, if none is named")
    parser.add_argument("--examples", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable()  # what servers and pads say of each bad request
    chosen = [TARGETS[name] for name in args.kinds or TARGETS]
    return max([_fuzzed(target, args.examples, args.seed) for target in chosen])


def _fuzzed(target: Target, examples: int, number: int) -> int:
    counted: Counter[bool] = Counter()
    last = b""
    began = time.monotonic()
    with target.open() as judge:

        @seed(number)
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(mutated(target.seeds, target.words))
        def tried(data: bytes) -> None:
            nonlocal last
            last = data
            counted[judge(data) == ""] += 1

        try:
            tried()
        except Exception:  # noqa: BLE001 # whatever it is, it is what is looked for
            traceback.print_exc(limit=-4)  # hypothesis adds what it was given: see the file
            file = CORPUS / target.name / f"{hashlib.sha256(last).hexdigest()[:12]}.in"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(last)
            print(f"{target.name}: FAILED on {last[:300]!r}, kept as {file}", flush=True)
            return 1
    print(
        f"{target.name}: {counted.total()} tried, {counted[True]} taken, {counted[False]} refused, "
        f"0 failed, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
