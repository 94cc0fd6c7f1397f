"""One box, every game: the wires stay, the labels and meanings change."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.errors import ConfigError
from firmware.keys.keybook import PANELS, KeyBook, shipped_or_own


def book(name: str = "carom-12", rulebook: str = "ug", **games: str) -> KeyBook:
    return KeyBook(shipped_or_own(name), name, rulebook, games)


def test_the_nth_key_of_one_game_is_the_nth_of_another() -> None:
    # Wired the other way round than any layout that comes with the firmware.
    shipped = shipped_or_own("carom-12")
    pins = [key.pin for key in shipped.keys.values()][::-1]
    box = {
        name: replace(key, pin=pin)
        for (name, key), pin in zip(shipped.keys.items(), pins, strict=True)
    }
    keys = KeyBook(replace(shipped, keys=box), "carom-12", "ug", {})
    pool = keys.keymap("wpa9").layout
    assert [key.pin for key in pool.keys.values()] == pins
    assert [key.label for key in pool.keys.values()] == [
        key.label for key in shipped_or_own("pool-12").keys.values()
    ]


def test_rulebooks_of_one_family_share_their_keys() -> None:
    keys = book()
    assert keys.keymap("ug") is keys.keymap("3c")


def test_a_layout_that_is_named_is_taken(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    text = (PANELS / "pool-12.toml").read_text("utf-8")
    own.write_text(text.replace('label = "key.safe"', 'label = "DEFESA"'), "utf-8")
    keys = book(pool=str(own)).keymap("wpa9").layout.keys
    assert "DEFESA" in [key.label for key in keys.values()]


def test_without_a_layout_of_that_size_it_is_said_which_is_missing() -> None:
    with pytest.raises(ConfigError, match="snooker-7 does not come with the firmware"):
        KeyBook(shipped_or_own("carom-6"), "carom-7", "ug", {}).keymap("cbbs")


def test_a_layout_with_another_number_of_keys_does_not_fit() -> None:
    with pytest.raises(ConfigError, match="pool-12 has 12 keys, carom-6 has 6"):
        book("carom-6", pool="pool-12").keymap("wpa9")
