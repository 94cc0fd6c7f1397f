"""The grammar of keys: prefixes, numbers, dialogs and confirmations; pure, its time is passed in.

A key, a dialog or a number becomes one act. What is half typed is a value that a board can show.
Rules of this file:

- UNDO clears what is typed before it undoes anything.
- What nobody goes on with times out, and says so. A press just after that was meant for it and
  is refused: it must not act as something else.
- A dialog opens only if the match would accept something that can become of it, and is entered
  only if the match would accept what it says; else it stays open and the reason is told.
- A key without a meaning is told.
"""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from firmware.keys.bindings import (
    NUMBER,
    Adds,
    Asks,
    Digit,
    Done,
    Enters,
    Inert,
    Moves,
    NewMatch,
    Picks,
    Puts,
    Step,
    Turns,
)
from firmware.keys.dialogs import MAIN, Form, Slots
from firmware.keys.keymap import NO_KEY, Keymap
from firmware.keys.moment import Moment, picked
from firmware.keys.panel_words import HELD_SIGN, dialog_key
from firmware.snapshot import Typed
from rules.errors import Code
from rules.record import Act, act_text

SAME_PRESS_MS = 1000
"""The key that opened a dialog, again within this time, is the same press."""

GRACE_MS = 1000
"""After a time-out, presses within this time were meant for what was typed."""

FULL_GRACE_MS = 2000
"""After a number that entered itself, the key that ends one was meant for it within this time."""

TIMED_OUT, SAME_PRESS = "timed_out", "same_press"


class Entered(Struct, frozen=True):
    """An act for the rules to judge.

    `dialog` is where it was typed, if it was. `again`: the key that brought this about ended what
    was typed by going on, and is to be pressed once more, at the moment that the act makes.
    """

    act: Act
    dialog: str = ""
    again: bool = False


class Waiting(Struct, frozen=True):
    """Still typing. `opened`: a dialog opens with this key; `hint` is what to tell then."""

    opened: bool = False
    hint: str = ""


class Cleared(Struct, frozen=True):
    """UNDO took back what was typed."""

    text: str


class TimedOut(Struct, frozen=True):
    """Nobody went on with what was typed; it is gone."""

    text: str


class Refused(Struct, frozen=True):
    """The key is not acted upon. What was typed stays."""

    code: str
    detail: str = ""


class Nothing(Struct, frozen=True):
    """The hold of a key whose press has acted already, and to which a hold adds nothing here."""


Outcome: TypeAlias = Entered | NewMatch | Waiting | Cleared | TimedOut | Refused | Nothing


class _Half(Struct, frozen=True):
    """An act half typed: the form and what is written in it, and when it times out."""

    form: Form
    slots: Slots
    opener: str
    opened_ms: int
    until_ms: int
    keys: tuple[str, ...]
    page: str = MAIN


