"""Where a table's keys go while a match is set up, or the one on it is put right."""

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from firmware.club.player import Player, is_anonymous
from firmware.club.shares import Shares, shares
from firmware.keys.bindings import Enters
from firmware.keys.keymap import Keymap
from firmware.keys.moment import FIRST
from firmware.setup.dialog import RECENT, Outcome, SetupDialog
from firmware.setup.hour import Hour
from firmware.setup.match_menu import Denied, MatchMenu, MenuOutcome
from firmware.setup.preset import Preset, repeated
from firmware.setup.questions import Role
from firmware.setup.words import SetupWords
from firmware.snapshot import Number, Question
from rules.entries import First
from rules.ledger import Ledger
from rules.sides import Pair, Side

WAIT_MS = 60_000
"""Who is asked and says nothing for so long wants no match."""

FULL_GRACE_MS = 2000
"""After a number that its last digit took, OK was meant for it within this time."""


class Doubled(Struct, frozen=True):
    """OK for a number that its last digit has taken already: it does nothing."""


class NextMatch:
    """The questions of a set-up, the set-ups before it, and the players of the club.

    `words` are those of the language of the board now. `hour` is what the clock says, where it can
    be set at the panel. On `keypads` numbers are typed.
    """

    def __init__(
        self,
        words: Callable[[], SetupWords],
        recent: Iterable[Preset] = (),
        players: Iterable[Player] = (),
        hour: Callable[[], Hour] | None = None,
        keypads: Collection[str] = (),
    ) -> None:
        self._words, self._hour, self._keypads = words, hour, keypads
        self._recent = _kept(recent)
        self._players = {player.name: player for player in players}
        self._dialog: SetupDialog | MatchMenu | None = None
        self._filled_ms: int | None = None
        """When the press before took a number by its last digit."""
        self.until_ms: int | None = None
        """When it is left by itself, on the monotonic clock."""

    @property
    def ask(self) -> Question | Number | None:
        """What is asked now."""
        return self._dialog.ask if self._dialog is not None else None

    def open(self, now_ms: int) -> None:
        """Ask for the next match."""
        used = [name for preset in self._recent for side in (preset.a, preset.b) for name in side]
        players = list(dict.fromkeys([*(n for n in used if n in self._players), *self._players]))
        hour = self._hour() if self._hour is not None else None
        self._dialog = SetupDialog(self._words(), self._recent, players, self._handicaps, hour)
        self.until_ms = now_ms + WAIT_MS

    def open_menu(self, ledger: Ledger, names: Pair[tuple[str, ...]], now_ms: int) -> None:
        """Ask what is to be put right in the match on the table."""
        self._dialog = MatchMenu(self._words(), ledger, names, list(self._players))
        self.until_ms = now_ms + WAIT_MS

    def meaning(
        self, device: str, key: str, keymap: Keymap, *, held: bool = False
    ) -> Role | int | None:
        """What a key does now: a digit, where a number is asked and the device has digits.

        OK and back held are ten more and ten less.
        """
        if isinstance(self.ask, Number):
            keypad = device in self._keypads
            digits = digits_of(keymap, keypad=keypad)
            if key in digits:
                return digits[key]
            if digits and keypad and keymap.layout.keys[key].code == "enter":
                return Role.OK
        role = roles_of(keymap).get(key)
        return _HELD.get(role, role) if held and role is not None else role

    def press(self, means: Role | int, now_ms: int) -> Outcome | MenuOutcome | Doubled:
        """An answer, and what comes of it; once something does, nothing is asked any more.

        What cannot be is asked on, so that no key that was meant for it enters anything in play.
        """
        assert self._dialog is not None
        filled_ms, self._filled_ms = self._filled_ms, None
        if means is Role.OK and filled_ms is not None and now_ms - filled_ms < FULL_GRACE_MS:
            return Doubled()
        if isinstance(means, int):
            if self._dialog.type(means):
                self._filled_ms = now_ms
            outcome = None
        else:
            outcome = self._dialog.press(means)
        self.until_ms = now_ms + WAIT_MS
        if outcome is not None and not isinstance(outcome, Denied):
            self.close()
        return outcome

    def close(self) -> None:
        """Ask no more."""
        self._dialog = self.until_ms = None

    def _handicaps(self, rulebook: str, a: str, b: str) -> Shares:
        return shares(rulebook, self._players.get(a), self._players.get(b))

    def learn(self, recent: Iterable[Preset], players: Iterable[Player]) -> None:
        """Offer other set-ups and players from the next question on: the club list has changed."""
        self._recent = _kept(recent)
        self._players = {player.name: player for player in players}

    def started(self, preset: Preset) -> None:
        """A match was begun: next time it is the first that is offered."""
        self._recent = _kept((preset, *self._recent))
        for name in (*preset.a, *preset.b):
            if name not in self._players and not is_anonymous(name):
                self._players[name] = Player(0, name)


def _kept(recent: Iterable[Preset]) -> tuple[Preset, ...]:
    """Set-ups to be offered, the last ones, each once, as they are played again."""
    return tuple(dict.fromkeys(map(repeated, recent)))[:RECENT]


def roles_of(keymap: Keymap) -> dict[str, Role]:
    """What each key of a panel does while a match is set up.

    OK and back are the keys of OK and UNDO. Less and more are those that say who plays first, A and
    B; or else the first two keys that are neither.
    """
    roles = dict.fromkeys(keymap.ok_keys, Role.OK) | dict.fromkeys(keymap.undo_keys, Role.BACK)
    for side, role in ((Side.A, Role.LESS), (Side.B, Role.MORE)):
        key = next((key for key in _first_keys(keymap, side) if key not in roles), None)
        if key is None:
            key = next(key for key in keymap.layout.keys if key not in roles)
        roles[key] = role
    return roles


def _first_keys(keymap: Keymap, side: Side) -> Iterator[str]:
    """The keys that say that this side plays first."""
    for (key, _), steps in keymap.layers.get(FIRST, {}).items():
        if any(isinstance(step, Enters) and step.acts[0] == (First(side),) for step in steps):
            yield key


def digits_of(keymap: Keymap, *, keypad: bool) -> dict[str, int]:
    """The keys of all ten digits, as printed on a USB keypad or as the labels of a panel."""
    printed = {
        name: str(key.code if keypad else key.label) for name, key in keymap.layout.keys.items()
    }
    found = {name: int(sign) for name, sign in printed.items() if sign in _DIGITS}
    return found if len(found) == len(_DIGITS) else {}


_DIGITS = tuple("0123456789")

_HELD = {Role.OK: Role.TEN_MORE, Role.BACK: Role.TEN_LESS}
"""What keys do where they are held."""
