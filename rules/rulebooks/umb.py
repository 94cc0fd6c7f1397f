"""The world carom federation's three-cushion formats (UMB), and sets as its events played them."""

from rules.carom.game import SERIES
from rules.carom.terms import Cause, Draw, FrozenRule, LineBall, OffTable, SeriesTerms
from rules.rulebook import Rulebook

EDITION = "UMB three-cushion organisation rules, December 2019, as quoted; UMB rules of play 1989"

_CITES = {
    "target": "group 40, knock-out 50 (40 until 2019); the event may differ",
    "limit": "none in World Cups; CEB ladies 50 innings",
    "last_from": "only with a limit; from the balls as they lie where the event says nothing",
    "eq_causes": "groups keep the equalising inning, knock-out lost it in 2020",
    "eq_first_inning_only": "only in sets (DBU: opener finished in his first inning)",
    "compare": "points; ratio where targets differ",
    "draw": "groups book 1-1; knock-out until 2019 went to a shoot-out",
    "sets": "sets to 15 in the World Cups until 2011",
    "final": "as sets",
    "set_start": "alternate",
    "frozen": "UMB art. 83: the player may have the touching balls spotted",
    "offtable": "UMB art. 83: only the balls concerned are spotted",
    "zone_shots": "three cushions know no zones",
    "line": "UMB art. 51-54: a ball on the line counts against the player",
    "overshoot": "one point a stroke: a larger number is a slip",
    "clock": "40 s in groups with called time-outs, 30 s in knock-out",
    "to": "two called ones in groups; four automatic ones at 50 points",
    "auto_to": "knock-out from 2020: taken by themselves",
    "to_per": "of the match; leagues in sets give them anew",
    "clock_opts": "unverified: of the penalty for a late stroke the text at hand breaks off; the "
    "inning is over, the balls stay",
    "half": "championships have a break of four or five minutes; the event says so",
    "rotate": "single players; scotch doubles in World Games and team events",
    "disciplinary_loses": "UMB conduct as CBBS art. 20.3, inferred",
    "call_at": "referees call the last three in cushion games (Dutch referees' notes)",
    "avg_dec": "UMB result sheets: three decimals",
    "avg_mode": "UMB result sheets cut: 37 in 39 is 0.948",
    "live_avg": "boards count the open inning; the result sheets know only finished ones",
    "warn": "groups: signal at 30 s of 40; knock-out: warning at 20 s of 30",
    "to_len": "groups: a called one is 40 s, 80 s in all; knock-out: to 60 s in all",
    "minutes": "played without; the event may set a time",
    "clock_by": "a key: it starts once the balls are at rest",
    "late_clock": "the same to the end; leagues with a match time shorten it",
    "late_from": "as late_clock",
    "lost_match_fills": "sets won stand",
}


def _book(id_: str, name: str, terms: SeriesTerms) -> Rulebook:
    return Rulebook(id_, name, EDITION, SERIES, terms, _CITES)


GROUP = _book(
    "ug",
    "UMB three cushions, group",
    SeriesTerms(
        target=(40, 40),
        eq_causes=(Cause.TARGET,),
        frozen=FrozenRule.OPTION_TOUCHING,
        offtable=OffTable.OFFENDERS,
        line=LineBall.AGAINST,
        clock=40,
        to=(2, 2),
        warn=10,
        to_len=40,
    ),
)

KNOCK_OUT = _book(
    "uk",
    "UMB three cushions, knock-out",
    SeriesTerms(
        target=(50, 50),
        eq_causes=(),
        frozen=FrozenRule.OPTION_TOUCHING,
        offtable=OffTable.OFFENDERS,
        line=LineBall.AGAINST,
        clock=30,
        to=(4, 4),
        auto_to=True,
        warn=10,
        to_len=30,
    ),
)

KNOCK_OUT_2019 = _book(
    "u18",
    "UMB three cushions, knock-out until 2019",
    SeriesTerms(
        target=(40, 40),
        eq_causes=(Cause.TARGET,),
        draw=Draw.SHOOTOUT,
        frozen=FrozenRule.OPTION_TOUCHING,
        offtable=OffTable.OFFENDERS,
        line=LineBall.AGAINST,
    ),
)

SETS = _book(
    "s15",
    "Three cushions in sets to 15",
    SeriesTerms(
        target=(15, 15),
        sets=3,
        eq_causes=(),
        frozen=FrozenRule.OPTION_TOUCHING,
        offtable=OffTable.OFFENDERS,
        line=LineBall.AGAINST,
    ),
)

SETS_FIRST_INNING = _book(
    "s15f",
    "Three cushions in sets to 15, equalising inning in the first inning",
    SeriesTerms(
        target=(15, 15),
        sets=3,
        eq_causes=(Cause.TARGET,),
        eq_first_inning_only=True,
        frozen=FrozenRule.OPTION_TOUCHING,
        offtable=OffTable.OFFENDERS,
        line=LineBall.AGAINST,
    ),
)
