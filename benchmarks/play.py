"""Matches as the entries of single presses: a real one, and a long one."""

import random

from firmware.config.config import Config, panel_of
from firmware.demo.demo import MATCH
from firmware.demo.presses import presses_of
from firmware.keys.keymap import Keymap
from rules.carom.entries import Points
from rules.entries import EndVisit
from rules.ledger import Ledger
from rules.record import Record, Setup
from rules.replay import opened
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.sheet import Sheet, Step, read_sheets
from rules.sides import Side

Act = tuple[object, ...]

LONG = Record(0, Setup("ug", ((1,), (2,)), (("target", "none/none"), ("limit", "none")), Side.A))


def real() -> Sheet:
    """CA-16, a World Cup match of three cushions."""
    (sheet,) = read_sheets(MATCH.read_text("utf-8"), notation_of)
    return sheet


def taps(sheet: Sheet) -> list[Record]:
    """Its presses on the usual panel, as the records that they make."""
    keymap = Keymap(panel_of(Config(schema=1).panel), notation_of(sheet.setup.rulebook))
    ledger = opened(sheet, rulebook_of)
    records: list[Record] = []
    for press in presses_of(sheet, keymap, rulebook_of):
        act = keymap.meaning(ledger.match, press.key, held=press.held)
        assert isinstance(act, tuple)
        records.append(Record(ledger.seq + 1, act))
        ledger.append(records[-1])
    return records


FRAME = """
rulebook: wpbsa
format: target=1
first: A
/ / R U / R K R P / FOUL(miss) PICK(replay) R K R K R N / / R / FOUL(hit=K,free) FB(G) K R K R U R
/ R K / FOUL(white) PICK(pass) R P R K / R / R K / Y G / N U FOUL(hit=K,miss) P K
"""
"""A whole frame of snooker, red by red, with fouls, a free ball and a replay."""


RACKS = """
rulebook: wpa9
format: race=3/3
first: A
POT(2) PUSH PICK(play) POT(1) POT(1) / FOUL(1,scratch) POT(1) / SAFE POT(2) POT(1,M) OK
/ PUSH(1) PICK(pass_back) FOUL / FOUL POT(1) POT(1) / POT(1) / POT(2,M) OK
SOFT(1) PICK(hand_back) POT(1) / FOUL(no_rail) POT(1) / FOUL / FOUL(by=A) POT(1) FOUL POT(2)
"""
"""Nine-ball, ball by ball, with push-outs, choices and fouls in a row."""

POINTS = """
rulebook: fpb141
format: target=40/40
first: A
SHORT 12x( POT(1) ) / POT(1) FOUL SAFE FOUL(scratch) LEFT(1) CASE(ob) 9x( POT(1) ) / VISIT(4,safe)
POT(2) POT(1) FOUL POT(1) / 11x( POT(1) )
"""
"""A game of 14.1, ball by ball, with fouls, re-racks and whole visits."""


def frame(text: str = FRAME) -> tuple[Sheet, list[Record]]:
    """A sheet, and the records of its presses."""
    (sheet,) = read_sheets(text, notation_of)
    steps = [step for step in sheet.steps() if isinstance(step, Step)]
    return sheet, [Record(seq, step.act) for seq, step in enumerate(steps, 1)]


def long(records: int) -> list[Record]:
    """The records of a match without end: a visit of up to five points, and its end."""
    chance = random.Random(16)
    made: list[Record] = []
    while len(made) < records:
        for _ in range(chance.randrange(6)):
            made.append(Record(len(made) + 1, (Points(1),)))
        made.append(Record(len(made) + 1, (EndVisit(),)))
    return made[:records]


def opened_long() -> Ledger:
    """The log of the long match before its first record."""
    return Ledger(LONG, rulebook_of)
