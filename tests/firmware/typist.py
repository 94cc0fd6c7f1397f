"""One hand on a panel, with a match or with somebody who plays one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from firmware.keys.bindings import NewMatch
from firmware.keys.grammar import Entered, Grammar, Outcome
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap, load_panel
from firmware.keys.moment import MatchMoment, Moment, Would
from rules.carom.words import NOTATION as CAROM
from rules.errors import NotAllowed
from rules.frame import Option
from rules.ledger import Ledger
from rules.notation import Notation
from rules.pool.words import NOTATION as POOL
from rules.position import split_fields
from rules.record import Act, Record, Setup, act_text
from rules.rulebooks.shelf import rulebook_of
from rules.sides import Side
from rules.snooker.words import NOTATION as SNOOKER

PANEL = """
schema = 1
name = "test"
timeout_s = 8
[keys]
one = { pin = 17, label = "ONE" }
two = { pin = 27, label = "TWO" }
end = { pin = 22, label = "END" }
ok = { pin = 24, label = "OK" }
undo = { pin = 25, label = "UNDO" }
[layers.play]
one = "+1"
"one.add" = "+4"
two = "FOUL"
end = ["=0", "/"]
"end.hold" = "ask number"
ok = "OK"
"ok.hold" = "ask menu"
undo = "UNDO"
[layers.first]
one = "FIRST(A)"
two = "FIRST(B)"
[layers.choice]
one = "pick A"
two = "pick B"
[layers.shootout]
one = "SHOOT(A)"
two = "SHOOT(B)"
[layers.over]
"ok.hold" = "NEW"
[dialogs.menu]
keys = { one = "FROZEN", two = "ask side", end = "ask number" }
[dialogs.side]
entry = "CONCEDE({side},match)"
keys = { one = "side: A | B", ok = "done" }
[dialogs.number]
label = "RUN"
entry = "={n}"
most = 50
timeout_s = 3
keys = { one = "add 1", two = "add 20", end = "done" }
"""
"""A small panel for carom, with one of each thing."""

GAMES = {"carom": CAROM, "snooker": SNOOKER, "pool": POOL}


def shipped(name: str) -> Keymap:
    """A panel that comes with the firmware."""
    return Keymap(load_panel(PANELS / f"{name}.toml"), GAMES[name.partition("-")[0]], name)


def written(folder: Path, text: str, notation: Notation) -> Keymap:
    """A panel from the text of its file."""
    file = folder / "panel.toml"
    file.write_text(text, "utf-8")
    return Keymap(load_panel(file), notation, file.name)


@dataclass(frozen=True)
class Played:
    """A moment of a match that nobody plays: what it refuses and what would end, as patterns.

    `turns` says who would play after a choice.
    """

    notation: Notation
    context: str = "play"
    refuses: str = ""
    ends: str = ""
    turn: Side | None = Side.A
    option: Option | None = None
    turns: dict[str, Side] = field(default_factory=dict)

    def would(self, act: Act) -> Would:
        text = act_text(act, self.notation)
        if re.fullmatch(self.refuses, text):
            return Would("not_here")
        ends = re.fullmatch(self.ends, text) is not None
        return Would(score=(0, 0), turn=self.turns.get(text, self.turn), ends=ends)


class Typist:
    """Presses keys and keeps what comes of them."""

    def __init__(self, keymap: Keymap, *moments: Moment) -> None:
        self.keymap, self.grammar = keymap, Grammar(keymap)
        self._moments = list(moments)
        self.now_ms = 10_000
        self.records: list[str] = []
        self.outcomes: list[Outcome] = []

    @property
    def moment(self) -> Moment:
        """Each act goes on to the next moment; the last one stays."""
        return self._moments[min(len(self.records), len(self._moments) - 1)]

    def press(self, keys: str | Iterable[str], *, every_ms: int = 1100) -> Outcome:
        """Press keys one after the other, `!` after a key holds it; what the last one did.

        `...` is no key: nothing is pressed for two seconds.
        """
        for key in keys.split() if isinstance(keys, str) else keys:
            if key == "...":
                self.wait(2000)
                continue
            self.now_ms += every_ms
            self.wait(0)
            again = True
            while again:
                name, held = key.removesuffix("!"), key.endswith("!")
                outcome = self.grammar.press(self.moment, name, held, self.now_ms)
                again = self._follow(outcome)
        return self.outcomes[-1]

    def wait(self, ms: int) -> Outcome | None:
        """Let time go by."""
        self.now_ms += ms
        outcome = self.grammar.tick(self.moment, self.now_ms)
        if outcome is not None:
            self._follow(outcome)
        return outcome

    def _follow(self, outcome: Outcome) -> bool:
        self.outcomes.append(outcome)
        if isinstance(outcome, NewMatch):
            self.records.append("NEW")
        return isinstance(outcome, Entered) and self.enter(outcome.act) and outcome.again

    def enter(self, act: Act) -> bool:
        """Take an act in; whether it was taken."""
        self.records.append(act_text(act, self.keymap.notation))
        return True


def match_of(rulebook: str, format_: str = "", first: Side | None = Side.A) -> Ledger:
    """The log of a new match; what the event must set and the format does not say is 2."""
    given = split_fields(format_)
    told = ((name, "2") for name in rulebook_of(rulebook).unverified if name not in dict(given))
    setup = Setup(rulebook, ((1,), (2,)), (*given, *told), first)
    return Ledger(Record(0, setup), rulebook_of)


class Player(Typist):
    """A typist at a real match."""

    def __init__(self, keymap: Keymap, ledger: Ledger) -> None:
        super().__init__(keymap)
        self.ledger = ledger
        self.refusals: list[str] = []

    @property
    def moment(self) -> Moment:
        return MatchMoment(self.ledger.match, self.ledger)

    def enter(self, act: Act) -> bool:
        try:
            self.ledger.append(Record(self.ledger.seq + 1, act))
        except NotAllowed as error:
            self.refusals.append(error.code)
            return False
        return super().enter(act)
