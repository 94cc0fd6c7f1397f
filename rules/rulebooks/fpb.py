"""The Portuguese federation's rules (FPB), as far as their text is at hand."""

from rules.pool.game import EIGHT, ROTATION, STRAIGHT
from rules.pool.terms import EightTerms, RotationTerms, StraightTerms
from rules.rulebook import Rulebook
from rules.snooker.game import SNOOKER as SNOOKER_GAME
from rules.snooker.terms import MissBlock, Price, SnookerTerms, TimeRule

SNOOKER = Rulebook(
    id="fpb",
    name="FPB snooker",
    edition="FPB rules of snooker, art. 1-77; the text breaks off inside art. 77.C, what it lacks "
    "is inferred from CBBS 2008, which it follows article by article",
    game=SNOOKER_GAME,
    terms=SnookerTerms(
        succ_red=Price.VARIABLE,
        time_rule=TimeRule.TECHNICAL,
        miss_block=MissBlock.NEVER,
        agg_fail=4,
        hide_rule=True,
        award_table=True,
        pairs=False,
        clock=60,
        lost_match_fills=True,
    ),
    cites={
        "target": "art. 4: the event sets it",
        "reds": "art. 1.b: 15; 10 on a table of 2.45 m",
        "succ_red": "art. 22 and 60: the value of the ball, four at least",
        "nodecl": "art. 55.17: variable; 55.28 is of another foul before a colour is named",
        "compulsory7": "art. 47.3 and 48: an unavoidable foul has its usual value",
        "cumulate": "art. 55§8 and 58§: technical and disciplinary penalty are added",
        "disciplinary_loses": "art. 58.C, 58.D: the second disciplinary, the first grave one",
        "time_rule": "art. 55.29: seven, among the technical fouls",
        "miss_rule": "art. 46-49",
        "miss_block": "art. 46-48 know no bar by the score",
        "agg_fail": "art. 46§1: the third repetition, so the fourth failure",
        "miss_cap": "the text knows no limit of repetitions without a full ball",
        "hide_rule": "art. 70.A and 71: no snooker behind the ball just hit",
        "pass_after_in_off": "art. 32, 58.A3 and 72.2, against the stray sentence of 23§",
        "auto_end_pink": "art. 77.A1",
        "concede": "the text breaks off at 77.C; inferred from CBBS 50.2",
        "award_table": "art. 59: the winner gets the table, one more than the loser at least",
        "forfeit": "the text knows no forfeit of a frame",
        "wrong_breaker": "the frames alternate from whoever broke, when it is found late",
        "pairs": "art. 1: two players, one against one",
        "clock": "art. 55.29: 60 seconds",
        "warn": "the text knows no warning",
        "minutes": "the text knows no timed matches; the event may set a time",
        "late_clock": "as minutes",
        "late_from": "as minutes",
        "lost_match_fills": "art. 58 takes the match; that it fills the frames is inferred",
    },
)

POOL_EDITION = "FPB Pool - Regras: common rules, nine-ball, eight-ball, 14.1"

_POOL_CITES = {
    "sets_to_win": "the event sets it; C-15 knows sets",
    "order": "N-2.1, E-2.1: alternate; the winner if announced (N-2.1.1, E-2.1.1)",
    "set_order": "N-2.1: in the following racks and sets; that a set alternates as a rack does is "
    "our reading, the schedule running on the other one",
    "timeouts": "the text knows no time-outs",
    "ext_per_rack": "the text knows no shot clock",
    "stalemate_turns": "the text knows no stalemate; WPA: three more turns each",
    "clock": "the text knows no shot clock; the event may set one",
    "warn": "as clock",
    "ext_len": "as clock",
    "break_clock": "as clock",
    "minutes": "the text knows no timed matches; the event may set a time",
    "late_clock": "as minutes",
    "late_from": "as minutes",
    "lost_match_fills": "C-17 takes the match and gives no racks",
}

_RACK_CITES = _POOL_CITES | {
    "race": "the event sets it",
    "best_of": "C-15 speaks of best of 15; the event sets it",
    "shootout": "the text knows none",
    "half_interval": "C-15: once half of the set has been played",
    "detail": "the operator's choice, no rule",
}

NINE_BALL = Rulebook(
    id="fpb9",
    name="FPB nine-ball",
    edition=POOL_EDITION,
    game=ROTATION,
    terms=RotationTerms(half_interval=True, ext_per_rack=0),
    cites=_RACK_CITES
    | {
        "balls": "N-1: nine",
        "early_wins": "N-9: on a legal shot, whether or not the others are gone",
        "called": "N-5.2: no call of ball or pocket",
        "three_ball": "the text knows no such rule",
        "push_out_by": "N-4 names the breaker; whoever plays next is the practice everywhere (WPA)",
        "fouls_limit": "N-8: three in a row",
        "warned": "N-8 asks for no warning",
    },
)

EIGHT_BALL = Rulebook(
    id="fpb8",
    name="FPB eight-ball",
    edition=POOL_EDITION,
    game=EIGHT,
    terms=EightTerms(half_interval=True, ext_per_rack=0),
    cites=_RACK_CITES
    | {
        "short_break": "E-3.1.1 a-c: as it lies, from behind the line, a break of his own",
        "accept_scratch": "E-3.1.1, E-3.2: with the cue ball down it is not as it lies",
        "break_foul": "E-3.2 and E-10.1 a: cue ball behind the line",
        "eight_on_break": "E-3.3: spotted, the same player goes on",
        "eight_break_foul": "unverified: E-3.3 spots it, E-12 a loses the rack; the break has its "
        "own articles and WPA does not take the rack, so spotted, cue ball behind the line, until "
        "the federation says",
        "safety_call": "the text knows none; E-6.1 lets the referee make a player go on",
        "claim_cleared": "E-4.2: the 8 on an open table loses",
        "deliberate": "E-12 e: playing at the other group on purpose",
    },
)

STRAIGHT_POOL = Rulebook(
    id="fpb141",
    name="FPB 14.1",
    edition=POOL_EDITION,
    game=STRAIGHT,
    terms=StraightTerms(ext_per_rack=0),
    cites=_POOL_CITES
    | {
        "target": "S-4.4: the number agreed",
        "short_price": "S-3.1: two points",
        "foul_price": "S-3.3 and S-5.1: one point",
        "third_price": "S-3.3: fifteen",
        "fouls_limit": "S-3.3: three in a row",
        "third": "S-3.3: the first two are cancelled, so that only the fifteen stand",
        "warned": "the text asks for no warning",
        "break_counts": "S-3.3: fouls on the opening break count",
        "break_choice": "S-3.1 a: the opponent must play the table as it is",
        "after_third": "unverified: the text is silent; as WPA all are racked and the offender "
        "opens, until the federation says",
        "spot_first": "S-7.1 a: the centre spot",
        "spot_second": "S-7.1 a: the middle of the head string",
        "apex": "S-7.1 b: racked with the fourteen",
        "cap_at_target": "S-4.1 gives a point to every ball",
        "avg_dec": "the text knows no averages; two decimals are usual",
    },
)