class Grammar:
    """What one device is typing."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._half: _Half | None = None
        self._last = ("", False)
        """The key pressed before, and whether it was held."""
        self._more: tuple[Step, ...] = ()
        """What holding that key adds to what it entered."""
        self._timed_out_ms: int | None = None
        self._filled: tuple[Form, int] | None = None
        """The dialog that its last digit entered by the press before, and when."""

    @property
    def typing(self) -> bool:
        """Whether something is half typed."""
        return self._half is not None

    @property
    def deadline_ms(self) -> int | None:
        """When `tick` is due; none while nothing is typed."""
        return self._half.until_ms if self._half is not None else None

    def clear(self) -> None:
        """Forget what is typed."""
        self._half = None

    def tick(self, moment: Moment, now_ms: int) -> Outcome | None:
        """What happens by itself until now: what is typed times out, or is entered as it is."""
        half = self._half
        if half is None or now_ms < half.until_ms:
            return None
        if half.form.other == "enter":
            outcome = self._finished(moment, half, again=False, stays=False)
            # What was refused is gone as if nobody had gone on: UNDO was meant for it.
            self._timed_out_ms = half.until_ms if isinstance(outcome, Refused) else None
            return outcome
        self._half, self._timed_out_ms = None, half.until_ms
        return TimedOut(self._said(moment, half))

    def press(self, moment: Moment, key: str, held: bool, now_ms: int) -> Outcome:
        """What a key does. `tick` comes first: what has timed out is no more."""
        last, self._last = self._last, (key, held)
        again = last == self._last
        timed_out, half = self._timed_out_ms, self._half
        if half is None and timed_out is not None and now_ms - timed_out < GRACE_MS:
            return Refused(TIMED_OUT)
        if self._ends_what_was_full(key, held=held, now_ms=now_ms):
            return Refused(SAME_PRESS)
        if held and key in self._keymap.adding:
            return self._added(moment) if key == last[0] else Nothing()
        self._more = ()
        if half is None:
            return self._in_layer(moment, key, held=held, again=again, now_ms=now_ms)
        if key in self._keymap.undo_keys:
            self._half = None
            return Cleared(self._said(moment, half))
        steps = half.form.steps(half.page, key, held=held)
        step = self._keymap.chosen(moment, steps)
        if step is None or isinstance(step, Inert):
            return self._stray(moment, half, key, held=held, again=again, now_ms=now_ms)
        return self._typed(moment, half, step, key, now_ms)

    def _ends_what_was_full(self, key: str, *, held: bool, now_ms: int) -> bool:
        """Whether a key is the end of a number that its last digit has entered already."""
        if self._filled is None:
            return False
        (form, entered_ms), self._filled = self._filled, None
        done = any(isinstance(step, Done) for step in form.steps(MAIN, key, held=held))
        return done and now_ms - entered_ms < FULL_GRACE_MS

    def _in_layer(
        self, moment: Moment, key: str, *, held: bool, again: bool, now_ms: int
    ) -> Outcome:
        """A key while nothing is typed."""
        steps = self._keymap.steps(moment.context, key, held=held)
        match self._keymap.chosen(moment, steps, again=again):
            case Enters() as step:
                self._more = self._keymap.adds(moment.context, key)
                return Entered(step.act(moment.turn))
            case NewMatch() as step:
                return step
            case Picks(which):
                act = picked(moment, which)
                return Refused(NO_KEY) if act is None else Entered(act)
            case Asks() as step:
                return self._opened(moment, step, key, (), now_ms)
        return Refused(NO_KEY)

    def _added(self, moment: Moment) -> Outcome:
        """The hold of a key that has acted on its press."""
        step, self._more = self._keymap.chosen(moment, self._more), ()
        return Entered(step.act(moment.turn)) if isinstance(step, Enters) else Nothing()

    def _opened(
        self, moment: Moment, step: Asks, key: str, before: tuple[str, ...], now_ms: int
    ) -> Outcome:
        """A dialog opens, if anything can become of it now."""
        would = self._keymap.judged(moment, step)
        if would.refused:
            return Refused(would.refused, would.detail)
        form = self._keymap.forms[step.dialog]
        self._half = _Half(
            form=form,
            slots=self._keymap.opening(step),
            opener=key,
            opened_ms=now_ms,
            until_ms=now_ms + form.timeout_ms,
            keys=(*before, self._keymap.label(key)),
        )
        return Waiting(opened=True, hint=form.hint)

    def _typed(self, moment: Moment, half: _Half, step: Step, key: str, now_ms: int) -> Outcome:
        """A key that the dialog names."""
        if isinstance(step, Asks):
            return self._opened(moment, step, key, half.keys, now_ms)
        half = replace(
            half,
            keys=(*half.keys, self._keymap.label(key)),
            until_ms=now_ms + half.form.timeout_ms,
            page=step.page if isinstance(step, Turns) else MAIN,
        )
        match step:
            case Enters():
                act = step.act(moment.turn)
                would = moment.would(act)
                if would.refused:
                    return Refused(would.refused, would.detail)
                self._half = None
                return Entered(act, half.form.name)
            case Puts() | Digit() | Adds() | Moves():
                written = half.form.written(half.slots, step)
                if written is None:
                    return Refused(Code.BAD_COUNT, str(half.form.most))
                half = replace(half, slots=written)
        self._half = half
        if isinstance(step, Done) or (isinstance(step, Puts) and step.done):
            return self._finished(moment, half, again=False, stays=True)
        if isinstance(step, Digit) and half.form.full == "enter" and half.form.is_full(half.slots):
            return self._filled_up(moment, half, now_ms)
        return Waiting()

    def _filled_up(self, moment: Moment, half: _Half, now_ms: int) -> Outcome:
        """The last digit that a number can have enters it."""
        outcome = self._finished(moment, half, again=False, stays=True)
        if isinstance(outcome, Entered):
            self._filled = half.form, now_ms
        return outcome

    def _finished(self, moment: Moment, half: _Half, *, again: bool, stays: bool) -> Outcome:
        """What is typed is entered, if the match would accept it."""
        act, would = half.form.best(moment, half.slots)
        if act is None or would.refused:
            self._half = half if stays else None
            return Refused(would.refused, would.detail)
        self._half = None
        return Entered(act, half.form.name, again=again)

    def _stray(
        self, moment: Moment, half: _Half, key: str, *, held: bool, again: bool, now_ms: int
    ) -> Outcome:
        """A key that the dialog does not name."""
        match half.form.other:
            case "drop":
                self._half = None
                return self._in_layer(moment, key, held=held, again=again, now_ms=now_ms)
            case "enter":
                if key == half.opener and now_ms - half.opened_ms < SAME_PRESS_MS:
                    return Refused(SAME_PRESS)
                return self._finished(moment, half, again=True, stays=False)
        return Refused(NO_KEY)

    def typed(self, moment: Moment) -> Typed | None:
        """What is half typed, as a board shows it."""
        half = self._half
        if half is None:
            return None
        act, would = half.form.best(moment, half.slots)
        return Typed(
            dialog=half.form.name,
            label=half.form.label,
            keys=half.keys,
            number=half.slots.get("n", ""),
            entry=act_text(act, self._keymap.notation) if act is not None else "",
            score=would.score,
            turn=would.turn,
            refused=would.refused,
            detail=would.detail,
            until_ms=half.until_ms,
            enters=half.form.other == "enter",
            reminder=would.reminder,
        )

    def labels(self, moment: Moment) -> tuple[tuple[str, str], ...]:
        """Label and meaning of each key that does something else than in play."""
        half = self._half
        if half is None:
            return self._keymap.labels(moment)
        found: dict[tuple[str, str], None] = {}
        for (key, held), steps in half.form.pages[half.page].items():
            step = self._keymap.chosen(moment, steps)
            if step is not None and (text := self._step_text(moment, half, step)):
                label = self._keymap.label(key)
                found[HELD_SIGN + label if held else label, text] = None
        return tuple(found)

    def _step_text(self, moment: Moment, half: _Half, step: Step) -> str:
        match step:
            case Puts(slot):
                return step.after(half.slots.get(slot, "")) or f"-{half.slots[slot]}"
            case Digit(digit):
                return str(digit)
            case Adds(n):
                return f"+{n}"
            case Moves(slot):
                return f"-{slot}" if half.slots.get(slot) and not half.slots.get(NUMBER) else slot
            case Turns(page):
                return dialog_key(page) or dialog_key("more")
            case Done():
                return "ENTER"
        return self._keymap.text(moment, step)

    def _said(self, moment: Moment, half: _Half) -> str:
        """What was typed, in few words: the act if it was one, else the keys."""
        acts = half.form.acts(half.slots, moment.turn)
        return act_text(acts[0], self._keymap.notation) if acts else " ".join(half.keys)
