"""What is wrong with a panel file that each binding alone cannot tell."""

from collections.abc import Collection, Iterator, Mapping

from firmware.keys.bindings import (
    NUMBER,
    Adds,
    Asks,
    Digit,
    Done,
    Enters,
    Moves,
    NewMatch,
    Picks,
    Puts,
    Step,
    Turns,
)
from firmware.keys.dialogs import MAIN, Bindings, Form, Gesture
from firmware.keys.moment import CHOICE, CONTEXTS, FIRST, HELD, OVER, PLAY, SHOOTOUT, chain
from firmware.keys.panel_layout import ADD, HOLD, PanelLayout
from firmware.keys.panel_words import KEY, KEY_WORDS, dialog_key
from firmware.toml_reader import did_you_mean
from rules.entries import First, Ok, Pick, Shootout
from rules.errors import BadNotation
from rules.record import Undo
from rules.sides import Side

SCHEMA = 1

LONGEST_LABEL = 8
"""Signs that a board has room for."""

_WANTED: dict[str, tuple[type, str]] = {
    FIRST: (First, "FIRST"),
    CHOICE: (Pick, "a choice"),
    HELD: (Ok, "OK"),
    SHOOTOUT: (Shootout, "SHOOT"),
    OVER: (NewMatch, "NEW"),
}
"""What some key must enter in each context, lest a match end in it."""


def panel_problems(
    layout: PanelLayout, layers: Mapping[str, Bindings], forms: Mapping[str, Form]
) -> Iterator[str]:
    """Every problem of a panel, with table and key."""
    if layout.schema != SCHEMA:
        yield f"schema = {layout.schema}: this firmware reads schema {SCHEMA}"
    yield from _labels(layout, forms)
    for name, layer in layers.items():
        if name.partition(".")[0] not in CONTEXTS:
            yield f"layers.{name}: no match waits for that{did_you_mean(name, CONTEXTS)}"
        yield from _keys(layout, f"layers.{name}", layer)
        for gesture, steps in layer.items():
            for step in steps:
                place = f"layers.{name}.{_named(gesture)}"
                yield from _asked(layout, forms, place, step)
    yield from _key_modes(layout)
    if PLAY not in layers:
        yield f"layers: the layer {PLAY} is missing"
        return
    yield from _meaningless(layout, layers)
    yield from _contexts(layers, forms)
    undo = {key for (key, _), steps in layers[PLAY].items() if _enters(steps, Undo)}
    if forms and not undo:
        yield f"layers.{PLAY}: no key enters UNDO, which clears what is typed in a dialog"
    for form in forms.values():
        yield from _form(layout, forms, form, undo)


def _named(gesture: Gesture) -> str:
    return gesture[0] + (HOLD if gesture[1] else "")


def _labels(layout: PanelLayout, forms: Mapping[str, Form]) -> Iterator[str]:
    named = [(f"keys.{name}.label", key.label) for name, key in layout.keys.items()]
    named += [
        (f"dialogs.{name}.label", form.label)
        for name, form in forms.items()
        if form.label != dialog_key(name)
    ]
    for place, label in named:
        if label.startswith(KEY):
            word = label.removeprefix(KEY)
            if word not in KEY_WORDS:
                yield f"{place} = {label!r}: no language has it{did_you_mean(word, KEY_WORDS)}"
        elif not 0 < len(label) <= LONGEST_LABEL:
            yield f"{place} = {label!r}: must have 1 to {LONGEST_LABEL} signs to fit the board"


def _keys(layout: PanelLayout, place: str, bindings: Bindings) -> Iterator[str]:
    for gesture in bindings:
        if gesture[0] not in layout.keys:
            yield f"{place}.{_named(gesture)}: {_no_key(layout, gesture[0])}"


def _no_key(layout: PanelLayout, key: str) -> str:
    return f"there is no key {key}{did_you_mean(key, layout.keys)}"


def _asked(layout: PanelLayout, forms: Mapping[str, Form], place: str, step: Step) -> Iterator[str]:
    """Whether a dialog is there that a key opens, and the keys that it presses in it."""
    if not isinstance(step, Asks):
        return
    if step.dialog not in forms:
        yield f"{place}: there is no dialog {step.dialog}{did_you_mean(step.dialog, forms)}"
        return
    for key, held in step.keys:
        steps = forms[step.dialog].steps(MAIN, key, held=held)
        if key not in layout.keys:
            yield f"{place}: {_no_key(layout, key)}"
        elif not all(isinstance(one, Puts | Digit | Adds) for one in steps or (None,)):
            yield f"{place}: {key} writes nothing in the dialog {step.dialog}"


