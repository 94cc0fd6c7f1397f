"""What each key means at each moment: layers and dialogs, as data (docs/panels.md).

The match gives the context, the context picks the layer, and a key that its layer does not name
does what the layer `play` says, so that a press which does not fit is refused by the rules, with
their reason, and never lost here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from drivers.errors import WiringError
from drivers.phrases import Phrase, joined, within
from drivers.wiring import Wire
from firmware.errors import ConfigError
from firmware.keys.bindings import (
    Asks,
    Digit,
    Enters,
    NewMatch,
    Picks,
    Step,
    Template,
    read_step,
)
from firmware.keys.dialogs import MAIN, Bindings, Form, Slots, steps_of
from firmware.keys.moment import HELD, OVER, PLAY, MatchMoment, Moment, Would, chain, picked
from firmware.keys.panel_checks import panel_problems
from firmware.keys.panel_layout import (
    ADD,
    HOLD,
    Dialog,
    PanelLayout,
    Text,
    adding_keys,
    key_modes,
)
from firmware.keys.panel_words import HELD_SIGN, dialog_key
from firmware.toml_reader import read_toml
from rules.entries import Ok
from rules.errors import BadNotation
from rules.match import Match
from rules.notation import Notation
from rules.record import Act, Undo, act_text

__all__ = ["NO_KEY", "Keymap", "Meaning", "PanelLayout", "load_panel", "undoes"]

NO_KEY = "no_key"
"""Why a key is not acted upon that means nothing here."""

Meaning: TypeAlias = Act | NewMatch
"""What a single key can enter."""


class Keymap:
    """The keys of one panel for one game."""

    def __init__(self, layout: PanelLayout, notation: Notation, file: str = "panel") -> None:
        """Read every binding.

        Raises:
            ConfigError: with every problem, each with file, table and key.
        """
        self.layout, self.notation = layout, notation
        self._problems: list[str] = []
        self.layers = {
            name: self._read(f"layers.{name}", texts, in_dialog=False)
            for name, texts in layout.layers.items()
        }
        self.forms = {name: self._form(name, one) for name, one in layout.dialogs.items()}
        problems = [*self._problems, *panel_problems(layout, self.layers, self.forms)]
        if problems:
            raise ConfigError([within(file, problem) for problem in problems])
        self.undo_keys = frozenset(
            key for (key, _), steps in self.layers[PLAY].items() if undoes(steps)
        )
        self.ok_keys = frozenset(key for name in (PLAY, HELD) for key in self._confirming(name))
        """The keys that enter OK, pressed or held."""
        self.adding = adding_keys(layout)

    def _confirming(self, layer: str) -> Iterator[str]:
        for (key, _), steps in self.layers.get(layer, {}).items():
            if any(isinstance(step, Enters) and step.acts[0] == (Ok(),) for step in steps):
                yield key

    def _read(self, place: str, texts: dict[str, Text], *, in_dialog: bool) -> Bindings:
        """One table of keys; what cannot be read is noted and left out."""
        read: dict[tuple[str, bool], tuple[Step, ...]] = {}
        for name, text in texts.items():
            key = name.removesuffix(HOLD).removesuffix(ADD)
            ways = (text,) if isinstance(text, str) else text
            try:
                steps = tuple(read_step(way, self.notation, in_dialog=in_dialog) for way in ways)
            except BadNotation as error:
                self._problems.append(f"{place}.{name}: {error}")
                continue
            read[key, name != key] = steps
        return read

    def _form(self, name: str, dialog: Dialog) -> Form:
        place = f"dialogs.{name}"
        entry = (dialog.entry,) if isinstance(dialog.entry, str) else dialog.entry
        pages = {
            page: self._read(f"{place}.pages.{page}", texts, in_dialog=True)
            for page, texts in dialog.pages.items()
        }
        digits = {
            (key, False): (Digit((place + 1) % 10),) for place, key in enumerate(dialog.digits)
        }
        keys = self._read(f"{place}.keys", dialog.keys, in_dialog=True)
        return Form(
            name=name,
            label=dialog.label or dialog_key(name) or name.upper().replace("_", " "),
            templates=tuple(Template(text) for text in entry),
            pages={MAIN: {**digits, **keys}, **pages},
            notation=self.notation,
            most=dialog.most,
            when=dialog.when,
            other=dialog.other,
            full=dialog.full,
            hint=dialog.hint,
            timeout_ms=round(1000 * (dialog.timeout_s or self.layout.timeout_s)),
        )

    def steps(self, context: str, key: str, *, held: bool) -> tuple[Step, ...]:
        """What a key does in a context, as its layers say."""
        for name in chain(context):
            if found := steps_of(self.layers.get(name, {}), key, held=held):
                return found
        return ()

    def adds(self, context: str, key: str) -> tuple[Step, ...]:
        """What holding a key adds to its press: what stands beside it in the same layer."""
        if key in self.adding:
            for name in chain(context):
                if (key, False) in self.layers.get(name, {}):
                    return self.layers[name].get((key, True), ())
        return ()

    def chosen(
        self, moment: Moment, steps: tuple[Step, ...], *, again: bool = False
    ) -> Step | None:
        """Of several steps the first that the match would accept; else the first.

        `again`: the key was the last one too, pressed or held as now.
        """
        ways = [step for step in steps if self._applies(moment, step, again=again)]
        if len(ways) > 1:
            return next((step for step in ways if not self.judged(moment, step).refused), ways[0])
        return ways[0] if ways else None

    def _applies(self, moment: Moment, step: Step, *, again: bool) -> bool:
        """Whether a dialog is opened at all."""
        if not isinstance(step, Asks):
            return True
        form = self.forms[step.dialog]
        if form.when == "ends":
            return form.best(moment, self.opening(step))[1].ends
        return form.when == "always" or again is (form.when == "again")

    def opening(self, step: Asks) -> Slots:
        """What is written in a dialog when it opens."""
        form = self.forms[step.dialog]
        slots: Slots = {}
        for key, held in step.keys:
            for one in form.steps(MAIN, key, held=held)[:1]:
                slots = form.written(slots, one) or slots
        return slots

    def judged(self, moment: Moment, step: Step, seen: frozenset[str] = frozenset()) -> Would:
        """What the match would say to a step; a dialog is as good as what can become of it."""
        match step:
            case Enters():
                return moment.would(step.act(moment.turn))
            case Picks(which):
                act = picked(moment, which)
                return Would(NO_KEY) if act is None else moment.would(act)
            case NewMatch():
                return Would() if moment.context == OVER else Would(NO_KEY)
            case Asks():
                return self._prospect(moment, step, seen)
        return Would(NO_KEY)

    def _prospect(self, moment: Moment, step: Asks, seen: frozenset[str]) -> Would:
        """A form is asked for itself, a menu key by key."""
        form = self.forms[step.dialog]
        if form.templates:
            return form.prospect(moment, self.opening(step))
        if form.name in seen:
            return Would(NO_KEY)
        judged = (self.judged(moment, one, seen | {form.name}) for one in form.all_steps())
        return next((would for would in judged if not would.refused), Would(NO_KEY))

    def meaning(self, match: Match, key: str, *, held: bool) -> Meaning | None:
        """What a key enters at once; none if nothing, or if it opens a dialog."""
        moment = MatchMoment(match)
        match self.chosen(moment, self.steps(moment.context, key, held=held)):
            case Enters() as step:
                return step.act(moment.turn)
            case NewMatch() as step:
                return step
            case Picks(which):
                return picked(moment, which)
        return None

    def labels(self, moment: Moment) -> tuple[tuple[str, str], ...]:
        """Label and meaning of each key that now does something else than in play, or held."""
        found: dict[tuple[str, str], None] = {}
        for key, held in {gesture: None for layer in self.layers.values() for gesture in layer}:
            now = self.chosen(moment, self.steps(moment.context, key, held=held))
            usual = self.steps(PLAY, key, held=held)[:1]
            if now is None or (now,) == usual or self.judged(moment, now).refused:
                continue
            label, text = self.label(key), self.text(moment, now)
            if not (held and (label, text) in found):  # held it does what its press does
                found[HELD_SIGN + label if held else label, text] = None
        return tuple(found)

    def text(self, moment: Moment, step: Step) -> str:
        """A step on the board: an act in notation, a dialog by its label."""
        match step:
            case Enters():
                return act_text(step.act(moment.turn), self.notation)
            case Picks(which):
                act = picked(moment, which)
                return "" if act is None else act_text(act, self.notation)
            case Asks(dialog):
                return self.forms[dialog].label
            case NewMatch():
                return "NEW"
        return ""

    def label(self, key: str) -> str:
        """What stands on a key: its own text, or a word of the languages (`Language.label`)."""
        return self.layout.keys[key].label

    def wiring(self) -> dict[str, Wire]:
        """The wires of the panel; a key with a hold anywhere acts on release or hold.

        Raises:
            WiringError: with every key whose wires are not said, or cannot be.
        """
        modes, wires, faults = key_modes(self.layout), dict[str, Wire](), list[str]()
        for name, key in self.layout.keys.items():
            try:
                wire = key.wire(modes[name])
                if wire is None:
                    raise WiringError(Phrase("pinless", "has no pin"))
            except WiringError as error:
                faults.append(within(name, error.args[0]))
            else:
                wires[name] = wire
        if faults:
            raise WiringError(joined("; ", faults), faults=faults)
        return wires


def undoes(steps: tuple[Step, ...]) -> bool:
    """Whether a key is the panel's undo."""
    return any(isinstance(step, Enters) and isinstance(step.acts[0], Undo) for step in steps)


def load_panel(file: str | Path) -> PanelLayout:
    """Read a panel file.

    Raises:
        ConfigError: with every problem found, each with file, table and key.
    """
    return read_toml(file, PanelLayout)
