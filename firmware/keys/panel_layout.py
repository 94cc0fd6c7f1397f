"""A panel as its file says it: keys, layers, dialogs (docs/panels.md)."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from drivers.errors import WiringError
from drivers.gestures import KeyMode
from drivers.wiring import Chord, Contact, Crosspoint, Wire, pin_number

HOLD, ADD = ".hold", ".add"
"""Behind a key's name: what it does when held, instead of its press or on top of it."""

Text: TypeAlias = str | tuple[str, ...]
"""What stands behind a key: one binding, or several of which the match would accept one."""


Pin: TypeAlias = int | str
"""A BCM number, or a name: `GPIO17`, or the place on the header, `J8:11`."""


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """One key of a panel: the label that stands on it, and its wires.

    A key has a `pin` of its own, or is where `row` and `column` of a keypad cross, or is the
    `chord` of two others. On a USB keypad it has the `code` of a number pad's key, or the kernel's
    number. Pads need none of these. `active_high`: it closes to 3.3 V, not to
    ground. `pull = "outside"`: the resistor is not the one inside the Pi.
    """

    label: str
    pin: Pin | None = None
    row: Pin | None = None
    column: Pin | None = None
    chord: tuple[str, str] | None = None
    code: int | str | None = None
    active_high: bool = False
    pull: Literal["inside", "outside"] = "inside"

    def wire(self, mode: KeyMode) -> Wire | None:
        """How it is wired, none if it is not said.

        Raises:
            WiringError: a name is no pin, or the key is wired in two ways or half.
        """
        given = [
            *(["pin"] if self.pin is not None else []),
            *(["row and column"] if (self.row, self.column) != (None, None) else []),
            *(["chord"] if self.chord is not None else []),
        ]
        if len(given) > 1:
            raise WiringError(f"has {' and '.join(given)}; a key is wired in one way")
        if self.pin is not None:
            pin = pin_number(self.pin)
            return Contact(pin, mode, self.active_high, self.pull == "inside")
        if self.chord is not None:
            return Chord(self.chord, mode)
        if self.row is not None and self.column is not None:
            return Crosspoint(pin_number(self.row), pin_number(self.column), mode)
        if given:
            raise WiringError("a key of a keypad needs both row and column")
        return None


class Dialog(Struct, frozen=True, forbid_unknown_fields=True):
    """An act that takes several keys: its text with slots, and what the keys write into them.

    Without `entry` it is a menu. `when`: it opens always, only for a key pressed `again`, only for
    one that is not, or only where its entry `ends` something. `other`: a key that it does not name
    is refused, or acts and what is typed is dropped, or acts once what is typed is entered. `full`:
    a number that no digit could follow waits for its key, or is entered by its last digit. `hint`
    is told when it opens. Without `timeout_s` the panel's holds.
    """

    keys: dict[str, Text]
    label: str = ""
    entry: Text = ()
    pages: dict[str, dict[str, Text]] = {}
    digits: tuple[str, ...] = ()
    most: Annotated[int, Meta(ge=1)] = 999
    when: Literal["always", "again", "first", "ends"] = "always"
    other: Literal["refuse", "drop", "enter"] = "refuse"
    full: Literal["wait", "enter"] = "wait"
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
