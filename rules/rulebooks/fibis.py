"""The Italian federation's nine-pins (FIBiS, goriziana).

Of its text the figures of the red ball and of fouls could not be read, and distances differ from
event to event: these the event sets. CBBS lists nine berilos and nothing of them was seen.
"""

from rules.carom.game import PINS
from rules.carom.terms import PinsTerms
from rules.rulebook import Rulebook

NINE_PINS = Rulebook(
    id="p9",
    name="Nine-pins",
    edition="FIBiS rules of goriziana, cut off, with a description of it (regoledelgioco.com)",
    game=PINS,
    terms=PinsTerms(
        target=(300, 300),
        foul_pts=2,
        inner=8,
        red=10,
        red_alone=30,
        ball_own=6,
        ball_other=6,
        cushion_doubles=True,
    ),
    unverified=("target", "foul_pts", "ball_own", "ball_other"),
    cites={
        "target": "unverified: 300 was seen",
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
        "foul_pts": "unverified: two by one source; FIBiS refers to five-pins",
        "pin": "an outer pin two",
        "inner": "an inner pin eight",
        "red": "ten with others",
        "red_alone": "thirty alone",
        "ball_own": "unverified: six by one source, by either ball",
        "ball_other": "unverified: six by one source, by either ball",
        "cushion_doubles": "doubled where the own ball met a cushion first; penalties never",
    },
)
