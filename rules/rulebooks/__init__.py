"""The rulebooks: cited facts, one file per federation, and which notation each preset speaks."""

from rules.carom.words import NOTATION as CAROM
from rules.errors import BadNotation
from rules.notation import Notation
from rules.pool.words import NOTATION as POOL
from rules.snooker.words import NOTATION as SNOOKER

_PRESETS = {
    "carom": "sr 472 471 712 1c 3c ug uk u18 s15 s15f nl p5 p9",
    "snooker": "cbbs fpb wpbsa 6red",
    "pool": "fpb9 wpa9 wpa10 fpb8 wpa8 fpb141 wpa141 bb",
}
_NOTATIONS = {"carom": CAROM, "snooker": SNOOKER, "pool": POOL}

_FAMILIES = {preset: family for family, presets in _PRESETS.items() for preset in presets.split()}


def family_of(rulebook: str) -> str:
    """The family that a rulebook belongs to: carom, snooker or pool.

    Raises:
        BadNotation: no rulebook has that id.
    """
    family = _FAMILIES.get(rulebook)
    if family is None:
        known = ", ".join(sorted(_FAMILIES))
        raise BadNotation(f"rulebook: {rulebook} is unknown; there are {known}")
    return family


def notation_of(rulebook: str) -> Notation:
    """The notation that a rulebook's sheets are written in.

    Raises:
        BadNotation: no rulebook has that id.
    """
    return _NOTATIONS[family_of(rulebook)]
