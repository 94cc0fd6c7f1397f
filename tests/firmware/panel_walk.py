"""Walks over a panel: whatever is pressed, some key goes on, and each says what it means."""

import copy
import random
from collections.abc import Callable
from itertools import product

from firmware.keys.bindings import NewMatch
from firmware.keys.grammar import Entered, Waiting
from firmware.keys.panel_words import HELD_SIGN
from rules.ledger import Ledger
from rules.record import Control, act_text
from tests.firmware.typist import Player, shipped


def answers(player: Player, *, cleared: bool = False) -> dict[tuple[str, bool], str]:
    """What each key would do now, of those that would do something; undo and redo do not count.

    `cleared`: with nothing typed.
    """
    found = {}
    for key, held in product(player.keymap.layout.keys, (False, True)):
        grammar = copy.copy(player.grammar)
        if cleared:
            grammar.clear()
        match grammar.press(player.moment, key, held, player.now_ms + 1100):
            case Entered(act) if isinstance(act, Control) or player.moment.would(act).refused:
                continue
            case Entered(act):
                found[key, held] = act_text(act, player.keymap.notation)
            case Waiting(opened=True):
                typed = grammar.typed(player.moment)
                found[key, held] = typed.label if typed is not None else ""
            case Waiting():
                found[key, held] = "typing"
            case NewMatch():
                found[key, held] = "NEW"
    return found


def walked(panel: str, usual: Ledger, match: Callable[[], Ledger], presses: int) -> set[str]:
    """Press what would do something, and now and then anything; the contexts that it came to.

    A key that does neither what is printed on it, its first binding in play, nor what it does in
    the usual match is to stand on the board with its meaning; so is what a dialog makes of a key.
    """
    keymap = shipped(panel)
    in_play = answers(Player(keymap, usual))
    printed = {
        (key, held): keymap.steps("play", key, held=held)[0]
        for key, held in product(keymap.layout.keys, (False, True))
    }
    player = Player(keymap, match())
    chance = random.Random(f"{panel} {player.ledger.match.setup}")
    everything = [*keymap.layout.keys]
    contexts, opened = set(), True
    for _ in range(presses):
        contexts.add(player.moment.context)
        contexts.add(player.moment.context.partition(".")[0])
        ways = answers(player)
        as_ever = answers(player, cleared=True) if player.grammar.typing else {}
        typed = player.grammar.typed(player.moment)
        entered = typed.entry if typed is not None and typed.enters else None
        state = f"{player.records} {typed}"
        assert ways or not opened, f"no way on from {state}"
        meant = {
            (keymap.label(key), held)
            for (key, held), what in ways.items()
            if what != in_play.get((key, held))
            and what != keymap.text(player.moment, printed[key, held])
            and what not in (entered, as_ever.get((key, held)))
            and not (held and key in keymap.adding)
        }
        labels = {label for label, _ in player.grammar.labels(player.moment)}
        unsaid = [
            label
            for label, held in meant
            if label not in labels and not (held and HELD_SIGN + label in labels)
        ]
        assert not unsaid, f"{unsaid} mean something else, unsaid: {state}"
        keys = [key + "!" * held for key, held in ways]
        outcome = player.press([chance.choice([*keys, *chance.sample(everything, 2)])])
        opened = not player.grammar.typing or outcome == Waiting(opened=True)
        if isinstance(outcome, NewMatch):
            player = Player(keymap, match())
    return contexts
