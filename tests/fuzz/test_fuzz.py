"""Bad input of every kind is refused in plain words, and nothing else comes of it.

A few examples each here; `python -m tests.fuzz` tries as many as it is told. What ever failed lies
in the corpus, and is tried each time.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.mutate import mutated
from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
FEW_MS = 400
"""About so long each kind is tried here."""


@pytest.mark.parametrize("name", TARGETS)
def test_good_input_is_taken(name: str) -> None:
    target = TARGETS[name]
    with target.open() as judge:
        refused = [judge(seed) for seed in target.seeds[:10]]
        assert refused.count("") > len(refused) // 2, refused


@pytest.mark.parametrize("name", TARGETS)
def test_bad_input_is_refused_in_plain_words(name: str) -> None:
    target = TARGETS[name]
    with target.open() as judge:

        @settings(
            max_examples=max(5, FEW_MS // target.cost),
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(mutated(target.seeds, target.words))
        def tried(data: bytes) -> None:
            judge(data)

        tried()


@pytest.mark.parametrize("file", sorted(CORPUS.rglob("*.in")), ids=lambda file: str(file.name))
def test_what_once_failed_is_refused_in_plain_words(file: Path) -> None:
    with TARGETS[file.parent.name].open() as judge:
        judge(file.read_bytes())
