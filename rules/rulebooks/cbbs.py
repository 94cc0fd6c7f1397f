"""The Brazilian confederation's carom rules (CBBS, part 2), as far as its text is at hand."""

from rules.carom.game import SERIES
from rules.carom.terms import CaromTerms, Cause, FrozenRule, OffTable
from rules.rulebook import Rulebook

EDITION = "CBBS carom rules, part 2 (art. 15-39); art. 1-14 and 40-43 inferred from UMB"

THREE_CUSHION = Rulebook(
    id="3c",
    name="CBBS three cushions",
    edition=EDITION,
    game=SERIES,
    terms=CaromTerms(
        target=(50, 50),
        eq_causes=(Cause.TARGET, Cause.TIME),
        frozen=FrozenRule.OPTION_TOUCHING,
        offtable=OffTable.OFFENDERS,
    ),
    cites={
        "target": "the event sets it (art. 19.1); 50 is usual",
        "limit": "the text knows no limit of innings; the event may set one",
        "last_from": "as the limit; from the balls as they lie where the event says nothing",
        "eq_causes": "art. 17.1 for the ends of art. 18.3 and 19.3",
        "eq_first_inning_only": "art. 17 makes no such condition",
        "compare": "art. 18.1: most points",
        "draw": "art. 17.1: a tie ends the match as a draw",
        "sets": "the text knows one game; the event may play sets",
        "final": "as sets",
        "set_start": "as sets; alternate as in art. 49 of part 3",
        "frozen": "art. 42-43 are lost; UMB art. 83, which art. 15.5.a fits",
        "offtable": "art. 16.2 leaves it to the discipline; UMB art. 83",
        "overshoot": "art. 17.1 wants the exact number; no stroke scores two",
        "clock": "the text knows no shot clock",
        "to": "as clock",
        "auto_to": "as clock",
        "disciplinary_loses": "art. 20.3: the second in a match; art. 21.2: the first grave one",
        "call_at": "referees call the last three in cushion games (Dutch referees' notes)",
        "avg_dec": "three decimals as UMB",
        "avg_mode": "cut as UMB",
        "warn": "as clock",
        "to_len": "as clock",
        "minutes": "art. 18.1 knows timed matches; the event sets how long",
        "clock_by": "as clock; a key where the event plays with one",
        "late_clock": "as clock",
        "late_from": "as clock",
        "lost_match_fills": "art. 20.3 and 21.2 take the match and name no sets",
    },
)
