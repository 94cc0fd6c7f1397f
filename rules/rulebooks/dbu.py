"""The German federation's rules (DBU): five-pins, after the world federation's.

CBBS lists five berilos among its games (art. 25) and forbids the equalising inning in them (17.1);
of its own articles on them only two were seen, and in part.
"""

from rules.carom.game import PINS
from rules.carom.terms import PinsTerms
from rules.rulebook import Rulebook

FIVE_PINS = Rulebook(
    id="p5",
    name="Five-pins",
    edition="DBU rules of five-pins, art. 3.1 and 5.1, after UMB; CBBS art. 48 and 49 in part",
    game=PINS,
    terms=PinsTerms(target=(60, 60)),
    cites={
        "target": "the event sets it: 60 or 50 in sets, 120 in one game",
        "limit": "the text knows no limit of strokes; the event may set one",
        "last_from": "as the limit",
        "compare": "most points",
        "draw": "with a target there is none",
        "sets": "one or an odd number of games (CBBS art. 49); the event says how many",
        "final": "as the other sets, where the event says nothing",
        "set_start": "the starts alternate (CBBS art. 49)",
        "clock": "the text knows no shot clock",
        "to": "as clock",
        "auto_to": "as clock",
        "to_per": "as clock",
        "clock_opts": "as clock",
        "half": "the text knows no break",
        "rotate": "single players; the event says where pairs take turns",
        "disciplinary_loses": "as CBBS art. 20.3",
        "avg_dec": "three decimals as UMB",
        "avg_mode": "cut as UMB",
        "live_avg": "a turn is one stroke: there is no open one",
        "warn": "as clock",
        "to_len": "as clock",
        "minutes": "played without; the event may set a time",
        "clock_by": "as clock",
        "late_clock": "as clock",
        "late_from": "as clock",
        "lost_match_fills": "games won stand",
        "foul_pts": "DBU art. 3.1: two, on top of what fell, and a free ball (CBBS art. 48)",
        "pin": "world rule: a white pin two",
        "inner": "there is none",
        "red": "world rule: four with others",
        "red_alone": "world rule: eight alone; an Italian amateur league gives ten",
        "ball_own": "world rule: four where the own ball hits it after the opponent's",
        "ball_other": "world rule: three where the opponent's ball hits it",
        "cushion_doubles": "nothing is doubled in five-pins",
    },
)
