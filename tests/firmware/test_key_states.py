"""Asks 3 and 31, state by state: small panels whole, large ones near their start.

`python -m tests.firmware.key_states` goes through all states of all panels, in minutes.
"""

import pytest

from firmware.keys.keybook import PANELS
from tests.firmware.key_states import Search, faults
from tests.firmware.test_bursts import FORMATS

WHOLE, NEAR = 10_000, 14
"""So many states of a panel of up to six keys, and of a larger one."""

CASES = [
    pytest.param(path.stem, *FORMATS[path.stem.partition("-")[0]][nth % 3], id=path.stem)
    for nth, path in enumerate(sorted(PANELS.glob("*.toml")))
]


@pytest.mark.parametrize(("panel", "rulebook", "format_"), CASES)
def test_3_and_31_each_state_shows_what_its_keys_do_and_can_be_left(
    panel: str, rulebook: str, format_: str
) -> None:
    search = Search(panel, rulebook, format_)
    small = len(search.keymap.layout.keys) <= 6
    assert list(faults(search, WHOLE if small else NEAR)) == []
    assert search.sorts == NEAR or (small and search.sorts >= 20), "states were found"
