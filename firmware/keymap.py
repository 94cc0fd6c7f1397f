"""What each key means at each moment: layers of bindings in sheet notation, as data.

The match gives the context, the context picks the layer, and a key that its layer does not name
does what the layer `play` says, so that a press which does not fit is refused by the rules, with
their reason, and never lost here.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from drivers.gestures import KeyMode
from drivers.wiring import Contact
from firmware.errors import ConfigError
from firmware.settings import read_toml
from rules.errors import BadNotation
from rules.match import Match, Stage
from rules.notation import Notation
from rules.record import Act
from rules.sheet import read_act

PLAY = "play"
HOLD = ".hold"
NEW = "NEW"


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """One key of a panel: its BCM pin, and the label that stands on it."""

    pin: int
    label: str
    active_high: bool = False


class PanelLayout(Struct, frozen=True, forbid_unknown_fields=True):
    """A panel: its keys, and what they enter in each layer."""

    schema: int
    name: str
    keys: dict[str, Key]
    layers: dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A key's wish for the next match, with the same set-up."""


Meaning: TypeAlias = Act | NewMatch


def context_of(match: Match) -> str:
    """What the match is waiting for: the name of a layer."""
    if match.ending is not None:
        return "held"
    if match.stage is Stage.FRAME:
        option = match.option
        return PLAY if option is None else f"choice.{option.kind}"
    return match.stage


class Keymap:
    """The bindings of one panel for one game."""

    def __init__(self, layout: PanelLayout, notation: Notation, file: str = "panel") -> None:
        """Read every binding.

        Raises:
            ConfigError: with every binding that no key has or the game cannot read.
        """
        self.layout = layout
        self._layers: dict[str, dict[tuple[str, bool], Meaning]] = {}
        problems: list[str] = []
        for layer, bindings in layout.layers.items():
            read = self._layers.setdefault(layer, {})
            for name, text in bindings.items():
                key = name.removesuffix(HOLD)
                if key not in layout.keys:
                    problems.append(f"{file}: layers.{layer}.{name}: there is no key {key}")
                    continue
                try:
                    read[key, name.endswith(HOLD)] = _meaning(text, notation)
                except BadNotation as error:
                    problems.append(f"{file}: layers.{layer}.{name}: {error}")
        if PLAY not in layout.layers:
            problems.append(f"{file}: layers: the layer {PLAY} is missing")
        if problems:
            raise ConfigError(problems)

    def meaning(self, match: Match, key: str, *, held: bool) -> Meaning | None:
        """What a key enters now; none if nothing.

        A held key that has no hold here means what its press does.
        """
        layer = self._layers.get(context_of(match), {})
        for bindings in (layer, self._layers[PLAY]):
            for hold in (held, False) if held else (False,):
                found = bindings.get((key, hold))
                if found is not None:
                    return found
        return None

    def labels(self, match: Match) -> tuple[tuple[str, str], ...]:
        """Label and binding of each key whose meaning here is not that of play."""
        context = context_of(match)
        layer = self.layout.layers.get(context, {}) if context != PLAY else {}
        return tuple(
            (self.layout.keys[name.removesuffix(HOLD)].label, text) for name, text in layer.items()
        )

    def wiring(self) -> dict[str, Contact]:
        """The contacts of the panel; a key with a hold anywhere acts on release or hold."""
        holds = {
            name.removesuffix(HOLD)
            for bindings in self.layout.layers.values()
            for name in bindings
            if name.endswith(HOLD)
        }
        return {
            name: Contact(
                key.pin,
                KeyMode.PRESS_OR_HOLD if name in holds else KeyMode.PRESS,
                key.active_high,
            )
            for name, key in self.layout.keys.items()
        }


def _meaning(text: str, notation: Notation) -> Meaning:
    return NewMatch() if text == NEW else read_act(text, notation)


def load_panel(file: str | Path) -> PanelLayout:
    """Read a panel file.

    Raises:
        ConfigError: with every problem found, each with file, table and key.
    """
    return read_toml(file, PanelLayout)
