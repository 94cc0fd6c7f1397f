"""The keys of one panel or pad for every game: a layout for each family, on the same box.

The nth key of one layout is the nth key of another: wires stay where they are, labels change.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from drivers.phrases import Phrase
from firmware.errors import ConfigError
from firmware.keys.keymap import Keymap, load_panel
from firmware.keys.panel_layout import PanelLayout
from firmware.toml_reader import did_you_mean, there_are
from rules.rulebooks import family_of, notation_of

PANELS = Path(__file__).parents[1] / "panels"
"""The panel layouts that come with the firmware."""


class KeyBook:
    """What the keys of a box mean in each game; layouts are read when they are first needed."""

    def __init__(
        self, layout: PanelLayout, name: str, rulebook: str, games: Mapping[str, str]
    ) -> None:
        """`layout`, called `name`, is the box's own, for the family of `rulebook`.

        `games` names layouts for other families; for one that it does not name, a layout that
        comes with the firmware is taken, called as this one but for the family, or else the usual
        one with as many keys.

        Raises:
            ConfigError: the layout has keys that mean nothing in that game.
        """
        self._own, self._name, self._games = layout, name, games
        self._family = family_of(rulebook)
        self._keymaps = {self._family: keymap_for(layout, name, rulebook)}

    def keymap(self, rulebook: str) -> Keymap:
        """The keys for a rulebook.

        Raises:
            ConfigError: there is no layout for its family, or it does not fit the box.
        """
        family = family_of(rulebook)
        if family not in self._keymaps:
            name = self._games.get(family) or _like(self._name, self._family, family)
            layout = shipped_or_own(name)
            _check_family(name, rulebook)
            layout = self._fitted(layout, name)
            self._keymaps[family] = keymap_for(layout, name, rulebook)
        return self._keymaps[family]

    def _fitted(self, layout: PanelLayout, name: str) -> PanelLayout:
        """Another layout on the wires of this box."""
        wires = [key for key in self._own.keys.values() if key.chord is None]
        wanted = {key: one for key, one in layout.keys.items() if one.chord is None}
        if len(wanted) != len(wires):
            raise ConfigError(
                [
                    Phrase(
                        "other_keys",
                        "{name} has {n} keys, {own} has {m}",
                        name=name,
                        n=len(wanted),
                        own=self._name,
                        m=len(wires),
                    )
                ]
            )
        placed = {
            key: replace(wire, label=one.label)
            for (key, one), wire in zip(wanted.items(), wires, strict=True)
        }
        return replace(layout, keys={**layout.keys, **placed})


def keymap_for(layout: PanelLayout, name: str, rulebook: str) -> Keymap:
    """The keys of the layout called `name` for the family of a rulebook.

    Raises:
        ConfigError: the layout has keys that mean nothing in that game; where it comes with the
            firmware for another one, that alone is said.
    """
    _check_family(name, rulebook)
    return Keymap(layout, notation_of(rulebook), name)


def _check_family(name: str, rulebook: str) -> None:
    family, own = family_of(rulebook), name.partition("-")[0]
    if own != family and (PANELS / f"{name}.toml").exists():
        raise ConfigError(
            [
                Phrase(
                    "for_another",
                    "{name} is for {own}, and {rulebook} is {family}: "
                    "take {like}, or another rulebook",
                    name=name,
                    own=own,
                    rulebook=rulebook,
                    family=family,
                    like=_like(name, own, family),
                )
            ]
        )


def _like(name: str, own: str, family: str) -> str:
    """A layout's name for another family; `carom-12` where there is no `carom-totals-12`."""
    other = name.replace(own, family, 1)
    if "/" in name or (PANELS / f"{other}.toml").exists():
        return other
    return f"{family}-{name.rpartition('-')[2]}"


def shipped_or_own(name: str) -> PanelLayout:
    """A layout that comes with the firmware, or the one in a file.

    Raises:
        ConfigError: with every problem of its file.
    """
    shipped = PANELS / f"{name}.toml"
    known = sorted(path.stem for path in PANELS.glob("*.toml"))
    if name not in known and "/" not in name:
        hint = did_you_mean(name, known) or there_are(known)
        raise ConfigError(
            [
                Phrase(
                    "no_panel",
                    "{name} does not come with the firmware{hint}",
                    name=name,
                    hint=hint,
                )
            ]
        )
    return _shipped(shipped) if name in known else load_panel(name)


@lru_cache
def _shipped(file: Path) -> PanelLayout:
    """A layout that comes with the firmware: it stays as it is while the firmware runs."""
    return load_panel(file)
