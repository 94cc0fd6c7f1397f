"""All who press keys on one table: what each device is typing, and what the board shows of it."""

from collections.abc import Mapping

from msgspec import Struct

from drivers.ports import Press
from firmware.keys.grammar import Entered, Grammar, Outcome, Waiting
from firmware.keys.keymap import Keymap
from firmware.keys.moment import Moment
from firmware.snapshot import Typed

_MS = 1_000_000


class Done(Struct, frozen=True):
    """What came of a press: the press whose act or answer it is, and the outcome."""

    press: Press
    outcome: Outcome


class Hands:
    """A grammar for each device, and the last press that went into it.

    `others` are the keys of devices that have not those of the panel.
    """

    def __init__(self, keymap: Keymap, others: Mapping[str, Keymap] | None = None) -> None:
        self._keymap, self._others = keymap, others or {}
        self._grammars: dict[str, Grammar] = {}
        self._latest: dict[str, Press] = {}

    def use(self, keymap: Keymap, others: Mapping[str, Keymap] | None = None) -> None:
        """Other keys from now on, as another game has them; what was being typed is gone."""
        self._keymap, self._others = keymap, others or {}
        self._grammars.clear()
        self._latest.clear()

    def press(self, moment: Moment, press: Press) -> Done:
        """A press of any device."""
        keymap = self.keymap_of(press.device)
        grammar = self._grammars.setdefault(press.device, Grammar(keymap))
        outcome = grammar.press(moment, press.key, press.held, press.t_ns // _MS)
        if isinstance(outcome, Entered) and outcome.again:
            return Done(self._latest[press.device], outcome)
        if isinstance(outcome, Waiting):
            # Who typed last is shown.
            self._grammars[press.device] = self._grammars.pop(press.device)
            self._latest[press.device] = press
        return Done(press, outcome)

    def keymap_of(self, device: str) -> Keymap:
        """The keys of a device."""
        return self._others.get(device, self._keymap)

    def typing(self, device: str) -> bool:
        """Whether this device is in the middle of an act."""
        grammar = self._grammars.get(device)
        return grammar is not None and grammar.typing

    @property
    def anyone_types(self) -> bool:
        """Whether any device is in the middle of an act."""
        return self._shown() is not None

    def due(self, moment: Moment, now_ms: int) -> Done | None:
        """The next thing that has happened by itself until now; none if nothing has."""
        for device, grammar in self._grammars.items():
            if (outcome := grammar.tick(moment, now_ms)) is not None:
                return Done(self._latest[device], outcome)
        return None

    @property
    def deadline_ms(self) -> int | None:
        """When something happens by itself."""
        dues = (grammar.deadline_ms for grammar in self._grammars.values())
        return min((due for due in dues if due is not None), default=None)

    def clear(self, device: str | None = None) -> None:
        """Forget what this device is typing, or what all are."""
        for name, grammar in self._grammars.items():
            if device in (None, name):
                grammar.clear()

    def typed(self, moment: Moment) -> Typed | None:
        """What is half typed, of the device that typed last."""
        shown = self._shown()
        return shown.typed(moment) if shown is not None else None

    def labels(self, moment: Moment) -> tuple[tuple[str, str], ...]:
        """The keys that now do something else than in play."""
        shown = self._shown()
        return (shown or Grammar(self._keymap)).labels(moment)

    def _shown(self) -> Grammar | None:
        typing = [grammar for grammar in self._grammars.values() if grammar.typing]
        return typing[-1] if typing else None
