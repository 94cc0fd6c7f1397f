"""Every panel that comes with the firmware can set up a match."""

import pytest

from firmware.keys.keybook import PANELS, KeyBook, shipped_or_own
from firmware.setup.next_match import roles_of
from firmware.setup.questions import Role
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS


@pytest.mark.parametrize("name", sorted(path.stem for path in PANELS.glob("*.toml")))
def test_four_keys_of_each_panel_answer(name: str) -> None:
    family = name.partition("-")[0]
    book = next(one for one in RULEBOOKS if family_of(one) == family)
    roles = roles_of(KeyBook(shipped_or_own(name), name, book, {}).keymap(book))
    assert set(roles.values()) == {Role.LESS, Role.MORE, Role.OK, Role.BACK}
    assert list(roles.values()).count(Role.LESS) == list(roles.values()).count(Role.MORE) == 1
