"""The rulebooks: cited facts, one file per federation, and which notation each preset speaks."""

from rules.carom.words import NOTATION as CAROM
from rules.errors import BadNotation
from rules.notation import Notation
from rules.pool.words import NOTATION as POOL
from rules.snooker.words import NOTATION as SNOOKER

_NOTATIONS: dict[str, Notation] = {
    **dict.fromkeys(
        ["sr", "472", "471", "712", "1c", "3c", "ug", "uk", "u18", "s15", "s15f", "nl", "p5", "p9"],
        CAROM,
    ),
    **dict.fromkeys(["cbbs", "fpb", "wpbsa", "6red"], SNOOKER),
    **dict.fromkeys(["fpb9", "wpa9", "wpa10", "fpb8", "wpa8", "fpb141", "wpa141", "bb"], POOL),
}


_FAMILIES = {id(CAROM): "carom", id(SNOOKER): "snooker", id(POOL): "pool"}


def family_of(rulebook: str) -> str:
    """The family that a rulebook belongs to: carom, snooker or pool.

    Raises:
        BadNotation: no rulebook has that id.
    """
    return _FAMILIES[id(notation_of(rulebook))]


def notation_of(rulebook: str) -> Notation:
    """The notation that a rulebook's sheets are written in.

    Raises:
        BadNotation: no rulebook has that id.
    """
    notation = _NOTATIONS.get(rulebook)
    if notation is None:
        known = ", ".join(sorted(_NOTATIONS))
        raise BadNotation(f"rulebook: {rulebook} is unknown; there are {known}")
    return notation
