"""A score sheet as the presses that enter it on a panel: for demonstrations and rehearsals."""

from collections.abc import Iterator

from msgspec import Struct

from firmware.keys.keymap import Keymap, Meaning
from rules.carom.entries import Points, Run
from rules.entries import EndVisit, Entry
from rules.ledger import Ledger, RulebookOf
from rules.match import Match
from rules.record import Record
from rules.replay import opened
from rules.sheet import Expect, Sheet


class KeyPress(Struct, frozen=True):
    """One press: which key, and whether it is held."""

    key: str
    held: bool = False


class NoKey(ValueError):
    """The panel has no key for an entry of the sheet."""


def presses_of(sheet: Sheet, keymap: Keymap, rulebook_of: RulebookOf) -> Iterator[KeyPress]:
    """The presses of a whole sheet, in order; a run is tapped point by point.

    Raises:
        NoKey: the panel cannot enter something that the sheet holds.
    """
    ledger = opened(sheet, rulebook_of)
    for entry in _entries(sheet):
        for part in _taps(keymap, ledger, entry) if isinstance(entry, Run) else [(entry,)]:
            if isinstance(part[0], EndVisit) and ledger.match.ending is not None:
                continue  # the last point ended the inning already
            yield _key(keymap, ledger.match, part)
            ledger.append(Record(ledger.seq + 1, part))


def _entries(sheet: Sheet) -> Iterator[Entry]:
    """What a sheet enters, without its controls and what it expects of them."""
    for step in sheet.steps():
        if not isinstance(step, Expect) and isinstance(step.act, tuple):
            yield from step.act


def _taps(keymap: Keymap, ledger: Ledger, run: Run) -> list[tuple[Points | EndVisit, ...]]:
    """A run as scoring keys, the largest first, and the end of the visit."""
    steps = sorted(
        (
            meaning[0].n
            for key in keymap.layout.keys
            if (meaning := keymap.meaning(ledger.match, key, held=False))
            and isinstance(meaning, tuple)
            and isinstance(meaning[0], Points)
        ),
        reverse=True,
    )
    taps: list[tuple[Points | EndVisit, ...]] = []
    left = run.n
    for step in steps:
        taps += [(Points(step),)] * (left // step)
        left %= step
    if left:
        raise NoKey(f"no key for {left} points")
    return [*taps, (EndVisit(),)]


def _key(keymap: Keymap, match: Match, act: Meaning) -> KeyPress:
    for held in (False, True):
        for key in keymap.layout.keys:
            if keymap.meaning(match, key, held=held) == act:
                return KeyPress(key, held)
    raise NoKey(f"no key enters {act!r} at this moment")
