"""The Brazilian confederation's rules (CBBS): carom, as far as its text is at hand, and snooker."""

from rules.carom.game import SERIES
from rules.carom.terms import FrozenRule, OffTable, SeriesTerms
from rules.rulebook import Rulebook
from rules.snooker.game import SNOOKER as SNOOKER_GAME
from rules.snooker.terms import SnookerTerms

EDITION = "CBBS carom rules, part 2 (art. 15-39); art. 1-14 and 40-43 inferred from UMB"

_CAROM = {
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
    "zone_shots": "no zones in this game",
    "line": "art. 26.3: as the player at the table chooses",
    "frozen": "art. 15.5 leaves it to the discipline",
    "offtable": "art. 16.2: all three, where the discipline makes no exception",
    "overshoot": "art. 17.1 wants the exact number; no stroke scores two",
    "clock": "the text knows no shot clock",
    "to": "as clock",
    "auto_to": "as clock",
    "to_per": "as clock",
    "clock_opts": "as clock",
    "half": "the text knows no break; the event may have one",
    "rotate": "single players; the part on pairs has each side choose its order",
    "disciplinary_loses": "art. 20.3: the second in a match; art. 21.2: the first grave one",
    "call_at": "referees call the last five in series games (Dutch referees' notes)",
    "avg_dec": "three decimals as UMB",
    "avg_mode": "cut as UMB",
    "live_avg": "the text knows no averages; boards count the open inning",
    "warn": "as clock",
    "to_len": "as clock",
    "minutes": "art. 18.1 knows timed matches; the event sets how long",
    "clock_by": "as clock; a key where the event plays with one",
    "late_clock": "as clock",
    "late_from": "as clock",
    "lost_match_fills": "art. 20.3 and 21.2 take the match and name no sets",
}

_CUSHIONS = {"call_at": "referees call the last three in cushion games (Dutch referees' notes)"}


def _carom(id_: str, name: str, terms: SeriesTerms, cites: dict[str, str]) -> Rulebook:
    return Rulebook(id_, f"CBBS {name}", EDITION, SERIES, terms, {**_CAROM, **cites})


STRAIGHT_RAIL = _carom(
    "sr",
    "straight rail",
    SeriesTerms(zone_shots=2, frozen=FrozenRule.FORCED, call_at=5),
    {
        "zone_shots": "art. 29.1 and 29.2: a free stroke, then one ball must leave the corner",
        "frozen": "art. 30.1: the referee spots all three",
    },
)

BALKLINE_47_2 = _carom(
    "472",
    "balkline 47/2",
    SeriesTerms(zone_shots=2, call_at=5),
    {
        "zone_shots": "art. 32.1 and 32.2: a free stroke, then one ball must leave",
        "frozen": "art. 33.1: the player may have all three spotted",
    },
)

BALKLINE_47_1 = _carom(
    "471",
    "balkline 47/1",
    SeriesTerms(zone_shots=1, call_at=5),
    {
        "zone_shots": "art. 34-36 are lost; UMB art. 74: one ball must leave on that very stroke",
        "frozen": "art. 36 is lost; as art. 33.1",
    },
)

BALKLINE_71_2 = _carom(
    "712",
    "balkline 71/2",
    SeriesTerms(zone_shots=2, call_at=5),
    {
        "zone_shots": "art. 38.1 and 38.2: a free stroke, then one ball must leave",
        "frozen": "art. 39.1: the player may have all three spotted",
    },
)

ONE_CUSHION = _carom(
    "1c",
    "one cushion",
    SeriesTerms(),
    {**_CUSHIONS, "frozen": "art. 40-41 are lost; UMB art. 82: all three, if he wants"},
)

THREE_CUSHION = _carom(
    "3c",
    "three cushions",
    SeriesTerms(frozen=FrozenRule.OPTION_TOUCHING, offtable=OffTable.OFFENDERS),
    {
        **_CUSHIONS,
        "frozen": "art. 42-43 are lost; UMB art. 83, which art. 15.5.a fits",
        "offtable": "art. 16.2 leaves it to the discipline; UMB art. 83",
    },
)

SNOOKER = Rulebook(
    id="cbbs",
    name="CBBS snooker and sinuca",
    edition="CBBS rules of snooker with 6, 10 or 15 reds, Brasília, 29 March 2008",
    game=SNOOKER_GAME,
    terms=SnookerTerms(compulsory7=True, lost_match_fills=True),
    cites={
        "target": "art. 54.1: the event sets it",
        "reds": "art. 1.2.2: 6, 10 or 15, as the event says",
        "succ_red": "art. 48.1 and 48.2: seven for a ball played at out of order",
        "nodecl": "art. 47.17: variable; 48.3 is of another foul before a colour is named",
        "compulsory7": "art. 48.4: a foul that could not be avoided costs seven",
        "cumulate": "art. 25.5.4.1 and 39: the disciplinary penalty comes on top",
        "disciplinary_loses": "art. 42.2 and 43: the second disciplinary, the first grave one",
        "time_rule": "art. 49.4: among the disciplinary fouls",
        "miss_rule": "art. 29: in full in the upper categories; an event may relax it",
        "miss_block": "art. 26.2: whoever could demand it can no longer level, a free ball counted",
        "agg_fail": "art. 27 and 44.2: the second repetition, so the third failure",
        "miss_cap": "art. 25.5.1: as many as needed",
        "hide_rule": "art. 8.3: only the free ball may not be the obstacle",
        "pass_after_in_off": "art. 35.4",
        "auto_end_pink": "art. 50.1; with art. 6 the black may still be potted for the break",
        "concede": "art. 50.2: a player, at any time",
        "award_table": "art. 42 and 43 know no points for the winner",
        "forfeit": "the text knows no forfeit of a frame",
        "wrong_breaker": "the text says nothing; inferred from FPB",
        "pairs": "art. 1.1: single players or teams; the order of partners is inferred from WPBSA",
        "clock": "art. 49.4 leaves it to the general regulation; none unless the event sets one",
        "warn": "as clock",
        "minutes": "the text knows no timed matches; the event may set a time",
        "late_clock": "as minutes",
        "late_from": "as minutes",
        "lost_match_fills": "art. 42.2 and 43 take the match; that it fills the frames is inferred",
    },
)
