"""A panel as its file says it: keys, layers, dialogs (docs/panels.md)."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from drivers.gestures import KeyMode

HOLD, ADD = ".hold", ".add"
"""Behind a key's name: what it does when held, instead of its press or on top of it."""

Text: TypeAlias = str | tuple[str, ...]
"""What stands behind a key: one binding, or several of which the match would accept one."""


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """One key of a panel: its BCM pin, and the label that stands on it."""

    pin: int
    label: str
    active_high: bool = False


class Dialog(Struct, frozen=True, forbid_unknown_fields=True):
    """An act that takes several keys: its text with slots, and what the keys write into them.

    Without `entry` it is a menu. `when`: it opens always, only for a key pressed `again`, or only
    where its entry `ends` something. `other`: a key that it does not name is refused, or acts
    and what is typed is dropped, or acts once what is typed is entered. `hint` is told when it
    opens. Without `timeout_s` the panel's holds.
    """

    keys: dict[str, Text]
    label: str = ""
    entry: Text = ()
    pages: dict[str, dict[str, Text]] = {}
    digits: tuple[str, ...] = ()
    most: Annotated[int, Meta(ge=1)] = 999
    when: Literal["always", "again", "ends"] = "always"
    other: Literal["refuse", "drop", "enter"] = "refuse"
    hint: str = ""
    timeout_s: Annotated[float, Meta(ge=0)] = 0


class PanelLayout(Struct, frozen=True, forbid_unknown_fields=True):
    """A panel: its keys, what they enter in each layer, and its dialogs.

    `timeout_s` is how long a dialog waits for its next key, where it does not say so itself.
    """

    schema: int
    name: str
    keys: dict[str, Key]
    layers: dict[str, dict[str, Text]]
    dialogs: dict[str, Dialog] = {}
    timeout_s: Annotated[float, Meta(gt=0)] = 10


def key_modes(layout: PanelLayout) -> dict[str, KeyMode]:
    """When each key acts: one with a hold anywhere on release or hold, a scoring one at once."""
    tables = [*layout.layers.values()]
    for dialog in layout.dialogs.values():
        tables += [dialog.keys, *dialog.pages.values()]
    holds = {name.removesuffix(HOLD) for keys in tables for name in keys if name.endswith(HOLD)}
    modes = dict.fromkeys(layout.keys, KeyMode.PRESS)
    modes |= dict.fromkeys(holds, KeyMode.PRESS_OR_HOLD)
    return modes | dict.fromkeys(adding_keys(layout), KeyMode.PRESS_AND_HOLD)


def adding_keys(layout: PanelLayout) -> frozenset[str]:
    """The keys whose hold adds to what their press did."""
    return frozenset(
        name.removesuffix(ADD)
        for texts in layout.layers.values()
        for name in texts
        if name.endswith(ADD)
    )