def _key_modes(layout: PanelLayout) -> Iterator[str]:
    tables = [*layout.layers.values()]
    for name, dialog in layout.dialogs.items():
        for table in (dialog.keys, *dialog.pages.values()):
            tables.append(table)
            yield from (
                f"dialogs.{name}.{key}: {ADD} works in layers only"
                for key in table
                if key.endswith(ADD)
            )
    names = {name for table in tables for name in table}
    for key in layout.keys:
        if {key + HOLD, key + ADD} <= names:
            yield f"keys.{key}: has both {HOLD} and {ADD}; a key acts either on release or at once"


def _meaningless(layout: PanelLayout, layers: Mapping[str, Bindings]) -> Iterator[str]:
    named = {key for key, held in layers[PLAY] if not held}
    for key in layout.keys:
        if key not in named:
            yield f'layers.{PLAY}: {key} is missing; write {key} = "none" if it means nothing'


def _enters(steps: Collection[Step], kind: type) -> bool:
    return any(
        isinstance(step, kind)
        or (kind is Pick and isinstance(step, Picks))
        or (isinstance(step, Enters) and _holds(step.acts[0], kind))
        for step in steps
    )


def _holds(act: object, kind: type) -> bool:
    return isinstance(act, kind) or (isinstance(act, tuple) and isinstance(act[0], kind))


def _contexts(layers: Mapping[str, Bindings], forms: Mapping[str, Form]) -> Iterator[str]:
    """A context in which no key enters what it waits for is the end of a match."""
    for context, (kind, what) in _WANTED.items():
        steps = [
            step
            for name in chain(context)
            for ways in layers.get(name, {}).values()
            for step in ways
        ]
        asked = [
            forms[step.dialog] for step in steps if isinstance(step, Asks) and step.dialog in forms
        ]
        if not (_enters(steps, kind) or any(_form_enters(form, kind) for form in asked)):
            yield f"layers.{context}: no key enters {what}, so nothing could go on there"


def _form_enters(form: Form, kind: type) -> bool:
    """Whether something that it can say is of this kind."""
    return any(_holds(act, kind) for way in form.completions({}) for act in form.acts(way, Side.A))


def _form(
    layout: PanelLayout, forms: Mapping[str, Form], form: Form, undo: Collection[str]
) -> Iterator[str]:
    """One dialog: its keys, its end, its gaps, and whether the game can read what it says."""
    place = f"dialogs.{form.name}"
    steps = list(form.all_steps())
    digits = layout.dialogs[form.name].digits
    if digits and (len(digits) != 10 or len(set(digits)) != 10):
        yield f"{place}.digits: must name ten keys, for 1 to 9 and 0"
    for page, bindings in form.pages.items():
        table = f"{place}.pages.{page}" if page else f"{place}.keys"
        yield from _keys(layout, table, bindings)
        for gesture, ways in bindings.items():
            where = f"{table}.{_named(gesture)}"
            if gesture[0] in undo:
                yield f"{where}: UNDO clears what is typed and can be nothing else here"
            yield from _alternatives(where, ways)
            for step in ways:
                yield from _asked(layout, forms, where, step)
                if isinstance(step, Turns) and step.page not in form.pages:
                    yield f"{where}: there is no page {step.page}"
        for key in set(digits) & set(layout.dialogs[form.name].keys) if not page else ():
            yield f"{table}.{key}: is a digit already"
    if form.templates:
        if not any(isinstance(s, Done) or (isinstance(s, Puts) and s.done) for s in steps):
            yield f'{place}.keys: no key is "done", so that nothing could be entered'
        yield from _gaps(place, form, steps)
    elif not any(isinstance(step, Enters | Asks) for step in steps):
        yield f"{place}: has no entry, and no key that leads on"


def _alternatives(where: str, ways: Collection[Step]) -> Iterator[str]:
    if len(ways) > 1 and not all(isinstance(step, Enters | Asks) for step in ways):
        yield f"{where}: only acts and dialogs can be alternatives"


def _gaps(place: str, form: Form, steps: list[Step]) -> Iterator[str]:
    """Slots that nothing fills, values without a slot, and what the game cannot read."""
    wanted = frozenset().union(*(template.slots() for template in form.templates))
    filled = {step.slot for step in steps if isinstance(step, Puts | Moves)}
    filled |= {NUMBER for step in steps if isinstance(step, Digit | Adds)}
    for slot in sorted(wanted - filled):
        yield f"{place}.entry: no key fills {{{slot}}}"
    for slot in sorted(filled - wanted):
        yield f"{place}.keys: the entry has no slot {{{slot}}}"
    if wanted != filled:
        return
    for template in form.templates:
        wrong: dict[str, None] = {}
        for way in form.completions({}):
            if not all(way.get(slot) for slot in wanted):
                continue
            own = {slot: value for slot, value in way.items() if slot not in template.without()}
            try:
                template.read(own, Side.A, form.notation)
            except BadNotation as error:
                wrong[str(error)] = None
        yield from (f"{place}.entry: {message}" for message in wrong)
